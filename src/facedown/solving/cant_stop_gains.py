"""The most that one turn of Can't Stop can gain on average, wherever the markers stand.

Spaces have heights. A turn gains the heights that its runners climb, or nothing where it is lost. The most that it gains is
found for all boards at once: whoever places a runner may say where the marker of that column stands. So nothing about the board
is left but which columns are closed, and a turn from any board gains no more than the best turn with its closed columns.
Otherwise the turn is played by the rules. `cant_stop_sure.py` makes a bound of it.

1. A runner is a pair: where it began, and where it is. Pairs are numbered from the top down, so steps lead to lower numbers.
2. Three runners, then two, one and none: a place is worth the larger of what stopping and what rolling gains. A new runner
   begins where it is worth most.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from facedown.agents.cant_stop.turn import (
    ALL_THROWS,
    CLASS_FIRST,
    CLASS_OFFERS,
    CLASS_WEIGHTS,
    END,
    FIRST,
    LENGTHS,
    N_COLUMNS,
)
from facedown.games.cant_stop.board import N_SPLITS, SPLITS, WEIGHTS
from facedown.native.jit import native

Array = np.ndarray[Any, Any]

N_PAIRS = LENGTHS * (LENGTHS + 1) // 2
"""By column: pairs of the space where a runner began and the space where it is."""
_MAX_PAIRS, MAX_LENGTH = int(N_PAIRS.max()), int(LENGTHS.max())
IMPOSSIBLE = -1.0


def _pairs() -> tuple[Array, Array]:
    """By column and pair: where the runner began, and where it is."""
    began, now = np.zeros((N_COLUMNS, _MAX_PAIRS), np.int64), np.zeros((N_COLUMNS, _MAX_PAIRS), np.int64)
    for column, length in enumerate(LENGTHS.tolist()):
        pairs = [(start, space) for space in range(length, 0, -1) for start in range(space)]
        began[column, : len(pairs)], now[column, : len(pairs)] = zip(*pairs, strict=True)
    return began, now


_BEGAN, _NOW = _pairs()


class Places(NamedTuple):
    """The best gains of all places."""

    first_three: Array
    """int64 (columns, columns, columns): where the places of three runners begin."""
    three: Array
    two: Array
    """float64 (columns, columns, pairs, pairs)"""
    one: Array
    """float64 (columns, pairs)"""


def new_places() -> Places:
    """Room for the places of all turns."""
    first, at = np.full((N_COLUMNS, N_COLUMNS, N_COLUMNS), -1, np.int64), 0
    for i in range(N_COLUMNS):
        for j in range(i + 1, N_COLUMNS):
            for k in range(j + 1, N_COLUMNS):
                first[i, j, k] = at
                at += int(N_PAIRS[i] * N_PAIRS[j] * N_PAIRS[k])
    two = np.zeros((N_COLUMNS, N_COLUMNS, _MAX_PAIRS, _MAX_PAIRS))
    return Places(first, np.zeros(at), two, np.zeros((N_COLUMNS, _MAX_PAIRS)))


@native
def _pair_of(column: int, began: int, now: int) -> int:
    """The number of a pair."""
    length = int(LENGTHS[column])
    return length * (length + 1) // 2 - now * (now + 1) // 2 + began


@native
def _stepped(column: int, pair: int, steps: int) -> int:
    """The pair after some steps; those beyond the top are not made."""
    return _pair_of(column, int(_BEGAN[column, pair]), min(int(_NOW[column, pair]) + steps, int(LENGTHS[column])))


@native
def _is_top(column: int, pair: int) -> bool:
    return bool(_NOW[column, pair] == LENGTHS[column])


@native
def climbed(heights: Any, column: int, pair: int) -> float:
    """What a runner gains."""
    return float(heights[column, _NOW[column, pair]] - heights[column, _BEGAN[column, pair]])


# --- three runners ------------------------------------------------------------------------------------------------------


@native
def _solve_three(places: Places, heights: Any, i: int, j: int, k: int) -> None:
    """All places of runners in three columns, ascending, from the tops down."""
    n_j, n_k, first, best = int(N_PAIRS[j]), int(N_PAIRS[k]), int(places.first_three[i, j, k]), places.three
    values, single, double = np.zeros(9), np.zeros(3, np.int64), np.zeros(3, np.int64)
    for a in range(N_PAIRS[i]):
        top_i, gain_i = _is_top(i, a), climbed(heights, i, a)
        for b in range(n_j):
            top_j, gain_j = _is_top(j, b), climbed(heights, j, b)
            for c in range(n_k):
                top_k, at = _is_top(k, c), first + (a * n_j + b) * n_k + c
                stop = gain_i + gain_j + climbed(heights, k, c)
                n, columns = 0, 0
                if not top_i:
                    single[n] = (_stepped(i, a, 1) - a) * n_j * n_k
                    double[n] = (_stepped(i, a, 2) - a) * n_j * n_k
                    n, columns = n + 1, columns | 1 << i
                if not top_j:
                    single[n], double[n] = (_stepped(j, b, 1) - b) * n_k, (_stepped(j, b, 2) - b) * n_k
                    n, columns = n + 1, columns | 1 << j
                if not top_k:
                    single[n], double[n] = _stepped(k, c, 1) - c, _stepped(k, c, 2) - c
                    n, columns = n + 1, columns | 1 << k
                best[at] = max(stop, _roll_three(best, at, columns, n, single, double, values))


@native
def _roll_three(best: Any, at: int, columns: int, n: int, single: Any, double: Any, values: Any) -> float:
    """What rolling gains with three runners, of which those in these columns can move."""
    for which in range(n):  # in the order of `MOVES`
        values[which], values[3 + which] = best[at + single[which]], best[at + double[which]]
    if n >= 2:
        values[6] = best[at + single[0] + single[1]]
    if n == 3:
        values[7], values[8] = best[at + single[0] + single[2]], best[at + single[1] + single[2]]
    total = 0.0
    for number in range(CLASS_FIRST[columns], CLASS_FIRST[columns + 1]):
        one, two, three = CLASS_OFFERS[number, 0], CLASS_OFFERS[number, 1], CLASS_OFFERS[number, 2]
        total += CLASS_WEIGHTS[number] * max(values[one], values[two], values[three])
    return float(total / ALL_THROWS)


@native
def _best_three(places: Places, i: int, a: int, j: int, b: int, k: int, c: int) -> float:
    """The place of three runners, in any order."""
    if i > j:
        i, a, j, b = j, b, i, a
    if j > k:
        j, b, k, c = k, c, j, b
    if i > j:
        i, a, j, b = j, b, i, a
    return float(places.three[places.first_three[i, j, k] + (a * N_PAIRS[j] + b) * N_PAIRS[k] + c])


@native
def _best_two(places: Places, i: int, a: int, j: int, b: int) -> float:
    """The place of two runners, in any order."""
    return float(places.two[i, j, a, b] if i < j else places.two[j, i, b, a])


# --- fewer runners --------------------------------------------------------------------------------------------------------


@native
def _new_third(places: Places, i: int, a: int, j: int, b: int, x: int, steps: int) -> float:
    """A third runner is placed, where it is worth most."""
    most = IMPOSSIBLE
    for began in range(LENGTHS[x]):
        pair = _pair_of(x, began, min(began + steps, int(LENGTHS[x])))
        most = max(most, _best_three(places, i, a, j, b, x, pair))
    return most


@native
def _new_second(places: Places, i: int, a: int, x: int, steps: int) -> float:
    """A second runner is placed."""
    most = IMPOSSIBLE
    for began in range(LENGTHS[x]):
        most = max(most, _best_two(places, i, a, x, _pair_of(x, began, min(began + steps, int(LENGTHS[x])))))
    return most


@native
def _new_first(places: Places, x: int, steps: int) -> float:
    """The first runner is placed."""
    most = IMPOSSIBLE
    for began in range(LENGTHS[x]):
        most = max(most, float(places.one[x, _pair_of(x, began, min(began + steps, int(LENGTHS[x])))]))
    return most


@native
def _split_two(places: Places, closed: int, i: int, a: int, j: int, b: int, x: int, y: int) -> float:
    """What a split leads to with two runners out: both sums if possible, else the better one."""
    can_x = _playable_two(closed, i, a, j, b, x)
    can_y = _playable_two(closed, i, a, j, b, y)
    if not can_x and not can_y:
        return IMPOSSIBLE
    if x == y:
        return _move_two(places, i, a, j, b, x, 2)
    if not can_x:
        return _move_two(places, i, a, j, b, y, 1)
    if not can_y:
        return _move_two(places, i, a, j, b, x, 1)
    if x in (i, j):
        a, b = (_stepped(i, a, 1), b) if x == i else (a, _stepped(j, b, 1))
        return _move_two(places, i, a, j, b, y, 1)
    if y in (i, j):
        a, b = (_stepped(i, a, 1), b) if y == i else (a, _stepped(j, b, 1))
        return _move_two(places, i, a, j, b, x, 1)
    return max(_new_third(places, i, a, j, b, x, 1), _new_third(places, i, a, j, b, y, 1))


@native
def _playable_two(closed: int, i: int, a: int, j: int, b: int, x: int) -> bool:
    """Whether a runner can move or be placed in column x."""
    if x == i:
        return not _is_top(i, a)
    if x == j:
        return not _is_top(j, b)
    return not closed >> x & 1


@native
def _move_two(places: Places, i: int, a: int, j: int, b: int, x: int, steps: int) -> float:
    """Some steps in a column in which they can be made."""
    if x == i:
        return _best_two(places, i, _stepped(i, a, steps), j, b)
    if x == j:
        return _best_two(places, i, a, j, _stepped(j, b, steps))
    return _new_third(places, i, a, j, b, x, steps)


@native
def _split_one(places: Places, closed: int, i: int, a: int, x: int, y: int) -> float:
    """As `_split_two`, with one runner out: both sums can be played wherever each can."""
    can_x = not _is_top(i, a) if x == i else not closed >> x & 1
    can_y = not _is_top(i, a) if y == i else not closed >> y & 1
    if not can_x and not can_y:
        return IMPOSSIBLE
    if x == y:
        return float(places.one[i, _stepped(i, a, 2)]) if x == i else _new_second(places, i, a, x, 2)
    if x == i and can_x:
        a = _stepped(i, a, 1)
    if y == i and can_y:
        a = _stepped(i, a, 1)
    new_x, new_y = x != i and can_x, y != i and can_y
    if new_x and new_y:
        most = IMPOSSIBLE
        for began in range(LENGTHS[x]):
            most = max(most, _new_third(places, i, a, x, _pair_of(x, began, began + 1), y, 1))
        return most
    if new_x or new_y:
        return _new_second(places, i, a, x if new_x else y, 1)
    return float(places.one[i, a])


@native
def _split_none(places: Places, closed: int, x: int, y: int) -> float:
    """As `_split_two`, for the first throw."""
    can_x, can_y = not closed >> x & 1, not closed >> y & 1
    if not can_x and not can_y:
        return IMPOSSIBLE
    if x == y or not can_x or not can_y:
        return _new_first(places, x if can_x else y, 2 if x == y else 1)
    most = IMPOSSIBLE
    for began in range(LENGTHS[x]):
        most = max(most, _new_second(places, x, _pair_of(x, began, began + 1), y, 1))
    return most


@native
def _roll_splits(values: Any) -> float:
    """What rolling gains, from what all splits gain; a lost turn gains nothing."""
    total = 0.0
    for number in range(FIRST, END):
        most = IMPOSSIBLE
        for split in range(N_SPLITS[number]):
            most = max(most, values[SPLITS[number, split, 0], SPLITS[number, split, 1]])
        total += WEIGHTS[number] * max(most, 0.0)
    return float(total / ALL_THROWS)


@native
def most_gained(places: Places, heights: Any, closed: int) -> float:
    """The most that a turn gains on average, on any board on which exactly these columns are closed (a set of bits)."""
    values = np.zeros((N_COLUMNS, N_COLUMNS))
    for i in range(N_COLUMNS):
        for j in range(i + 1, N_COLUMNS):
            for k in range(j + 1, N_COLUMNS):
                if not (closed >> i | closed >> j | closed >> k) & 1:
                    _solve_three(places, heights, i, j, k)
    for i in range(N_COLUMNS):
        for j in range(i + 1, N_COLUMNS):
            if not (closed >> i | closed >> j) & 1:
                _solve_two(places, heights, closed, i, j, values)
    for i in range(N_COLUMNS):
        if not closed >> i & 1:
            for a in range(N_PAIRS[i]):
                for x in range(N_COLUMNS):
                    for y in range(x, N_COLUMNS):
                        values[x, y] = _split_one(places, closed, i, a, x, y)
                places.one[i, a] = max(climbed(heights, i, a), _roll_splits(values))
    for x in range(N_COLUMNS):
        for y in range(x, N_COLUMNS):
            values[x, y] = _split_none(places, closed, x, y)
    return _roll_splits(values)


@native
def _solve_two(places: Places, heights: Any, closed: int, i: int, j: int, values: Any) -> None:
    """All places of runners in two columns, from the tops down."""
    for a in range(N_PAIRS[i]):
        for b in range(N_PAIRS[j]):
            for x in range(N_COLUMNS):
                for y in range(x, N_COLUMNS):
                    values[x, y] = _split_two(places, closed, i, a, j, b, x, y)
            stop = climbed(heights, i, a) + climbed(heights, j, b)
            places.two[i, j, a, b] = max(stop, _roll_splits(values))
