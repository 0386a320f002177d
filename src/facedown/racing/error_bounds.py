"""The source's bounds on the error of its races (2.6)-(2.16), and the level that keeps the error below a wish.

They multiply the chances of tests that share their games, so they are bounds, and loose ones; `planning` has the exact
error. Tests are after f(k) = k^2 games; games are won or lost; mu > 1/2 here, and mirrored by the public functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.errors import UsageError


def _above(mean: float) -> float:
    return max(mean, 1 - mean)


def _binomial() -> Any:
    from scipy.stats import binom  # takes longer to import than most races to run

    return binom


def end_error(mean: float, n_tests: int) -> float:
    """(2.8): the chance that the better player has won no more than half of the games at the last test."""
    games = n_tests**2
    return float(_binomial().cdf(games // 2, games, _above(mean)))


def _product_error(mean: float, margins: Callable[[Any], Any], n_tests: int) -> float:
    """1 - prod P(Y_f(k) > f(k)/2 - margin(f(k)))."""
    games = np.arange(1, n_tests + 1, dtype=np.float64) ** 2
    least = np.floor(games / 2 - margins(games))
    return float(-np.expm1(np.log1p(-_binomial().cdf(least, games, mean)).sum()))


def test_error(mean: float, n_tests: int, delta: float) -> float:
    """(2.9): the chance, tests taken for independent, that one of them is lost; exact in the standard deviation."""
    binomial, log_kept = _binomial(), 0.0
    for k in range(1, n_tests + 1):
        games = k * k
        wins = np.arange(games + 1)
        shares = wins / games
        level = math.log(3 * n_tests / delta)
        radius = np.sqrt(shares * (1 - shares) * 2 * level / games) + 3 * level / games
        losing = wins[shares + radius <= 0.5]
        if len(losing):
            log_kept += math.log1p(-float(binomial.cdf(losing[-1], games, _above(mean))))
    return -math.expm1(log_kept)


def test_error_bound(n_tests: int, delta: float, mean: float = 0.5) -> float:
    """(2.11): the same with the largest standard deviation, at mu = 1/2 unless another mean is given."""
    level = math.log(3 * n_tests / delta)
    return _product_error(mean, lambda games: np.sqrt(level * games / 2) + 3 * level, n_tests)


def error(mean: float, n_tests: int, delta: float) -> float:
    """(2.6), read as the upper bound that it is."""
    return 1 - (1 - end_error(mean, n_tests)) * (1 - test_error(mean, n_tests, delta))


def error_function(mean: float, n_tests: int) -> float:
    """(2.15): F_mu(n) = P(Y_f(n) <= f(n)/2) + 1 - prod P_.5(...), with 1/n for delta_n."""
    return end_error(mean, n_tests) + test_error_bound(n_tests, 1.0)


@dataclass(frozen=True)
class Choice:
    """The level at which (2.16) promises an error below the wish."""

    n_tests: int
    delta: float
    games: int


def choose_delta(mean: float, epsilon: float, wished: float, most_tests: int = 5000) -> Choice:
    """(2.16): n_max is the first n with F_mu(n) < the wished error; delta = 2 n_max / exp(2 epsilon^2 f(n_max))."""
    if not 0 < wished < 1:
        raise UsageError(f"the wished error {wished:g} must lie between 0 and 1")
    for n_tests in range(1, most_tests + 1):
        if end_error(mean, n_tests) < wished and error_function(mean, n_tests) < wished:
            games = n_tests**2
            return Choice(n_tests, 2 * n_tests / math.exp(2 * epsilon**2 * games), games)
    raise UsageError(f"no number of tests up to {most_tests} brings the error at mean {mean:g} below {wished:g}")
