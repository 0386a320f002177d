"""The races, behind one small interface: feed scores in the order of their games, look at the verdict.

A race is a record; `feed` is one native function for all methods, so a batch of scores costs one call. Scores are
in [0, 1], 1 for a win of the first agent. The five races of the source test after some games with the empirical
Bernstein bound; `sprt` looks after every game, and so do the bettors of `duel`, `settle` and `zone` (`betting`).

| method    | decides for the first agent (mirrored for the second)                  | "practically equal"         |
| lebr ...  | see the source: interval narrower than 2 epsilon, or clear of 1/2       | the mean is 1/2 at the end  |
| sprt      | likelihood ratio of 1/2 + epsilon against 1/2 - epsilon reaches 1/delta | the first games all drawn   |
| zone      | evidence against mu <= 1/2 - epsilon reaches 1/delta, and the mean is   | evidence reaches 1/delta    |
|           | far enough above 1/2, or patience ends                                  | against both sides          |
| duel      | evidence against mu <= 1/2 - epsilon reaches 1/delta                    | both sides in one step      |
| settle    | that, and evidence against mu <= 1/2 reaches 2/delta                    | as for zone                 |
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.errors import UsageError, unknown
from facedown.native.records import Record
from facedown.racing import formulas

UNDECIDED, FIRST, SECOND, EQUAL = 0, 1, 2, 3
VERDICTS = {UNDECIDED: "undecided", FIRST: "first", SECOND: "second", EQUAL: "practically equal"}

LEBR, ILEBR, ILEBR2, ILEBR_STAR_1, _ILEBR_STAR_2, SPRT, ZONE, DUEL, SETTLE = range(9)
METHODS = {
    "lebr": LEBR,
    "ilebr": ILEBR,
    "ilebr2": ILEBR2,
    "ilebr*1": ILEBR_STAR_1,
    "ilebr*2": _ILEBR_STAR_2,
    "sprt": SPRT,
    "zone": ZONE,
    "duel": DUEL,
    "settle": SETTLE,
}
STRICT = frozenset({"settle"})
"""Methods that name an agent only if it is better, and not if it may be a little worse."""
DEFAULT_METHOD = "duel"
DEFAULT_EPSILON, DEFAULT_DELTA = 0.01, 0.05
_MIN_EPSILON, MIN_DELTA = 1e-8, 1e-100
"""Below these the numbers of games no longer fit into 64 bits, and evidence not into a float."""
LARGEST_MAX_GAMES = 2**62

ABOVE, BELOW, FIRST_BETTER, SECOND_BETTER = 1, 2, 4, 8
"""What bettors have proved, as bits: mu > 1/2 - epsilon, mu < 1/2 + epsilon, mu > 1/2, mu < 1/2."""

BETS, NAMING_BETS = 7, 6
_ZONE_MARGIN = 0.75
"""In units of epsilon. More names fewer of two equal agents the better one; less ends races sooner at the edge of the zone."""
MAX_STAKED = 0.9
"""No bet may lose more than this share of its wealth in one game."""
SPARE = 1e-9
"""The share of delta that `sprt` keeps for races in which everything is drawn."""
NEVER = np.iinfo(np.int64).max

ZONE_BETS = ((1.0, 2.4, 6.0, 12.0, 24.0, 60.0), (0.30, 0.30, 0.25, 0.10, 0.03, 0.02))
DUEL_BETS = ((1.4, 2.2, 4.0, 7.0, 12.0, 35.0), (0.11, 0.42, 0.16, 0.16, 0.11, 0.04))
SETTLE_BETS = ((1.0, 2.0, 4.0, 9.0, 20.0, 50.0), (0.38, 0.13, 0.21, 0.20, 0.06, 0.02))
"""Distances from the mean that is bet against, in units of epsilon, and what is put on each.

A bet grows fastest if the true mean is at its distance. From the far edge of the zone, the middle is at distance 1, the near
edge at 2; the others are for agents that differ by more. Most is put where races are longest. The weights were tuned on
coins at epsilon 0.02 and delta 0.05; the promises hold for any weights.
"""
_SETTLE_EDGE, SETTLE_EDGE_DISTANCE = 0.75, 0.8
"""What `settle` puts on a bet for the middle of the zone, and its distance; the rest goes with the bets that name an agent."""

RACE = np.dtype(
    (
        Record,
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
            ("proofs", np.int64),  # what bettors have proved so far
            ("margin", np.float64),  # zone: how far from 1/2 the mean must be to name an agent
            ("patience", np.int64),  # zone: then the side that is proved is named; sprt: if all was drawn until then, equal
            ("cap", np.float64),  # the largest stake of bets against an edge of the zone
            ("distances", np.float64, (NAMING_BETS,)),
            ("stakes", np.float64, (BETS,)),  # of the next score
            ("wealth_above", np.float64, (BETS,)),  # against mu <= 1/2 - epsilon, for each bet
            ("wealth_below", np.float64, (BETS,)),  # against mu >= 1/2 + epsilon
            ("naming_stakes", np.float64, (NAMING_BETS,)),
            ("wealth_first", np.float64, (NAMING_BETS,)),  # settle: against mu <= 1/2
            ("wealth_second", np.float64, (NAMING_BETS,)),  # settle: against mu >= 1/2
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
    points: float | None = None
    """Epsilon in points of the game, where it was given so."""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise unknown("method", self.method, METHODS)
        if not 0 < self.epsilon < 0.5:
            raise UsageError(f"epsilon={self.epsilon}: half the width of the zone around 1/2; it lies between 0 and 0.5")
        if self.epsilon < _MIN_EPSILON:
            raise UsageError(f"epsilon={self.epsilon}: a race for less than {_MIN_EPSILON:g} would never end; choose it larger")
        if not 0 < self.delta < 0.5:
            raise UsageError(f"delta={self.delta}: the probability of an error; it lies between 0 and 0.5")
        if self.delta < MIN_DELTA:
            raise UsageError(f"delta={self.delta}: evidence is kept for {MIN_DELTA:g} and more; choose it larger")

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
        elif race.method == _ILEBR_STAR_2:
            n_tests = math.ceil(formulas.tests_at_squares(self.epsilon, self.delta))
            race.skipped = formulas.skipped_tests(self.delta, n_tests)
            self._limit(race, math.ceil(formulas.tests_at_squares(self.epsilon, self.delta, int(race.skipped))))
            race.next_test = (1 + race.skipped) ** 2
        elif race.method == SPRT:
            # outside the zone a score differs from 1/2 with probability 2 epsilon at least
            race.patience = math.ceil(math.log(SPARE * self.delta) / math.log1p(-2 * self.epsilon))
        elif race.method >= ZONE:
            self._put_bets(race)
        return races

    def _limit(self, race: Record, n_tests: int) -> None:
        race.last_test = n_tests
        race.log_level = math.log(3 * n_tests / self.delta)

    def _put_bets(self, race: Record) -> None:
        distances, weights = {ZONE: ZONE_BETS, DUEL: DUEL_BETS, SETTLE: SETTLE_BETS}[int(race.method)]
        race.distances[:] = np.array(distances) * self.epsilon
        race.cap = MAX_STAKED / (0.5 - self.epsilon)
        on_edges = np.zeros(BETS)
        on_edges[:NAMING_BETS] = weights
        if race.method == ZONE:
            race.cap = 1.6
            race.margin = _ZONE_MARGIN * self.epsilon
            race.patience = math.ceil(-2 * math.log(self.delta) / self.epsilon**2)
        elif race.method == SETTLE:
            on_edges[0] = _SETTLE_EDGE
            on_edges[1:] = (1 - _SETTLE_EDGE) * np.array(weights)
            race.wealth_first[:] = race.wealth_second[:] = weights
        race.wealth_above[:] = race.wealth_below[:] = on_edges
