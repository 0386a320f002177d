"""Intervals that hold at every moment: look as often as you like, stop when you like.

Evidence against a mean m, from independent scores X in [0, 1], is a product that cannot be expected to grow if m is the
true mean; by Ville's inequality it then reaches 1/delta with probability at most delta, however long one looks. The
interval is the set of all m against which it has not. Two such products are averaged, which gives another one:

1. for coins: theta^S (1-theta)^(t-S) / (m^S (1-m)^(t-S)), averaged over theta with uniform weight (Robbins 1970). It is
   fair for scores between 0 and 1 too, since a^x b^(1-x) <= x a + (1-x) b;
2. for scores that vary little: exp(l (X-m) - (-log(1-l) - l) (X-c)^2) with any forecast c made beforehand (Fan, Grama &
   Liu 2015; Howard et al. 2021, theorem 4), mirrored for scores below the mean, averaged over a grid of l.

The second needs the sum of squared distances from the forecasts, here called the spread.
"""

from __future__ import annotations

import math

DELTA = 0.05
"""How often all intervals of a run together may fail."""

_BETS = tuple(2.0**-power for power in range(1, 21))
_COSTS = tuple(-math.log1p(-bet) - bet for bet in _BETS)


def log_evidence(mean: float, total: float, n: float, spread: float | None = None) -> float:
    """Logarithm of the evidence against a mean, after n scores in [0, 1] that sum up to `total`."""
    mixed = math.lgamma(total + 1) + math.lgamma(n - total + 1) - math.lgamma(n + 2)
    coins = mixed - _times_log(total, mean) - _times_log(n - total, 1 - mean)
    if spread is None:
        return coins
    distance = abs(total - n * mean)  # the side that points the other way adds next to nothing, but never less
    bets = [bet * distance - cost * spread for bet, cost in zip(_BETS, _COSTS, strict=True)]
    return _log_sum([coins, _log_sum(bets) - math.log(2 * len(_BETS))]) - math.log(2)


def _times_log(count: float, p: float) -> float:
    if count <= 0:
        return 0.0
    return count * math.log(p) if p > 0 else -math.inf


def _log_sum(logs: list[float]) -> float:
    largest = max(logs)
    return largest if math.isinf(largest) else largest + math.log(sum(math.exp(log - largest) for log in logs))


def anytime_interval(total: float, n: float, delta: float = DELTA, spread: float | None = None) -> tuple[float, float]:
    """Where the mean of scores in [0, 1] lies, with probability 1 - delta at all times together."""
    if n <= 0:
        return 0.0, 1.0
    total = min(max(total, 0.0), n)
    # by bisection: SciPy's solvers would do, but importing them takes longer than most matches
    return _edge(0.0, total, n, delta, spread), _edge(1.0, total, n, delta, spread)


def _edge(outside: float, total: float, n: float, delta: float, spread: float | None) -> float:
    """The border between the means that fit and those that do not, coming from this end."""
    threshold, inside = -math.log(delta), total / n
    if log_evidence(outside, total, n, spread) <= threshold:
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        if log_evidence(middle, total, n, spread) <= threshold:
            inside = middle
        else:
            outside = middle
    return outside


class Spread:
    """The sum of squared distances of scores from a forecast: the mean of all scores that were taken in before."""

    def __init__(self) -> None:
        self.n, self.total, self.value = 0.0, 0.0, 0.0

    def add(self, n: float, total: float, squares: float) -> None:
        """Take in a group of scores by their number, their sum and their sum of squares; one forecast serves them all."""
        forecast = (self.total + 0.5) / (self.n + 1)
        self.value += max(squares - 2 * forecast * total + n * forecast * forecast, 0.0)
        self.n += n
        self.total += total
