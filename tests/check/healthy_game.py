"""A tiny healthy game, from which the broken ones are made.

Two players get a card each from a small deck. Player 0 holds or bets, a coin is thrown for all to see,
player 1 holds or bets, player 0 once more. The higher card wins 1, and 1 more for each bet and for heads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER, Game, Option
from facedown.native import draw, field, native, record
from facedown.native.records import Record

HOLD, BET = 0, 1

STATE = record(
    field("cards", np.int8, 3, 4, "cards in the deck"),
    field("card", np.int8, 0, 3, "card of each player", 2),
    field("coin", np.int8, -1, 1, "the coin, 1 heads; -1 not thrown yet"),
    field("played", np.int8, -1, BET, "all moves so far; -1 not yet", 3),
    field("n_played", np.int8, 0, 3, "number of moves so far"),
    field("looked", np.int16, 0, 9999, "nothing; 0"),
)
VIEW = record(
    field("cards", np.int8, 3, 4, "cards in the deck"),
    field("player", np.int8, 0, 1, "the player who looks"),
    field("card", np.int8, 0, 3, "the own card"),
    field("coin", np.int8, -1, 1, "the coin, 1 heads; -1 not thrown yet"),
    field("played", np.int8, -1, BET, "all moves so far; -1 not yet", 3),
    field("n_played", np.int8, 0, 3, "number of moves so far"),
    field("note", np.int8, 0, 9, "nothing; 0"),
)


@native
def start(state: Record, chance: Record) -> None:
    first = draw(chance, int(state.cards))
    second = draw(chance, int(state.cards) - 1)
    state.card[0] = first
    state.card[1] = second + 1 if second >= first else second
    begin(state)


@native
def begin(state: Record) -> None:
    state.coin = -1
    for move in range(3):
        state.played[move] = -1


@native
def turn(state: Record) -> int:
    return OVER if state.n_played == 3 else int(state.n_played) % 2


@native
def legal(state: Record, actions: Any) -> int:
    actions[0] = HOLD
    actions[1] = BET
    return 2


@native
def step(state: Record, action: int, chance: Record) -> None:
    move(state, action)
    if state.n_played == 1:
        state.coin = draw(chance, 2)


@native
def move(state: Record, action: int) -> None:
    state.played[int(state.n_played)] = action
    state.n_played += 1


@native
def stake(state: Record) -> float:
    return 1.0 + state.played[0] + state.played[1] + state.played[2] + state.coin


@native
def score(state: Record, scores: Any) -> None:
    won = stake(state) if state.card[0] > state.card[1] else -stake(state)
    scores[0] = won
    scores[1] = -won


@native
def observe(state: Record, player: int, view: Record) -> None:
    view.cards = state.cards
    view.player = player
    view.card = state.card[player]
    view.note = 0
    copy_table(state, view)


@native
def copy_table(source: Record, target: Record) -> None:
    target.coin = source.coin
    target.n_played = source.n_played
    for index in range(3):
        target.played[index] = source.played[index]


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_table(view, state)
    own, other = int(view.card), draw(chance, int(view.cards) - 1)
    state.card[player] = own
    state.card[1 - player] = other + 1 if other >= own else other


def describe(view: Record) -> str:
    return f"You hold {view.card}; {view.n_played} moves so far."


def action_name(view: Record, action: int) -> str:
    return ("hold", "bet")[action]


HEALTHY = Game(
    name="healthy",
    title="A tiny game",
    source="made up for the tests",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    describe=describe,
    action_name=action_name,
    options=(Option("cards", 3, "cards in the deck", 3, 4),),
    players=2,
    actions=2,
    longest=3,
    kind="zero sum",
    scores=(-5.0, 5.0),
)
