"""The dice and the board of Can't Stop: every throw of four dice with its splits, and how long each column is.

Throws are numbered for all dice together, those with few sides first. The order in which dice fall does not matter, so a throw
has a weight: how many of the sides^4 orders show it.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np

from facedown.native import native
from facedown.native.records import Record

MIN_SIDES, MAX_SIDES = 2, 6
MAX_COLUMNS = 2 * MAX_SIDES - 1
MAX_SHORTEST = 9
MAX_LENGTH = MAX_SHORTEST + 2 * (MAX_SIDES - 1)
LOWEST_SUM = 2
N_DICE = 4
N_RUNNERS = 3
MAX_SPLITS = 3

PAIRINGS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


def throws_of(sides: int) -> list[tuple[int, ...]]:
    """What four dice can show, in ascending order."""
    return list(combinations_with_replacement(range(1, sides + 1), N_DICE))


def weight_of(throw: tuple[int, ...]) -> int:
    """In how many orders the dice can show it."""
    return factorial(N_DICE) // prod(factorial(throw.count(pip)) for pip in set(throw))


def splits_of(throw: tuple[int, ...]) -> list[tuple[int, int]]:
    """The two sums of each way to make pairs, the lower first, with repetitions."""
    sums = [[throw[one] + throw[other] for one, other in pairing] for pairing in PAIRINGS]
    return [(min(pair), max(pair)) for pair in sums]


_SIDES = range(MAX_SIDES + 1)
_THROWS = {sides: throws_of(sides) if sides >= MIN_SIDES else [] for sides in _SIDES}
_ALL = [throw for throws in _THROWS.values() for throw in throws]
N_THROWS = len(_ALL)

FIRST_THROW = np.cumsum([0, *(len(_THROWS[sides]) for sides in _SIDES)]).astype(np.int64)
"""By the number of sides: the number of the first throw; the next entry ends them."""
WEIGHTS = np.array([weight_of(throw) for throw in _ALL], np.int64)
DICE = np.array(_ALL, np.int8)

_LISTED = [np.repeat(np.arange(len(_THROWS[sides])), [weight_of(throw) for throw in _THROWS[sides]]) for sides in _SIDES]
FIRST_LISTED = np.cumsum([0, *map(len, _LISTED)]).astype(np.int64)
LISTED = np.concatenate(_LISTED).astype(np.int16)
"""By the number of sides: every throw as often as its weight says, for drawing with one number."""

N_SPLITS = np.array([len(set(splits_of(throw))) for throw in _ALL], np.int8)
SPLITS = np.zeros((N_THROWS, MAX_SPLITS, 2), np.int8)
"""The columns of each different split, from 0: a sum of 2 is column 0. Different splits have no sum in common."""
SUMS = np.zeros(N_THROWS, np.int64)
"""The columns that some split of the throw has, as a set of bits."""
for _number, _throw in enumerate(_ALL):
    for _split, _pair in enumerate(dict.fromkeys(splits_of(_throw))):
        SPLITS[_number, _split] = [_sum - LOWEST_SUM for _sum in _pair]
        SUMS[_number] |= 1 << _pair[0] - LOWEST_SUM | 1 << _pair[1] - LOWEST_SUM


HITS = np.zeros((MAX_SIDES + 1, 1 << MAX_COLUMNS), np.int16)
"""By the number of sides and a set of columns: how many of the sides^4 throws have a sum among them."""
for _sides in range(MIN_SIDES, MAX_SIDES + 1):
    _sets = np.arange(1 << MAX_COLUMNS)
    for _number in range(FIRST_THROW[_sides], FIRST_THROW[_sides + 1]):
        HITS[_sides] += (WEIGHTS[_number] * (_sets & SUMS[_number] != 0)).astype(np.int16)


def n_columns_of(sides: int) -> int:
    """How many different sums two dice have."""
    return 2 * sides - 1


@native
def length_of(rules: Record, column: int) -> int:
    """How many spaces a column has; `rules` is a state or a view."""
    middle = int(rules.sides) - 1
    return int(rules.shortest) + 2 * (middle - abs(column - middle))


def lengths_of(sides: int, shortest: int) -> list[int]:
    """The lengths of all columns.

    >>> lengths_of(6, 3)
    [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]
    """
    return [shortest + 2 * (sides - 1 - abs(column - sides + 1)) for column in range(n_columns_of(sides))]


def column_name(column: int) -> str:
    """The sum that belongs to a column."""
    return str(int(column) + LOWEST_SUM)


def columns_in(bits: Any) -> list[int]:
    """The columns of a set of bits, ascending."""
    return [column for column in range(MAX_COLUMNS) if int(bits) >> column & 1]
