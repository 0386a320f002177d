"""A tiny game in which nothing is hidden, and broken ones whose positions are not what they declare.

The healthy one: two players in turn throw a coin as often as they like; heads is one more in hand, tails loses the hand and the
turn. Who stops banks the hand, and with three banked the game is won; the score is how many throws it took the loser's way.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import healthy_game
import numpy as np

from facedown.games.contract import OVER, Game
from facedown.native import copy_shared, draw, field, native, record
from facedown.native.records import Record

STOP, THROW = 0, 1
GOAL = 3
MAX_TURNS = 400

_TABLE = (
    field("mover", np.int8, OVER, 1, "player to move; -1 the game is over"),
    field("hand", np.int8, 0, GOAL, "heads in hand"),
    field("banked", np.int8, 0, GOAL, "heads that each player has banked", 2),
    field("n_won", np.int16, 0, 30000, "heads that player 0 has thrown, minus those of player 1, plus 15000"),
    field("n_throws", np.int16, 0, 30000, "throws so far"),
    field("odd", np.int8, 0, 9, "nothing; 0"),
)
STATE = record(*_TABLE)
VIEW = record(field("player", np.int8, 0, 1, "the player who looks"), *_TABLE)
EVEN = 15000


@native
def start(state: Record, chance: Record) -> None:
    state.n_won = EVEN


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def legal(state: Record, actions: Any) -> int:
    if state.hand == 0:
        actions[0] = THROW
        return 1
    actions[0] = STOP
    actions[1] = THROW
    return 2


@native
def step(state: Record, action: int, chance: Record) -> None:
    mover = int(state.mover)
    if action == THROW:
        state.n_throws += 1
        if draw(chance, 2) == 1:
            state.hand += 1
            state.n_won += 1 if mover == 0 else -1
            if state.hand + state.banked[mover] < GOAL:
                return
        else:
            state.hand = 0
    state.banked[mover] += state.hand
    state.hand = 0
    state.mover = 1 - mover
    if state.banked[mover] >= GOAL or state.n_throws >= MAX_TURNS:
        state.mover = OVER


@native
def score(state: Record, scores: Any) -> None:
    """Heads of player 0 beyond those of player 1: earned throw by throw, so nobody has to remember them."""
    scores[0] = float(int(state.n_won) - EVEN)
    scores[1] = -scores[0]


@native
def settle(state: Record) -> None:
    state.n_throws = 0
    state.n_won = EVEN


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)


def describe(view: Record) -> str:
    return f"{view.hand} in hand, {view.banked[0]} and {view.banked[1]} banked, {view.n_throws} throws, {view.n_won}."


def action_name(view: Record, action: int) -> str:
    return ("stop", "throw")[action]


OPEN = Game(
    name="open",
    title="A tiny open game",
    source="made up for the tests",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    settle=settle,
    observe=observe,
    imagine=imagine,
    describe=describe,
    action_name=action_name,
    players=2,
    actions=2,
    longest=2 * MAX_TURNS,
    kind="zero sum",
    scores=(-float(MAX_TURNS), float(MAX_TURNS)),
    perfect_information=True,
    perfect_recall=False,
)

FAULTS: dict[str, tuple[str, Game]] = {}
"""For each fault: the check that must find it, and the game."""


def broken(name: str, found_by: str, **changes: Any) -> None:
    """The open game with one fault."""
    FAULTS[name] = found_by, dataclasses.replace(OPEN, name=name, **changes)


@native
def settle_hand(state: Record) -> None:
    settle(state)
    state.hand = min(int(state.hand), 1)


broken("settle_that_forgets_the_hand", "settle", settle=settle_hand)


@native
def settle_turn(state: Record) -> None:
    settle(state)
    state.mover = 0


broken("settle_that_passes_the_dice", "settle", settle=settle_turn)


@native
def settle_and_on(state: Record) -> None:
    settle(state)
    state.odd = (int(state.odd) + 1) % 10


broken("settle_that_goes_on", "settle", settle=settle_and_on)


@native
def score_squared(state: Record, scores: Any) -> None:
    """What is earned is not added up here, so it cannot be forgotten."""
    ahead = float(int(state.n_won) - EVEN)
    scores[0] = ahead * abs(ahead)
    scores[1] = -scores[0]


broken("settle_that_loses_points", "settle", score=score_squared, scores=(-160000.0, 160000.0))


@native
def observe_without_hand(state: Record, player: int, view: Record) -> None:
    observe(state, player, view)
    if player != state.mover:
        view.hand = 0


@native
def imagine_hand(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)
    if player != view.mover:
        state.hand = draw(chance, 2)


broken(
    "a_view_that_hides_the_hand",
    "perfect information",
    observe=observe_without_hand,
    imagine=imagine_hand,
    exact_imagine=False,
)

FAULTS["a_hidden_card_declared_open"] = (
    "perfect information",
    dataclasses.replace(healthy_game.HEALTHY, name="a_hidden_card_declared_open", perfect_information=True),
)
