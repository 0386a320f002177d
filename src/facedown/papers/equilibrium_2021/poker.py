"""Kuhn and Leduc poker: the figures and plots that papers ask for."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.arena.results import MatchResult
from facedown.arena.score_counts import ScoreCounts, add_all
from facedown.errors import UsageError
from facedown.games.registry import game as find_game
from facedown.papers.claims import Figure
from facedown.papers.documents import Drawing, Plot
from facedown.papers.laboratory import Laboratory, Sizes, mean_score, singles
from facedown.papers.pictures import INK, OTHER, OURS, PUBLISHED

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

Array = np.ndarray[Any, Any]

_UNIFORM_GAMES = Sizes(tiny=400, quick=1_000_000, full=4_000_000)
_REPEAT = "facedown paper equilibrium"


def count(laboratory: Laboratory, game: str, kind: str) -> Figure:
    """A count of the game's tree: chance, decisions, ends, nodes or information_sets."""
    found = getattr(laboratory.explore(game), kind)
    return Figure.counted(found if isinstance(found, int) else sum(found), _REPEAT)


def count_lines(laboratory: Laboratory, game: str) -> Figure:
    """How many different sequences of actions end the game, whatever the cards."""
    return Figure.counted(len({end.actions for end in laboratory.ends(game)}), _REPEAT)


def winner_takes(laboratory: Laboratory, game: str, last: tuple[int, int]) -> Figure:
    """What the player wins who ought to, after the two last actions: who bet, if the other folded; else the higher card."""
    bet_and_folded = last == (1, 0)
    won = set()
    for end in laboratory.ends(game):
        if end.actions[-2:] == last:
            bettor = (len(end.actions) - 2) % 2
            higher = int(end.state.card[1] > end.state.card[0])
            won.add(end.scores[bettor if bet_and_folded else higher])
    if len(won) != 1:
        raise UsageError(f"{game}: after actions {last} the winner gets one of {sorted(map(str, won))}, not always the same")
    found = won.pop()
    return Figure.counted(int(found) if found.denominator == 1 else found, _REPEAT)


def uniform_value(laboratory: Laboratory, game: str) -> Figure:
    """What player 0 wins when all play uniformly, exactly."""
    return Figure.counted(laboratory.explore(game).values[0], _REPEAT)


def _uniform_match(laboratory: Laboratory) -> MatchResult:
    """Uniform play of Kuhn poker, agent 1 always in seat 0."""
    return laboratory.match("kuhn", "uniform", "uniform", games=_UNIFORM_GAMES, swap=False)


def play_uniformly(laboratory: Laboratory) -> Figure:
    """What player 0 wins when both play uniformly, measured."""
    return mean_score(_uniform_match(laboratory))


# --- plots ----------------------------------------------------------------------------------------------------------


def _gather_value(laboratory: Laboratory) -> Drawing:
    """The running mean of uniform play with its anytime interval, against the exact value."""
    played, exact = _uniform_match(laboratory), laboratory.explore("kuhn").values[0]
    scores, (low, high) = singles(played).scores, find_game("kuhn").score_range
    sums = np.cumsum(scores[:, 0])
    at = np.unique(np.geomspace(20, played.games, 160).astype(np.int64))
    means = sums[at - 1] / at
    batches = np.split(scores, at[:-1])
    so_far = itertools.accumulate((ScoreCounts.by_agent(games, 1, (low, high)) for games in batches), add_all)
    band = low + (high - low) * np.array([first.interval() for first, _ in so_far])
    held = bool(((band[:, 0] <= float(exact)) & (float(exact) <= band[:, 1])).all())
    reach = np.maximum(band[:, 1] - float(exact), float(exact) - band[:, 0])
    caption = (
        f"Kuhn poker, both players uniform: average score of player 0 after a number of games (seed {laboratory.seed}, "
        f"{played.games:,} games), with the interval that holds at all times together with probability 0.95. The exact value, "
        f"{exact}, {'is inside at every moment' if held else 'was outside at some moment'}; at the end the average is "
        f"{means[-1]:.5f}, the interval {band[-1, 0]:.5f} to {band[-1, 1]:.5f}. Below, the same on a logarithmic scale: both "
        "shrink like one over the square root of the number of games."
    )
    alt = f"A line of averages that settles at {means[-1]:.4f}, inside a band that narrows around the exact value {exact}."

    def draw(canvas: Canvas) -> None:
        above, below = canvas.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": (3, 2.4)})
        dashes = (0, (4, 3))
        above.fill_between(at, band[:, 0], band[:, 1], color=OURS, alpha=0.2, linewidth=0, label="95 % at any time")
        above.plot(at, means, color=OURS, label="average score")
        above.axhline(float(exact), color=PUBLISHED, linestyle=dashes, linewidth=1.4, label=f"exact, {exact}")
        above.set(title="score of player 0", xlim=(at[0], at[-1]), ylim=(-0.6, 1.0))
        above.legend(loc="upper right")
        below.fill_between(at, reach, 1e-9, color=OURS, alpha=0.2, linewidth=0)
        below.plot(at, np.maximum(np.abs(means - float(exact)), 1e-9), color=OURS)
        below.set(title="distance to the exact value (logarithmic)", xlabel="games (logarithmic)", ylim=(1e-5, 2.0))
        below.set_xscale("log")
        below.set_yscale("log")

    return Drawing(caption, alt, draw)


def _gather_counts(laboratory: Laboratory) -> Drawing:
    """How large the three trees are."""
    games = {"Kuhn, 2 players": "kuhn", "Kuhn, 3 players": "kuhn(players=3)", "Leduc": "leduc"}
    kinds = {"chance": "chance nodes", "decisions": "decision nodes", "ends": "ends", "information_sets": "information sets"}
    numbers = {name: [int(count(laboratory, game, kind).value) for kind in kinds] for name, game in games.items()}
    caption = (
        "Size of the game trees, counted by walking every history; on a logarithmic scale. The numbers are those of the table, "
        "and equal the published ones where it says so."
    )
    alt = "Bars for three games. " + " ".join(
        f"{name}: " + ", ".join(f"{n:,} {words}" for n, words in zip(sizes, kinds.values(), strict=True)) + "."
        for name, sizes in numbers.items()
    )

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        places = np.arange(len(kinds))[::-1]
        for shift, ((name, sizes), colour) in enumerate(zip(numbers.items(), (OTHER, OURS, PUBLISHED), strict=True)):
            height = places + 0.27 * (1 - shift)
            axes.barh(height, sizes, 0.24, color=colour, alpha=0.85, label=name)
            for place, size in zip(height, sizes, strict=True):
                axes.text(1.15 * size, place, f"{size:,}", va="center", fontsize=9, color=INK)
        axes.set_xscale("log")
        axes.set(xlim=(1, 40_000), yticks=places, yticklabels=list(kinds.values()), xlabel="number (logarithmic)")
        axes.set_xticks([1, 10, 100, 1000, 10_000], ["1", "10", "100", "1,000", "10,000"])
        axes.grid(axis="y", visible=False)
        axes.tick_params(axis="y", length=0)
        axes.legend(loc="lower left", bbox_to_anchor=(-0.3, 1.0), ncols=3, columnspacing=1.2, handlelength=1.2)

    return Drawing(caption, alt, draw)


PLOTS = (
    Plot("kuhn-uniform", "Kuhn poker: the value of uniform play", 4.4, _gather_value),
    Plot("tree-sizes", "Kuhn and Leduc poker: how large the trees are", 4.4, _gather_counts),
)
