"""Distributions of scores that are hard on races: rare events, skew, hardly any variance, and variance that changes."""

from __future__ import annotations

from collections.abc import Callable

from simulating import Scores


def moved(scores: Scores, mean: float, down: float, up: float) -> Scores:
    """The same distribution with some probability moved between two of its scores, so that it has this mean."""
    p = dict(scores)
    share = (mean - sum(score * chance for score, chance in scores)) / (up - down)
    p[up] = p.get(up, 0.0) + share
    p[down] = p.get(down, 0.0) - share
    assert abs(sum(p.values()) - 1) < 1e-12 and min(p.values()) > -1e-12
    assert abs(sum(score * chance for score, chance in p.items()) - mean) < 1e-12
    return list(p.items())


def rarely(score: float, p: float, mean: float) -> Scores:
    """One score with a small probability, and otherwise the one that gives the mean."""
    return [(score, p), ((mean - p * score) / (1 - p), 1 - p)]


KUHN: Scores = [(0.0, 0.02), (0.25, 0.2), (0.5, 0.56), (0.75, 0.2), (1.0, 0.02)]
LEDUC: Scores = [(0.25, 0.02), (0.42, 0.2), (0.48, 0.3), (0.52, 0.26), (0.58, 0.2), (0.75, 0.02)]


def coins(mean: float) -> Scores:
    return [(1.0, mean), (0.0, 1 - mean)]


HARD: dict[str, tuple[float, Callable[[float], list[Scores]]]] = {
    "coins": (0.05, lambda mean: [coins(mean)]),
    "pair of coins": (0.05, lambda mean: [[(1.0, mean**2), (0.5, 2 * mean * (1 - mean)), (0.0, (1 - mean) ** 2)]]),
    "pair, 80 % split": (0.05, lambda mean: [moved([(0.0, 0.1), (0.5, 0.8), (1.0, 0.1)], mean, 0.0, 1.0)]),
    "draws 50 %": (0.05, lambda mean: [moved([(0.0, 0.25), (0.5, 0.5), (1.0, 0.25)], mean, 0.0, 1.0)]),
    "draws 90 %": (0.02, lambda mean: [moved([(0.0, 0.05), (0.5, 0.9), (1.0, 0.05)], mean, 0.0, 1.0)]),
    "three points": (0.02, lambda mean: [moved([(0.0, 0.02), (0.5, 0.97), (1.0, 0.01)], mean, 0.0, 0.5)]),
    "kuhn-like": (0.02, lambda mean: [moved(KUHN, mean, 0.25, 0.75)]),
    "leduc-like": (0.01, lambda mean: [moved(LEDUC, mean, 0.25, 0.58)]),
    "rare zero 5 %": (0.01, lambda mean: [rarely(0.0, 0.05, mean)]),
    "rare zero 0.5 %": (0.01, lambda mean: [rarely(0.0, 0.005, mean)]),
    "rare win 5 %": (0.01, lambda mean: [rarely(1.0, 0.05, mean)]),
    "rare win 0.5 %": (0.01, lambda mean: [rarely(1.0, 0.005, mean)]),
    "two near scores": (0.01, lambda mean: [[(mean - 0.004, 0.5), (mean + 0.004, 0.5)]]),
    "nearly always above": (0.01, lambda mean: [moved([(0.0, 0.1), (0.52, 0.9)], mean, 0.0, 0.52)]),
    "quiet, then coins": (0.02, lambda mean: [[(mean, 1.0)], coins(mean)]),
    "rare zero, then coins": (0.02, lambda mean: [rarely(0.0, 0.01, mean), coins(mean)]),
}
"""The half width of the zone at which each bites: large enough for short races, small enough that they are not over at once."""
