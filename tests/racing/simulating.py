"""Many races at once, in native code: scores are drawn, fed and counted without Python in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from facedown.native import CHANCE, native
from facedown.native.chance import draw_real, seed_stream
from facedown.racing.feed import feed
from facedown.racing.methods import UNDECIDED, Setting

BATCH = 32

Scores = Sequence[tuple[float, float]]
"""A distribution: scores, each with its probability."""


@native
def run_all(blank: Any, races: Any, scores: Any, chances: Any, values: Any, limits: Any, seed: int, found: Any) -> None:
    """One row of `found` for each race: its verdict and its number of scores; batches take turns among the distributions."""
    chance, race = chances[0], races[0]
    for index in range(len(found)):
        seed_stream(chance, seed, index, 0)
        races[0] = blank[0]
        batch = 0
        while race.verdict == UNDECIDED:
            phase = batch % len(values)
            for place in range(len(scores)):
                drawn, value = draw_real(chance), 0
                while drawn >= limits[phase, value]:
                    value += 1
                scores[place] = values[phase, value]
            feed(race, scores)
            batch += 1
        found[index, 0], found[index, 1] = race.verdict, race.n_scores


def simulate_scores(setting: Setting, phases: Sequence[Scores], n_races: int, seed: int) -> np.ndarray[Any, Any]:
    """Verdicts and lengths of races whose scores have these distributions, 32 of the first, 32 of the next, and so on."""
    most = max(len(scores) for scores in phases)
    values, limits = np.zeros((len(phases), most)), np.full((len(phases), most), 2.0)
    for phase, scores in enumerate(phases):
        values[phase, : len(scores)] = [value for value, _ in scores]
        limits[phase, : len(scores) - 1] = np.cumsum([p for _, p in scores])[:-1]  # the last one takes what rounding leaves
    found = np.zeros((n_races, 2), np.int64)
    run_all(setting.start(), setting.start(), np.zeros(BATCH), np.zeros(1, CHANCE), values, limits, seed, found)
    return found


def simulate(setting: Setting, mean: float, n_races: int, seed: int, p_draw: float = 0.0) -> np.ndarray[Any, Any]:
    """The same for games that are won, drawn or lost at random."""
    p_win = mean - p_draw / 2
    return simulate_scores(setting, [[(1.0, p_win), (0.5, p_draw), (0.0, 1 - p_win - p_draw)]], n_races, seed)


def shares(found: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """How often each verdict came out."""
    return np.bincount(found[:, 0], minlength=4) / len(found)
