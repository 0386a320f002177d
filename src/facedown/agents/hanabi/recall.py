"""What others' last moves say of one's own hand: whether a blueprint would have made them, had the hand been this one.

A view of Hanabi has all moves and all cards that they laid open. So a hand that is supposed now says which hand it was when
others moved, and what they saw. Whoever keeps the own earlier views, and the public records that belonged to them, can ask the
blueprint what it would have done then.
"""

from __future__ import annotations

from typing import Any

from facedown.games.hanabi.beliefs import count_unseen, gather
from facedown.games.hanabi.cards import DECK_SIZE, DISCARD, HINT, MAX_HAND, N_CARDS, PLAY
from facedown.games.hanabi.rules import note_features
from facedown.native import copy_shared, native
from facedown.native.jit import integer_room
from facedown.native.records import Record

N_UNSEEN = N_CARDS + 1

roll_out: Any = None  # of `lookahead`


@native
def hand_before(state: Record, player: int, n_moves: int, hand: Any) -> None:
    """The cards that a player held when so many moves were made, by those held now and by those laid down since."""
    n_players, held = int(state.players), int(state.n_held[player])
    for slot in range(MAX_HAND):
        hand[slot] = state.hands[player, slot]
    size = int(state.hand) if state.hand > 0 else 5 if n_players <= 3 else 4
    n_to_draw = int(DECK_SIZE[int(state.suits), int(state.ranks)]) - n_players * size
    n_laid = 0
    for move in range(int(state.n_moves)):
        n_laid += 1 if state.moves[move] < HINT else 0
    for move in range(int(state.n_moves) - 1, n_moves - 1, -1):
        action = int(state.moves[move])
        n_laid -= 1 if action < HINT else 0
        if action >= HINT or move % n_players != player:
            continue
        slot = action - DISCARD if action >= DISCARD else action - PLAY
        was_drawn = n_laid < n_to_draw
        held += 0 if was_drawn else 1
        if not (was_drawn and state.slot_freed):
            for place in range(held - 1, slot, -1):
                hand[place] = hand[place - 1]
        hand[slot] = state.shown[move]


@native
def go_back(then: Record, world: Record, state: Record) -> None:
    """The state at an earlier view of one's own, if the world is now as supposed."""
    own, unseen = int(then.player), integer_room(N_UNSEEN)
    copy_shared(then, state)
    for player in range(int(then.players)):
        for slot in range(MAX_HAND):
            state.hands[player, slot] = then.hands[player, slot]
    hand_before(world, own, int(then.n_moves), state.hands[own])
    count_unseen(then, unseen)
    for slot in range(int(then.n_held[own])):
        unseen[int(state.hands[own, slot])] -= 1
    gather(then, unseen, state)
    for player in range(int(then.players)):
        note_features(state, player)


def is_surprised(
    then: Record, world: Record, state: Record, room: Any, facts: Record, params: Any, nothing: Any, chance: Record
) -> int:
    """Whether others did what the blueprint would not have done, after an earlier view of one's own: 1 or 0.

    The public record of that time is in the room of `lookahead`.
    """
    n_players, first = int(then.players), int(then.n_moves)
    go_back(then, world, state)
    end = min(first + n_players, int(world.n_moves))
    for move in range(first, end):
        action, mover = int(world.moves[move]), move % n_players
        made = roll_out(state, action if move == first else -1, 1, room, facts, params, nothing, chance)
        if made != action:
            return 1
        if move + 1 < end:  # what was drawn is known by now, or supposed
            hand_before(world, mover, move + 1, state.hands[mover])
            note_features(state, mover)
    return 0
