"""A game whose moves are all hidden: many histories of one walk are in the same information set.

Player 0 moves, player 1 moves, player 0 moves again, each left or right, and nobody sees what the other did.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER, Game
from facedown.native import draw, field, native, record
from facedown.native.records import Record

PAYS = np.array([3.0, -1.0, 0.0, 2.0, -2.0, 1.0, 1.0, -3.0])

STATE = record(
    field("moves", np.int8, -1, 1, "what was played, 0 left, 1 right; -1 not yet", 3),
    field("n_moves", np.int8, 0, 3, "moves so far"),
)
VIEW = record(
    field("player", np.int8, 0, 1, "who looks"),
    field("own", np.int8, -1, 1, "the own moves, 0 left, 1 right; -1 not yet, or none", 2),
    field("n_moves", np.int8, 0, 3, "moves so far"),
)


@native
def start(state: Record, chance: Record) -> None:
    for move in range(3):
        state.moves[move] = -1


@native
def turn(state: Record) -> int:
    return OVER if state.n_moves == 3 else int(state.n_moves) % 2


@native
def legal(state: Record, actions: Any) -> int:
    actions[0], actions[1] = 0, 1
    return 2


@native
def step(state: Record, action: int, chance: Record) -> None:
    state.moves[state.n_moves] = action
    state.n_moves += 1


@native
def score(state: Record, scores: Any) -> None:
    won = PAYS[4 * int(state.moves[0]) + 2 * int(state.moves[1]) + int(state.moves[2])]
    scores[0], scores[1] = won, -won


@native
def observe(state: Record, player: int, view: Record) -> None:
    view.player = player
    view.own[0] = state.moves[player]
    view.own[1] = state.moves[2] if player == 0 else -1
    view.n_moves = state.n_moves


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    state.n_moves = view.n_moves
    for move in range(3):
        own = int(view.own[move // 2]) if move % 2 == player else draw(chance, 2)
        state.moves[move] = own if move < view.n_moves else -1


HIDDEN = Game(
    name="hidden_moves",
    title="Hidden moves",
    source="made for tests",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    describe=lambda view: f"You are player {view.player}.",
    action_name=lambda view, action: ("left", "right")[action],
    players=2,
    actions=2,
    longest=3,
    kind="zero sum",
    scores=(-3.0, 3.0),
)
