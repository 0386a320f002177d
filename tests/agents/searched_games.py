"""Two small games to search: one without secrets, whose winning moves are known, and one where hands decide what is legal."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER, Game, Option
from facedown.native import draw, field, native, record
from facedown.native.records import Record

# --- Nim: who takes the last of a heap of stones wins; one to three are taken at a time ------------------------------------

MAX_STONES = 21
_HEAP = (
    field("stones", np.int8, 1, MAX_STONES, "stones at the beginning"),
    field("left", np.int8, 0, MAX_STONES, "stones that are left"),
    field("mover", np.int8, 0, 1, "player to move, or who would be"),
)


@native
def lay_heap(state: Record, chance: Record) -> None:
    state.left = state.stones


@native
def nim_turn(state: Record) -> int:
    return int(state.mover) if state.left > 0 else OVER


@native
def nim_legal(state: Record, actions: Any) -> int:
    n = min(3, int(state.left))
    for choice in range(n):
        actions[choice] = choice
    return n


@native
def take(state: Record, action: int, chance: Record) -> None:
    state.left -= action + 1
    state.mover = 1 - state.mover


@native
def nim_score(state: Record, scores: Any) -> None:
    scores[int(state.mover)] = 0.0
    scores[1 - int(state.mover)] = 1.0


@native
def look_at_heap(state: Record, player: int, view: Record) -> None:
    view.stones, view.left, view.mover, view.player = state.stones, state.left, state.mover, player


@native
def copy_heap(view: Record, player: int, chance: Record, state: Record) -> None:
    state.left, state.mover = view.left, view.mover


NIM = Game(
    name="nim",
    title="Nim",
    source="C. Bouton, Nim, a game with a complete mathematical theory, 1901",
    state=record(*_HEAP),
    view=record(*_HEAP, field("player", np.int8, 0, 1, "the player who looks")),
    start=lay_heap,
    turn=nim_turn,
    legal=nim_legal,
    step=take,
    score=nim_score,
    observe=look_at_heap,
    imagine=copy_heap,
    describe=lambda view: f"{view.left} stones are left.",
    action_name=lambda view, action: f"take {action + 1}",
    options=(Option("stones", 10, "stones at the beginning", 1, MAX_STONES),),
    players=2,
    actions=3,
    longest=MAX_STONES,
    kind="constant sum",
    total=1.0,
    scores=(0.0, 1.0),
)

# --- Hands: two of five cards each; in turn each lays one, twice; the score is the first card minus the second ------------

N_CARDS = 5
NO_CARD = -1
_LAID = field("laid", np.int8, NO_CARD, N_CARDS - 1, "cards laid so far, in order; -1 not yet", 4)
_N_LAID = field("n_laid", np.int8, 0, 4, "number of cards laid")


@native
def deal(state: Record, chance: Record) -> None:
    fill_hands(state, -1, chance)
    for place in range(4):
        state.laid[place] = NO_CARD


@native
def fill_hands(state: Record, keeps: int, chance: Record) -> None:
    """Deal the unknown cards; `keeps` names the player whose hand is known, or is -1."""
    for player in range(2):
        for place in range(2):
            if player != keeps and state.hand[player, place] == 0:
                while state.hand[player, place] == 0:
                    card = draw(chance, N_CARDS)
                    taken = False
                    for other in range(4):
                        taken |= state.hand[other // 2, other % 2] == card + 1
                    state.hand[player, place] = 0 if taken else card + 1


@native
def hands_turn(state: Record) -> int:
    return int(state.n_laid) % 2 if state.n_laid < 4 else OVER


@native
def was_laid(laid: Any, card: int) -> bool:
    found = False
    for place in range(4):
        found |= laid[place] == card
    return bool(found)


@native
def hands_legal(state: Record, actions: Any) -> int:
    n = 0
    for card in range(N_CARDS):
        for place in range(2):
            if state.hand[int(state.n_laid) % 2, place] == card + 1 and not was_laid(state.laid, card):
                actions[n] = card
                n += 1
    return n


@native
def lay_card(state: Record, action: int, chance: Record) -> None:
    state.laid[int(state.n_laid)] = action
    state.n_laid += 1


@native
def hands_score(state: Record, scores: Any) -> None:
    for player in range(2):
        scores[player] = int(state.laid[player]) - int(state.laid[2 + player])


@native
def look_at_hand(state: Record, player: int, view: Record) -> None:
    view.player = player
    for place in range(2):
        view.hand[place] = state.hand[player, place]
    for place in range(4):
        view.laid[place] = state.laid[place]
    view.n_laid = state.n_laid


@native
def imagine_hands(view: Record, player: int, chance: Record, state: Record) -> None:
    for place in range(2):
        state.hand[player, place] = view.hand[place]
    n_shown = 0
    for place in range(int(view.n_laid)):
        if place % 2 != player:
            state.hand[1 - player, n_shown] = int(view.laid[place]) + 1
            n_shown += 1
    fill_hands(state, player, chance)
    for place in range(4):
        state.laid[place] = view.laid[place]
    state.n_laid = view.n_laid


HANDS = Game(
    name="hands",
    title="Hands",
    source="made up, so that what is legal depends on what is hidden",
    state=record(field("hand", np.int8, 0, N_CARDS, "cards of each player, from 1; 0 not dealt", (2, 2)), _LAID, _N_LAID),
    view=record(
        field("player", np.int8, 0, 1, "the player who looks"),
        field("hand", np.int8, 0, N_CARDS, "the own cards, from 1", 2),
        _LAID,
        _N_LAID,
    ),
    start=deal,
    turn=hands_turn,
    legal=hands_legal,
    step=lay_card,
    score=hands_score,
    observe=look_at_hand,
    imagine=imagine_hands,
    describe=lambda view: f"You were dealt {view.hand[0] - 1} and {view.hand[1] - 1}.",
    action_name=lambda view, action: f"lay {action}",
    players=2,
    actions=N_CARDS,
    longest=4,
    kind="general",
    scores=(-(N_CARDS - 1.0), N_CARDS - 1.0),
    exact_imagine=False,
)
