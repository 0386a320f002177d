"""The rules of Hanabi: deal, play, discard, hint.

The deck is a set of 50 bits in no order: a card is drawn when it is needed, any copy equally likely, which comes to the
same as a shuffle and leaves nobody an order to look at. Of equal cards the lowest bit is taken, so that states
that are alike have the same bytes.

Which of the moves is made is as hard to predict as the players, and a wrong guess of the processor costs as much as a
move. So there is one branch between hints and cards, and few inside.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER
from facedown.games.hanabi.cards import (
    AIM_OF,
    ALIKE,
    ALL_FEATURES,
    AS_RULES,
    CARD_AT,
    COPIES_AT,
    DECK_SIZE,
    DISCARD,
    FEATURE_OF,
    FEATURES_OF,
    FIRST_SUIT,
    HINT,
    MAX_DEALT,
    MAX_HAND,
    MAX_RANKS,
    MAX_SUITS,
    N_FEATURES,
    NO_CARD,
    PLAY,
    RANK_FEATURES,
    RANK_HINTS,
    RANK_OF,
    STAYS_OPEN,
    SUIT_HINTS,
    SUIT_OF,
    THESIS,
    WHOLE_DECK,
)
from facedown.native import draw, native
from facedown.native.bits import count_bits, first_bit, pick_bit
from facedown.native.chance import draw_falling
from facedown.native.jit import integer_room, native_inline, unlikely
from facedown.native.records import Record

_U = np.uint64
_1 = _U(1)

# --- setting up -------------------------------------------------------------------------------------------------------------


@native
def start(state: Record, chance: Record) -> None:
    thesis = 1 if state.rules == THESIS else 0
    state.hints_empty = thesis if state.empty_hints == AS_RULES else int(state.empty_hints) - 1
    state.discards_at_max = thesis if state.discard_at_max == AS_RULES else int(state.discard_at_max) - 1
    state.bomb_is_zero = 0 if state.bomb == AS_RULES else int(state.bomb) - 1
    state.slot_freed = thesis if state.slot == AS_RULES else int(state.slot) - 1
    state.born_in_rounds = thesis if state.age == AS_RULES else int(state.age) - 1
    state.n_tokens = state.tokens
    state.n_lives = state.lives
    state.rest = WHOLE_DECK[int(state.suits), int(state.ranks)]
    state.n_deck = DECK_SIZE[int(state.suits), int(state.ranks)]
    n_players, n_each = int(state.players), int(state.hand)
    if n_each == 0:
        n_each = 5 if n_players <= 3 else 4
    deal(state, n_players, n_each, chance)


@native_inline
def deal(state: Record, n_players: int, n_each: int, chance: Record) -> None:
    """Deal as many cards to each.

    As `take` for each of them, but `there` loses the bits that are found: to the next draw it does not matter which of
    equal cards is gone, and it need not wait for what becomes of this one.
    """
    rest, n_drawn, features = state.rest, 0, nothing_told(state)
    there, n_deck = rest, int(state.n_deck)
    places = integer_room(MAX_DEALT)
    draw_falling(chance, n_deck, n_players * n_each, places)
    counts_draws = 0 if state.born_in_rounds else 1
    for player in range(n_players):
        holds = 0
        for slot in range(n_each):
            found = pick_bit(there, places[_U(n_drawn)])
            there ^= found
            bit = _U(first_bit(found))
            card = int(CARD_AT[bit])
            rest = without_first(rest, ALIKE[bit])
            put_card(state, _U(player), _U(slot), card, features, n_drawn * counts_draws)
            holds |= int(FEATURES_OF[_U(card)])
            n_drawn += 1
        state.n_held[player] = n_each
        state.holds[player] = holds
    state.rest = rest
    state.n_deck = n_deck - n_drawn


@native_inline
def put_card(state: Record, player: Any, slot: Any, card: int, features: int, born: int) -> None:
    """A card that nobody was told anything of: it can have all `features`."""
    state.hands[player, slot] = card
    state.told[player, slot] = 0
    state.open[player, slot] = features
    state.born[player, slot] = born


@native_inline
def nothing_told(state: Record) -> int:
    """All features that there are."""
    return int(ALL_FEATURES[_U(state.suits), _U(state.ranks)])


@native_inline
def note_features(state: Record, player: Any) -> None:
    """What the player could be told of."""
    features = 0
    for slot in range(MAX_HAND):
        features |= int(FEATURES_OF[_U(state.hands[player, slot])])
    state.holds[player] = features


# --- the deck ---------------------------------------------------------------------------------------------------------------


@native_inline
def take(state: Record, chance: Record) -> int:
    """A card from the deck; all copies are equally likely."""
    n_deck = int(state.n_deck)
    state.n_deck = n_deck - 1
    return take_place(state, draw(chance, n_deck))


@native_inline
def take_place(state: Record, place: int) -> int:
    """Take out the card at a place of the deck, counted over the bits that are set."""
    bit = _U(first_bit(pick_bit(state.rest, place)))
    state.rest = without_first(state.rest, ALIKE[bit])
    return int(CARD_AT[bit])


@native_inline
def take_copy(state: Record, card: int) -> None:
    """Take out the first copy of a card that is in the deck."""
    state.rest = without_first(state.rest, COPIES_AT[card])


@native_inline
def without_first(rest: Any, alike: Any) -> Any:
    """A deck without the first of equal cards that is in it."""
    copies = rest & alike
    return rest ^ (copies & (~copies + _1))


# --- moves ------------------------------------------------------------------------------------------------------------------


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def legal(state: Record, actions: Any) -> int:
    mover, n_players = int(state.mover), int(state.players)
    n_held, n_tokens = int(state.n_held[_U(mover)]), int(state.n_tokens)
    for slot in range(MAX_HAND):
        actions[slot] = PLAY + slot
    n = n_held
    for slot in range(MAX_HAND):
        actions[_U(n + slot)] = DISCARD + slot
    n += n_held if (n_tokens < state.tokens) | (state.discards_at_max != 0) else 0
    if n_tokens > 0:
        every = nothing_told(state) if state.hints_empty else 0
        target = mover
        for distance in range(n_players - 1):
            target = target + 1 if target + 1 < n_players else 0
            features = int(state.holds[_U(target)]) | every
            ranks, suits = _U(features & RANK_FEATURES), _U(features >> FIRST_SUIT)
            # without a branch for each: too many are written, and the next ones over them
            for at in range(MAX_RANKS):
                actions[_U(n + at)] = RANK_HINTS[_U(distance), ranks, at]
            n += count_bits(ranks)
            for at in range(MAX_SUITS):
                actions[_U(n + at)] = SUIT_HINTS[_U(distance), suits, at]
            n += count_bits(suits)
    return n


@native
def allows(state: Record, action: int) -> int:
    mover, n_players, n_tokens = int(state.mover), int(state.players), int(state.n_tokens)
    if action >= HINT:
        if unlikely(action >= HINT + N_FEATURES * (n_players - 1)):
            return 0
        aimed = mover + int(AIM_OF[_U(action)])
        features = int(state.holds[_U(aimed - n_players if aimed >= n_players else aimed)])
        features |= nothing_told(state) if state.hints_empty else 0
        return features >> int(FEATURE_OF[_U(action)]) & (1 if n_tokens > 0 else 0)
    plays = 1 if action < DISCARD else 0
    slot = action - (PLAY if plays else DISCARD)
    held = 1 if (slot >= 0) & (slot < int(state.n_held[_U(mover)])) else 0
    return held & (plays | (1 if (n_tokens < state.tokens) | (state.discards_at_max != 0) else 0))


@native
def step(state: Record, action: int, chance: Record) -> None:
    mover, n_players, at = int(state.mover), int(state.players), int(state.n_moves)
    last_round = state.n_deck == 0
    state.moves[_U(at)] = action
    state.n_moves = at + 1
    if action >= HINT:
        hint(state, mover, action)
    else:
        lay(state, _U(mover), at, action, chance)
    state.turns_left = int(state.turns_left) - 1 if last_round else n_players if state.n_deck == 0 else 0
    over = (state.n_lives == 0) | (state.n_points == int(state.suits) * int(state.ranks))
    over |= last_round & (state.turns_left == 0)
    state.mover = mover + 1 if mover + 1 < n_players else 0
    if unlikely(over):  # a branch, so that the next move does not have to wait for what came of this one
        state.mover = OVER


@native_inline
def hint(state: Record, mover: int, action: int) -> None:
    """Point out all cards of a player that have a feature."""
    n_players, feature = int(state.players), int(FEATURE_OF[_U(action)])
    aimed = mover + int(AIM_OF[_U(action)])
    target = _U(aimed - n_players if aimed >= n_players else aimed)
    stays = STAYS_OPEN[_U(feature)]
    touched, news = 0, 0
    for slot in range(MAX_HAND):
        has = int(FEATURES_OF[_U(state.hands[target, slot])]) >> feature & 1
        told = int(state.told[target, slot])
        touched |= has << slot
        news |= (has & ~(told >> feature)) << slot
        state.told[target, slot] = told | has << feature
        state.open[target, slot] = int(state.open[target, slot]) & int(stays[_U(has)])
    state.touched = touched
    state.news = news
    state.n_tokens = int(state.n_tokens) - 1


@native_inline
def lay(state: Record, mover: Any, at: int, action: int, chance: Record) -> None:
    """Play or discard a card, as move number `at`, and draw another one."""
    plays = 1 if action < DISCARD else 0
    slot = action - (PLAY if plays else DISCARD)
    card = _U(state.hands[mover, _U(slot)])
    suit, rank = _U(SUIT_OF[card]), int(RANK_OF[card])
    height, n_tokens = int(state.piles[suit]), int(state.n_tokens)
    fits = plays & (1 if height == rank - 1 else 0)
    state.piles[suit] = height + fits
    state.n_points = int(state.n_points) + fits
    state.discarded[card] = int(state.discarded[card]) + 1 - fits
    state.n_lives = int(state.n_lives) - (plays & ~fits)
    # a discard gives a token, and so does the last card of a suit: that is rare, and nobody has to wait for it
    n_tokens += 1 - plays
    if unlikely((fits == 1) & (rank == state.ranks)):
        n_tokens += 1
    state.n_tokens = min(n_tokens, int(state.tokens))
    state.shown[_U(at)] = card
    state.touched = 0
    state.news = 0
    replace(state, mover, at, slot, chance)


@native_inline
def replace(state: Record, mover: Any, at: int, slot: int, chance: Record) -> None:
    """Draw a card for the one that was laid down, as long as there are any."""
    n_deck, end = int(state.n_deck), int(state.n_held[mover]) - 1
    drawn, features, born = NO_CARD, 0, 0
    if n_deck > 0:
        n_dealt = int(DECK_SIZE[_U(state.suits), _U(state.ranks)]) - n_deck
        born = at // int(state.players) if state.born_in_rounds else n_dealt
        drawn, features = take(state, chance), nothing_told(state)
        if state.slot_freed:
            put_card(state, mover, _U(slot), drawn, features, born)
            note_features(state, mover)
            return
    holds = FEATURES_OF[_U(drawn)]
    for place in range(MAX_HAND - 1):
        source = _U(place + (1 if place >= slot else 0))
        card = state.hands[mover, source]
        holds |= FEATURES_OF[_U(card)]
        state.hands[mover, place] = card
        state.told[mover, place] = state.told[mover, source]
        state.open[mover, place] = state.open[mover, source]
        state.born[mover, place] = state.born[mover, source]
    put_card(state, mover, _U(end), drawn, features, born)
    state.n_held[mover] = end + (1 if n_deck > 0 else 0)
    state.holds[mover] = holds
