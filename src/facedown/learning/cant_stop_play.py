"""Solitaire Can't Stop played by solved turns, in native code: boards to learn from, and games with luck taken out.

What a throw brings, less what it brings on average, has mean 0. Taken from the number of turns, it leaves a game that is as
long on average and hardly varies: only what the estimates got wrong is left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.cant_stop.solver import advance, cost_of_rolling, is_at, place_of, solve_turn
from facedown.agents.cant_stop.turn import FIRST, LENGTHS, N_COLUMNS, WANTED
from facedown.games.cant_stop.board import FIRST_LISTED, LISTED, MAX_SIDES, N_SPLITS, SPLITS
from facedown.native.chance import draw, draw_real, seed_stream
from facedown.native.jit import native
from facedown.native.records import Record
from facedown.native.streams import LEARNING

_FIRST_LISTED, _END_LISTED = int(FIRST_LISTED[MAX_SIDES]), int(FIRST_LISTED[MAX_SIDES + 1])
BOARD = N_COLUMNS + 1
"""Numbers that are kept of a board: the space of each marker, then how many columns are needed."""
MAX_TURNS = 1000


@native
def _choose_move(solver: Record, number: int, at_random: bool, chance: Record) -> float:
    """Move the runners as the throw allows, at the least cost or at random; the least cost, or -1 where the turn is lost."""
    turn, runners, tried = solver.turn, solver.runners, solver.tried
    chosen = np.zeros(len(runners), np.int64)
    least, n_moves = -1.0, 0
    for split in range(N_SPLITS[number]):
        low, high = turn.rank[int(SPLITS[number, split, 0])], turn.rank[int(SPLITS[number, split, 1])]
        for order in range(2):  # where one runner is left and both sums want it, the first gets it
            tried[:] = runners
            one = advance(turn, tried, high if order else low)
            other = advance(turn, tried, low if order else high)
            if one or other:
                cost = float(turn.best[place_of(turn, tried)])
                n_moves += 1
                if (draw(chance, n_moves) == 0) if at_random else (cost < least or least < 0.0):
                    chosen[:] = tried
                least = cost if cost < least or least < 0.0 else least
    if n_moves > 0:
        runners[:] = chosen
    return least


@native
def _play_turn(solver: Record, p_random: float, space: Any, chance: Record, luck: Any) -> int:
    """One turn from the board that was solved; columns won, or -1 if it is lost. What luck did is added to `luck`."""
    turn, runners = solver.turn, solver.runners
    runners[:] = 0
    while True:
        expected = cost_of_rolling(solver, runners)
        number = FIRST + LISTED[_FIRST_LISTED + draw(chance, _END_LISTED - _FIRST_LISTED)]
        brought = _choose_move(solver, number, p_random > 0.0 and draw_real(chance) < p_random, chance)
        if brought < 0.0:
            luck[0] += turn.lost - expected
            return -1
        luck[0] += brought - expected
        at = place_of(turn, runners)
        stops = turn.stop[at] <= turn.best[at]
        if p_random > 0.0 and draw_real(chance) < p_random:
            stops = draw(chance, 2) == 0
        if stops:
            break
    n_won = 0
    for which in range(runners[0]):
        column = turn.column[runners[1 + 2 * which]]
        space[column] += runners[2 + 2 * which]
        n_won += 1 if space[column] == LENGTHS[column] else 0
    return n_won


@native
def play_games(
    solvers: Any,
    networks: Any,
    seed: int,
    first: int,
    p_random: float,
    chance: Record,
    turns: Any,
    n_lost: Any,
    luck: Any,
    boards: Any,
    values: Any,
) -> int:
    """Play a game for each place in `turns`, from number `first` on; how many boards were noted, as far as there is room.

    `luck` is what luck added to the turns of each game. The first of two `solvers` is at work; the second keeps the first
    turn of a game, which is always the same.
    """
    solver, n_boards = solvers[0], 0
    space, gained = np.zeros(N_COLUMNS, np.int64), np.zeros(1)
    solve_turn(solver, space, WANTED, networks)
    solvers[1] = solvers[0]
    for game in range(len(turns)):
        seed_stream(chance, seed, first + game, 0, LEARNING)
        solvers[0] = solvers[1]
        space[:] = 0
        gained[0] = 0.0
        needed, n_turns, n_failed = WANTED, 0, 0
        while needed > 0 and n_turns < MAX_TURNS:
            is_new = not is_at(solver.turn, space, needed)
            if is_new:
                solve_turn(solver, space, needed, networks)
            if n_boards < len(values) and (is_new or n_turns == 0):
                boards[n_boards, :N_COLUMNS] = space
                boards[n_boards, N_COLUMNS] = needed
                values[n_boards] = solver.turn.value
                n_boards += 1
            n_won = _play_turn(solver, p_random, space, chance, gained)
            n_turns += 1
            n_failed += 1 if n_won < 0 else 0
            needed -= max(n_won, 0)
        turns[game], n_lost[game], luck[game] = n_turns, n_failed, gained[0]
    return n_boards
