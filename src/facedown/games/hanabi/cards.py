"""The cards of Hanabi, its records, and how moves are numbered.

A card is a number from 1 to 25, five for each suit in the order of its ranks; 0 is no card. A hint names a feature: 0 to
4 the ranks 1 to 5, 5 to 9 the suits, so a card has two features of ten. What hints have told of a card is kept as
features too: `told` are those that it was pointed out for, `open` those that it may still have.

Aims of hints are counted from the player who gives them: 1 is the next seat. Moves are numbered

    0 .. 4                          play the card in this slot
    5 .. 9                          discard it
    10 + 10 * (aim - 1) + feature   hint at this aim
"""

from __future__ import annotations

import numpy as np

from facedown.games.contract import OVER
from facedown.native import field, record

NO_CARD = 0
MAX_SUITS = MAX_RANKS = 5
N_CARDS = MAX_SUITS * MAX_RANKS
DECK = 50
COPIES = (3, 2, 2, 2, 1)
SUITS = ("blue", "green", "red", "white", "yellow")

MAX_PLAYERS = 5
MAX_HAND = 5
MAX_DEALT = MAX_PLAYERS * MAX_HAND
MAX_TOKENS = 8
MAX_LIVES = 3
MAX_MOVES = 106  # two players with a single card each: 48 draws, at most as many hints and 8 more, two last turns

N_FEATURES = MAX_RANKS + MAX_SUITS
FIRST_SUIT = MAX_RANKS  # of the features
RANK_FEATURES, SUIT_FEATURES = 0b0000011111, 0b1111100000

PLAY, DISCARD, HINT = 0, MAX_HAND, 2 * MAX_HAND
MAX_ACTIONS = HINT + N_FEATURES * (MAX_PLAYERS - 1)

OFFICIAL, THESIS = 0, 1
AS_RULES = 0  # of an option that follows the rules unless it is set


def n_copies(rank: int, ranks: int = MAX_RANKS) -> int:
    """How many cards of a rank each suit has: of the highest one only, whichever it is.

    >>> [n_copies(rank) for rank in range(1, 6)], [n_copies(rank, 2) for rank in (1, 2)]
    ([3, 2, 2, 2, 1], [3, 1])
    """
    return 3 if rank == 1 else 1 if rank == ranks else 2


def deck_size(suits: int, ranks: int) -> int:
    """How many cards there are."""
    return suits * sum(n_copies(rank, ranks) for rank in range(1, ranks + 1))


def hand_size(players: int, hand: int) -> int:
    """How many cards are dealt to each: five to two or three players, four to more, unless the option says it."""
    return hand or (5 if players <= 3 else 4)


def card_number(suit: int, rank: int) -> int:
    """The card of a suit (from 0) and a rank (from 1)."""
    return MAX_RANKS * suit + rank


# --- tables: by card, by action, by set of features ---------------------------------------------------------------------

SUIT_OF = np.array([0] + [(card - 1) // MAX_RANKS for card in range(1, N_CARDS + 1)], np.int64)
RANK_OF = np.array([0] + [(card - 1) % MAX_RANKS + 1 for card in range(1, N_CARDS + 1)], np.int64)
FEATURES_OF = np.array(
    [0] + [1 << int(RANK_OF[card]) - 1 | 1 << FIRST_SUIT + int(SUIT_OF[card]) for card in range(1, N_CARDS + 1)], np.int64
)
COPIES_OF = np.zeros((MAX_RANKS + 1, N_CARDS + 1), np.int64)  # by the number of ranks, and by card
for _ranks in range(1, MAX_RANKS + 1):
    for _card in range(1, N_CARDS + 1):
        COPIES_OF[_ranks, _card] = n_copies(int(RANK_OF[_card]), _ranks) if RANK_OF[_card] <= _ranks else 0

AIM_OF = np.array([0] * HINT + [1 + at // N_FEATURES for at in range(MAX_ACTIONS - HINT)], np.int64)
FEATURE_OF = np.array([0] * HINT + [at % N_FEATURES for at in range(MAX_ACTIONS - HINT)], np.int64)

# what stays open of a card that a hint at a feature has not pointed out [0], and of one that it has [1]
STAYS_OPEN = np.zeros((N_FEATURES, 2), np.int64)
for _feature in range(N_FEATURES):
    _alike = RANK_FEATURES if _feature < FIRST_SUIT else SUIT_FEATURES
    STAYS_OPEN[_feature] = ~(1 << _feature), ~_alike | 1 << _feature

N_SETS = 1 << N_FEATURES

# the hints at a set of ranks or suits, ascending, by the aim and by the set; and the members of any set of five
N_SMALL_SETS = 1 << MAX_RANKS
MEMBERS = np.zeros((N_SMALL_SETS, MAX_RANKS), np.int64)
for _set in range(N_SMALL_SETS):
    _members = [_member for _member in range(MAX_RANKS) if _set >> _member & 1]
    MEMBERS[_set, : len(_members)] = _members
RANK_HINTS = np.array([HINT + N_FEATURES * at + MEMBERS for at in range(MAX_PLAYERS - 1)], np.int64)
SUIT_HINTS = RANK_HINTS + FIRST_SUIT

# all features that cards can have, by the number of suits and of ranks
ALL_FEATURES = np.array(
    [[(1 << ranks) - 1 | ((1 << suits) - 1) << FIRST_SUIT for ranks in range(MAX_RANKS + 1)] for suits in range(MAX_SUITS + 1)],
    np.int64,
)

# the deck as a set of bits, one for each copy, in the order of the cards; which copies a smaller deck has
CARD_AT = np.array([card for card in range(1, N_CARDS + 1) for _ in range(COPIES[int(RANK_OF[card]) - 1])], np.int64)
COPIES_AT = np.zeros(N_CARDS + 1, np.uint64)  # the bits of a card
for _place, _card in enumerate(CARD_AT.tolist()):
    COPIES_AT[_card] |= np.uint64(1 << _place)
ALIKE = COPIES_AT[CARD_AT]  # the bits of all copies of the card at a place


def _all_copies(suits: int, ranks: int) -> int:
    places = 0
    for suit in range(suits):
        for rank in range(1, ranks + 1):
            bits = int(COPIES_AT[card_number(suit, rank)])
            for _ in range(n_copies(rank, ranks)):
                places |= bits & -bits
                bits &= bits - 1
    return places


WHOLE_DECK = np.array(
    [[_all_copies(suits, ranks) for ranks in range(MAX_RANKS + 1)] for suits in range(MAX_SUITS + 1)], np.uint64
)
DECK_SIZE = np.array([[int(places).bit_count() for places in decks] for decks in WHOLE_DECK], np.int64)

# --- records --------------------------------------------------------------------------------------------------------------

_HANDS = (MAX_PLAYERS, MAX_HAND)
_RULES = (
    field("players", np.int8, 2, MAX_PLAYERS, "number of players"),
    field("rules", np.int8, 0, 1, "what the switches stand at unless they are set: 0 official, 1 as in the thesis"),
    field("empty_hints", np.int8, 0, 2, "whether hints may point out no card: 0 as the rules, 1 no, 2 yes"),
    field("discard_at_max", np.int8, 0, 2, "whether one may discard with all hint tokens there: 0 as the rules, 1 no, 2 yes"),
    field("bomb", np.int8, 0, 2, "points after the last life is lost: 0 as the rules, 1 kept, 2 none"),
    field("slot", np.int8, 0, 2, "where drawn cards go: 0 as the rules, 1 to the end, 2 into the slot that was freed"),
    field("age", np.int8, 0, 2, "by what cards are older: 0 as the rules, 1 the number of the draw, 2 its round"),
    field("suits", np.int8, 1, MAX_SUITS, "how many suits there are"),
    field("ranks", np.int8, 1, MAX_RANKS, "how many ranks there are"),
    field("hand", np.int8, 0, MAX_HAND, "cards dealt to each player; 0 as many as usual"),
    field("tokens", np.int8, 1, MAX_TOKENS, "hint tokens at the start, and never more"),
    field("lives", np.int8, 1, MAX_LIVES, "wrong cards that may be played; the last one ends the game"),
)
_TABLE = (
    field("hints_empty", np.int8, 0, 1, "whether hints may point out no card, options and rules taken together"),
    field("discards_at_max", np.int8, 0, 1, "whether one may discard with all tokens there, options and rules together"),
    field("bomb_is_zero", np.int8, 0, 1, "whether all points are lost with the last life, options and rules together"),
    field("slot_freed", np.int8, 0, 1, "whether drawn cards go into the freed slot, options and rules together"),
    field("born_in_rounds", np.int8, 0, 1, "whether the age of cards is counted in rounds, options and rules together"),
    field("mover", np.int8, OVER, MAX_PLAYERS - 1, "player to move; -1 the game is over"),
    field("n_tokens", np.int8, 0, MAX_TOKENS, "hint tokens that are left"),
    field("n_lives", np.int8, 0, MAX_LIVES, "lives that are left"),
    field("n_deck", np.int8, 0, DECK, "cards in the deck"),
    field("turns_left", np.int8, 0, MAX_PLAYERS, "turns until the end once the deck is empty; 0 before"),
    field("n_points", np.int8, 0, N_CARDS, "cards on the piles"),
    field("piles", np.int8, 0, MAX_RANKS, "highest card on the pile of each suit; 0 none", MAX_SUITS),
    field("discarded", np.int8, 0, 3, "copies of each card that were discarded or misplayed; 0 for no card", N_CARDS + 1),
    field("n_held", np.int8, 0, MAX_HAND, "how many cards each player holds", MAX_PLAYERS),
    field("told", np.uint16, 0, N_SETS - 1, "features that hints pointed out, by player and slot", _HANDS),
    field("open", np.uint16, 0, N_SETS - 1, "features that hints leave possible, by player and slot; 0 no card", _HANDS),
    field("born", np.int8, 0, MAX_MOVES, "when a card was drawn, by player and slot: number of the draw or round", _HANDS),
    field("touched", np.uint8, 0, 31, "slots that the last move pointed out, if it was a hint, a bit each; 0 otherwise"),
    field("news", np.uint8, 0, 31, "those of them that did not know this feature before, a bit each"),
    field("n_moves", np.int8, 0, MAX_MOVES, "moves made so far"),
    field("moves", np.int8, 0, MAX_ACTIONS - 1, "the moves in order; 0 beyond", MAX_MOVES),
    field("shown", np.int8, 0, N_CARDS, "the card that each move laid open; 0 for a hint, and beyond", MAX_MOVES),
)
STATE = record(
    *_RULES,
    *_TABLE,
    field("hands", np.int8, 0, N_CARDS, "cards of each player by slot; 0 none", _HANDS),
    field("holds", np.uint16, 0, N_SETS - 1, "features that somebody holds a card with, by player", MAX_PLAYERS),
    field("rest", np.uint64, 0, 2**64 - 1, "cards in the deck, in no order, a bit for each copy"),
)
VIEW = record(
    *_RULES,
    *_TABLE,
    field("hands", np.int8, 0, N_CARDS, "cards of each other player by slot; 0 none, and in your own hand", _HANDS),
    field("player", np.int8, 0, MAX_PLAYERS - 1, "the player who looks"),
)
