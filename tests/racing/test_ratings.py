"""Ratings against independent reckonings: a closed form for two, a general optimiser, `choix`, and simulated leagues."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from facedown.racing.ratings import ELO, bradley_terry

Array = np.ndarray[Any, Any]


def random_table(generator: np.random.Generator, n: int) -> tuple[Array, Array]:
    """Numbers of deals and mean scores, as if drawn, with draws among them."""
    deals, means = np.zeros((n, n)), np.full((n, n), 0.5)
    for one in range(n):
        for other in range(one + 1, n):
            count = int(generator.integers(20, 400))
            halves = generator.integers(1, 2 * count)
            deals[one, other] = deals[other, one] = count
            means[one, other], means[other, one] = halves / 2 / count, 1 - halves / 2 / count
    return deals, means


def test_two_agents_in_closed_form() -> None:
    for mean, stderr, count in ((0.75, 0.02, 100), (0.5, 0.01, 7), (0.011, 0.003, 12_345)):
        deals = np.array([[0, count], [count, 0]])
        found = bradley_terry(deals, np.array([[0.5, mean], [1 - mean, 0.5]]), np.array([[0, stderr], [stderr, 0]]))
        logit = math.log(mean / (1 - mean))
        assert found.values == pytest.approx((ELO * logit / 2, -ELO * logit / 2), abs=1e-8)
        # the delta method: d logit / d mean = 1 / (mean (1 - mean))
        assert found.stderr == pytest.approx([ELO * stderr / (mean * (1 - mean)) / 2] * 2)
        assert found.expected[0][1] == pytest.approx(mean)
        assert not found.with_draws


def test_ten_to_one_is_400_points() -> None:
    found = bradley_terry(np.ones((2, 2)), np.array([[0.5, 10 / 11], [1 / 11, 0.5]]), np.zeros((2, 2)))
    assert found.values[0] - found.values[1] == pytest.approx(400)


@pytest.mark.parametrize("seed", range(5))
def test_many_agents_against_a_general_optimiser(seed: int) -> None:
    from scipy.optimize import minimize

    deals, means = random_table(np.random.default_rng(seed), 3 + seed)

    def loss(free: Array) -> float:
        ratings = np.append(free, 0.0)
        total = 0.0
        for one in range(len(ratings)):
            for other in range(one):
                margin = ratings[one] - ratings[other]
                score = means[one, other]
                total += deals[one, other] * (score * np.logaddexp(0, -margin) + (1 - score) * np.logaddexp(0, margin))
        return total

    best = minimize(loss, np.zeros(len(deals) - 1), method="BFGS", options={"gtol": 1e-9})
    expected = np.append(best.x, 0.0)
    found = bradley_terry(deals, means, np.zeros_like(means))
    assert np.array(found.values) / ELO == pytest.approx(expected - expected.mean(), abs=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_many_agents_against_choix(seed: int) -> None:
    choix = pytest.importorskip("choix")
    deals, means = random_table(np.random.default_rng(100 + seed), 4 + seed)
    wins = np.round(deals * means * 2)  # a draw is half a win: twice everything, in whole numbers
    expected = choix.ilsr_pairwise_dense(wins, alpha=0.0, max_iter=1000, tol=1e-10)
    found = bradley_terry(deals, means, np.zeros_like(means))
    assert np.array(found.values) / ELO == pytest.approx(expected - expected.mean(), abs=1e-6)


def test_intervals_cover_what_they_should() -> None:
    """Simulated leagues of four agents for which the model holds: coins of 60 a pairing.

    Standard errors of whole leagues are checked by their spread, and 95 % by counting 4 x 500 intervals. The agents of one
    league are not independent, so the 500 leagues are taken for all there is: 4 standard errors of a share of .95 are .039.
    """
    generator, truth, count = np.random.default_rng(5), np.array([0.6, 0.2, -0.1, -0.7]), 60
    hits, found_values, found_errors = 0, [], []
    for _ in range(500):
        means, errors = np.full((4, 4), 0.5), np.zeros((4, 4))
        for one in range(4):
            for other in range(one + 1, 4):
                chance = 1 / (1 + math.exp(truth[other] - truth[one]))
                wins = generator.binomial(1, chance, count)
                means[one, other], means[other, one] = wins.mean(), 1 - wins.mean()
                errors[one, other] = errors[other, one] = math.sqrt(wins.var() / (count - 1))
        found = bradley_terry(np.full((4, 4), count), means, errors)
        found_values.append(found.values)
        found_errors.append(found.stderr)
        hits += sum(
            low <= ELO * rating <= high for rating, (low, high) in zip(truth, map(found.interval, range(4)), strict=True)
        )
    assert abs(hits / 2000 - 0.95) < 0.039
    assert np.mean(found_errors, axis=0) == pytest.approx(np.std(found_values, axis=0), rel=0.13)  # 4 / sqrt(2 * 500)


def test_who_has_won_everything_gets_a_finite_rating_with_a_remark() -> None:
    means = np.array([[0.5, 1.0, 1.0], [0.0, 0.5, 0.6], [0.0, 0.4, 0.5]])
    found = bradley_terry(np.full((3, 3), 10), means, np.zeros((3, 3)))
    assert found.with_draws
    assert all(map(math.isfinite, found.values))
    assert found.values[0] > found.values[1] > found.values[2]
    # the same as if each pairing had one drawn deal more
    drawn = bradley_terry(np.full((3, 3), 11), (10 * means + 0.5) / 11, np.zeros((3, 3)))
    assert found.values == pytest.approx(drawn.values)


def test_pairs_that_have_not_met() -> None:
    deals = np.array([[0, 9, 0], [9, 0, 9], [0, 9, 0]])
    means = np.array([[0.5, 0.7, 0.5], [0.3, 0.5, 0.7], [0.5, 0.3, 0.5]])
    found = bradley_terry(deals, means, np.zeros((3, 3)))
    assert not found.with_draws
    assert found.expected[0][1] == pytest.approx(0.7)
    assert found.expected[1][2] == pytest.approx(0.7)
