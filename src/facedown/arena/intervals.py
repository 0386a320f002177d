"""Intervals that hold at every moment: look as often as you like, stop when you like.

Evidence against a mean m, from independent scores X in [0, 1], is a product that cannot be expected to grow if m is the
true mean; by Ville's inequality it then reaches 1/delta with probability at most delta, however long one looks. The
interval is the set of all m against which it has not. Averages of such products are such products again.

From counts of all scores, as a match has them: bets on a higher and on a lower mean,

    prod (1 + f/m (X-m))    and    prod (1 - f/(1-m) (X-m)),    with shares f of what one owns from .95 to almost nothing.

The first is a polynomial in 1/m with coefficients >= 0, the second one in 1/(1-m): both are convex in m, so the set is an
interval. It holds the mean of the scores, where no product exceeds 1 (the geometric mean is not above the arithmetic one).

From sums alone, as races have them, the average of two:

1. for coins: theta^S (1-theta)^(t-S) / (m^S (1-m)^(t-S)), averaged over theta with uniform weight (Robbins 1970). It is
   fair for scores between 0 and 1 too, since a^x b^(1-x) <= x a + (1-x) b;
2. for scores that vary little: exp(l (X-m) - (-log(1-l) - l) (X-c)^2) with any forecast c made beforehand (Fan, Grama &
   Liu 2015; Howard et al. 2021, theorem 4), mirrored for scores below the mean, averaged over a grid of l. It needs the
   sum of squared distances from the forecasts, here called the spread.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

DELTA = 0.05
"""How often all intervals of a run together may fail."""
STEPS = 100
"""Of Newton's method at most; some five are needed from a good guess, one more for each time that the distance halves."""

_SHARES = 0.95 * 2.0 ** (-0.75 * np.arange(24)[:, None])
_BOTH_SHARES = np.concatenate([_SHARES[:, 0]] * 2)
_WEIGHTS = (np.arange(24) + 2.0) ** -1.5
_LOG_WEIGHTS = np.concatenate([np.log(_WEIGHTS / _WEIGHTS.sum() / 2)] * 2)
_BETS = tuple(2.0**-power for power in range(1, 21))
_COSTS = tuple(-math.log1p(-bet) - bet for bet in _BETS)


# --- from counts ---------------------------------------------------------------------------------------------------------


def log_betting_evidence(mean: float, scores: Array, higher: Array, lower: Array) -> tuple[float, float]:
    """Logarithm of the evidence against a mean strictly between 0 and 1, from counts of scores in [0, 1], and its slope.

    `higher` counts for the bets on a higher mean and `lower` for the others; they differ where scores were rounded.
    """
    up, down = scores / mean, (1.0 - scores) / (1.0 - mean)
    gains, losses = _SHARES * (up - 1.0), _SHARES * (down - 1.0)
    logs = np.concatenate([np.log1p(gains) @ higher, np.log1p(losses) @ lower]) + _LOG_WEIGHTS
    rising, falling = (up / (1.0 + gains)) @ higher / mean, (down / (1.0 + losses)) @ lower / (1.0 - mean)
    slopes = np.concatenate([-rising, falling]) * _BOTH_SHARES
    largest = logs.max()
    parts = np.exp(logs - largest)
    whole = parts.sum()
    return float(largest + math.log(whole)), float(parts @ slopes / whole)


def interval_from_counts(scores: Array, counts: Array, lower: Array | None = None, delta: float = DELTA) -> tuple[float, float]:
    """Where the mean of scores in [0, 1] lies, with probability 1 - delta at all times together, from how often each came.

    `counts` are those of the bets on a higher mean, and `lower` those of the others, where they differ.
    """
    if counts.sum() <= 0:
        return 0.0, 1.0
    lower = counts if lower is None else lower
    return _lower_end(scores, counts, lower, delta), 1.0 - _lower_end(1.0 - scores, lower, counts, delta)


def _lower_end(scores: Array, higher: Array, lower: Array, delta: float) -> float:
    """The lower end of the interval, by Newton's method.

    The logarithm of the evidence is convex in the mean, as each bet's is. So steps that begin at a mean which does not fit
    come ever closer to the end without going past it: where they stop, they have not made the interval too narrow.
    """
    n, goal = float(higher.sum()), -math.log(delta)
    mean = float(scores @ higher / n)
    if mean <= 0:
        return 0.0  # nothing but 0 came; anything else would speak against 0 without limit
    variance = float((scores - mean) ** 2 @ higher / n)
    reach = math.sqrt(2 * (goal + 4) * variance / n) + (goal + 4) * mean / n  # a guess; a mean that fits is no place to begin
    tried = max(mean - reach, mean / 16)
    evidence, slope = log_betting_evidence(tried, scores, higher, lower)
    while evidence < goal:
        tried = max(2 * tried - mean, tried / 16)
        evidence, slope = log_betting_evidence(tried, scores, higher, lower)
    for _ in range(STEPS):
        step = (goal - evidence) / slope
        if step <= 1e-12 * (mean - tried):
            break
        tried += step
        evidence, slope = log_betting_evidence(tried, scores, higher, lower)
    return tried


# --- from sums -----------------------------------------------------------------------------------------------------------


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
