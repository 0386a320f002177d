"""The races, behind one small interface: feed scores in the order of their games, look at the verdict.

A race is a record; `feed` is one native function for all methods, so a batch of scores costs one call. Scores are
in [0, 1], 1 for a win of the first agent. The five races of the source test after some games with the empirical
Bernstein bound; `sprt`, `zone` and `mixture` look after every game, or nearly so.

| method    | decides for the first agent (mirrored for the second)                  | "practically equal"        |
| lebr ...  | see the source: interval narrower than 2 epsilon, or clear of 1/2       | never                      |
| sprt      | likelihood ratio of 1/2 + epsilon against 1/2 - epsilon reaches 1/delta | never                      |
| zone      | evidence against mu <= 1/2 - epsilon reaches 1/delta, and the mean is   | evidence reaches 1/delta   |
|           | far enough above 1/2, or patience ends                                  | against both sides         |
| mixture   | the interval of `arena.intervals` lies above 1/2                        | it lies within the zone    |
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.arena.racing import formulas
from facedown.errors import UsageError, unknown
from facedown.native.records import Record

UNDECIDED, FIRST, SECOND, EQUAL = 0, 1, 2, 3
VERDICTS = {UNDECIDED: "undecided", FIRST: "first", SECOND: "second", EQUAL: "practically equal"}

LEBR, ILEBR, ILEBR2, ILEBR_STAR_1, ILEBR_STAR_2, SPRT, ZONE, MIXTURE = range(8)
METHODS = {
    "lebr": LEBR,
    "ilebr": ILEBR,
    "ilebr2": ILEBR2,
    "ilebr*1": ILEBR_STAR_1,
    "ilebr*2": ILEBR_STAR_2,
    "sprt": SPRT,
    "zone": ZONE,
    "mixture": MIXTURE,
}
DEFAULT_METHOD = "zone"
DEFAULT_EPSILON, DEFAULT_DELTA = 0.01, 0.05

BETS = 6
ZONE_MARGIN = 0.75
"""In units of epsilon. More names fewer of two equal agents the better one; less ends races sooner at the edge of the zone."""
NEVER = np.iinfo(np.int64).max

RACE = np.dtype(
    (
        np.record,
        [
            ("method", np.int64),
            ("epsilon", np.float64),
            ("delta", np.float64),
            ("n_scores", np.int64),
            ("total", np.float64),
            ("squares", np.float64),
            ("test", np.int64),  # tests so far
            ("next_test", np.int64),  # after how many scores the next one is
            ("last_test", np.int64),  # the number of the last one, after which the mean decides
            ("skipped", np.int64),  # tests are after (test + skipped)^2 scores
            ("log_level", np.float64),  # ln(3/delta_k); for lebr it is computed at each test
            ("lower", np.float64),  # bounds of the mean: the best of all tests so far
            ("upper", np.float64),
            ("proved_above", np.int64),  # zone: mu > 1/2 - epsilon
            ("proved_below", np.int64),  # zone: mu < 1/2 + epsilon
            ("margin", np.float64),  # zone: how far from 1/2 the mean must be to name an agent
            ("patience", np.int64),  # zone: after so many scores the side that is proved is named in any case
            ("bets", np.float64, (BETS,)),
            ("wealth_above", np.float64, (BETS,)),  # against mu <= 1/2 - epsilon, for each bet
            ("wealth_below", np.float64, (BETS,)),  # against mu >= 1/2 + epsilon
            ("verdict", np.int64),
        ],
    )
)


@dataclass(frozen=True)
class Setting:
    """Which race, for which zone, at which level."""

    method: str = DEFAULT_METHOD
    epsilon: float = DEFAULT_EPSILON
    delta: float = DEFAULT_DELTA

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise unknown("method", self.method, METHODS)
        if not 0 < self.epsilon < 0.5:
            raise UsageError(f"epsilon={self.epsilon}: half the width of the zone around 1/2; it lies between 0 and 0.5")
        if not 0 < self.delta < 0.5:
            raise UsageError(f"delta={self.delta}: the probability of an error; it lies between 0 and 0.5")

    def start(self) -> np.ndarray[Any, Any]:
        """A race at its beginning, as an array of one record."""
        races = np.zeros(1, RACE)
        race: Record = races[0]
        race.method, race.epsilon, race.delta = METHODS[self.method], self.epsilon, self.delta
        race.lower, race.upper = 0.0, 1.0
        race.next_test, race.last_test = 1, NEVER
        if race.method == ILEBR:
            self._limit(race, math.ceil(formulas.tests_every_game(self.epsilon, self.delta)))
        elif race.method in (ILEBR2, ILEBR_STAR_1):
            self._limit(race, math.ceil(formulas.tests_at_squares(self.epsilon, self.delta)))
        elif race.method == ILEBR_STAR_2:
            n_tests = math.ceil(formulas.tests_at_squares(self.epsilon, self.delta))
            race.skipped = formulas.skipped_tests(self.delta, n_tests)
            self._limit(race, math.ceil(formulas.tests_at_squares(self.epsilon, self.delta, int(race.skipped))))
            race.next_test = (1 + race.skipped) ** 2
        elif race.method == ZONE:
            race.margin = ZONE_MARGIN * self.epsilon
            race.patience = math.ceil(-2 * math.log(self.delta) / self.epsilon**2)
            bets, weights = zone_bets(self.epsilon)
            race.bets[:] = bets
            race.wealth_above[:] = weights
            race.wealth_below[:] = weights
        return races

    def _limit(self, race: Record, n_tests: int) -> None:
        race.last_test = n_tests
        race.log_level = math.log(3 * n_tests / self.delta)


def zone_bets(epsilon: float) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The bets of the zone race and what is put on each.

    At a distance d from the far edge of the zone, the bet that grows fastest is 4 d for scores near 1/2. In the middle of the
    zone d is epsilon, at its near edge 2 epsilon; the others are for agents that differ by more. Most is put where races
    are longest.
    """
    multiples = np.array([0.5, 1.2, 3.0, 6.0, 12.0, 30.0])
    weights = np.array([0.30, 0.30, 0.25, 0.10, 0.03, 0.02])
    return np.minimum(8 * epsilon * multiples, 1.6), weights
