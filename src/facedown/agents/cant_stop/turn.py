"""A turn of Can't Stop solved exactly, on any estimate of what the board is worth when it ends.

1. Columns are put in the order of the spaces left in them, the longest last; closed ones are left out.
2. Every place at which the runners can stand (one, two or three columns) has a number, and a value of stopping there: from
   the estimate (`network.py`), or no costs where the game is won.
3. With all runners out, throws differ only in what they offer in three columns: some twenty classes in place of 126 throws.
   Places are taken from the tops down, so that all places that a throw leads to are known.
4. With a free runner, the value of every split is worked out once for a place, and each throw takes the best of its splits.
5. What a lost turn costs depends on the value of the turn itself, x = f(x). f is concave and piecewise linear with a slope
   below 1: an estimate of x and two steps of the secant method give it. To play, the estimate alone will do; then only those
   columns are solved that the dice have offered (`solver.py`).

Everything is a cost: turns, or the probability not to win. Only the real board is solved: six sides, columns from 3 spaces up.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from facedown.games.cant_stop.board import (
    FIRST_THROW,
    MAX_COLUMNS,
    MAX_SIDES,
    N_DICE,
    N_RUNNERS,
    N_SPLITS,
    SPLITS,
    WEIGHTS,
    columns_in,
    lengths_of,
)
from facedown.native.jit import native
from facedown.native.records import Record

N_COLUMNS = MAX_COLUMNS
SHORTEST, WANTED = 3, 3
LENGTHS = np.array(lengths_of(MAX_SIDES, SHORTEST), np.int64)
MAX_ROOM = int(LENGTHS.max())
FIRST, END = int(FIRST_THROW[MAX_SIDES]), int(FIRST_THROW[MAX_SIDES + 1])
ALL_THROWS = MAX_SIDES**N_DICE
N_PLACES = 1 + sum(int(np.prod(some)) for n in (1, 2, 3) for some in combinations(LENGTHS.tolist(), n))
"""Places of runners on the empty board; no board has more. Number 0 is the start of the turn."""
NEVER = np.float32(1e9)
N_ODDS = 3

TURN = np.dtype(
    (
        Record,
        [
            ("known", np.int64),  # whether the rest holds a turn
            ("race", np.int64),  # whether costs are probabilities that the other player wins
            ("number", np.int64),  # in a race: which turn of the game it is
            ("other", np.float64),  # in a race: turns that the other player needs
            ("odds", np.float64, (N_ODDS,)),
            ("setback", np.float64, (N_COLUMNS,)),  # in a race: turns that the other player loses with a column
            ("n_open", np.int64),
            ("n_places", np.int64),
            ("needed", np.int64),  # columns that the mover lacks
            ("lost", np.float64),  # what a lost turn costs
            ("value", np.float64),  # of the start of the turn
            ("space", np.int64, (N_COLUMNS,)),  # where the mover's markers stand; the length where a column is closed
            ("seen", np.int64, (N_COLUMNS,)),  # the same for networks, to which columns that others have won look untouched
            ("column", np.int64, (N_COLUMNS,)),  # by rank
            ("rank", np.int64, (N_COLUMNS,)),  # by column; -1 closed
            ("room", np.int64, (N_COLUMNS,)),  # by rank: spaces left
            ("one", np.int64, (N_COLUMNS,)),  # where the places of one runner begin, by rank; of two; of three
            ("two", np.int64, (N_COLUMNS, N_COLUMNS)),
            ("three", np.int64, (N_COLUMNS, N_COLUMNS, N_COLUMNS)),
            ("stop", np.float32, (N_PLACES,)),  # what stopping costs
            ("best", np.float32, (N_PLACES,)),  # what the best of stopping and rolling costs
            ("one_solved", np.int8, (N_COLUMNS,)),
            ("two_solved", np.int8, (N_COLUMNS, N_COLUMNS)),
            ("three_solved", np.int8, (N_COLUMNS, N_COLUMNS, N_COLUMNS)),
        ],
    )
)


# moves of three runners: a step of one, two steps of one, a step of two
MOVES = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 0), (1, 0, 1), (0, 1, 1))


def _classes(columns: tuple[int, ...]) -> list[tuple[int, list[int]]]:
    """What throws offer with runners in these columns and none free: the weight and the moves of each different offer."""
    found: dict[tuple[int, ...], int] = {}
    for number in range(FIRST, END):
        pairs = [SPLITS[number, split].tolist() for split in range(N_SPLITS[number])]
        steps = [tuple([*(pair.count(column) for column in columns), 0, 0][:3]) for pair in pairs]
        offered = tuple(sorted({MOVES.index(move) for move in steps if any(move)}))
        if offered:
            found[offered] = found.get(offered, 0) + int(WEIGHTS[number])
    return [(weight, list(moves)) for moves, weight in sorted(found.items())]


def _class_tables() -> tuple[Any, Any, Any]:
    first = np.zeros((1 << N_COLUMNS) + 1, np.int16)
    weights: list[int] = []
    offers: list[list[int]] = []
    for columns in range(1 << N_COLUMNS):
        first[columns] = len(weights)
        if 1 <= columns.bit_count() <= N_RUNNERS:
            for weight, moves in _classes(tuple(columns_in(columns))):
                weights.append(weight)
                offers.append((moves * 3)[:3])  # one that offers less offers the same again
    first[-1] = len(weights)
    return first, np.array(weights, np.int16), np.array(offers, np.int8)


CLASS_FIRST, CLASS_WEIGHTS, CLASS_OFFERS = _class_tables()
MAX_CLASSES = int(np.diff(CLASS_FIRST).max())
P_THROW = (WEIGHTS[FIRST:END] / ALL_THROWS).astype(np.float32)
THROW_SPLITS = np.full((END - FIRST, 3), N_COLUMNS * N_COLUMNS, np.int16)  # by throw: its splits, as numbers low * 11 + high
for _number in range(FIRST, END):
    for _split in range(N_SPLITS[_number]):
        _low, _high = SPLITS[_number, _split].tolist()
        THROW_SPLITS[_number - FIRST, _split] = _low * N_COLUMNS + _high
N_SPLIT_VALUES = N_COLUMNS * N_COLUMNS + 1  # the last stands for a split that is not there


@native
def lay_out(turn: Record, space: Any, seen: Any, needed: int) -> None:
    """Number the places of a turn that begins with the mover's markers there."""
    n_open = 0
    for column in range(N_COLUMNS):
        turn.space[column], turn.seen[column] = space[column], seen[column]
        turn.rank[column] = -1
    for room in range(1, MAX_ROOM + 1):
        for column in range(N_COLUMNS):
            if LENGTHS[column] - space[column] == room:
                turn.column[n_open], turn.room[n_open], turn.rank[column] = column, room, n_open
                n_open += 1
    turn.n_open, turn.needed = n_open, needed
    at = 1
    for i in range(n_open):
        turn.one[i] = at
        at += turn.room[i]
    for i in range(n_open):
        for j in range(i + 1, n_open):
            turn.two[i, j] = at
            at += turn.room[i] * turn.room[j]
    for i in range(n_open):
        for j in range(i + 1, n_open):
            for k in range(j + 1, n_open):
                turn.three[i, j, k] = at
                at += turn.room[i] * turn.room[j] * turn.room[k]
    turn.n_places = at
    forget(turn)


@native
def forget(turn: Record) -> None:
    """Nothing is solved yet."""
    turn.one_solved[:] = 0
    turn.two_solved[:] = 0
    turn.three_solved[:] = 0


@native
def place_1(turn: Record, i: int, a: int) -> int:
    """The number of a place with one runner, `a` steps above the marker."""
    return turn.one[i] + min(a, turn.room[i]) - 1  # type: ignore[no-any-return]


@native
def place_2(turn: Record, i: int, a: int, j: int, b: int) -> int:
    """As `place_1`, with two runners, in any order; a step beyond the top is not made."""
    if i > j:
        i, a, j, b = j, b, i, a
    return turn.two[i, j] + (min(a, turn.room[i]) - 1) * turn.room[j] + min(b, turn.room[j]) - 1  # type: ignore[no-any-return]


@native
def place_3(turn: Record, i: int, a: int, j: int, b: int, k: int, c: int) -> int:
    """As `place_1`, with three runners, in any order."""
    if i > j:
        i, a, j, b = j, b, i, a
    if j > k:
        j, b, k, c = k, c, j, b
    if i > j:
        i, a, j, b = j, b, i, a
    at = (min(a, turn.room[i]) - 1) * turn.room[j] + min(b, turn.room[j]) - 1
    return turn.three[i, j, k] + at * turn.room[k] + min(c, turn.room[k]) - 1  # type: ignore[no-any-return]


# --- three runners ------------------------------------------------------------------------------------------------------

OFFERS = np.dtype(
    (
        Record,
        [
            ("n", np.int64),
            ("p_lost", np.float32),
            ("chances", np.float32, (MAX_CLASSES,)),
            ("moves", np.int64, (MAX_CLASSES, 3)),  # as distances between numbers of places
        ],
    )
)
"""What throws offer to three runners, which are 0, 1 or more steps from their tops."""


@native
def list_offers(turn: Record, i: int, j: int, k: int, left_i: int, left_j: int, left_k: int, offers: Record) -> None:
    """Fill in what throws offer; `left` is 2 for two steps and more."""
    ranks, lefts, strides = (i, j, k), (left_i, left_j, left_k), (turn.room[j] * turn.room[k], turn.room[k], 1)
    columns, n_movable = 0, 0
    limits, steps = np.zeros(3, np.int64), np.zeros(3, np.int64)
    for column in range(N_COLUMNS):  # ascending, as the classes have them
        for which in range(3):
            if turn.column[ranks[which]] == column and lefts[which] > 0:
                columns |= 1 << column
                limits[n_movable], steps[n_movable] = lefts[which], strides[which]
                n_movable += 1
    distances = np.zeros(9, np.int64)
    for which in range(3):
        distances[which] = steps[which]
        distances[3 + which] = min(limits[which], 2) * steps[which]
    distances[6], distances[7], distances[8] = steps[0] + steps[1], steps[0] + steps[2], steps[1] + steps[2]
    p_lost, n = 1.0, 0
    for number in range(CLASS_FIRST[columns], CLASS_FIRST[columns + 1]):
        p = CLASS_WEIGHTS[number] / ALL_THROWS
        offers.chances[n] = p
        p_lost -= p
        for move in range(3):
            offers.moves[n, move] = distances[CLASS_OFFERS[number, move]]
        n += 1
    offers.n, offers.p_lost = n, p_lost


@native
def roll_with_three(best: Any, at: int, lost: Any, offers: Record) -> Any:
    """What rolling costs with all runners out."""
    total = offers.p_lost * lost
    for index in range(offers.n):
        one, two, three = offers.moves[index, 0], offers.moves[index, 1], offers.moves[index, 2]
        total += offers.chances[index] * min(best[at + one], best[at + two], best[at + three])
    return total


@native
def sweep_three(turn: Record, i: int, j: int, k: int, offers: Any) -> None:
    """Solve the places of runners in three columns, from the tops down; `offers` has 27 records."""
    best, stop, lost = turn.best, turn.stop, np.float32(turn.lost)
    room_i, room_j, room_k = turn.room[i], turn.room[j], turn.room[k]
    for left_i in range(min(room_i, 3)):
        for left_j in range(min(room_j, 3)):
            for left_k in range(min(room_k, 3)):
                list_offers(turn, i, j, k, left_i, left_j, left_k, offers[9 * left_i + 3 * left_j + left_k])
    first = turn.three[i, j, k]
    for a in range(room_i):
        for b in range(room_j):
            table = 9 * min(a, 2) + 3 * min(b, 2)
            top = first + ((room_i - 1 - a) * room_j + room_j - 1 - b) * room_k + room_k - 1
            for c in range(room_k):
                at = top - c
                best[at] = min(stop[at], roll_with_three(best, at, lost, offers[table + min(c, 2)]))


# --- fewer runners --------------------------------------------------------------------------------------------------------


@native
def split_with_one(turn: Record, i: int, a: int, low: int, high: int) -> Any:
    """What a split leads to with one runner out and two free; NEVER where it cannot be played."""
    best, x, y = turn.best, turn.rank[low], turn.rank[high]
    step, n_new, new, other = 0, 0, -1, -1
    for rank in (x, y):
        if rank == i:
            step += 1 if a < turn.room[i] else 0
        elif rank >= 0:
            n_new += 1
            new, other = rank, new
    if n_new == 0:
        return best[place_1(turn, i, a + step)] if step else NEVER
    if n_new == 1 or new == other:
        return best[place_2(turn, i, a + step, new, n_new)]
    return best[place_3(turn, i, a, new, 1, other, 1)]


@native
def split_with_none(turn: Record, low: int, high: int) -> Any:
    """As `split_with_one`, at the start of a turn."""
    x, y = turn.rank[low], turn.rank[high]
    if x < 0 and y < 0:
        return NEVER
    if x >= 0 and y >= 0 and x != y:
        return turn.best[place_2(turn, x, 1, y, 1)]
    return turn.best[place_1(turn, max(x, y), 2 if x == y else 1)]


@native
def roll_on_splits(costs: Any, lost: Any) -> Any:
    """What rolling costs, from the costs of all splits."""
    total = np.float32(0.0)
    for number in range(END - FIRST):
        one, two, three = THROW_SPLITS[number, 0], THROW_SPLITS[number, 1], THROW_SPLITS[number, 2]
        cost = min(costs[one], costs[two], costs[three])
        total += P_THROW[number] * (cost if cost < NEVER else lost)
    return total


SPLITTING = np.dtype(
    (
        Record,
        [
            ("cost", np.float32, (N_SPLIT_VALUES,)),  # of every split, by low * 11 + high
            ("alone", np.float32, (N_COLUMNS,)),  # of a new runner in each column, the others where they are
            ("first", np.int64, (N_COLUMNS,)),  # the place that it comes to, with both others on their first step
            ("step_a", np.int64, (N_COLUMNS,)),  # from there: how far a step of each runner is
            ("step_b", np.int64, (N_COLUMNS,)),
            ("step_new", np.int64, (N_COLUMNS,)),  # 0 where the first step is the top
        ],
    )
)
"""Room for what the splits of a throw lead to."""


@native
def find_new_places(turn: Record, i: int, j: int, room: Record) -> None:
    """Where places of two runners and a new one lie, for all columns that a third could be put in."""
    for x in range(turn.n_open):
        if x in (i, j):
            continue
        low, middle, high = min(i, x), max(i, min(j, x)), max(j, x)
        room.first[x] = turn.three[low, middle, high]
        step_low, step_middle = turn.room[middle] * turn.room[high], turn.room[high]
        room.step_a[x] = step_low if i == low else step_middle
        room.step_b[x] = 1 if j == high else step_middle
        room.step_new[x] = step_low if x == low else step_middle if x == middle else 1
        if turn.room[x] == 1:
            room.step_new[x] = 0


@native
def roll_with_two(turn: Record, i: int, a: int, j: int, b: int, lost: Any, room: Record) -> Any:
    """What rolling costs with one free runner, from places that `find_new_places` has found."""
    best, cost, alone = turn.best, room.cost, room.alone
    column_i, column_j = turn.column[i], turn.column[j]
    moves_a, moves_b = a < turn.room[i], b < turn.room[j]
    only_a = best[place_2(turn, i, a + 1, j, b)] if moves_a else NEVER
    only_b = best[place_2(turn, i, a, j, b + 1)] if moves_b else NEVER
    alone[:] = NEVER
    cost[N_SPLIT_VALUES - 1] = NEVER
    for x in range(turn.n_open):
        if x not in (i, j):
            column = turn.column[x]
            at = room.first[x] + (a - 1) * room.step_a[x] + (b - 1) * room.step_b[x]
            alone[column] = best[at]
            cost[column * N_COLUMNS + column] = best[at + room.step_new[x]]
    for low in range(N_COLUMNS):
        if turn.rank[low] < 0:
            cost[low * N_COLUMNS + low] = NEVER
        for high in range(low + 1, N_COLUMNS):
            cost[low * N_COLUMNS + high] = min(alone[low], alone[high])
    for x in range(turn.n_open):
        if x not in (i, j):
            column = turn.column[x]
            at = room.first[x] + (a - 1) * room.step_a[x] + (b - 1) * room.step_b[x]
            if moves_a:
                cost[split_number(column_i, column)] = best[at + room.step_a[x]]
            if moves_b:
                cost[split_number(column_j, column)] = best[at + room.step_b[x]]
    for column in range(N_COLUMNS):
        if turn.rank[column] < 0:
            cost[split_number(column_i, column)] = only_a
            cost[split_number(column_j, column)] = only_b
    cost[split_number(column_i, column_i)] = best[place_2(turn, i, a + 2, j, b)] if moves_a else NEVER
    cost[split_number(column_j, column_j)] = best[place_2(turn, i, a, j, b + 2)] if moves_b else NEVER
    both = best[place_2(turn, i, a + 1, j, b + 1)] if moves_a and moves_b else min(only_a, only_b)
    cost[split_number(column_i, column_j)] = both
    return roll_on_splits(cost, lost)


@native
def split_number(one: int, other: int) -> int:
    """The number of the split into two columns, in any order."""
    return min(one, other) * N_COLUMNS + max(one, other)


@native
def roll_with_one(turn: Record, i: int, a: int, lost: Any, room: Record) -> Any:
    """What rolling costs with two free runners."""
    room.cost[N_SPLIT_VALUES - 1] = NEVER
    for low in range(N_COLUMNS):
        for high in range(low, N_COLUMNS):
            room.cost[low * N_COLUMNS + high] = split_with_one(turn, i, a, low, high)
    return roll_on_splits(room.cost, lost)


@native
def roll_with_none(turn: Record, lost: Any, room: Record) -> Any:
    """What the first throw of a turn costs."""
    room.cost[N_SPLIT_VALUES - 1] = NEVER
    for low in range(N_COLUMNS):
        for high in range(low, N_COLUMNS):
            room.cost[low * N_COLUMNS + high] = split_with_none(turn, low, high)
    return roll_on_splits(room.cost, lost)


@native
def sweep_two(turn: Record, i: int, j: int, room: Record) -> None:
    """Solve the places of runners in two columns; those with a third are solved."""
    best, stop, lost = turn.best, turn.stop, np.float32(turn.lost)
    find_new_places(turn, i, j, room)
    for a in range(turn.room[i], 0, -1):
        for b in range(turn.room[j], 0, -1):
            at = place_2(turn, i, a, j, b)
            best[at] = min(stop[at], roll_with_two(turn, i, a, j, b, lost, room))


@native
def sweep_one(turn: Record, i: int, room: Record) -> None:
    """Solve the places of a single runner; those with a second and a third are solved."""
    for a in range(turn.room[i], 0, -1):
        at = place_1(turn, i, a)
        turn.best[at] = min(turn.stop[at], roll_with_one(turn, i, a, np.float32(turn.lost), room))
