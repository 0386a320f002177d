"""The cards of Love Letter, its records, and how plays are numbered.

Cards are their values, 1 to 8; 0 is no card. A play names a card, perhaps an aim, and for the Guard a named card. Aims
are counted from the player who plays: 1 is the next seat. First come the eight plays without an aim (the Prince on
oneself among them), then eleven for each aim:

    0 .. 7                          Guard .. Princess without an aim (Guard, Priest, Baron and King: without effect)
    8 + 11 * (aim - 1) + 0 .. 6     Guard at the aim, naming Priest .. Princess
                       + 7 .. 10    Priest, Baron, Prince, King at the aim
"""

from __future__ import annotations

import numpy as np

from facedown.games.contract import OVER
from facedown.native import field, record

NO_CARD = 0
GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
N_KINDS = 8
NAMES = ("nothing", "Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess")

MAX_PLAYERS = 4
MAX_CARDS = 16
MAX_OPEN = 3
MAX_TURNS = 16  # at most 13 are played; a power of two suits the machine
MAX_ROUNDS = 99  # of a match; only a deck in which most rounds are draws comes near
MAX_SPENT = 127
OFFICIAL = (0, 5, 2, 2, 2, 2, 1, 1, 1)
WINS_NEEDED = np.array([0, 0, 7, 5, 4], np.int64)

NO_EFFECT, BY_GUARD, BY_BARON, BY_PRINCE, BY_PRINCESS, BY_EMPTY_DECK = range(6)
NOBODY = -1

PLAIN, AIMED = 8, 11  # plays without an aim, and for each aim


def n_plays(players: int) -> int:
    """How many plays there are with this many players."""
    return PLAIN + AIMED * (players - 1)


def play_number(card: int, aim: int = 0, named: int = NO_CARD) -> int:
    """The number of a play.

    >>> play_number(GUARD, 1, PRIEST), play_number(PRINCE), play_number(KING, 2)
    (8, 4, 29)
    """
    if aim == 0:
        return card - 1
    place = {PRIEST: 7, BARON: 8, PRINCE: 9, KING: 10}.get(card, named - PRIEST)
    return PLAIN + AIMED * (aim - 1) + place


MAX_PLAYS = n_plays(MAX_PLAYERS)
# what each number means
CARD_OF = np.zeros(MAX_PLAYS, np.int64)
AIM_OF = np.zeros(MAX_PLAYS, np.int64)
NAMED_OF = np.zeros(MAX_PLAYS, np.int64)
for _card in range(GUARD, PRINCESS + 1):
    CARD_OF[play_number(_card)] = _card
    for _aim in range(1, MAX_PLAYERS):
        for _named in range(PRIEST, PRINCESS + 1) if _card == GUARD else (NO_CARD,):
            if _card in {GUARD, PRIEST, BARON, PRINCE, KING}:
                _number = play_number(_card, _aim, _named)
                CARD_OF[_number], AIM_OF[_number], NAMED_OF[_number] = _card, _aim, _named

_RULES = (
    field("players", np.int8, 2, MAX_PLAYERS, "number of players"),
    field("guards", np.int8, 4, 5, "Guards in the deck of the game"),
    field("face_up", np.int8, 0, MAX_OPEN, "cards laid face up in a game of two"),
    field("match", np.int8, 0, 1, "whether a whole match is played, instead of a round"),
    field("deck", np.int32, 0, 99_999_999, "another deck: a digit for each card, Guards first; 0 the deck of the game"),
)
_TABLE = (
    field("mover", np.int8, OVER, MAX_PLAYERS - 1, "player to move; -1 the game is over"),
    field("starter", np.int8, 0, MAX_PLAYERS - 1, "player who began this round"),
    field("n_deck", np.int8, 0, MAX_CARDS, "cards in the deck, without the one set aside"),
    field("kinds", np.uint8, 0, 255, "which cards there are in this deck: bit 0 the Guard, bit 7 the Princess"),
    field("in_round", np.uint8, 0, 15, "who is still in the round, a bit for each player"),
    field("immune", np.uint8, 0, 15, "who is behind a Handmaid, a bit for each player"),
    field("open_cards", np.int8, 0, N_KINDS, "cards laid face up at the start, ascending; 0 none", MAX_OPEN),
    field("spent", np.int8, 0, MAX_SPENT, "sum of what each player has played and discarded", MAX_PLAYERS),
    field("n_turns", np.int8, 0, MAX_TURNS, "turns of this round that are over"),
    field("turn_of", np.int8, 0, MAX_PLAYERS - 1, "who played in each turn of this round; 0 beyond", MAX_TURNS),
    field("plays", np.int8, 0, MAX_PLAYS - 1, "what was played in each turn; 0 beyond", MAX_TURNS),
    field("target", np.int8, NOBODY, MAX_PLAYERS - 1, "at whom; -1 nobody; 0 beyond", MAX_TURNS),
    field("laid", np.int8, 0, N_KINDS, "the hand that was laid open in each turn (Prince, or out); 0 none", MAX_TURNS),
    field("put_out", np.int8, 0, MAX_PLAYERS, "who was put out in each turn, plus 1; 0 nobody", MAX_TURNS),
    field("n_rounds", np.int8, 0, MAX_ROUNDS, "rounds that are over"),
    field("wins", np.int8, 0, MAX_ROUNDS, "rounds that each player has won", MAX_PLAYERS),
    field(
        "ended_by", np.int8, 0, BY_EMPTY_DECK, "how the last round ended: 1 Guard, 2 Baron, 3 Prince, 4 Princess, 5 empty deck"
    ),
    field("winners", np.uint8, 0, 15, "who won the last round, a bit for each; several bits: a draw; 0 none is over"),
    field(
        "shown", np.int8, 0, N_KINDS, "hands shown when the deck was empty at the end of the last round; 0 none", MAX_PLAYERS
    ),
    field("last_player", np.int8, NOBODY, MAX_PLAYERS - 1, "who made the last play of the last round; -1 none is over"),
    field("last_play", np.int8, 0, MAX_PLAYS - 1, "the last play of the last round; 0 before"),
    field("last_laid", np.int8, 0, N_KINDS, "the hand that this play laid open; 0 none"),
    field("ends", np.int8, 0, MAX_ROUNDS, "rounds that ended so far, by how (see ended_by)", BY_EMPTY_DECK + 1),
    field("n_all_turns", np.int16, 0, MAX_ROUNDS * MAX_TURNS, "turns in rounds that are over"),
    field("n_starter_won", np.int8, 0, MAX_ROUNDS, "rounds won by who began them"),
)
STATE = record(
    *_RULES,
    *_TABLE,
    field("rest", np.uint64, 0, 2**64 - 1, "deck and card set aside, in no order: four bits a card, ascending; 0 beyond"),
    field("hidden", np.int8, 0, MAX_CARDS, "cards of each kind that do not lie open; 0 for no card", N_KINDS + 1),
    field("hand", np.int8, 0, N_KINDS, "the card of each player; 0 out of the round", MAX_PLAYERS),
    field("drawn", np.int8, 0, N_KINDS, "the second card of the player to move; 0 the game is over"),
    field("first", np.int8, 0, N_KINDS, "the card that each player was dealt; 0 no such player", MAX_PLAYERS),
    field("drew", np.int8, 0, N_KINDS, "card that the player drew in each turn; 0 beyond", MAX_TURNS),
    field("redrew", np.int8, 0, N_KINDS, "card that the target of a Prince drew; 0 otherwise", MAX_TURNS),
    field(
        "target_card", np.int8, 0, N_KINDS, "card of the target when a Priest, Baron or King showed it; 0 otherwise", MAX_TURNS
    ),
    field(
        "mover_card", np.int8, 0, N_KINDS, "other card of the player, when a Baron or King showed it; 0 otherwise", MAX_TURNS
    ),
    field(
        "known",
        np.int8,
        0,
        N_KINDS,
        "the hand of [holder] as far as [knower] knows it; 0 unknown",
        (MAX_PLAYERS, MAX_PLAYERS),
    ),
)
VIEW = record(
    *_RULES,
    field("player", np.int8, 0, MAX_PLAYERS - 1, "the player who looks"),
    *_TABLE,
    field("hand", np.int8, 0, N_KINDS, "your own card; 0 out of the round"),
    field("drawn", np.int8, 0, N_KINDS, "the card that was drawn in this turn; 0 it is not your turn"),
    field("unseen", np.int8, 0, MAX_CARDS, "cards of each kind in other hands, deck and aside; 0 for no card", N_KINDS + 1),
    field("known", np.int8, 0, N_KINDS, "the hand of each other player, where it is known; 0 unknown", MAX_PLAYERS),
    field("first", np.int8, 0, N_KINDS, "the card that was dealt"),
    field("drew", np.int8, 0, N_KINDS, "card drawn in each of your own turns; 0 in others", MAX_TURNS),
    field("redrew", np.int8, 0, N_KINDS, "card drawn after a Prince on oneself or by another; 0 otherwise", MAX_TURNS),
    field("target_card", np.int8, 0, N_KINDS, "card of the target shown in a turn one took part in; 0 otherwise", MAX_TURNS),
    field("mover_card", np.int8, 0, N_KINDS, "card of the mover shown in a turn one took part in; 0 otherwise", MAX_TURNS),
)
