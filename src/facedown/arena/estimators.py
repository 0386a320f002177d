"""How far an average over games may be off, where games come in blocks that are alike: those of one deal, choices of one game.

Blocks are what is independent. Whatever is averaged is a ratio of sums over blocks, R = sum X / sum Y, and its standard error
is that of a ratio estimator (W. G. Cochran, Sampling Techniques, 3rd edition 1977, section 6.4), with n blocks:

    sqrt(n/(n-1) sum (X - R Y)^2) / sum Y
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def ratio_stderr(squares: Array, n_blocks: int, total: float, alone: float) -> Array:
    """The standard errors of ratios, from the sums of their squared residuals; `alone` is what is said of a single block."""
    if n_blocks < 2:
        return np.full(squares.shape, alone)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0) * (n_blocks / (n_blocks - 1))) / total)


def ratio_of_games(above: Array, below: Array, n_orders: int) -> tuple[float, float]:
    """The total of one number of each game over the total of another, which is not 0, and its standard error.

    Games come in the order of their numbers, `n_orders` on each deal.
    """
    above, below = (np.add.reduceat(np.asarray(of, np.float64), np.arange(0, len(of), n_orders)) for of in (above, below))
    total, n_blocks = float(below.sum()), len(above)
    value = float(above.sum() / total)
    # multiplied before it is divided, unlike above: figures of papers keep their last digits
    spread = float(((above - value * below) ** 2).sum()) * n_blocks / max(n_blocks - 1, 1)
    return value, math.sqrt(spread) / total


def score_from_sums(n: int, total: float, squares: float) -> tuple[float, float]:
    """The mean of n scores and its standard error; of less than two nothing is known but that they lie in [0, 1]."""
    mean = total / n if n else 0.5
    return mean, math.sqrt(max(squares / n - mean * mean, 0.0) / (n - 1)) if n > 1 else 0.5


def stderr_of_mean(values: Array) -> float:
    """The standard error of the mean of independent values; 0 for a single one, of which it is not known."""
    return float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def largest_stderr(block_sizes: Sequence[int], score_range: tuple[float, float]) -> float:
    """The most that the standard error of a mean can be: games of a block all alike, and scores at the ends of their range."""
    low, high = score_range
    return (high - low) / 2 * math.hypot(*block_sizes) / sum(block_sizes)
