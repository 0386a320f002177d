"""Love Letter: the plots of the chapter that the source left empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from facedown.papers.claims import N_ERRORS
from facedown.papers.documents import Drawing, Plot
from facedown.papers.laboratory import Laboratory
from facedown.papers.love_letter_2016.results import (
    AGENTS,
    CHEAP,
    FEWEST,
    SEARCHERS,
    SIMULATIONS,
    SOURCE,
    WAYS,
    Pairing,
    Standing,
    compared,
    ended,
    league,
    pairings,
    turns,
    whole_matches,
)
from facedown.papers.pictures import FAINT, INK, OTHER, OURS, PUBLISHED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

# light enough for letters in ink on them, in the dark as well
_FILLS = {
    "Baron": (OURS, 0.5),
    "Guard": (PUBLISHED, 0.45),
    "Prince": (OTHER, 0.5),
    "other": (INK, 0.85),
    "empty deck": (INK, 0.16),
}
_LONGEST = 10


def _sample(laboratory: Laboratory, pairs: list[Pairing]) -> str:
    games = " or ".join(f"{n:,}" for n in sorted({pair.played.games for pair in pairs}))
    searched = f"{' and '.join(SEARCHERS)} with {SIMULATIONS.of(laboratory.profile):,} simulations for a move"
    return f"{games} rounds for each pair, {searched}, seed {laboratory.seed}"


# --- how rounds end -----------------------------------------------------------------------------------------------------


def _gather_ends(laboratory: Laboratory) -> Drawing:
    """Stacked bars: how the rounds of each pair ended."""
    pairs = pairings(laboratory)
    shares = {way: [100 * ended(pair, way).value for pair in pairs] for way in WAYS}
    error = max(100 * ended(pair, way).stderr for pair in pairs for way in WAYS)
    caption = (
        f"How rounds end, for every two agents ({_sample(laboratory, pairs)}; standard errors are at most {error:.1f} points). "
        "Other: the Princess was played."
    )
    alt = "Stacked bars of how rounds end, in per cent. " + " ".join(
        f"{pair.title}: {', '.join(f'{way} {shares[way][at]:.1f}' for way in WAYS)}." for at, pair in enumerate(pairs)
    )

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        places = [len(pairs) - 1 - at for at in range(len(pairs))]
        left = [0.0] * len(pairs)
        for way, (colour, alpha) in _FILLS.items():
            axes.barh(places, shares[way], 0.76, left=left, color=colour, alpha=alpha, label=way, linewidth=0)
            for place, start, width in zip(places, left, shares[way], strict=True):
                if width >= 4 and way != "other":
                    axes.text(start + width / 2, place, f"{width:.0f}", color=INK, ha="center", va="center", fontsize=8)
            left = [start + width for start, width in zip(left, shares[way], strict=True)]
        axes.set(xlim=(0, 100), ylim=(-0.6, len(pairs) - 0.4), xlabel="per cent of the rounds")
        axes.set_yticks(places, [pair.title for pair in pairs], fontsize=9)
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False)
        axes.spines["left"].set_visible(False)
        canvas.legend(*axes.get_legend_handles_labels(), loc="outside upper left", ncols=len(WAYS), handlelength=1)

    return Drawing(caption, alt, draw)


# --- wins by turn -------------------------------------------------------------------------------------------------------


class Course(NamedTuple):
    """The rounds of a pair by the turn in which they ended, in per cent, ready to be drawn."""

    pair: Pairing
    turns: list[int]
    rounds: list[float]
    shown: list[int]
    """Turns with enough rounds to tell who wins."""
    wins: list[float]
    errors: list[float]


def _course(pair: Pairing, fewest: int) -> Course:
    found = turns(pair)
    enough = [turn for turn in found if turn.n_rounds >= fewest]
    return Course(
        pair,
        [turn.turn for turn in found],
        [100 * turn.rounds.value for turn in found],
        [turn.turn for turn in enough],
        [100 * turn.wins[0].value for turn in enough],
        [100 * N_ERRORS * turn.wins[0].stderr for turn in enough],
    )


def _gather_turns(laboratory: Laboratory) -> Drawing:
    """Who wins the rounds that end in each turn, for the pairs of the source's algorithms."""
    pairs = pairings(laboratory, SOURCE)
    courses = [_course(pair, FEWEST.of(laboratory.profile)) for pair in pairs]
    caption = (
        "Rounds by the turn in which they ended, turns of both players counted, for the source's four algorithms. Dots: the "
        f"share that the first named agent wins, with bars of {N_ERRORS} standard errors; columns: the share of all rounds "
        f"that end there ({_sample(laboratory, pairs)}; points of fewer than {FEWEST.of(laboratory.profile)} rounds are left "
        "out)."
    )
    alt = "Six panels with the share of rounds won by the turn in which they ended, in per cent. " + " ".join(
        f"{course.pair.title}: "
        + ", ".join(f"turn {turn} {share:.0f}" for turn, share in zip(course.shown, course.wins, strict=True))
        + "."
        for course in courses
    )

    highest = max((share + error for course in courses for share, error in zip(course.wins, course.errors, strict=True)))

    def draw(canvas: Canvas) -> None:
        panels = canvas.subplots(3, 2, sharex=True, sharey=True)
        for axes, course in zip(panels.flat, courses, strict=True):
            axes.axhline(50, color=INK, linewidth=0.8)
            axes.bar(course.turns, course.rounds, 0.8, color=FAINT, linewidth=0)
            style = {"color": OURS, "markersize": 4, "linewidth": 1.2, "capsize": 2}
            axes.errorbar(course.shown, course.wins, yerr=course.errors, fmt="o-", **style)
            axes.set_title(course.pair.title, fontsize=9.5)
            axes.set(ylim=(0, min(max(highest, 60) + 4, 104)), xlim=(0.4, _LONGEST + 0.6), xticks=range(1, _LONGEST + 1))
            axes.grid(axis="x", visible=False)
        canvas.supxlabel("turn in which the round ended", fontsize=10)
        canvas.supylabel("per cent", fontsize=10)

    return Drawing(caption, alt, draw)


# --- league -------------------------------------------------------------------------------------------------------------


def _gather_league(laboratory: Laboratory) -> Drawing:
    """The average score of every agent against all others, in rounds and in whole matches."""
    pairs, matches = pairings(laboratory), whole_matches(laboratory)
    rounds, whole = league(laboratory, AGENTS, pairs), league(laboratory, CHEAP, matches)
    caption = (
        f"Average score against all others, with bars of {N_ERRORS} standard errors. Above: single rounds "
        f"({_sample(laboratory, pairs)}). Below: whole matches of the agents that do not search "
        f"({matches[0].played.games:,} matches for each pair). Open dots: agents that are not in the thesis."
    )
    alt = "Dots with error bars on two scales of scores. " + " ".join(
        f"{title}: {', '.join(f'{one.agent} {one.score.with_error(percent=True)}' for one in found)}."
        for title, found in (("Single rounds", rounds), ("Whole matches", whole))
    )

    def draw(canvas: Canvas) -> None:
        above, below = canvas.subplots(2, 1, gridspec_kw={"height_ratios": (len(rounds), len(whole))})
        _draw_standings(above, rounds, "one round: score against all others, per cent")
        _draw_standings(below, whole, "whole match: score against all others, per cent")

    return Drawing(caption, alt, draw)


def _draw_standings(axes: Axes, found: list[Standing], title: str) -> None:
    places = [len(found) - 1 - at for at in range(len(found))]
    axes.axvline(50, color=INK, linewidth=0.8)
    for place, standing in zip(places, found, strict=True):
        value, error = 100 * standing.score.value, 100 * N_ERRORS * standing.score.stderr
        fill = "full" if standing.agent in SOURCE else "none"
        axes.errorbar(value, place, xerr=error, fmt="o", color=OURS, fillstyle=fill, markersize=6, capsize=3, linewidth=1.4)
        axes.text(1.01, place, f"{value:.1f}", color=OURS, va="center", transform=axes.get_yaxis_transform())
    axes.set(ylim=(-0.6, len(found) - 0.4), title=title)
    axes.set_yticks(places, [standing.agent for standing in found])
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)


# --- agreement ----------------------------------------------------------------------------------------------------------


def _gather_agreement(laboratory: Laboratory) -> Drawing:
    """How often two agents choose the same play, as a field of squares."""
    found = compared(laboratory)
    shares = [[100 * share for share in row] for row in found.share]
    error = max(100 * error for row in found.stderr for error in row)
    caption = (
        f"How often two agents choose the same play, in per cent of {found.positions:,} positions of {found.games:,} rounds "
        f"between them (seed {found.seed}; standard errors are at most {error:.1f} points). On the diagonal: the same when "
        "asked twice, less than 100 for agents that draw lots."
    )
    alt = "Squares, the fuller the more two agents agree, in per cent. " + " ".join(
        f"{one}: {', '.join(f'{two} {shares[a][b]:.0f}' for b, two in enumerate(AGENTS))}." for a, one in enumerate(AGENTS)
    )

    def draw(canvas: Canvas) -> None:
        from matplotlib.patches import Rectangle

        axes, n_agents = canvas.subplots(), len(AGENTS)
        for row, numbers in enumerate(shares):
            for column, number in enumerate(numbers):
                corner = (column - 0.47, row - 0.47)
                axes.add_patch(Rectangle(corner, 0.94, 0.94, color=OURS, alpha=0.55 * (number / 100) ** 2, linewidth=0))
                axes.text(column, row, f"{number:.0f}", ha="center", va="center", color=INK)
        axes.set(xlim=(-0.5, n_agents - 0.5), ylim=(n_agents - 0.5, -0.5), aspect="equal")
        axes.set_xticks(range(n_agents), AGENTS)
        axes.set_yticks(range(n_agents), AGENTS)
        axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        axes.grid(visible=False)
        for side in axes.spines.values():
            side.set_visible(False)

    return Drawing(caption, alt, draw)


PLOTS = (
    Plot("letter-plot-ends", "Love Letter: how rounds end", 5.0, _gather_ends),
    Plot("letter-plot-turns", "Love Letter: who wins in which turn", 6.2, _gather_turns),
    Plot("letter-plot-league", "Love Letter: the league", 4.6, _gather_league),
    Plot("letter-plot-agreement", "Love Letter: how often agents agree", 4.6, _gather_agreement),
)
