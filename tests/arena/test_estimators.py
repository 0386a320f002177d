"""Standard errors of ratios over blocks of games, against leaving out one block at a time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from facedown.arena.estimators import largest_stderr, ratio_of_games, ratio_stderr, score_from_sums, stderr_of_mean


def jackknife(above: Any, below: Any) -> float:
    """The slow twin: leave out each block in turn, and see how much the ratio moves."""
    n_blocks = len(above)
    without = [(above.sum() - above[at]) / (below.sum() - below[at]) for at in range(n_blocks)]
    mean = sum(without) / n_blocks
    return math.sqrt((n_blocks - 1) / n_blocks * sum((value - mean) ** 2 for value in without))


@pytest.mark.parametrize("n_orders", [1, 2, 3])
def test_both_ways_to_the_error_of_a_ratio(n_orders: int) -> None:
    chance = np.random.default_rng(n_orders)
    below = chance.integers(1, 5, 1_200)
    above = chance.binomial(below, np.repeat(chance.random(1_200 // n_orders), n_orders))
    value, error = ratio_of_games(above, below, n_orders)
    tops, bottoms = above.reshape(-1, n_orders).sum(1), below.reshape(-1, n_orders).sum(1)
    assert value == above.sum() / below.sum()
    assert error == pytest.approx(jackknife(tops, bottoms), rel=0.01)
    squares = np.array([((tops - value * bottoms) ** 2).sum(), 0.0, -1e-18])  # rounding can end below nothing
    assert ratio_stderr(squares, len(tops), below.sum(), alone=9.0) == pytest.approx([error, 0.0, 0.0])


def test_a_deal_that_was_not_played_in_all_orders_is_a_block_of_its_own() -> None:
    value, error = ratio_of_games(np.array([1, 0, 1, 1, 0]), np.ones(5), 2)
    off = [1 - 2 * 0.6, 2 - 2 * 0.6, 0 - 0.6]
    assert (value, error) == pytest.approx((0.6, math.sqrt(sum(block**2 for block in off) * 3 / 2) / 5))


def test_a_single_block_says_nothing_of_its_error() -> None:
    assert ratio_stderr(np.zeros((2, 3)), 1, 4, alone=0.5).tolist() == [[0.5] * 3] * 2


def test_the_largest_error_is_that_of_a_coin_for_each_block() -> None:
    """All four ways in which two blocks of 1 and 3 games can come out, scores from -1 to 5, blocks all alike."""
    means = [(first + 3 * second) / 4 for first in (-1, 5) for second in (-1, 5)]
    assert largest_stderr([1, 3], (-1.0, 5.0)) == pytest.approx(np.std(means))


def test_the_error_of_a_mean() -> None:
    scores = np.random.default_rng(1).random(500)
    mean, error = score_from_sums(500, float(scores.sum()), float((scores**2).sum()))
    assert mean == pytest.approx(scores.mean())
    assert error == pytest.approx(jackknife(scores, np.ones(500)))
    assert stderr_of_mean(scores) == pytest.approx(error)


def test_what_is_said_of_less_than_two() -> None:
    assert score_from_sums(0, 0.0, 0.0) == (0.5, 0.5)
    assert score_from_sums(1, 0.75, 0.5625) == (0.75, 0.5)
    assert stderr_of_mean(np.array([3.0])) == 0.0
