"""Many races at once, in native code: scores are drawn, fed and counted without Python in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.arena.racing.feed import feed
from facedown.arena.racing.methods import UNDECIDED, Setting
from facedown.native import CHANCE, native
from facedown.native.chance import draw_real, game_key, seed_stream

BATCH = 256


@native
def run_all(blank: Any, races: Any, scores: Any, chances: Any, p_win: float, p_draw: float, seed: int, found: Any) -> None:
    """One row of `found` for each race: its verdict and its number of scores."""
    chance, race = chances[0], races[0]
    for index in range(len(found)):
        seed_stream(chance, game_key(seed, index), 0)
        races[0] = blank[0]
        while race.verdict == UNDECIDED:
            for place in range(len(scores)):
                drawn = draw_real(chance)
                scores[place] = 1.0 if drawn < p_win else 0.5 if drawn < p_win + p_draw else 0.0
            feed(race, scores)
        found[index, 0], found[index, 1] = race.verdict, race.n_scores


def simulate(setting: Setting, mean: float, n_races: int, seed: int, p_draw: float = 0.0) -> np.ndarray[Any, Any]:
    """Verdicts and lengths of races whose games are won, drawn or lost at random."""
    found = np.zeros((n_races, 2), np.int64)
    p_win = mean - p_draw / 2
    run_all(setting.start(), setting.start(), np.zeros(BATCH), np.zeros(1, CHANCE), p_win, p_draw, seed, found)
    return found


def shares(found: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """How often each verdict came out."""
    return np.bincount(found[:, 0], minlength=4) / len(found)
