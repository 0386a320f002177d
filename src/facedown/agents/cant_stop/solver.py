"""Solving turns of Can't Stop, as much of them as is asked for: where runners stand, and what rolling costs there.

Runners are seven whole numbers: how many there are, then the rank of a column and the steps above its marker, three times.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.cant_stop.network import (
    ALL_NETWORKS,
    N_HIDDEN,
    PARTS,
    fill_one,
    fill_three,
    fill_two,
    prepare_parts,
    value_of,
)
from facedown.agents.cant_stop.race import p_other_wins, race_one, race_three, race_two
from facedown.agents.cant_stop.turn import (
    LENGTHS,
    N_COLUMNS,
    N_ODDS,
    OFFERS,
    SPLITTING,
    TURN,
    find_new_places,
    forget,
    lay_out,
    list_offers,
    place_1,
    place_2,
    place_3,
    roll_with_none,
    roll_with_one,
    roll_with_three,
    roll_with_two,
    sweep_one,
    sweep_three,
    sweep_two,
)
from facedown.games.cant_stop.board import N_RUNNERS
from facedown.native.jit import native
from facedown.native.records import Record

N_NUMBERS = 1 + 2 * N_RUNNERS
N_SWEEPS = 2
USUAL_SLOPE = 0.48  # about half of the turns are lost

SOLVER = np.dtype(
    (
        Record,
        [
            ("parts", PARTS),
            ("offers", OFFERS, (27,)),
            ("room", SPLITTING),
            ("hidden", np.float32, (N_HIDDEN,)),
            ("runners", np.int64, (N_NUMBERS,)),
            ("tried", np.int64, (N_NUMBERS,)),
            ("turn", TURN),  # last, for its size is odd
        ],
    )
)
"""All that solving turns needs."""


@native
def begin_turn(solver: Record, space: Any, seen: Any, needed: int, networks: Any) -> None:
    """A turn with the mover's markers there, of which nothing is solved; a lost turn costs as much as the network says."""
    turn = solver.turn
    lay_out(turn, space, seen, needed)
    prepare_parts(turn, networks, solver.parts)
    turn.value = value_of(seen, needed, networks, solver.hidden)
    turn.lost = 1.0 + turn.value
    turn.known, turn.race = 1, 0


@native
def begin_race(solver: Record, number: int, seen: Any, needed: int, networks: Any) -> None:
    """The turn that was begun is one of a race against a board, `seen`, on which `needed` columns are missing.

    `networks` is followed by three numbers: of the logistic function that makes a probability of the turns of both players.
    """
    turn, hidden = solver.turn, solver.hidden
    turn.race, turn.number = 1, number
    turn.odds[:] = networks[ALL_NETWORKS : ALL_NETWORKS + N_ODDS]
    turn.other = value_of(seen, needed, networks, hidden)
    for column in range(N_COLUMNS):
        kept, turn.setback[column] = seen[column], 0.0
        if 0 < kept < LENGTHS[column]:  # a column that the mover wins is lost to the other player
            seen[column] = 0
            turn.setback[column] = value_of(seen, needed, networks, hidden) - turn.other
            seen[column] = kept
    turn.lost = p_other_wins(turn, turn.value, turn.other)


@native
def need_three(solver: Record, i: int, j: int, k: int, networks: Any) -> None:
    """Have the places of three runners solved, their ranks ascending."""
    turn = solver.turn
    if not turn.three_solved[i, j, k]:
        turn.three_solved[i, j, k] = 1
        fill_three(turn, networks, solver.parts, i, j, k)
        if turn.race:
            race_three(turn, i, j, k)
        sweep_three(turn, i, j, k, solver.offers)


@native
def need_two(solver: Record, i: int, j: int, networks: Any) -> None:
    """Have the places of two runners solved, and those to which a third one leads."""
    turn = solver.turn
    if not turn.two_solved[i, j]:
        turn.two_solved[i, j] = 1
        for x in range(turn.n_open):
            if x < i:
                need_three(solver, x, i, j, networks)
            elif i < x < j:
                need_three(solver, i, x, j, networks)
            elif x > j:
                need_three(solver, i, j, x, networks)
        fill_two(turn, networks, solver.parts, i, j)
        if turn.race:
            race_two(turn, i, j)
        sweep_two(turn, i, j, solver.room)


@native
def need_one(solver: Record, i: int, networks: Any) -> None:
    """Have the places of a single runner solved, and all to which others lead."""
    turn = solver.turn
    if not turn.one_solved[i]:
        turn.one_solved[i] = 1
        for x in range(turn.n_open):
            if x != i:
                need_two(solver, min(i, x), max(i, x), networks)
        fill_one(turn, networks, solver.parts, i)
        if turn.race:
            race_one(turn, i)
        sweep_one(turn, i, solver.room)


@native
def need(solver: Record, runners: Any, networks: Any) -> None:
    """Have the place where these runners stand solved."""
    i, j, k = runners[1], runners[3], runners[5]
    if runners[0] == 1:
        need_one(solver, i, networks)
    elif runners[0] == 2:
        need_two(solver, min(i, j), max(i, j), networks)
    elif runners[0] == 3:
        low, high = min(i, j, k), max(i, j, k)
        need_three(solver, low, i + j + k - low - high, high, networks)


@native
def solve_whole(solver: Record, networks: Any) -> float:
    """Solve all places with the present cost of a lost turn; the value of the start."""
    turn = solver.turn
    forget(turn)
    for i in range(turn.n_open):
        need_one(solver, i, networks)
    turn.best[0] = roll_with_none(turn, np.float32(turn.lost), solver.room)
    return float(turn.best[0])


@native
def solve_turn(solver: Record, space: Any, needed: int, networks: Any) -> float:
    """Solve the turn that begins with the mover's markers there as a whole; the value of its start."""
    begin_turn(solver, space, space, needed, networks)
    turn, slope = solver.turn, USUAL_SLOPE
    guess = turn.value
    value = solve_whole(solver, networks)
    for _ in range(N_SWEEPS - 1):
        better = guess + (value - guess) / (1.0 - slope)
        turn.lost = 1.0 + better
        found = solve_whole(solver, networks)
        if abs(better - guess) > 1e-4:
            slope = min(max((found - value) / (better - guess), 0.0), 0.9)
        guess, value = better, found
    turn.value = guess + (value - guess) / (1.0 - slope)
    return float(turn.value)


@native
def is_at(turn: Record, space: Any, needed: int) -> bool:
    """Whether this is the turn that was begun last."""
    n_same = 0
    for column in range(N_COLUMNS):
        n_same += 1 if turn.space[column] == space[column] else 0
    return bool(turn.known and turn.needed == needed and n_same == N_COLUMNS)


@native
def advance(turn: Record, runners: Any, rank: int) -> bool:
    """Move the runner of this rank, or put one there; False where neither is possible."""
    if rank < 0:
        return False
    for which in range(runners[0]):
        if runners[1 + 2 * which] == rank:
            possible = runners[2 + 2 * which] < turn.room[rank]
            runners[2 + 2 * which] += 1 if possible else 0
            return bool(possible)
    n = runners[0]
    if n == N_RUNNERS:
        return False
    runners[1 + 2 * n], runners[2 + 2 * n], runners[0] = rank, 1, n + 1
    return True


@native
def place_of(turn: Record, runners: Any) -> int:
    """The number of the place where they stand."""
    if runners[0] == 0:
        return 0
    if runners[0] == 1:
        return int(place_1(turn, runners[1], runners[2]))
    if runners[0] == 2:
        return int(place_2(turn, runners[1], runners[2], runners[3], runners[4]))
    return int(place_3(turn, runners[1], runners[2], runners[3], runners[4], runners[5], runners[6]))


@native
def cost_of_rolling(solver: Record, runners: Any) -> float:
    """What rolling costs there, on average over the throws."""
    turn, lost = solver.turn, np.float32(solver.turn.lost)
    i, a, j, b, k, c = runners[1], runners[2], runners[3], runners[4], runners[5], runners[6]
    if runners[0] == 0:
        return float(roll_with_none(turn, lost, solver.room))
    if runners[0] == 1:
        return float(roll_with_one(turn, i, a, lost, solver.room))
    if runners[0] == 2:
        if i > j:
            i, a, j, b = j, b, i, a
        find_new_places(turn, i, j, solver.room)
        return float(roll_with_two(turn, i, a, j, b, lost, solver.room))
    if i > j:
        i, a, j, b = j, b, i, a
    if j > k:
        j, b, k, c = k, c, j, b
    if i > j:
        i, a, j, b = j, b, i, a
    offers = solver.offers[0]
    left = (min(turn.room[i] - a, 2), min(turn.room[j] - b, 2), min(turn.room[k] - c, 2))
    list_offers(turn, i, j, k, left[0], left[1], left[2], offers)
    return float(roll_with_three(turn.best, place_of(turn, runners), lost, offers))
