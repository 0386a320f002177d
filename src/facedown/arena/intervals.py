"""Intervals that hold at every moment: look as often as you like, stop when you like.

For scores X in [0, 1] with mean m, averaging the likelihood ratio theta^S (1-theta)^(t-S) / (m^S (1-m)^(t-S)) over
theta with the uniform weight gives a process that is a martingale for coins and a supermartingale for any other
scores in [0, 1], because a^x b^(1-x) <= x a + (1-x) b. So, by Ville's inequality, with probability 1 - delta it never
reaches 1/delta at the true mean (Robbins 1970); the interval is the set of all m at which it has not. It depends on
the sum of scores and their number alone.
"""

from __future__ import annotations

import math


def log_evidence(mean: float, total: float, n: float) -> float:
    """Logarithm of the mixed likelihood ratio against `mean`, after n scores in [0, 1] that sum up to `total`."""
    mixed = math.lgamma(total + 1) + math.lgamma(n - total + 1) - math.lgamma(n + 2)
    return mixed - _times_log(total, mean) - _times_log(n - total, 1 - mean)


def _times_log(count: float, p: float) -> float:
    if count <= 0:
        return 0.0
    return count * math.log(p) if p > 0 else -math.inf


def anytime_interval(total: float, n: float, delta: float = 0.05) -> tuple[float, float]:
    """Where the mean of scores in [0, 1] lies, with probability 1 - delta at all times together."""
    if n <= 0:
        return 0.0, 1.0
    total = min(max(total, 0.0), n)
    centre, threshold = total / n, -math.log(delta)
    # by bisection: SciPy's solvers would do, but importing them takes longer than most matches
    return _edge(centre, 0.0, total, n, threshold), _edge(centre, 1.0, total, n, threshold)


def _edge(inside: float, outside: float, total: float, n: float, threshold: float) -> float:
    """The border between means that fit and means that do not."""
    if log_evidence(outside, total, n) <= threshold:
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        if log_evidence(middle, total, n) <= threshold:
            inside = middle
        else:
            outside = middle
    return outside
