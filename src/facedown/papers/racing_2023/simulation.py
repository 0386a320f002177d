"""Races exactly as the source has them, simulated: they decide on the intersection of the intervals of all tests so far.

The races of this package decide on the interval of the test at hand (`arena.racing.feed.judge_bernstein`), so that plans
are exact. Near a mean of 1/2 the intersection ends some of the source's races earlier; how many, these simulations tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.arena.estimators import stderr_of_mean
from facedown.native import CHANCE, native
from facedown.native.chance import draw_real, seed_stream
from facedown.native.jit import Part, compiling
from facedown.native.records import Record
from facedown.racing.betting import take
from facedown.racing.feed import bernstein_radius, following_test
from facedown.racing.methods import FIRST, ILEBR_STAR_1, SECOND, UNDECIDED, Setting


@dataclass(frozen=True)
class Simulated:
    """Averages over races, with their standard errors."""

    races: int
    total_games: int
    error: float
    """How often the first player was called better."""
    error_stderr: float
    games: float
    games_stderr: float


@native
def _intersect(race: Record) -> int:
    """A test of algorithms 1 to 5, with `and` where their loops print `or`; what it decides."""
    n, test = int(race.n_scores), int(race.test) + 1
    mean, radius = race.total / n, bernstein_radius(race, n, race.total, race.squares)
    race.test, race.next_test = test, following_test(race, test)
    lower, upper = max(race.lower, mean - radius), min(race.upper, mean + radius)
    race.lower, race.upper = lower, upper
    if race.method >= ILEBR_STAR_1 and lower > 0.5:
        return FIRST
    if race.method >= ILEBR_STAR_1 and upper < 0.5:
        return SECOND
    if upper - lower <= 2.0 * race.epsilon or test == race.last_test:
        return FIRST if mean > 0.5 else SECOND
    return UNDECIDED


@native
def _run_races(blank: Any, races: Any, chances: Any, mean: float, seed: int, found: Any) -> None:
    """One row of `found` for each race: its verdict and its number of games, which are won or lost."""
    chance, race = chances[0], races[0]
    for index in range(len(found)):
        seed_stream(chance, seed, index, 0)
        races[0] = blank[0]
        verdict = UNDECIDED
        while verdict == UNDECIDED:
            take(race, 1.0 if draw_real(chance) < mean else 0.0)
            if race.n_scores == race.next_test:
                verdict = _intersect(race)
        found[index, 0], found[index, 1] = verdict, race.n_scores


@lru_cache(maxsize=64)
def simulate(method: str, epsilon: float, delta: float, mean: float, n_races: int, seed: int) -> Simulated:
    """Run this many races; the same arguments give the same races."""
    setting, found = Setting(method, epsilon, delta), np.zeros((n_races, 2), np.int64)
    with compiling(Part("the races of the source", 4, (_run_races,))):
        _run_races(setting.start(), setting.start(), np.zeros(1, CHANCE), mean, seed, found[:0])
    _run_races(setting.start(), setting.start(), np.zeros(1, CHANCE), mean, seed, found)
    called_first, games = (found[:, 0] == FIRST).astype(np.float64), found[:, 1].astype(np.float64)
    return Simulated(
        races=n_races,
        total_games=int(found[:, 1].sum()),
        error=float(called_first.mean()),
        error_stderr=stderr_of_mean(called_first),
        games=float(games.mean()),
        games_stderr=stderr_of_mean(games),
    )
