"""The rules of Can't Stop, in the order in which a turn is played: roll, split, roll again or stop."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.cant_stop.board import (
    FIRST_LISTED,
    FIRST_THROW,
    LISTED,
    MAX_COLUMNS,
    MAX_LENGTH,
    MAX_SHORTEST,
    MAX_SIDES,
    MIN_SIDES,
    N_RUNNERS,
    N_SPLITS,
    N_THROWS,
    SPLITS,
    SUMS,
    WEIGHTS,
    length_of,
)
from facedown.games.contract import OVER
from facedown.native import copy_shared, field, native, record
from facedown.native.chance import draw_listed
from facedown.native.records import Record

STOP, ROLL, FIRST_MOVE = 0, 1, 2
BOTH, LOWER, HIGHER = 0, 1, 2  # which sums of a split are played
N_ACTIONS = FIRST_MOVE + 9
MAX_PLAYERS = 4
MAX_TURNS = 100_000
ENDLESS = 1000
"""With this many turns or more the cap is none: no game comes near it."""
NO_THROW = -1
_ALL_COLUMNS = (1 << MAX_COLUMNS) - 1
MAX_THROWS_IN_A_TURN = N_RUNNERS * MAX_LENGTH + 1

_RULES = (
    field("players", np.int8, 1, MAX_PLAYERS, "players; one plays solitaire"),
    field("sides", np.int8, MIN_SIDES, MAX_SIDES, "sides of a die"),
    field("shortest", np.int8, 1, MAX_SHORTEST, "spaces of the shortest columns"),
    field("columns", np.int8, 1, MAX_COLUMNS, "columns that a player needs"),
    field("blocking", np.int8, 0, 1, "whether a turn cannot end on a space with another player's marker"),
    field("extended", np.int8, 0, 1, "whether a column that is won stays open to the others"),
    field("max_turns", np.int32, 1, MAX_TURNS, "turns after which the game ends undecided"),
)
_TABLE = (
    field("mover", np.int8, OVER, MAX_PLAYERS - 1, "player whose turn it is; -1 the game is over"),
    field("throw", np.int16, NO_THROW, N_THROWS - 1, "number of the throw that is to be split; -1 none"),
    field("runners", np.int16, 0, _ALL_COLUMNS, "columns with a runner, a bit for each"),
    field("tops", np.int16, 0, _ALL_COLUMNS, "columns whose runner is on the top, a bit for each"),
    field("n_runners", np.int8, 0, N_RUNNERS, "runners on the board"),
    field("won", np.int8, 0, MAX_COLUMNS, "columns that each player has won", MAX_PLAYERS),
    field("closed", np.int16, 0, _ALL_COLUMNS, "columns that are closed to each player, as bits", MAX_PLAYERS),
    field("runner", np.int8, 0, MAX_LENGTH, "space of the runner in each column; 0 no runner", MAX_COLUMNS),
    field("marker", np.int8, 0, MAX_LENGTH, "space of each player's marker; 0 below the board", (MAX_PLAYERS, MAX_COLUMNS)),
    field("n_throws", np.int16, 0, MAX_THROWS_IN_A_TURN, "throws of this turn"),
    field("n_full", np.int16, 0, MAX_THROWS_IN_A_TURN, "throws of this turn that were made with all runners on the board"),
    field("last_throw", np.int16, NO_THROW, N_THROWS - 1, "number of the last throw; -1 none yet"),
    field("thrower", np.int8, -1, MAX_PLAYERS - 1, "who made the last throw; -1 nobody yet"),
    field("n_turns", np.int32, 0, MAX_TURNS, "turns that are over"),
    field("n_failed", np.int32, 0, MAX_TURNS, "turns that ended with a throw that could not be played"),
)
STATE = record(*_RULES, *_TABLE)
VIEW = record(*_RULES, field("player", np.int8, 0, MAX_PLAYERS - 1, "the player who looks"), *_TABLE)


@native
def start(state: Record, chance: Record) -> None:
    state.throw = state.last_throw = NO_THROW
    state.thrower = -1


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def playable(table: Record) -> int:
    """The columns in which the mover could move or place a runner now, as a set of bits; `table` is a state or a view."""
    possible = ~(int(table.tops) | int(table.closed[table.mover])) & _ALL_COLUMNS
    return possible if table.n_runners < N_RUNNERS else possible & int(table.runners)


@native
def legal(state: Record, actions: Any) -> int:
    if state.throw == NO_THROW:
        n = 0
        if state.n_runners > 0 and not (state.blocking and is_blocked(state)):
            actions[n] = STOP
            n += 1
        actions[n] = ROLL
        return n + 1
    return moves(state, actions)


@native
def moves(table: Record, actions: Any) -> int:
    """Fill in the moves that the throw allows; how many. `table` is a state or a view."""
    number, possible, runners = int(table.throw), playable(table), int(table.runners)
    n_free = N_RUNNERS - int(table.n_runners)
    n, action = 0, FIRST_MOVE
    for split in range(N_SPLITS[number]):
        low, high = int(SPLITS[number, split, 0]), int(SPLITS[number, split, 1])
        if possible >> low & 1 and possible >> high & 1:
            n_new = 2 - (runners >> low & 1) - (runners >> high & 1)
            if low == high or n_new <= n_free:
                actions[n] = action + BOTH
                n += 1
            else:
                actions[n] = action + LOWER
                actions[n + 1] = action + HIGHER
                n += 2
        elif possible >> low & 1:
            actions[n] = action + LOWER
            n += 1
        elif possible >> high & 1:
            actions[n] = action + HIGHER
            n += 1
        action += 3
    return n


@native
def is_blocked(table: Record) -> bool:
    """Whether a runner stands beside a marker of another player, below the top."""
    mover = int(table.mover)
    for column in range(MAX_COLUMNS):
        space = int(table.runner[column])
        if space > 0 and not int(table.tops) >> column & 1:
            for player in range(int(table.players)):
                if player != mover and table.marker[player, column] == space:
                    return True
    return False


@native
def step(state: Record, action: int, chance: Record) -> None:
    if action == ROLL:
        roll(state, chance)
    elif action == STOP:
        bank(state)
        end_turn(state)
    else:
        move(state, action)


@native
def roll(state: Record, chance: Record) -> None:
    """Throw the dice."""
    sides = int(state.sides)
    first, end = FIRST_THROW[sides], FIRST_THROW[sides + 1]
    listed = LISTED[FIRST_LISTED[sides] : FIRST_LISTED[sides + 1]]
    take(state, first + draw_listed(chance, listed, WEIGHTS[first:end]))


@native
def take(state: Record, number: int) -> None:
    """The dice show this throw. One that cannot be played ends the turn, and its progress is lost."""
    state.last_throw = number
    state.thrower = state.mover
    state.n_throws += 1
    state.n_full += 1 if state.n_runners == N_RUNNERS else 0
    if playable(state) & SUMS[number]:
        state.throw = number
    else:
        state.n_failed += 1
        end_turn(state)


@native
def move(state: Record, action: int) -> None:
    """Play one sum or both sums of a split."""
    number, split, part = int(state.throw), (action - FIRST_MOVE) // 3, (action - FIRST_MOVE) % 3
    if part != HIGHER:
        advance(state, int(SPLITS[number, split, 0]))
    if part != LOWER:
        advance(state, int(SPLITS[number, split, 1]))
    state.throw = NO_THROW


@native
def advance(state: Record, column: int) -> None:
    """Move the runner of a column up by one, or put one a step above the mover's marker."""
    space = int(state.runner[column])
    if space == 0:
        space = int(state.marker[state.mover, column])
        state.n_runners += 1
        state.runners |= 1 << column
    length = length_of(state, column)
    if space < length:  # the second sum of a double finds no space left at times
        state.runner[column] = space + 1
        if space + 1 == length:
            state.tops |= 1 << column


@native
def bank(state: Record) -> None:
    """Turn runners into markers; columns whose top they reach are won."""
    mover = int(state.mover)
    for column in range(MAX_COLUMNS):
        if int(state.runners) >> column & 1:
            state.marker[mover, column] = state.runner[column]
            if int(state.tops) >> column & 1:
                win_column(state, mover, column)


@native
def win_column(state: Record, winner: int, column: int) -> None:
    """A column is won: it is closed, and the markers of the others are taken off."""
    state.won[winner] += 1
    for player in range(int(state.players)):
        if player == winner or not state.extended:
            state.closed[player] |= 1 << column
        if player != winner and not state.extended:
            state.marker[player, column] = 0


@native
def end_turn(state: Record) -> None:
    """Take the runners off and pass the dice, if the game goes on."""
    mover = int(state.mover)
    for column in range(MAX_COLUMNS):
        state.runner[column] = 0
    state.runners = state.tops = state.n_runners = state.n_throws = state.n_full = 0
    state.n_turns += 1
    state.mover = mover + 1 if mover + 1 < state.players else 0
    if state.won[mover] >= state.columns or state.n_turns >= state.max_turns:
        state.mover = OVER


@native
def settle(state: Record) -> None:
    """Free a state of what has no influence on the rest of the game: the counters and the last throw.

    Turns are forgotten where their cap is so far away that nobody plays up to it; a short one is part of the game.
    """
    state.n_throws = state.n_full = state.n_failed = 0
    if state.max_turns >= ENDLESS:
        state.n_turns = 0
    state.last_throw = NO_THROW
    state.thrower = -1


@native
def score(state: Record, scores: Any) -> None:
    """Solitaire: minus the turns. Otherwise 1 for who has the columns; an undecided game is shared."""
    players = int(state.players)
    if players == 1:
        scores[0] = -float(state.n_turns)
        return
    winner = -1
    for player in range(players):
        winner = player if state.won[player] >= state.columns else winner
    for player in range(players):
        scores[player] = 1.0 / players if winner < 0 else 1.0 if player == winner else 0.0


@native
def report(state: Record, values: Any) -> None:
    won, best = 0, 0
    for player in range(int(state.players)):
        won += int(state.won[player])
        best = max(best, int(state.won[player]))
    values[0] = state.n_turns
    values[1] = state.n_failed
    values[2] = won
    values[3] = state.won[0]
    values[4] = 1 if best < state.columns else 0


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)  # nothing is hidden in this game
    view.player = player


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)
