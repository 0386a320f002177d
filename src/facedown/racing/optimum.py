"""The best that a race of coins could do: Bayes-optimal symmetric tests, by backward induction (Wald; Lorden 1976).

Among all symmetric tests that name an agent and err with probability delta at the edges of the zone, which one needs the
fewest games, at one mean or on average over some? A race for all scores in [0, 1] cannot be better than that for coins.

1. A price on errors makes one sum of both: games, weighed over the means, plus price times the error at the edge.
2. After t games with a lead d of one player, every mean has a likelihood. Against that of a fair coin, the least sum from
   there on is
   V(t, d) = min(price x likelihood of the edge, likelihood of the means x their weights + (V(t+1, d+1) + V(t+1, d-1)) / 2),
   reckoned backwards from a number of games so large that hardly any race lasts so long; there it has to stop.
3. Where stopping is the smaller one, the test stops: that is the case from some lead on, the boundary after t games.
4. Its games and errors follow from the distribution of the lead, moved on game by game. The price is the one at which the
   error at the edge is delta; where it jumps over delta, a lot between the two tests makes it so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.errors import UsageError
from facedown.native import native
from facedown.native.jit import Part, compiling
from facedown.racing import formulas
from facedown.racing.methods import DEFAULT_DELTA, DEFAULT_EPSILON

Array = np.ndarray[Any, Any]

LONGEST = 3.0
"""The horizon in units of ln(1/delta) / epsilon^2."""
_MIN_ERROR = 1e-6
"""Beyond a lead at which the error is as small as this share of delta, every test stops."""
STEPS, _CLOSE = 30, 2e-4
"""Prices that are tried at most, and how close to delta the error has to come, as a share of it."""


@dataclass(frozen=True)
class BestTest:
    """What a test that is optimal in its way does at some means."""

    means: tuple[float, ...]
    games: tuple[float, ...]
    errors: tuple[float, ...]
    edge_error: float


@native
def find_boundary(growths: Array, leads: Array, weights: Array, price: float, values: Array, boundary: Array) -> None:
    """From which lead on a test stops, after each number of games; the first mean is the edge, which costs the price.

    A likelihood is growths[mean]^t leads[mean, d], for the edge with the better player behind, for others the average of both.
    """
    n_means, last, most = len(growths), len(boundary) - 1, leads.shape[1] - 2
    costs = np.zeros(n_means)
    boundary[last] = 0
    for t in range(last, -1, -1):
        now, later = values[t % 2], values[1 - t % 2]
        for mean in range(n_means):
            # a player leads as often as the other, and only one of them is worse
            costs[mean] = (0.5 * price if mean == 0 else weights[mean]) * growths[mean] ** t
        # where both ways lead to a stop there is nothing to be gained: the likelihood of the edge stays the same on average
        reach = min(boundary[t + 1], most - 1) if t < last else most
        for lead in range(min(reach + 2, most) + 1):
            now[lead] = costs[0] * leads[0, lead]
        if t == last:
            continue
        boundary[t] = 0
        for lead in range(t % 2, reach + 1, 2):
            further = 0.5 * (later[lead + 1] + later[abs(lead - 1)])
            for mean in range(1, n_means):
                further += costs[mean] * leads[mean, lead]
            if further < now[lead]:
                now[lead] = further
                boundary[t] = lead + 1


@native
def follow_boundary(
    growths: Array, leads: Array, behind: Array, p: Array, boundary: Array, games: Array, errors: Array
) -> None:
    """Add up games and errors at each mean, over all ways in which the test can stop.

    `leads` is as before but for all means alike; behind[mean, d] goes with the likelihood that the worse player leads by d.
    """
    p[:] = 0.0
    p[0, 0] = 1.0
    highest = 0
    for t in range(len(boundary)):
        now, later = p[t % 2], p[1 - t % 2]
        later[: highest + 2] = 0.0
        kept = -1
        for lead in range(t % 2, highest + 1, 2):
            if lead >= boundary[t]:
                for mean in range(len(growths)):
                    growth = growths[mean] ** t
                    games[mean] += now[lead] * t * growth * leads[mean, lead]
                    errors[mean] += 0.5 * now[lead] * growth * behind[mean, lead]
                continue
            kept = lead
            if lead == 0:
                later[1] += now[0]
            else:
                later[lead + 1] += 0.5 * now[lead]
                later[lead - 1] += 0.5 * now[lead]
        if kept < 0 and t > 0:
            return
        highest = kept + 1


class _Search:
    """The tests for one zone and level, on tables of likelihoods."""

    def __init__(self, epsilon: float, delta: float, wanted: Sequence[float], weights: Sequence[float], told: Sequence[float]):
        self.delta, edge = delta, 0.5 - epsilon
        n_leads = math.ceil(-math.log(_MIN_ERROR * delta) / math.log((0.5 + epsilon) / edge)) + 4
        self.growths, average, behind = likelihoods([edge, *wanted], n_leads)
        self.leads = np.concatenate([behind[:1], average[1:]])
        self.weights = np.array([0.0, *weights])
        self.told = likelihoods([edge, *told], n_leads)
        self.values, self.boundary = (
            np.zeros((2, n_leads)),
            np.zeros(math.ceil(-LONGEST * math.log(delta) / epsilon**2), np.int64),
        )

    def at(self, price: float) -> tuple[Array, Array]:
        """Games and errors of the test for a price: at the edge, then at the means that are to be told."""
        find_boundary(self.growths, self.leads, self.weights, price, self.values, self.boundary)
        games, errors = np.zeros(len(self.told[0])), np.zeros(len(self.told[0]))
        follow_boundary(*self.told, self.values, self.boundary, games, errors)
        return games, errors

    def find(self) -> tuple[Array, Array]:
        """A test whose error is delta: one of two for nearly the same price, drawn by lot, as errors fall in small jumps."""
        low, high = 0.5, 2.5
        over, under = self.at(math.exp(low)), self.at(math.exp(high))
        while under[1][0] > self.delta:
            low, over, high = high, under, high + 2.0
            under = self.at(math.exp(high))
        for step in range(STEPS):
            too_large, small_enough = over[1][0], under[1][0]
            if small_enough > (1 - _CLOSE) * self.delta or too_large < (1 + _CLOSE) * self.delta:
                break
            # errors fall with a power of the price, nearly
            share = math.log(too_large / self.delta) / math.log(too_large / small_enough) if step % 2 == 0 else 0.5
            middle = low + (high - low) * share
            tried = self.at(math.exp(middle))
            if tried[1][0] <= self.delta:
                high, under = middle, tried
            else:
                low, over = middle, tried
        lot = min(1.0, (self.delta - under[1][0]) / (over[1][0] - under[1][0]))
        return under[0] + lot * (over[0] - under[0]), under[1] + lot * (over[1] - under[1])


def likelihoods(means: Sequence[float], n_leads: int) -> tuple[Array, Array, Array]:
    """Against a fair coin: growth with each game, the factor of a lead on average of both sides, and of a lead of the worse."""
    below = np.minimum(np.array(means), 1 - np.array(means))
    odds = 0.5 * np.log(below / (1 - below))
    exponents = np.clip(np.outer(odds, np.arange(n_leads)), -300.0, 0.0)
    return 2 * np.sqrt(below * (1 - below)), np.cosh(exponents), np.exp(exponents)


@lru_cache(maxsize=256)
def best_test(
    means: tuple[float, ...],
    epsilon: float = DEFAULT_EPSILON,
    delta: float = DEFAULT_DELTA,
    told: tuple[float, ...] | None = None,
) -> BestTest:
    """The test with the least average ratio of its games to the bound that no race can beat, over some means.

    With one mean it is the best test for that mean alone. `told` are the means at which its games and errors are wanted.
    """
    told = means if told is None else told
    if not means or not all(0 < mean < 1 for mean in (*means, *told)):
        raise UsageError(f"means={means}: at least one, each between 0 and 1")
    weights = [1 / formulas.fewest_games(mean, epsilon, delta) for mean in means]
    search = _Search(epsilon, delta, means, weights, told)
    with compiling(Part("the best tests", 4, (find_boundary, follow_boundary))):
        games, errors = search.find()
    return BestTest(told, tuple(map(float, games[1:])), tuple(map(float, errors[1:])), float(errors[0]))
