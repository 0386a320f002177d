"""The table of Goofspiel: the records of the game, who takes a prize, laying cards down."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER
from facedown.native import field, native, record
from facedown.native.records import Record

MAX_PLAYERS, MAX_CARDS = 4, 13
SHUFFLED, DESCENDING, ASCENDING = 0, 1, 2
DISCARD, CARRY, SPLIT = 0, 1, 2
SHOWN, WINNER = 0, 1
WIN, DIFFERENCE = 0, 1
NO_CARD = 0
WHOLE = 12  # parts of a point: a prize may be shared by two, three or four
MAX_POINTS = WHOLE * MAX_CARDS * (MAX_CARDS + 1) // 2
_ALL_CARDS = 2**MAX_CARDS - 1

_RULES = (
    field("players", np.int8, 2, MAX_PLAYERS, "how many play"),
    field("cards", np.int8, 2, MAX_CARDS, "how many cards everyone has, and how many prizes there are"),
    field("order", np.int8, 0, 2, "how the prizes come up: 0 shuffled, 1 descending, 2 ascending"),
    field("ties", np.int8, 0, 2, "what becomes of a prize when the highest bid is tied: 0 discarded, 1 carried over, 2 split"),
    field("bids", np.int8, 0, 1, "what is told of a round: 0 all bids are shown, 1 only who takes the prize"),
    field("returns", np.int8, 0, 1, "what is scored: 0 winning or losing, 1 points less the average of all players"),
)
_TABLE = (
    field("mover", np.int8, OVER, MAX_PLAYERS - 1, "player to bid, those before have bid; -1 the game is over"),
    field("n_rounds", np.int8, 0, MAX_CARDS, "number of rounds that are over"),
    field("prizes", np.int8, NO_CARD, MAX_CARDS, "prizes in the order in which they came up; 0 not yet", MAX_CARDS),
    field("stake", np.int16, 0, MAX_POINTS // WHOLE, "points that this round is about, with what was carried over; 0 none"),
    field("takers", np.int8, 0, 15, "who took the prize of each round, a bit each; 0 not yet, or nobody: a tie", MAX_CARDS),
    field("points", np.int16, 0, MAX_POINTS, "points of each player, in twelfths; 0 no such player", MAX_PLAYERS),
)
_PLACES = (MAX_PLAYERS, MAX_CARDS)
STATE = record(
    *_RULES,
    field("held", np.int16, 0, _ALL_CARDS, "cards in each player's hand, bit 0 is the 1; 0 no such player", MAX_PLAYERS),
    field("played", np.int8, NO_CARD, MAX_CARDS, "bids of each player in each round; 0 not yet", _PLACES),
    *_TABLE,
)
VIEW = record(
    *_RULES,
    field("player", np.int8, 0, MAX_PLAYERS - 1, "the player who looks"),
    field("hand", np.int16, 0, _ALL_CARDS, "cards in your own hand, bit 0 is the 1"),
    field("played", np.int8, NO_CARD, MAX_CARDS, "bids of each player in each round; 0 not yet, or not seen", _PLACES),
    *_TABLE,
)


@native
def bit(card: int) -> int:
    """A card as a set of cards."""
    return 1 << (card - 1)


@native
def lay(state: Record, player: int, card: int) -> None:
    """A player bids a card in the present round."""
    state.held[player] ^= bit(card)
    state.played[player, int(state.n_rounds)] = card


@native
def takers_of(state: Record, turn: int) -> int:
    """Who takes the prize of a round in which all have bid, a bit each: who bid highest; of several, all or nobody."""
    highest, takers, n_takers = 0, 0, 0
    for player in range(state.players):
        card = int(state.played[player, turn])
        if card > highest:
            highest, takers, n_takers = card, 0, 0
        if card == highest:
            takers |= 1 << player
            n_takers += 1
    return takers if n_takers == 1 or state.ties == SPLIT else 0


@native
def copy_bids(source: Record, target: Record, player: int, n_rounds: int) -> None:
    """The bids of one player in the first rounds; none in the others."""
    for turn in range(MAX_CARDS):
        target.played[player, turn] = source.played[player, turn] if turn < n_rounds else NO_CARD


@native
def card_at(cards: Any, place: int) -> int:
    """The card at a place of a set of cards, counted from the lowest; the set has more cards than that."""
    card = 0
    while place >= 0:
        card += 1
        place -= int(cards >> (card - 1) & 1)
    return card


@native
def count_cards(cards: Any) -> int:
    """How many cards a set has."""
    count = 0
    while cards:
        cards &= cards - 1
        count += 1
    return count
