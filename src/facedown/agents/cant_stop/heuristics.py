"""Rules of thumb for Can't Stop: those of Beating Can't Stop (questions 5 to 8), the rule of 28 and its heirs.

Sources: Beating Can't Stop, for `first`, `q5`, `q6a` and `q6b`; M. Keller, A rule of 28, World Game Review 6, 1986; J. Glenn &
C. Aloi, A generalized heuristic for Can't Stop, FLAIRS 2009.

All of them were made for the real board, and keep their constants on others. On the smallest ones some would never come to an
end, so this is added: nobody throws where no throw can be played, and where fewer than three columns are open, the runners in
these are all runners.
"""

from __future__ import annotations

from typing import Any

from facedown.games.cant_stop.board import HITS, MAX_COLUMNS, N_DICE, N_RUNNERS, SPLITS, length_of
from facedown.games.cant_stop.rules import FIRST_MOVE, HIGHER, LOWER, NO_THROW, ROLL, STOP
from facedown.native import draw, native
from facedown.native.records import Record

NEVER = 1 << 20  # more throws than any turn has


@native
def spaces_left(view: Record, player: int, column: int) -> int:
    """How far it is to the top: for the mover from its runner, for everybody else from the marker."""
    space = int(view.runner[column]) if player == view.mover else 0
    return length_of(view, column) - (space if space > 0 else int(view.marker[player, column]))


@native
def improved(view: Record, player: int, column: int) -> float:
    """The source's improved probability: that a throw has the column's sum, shared by the spaces that are left to its top."""
    return float(HITS[view.sides, 1 << column] / float(view.sides) ** N_DICE / spaces_left(view, player, column))


@native
def best_number(sides: int, columns: int) -> int:
    """After how many throws to stop, if only these columns can be moved in: ceil(p / (1 - p)), question 1."""
    hits, all_throws = int(HITS[sides, columns]), sides**N_DICE
    return NEVER if hits == all_throws else (all_throws - 1) // (all_throws - hits)


@native
def column_of(view: Record, action: int, higher: int) -> int:
    """The column of the lower or higher sum of the split that a move plays, or -1 where it does not play that sum."""
    part = (action - FIRST_MOVE) % 3
    if part == (LOWER if higher else HIGHER):
        return -1
    return int(SPLITS[view.throw, (action - FIRST_MOVE) // 3, higher])


@native
def all_open(view: Record) -> int:
    """The columns that are open to the mover, as a set of bits."""
    return ~int(view.closed[view.mover]) & ((1 << (2 * int(view.sides) - 1)) - 1)


@native
def is_stuck(view: Record) -> bool:
    """Whether no throw could be played: to roll is to lose the turn."""
    if view.tops == 0:  # as nearly always
        return False
    possible = int(view.runners) if view.n_runners == N_RUNNERS else all_open(view)
    return (possible & ~int(view.tops)) == 0


@native
def are_all_out(view: Record) -> bool:
    """Whether no further runner can be placed: there are three, or as many as open columns."""
    return bool(view.n_runners == N_RUNNERS or (all_open(view) & ~int(view.runners)) == 0)


# --- the source ---------------------------------------------------------------------------------------------------------


@native
def first(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """The first possible split, the dice being sorted or not, and two throws."""
    if view.throw == NO_THROW:
        return STOP if view.n_throws >= params[0] or is_stuck(view) else ROLL
    return int(actions[0] if params[1] != 0.0 else actions[draw(chance, n)])


@native
def is_taken(view: Record, column: int) -> bool:
    """Whether another player has a marker in an open column."""
    n_there = 0
    for player in range(int(view.players)):
        n_there += 1 if player != view.mover and view.marker[player, column] > 0 else 0
    return n_there > 0


@native
def move_value(view: Record, action: int, double: float) -> float:
    """The improved probabilities of a move, added up; a double counts as this many."""
    low, high = column_of(view, action, 0), column_of(view, action, 1)
    if low == high:
        return double * improved(view, int(view.mover), low)
    total = improved(view, int(view.mover), low) if low >= 0 else 0.0
    return total + (improved(view, int(view.mover), high) if high >= 0 else 0.0)


@native
def avoids_others(view: Record, action: int) -> bool:
    """Whether a move stays away from the columns in which others are."""
    low, high = column_of(view, action, 0), column_of(view, action, 1)
    return not (low >= 0 and is_taken(view, low)) and not (high >= 0 and is_taken(view, high))


@native
def best_move(view: Record, actions: Any, n: int, double: float, avoid: bool) -> int:
    """The move with the largest value, the first of them; among those that avoid the others, if there are any."""
    best, chosen, alone = -1.0, int(actions[0]), False
    for index in range(n):
        action = int(actions[index])
        apart = avoid and avoids_others(view, action)
        value = move_value(view, action, double)
        if (apart and not alone) or (value > best and (apart or not alone)):
            best, chosen, alone = value, action, apart or alone
    return chosen


@native
def somebody_is_near(view: Record, threshold: float) -> bool:
    """Whether another player lacks one column, and has one with an improved probability above the threshold."""
    for player in range(int(view.players)):
        if player != view.mover and view.won[player] + 1 >= view.columns:
            for column in range(2 * int(view.sides) - 1):
                if not int(view.closed[player]) >> column & 1 and improved(view, player, column) > threshold:
                    return True
    return False


# parameters of the source's heuristics, in their order
DOUBLE_OPENING, DOUBLE_LATER, COUNT_ALL, EAGER, FEWER, NEAR, AVOID = 0, 1, 2, 3, 4, 5, 6


@native
def source(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """Question 5, and with other parameters 6 to 8: largest improved probability, then N* throws."""
    if view.throw != NO_THROW:
        opening = view.n_runners < N_RUNNERS
        double = params[DOUBLE_OPENING] if opening else params[DOUBLE_LATER]
        return best_move(view, actions, n, double, params[AVOID] > (1.0 if opening else 0.0))
    if is_stuck(view):
        return STOP
    n_full = int(view.n_full) if view.n_runners == N_RUNNERS else int(view.n_throws)
    if not are_all_out(view) or (n_full == 0 and params[EAGER] == 0.0):
        return ROLL
    if view.tops:
        return STOP
    if params[NEAR] > 0.0 and somebody_is_near(view, params[NEAR]):
        return ROLL
    n_throws = int(view.n_throws) if params[COUNT_ALL] != 0.0 else n_full
    limit = best_number(int(view.sides), int(view.runners)) - int(params[FEWER])
    return ROLL if n_throws < limit else STOP


# --- the rule of 28 -----------------------------------------------------------------------------------------------------

# its parameters, in their order; the last two begin lists by the distance of a column from the middle
THRESHOLD, ODD, EVEN, HIGH, LOW, PLACED, WINS_STOP, PROGRESS, CHOICE = 0, 1, 2, 3, 4, 5, 6, 7, 13


@native
def distance(view: Record, column: int) -> int:
    """How far a column is from the middle one."""
    return abs(column - int(view.sides) + 1)


@native
def progress_points(view: Record, params: Any) -> float:
    """What is at stake: points for each runner, and some for runners that go well or badly together."""
    points, odd, even, high, low = 0.0, True, True, True, True
    middle = int(view.sides) - 1
    for column in range(MAX_COLUMNS):
        if int(view.runners) >> column & 1:
            steps = int(view.runner[column]) - int(view.marker[view.mover, column])
            points += params[PROGRESS + distance(view, column)] * (steps + 1)
            odd, even = odd and column % 2 == 1, even and column % 2 == 0  # column 0 is the sum 2
            high, low = high and column >= middle, low and column <= middle
    points += params[ODD] if odd else 0.0
    points += params[EVEN] if even else 0.0
    points += params[HIGH] if high else 0.0
    return points + (params[LOW] if low else 0.0)


@native
def choice_points(view: Record, action: int, params: Any) -> float:
    """What a move is worth: its spaces by their columns, less a penalty for each runner that it places."""
    points = 0.0
    low, high = column_of(view, action, 0), column_of(view, action, 1)
    for column in (low, high):
        if column >= 0:
            points += params[CHOICE + distance(view, column)]
    if low == high and spaces_left(view, int(view.mover), low) == 1:
        points -= params[CHOICE + distance(view, low)]
    if low >= 0 and not int(view.runners) >> low & 1:
        points -= params[PLACED]
    if high >= 0 and high != low and not int(view.runners) >> high & 1:
        points -= params[PLACED]
    return points


@native
def rule28(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """Roll on while a runner is free, then until the points of the turn reach the threshold."""
    if view.throw == NO_THROW:
        if params[WINS_STOP] != 0.0 and wins_now(view):
            return STOP
        if is_stuck(view):
            return STOP
        if not are_all_out(view):
            return ROLL
        return STOP if progress_points(view, params) >= params[THRESHOLD] else ROLL
    best, chosen = -1e9, int(actions[0])
    for index in range(n):
        points = choice_points(view, int(actions[index]), params)
        if points > best:
            best, chosen = points, int(actions[index])
    return chosen


@native
def wins_now(view: Record) -> bool:
    """Whether the mover has all columns if it stops."""
    n_tops = 0
    for column in range(MAX_COLUMNS):
        n_tops += int(view.tops) >> column & 1
    return bool(view.won[view.mover] + n_tops >= view.columns)
