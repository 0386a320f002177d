"""The inequalities behind the races of Jakóbczyk 2023 (chapter 2), and how long these races can last.

Equation numbers are those of the source. Scores lie in [0, 1]; t is a number of games, n a number of tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable


def hoeffding(t: float, delta: float) -> float:
    """|mean - mu| stays below this with probability 1 - delta (lemma 1.11)."""
    return math.sqrt(math.log(2 / delta) / (2 * t))


def bernstein(t: float, deviation: float, delta: float) -> float:
    """The empirical Bernstein bound, with the standard deviation of the scores themselves (lemma 1.13)."""
    return deviation * math.sqrt(2 * math.log(3 / delta) / t) + 3 * math.log(3 / delta) / t


def solve_decreasing(function: Callable[[float], float], target: float, low: float = 1.0) -> float:
    """The place where a decreasing function comes down to `target`."""
    if function(low) <= target:
        return low
    high = 2 * low
    while function(high) > target:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if function(middle) > target:
            low = middle
        else:
            high = middle
    return high


def tests_every_game(epsilon: float, delta: float) -> float:
    """(2.1): as many games, each followed by a test at level delta/n, bring Hoeffding's radius down to epsilon."""
    return solve_decreasing(lambda n: hoeffding(n, delta / n), epsilon)


def tests_every_game_bernstein(epsilon: float, delta: float, deviation: float = 0.5) -> float:
    """(2.2): the same by the empirical Bernstein bound."""
    return solve_decreasing(lambda n: bernstein(n, deviation, delta / n), epsilon)


def tests_at_squares(epsilon: float, delta: float, skipped: int = 0) -> float:
    """(2.3) and (2.5): tests after (n + skipped)^2 games, by Hoeffding."""
    return solve_decreasing(lambda n: hoeffding((n + skipped) ** 2, delta / n), epsilon)


def tests_at_squares_bernstein(epsilon: float, delta: float, deviation: float = 0.5) -> float:
    """(2.4), with the 2 that is missing under its root: tests after n^2 games, by empirical Bernstein."""
    return solve_decreasing(lambda n: bernstein(n**2, deviation, delta / n), epsilon)


def first_useful_test(delta: float, n_tests: int) -> float:
    """n_min: before the test after n^2 games not even somebody who wins every game can be told to be better."""
    return math.sqrt(3 * math.log(3 * n_tests / delta) / 0.5)


def skipped_tests(delta: float, n_tests: int) -> int:
    """How many of the tests after 1, 4, 9, ... games cannot decide anything."""
    return math.floor(first_useful_test(delta, n_tests))


def _divergence(p: float, q: float) -> float:
    """Kullback-Leibler divergence of coins with these chances."""
    parts = [(p, q), (1 - p, 1 - q)]
    return sum(a * math.log(a / b) for a, b in parts if a > 0)


def fewest_games(mean: float, epsilon: float, delta: float) -> float:
    """No race that errs with probability at most delta outside the zone has fewer expected games (Wald; Kaufmann et al. 2016).

    Outside the zone: kl(delta, 1 - delta) / KL(mean, the far edge of the zone). Inside, a race that names an agent does so with
    some chance q, which must be as small as delta at the one edge, and its complement at the other; the best q counts.
    """
    below = min(mean, 1 - mean)
    far, near = _divergence(below, 0.5 + epsilon), _divergence(below, 0.5 - epsilon)
    low, high = 0.5, 1 - delta
    if below <= 0.5 - epsilon:
        return _divergence(high, delta) / far
    for _ in range(100):
        q = (low + high) / 2
        low, high = (q, high) if _divergence(q, delta) / far < _divergence(1 - q, delta) / near else (low, q)
    return _divergence(low, delta) / far
