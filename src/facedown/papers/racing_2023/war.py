"""War: the figures and plots that papers ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from facedown.arena.results import MatchResult
from facedown.games.registry import game as find_game
from facedown.papers.claims import N_ERRORS, Figure, Published
from facedown.papers.documents import Drawing, Plot
from facedown.papers.laboratory import Laboratory, Profile, Sizes, column, mean_score, ratio, share, singles
from facedown.papers.pictures import FAINT, OTHER, OURS, PUBLISHED

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

Array = np.ndarray[Any, Any]

AGAINST_SHUFFLED, AGAINST_DESCENDING = Published.printed("70 %"), Published.printed("54 %")
_HIGH_CAP = 20_000
_SHORT = Sizes(tiny=16, quick=40_000, full=1_000_000)
ENDLESS = Sizes(tiny=16, quick=20_000, full=200_000)  # most games of sorted orders run into the cap, and cost ten times as much
LONG = Sizes(tiny=16, quick=4_000, full=100_000)


def war(laboratory: Laboratory, cap: int | None = None, last_card: bool = False) -> str:
    """War with these rules; with few cards where only the machinery is to be tried."""
    settings = {"max_rounds": cap} if cap else {}
    if laboratory.profile is Profile.TINY:
        settings = {"ranks": 4, "max_rounds": 60}
    return str(find_game("war")(**settings, last_card=last_card))


def score(
    laboratory: Laboratory,
    agents: tuple[str, str],
    games: Sizes = _SHORT,
    *,
    last_card: bool = False,
    swap: bool = True,
    agent: int = 0,
) -> Figure:
    """The average score of an agent: games won, and half of those that nobody won."""
    return mean_score(laboratory.match(war(laboratory, last_card=last_card), *agents, games=games, swap=swap), agent)


def _endless_match(laboratory: Laboratory) -> MatchResult:
    """The match of the two sorted orders, with the usual cap."""
    return laboratory.match(war(laboratory), "descending", "ascending", games=ENDLESS)


def _long_match(laboratory: Laboratory) -> MatchResult:
    """The same with a higher cap: nearly all games that reach it can be seen to repeat themselves."""
    return laboratory.match(war(laboratory, _HIGH_CAP), "descending", "ascending", games=LONG)


def share_decided(laboratory: Laboratory) -> Figure:
    """Of the games that somebody won, the share that descending won against ascending."""
    played = _endless_match(laboratory)
    scores = singles(played).scores
    return ratio(played, scores[:, 0] > scores[:, 1], scores[:, 0] != scores[:, 1])


def share_capped(laboratory: Laboratory) -> Figure:
    """The share of games of descending against ascending that the usual cap ends."""
    played = _endless_match(laboratory)
    return share(played, column(played, "capped"))


def share_cycled(laboratory: Laboratory) -> Figure:
    """The share of games of descending against ascending in which both piles come back as they were."""
    played = _long_match(laboratory)
    return share(played, column(played, "cycled"))


def rounds(played: MatchResult) -> Array:
    """Rounds of each game: one for each move, and the last, after which nothing has to be put away."""
    lengths: Array = singles(played).lengths
    ended: Array = column(played, "capped") == 0
    return np.add(lengths, ended)


# --- plots ----------------------------------------------------------------------------------------------------------


def _gather_shares(laboratory: Laboratory) -> Drawing:
    """Win shares of several pairings, beside the two published numbers."""
    beyond = score(laboratory, ("descending", "loser_first"), ENDLESS, agent=1)
    rows: list[tuple[str, Figure, Published | None]] = [
        ("descending – shuffled", score(laboratory, ("descending", "shuffled")), AGAINST_SHUFFLED),
        ("the same,\na last card counts", score(laboratory, ("descending", "shuffled"), last_card=True), None),
        ("descending – ascending,\nof games that end", share_decided(laboratory), None),
        ("descending – ascending,\ncapped games as half", score(laboratory, ("descending", "ascending"), ENDLESS), None),
        ("the same,\na last card counts", score(laboratory, ("descending", "ascending"), ENDLESS, last_card=True), None),
        ("ascending – shuffled", score(laboratory, ("ascending", "shuffled")), None),
        ("loser's cards first* –\ndescending", beyond, None),
        ("descending – descending", score(laboratory, ("descending", "descending"), swap=False), AGAINST_DESCENDING),
    ]
    games = " or ".join(f"{n:,}" for n in sorted({figure.games for _, figure, _ in rows}))
    caption = (
        f"Share of games that the first named order wins, with bars of {N_ERRORS} standard errors ({games} games each, seed "
        f"{laboratory.seed}). Diamonds: what the thesis says, and of which pairing; dashed, to see what else lies there. "
        f"* Not in the thesis: the loser's cards laid first score {beyond.shown(percent=True)} against its best strategy, with "
        "capped games as half."
    )
    alt = "Dots with error bars on a scale of shares won. " + " ".join(
        f"{name}: {figure.with_error(percent=True)}{f', published {published.text}' if published else ''}."
        for name, figure, published in rows
    ).replace("\n", " ")

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        places = range(len(rows) - 1, -1, -1)
        for place, (_, figure, published) in zip(places, rows, strict=True):
            value, error = 100 * figure.value, 100 * N_ERRORS * figure.stderr
            if published:
                printed = 100 * published.value
                axes.axvline(printed, color=PUBLISHED, linestyle=(0, (4, 3)), linewidth=1.2)
                axes.plot(printed, place, "D", color=PUBLISHED, markersize=8, fillstyle="none", markeredgewidth=1.8)
                axes.text(printed, len(rows) - 0.42, published.text, color=PUBLISHED, ha="center", va="bottom")
            axes.errorbar(value, place, xerr=error, fmt="o", color=OURS, markersize=5.5, capsize=3, linewidth=1.4)
            axes.text(1.01, place, f"{value:.1f}", color=OURS, va="center", transform=axes.get_yaxis_transform())
        axes.set(xlim=(45, 75), ylim=(-0.6, len(rows) - 0.4), xlabel="share won, per cent")
        axes.set_yticks(list(places), [name for name, _, _ in rows], fontsize=9, linespacing=1.1)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="y", visible=False)
        axes.spines["left"].set_visible(False)

    return Drawing(caption, alt, draw)


def gather_lengths(laboratory: Laboratory) -> Drawing:
    """How long games are, and how many never end."""
    shuffled, sorted_orders = laboratory.match(war(laboratory), "descending", "shuffled", games=_SHORT), _long_match(laboratory)
    cap = find_game(sorted_orders.game).values["max_rounds"]
    edges = np.unique(np.round(np.geomspace(10, cap, 40)))
    lines = [
        _lengths("descending – shuffled", OURS, shuffled, edges),
        _lengths("descending – ascending", OTHER, sorted_orders, edges),
    ]
    usual, repeated = share_capped(laboratory), share_cycled(laboratory)
    usual_cap = find_game(_endless_match(laboratory).game).values["max_rounds"]
    caption = (
        f"Above: rounds of the games that end, as shares of all games in {len(edges) - 1} bins. Below: games that are still "
        f"going on. Of descending against ascending {lines[1].stopped:.1f} % reach the cap of {cap:,} rounds, and "
        f"{repeated.with_error(percent=True)} are seen to repeat themselves exactly, so they never end "
        f"({sorted_orders.games:,} games; the usual cap of {usual_cap:,} stops {usual.with_error(percent=True)}). "
        f"If one player shuffles, {shuffled.columns['capped']:,.0f} of {shuffled.games:,} games reach that cap. "
        f"Seed {laboratory.seed}."
    )
    alt = "Distribution of rounds for two pairings. " + " ".join(
        f"{line.name}: {line.running[-1]:.3g} per cent of the games still run at {cap:,} rounds." for line in lines
    )

    def draw(canvas: Canvas) -> None:
        above, below = canvas.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": (3, 2.4)})
        for line in lines:
            above.stairs(line.ended, edges, color=line.colour, linewidth=1.8, label=line.name)
            above.stairs(line.ended, edges, color=line.colour, fill=True, alpha=0.18)
            below.plot(edges, line.running, color=line.colour)
            text = f"{line.running[-1]:.0f} %"
            below.text(edges[-1] * 0.93, line.running[-1] + 4, text, color=line.colour, ha="right", va="bottom")
        above.set(title="games that end, per cent of all", ylim=(0, None))
        above.legend(loc="upper right")
        below.set(title="still going on, per cent of all", ylim=(0, 108), xlabel="rounds (logarithmic)", xlim=(edges[0], cap))
        below.set_xscale("log")
        ticks = [10**power for power in range(1, 6) if 10**power <= cap]
        below.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        below.tick_params(which="minor", color=FAINT)

    return Drawing(caption, alt, draw)


class Lengths(NamedTuple):
    """How long the games of a pairing are, ready to be drawn."""

    name: str
    colour: str
    ended: Array
    """Per cent of all games that ended in each bin."""
    running: Array
    """Per cent of all games that were still going on at each edge."""
    stopped: float
    """Per cent of all games that the cap ended."""


def _lengths(name: str, colour: str, played: MatchResult, edges: Array) -> Lengths:
    lengths, capped = rounds(played), column(played, "capped") > 0
    ended, _ = np.histogram(lengths[~capped], edges)
    ordered = np.sort(lengths[~capped])
    running = played.games - np.searchsorted(ordered, edges, side="right")
    return Lengths(name, colour, 100 * ended / played.games, 100 * running / played.games, 100 * float(capped.mean()))


PLOTS = (
    Plot("war-shares", "War: who wins, and what was published", 4.6, _gather_shares),
    Plot("war-lengths", "War: how long games last", 4.6, gather_lengths),
)
