"""The best tests of coins: against every test of a few games, against the published optimum, and against our races."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from facedown.errors import UsageError
from facedown.racing.formulas import fewest_games
from facedown.racing.optimum import best_test, find_boundary, follow_boundary, likelihoods
from facedown.racing.plan import plan

MEANS = (0.40, 0.45, 0.48, 0.49, 0.495, 0.5)


def slow_twin(stops: set[tuple[int, int]], last: int, mean: float) -> tuple[float, float]:
    """Games and error of a test that stops at (games, lead), from all sequences of games one by one; ties go to either."""
    games, error = 0.0, 0.0
    for results in itertools.product((1, 0), repeat=last):
        lead = t = 0
        while t < last and (t, abs(lead)) not in stops:
            lead += 2 * results[t] - 1
            t += 1
        wins = sum(results)
        p = mean**wins * (1 - mean) ** (last - wins)
        games += p * t
        error += p * (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0)
    return games, error


def found_boundary(epsilon: float, mean: float, weight: float, price: float, last: int) -> tuple[Any, float, float]:
    """What the backward induction finds, with its games and its error at the edge."""
    growths, average, behind = likelihoods([0.5 - epsilon, mean], last + 4)
    leads = np.concatenate([behind[:1], average[1:]])
    values, boundary = np.zeros((2, last + 4)), np.zeros(last + 1, np.int64)
    find_boundary(growths, leads, np.array([0.0, weight]), price, values, boundary)
    games, errors = np.zeros(2), np.zeros(2)
    follow_boundary(growths, average, behind, values, boundary, games, errors)
    return boundary, float(games[1]), float(errors[0])


@pytest.mark.parametrize(("mean", "price"), [(0.3, 9.0), (0.5, 30.0), (0.4, 14.0), (0.2, 60.0)])
def test_no_test_of_five_games_is_better(mean: float, price: float) -> None:
    """All 512 symmetric tests that stop after five games at the latest, stopping or not at each lead."""
    last, epsilon, weight = 5, 0.1, 0.2
    boundary, games, error = found_boundary(epsilon, mean, weight, price, last)
    states = [(t, lead) for t in range(last) for lead in range(t % 2, t + 1, 2)]
    assert len(states) == 9
    least, evaluated = math.inf, {}
    for chosen in itertools.product((False, True), repeat=len(states)):
        stops = {state for state, stop in zip(states, chosen, strict=True) if stop}
        n_games = slow_twin(stops, last, mean)[0]
        wrong = slow_twin(stops, last, 0.5 - epsilon)[1]
        evaluated[frozenset(stops)] = (n_games, wrong)
        least = min(least, weight * n_games + price * wrong)
    assert weight * games + price * error == pytest.approx(least, rel=1e-12)
    ours = frozenset(state for state in states if state[1] >= boundary[state[0]])
    assert evaluated[ours] == pytest.approx((games, error), rel=1e-12)


PUBLISHED_ALONE = (124, 418, 1_640, 3_324, 4_359, 4_805)
PUBLISHED_TOGETHER = (168, 507, 1_845, 3_678, 5_190, 6_041)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_optimum_for_each_mean_alone() -> None:
    """Computed before by another program."""
    for mean, games in zip(MEANS, PUBLISHED_ALONE, strict=True):
        found = best_test((mean,))
        assert found.games[0] == pytest.approx(games, rel=0.01)
        assert found.edge_error == pytest.approx(0.05)
        assert found.games[0] > fewest_games(mean, 0.01, 0.05)


@pytest.mark.slow
@pytest.mark.compiled
def test_one_test_for_all_means() -> None:
    together = best_test((0.40, 0.45, 0.48, 0.49, 0.5), told=MEANS)
    assert together.games == pytest.approx(PUBLISHED_TOGETHER, rel=0.005)
    assert together.errors[3] == pytest.approx(together.edge_error) and together.edge_error == pytest.approx(0.05)
    assert together.errors[-1] == pytest.approx(0.5)
    for games, mean in zip(together.games, MEANS, strict=True):
        assert games > best_test((mean,)).games[0]


@pytest.mark.slow
@pytest.mark.compiled
def test_races_are_worse_than_the_best_test_for_the_mean() -> None:
    """Races that keep to delta with any scores, at two settings; and duel is not far from the best of one test for all."""
    for epsilon, means in ((0.01, MEANS), (0.05, (0.3, 0.4, 0.45, 0.5))):
        for method in ("duel", "zone", "settle"):
            for point in plan(method, epsilon, 0.05, means).points:
                assert point.games > best_test((point.mean,), epsilon).games[0]
    together = best_test((0.40, 0.45, 0.48, 0.49, 0.5), told=MEANS)
    ratios = [ours.games / games for ours, games in zip(plan("duel", mean=MEANS).points, together.games, strict=True)]
    assert max(ratios[:4]) < 1.05 and max(ratios) < 1.21


def test_bad_means() -> None:
    for means in ((), (0.4, 1.0)):
        with pytest.raises(UsageError, match="each between 0 and 1"):
            best_test(means)
