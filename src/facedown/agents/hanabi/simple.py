"""The simple agents for Hanabi: two that look at their own cards, two that do what comes to their mind, one that is careful.

Source: W. Jarząbek & J. Leja, Wrocław 2020, sections 4.1 to 4.5; where its text and its program differ, the program.

`erratic` and `stopped_clock` put playing, hinting and discarding into a random order and do the first that is possible:
each of those that are possible is equally likely.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.hanabi.vocabulary import (
    KNOWN_CARD,
    NEVER,
    NONE,
    WORK,
    discard_or_tell,
    find_discards,
    find_obvious_play,
    hint_action,
    is_partly_known,
    is_playable,
    is_useless,
    is_wanted,
    known_slots,
    look_at_table,
    may_discard,
    may_hint,
    player_at,
    tell_leftmost_rank,
    tell_unknown,
)
from facedown.games.hanabi.cards import (
    DISCARD,
    FIRST_SUIT,
    MAX_HAND,
    MEMBERS,
    N_CARDS,
    NO_CARD,
    PLAY,
    RANK_FEATURES,
    RANK_OF,
    SUIT_OF,
)
from facedown.native import draw, field, native, record
from facedown.native.bits import count_bits
from facedown.native.jit import native_inline, unlikely
from facedown.native.records import Record

_U = np.uint64

MEMORY = record(*WORK)
CHEATER_MEMORY = record(*WORK, field("held", np.int8, 0, 25, "copies of each card in all hands", N_CARDS + 1))


@native_inline
def draw_slot(chance: Record, slots: int) -> int:
    """One of a set of slots, all equally likely."""
    return int(MEMBERS[_U(slots), _U(draw(chance, int(count_bits(slots))))])


# --- those who look at their own cards --------------------------------------------------------------------------------------


@native
def cheater(state: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    mover = int(state.mover)
    playable = 0
    for slot in range(int(state.n_held[mover])):
        playable |= (1 if is_playable(state, int(state.hands[mover, slot])) else 0) << slot
    if playable:
        return PLAY + draw_slot(chance, playable)
    if not may_discard(state):
        return int(tell_leftmost_rank(state, mover))
    return DISCARD + draw(chance, int(state.n_held[mover]))


@native
def smart_cheater(state: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    mover, n_tokens = int(state.mover), int(state.n_tokens)
    work = memory.view(CHEATER_MEMORY)[0]
    look_at_table(state, work)
    n_full = count_hands(state, work.held, work)
    best, best_worth = NONE, NEVER
    useless = NONE
    for slot in range(int(state.n_held[mover]) - 1, -1, -1):  # from the right, so that the leftmost wins
        card = int(state.hands[mover, slot])
        rank = int(RANK_OF[card])
        if is_playable(state, card):
            chain = rank < state.ranks and work.held[card + 1] > 0
            worth = rank - (NEVER if chain else 0)
            if worth <= best_worth:
                best, best_worth = slot, worth
        if is_useless(state, work, card):
            useless = slot
    if best != NONE:
        return PLAY + best
    if n_tokens > 1 + n_full:
        return stall(state, mover)
    if useless != NONE and may_discard(state):
        return DISCARD + useless
    if n_tokens > 0:
        return stall(state, mover)
    return DISCARD + find_dispensable(state, work, mover)


@native
def count_hands(state: Record, held: Any, work: Record) -> int:
    """Count the cards in all hands; how many players other than the mover hold no useless one."""
    n_full = 0
    held[:] = 0
    for player in range(int(state.players)):
        is_full = 1 if player != state.mover else 0
        for slot in range(int(state.n_held[player])):
            card = int(state.hands[player, slot])
            held[card] += 1
            is_full &= 0 if is_useless(state, work, card) else 1
        n_full += is_full
    return n_full


@native
def stall(state: Record, mover: int) -> int:
    """A hint to pass the time: the first rank that somebody does not know yet, else the suit of that card."""
    for distance in range(int(state.players) - 1):
        player = (mover + 1 + distance) % int(state.players)
        for slot in range(int(state.n_held[player])):
            if KNOWN_CARD[int(state.told[player, slot])] == NO_CARD:
                return int(tell_unknown(state, distance, player, slot))
    return int(tell_leftmost_rank(state, mover))


@native
def find_dispensable(state: Record, work: Record, mover: int) -> int:
    """A card that is in some hand a second time, else one with another copy left, else the highest; the leftmost of them."""
    highest, spare = NONE, NONE
    for slot in range(int(state.n_held[mover])):
        card = int(state.hands[mover, slot])
        if work.held[card] > 1:
            return slot
        if spare == NONE and work.left[card] > 1:
            spare = slot
        if highest == NONE or RANK_OF[card] > RANK_OF[int(state.hands[mover, highest])]:
            highest = slot
    return spare if spare != NONE else highest


# --- those who do what comes to their mind ----------------------------------------------------------------------------------


@native_inline
def find_revealed_play(view: Record) -> int:
    """The leftmost own card that is known wholly and playable, or NONE."""
    own, found = _U(view.player), NONE
    for slot in range(MAX_HAND - 1, -1, -1):
        found = slot if is_playable(view, int(KNOWN_CARD[_U(view.told[own, slot])])) else found  # no card is none that fits
    return found


@native_inline
def hint_anything(view: Record, chance: Record) -> int:
    """Tell somebody the rank or the suit of a card that is not known wholly, all equally likely as far as possible.

    Players come in random order, and so do their cards: any of the players with such a card is as likely as the others.
    """
    candidates, n_candidates = 0, 0
    for distance in range(int(view.players) - 1):
        other = _U(player_at(view, distance))
        unknown = ((1 << int(view.n_held[other])) - 1) & ~known_slots(view, other)
        # a byte for each candidate: the distance, and the slots
        candidates |= (distance << 5 | unknown if unknown else 0) << (8 * n_candidates)
        n_candidates += 1 if unknown else 0
    if unlikely(n_candidates == 0):
        distance = draw(chance, int(view.players) - 1)
        while view.n_held[player_at(view, distance)] == 0:  # somebody holds a card: `may_hint`
            distance = draw(chance, int(view.players) - 1)
        return hint_action(distance, FIRST_SUIT + int(SUIT_OF[int(view.hands[player_at(view, distance), 0])]))
    chosen = candidates >> (8 * draw(chance, n_candidates)) & 255
    distance = chosen >> 5
    player, slot = _U(player_at(view, distance)), _U(draw_slot(chance, chosen & 31))
    told, card = int(view.told[player, slot]), _U(view.hands[player, slot])
    rank_hint, suit_hint = int(RANK_OF[card]) - 1, FIRST_SUIT + int(SUIT_OF[card])
    picked = suit_hint if draw(chance, 2) else rank_hint
    unknown_one = suit_hint if told & RANK_FEATURES else rank_hint
    return hint_action(distance, unknown_one if told else picked)


@native
def erratic(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    own = _U(view.player)
    hints = 1 if may_hint(view, own) else 0
    discards = 1 if may_discard(view) else 0
    choice = draw(chance, 1 + hints + discards)
    if (choice == 1) & (hints == 1):
        return hint_anything(view, chance)
    # nobody can foresee the choice, the processor neither: so there is no branch between playing and discarding
    if unlikely(known_slots(view, own) & (choice - 1 >> 1) != 0):  # all bits, or none
        slot = find_revealed_play(view)
        if slot != NONE:
            return PLAY + slot
    return (PLAY if choice == 0 else DISCARD) + draw(chance, int(view.n_held[own]))


@native
def stopped_clock(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    slot = find_revealed_play(view)
    plays = 1 if slot != NONE else 0
    hints = 1 if may_hint(view, int(view.player)) else 0
    discards = 1 if view.n_tokens < view.tokens else 0
    if plays + hints + discards == 0:
        return int(actions[0])  # all tokens there, and nobody to hint to
    choice = draw(chance, plays + hints + discards)
    if choice == 0 and plays:
        return PLAY + slot
    if choice == plays and hints:
        return hint_anything(view, chance)
    return DISCARD + draw_slot(chance, least_known(view))


@native
def least_known(view: Record) -> int:
    """The own slots of which nothing is known; without any those that are partly known; else all."""
    player = int(view.player)
    untouched, partly = 0, 0
    for slot in range(int(view.n_held[player])):
        told = int(view.told[player, slot])
        untouched |= (1 if told == 0 else 0) << slot
        partly |= (1 if is_partly_known(told) else 0) << slot
    if untouched:
        return untouched
    return partly if partly else (1 << int(view.n_held[player])) - 1


# --- the careful one ----------------------------------------------------------------------------------------------------------


@native
def simple_distrustful(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    action = careful_move(view)
    if action != NONE:
        return action
    own, work = int(view.player), memory.view(MEMORY)[0]
    look_at_table(view, work)
    slots = find_discards(view, work, view.told, own, 1 << own, own)
    slot = draw_slot(chance, slots)
    return discard_or_tell(view, slot)


@native
def careful_move(view: Record) -> int:
    """The play or the hint that it decides on, or NONE: then it discards."""
    slot = find_obvious_play(view, view.told, int(view.player))
    if slot != NONE:
        return PLAY + slot
    return int(tell_lowest(view)) if view.n_tokens >= 2 else NONE


@native
def tell_lowest(view: Record) -> int:
    """Tell of the lowest card that is still wanted, not known wholly, and not pointed out in a third hand; or NONE."""
    best, best_rank = NONE, NEVER
    for distance in range(int(view.players) - 1):
        player = player_at(view, distance)
        for slot in range(int(view.n_held[player])):
            card, told = int(view.hands[player, slot]), int(view.told[player, slot])
            is_lower = RANK_OF[card] < best_rank and KNOWN_CARD[told] == NO_CARD
            if is_lower and is_wanted(view, card) and not is_touched_elsewhere(view, card, player):
                best, best_rank = tell_unknown(view, distance, player, slot), int(RANK_OF[card])
    return best


@native
def is_touched_elsewhere(view: Record, card: int, receiver: int) -> bool:
    """Whether somebody other than the receiver of a hint holds the same card, and was told something of it."""
    for distance in range(int(view.players) - 1):
        player = player_at(view, distance)
        if player != receiver:
            for slot in range(int(view.n_held[player])):
                if view.hands[player, slot] == card and view.told[player, slot] != 0:
                    return True
    return False
