"""Box plots 5.1 and 5.2 of the source with ours beside them, and how close to the truth runs come in Rrrats."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.papers.documents import Drawing, Plot
from facedown.papers.laboratory import Laboratory, Sizes
from facedown.papers.pictures import FAINT, INK, OTHER, OURS, PUBLISHED
from facedown.papers.racing_2023 import tables, tuned
from facedown.papers.racing_2023.tables import METHODS
from facedown.tuning.result import TuneResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

Array = np.ndarray[Any, Any]
_FIVE = ("min", "25%", "50%", "75%", "max")
_KEYS = ("whislo", "q1", "med", "q3", "whishi")
_PLACES = Sizes(tiny=2, quick=4, full=16)


def gather_boxes(laboratory: Laboratory, game: str) -> Drawing:
    """What each algorithm found against its start: 100 matches of one run, as printed, and our runs."""
    printed = [[float(tables.AGAINST_START[game][name][number]) for name in _FIVE] for number in range(len(METHODS))]
    measured = [tuned.scores_against_start(laboratory, game, method) for method in METHODS]
    ours = [[tuned.statistic_of(numbers, name) for name in _FIVE] for numbers in measured]
    played = tuned.runs(laboratory, game, METHODS[0])
    budget = tuned.BUDGETS[game].of(laboratory.profile)
    how = "exact, what was found moves first" if game == "rrrats" else f"{budget // 20:,} games or so each"
    caption = (
        f"Share of games won against the random start ({how}). Left of each pair: the thesis, {tables.REPETITIONS} matches of "
        f"one run. Right: {len(played)} runs, each with a start of its own and {budget:,} games, seed {laboratory.seed}. Boxes "
        "from quartile to quartile, whiskers from the least to the most. The printed boxes are as narrow as matches between "
        "two strategies that stay the same must be; how much an algorithm gains depends on where it starts."
    )
    alt = f"Box plots for four algorithms in {game}. " + " ".join(
        f"{method}: printed median {old[2]:.3f}, from {old[0]:.3f} to {old[4]:.3f}; ours {new[2]:.3f}, from {new[0]:.3f} to "
        f"{new[4]:.3f}."
        for method, old, new in zip(METHODS, printed, ours, strict=True)
    )

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for shift, colour, boxes, name in ((-0.19, PUBLISHED, printed, "the thesis"), (0.19, OURS, ours, "our runs")):
            stats = [dict(zip(_KEYS, (100 * number for number in box), strict=True), fliers=[]) for box in boxes]
            line = {"color": colour, "linewidth": 1.5}
            axes.bxp(
                stats,
                positions=[place + shift for place in range(len(METHODS))],
                widths=0.28,
                boxprops=line,
                whiskerprops=line,
                capprops=line,
                medianprops=line,
            )
            axes.plot([], [], color=colour, label=name)
        axes.axhline(50, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_xticks(range(len(METHODS)), METHODS)
        axes.set(xlim=(-0.5, len(METHODS) - 0.5), ylabel="won against the start, per cent")
        canvas.legend(loc="outside upper center", ncols=2)
        axes.grid(axis="x", visible=False)

    return Drawing(caption, alt, draw)


def recommended(result: TuneResult, games: float) -> tuned.Chances:
    """What a run would have returned after this many games."""
    best = tuned.start_of(result)
    for trial in result.history:
        if trial.games_so_far > games:
            break
        best = tuned.chances(trial.best)
    return best


def _gather_reached(laboratory: Laboratory) -> Drawing:
    """What best replies win against what runs would give back, by games played: as in the source, and with our settings."""
    exact, budget = tuned.stationary(laboratory), tuned.BUDGETS["rrrats"].of(laboratory.profile)
    places = np.geomspace(budget / 200, budget, _PLACES.of(laboratory.profile))
    least = exact.exploitability(tuned.ALWAYS)
    mixed = exact.exploitability(tuned.three_in_hand(tuned.PUBLISHED_STOP))
    lines = []
    for name, colour, ours in (("ilebr*2, 1.25/.84, last x", PUBLISHED, False), ("our race, step and champion", OURS, True)):
        played = tuned.runs(laboratory, "rrrats", "approximate", ours)
        reached = np.array([[exact.exploitability(recommended(result, games)) for games in places] for result in played])
        lines.append((name, colour, reached))
    ends = [
        f"{name}: {np.median(reached[:, -1]):.4f} (from {reached[:, -1].min():.4f} to {reached[:, -1].max():.4f})"
        for name, _, reached in lines
    ]
    finished = ", ".join(f"{method} {tuned.mean_exploitability(laboratory, method).with_error()}" for method in METHODS)
    caption = (
        f"What a best reply wins beyond one half against what 'approximate' would return after a number of games: median of "
        f"{len(lines[0][2])} runs, and all of them, seed {laboratory.seed}. After {budget:,} games: {'; '.join(ends)}. The "
        f"least that any strategy leaves which looks at its hand alone is {least:.4f} (always to roll); 64 % at three, the "
        f"thesis' answer, leaves {mixed:.4f}. What the four algorithms of the thesis end with leaves on average: {finished}."
    )
    alt = f"Lines of exploitability against games. After {budget:,} games {'; '.join(ends)}. Always to roll {least:.4f}."

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for name, colour, reached in lines:
            axes.plot(places, 100 * np.median(reached, axis=0), "o-", color=colour, markersize=4, label=name)
            axes.fill_between(
                places, 100 * reached.min(axis=0), 100 * reached.max(axis=0), color=colour, alpha=0.14, linewidth=0
            )
        axes.axhline(100 * least, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.text(places[0], 100 * least, "always to roll ", va="bottom", ha="left", color=INK, fontsize=9)
        axes.axhline(100 * mixed, color=OTHER, linewidth=1, linestyle=(0, (4, 3)))
        axes.text(places[0], 100 * mixed, "64 % at three ", va="bottom", ha="left", color=OTHER, fontsize=9)
        axes.set_xscale("log")
        axes.set(xlabel="games (logarithmic)", ylabel="won by a best reply beyond 50, per cent", ylim=(0, None))
        axes.tick_params(which="minor", color=FAINT)
        axes.legend(loc="upper right")

    return Drawing(caption, alt, draw)


PLOTS = (
    Plot("war-boxes", "War: what was found, against the start", 3.6, partial(gather_boxes, game="war")),
    Plot("rrrats-boxes", "Rrrats: what was found, against the start", 3.6, partial(gather_boxes, game="rrrats")),
    Plot("rrrats-reached", "Rrrats: how close to the best runs come", 3.8, _gather_reached),
)
