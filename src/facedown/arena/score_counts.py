"""How often each score came: all that the interval of a match depends on, however its games are cut into tasks.

One observation is the mean of a deal over all orders of the seats, from 0 to 1 with the range that the game declares. Up to
MAX_DISTINCT different ones are counted as they are. Where there are more, each is split between the two neighbouring points
of a grid, so that the mean stays where it is. The logarithms of the bets in `arena.intervals` are concave in the score, so
the ends of a segment never weigh more than a point on it: splitting can make an interval wider, but not narrower. How far up
the segment a score lies is rounded down for those who bet on a higher mean, and up for those who bet on a lower one,
which does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.arena.intervals import DELTA, interval_from_counts
from facedown.native import native
from facedown.native.jit import native_inline

Array = np.ndarray[Any, Any]

MAX_DISTINCT = 1024
_CELLS = 1024
"""Segments of the grid. Splitting adds at most the variance of a deviation of 1/2048 to that of the scores."""
_PARTS = 1 << 20
"""How finely a place within a segment is known: whole numbers, so that sums do not depend on the order."""
_SCATTER = 0.6180339887498949 * 2.0**36  # neighbouring totals go to slots far apart


@native_inline
def _count_totals(
    scores: Any, agent: int, other: int, whole: float, n_orders: int, lowest: float, scale: float, values: Any, counts: Any
) -> int:
    """Count the totals of complete deals of one agent in a table of slots, and see that another agent has what is left.

    What is left of `whole`, that is; where `other` is the agent itself, it is not asked for. Returns how many different
    totals there are, moved to the front, or -1 if there are too many, or the other has anything else. Slots come empty, with a
    value that equals no total; their number is a power of 2, and more than twice what is allowed.
    """
    mask, n_distinct, row, alone = len(counts) - 1, 0, 0, agent == other
    most = min(MAX_DISTINCT, len(counts) // 2)
    for _ in range(len(scores) // n_orders):
        total, left = scores[row, agent], scores[row, other]
        if n_orders == 2:  # without a loop: half the time, and games of two players are the fastest
            total += scores[row + 1, agent]
            left += scores[row + 1, other]
        else:
            for later in range(row + 1, row + n_orders):
                total += scores[later, agent]
                left += scores[later, other]
        row += n_orders
        at = np.uint64(int((total - lowest) * scale) & mask)  # unsigned: no test for an index below 0
        while values[at] != total:
            if counts[at] == 0:
                n_distinct += 1
                if n_distinct > most:
                    return -1
                values[at] = total
            else:
                at = np.uint64((int(at) + 1) & mask)
        counts[at] += 1
        if not alone and left != whole - total:
            return -1
    _close_up(values, counts)
    return n_distinct


@native
def _count_agent(scores: Any, agent: int, n_orders: int, lowest: float, scale: float, values: Any, counts: Any) -> int:
    """As `_count_totals`, for any agent."""
    return int(_count_totals(scores, agent, agent, 0.0, n_orders, lowest, scale, values, counts))


@native
def _count_two(scores: Any, whole: float, n_orders: int, lowest: float, scale: float, values: Any, counts: Any) -> int:
    """As `_count_totals`, for the first of two agents, with the second having what is left."""
    return int(_count_totals(scores, 0, 1, whole, n_orders, lowest, scale, values, counts))


@native
def _close_up(values: Any, counts: Any) -> None:
    """Move what is in a table to its front."""
    n = 0
    for at in range(len(counts)):
        if counts[at] != 0:
            values[n], counts[n] = values[at], counts[at]
            n += 1


@native
def merge(one: Any, n_one: Any, other: Any, n_other: Any, values: Any, counts: Any) -> int:
    """Merge two lists of totals, both ascending, with their counts; returns how many different ones there are."""
    n, at, to = 0, 0, 0
    while at < len(one) or to < len(other):
        if to == len(other) or (at < len(one) and one[at] <= other[to]):
            values[n], counts[n] = one[at], n_one[at]
            if to < len(other) and one[at] == other[to]:
                counts[n] += n_other[to]
                to += 1
            at += 1
        else:
            values[n], counts[n] = other[to], n_other[to]
            to += 1
        n += 1
    return n


@native
def _place_totals(totals: Any, weights: Any, lowest: float, scale: float, counts: Any, parts: Any) -> None:
    """Count totals by the segment of the grid that they lie in, and add up how far from its lower end they are."""
    last = len(counts) - 1
    for index in range(len(totals)):
        place = min(max((totals[index] - lowest) * scale, 0.0), last + 1.0)
        cell = min(int(place), last)
        counts[cell] += weights[index]
        parts[cell] += weights[index] * int((place - cell) * _PARTS)


NATIVE = (_count_agent, _count_two, merge, _place_totals)


@dataclass(frozen=True)
class ScoreCounts:
    """The scores of one agent in complete deals, whatever their order. They can be added."""

    lowest: float
    """The least total of a deal that the game declares; one deal's total is the sum over its games."""
    width: float
    values: Array
    """The totals that came, ascending; where there are too many, nothing."""
    counts: Array
    """How often each came; where there are too many, how many came in each segment of the grid."""
    parts: Array | None = None
    """Where there are too many totals: how far up their segment they are, added up, a whole segment being PARTS."""

    @classmethod
    def by_agent(cls, scores: Array, n_orders: int, score_range: tuple[float, float]) -> tuple[ScoreCounts, ...]:
        """Count games that begin with the first order of a deal: a row each, a column for each agent."""
        low, high = score_range
        lowest, width = float(low * n_orders), float((high - low) * n_orders)
        n_agents = scores.shape[1]
        if n_agents == 2 and len(scores) >= n_orders:
            # mostly what one has the other has not, and one table is enough: games of two players are fast
            whole = float(scores[:n_orders].sum())
            first = _counted(_count_two, scores, whole, n_orders, lowest, width)
            if first is not None:
                second = cls(lowest, width, whole - first.values[::-1], first.counts[::-1].copy())
                return first, second
        found = []
        for agent in range(n_agents):
            counted = _counted(_count_agent, scores, agent, n_orders, lowest, width)
            if counted is None:
                # added up as native code does, so that a total is the same whoever counts it
                n_games = len(scores) // n_orders * n_orders
                totals = np.zeros(n_games // n_orders)
                for order in range(n_orders):
                    totals += scores[order:n_games:n_orders, agent]
                counted = _placed(lowest, width, totals, np.ones(len(totals), np.int64))
            found.append(counted)
        return tuple(found)

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        if self.parts is None and other.parts is None:
            n_both = len(self.values) + len(other.values)
            values, counts = np.empty(n_both), np.empty(n_both, np.int64)
            n = merge(self.values, self.counts, other.values, other.counts, values, counts)
            if n <= MAX_DISTINCT:
                return ScoreCounts(self.lowest, self.width, values[:n], counts[:n])
            return _placed(self.lowest, self.width, values[:n], counts[:n])
        one, two = self._on_grid(), other._on_grid()
        assert one.parts is not None and two.parts is not None
        return ScoreCounts(self.lowest, self.width, self.values[:0], one.counts + two.counts, one.parts + two.parts)

    def _on_grid(self) -> ScoreCounts:
        return self if self.parts is not None else _placed(self.lowest, self.width, self.values, self.counts)

    @property
    def n_deals(self) -> int:
        """How many deals were counted."""
        return int(self.counts.sum())

    def interval(self, delta: float = DELTA) -> tuple[float, float]:
        """Where the mean score of a deal lies, from 0 to 1, with probability 1 - delta at all times together."""
        if self.parts is None:
            scores = np.clip((self.values - self.lowest) / self.width, 0.0, 1.0)
            return interval_from_counts(scores, self.counts, delta=delta)
        points = np.arange(_CELLS + 1) / _CELLS
        rounded_up = np.minimum(self.parts + self.counts, self.counts * _PARTS)
        higher, lower = _split(self.counts, self.parts), _split(self.counts, rounded_up)
        used = (higher > 0) | (lower > 0)
        return interval_from_counts(points[used], higher[used], lower[used], delta)


def prepare() -> None:
    """Have everything here compiled."""
    (counts,) = ScoreCounts.by_agent(np.zeros((1, 1)), 1, (0.0, 1.0))
    one, other = ScoreCounts.by_agent(np.zeros((1, 2)), 1, (0.0, 1.0))
    (counts + one + other)._on_grid()


def _counted(
    count: Callable[..., int], scores: Array, of: float, n_orders: int, lowest: float, width: float
) -> ScoreCounts | None:
    n_slots = 1 << (4 * min(len(scores) // n_orders, MAX_DISTINCT) + 3).bit_length()
    values, counts = np.full(n_slots, np.nan), np.zeros(n_slots, np.int64)
    n = count(scores, of, n_orders, lowest, _SCATTER / width, values, counts)
    if n < 0:
        return None
    order = values[:n].argsort()
    return ScoreCounts(lowest, width, values[order], counts[order])


def _placed(lowest: float, width: float, totals: Array, weights: Array) -> ScoreCounts:
    counts, parts = np.zeros(_CELLS, np.int64), np.zeros(_CELLS, np.int64)
    _place_totals(totals, weights, lowest, _CELLS / width, counts, parts)
    return ScoreCounts(lowest, width, totals[:0], counts, parts)


def _split(counts: Array, parts: Array) -> Array:
    """The weight of each point of the grid, when what lies in a segment is split between its ends."""
    at_points = np.zeros(len(counts) + 1)
    at_points[1:] += parts / _PARTS
    at_points[:-1] += counts - parts / _PARTS
    return at_points


def add_all(one: Sequence[ScoreCounts], other: Sequence[ScoreCounts]) -> tuple[ScoreCounts, ...]:
    """Add the counts of each agent."""
    return tuple(mine + theirs for mine, theirs in zip(one, other, strict=True))
