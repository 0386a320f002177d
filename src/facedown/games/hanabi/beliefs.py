"""What players of Hanabi see, and which hands they can imagine behind it.

Nobody knows more of the own hand than what hints have told: each slot can hold the cards whose features are open. All
ways in which the copies that are nowhere to be seen can lie in the own slots and in the deck are equally likely, as far
as chance goes. `imagine` draws one of them, slot by slot, each card as likely as the number of ways to fill the slots
that are left.

These are counted by inclusion and exclusion. Let N(B) be the unseen copies that could lie in every slot of the set B.
Slots of a set S can be filled with different copies in

    ways(S) = sum over sets B in S that hold its first slot, of (-1)^(|B|-1) (|B|-1)! N(B) ways(S without B)

ways: choosing for each slot by itself counts too much where two slots choose the same copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.hanabi.cards import (
    COPIES_OF,
    FEATURES_OF,
    MAX_HAND,
    MAX_PLAYERS,
    N_CARDS,
    NO_CARD,
    RANK_OF,
    SUIT_OF,
    WHOLE_DECK,
)
from facedown.games.hanabi.rules import note_features, take_copy
from facedown.native import copy_shared, draw_from, native
from facedown.native.records import Record, copy_field

N_HANDS = 1 << MAX_HAND

N_SLOTS_IN = np.array([bin(slots).count("1") for slots in range(N_HANDS)], np.int64)
SIGN_OF = np.array([0, 1, -1, 2, -6, 24], np.int64)[N_SLOTS_IN]  # (-1)^(n-1) (n-1)!


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player
    copy_field(state, view, "hands")
    for slot in range(MAX_HAND):
        view.hands[player, slot] = NO_CARD


@native
def count_unseen(view: Record, unseen: Any) -> None:
    """How many copies of each card lie in the own hand or in the deck; `unseen` has a place for no card too."""
    ranks, n_suits = int(view.ranks), int(view.suits)
    for card in range(N_CARDS + 1):
        suit, rank = int(SUIT_OF[card]), int(RANK_OF[card])
        there = int(COPIES_OF[ranks, card]) if suit < n_suits else 0
        unseen[card] = there - int(view.discarded[card]) - (1 if 0 < rank <= view.piles[suit] else 0)
    for other in range(MAX_PLAYERS):
        for slot in range(MAX_HAND):
            unseen[int(view.hands[other, slot])] -= 1
    unseen[NO_CARD] = 0


@native
def could_hold(view: Record, player: int, slot: int, card: int) -> int:
    """Whether hints leave it possible that a card lies in a slot: 1 or 0."""
    features = int(FEATURES_OF[card])
    return 1 if int(view.open[player, slot]) & features == features else 0


@native
def count_common(view: Record, unseen: Any, slots: Any, common: Any) -> None:
    """N(B) of each set of slots, and the sets that each card fits into: `slots` by card, `common` by set."""
    player, n_held = int(view.player), int(view.n_held[int(view.player)])
    common[:] = 0
    for card in range(1, N_CARDS + 1):
        fitting = 0
        for slot in range(n_held):
            fitting |= could_hold(view, player, slot, card) << slot
        slots[card] = fitting
        for chosen in range(1, 1 << n_held):
            common[chosen] += int(unseen[card]) if chosen & ~fitting == 0 else 0


@native
def count_ways(common: Any, wanted: int, fitting: int, ways: Any) -> int:
    """In how many ways a set of slots can be filled, after a copy that fits into `fitting` was taken out; 0 slots: none was."""
    ways[0] = 1
    chosen = 0
    while chosen != wanted:
        chosen = (chosen - wanted) & wanted  # the next subset of `wanted`
        first = chosen & -chosen
        others, total, part = chosen ^ first, 0, chosen ^ first
        while True:
            block = first | part
            copies = int(common[block]) - (1 if block & ~fitting == 0 else 0)
            total += int(SIGN_OF[block]) * copies * int(ways[chosen ^ block])
            if part == 0:
                break
            part = (part - 1) & others
        ways[chosen] = total
    return int(ways[wanted])


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)
    unseen, slots, weights = np.zeros(N_CARDS + 1, np.int64), np.zeros(N_CARDS + 1, np.int64), np.zeros(N_CARDS + 1, np.int64)
    common, ways = np.zeros(N_HANDS, np.int64), np.zeros(N_HANDS, np.int64)
    copy_field(view, state, "hands")
    count_unseen(view, unseen)
    count_common(view, unseen, slots, common)
    n_held = int(view.n_held[player])
    for slot in range(n_held):
        left = (1 << n_held) - (2 << slot)
        for card in range(1, N_CARDS + 1):
            fits = unseen[card] > 0 and slots[card] >> slot & 1
            weights[card] = unseen[card] * count_ways(common, left, slots[card], ways) if fits else 0
        card = draw_from(chance, weights)
        state.hands[player, slot] = card
        unseen[card] -= 1
        for chosen in range(1, N_HANDS):
            common[chosen] -= 1 if chosen & ~slots[card] == 0 else 0
    gather(view, unseen, state)
    for other in range(int(view.players)):
        note_features(state, other)


@native
def gather(view: Record, unseen: Any, state: Record) -> None:
    """Put the cards that are left into the deck, of equal ones those that are taken last."""
    state.rest = WHOLE_DECK[int(view.suits), int(view.ranks)]
    for card in range(1, N_CARDS + 1):
        suit = int(SUIT_OF[card])
        there = int(COPIES_OF[int(view.ranks), card]) if suit < view.suits else 0
        for _ in range(there - int(unseen[card])):
            take_copy(state, card)
