"""Situations: how `reinforced` sums up what it sees, a number for each of its cards, for each hint and for the whole.

Source: W. Jarząbek & J. Leja, Wrocław 2020, section 4.9; the exact parts are those of the program. Everything that it learns
is kept by these numbers, in one table:

    own cards       23,040 situations, each with a record for playing and one for discarding
    hints           93,312, each with one record
    the whole       7,776, each with a record for playing, discarding, hinting
"""

from __future__ import annotations

import numpy as np

from facedown.agents.hanabi.vocabulary import (
    KNOWN_CARD,
    KNOWN_RANK,
    KNOWN_SUIT,
    NONE,
    WORK,
    card_of,
    drop_card,
    find_oldest,
    is_known_useless,
    is_news,
    is_partly_known,
    is_playable,
    is_useless,
    is_wanted,
    look_at_table,
    player_at,
)
from facedown.games.hanabi.cards import (
    AIM_OF,
    DISCARD,
    FIRST_SUIT,
    HINT,
    MAX_HAND,
    MAX_MOVES,
    MAX_PLAYERS,
    MAX_RANKS,
    N_CARDS,
    NO_CARD,
    RANK_OF,
)
from facedown.native import field, native
from facedown.native.records import Record

N_OWN = 3 * 2 * 2 * 2 * 4 * 6 * 5 * 2 * 4
N_HINT = 2 * 3**6 * 2 * 4 * 2 * 4
N_WHOLE = 9 * 2 * 2 * 6**3
AT_PLAY, AT_DISCARD, AT_HINT, AT_WHOLE = 0, N_OWN, 2 * N_OWN, 2 * N_OWN + N_HINT
N_RECORDS = AT_WHOLE + 3 * N_WHOLE
TO_PLAY, TO_DISCARD, TO_HINT = 0, 1, 2
BINS = (0.1, 0.3, 0.5, 0.7, 0.9)

_HANDS = (MAX_PLAYERS, MAX_HAND)
TRACKS = (
    field(
        "hint_size",
        np.int8,
        0,
        MAX_HAND,
        "cards that the last hint on a card had news on, by player and slot",
        _HANDS,
    ),
    field("drawn", np.int8, 0, MAX_MOVES, "round in which a card was drawn, by player and slot", _HANDS),
)
SIGHT = (
    *WORK,
    field("loose", np.int8, -3, 3, "copies of each card that are left and in no other hand", N_CARDS + 1),
    field("touched", np.int8, 0, MAX_PLAYERS, "hands in which each wanted card was pointed out, others' only", N_CARDS + 1),
)


@native
def follow(view: Record, mind: Record, mover: int, action: int) -> None:
    """Keep track of the size of hints and of the age of cards, after a move."""
    if action < HINT:
        drop_card(view, mind.hint_size, mover, action % DISCARD, 0)
        drop_card(view, mind.drawn, mover, action % DISCARD, (int(view.n_moves) - 1) // int(view.players))
        return
    player, news, n_news = (mover + int(AIM_OF[action])) % int(view.players), int(view.news), 0
    for slot in range(MAX_HAND):
        n_news += news >> slot & 1
    for slot in range(MAX_HAND):
        if news >> slot & 1:
            mind.hint_size[player, slot] = n_news


@native
def look(view: Record, mind: Record) -> None:
    """Fill in what all situations of a decision rest on."""
    look_at_table(view, mind)
    own = int(view.player)
    for card in range(1, N_CARDS + 1):
        mind.loose[card] = mind.left[card]
        mind.touched[card] = 0
    for player in range(int(view.players)):
        for slot in range(int(view.n_held[player])):
            told = int(view.told[player, slot])
            card = int(KNOWN_CARD[told]) if player == own else int(view.hands[player, slot])
            if player != own:
                mind.loose[card] -= 1
            if told != 0 and card != NO_CARD and is_wanted(view, card):
                mind.touched[card] |= 1 << player


@native
def age_of(view: Record, mind: Record, player: int, slot: int) -> int:
    """How many rounds ago a card was drawn."""
    return int(view.n_moves) // int(view.players) - int(mind.drawn[player, slot])


@native
def own_situation(view: Record, mind: Record, slot: int, told: int, size: int) -> int:
    """The situation of an own card of which this much is known, after a hint of that size; `look` comes before."""
    own, n_tokens = int(view.player), int(view.n_tokens)
    now, later, least = 0, 0, 2
    if told != 0:
        suit, rank = int(KNOWN_SUIT[told]), int(KNOWN_RANK[told])
        low, high = (suit, suit + 1) if suit != NONE else (0, int(view.suits))
        first, last = (rank, rank + 1) if rank != 0 else (1, int(view.ranks) + 1)
        least = 3
        for possible_suit in range(low, high):
            for possible_rank in range(first, last):
                card = card_of(possible_suit, possible_rank)
                if mind.loose[card] > 0:
                    least = min(least, int(mind.loose[card]))
                    now += 1 if is_playable(view, card) else 0
                    later |= 0 if is_playable(view, card) else 1
        later &= 0 if is_known_useless(view, mind, told) else 1
        least = min(least, 2) if is_partly_known(told) else least
    is_oldest = find_oldest(view, own, (1 << MAX_HAND) - 1) == slot
    number = 0 if now == 0 else 2 if now == MAX_RANKS else 1
    number = number * 2 + later
    number = number * 2 + (1 if KNOWN_RANK[told] != 0 else 0)
    number = number * 2 + (1 if KNOWN_SUIT[told] != NONE else 0)
    number = number * 4 + least
    number = number * 6 + (size if is_partly_known(told) else 0)
    number = number * 5 + min(age_of(view, mind, own, slot), 4)
    number = number * 2 + (1 if is_oldest else 0)
    return number * 4 + (3 if n_tokens == view.tokens else min(n_tokens, 2))


@native
def hint_situation(view: Record, mind: Record, distance: int, furthest: int, feature: int) -> int:
    """The situation of a hint, or NONE if it has no news; `look` comes before. Players beyond `furthest` count as if there."""
    player = player_at(view, distance)
    oldest = find_oldest(view, player, (1 << MAX_HAND) - 1)
    n_news, n_now, n_later, n_useless, n_corrected, n_false, n_chain = 0, 0, 0, 0, 0, 0, 0
    is_last, greatest, has_oldest = 0, 0, 0
    for slot in range(int(view.n_held[player])):
        if not is_news(view, player, slot, feature):
            continue
        n_news += 1
        card, told = int(view.hands[player, slot]), int(view.told[player, slot])
        known, age = told | 1 << feature, age_of(view, mind, player, slot)
        fits, stays_partly = is_playable(view, card), is_partly_known(known)
        is_later = not fits and not is_useless(view, mind, card)
        is_double = told == 0 and int(mind.touched[card]) & ~(1 << player) != 0
        n_now += 1 if fits and not is_double else 0
        n_later += 1 if is_later else 0
        n_useless += 1 if is_known_useless(view, mind, known) else 0
        n_corrected += 1 if fits and (KNOWN_RANK[told] != 0 or (KNOWN_SUIT[told] != NONE and age > 2)) else 0
        n_corrected += 1 if is_later and told != 0 else 0
        n_false += 1 if (is_double if fits else stays_partly) else 0
        follows = fits and not is_double and RANK_OF[card] < view.ranks
        n_chain += 1 if follows and mind.loose[card + 1] < mind.left[card + 1] else 0
        is_last |= 1 if (fits or is_later) and mind.left[card] == 1 and stays_partly else 0
        greatest = max(greatest, age)
        has_oldest |= 1 if slot == oldest else 0
    if n_news == 0:
        return NONE
    number = 1 if feature < FIRST_SUIT else 0
    number = number * 3 + min(n_now, 2)
    number = number * 3 + min(n_later, 2)
    number = number * 3 + min(n_useless, 2)
    number = number * 3 + min(n_corrected, 2)
    number = number * 3 + min(n_false, 2)
    number = number * 3 + min((n_chain + 1) // 2, 2)
    number = number * 2 + is_last
    number = number * 4 + min(greatest, 3)
    number = number * 2 + has_oldest
    return number * 4 + min(distance, furthest)


@native
def bin_of(worth: float) -> int:
    """How good something is, in six steps."""
    step = 0
    for bound in BINS:
        step += 1 if worth > bound else 0
    return step


@native
def whole_situation(view: Record, play: float, discard: float, hint: float) -> int:
    """The situation as a whole, with what the best play, discard and hint are worth."""
    number = int(view.n_tokens)
    number = number * 2 + min(int(view.n_lives), 2) - 1
    number = number * 2 + (1 if view.n_deck > 0 else 0)
    return (number * 6 + bin_of(play)) * 36 + bin_of(discard) * 6 + bin_of(hint)
