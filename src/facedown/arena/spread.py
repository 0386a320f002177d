"""How the scores of single games spread: standard deviation, share at the highest score, histogram.

The standard error of a match comes from whole deals; this is about games. Where there is one score for all, the first agent's
scores are everybody's, and one row says it all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.arena.score_counts import ScoreCounts, add_all

Array = np.ndarray[Any, Any]

MAX_ROWS = 30
"""More different scores than this are shown in bins."""
BINS = 20
_BAR = 40


@dataclass(frozen=True)
class Spread:
    """The scores of games, a row for each agent, or one for all. They can be added."""

    n_games: int
    total: Array
    squares: Array
    """Of the distances from the lowest score: sums of large squares would lose their digits."""
    n_highest: Array
    counts: tuple[ScoreCounts, ...]
    score_range: tuple[float, float]

    @classmethod
    def of(cls, scores: Array, score_range: tuple[float, float], together: bool) -> Spread:
        """Of games, a row each, with a column for each agent."""
        scores = np.ascontiguousarray(scores[:, :1]) if together else scores
        low, high = score_range
        above = scores - low
        counts = ScoreCounts.by_agent(scores, 1, score_range)
        return cls(len(scores), above.sum(0), (above**2).sum(0), (scores >= high).sum(0), counts, score_range)

    def __add__(self, other: Spread) -> Spread:
        return Spread(
            self.n_games + other.n_games,
            self.total + other.total,
            self.squares + other.squares,
            self.n_highest + other.n_highest,
            add_all(self.counts, other.counts),
            self.score_range,
        )

    @property
    def sd(self) -> tuple[float, ...]:
        """The standard deviation of a game's score, for each row; of a single game nothing is known."""
        if self.n_games < 2:
            return tuple(math.nan for _ in self.total)
        residuals = np.maximum(self.squares - self.total**2 / self.n_games, 0.0)
        return tuple(np.sqrt(residuals / (self.n_games - 1)).tolist())

    @property
    def perfect(self) -> tuple[float, ...]:
        """The share of games with the highest score that the game declares."""
        return tuple((self.n_highest / self.n_games).tolist())

    @property
    def histogram(self) -> tuple[dict[float, int], ...]:
        """How often each score came, from the lowest; where there are very many, by the lower ends of equal bins."""
        return tuple(map(self._histogram, self.counts))

    def _histogram(self, counts: ScoreCounts) -> dict[float, int]:
        if counts.parts is None:
            return {float(score): int(n) for score, n in zip(counts.values, counts.counts, strict=True)}
        low, high = self.score_range
        edges = low + (high - low) * np.arange(len(counts.counts)) / len(counts.counts)
        return {float(edge): int(n) for edge, n in zip(edges, counts.counts, strict=True) if n}


def histogram_rows(histogram: dict[float, int]) -> list[tuple[str, int, str]]:
    """A histogram as rows of a table: the score, how often it came, a bar."""
    rows = _binned(histogram) if len(histogram) > MAX_ROWS else [(f"{score:g}", n) for score, n in histogram.items()]
    most = max((n for _, n in rows), default=1)
    return [(name, n, "█" * round(_BAR * n / most) or ("▏" if n else "")) for name, n in rows]


def _binned(histogram: dict[float, int]) -> list[tuple[str, int]]:
    scores, counts = np.array(list(histogram)), np.array(list(histogram.values()))
    totals, edges = np.histogram(scores, BINS, weights=counts)
    return [(f"{edges[at]:.4g} to {edges[at + 1]:.4g}", int(n)) for at, n in enumerate(totals)]


def histogram_text(histogram: dict[float, int]) -> Sequence[str]:
    """A histogram in lines of text."""
    rows = histogram_rows(histogram)
    widths = [max((len(str(row[column])) for row in rows), default=0) for column in (0, 1)]
    return [f"{name:>{widths[0]}}  {n:>{widths[1]}}  {bar}".rstrip() for name, n, bar in rows]
