"""Questions 1 to 4 of Beating Can't Stop, answered exactly: when to stop, with one column, with a goal, with three columns.

1. One column that moves with probability p: stop after N throws, for which N p^N is largest. N* = ceil(p / (1 - p)).
2. A goal in as few turns as possible: a turn of k throws comes off with probability p^k and is tried again until it does, so it
   takes 1/p^k turns on average. V(G) = min over k of 1/p^k + V(G + k).
3. Three columns: the probability that a throw has a sum among them.
4. The fewest turns in which three given columns are closed, and nothing else is played. Positions are taken from the tops
   down. Each has one unknown v, its own value, which a lost turn returns to: places of the turn from the tops down give
   v = a + b v for the choices that are best at the present v, hence a new v; some rounds later nothing changes (Newton's
   method on a concave function).

The first three are rational and come as fractions; the fourth is computed to the precision of floats.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from facedown.agents.cant_stop.turn import ALL_THROWS, CLASS_FIRST, CLASS_OFFERS, CLASS_WEIGHTS, LENGTHS
from facedown.errors import UsageError
from facedown.games.cant_stop.board import HITS, LOWEST_SUM, MAX_SIDES, N_DICE, n_columns_of
from facedown.inputs import whole_number
from facedown.native.jit import native

Triple = tuple[int, int, int]
Array = np.ndarray[Any, Any]
_MAX_GOAL = 10_000
TRIPLES: tuple[Triple, ...] = tuple(combinations(range(LOWEST_SUM, n_columns_of(MAX_SIDES) + LOWEST_SUM), 3))
"""The 165 choices of three columns, by their sums."""


# --- question 1 ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Throws:
    """The answer to question 1."""

    p: Fraction
    best: tuple[int, ...]
    """Numbers of throws that gain most: N*, and N* + 1 where both gain the same."""

    @property
    def number(self) -> int:
        """N*, the smaller one."""
        return self.best[0]

    @property
    def gain(self) -> Fraction:
        """What a turn gains on average."""
        return self.number * self.p**self.number


def best_throws(p: Fraction | str | int) -> Throws:
    """After how many throws to stop, if each comes off with probability p; write p as '0.9' or '9/10', for it is taken exactly.

    >>> best_throws("0.9").best
    (9, 10)
    """
    p = probability(p)
    number = math.ceil(p / (1 - p))
    return Throws(p, (number, number + 1) if p / (1 - p) == number else (number,))


def probability(p: Fraction | str | int) -> Fraction:
    """A probability between 0 and 1, both excluded, as a fraction."""
    if isinstance(p, float):
        raise UsageError(f"p={p} is a float, which is not quite the number that is meant; write '{p}' or a Fraction")
    try:
        found = Fraction(p)
    except (ValueError, ZeroDivisionError, TypeError):
        raise UsageError(f"cannot read p={p!r} as a probability; write it as '0.7' or '7/10'") from None
    if not 0 < found < 1:
        raise UsageError(f"p={p} is out of bounds; a throw comes off with a probability between 0 and 1, both excluded")
    return found


# --- question 2 ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Goal:
    """The answer to question 2."""

    p: Fraction
    goal: int
    values: tuple[Fraction, ...]
    """By the gain that is banked: turns that are still needed, on average."""
    best: tuple[tuple[int, ...], ...]
    """By the gain that is banked: all numbers of throws that are optimal."""

    @property
    def value(self) -> Fraction:
        """Turns from nothing to the goal."""
        return self.values[0]

    @cached_property
    def n_policies(self) -> int:
        """How many policies are optimal: ways to choose one of the best numbers for every gain."""
        return math.prod(map(len, self.best))

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "p": str(self.p),
            "goal": self.goal,
            "value": str(self.value),
            "turns": float(self.value),
            "best": [list(numbers) for numbers in self.best],
            "n_policies": self.n_policies,
        }


def reach_goal(goal: int, p: Fraction | str | int) -> Goal:
    """How to gain `goal` spaces in as few turns as possible, all optimal policies."""
    goal, p = whole_number("goal", goal, 1, _MAX_GOAL), probability(p)
    values, best = [Fraction(0)] * (goal + 1), [()] * goal  # type: list[Fraction], list[tuple[int, ...]]
    # a longer turn than N* + 1 can be cut in two that are both better: x / p^x is smallest at N*
    most = best_throws(p).number + 1
    tries = [1 / p**k for k in range(goal + 1)] if goal <= most else [1 / p**k for k in range(2 * most + 1)]
    for gain in range(goal - 1, -1, -1):
        costs = {k: tries[k] + values[gain + k] for k in range(1, min(goal - gain, len(tries) - 1) + 1)}
        values[gain] = min(costs.values())
        best[gain] = tuple(k for k, cost in costs.items() if cost == values[gain])
    return Goal(p, goal, tuple(values), tuple(best))


# --- question 3 ---------------------------------------------------------------------------------------------------------


def bits_of(columns: Sequence[int]) -> int:
    """A set of columns, given by their sums."""
    sums = range(LOWEST_SUM, n_columns_of(MAX_SIDES) + LOWEST_SUM)
    if len(set(columns)) != len(columns) or any(column not in sums for column in columns):
        raise UsageError(f"columns {tuple(columns)} are not possible; name different ones from {sums[0]} to {sums[-1]}")
    return sum(1 << column - LOWEST_SUM for column in columns)


def p_playable(*columns: int) -> Fraction:
    """The probability that a throw has a sum among these columns.

    >>> p_playable(6, 7, 8)
    Fraction(149, 162)
    """
    return Fraction(int(HITS[MAX_SIDES, bits_of(columns)]), MAX_SIDES**N_DICE)


def all_triples() -> dict[Triple, Throws]:
    """Question 3 for all choices of three columns: the probability of a playable throw, and after how many to stop."""
    return {triple: best_throws(p_playable(*triple)) for triple in TRIPLES}


# --- question 4 ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Closing:
    """The answer to question 4 for three columns."""

    columns: Triple
    values: Array
    """Turns that are still needed, by the spaces of the three markers."""
    n_rounds: int
    """Rounds of Newton's method, all positions together."""
    seconds: float

    @property
    def value(self) -> float:
        """Turns from the empty board."""
        return float(self.values[0, 0, 0])


_PRECISION = 1e-12


@native
def _step_distances(lefts: Any, strides: Any, distances: Any) -> int:
    """What each kind of move adds to the number of a place; the columns that can be moved in, as bits of the three."""
    movable, n = 0, 0
    limits, steps = np.zeros(3, np.int64), np.zeros(3, np.int64)
    for which in range(3):
        if lefts[which] > 0:
            movable |= 1 << which
            limits[n], steps[n] = min(lefts[which], 2), strides[which]
            n += 1
    for which in range(3):
        distances[which], distances[3 + which] = steps[which], limits[which] * steps[which]
    distances[6], distances[7], distances[8] = steps[0] + steps[1], steps[0] + steps[2], steps[1] + steps[2]
    return movable


@native
def _close_columns(columns: Any, lengths: Any, values: Any, best: Any, losing: Any) -> int:
    """Fill in the values of all positions; `best` and `losing` are room for the places of a turn. How many rounds it took."""
    n_j, n_k = lengths[1] + 1, lengths[2] + 1
    strides = (n_j * n_k, n_k, 1)
    distances = np.zeros(9, np.int64)
    n_rounds = 0
    for start in range(len(values) - 2, -1, -1):
        spaces = (start // strides[0], start // n_k % n_j, start % n_k)
        value = 3.0 * (lengths[0] + lengths[1] + lengths[2])  # from above: f is concave, so the rounds come down to the answer
        for _ in range(100):
            n_rounds += 1
            _solve_from(columns, lengths, spaces, strides, value, values, best, losing, distances)
            found = (best[start] - losing[start] * value) / (1.0 - losing[start])
            change, value = value - found, found
            if abs(change) <= _PRECISION * value:
                break
        values[start] = value
    return n_rounds


@native
def _solve_from(
    columns: Any, lengths: Any, spaces: Any, strides: Any, value: float, values: Any, best: Any, losing: Any, distances: Any
) -> None:
    """The places of a turn from these spaces on: costs, and how likely the turn will be lost, if its start is worth `value`."""
    start = spaces[0] * strides[0] + spaces[1] * strides[1] + spaces[2]
    for a in range(lengths[0], spaces[0] - 1, -1):
        for b in range(lengths[1], spaces[1] - 1, -1):
            for c in range(lengths[2], spaces[2] - 1, -1):
                at = a * strides[0] + b * strides[1] + c
                movable = _step_distances((lengths[0] - a, lengths[1] - b, lengths[2] - c), strides, distances)
                bits = 0
                for which in range(3):
                    bits |= (movable >> which & 1) << columns[which]
                cost, p_lost, rest = 0.0, 0.0, 1.0
                for number in range(CLASS_FIRST[bits], CLASS_FIRST[bits + 1]):
                    there = at + distances[CLASS_OFFERS[number, 0]]
                    for move in range(1, 3):
                        other = at + distances[CLASS_OFFERS[number, move]]
                        there = other if best[other] < best[there] else there
                    p = CLASS_WEIGHTS[number] / ALL_THROWS
                    cost += p * best[there]
                    p_lost += p * losing[there]
                    rest -= p
                cost += rest * (1.0 + value)
                p_lost += rest
                if at != start and 1.0 + values[at] <= cost:
                    cost, p_lost = 1.0 + values[at], 0.0
                best[at], losing[at] = cost, p_lost


def close(*columns: int) -> Closing:
    """The fewest turns, on average, in which these three columns are closed, if nothing else is played."""
    if len(columns) != 3:
        raise UsageError(f"three columns are to be closed, not {len(columns)}; name three, such as close(6, 7, 8)")
    bits_of(columns)
    chosen: Triple = tuple(sorted(columns))  # type: ignore[assignment]
    started = time.perf_counter()
    numbers = np.array(chosen, np.int64) - LOWEST_SUM
    lengths = LENGTHS[numbers]
    values, best, losing = (np.zeros(int(np.prod(lengths + 1))) for _ in range(3))
    n_rounds = _close_columns(numbers, lengths, values, best, losing)
    return Closing(chosen, values.reshape(lengths + 1), int(n_rounds), time.perf_counter() - started)
