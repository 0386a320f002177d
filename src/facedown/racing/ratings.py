"""Ratings of agents that have met in pairs: Bradley and Terry's model, fitted by maximum likelihood.

Agent i scores p_ij = 1 / (1 + exp(r_j - r_i)) against agent j on average; a draw is half a win, and so is any score between 0
and 1 what it is (Bradley & Terry 1952). With n_ij deals of mean score x_ij the likelihood is greatest where everybody scores in
total what the model expects, sum_j n_ij (x_ij - p_ij) = 0, and it has one greatest point if no group of agents has won every
game against all others (Ford 1957). It is found by Newton's method.

The standard errors do not take deals for coins, nor the model for true: with s_ij the standard error of x_ij, J the
information sum n_ij p_ij p_ji (e_i - e_j)(e_i - e_j)' and M the same with (n_ij s_ij)^2, the covariance of the ratings is
J^+ M J^+ (White 1982). Ratings are given on Elo's scale, where 400 points are odds of 10 to 1, with mean 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

ELO = 400 / math.log(10)
"""Points of Elo's scale in one unit of a logarithm of odds."""
MAX_STEPS = 100
_LONGEST_STEP = 2.0
TOLERANCE = 1e-12
_QUANTILE = 1.959963984540054
"""Of the normal distribution: 95 % lie within this many standard errors."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of all agents, in their order, on Elo's scale with mean 0."""

    values: tuple[float, ...]
    stderr: tuple[float, ...]
    expected: tuple[tuple[float, ...], ...]
    """What each agent scores against each other one if the model holds."""
    with_draws: bool
    """Whether a drawn deal was added to each pairing, since no finite ratings fit what was played best."""

    def interval(self, agent: int) -> tuple[float, float]:
        """Where the rating lies with probability 95 %, for a number of games that was fixed beforehand."""
        reach = _QUANTILE * self.stderr[agent]
        return self.values[agent] - reach, self.values[agent] + reach


def bradley_terry(n_deals: Array, means: Array, stderrs: Array) -> Ratings:
    """Ratings from numbers of deals, mean scores of row against column, and the standard errors of these.

    Pairs that have not met have no deals; what stands on the diagonal is not looked at.
    """
    n_agents = len(n_deals)
    weights, scores = np.array(n_deals, float), np.array(means, float)
    np.fill_diagonal(weights, 0.0)
    spread = weights * np.where(weights > 0, np.asarray(stderrs, float), 0.0)
    scores = np.where(weights > 0, scores, 0.5)
    with_draws = not _is_finite(weights, scores)
    if with_draws:
        scores = (weights * scores + 0.5) / (weights + 1.0)
        weights = weights + 1.0 - np.eye(n_agents)
    ratings = _fit(weights, scores)
    expected = _expected(ratings)
    inverse = np.linalg.pinv(_laplacian(weights * expected * expected.T), hermitian=True)
    covariance = inverse @ _laplacian(spread**2) @ inverse
    return Ratings(
        values=tuple((ELO * ratings).tolist()),
        stderr=tuple((ELO * np.sqrt(np.maximum(np.diag(covariance), 0.0))).tolist()),
        expected=tuple(tuple(row) for row in expected.tolist()),
        with_draws=with_draws,
    )


def _fit(weights: Array, scores: Array) -> Array:
    """The ratings, in logarithms of odds, by Newton's method; no step is so long that it could overshoot for ever."""
    ratings = np.zeros(len(weights))
    for _ in range(MAX_STEPS):
        expected = _expected(ratings)
        gradient = (weights * (scores - expected)).sum(axis=1)
        step = np.linalg.pinv(_laplacian(weights * expected * expected.T), hermitian=True) @ gradient
        longest = float(np.abs(step).max())
        ratings += step * min(1.0, _LONGEST_STEP / max(longest, TOLERANCE))
        if longest < TOLERANCE:
            break
    return np.asarray(ratings - ratings.mean())


def _expected(ratings: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(ratings[None, :] - ratings[:, None])))


def _laplacian(weights: Array) -> Array:
    """The sum of weights times (e_i - e_j)(e_i - e_j)' over all pairs."""
    off = weights - np.diag(np.diag(weights))
    return np.asarray(np.diag(off.sum(axis=1)) - off)


def _is_finite(weights: Array, scores: Array) -> bool:
    """Whether everybody has scored against everybody, if only by way of others (Ford 1957)."""
    scored = (weights > 0) & (scores > 0)
    reached = scored | np.eye(len(weights), dtype=bool)
    for middle in range(len(weights)):
        reached |= reached[:, middle, None] & reached[None, middle, :]
    return bool(reached.all())
