"""The inequalities of the source, against its published numbers and against brute force."""

from __future__ import annotations

import math

import pytest

from facedown.errors import UsageError
from facedown.racing import error_bounds, formulas


def test_published_lengths() -> None:
    """Jakóbczyk 2023, (2.1) to (2.5), as printed to their last digit."""
    epsilon, delta = 0.01, 0.05
    n_squares = math.ceil(formulas.tests_at_squares(epsilon, delta))
    assert formulas.tests_every_game(epsilon, delta) == pytest.approx(74539.85, abs=0.01)
    assert math.ceil(formulas.tests_every_game_bernstein(epsilon, delta)) == 86329
    assert n_squares**2 == 45369
    assert formulas.tests_at_squares_bernstein(epsilon, delta) == pytest.approx(230.751, abs=0.0005)
    assert formulas.first_useful_test(delta, n_squares) == pytest.approx(7.53219, abs=0.000005)
    skipped = formulas.skipped_tests(delta, n_squares)
    assert formulas.tests_at_squares(epsilon, delta, skipped) == pytest.approx(205.289, abs=0.0005)


def test_published_choice_of_delta() -> None:
    """n_max = 293 and delta = 2.047143e-5 for an error of .05 at mu = .497."""
    chosen = error_bounds.choose_delta(0.497, 0.01, 0.05)
    assert chosen.n_tests == 293
    assert chosen.delta == pytest.approx(2.047143e-5, abs=5e-12)
    with pytest.raises(UsageError, match="no number of tests"):
        error_bounds.choose_delta(0.5, 0.01, 0.05, most_tests=20)
    with pytest.raises(UsageError, match="between 0 and 1"):
        error_bounds.choose_delta(0.4, 0.01, 1.5)


def binomial_cdf(n: int, p: float, most: int) -> float:
    return math.fsum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(most + 1))


@pytest.mark.parametrize("mean", [0.4, 0.55])
def test_error_bounds_by_brute_force(mean: float) -> None:
    """(2.6) to (2.9) summed up term by term for a few tests."""
    n_tests, delta, better = 12, 0.3, max(mean, 1 - mean)
    level = math.log(3 * n_tests / delta)
    kept = 1.0
    for k in range(1, n_tests + 1):
        games, lost = k * k, 0.0
        for wins in range(games + 1):
            share = wins / games
            radius = math.sqrt(share * (1 - share)) * math.sqrt(2 * level / games) + 3 * level / games
            if share + radius <= 0.5:
                lost += math.comb(games, wins) * better**wins * (1 - better) ** (games - wins)
        kept *= 1 - lost
    end = binomial_cdf(n_tests**2, better, n_tests**2 // 2)
    assert error_bounds.test_error(mean, n_tests, delta) == pytest.approx(1 - kept, rel=1e-9)
    assert error_bounds.end_error(mean, n_tests) == pytest.approx(end, rel=1e-9)
    assert error_bounds.error(mean, n_tests, delta) == pytest.approx(1 - (1 - end) * kept, rel=1e-9)


def test_bounds_are_ordered() -> None:
    """(2.11) bounds (2.9), and F bounds (2.6)."""
    for n_tests in (20, 60):
        assert error_bounds.test_error(0.51, n_tests, 0.05) <= error_bounds.test_error_bound(n_tests, 0.05)
        assert error_bounds.error(0.51, n_tests, 0.05) <= error_bounds.error_function(0.51, n_tests)


def test_no_race_needs_fewer() -> None:
    """kl(.05, .95) / KL(.49, .51), by hand: .9 ln 19 / (.02 ln(.51/.49))."""
    by_hand = 0.9 * math.log(19) / (0.02 * math.log(0.51 / 0.49))
    assert formulas.fewest_games(0.49, 0.01, 0.05) == pytest.approx(by_hand)
    assert formulas.fewest_games(0.51, 0.01, 0.05) == pytest.approx(by_hand)
