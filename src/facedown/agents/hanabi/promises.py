"""Promises: what a hint of `trustful` means beyond its words, and which card a player will play because of it.

Source: W. Jarząbek & J. Leja, Wrocław 2020, section 4.7; where its text and its program differ, the program.

Every card is in one of three conditions: nothing was meant, it was promised (it can be played sooner or later), or it was
only for information. A hint promises the cards that it points at, unless the player right after the giver had to be kept
from a mistake:

1. Who could play a card that was promised, and is told anything instead, does not play it: it is for information now.
2. Who had nothing to play would have discarded: a hint that points at that card is for information.
3. A rank that nobody can play yet is for information.

What a hint means depends on what was known before it. So agents watch all moves, and keep what was told a move ago.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.hanabi.vocabulary import (
    KNOWN_CARD,
    KNOWN_RANK,
    KNOWN_SUIT,
    NONE,
    REASON,
    WORK,
    card_of,
    count_seen,
    drop_card,
    find_obvious_play,
    guess_discard,
    look_at_table,
    n_unseen,
)
from facedown.games.hanabi.cards import (
    AIM_OF,
    DISCARD,
    FEATURE_OF,
    FIRST_SUIT,
    HINT,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_RANKS,
    MAX_SUITS,
    N_CARDS,
    N_SETS,
    NO_CARD,
)
from facedown.native import field, native, record
from facedown.native.records import Record

NOTHING, PROMISE, INFORMATION = 0, 1, 2
CAP, SLACK = 10, 2  # of a group of promised cards: its size, and how many more than can be played
LAST_CAP, LAST_SLACK = 1, 0  # on the last life

_HANDS = (MAX_PLAYERS, MAX_HAND)
MEMORY = record(
    *REASON,
    *WORK,
    field("promises", np.int8, 0, 2, "what was meant by player and slot: 0 nothing, 1 it can be played, 2 information", _HANDS),
    field("told", np.uint16, 0, N_SETS - 1, "features that were known before the last move, by player and slot", _HANDS),
    field("is_prepared", np.int8, 0, 1, "whether the fields below are filled in for this decision"),
    field("obvious", np.int8, NONE, MAX_HAND - 1, "what each player knows to fit, by distance; -1 nothing", MAX_PLAYERS),
    field("promised", np.int8, NONE, MAX_HAND - 1, "what each player was promised, by distance; -1 nothing", MAX_PLAYERS),
    field("boards", np.int8, 0, MAX_RANKS, "the piles when each player will move, by distance", (MAX_PLAYERS, MAX_SUITS)),
    field("board", np.int8, 0, MAX_RANKS + 1, "the piles while the cards of a hint are valued", MAX_SUITS),
    field("visible", np.int8, 0, 6, "copies of each card in other hands, or known in the own one", N_CARDS + 1),
    field("marked", np.int8, 0, 1, "which wanted cards somebody was told of", N_CARDS + 1),
    field("info_rank", np.int8, NONE, 9, "the rank hint to the next player that is no promise; -1 none"),
    field("info_suit", np.int8, NONE, 9, "the suit hint to the next player that is no promise; -1 none"),
    field("near", np.float64, 0, 1000, "weights by distance", MAX_PLAYERS),
    field("low", np.float64, 0, 1000, "weights by how many ranks a card is below the highest", MAX_RANKS),
)


@native
def watch(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    """Keep track of what was promised."""
    mind = memory.view(MEMORY)[0]
    if action < HINT:
        drop_card(view, mind.promises, mover, action % DISCARD, NOTHING)
    else:
        take_hint(view, mind, mover, action)
    mind.told[:] = view.told


@native
def take_hint(view: Record, mind: Record, giver: int, action: int) -> None:
    """Find out what a hint means, and note it for the cards that it points at."""
    player = (giver + int(AIM_OF[action])) % int(view.players)
    feature, touched, meaning = int(FEATURE_OF[action]), int(view.touched), PROMISE
    if AIM_OF[action] == 1 and find_obvious_play(view, mind.told, player) == NONE:
        slot = find_promised_play(view, mind, mind.told, player, giver)
        if slot != NONE:
            mind.promises[player, slot] = INFORMATION
            if KNOWN_CARD[int(view.told[player, slot])] != NO_CARD:
                meaning = INFORMATION
        else:
            look_at_table(view, mind)
            slot = guess_discard(view, mind, mind.told, player, 1 << player | 1 << giver, player)
            if touched >> slot & 1:
                meaning = INFORMATION
    if feature < FIRST_SUIT and feature + 1 > highest_pile(view) + 1:
        meaning = INFORMATION
    for slot in range(int(view.n_held[player])):
        if touched >> slot & 1:
            if mind.promises[player, slot] == NOTHING:
                mind.promises[player, slot] = meaning
            elif KNOWN_CARD[int(view.told[player, slot])] != NO_CARD:
                mind.promises[player, slot] = NOTHING


@native
def highest_pile(view: Record) -> int:
    """How high the highest pile is."""
    highest = 0
    for suit in range(MAX_SUITS):
        highest = max(highest, int(view.piles[suit]))
    return highest


@native
def find_promised_play(view: Record, mind: Record, told: Any, player: int, judge: int) -> int:
    """The slot that a player will play because it was promised, as somebody judges who sees neither hand; or NONE.

    Promised cards that share the one thing that is known of them are a group. The smallest group wins, suits before
    ranks, and among ranks the one that more suits wait for; its leftmost card is played, unless there are many more
    cards in it than can be played now.
    """
    count_seen(view, told, 1 << player | 1 << judge, player, mind.seen)
    is_last_life = view.n_lives == 1
    smallest, n_open = LAST_CAP if is_last_life else CAP, 0
    chosen_suit, chosen_rank, n_waiting = NONE, 0, 0  # n_waiting: four bits for each rank
    for suit in range(int(view.suits)):
        height = int(view.piles[suit])
        if height < view.ranks and n_unseen(view, mind, card_of(suit, height + 1)) > 0:
            n_waiting += 1 << 4 * height
            n_alike = count_promised(view, mind, told, player, suit, 0)
            if 0 < n_alike <= smallest:
                chosen_suit, smallest, n_open = suit, n_alike, 1
    for rank in range(1, int(view.ranks) + 1):
        n_suits = n_waiting >> 4 * (rank - 1) & 15
        if n_suits > 0:
            n_alike = count_promised(view, mind, told, player, NONE, rank)
            if n_alike > 0 and (n_alike < smallest or (n_alike == smallest and n_suits > n_open)):
                chosen_suit, chosen_rank, smallest, n_open = NONE, rank, n_alike, n_suits
    slack = LAST_SLACK if is_last_life else SLACK
    if (chosen_suit == NONE and chosen_rank == 0) or smallest > n_open + slack:
        return NONE
    for slot in range(int(view.n_held[player])):
        if is_in_group(mind, told, player, slot, chosen_suit, chosen_rank):
            return slot
    return NONE


@native
def is_in_group(mind: Record, told: Any, player: int, slot: int, suit: int, rank: int) -> bool:
    """Whether a card was promised, and this suit (or rank, without a suit) is all that is known of it."""
    known = int(told[player, slot])
    return bool(mind.promises[player, slot] == PROMISE and KNOWN_SUIT[known] == suit and KNOWN_RANK[known] == rank)


@native
def count_promised(view: Record, mind: Record, told: Any, player: int, suit: int, rank: int) -> int:
    """How many cards there are in a group."""
    n_alike = 0
    for slot in range(int(view.n_held[player])):
        n_alike += 1 if is_in_group(mind, told, player, slot, suit, rank) else 0
    return n_alike
