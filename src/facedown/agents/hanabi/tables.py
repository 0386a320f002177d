"""What everybody knows of everybody's cards: public tables as sets of bits, for `information` and for searches on it.

In every table a possible card weighs as many copies as are not shown, the same in all tables. So the table of a slot is a
set of 25 bits, and one count of the copies that are left serves all; as two planes of bits it makes the weight of a set two
population counts. Heights of piles are packed into a number too, four bits each, so that boards to come can be tried out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.hanabi.cards import (
    COPIES_OF,
    FEATURES_OF,
    FIRST_SUIT,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_RANKS,
    MAX_SUITS,
    N_CARDS,
    N_FEATURES,
    NO_CARD,
    SUIT_OF,
)
from facedown.native import field, native, record
from facedown.native.bits import count_bits, first_bit
from facedown.native.jit import native_inline
from facedown.native.records import Record

ALL_CARDS = (1 << N_CARDS) - 1
FULL_SUIT = (1 << MAX_RANKS) - 1
FIRST_CARDS = sum(1 << MAX_RANKS * suit for suit in range(MAX_SUITS))
HEIGHT_BITS, HEIGHT = 4, 15

COMMON = (
    field("once", np.int32, 0, ALL_CARDS, "cards of which one or three copies are not shown, a bit each"),
    field("twice", np.int32, 0, ALL_CARDS, "cards of which two or three copies are not shown, a bit each"),
    field("tables", np.int32, 0, ALL_CARDS, "the cards that each slot may hold, a bit each", (MAX_PLAYERS, MAX_HAND)),
    field("held", np.int32, 0, MAX_HAND, "how many cards each player holds", MAX_PLAYERS),
)
PUBLIC = record(*COMMON)

# the cards that have a feature
HAVING = np.array(
    [sum(1 << card - 1 for card in range(1, N_CARDS + 1) if FEATURES_OF[card] >> feature & 1) for feature in range(N_FEATURES)],
    np.int64,
)
RANK_BITS = HAVING[:MAX_RANKS]
SUIT_BITS = HAVING[FIRST_SUIT:]
# by the cards of a suit that are left, from the next one on: how many can still be played in a row
IN_A_ROW = np.array([(~bits & (bits + 1)).bit_length() - 1 for bits in range(1 << MAX_RANKS)], np.int64)


@native_inline
def weigh(cards: int, once: int, twice: int) -> int:
    """How many copies of these cards are left."""
    return count_bits(cards & once) + 2 * count_bits(cards & twice)


@native_inline
def is_one(cards: int) -> bool:
    """Whether a set has a single card."""
    return cards & (cards - 1) == 0


@native_inline
def suits_in(cards: int) -> int:
    """The suits of a set, a bit each, at the place of the first card of the suit."""
    return (cards | cards >> 1 | cards >> 2 | cards >> 3 | cards >> 4) & FIRST_CARDS


@native_inline
def ranks_in(cards: int) -> int:
    """The ranks of a set, a bit each."""
    return (cards | cards >> 5 | cards >> 10 | cards >> 15 | cards >> 20) & FULL_SUIT


@native
def pack_heights(view: Record) -> int:
    """The heights of all piles in one number."""
    heights = 0
    for suit in range(MAX_SUITS):
        heights |= int(view.piles[suit]) << HEIGHT_BITS * suit
    return heights


@native
def playable_cards(heights: int, n_suits: int, n_ranks: int) -> int:
    """The next card of each pile."""
    cards = 0
    for suit in range(n_suits):
        height = heights >> HEIGHT_BITS * suit & HEIGHT
        cards |= (1 if height < n_ranks else 0) << MAX_RANKS * suit + height
    return cards


@native
def live_cards(heights: int, left: int) -> int:
    """The cards that can still count a point: those above the piles, up to the first of which all copies are gone."""
    cards = 0
    for suit in range(MAX_SUITS):
        height = heights >> HEIGHT_BITS * suit & HEIGHT
        following = (left >> MAX_RANKS * suit & FULL_SUIT) >> height
        cards |= (1 << IN_A_ROW[following]) - 1 << MAX_RANKS * suit + height
    return cards


@native
def cards_open(features: int) -> int:
    """The cards that hints leave possible."""
    ranks, suits = 0, 0
    for feature in range(MAX_RANKS):
        if features >> feature & 1:
            ranks |= RANK_BITS[feature]
        if features >> FIRST_SUIT + feature & 1:
            suits |= SUIT_BITS[feature]
    return ranks & suits


@native
def begin_tables(view: Record, known: Record) -> None:
    """After the deal, everything is possible."""
    once, twice = 0, 0
    for card in range(1, N_CARDS + 1):
        copies = int(COPIES_OF[int(view.ranks), card]) if SUIT_OF[card] < view.suits else 0
        once |= (copies & 1) << card - 1
        twice |= (copies >> 1) << card - 1
    known.once, known.twice = once, twice
    for player in range(int(view.players)):
        known.held[player] = view.n_held[player]
        for slot in range(int(view.n_held[player])):
            known.tables[player, slot] = once | twice


@native_inline
def without_copy(once: int, twice: int, bit: int) -> Any:
    """The planes with one copy of a card less."""
    borrowed = bit & ~once
    return once ^ bit, twice & ~borrowed


@native
def show_card(view: Record, known: Record, player: int, slot: int, card: int) -> None:
    """A card was laid open: the slot is gone, a new one comes where one was drawn, and there is a copy less for all tables."""
    held = int(known.held[player])
    drawn = int(view.n_held[player]) == held
    left = int(known.once) | int(known.twice)
    if view.slot_freed and drawn:
        known.tables[player, slot] = left
    else:
        for place in range(slot, held - 1):
            known.tables[player, place] = known.tables[player, place + 1]
        known.tables[player, held - 1] = left if drawn else 0
        known.held[player] = held if drawn else held - 1
    known.once, known.twice = without_copy(int(known.once), int(known.twice), 1 << card - 1)


@native
def mend_tables(view: Record, known: Record) -> None:
    """Drop cards that are all shown; a slot that nothing fits, because somebody erred, is as hints have left it."""
    left = int(known.once) | int(known.twice)
    for player in range(int(view.players)):
        for slot in range(int(known.held[player])):
            cards = int(known.tables[player, slot]) & left
            if cards == 0:
                cards = cards_open(int(view.open[player, slot])) & left
            known.tables[player, slot] = cards


@native
def settle_tables(view: Record, known: Record) -> None:
    """Take a card that is known to lie in as many slots as there are copies left out of all other tables, to a fixpoint."""
    once, twice = int(known.once), int(known.twice)
    done = 0
    while True:
        single, double, triple = 0, 0, 0
        for player in range(int(view.players)):
            for slot in range(int(known.held[player])):
                cards = int(known.tables[player, slot])
                if is_one(cards):
                    triple |= double & cards
                    double |= single & cards
                    single |= cards
        placed = (single & once & ~twice) | (double & twice & ~once) | (triple & once & twice)
        placed &= ~done
        if placed == 0:
            return
        done |= placed
        for player in range(int(view.players)):
            for slot in range(int(known.held[player])):
                cards = int(known.tables[player, slot])
                if not is_one(cards) and cards & ~placed != 0:
                    known.tables[player, slot] = cards & ~placed


@native
def is_useless(known: Record, player: int, slot: int, live: int) -> bool:
    """Whether everybody knows that a card is of no use: it is dead, or an earlier slot holds the same card for certain."""
    cards = int(known.tables[player, slot])
    if cards & live == 0:
        return True
    if is_one(cards):
        for earlier in range(slot):
            if known.tables[player, earlier] == cards:
                return True
    return False


@native
def knows_a_play(known: Record, player: int, playable: int) -> bool:
    """Whether everybody knows that a player has a card to play, and which slot."""
    knows = False
    for slot in range(int(known.held[player])):
        knows |= int(known.tables[player, slot]) & ~playable == 0
    return knows


@native
def predict_play(known: Record, player: int, heights: int, n_suits: int, n_ranks: int) -> int:
    """The heights of the piles after the card that everybody knows the player can play: of several the lowest."""
    playable = playable_cards(heights, n_suits, n_ranks)
    best, lowest = -1, MAX_RANKS
    for slot in range(int(known.held[player])):
        cards = int(known.tables[player, slot])
        if cards & ~playable == 0 and is_one(cards):
            card = first_bit(cards)
            if card % MAX_RANKS < lowest:
                best, lowest = card, card % MAX_RANKS
    return heights + (1 << HEIGHT_BITS * (best // MAX_RANKS)) if best >= 0 else heights


@native_inline
def bit_of(card: int) -> int:
    """A card as a set; no card is the empty one."""
    return 1 << card - 1 if card != NO_CARD else 0
