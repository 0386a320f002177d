"""Distrustful: takes hints at their word, and gives those that tell most of cards that are wanted soon.

Source: W. Jarząbek & J. Leja, Wrocław 2020, section 4.6; where its text and its program differ, the program. A decision
goes through a list of modules, whose order depends on the tokens that are left, and the first that has a move makes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.hanabi.simple import is_touched_elsewhere
from facedown.agents.hanabi.vocabulary import (
    KNOWN_CARD,
    KNOWN_RANK,
    KNOWN_SUIT,
    NONE,
    REASON,
    WORK,
    card_of,
    count_seen,
    discard_or_tell,
    find_obvious_play,
    guess_discard,
    hint_action,
    is_playable,
    is_wanted,
    look_at_table,
    n_unseen,
    player_at,
    tell_unknown,
)
from facedown.games.hanabi.cards import FIRST_SUIT, MAX_RANKS, N_FEATURES, NO_CARD, PLAY, RANK_OF, SUIT_OF
from facedown.native import field, native, record
from facedown.native.records import Record

NECESSARY_TIP, OBVIOUS_PLAY, GOOD_TIP, DISCARD_TIP, OBVIOUS_DISCARD, MEDIOCRE_TIP, GUESS_DISCARD = range(1, 8)
MODULES = {
    NECESSARY_TIP: "the next player would discard a card that is needed now",
    OBVIOUS_PLAY: "a card that it knows to fit",
    GOOD_TIP: "a hint that tells much",
    DISCARD_TIP: "a hint that tells what can be discarded",
    OBVIOUS_DISCARD: "a card that it takes for useless",
    MEDIOCRE_TIP: "a hint that tells something",
    GUESS_DISCARD: "the card that it would miss least",
}
N_MODULES = 7
FEW, SOME, ALL = 0, 1, 2  # tokens
ORDERS = np.array(
    [
        [NECESSARY_TIP, OBVIOUS_PLAY, OBVIOUS_DISCARD, GOOD_TIP, DISCARD_TIP, GUESS_DISCARD, GUESS_DISCARD],
        [NECESSARY_TIP, OBVIOUS_PLAY, GOOD_TIP, DISCARD_TIP, OBVIOUS_DISCARD, MEDIOCRE_TIP, GUESS_DISCARD],
        [NECESSARY_TIP, OBVIOUS_PLAY, GOOD_TIP, DISCARD_TIP, MEDIOCRE_TIP, OBVIOUS_DISCARD, GUESS_DISCARD],
    ],
    np.int64,
)

# what the program has, as it has it
HALF, NEARER, LOWER = 0.5, 0.99, 1.1
GOOD_PASS, GOOD_DOUBLE = 2.0, 2.3
MEDIOCRE_PASS, MEDIOCRE_DOUBLE = 1.0, 2.0
DISCARD_PASS = 2.5
SOON = np.array([HALF ** (away - 1) for away in range(MAX_RANKS + 2)])  # by how far a card is above its pile
NEAR = np.array([NEARER**distance for distance in range(5)])
LOW = np.array([LOWER ** (MAX_RANKS - rank) for rank in range(MAX_RANKS + 1)])

MEMORY = record(
    *REASON,
    *WORK,
    field("totals", np.float64, -1000, 1000, "what each hint to a player is worth", N_FEATURES),
)


@native
def distrustful(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    mind = memory.view(MEMORY)[0]
    look_at_table(view, mind)
    order = ALL if view.n_tokens == view.tokens else FEW if view.n_tokens < 3 else SOME
    for place in range(N_MODULES):
        module = int(ORDERS[order, place])
        action = run_module(view, mind, module)
        if action != NONE:
            mind.module = module
            mind.action = action
            return action
    return int(actions[0])


@native
def run_module(view: Record, mind: Record, module: int) -> int:
    """The move that a module proposes, or NONE."""
    own = int(view.player)
    mind.value = 0.0
    if module == NECESSARY_TIP:
        return necessary_tip(view, mind)
    if module == OBVIOUS_PLAY:
        slot = find_obvious_play(view, view.told, own)
        return PLAY + slot if slot != NONE else NONE
    if module == GOOD_TIP:
        return play_tip(view, mind, GOOD_PASS, GOOD_DOUBLE)
    if module == DISCARD_TIP:
        return discard_tip(view, mind)
    if module == OBVIOUS_DISCARD:
        return obvious_discard(view, mind)
    if module == MEDIOCRE_TIP:
        return play_tip(view, mind, MEDIOCRE_PASS, MEDIOCRE_DOUBLE)
    return discard_or_tell(view, guess_discard(view, mind, view.told, own, 1 << own, own))


@native
def necessary_tip(view: Record, mind: Record) -> int:
    """Save the last copy of a card that fits now, if the next player would discard it, seen with one's own eyes."""
    if view.n_tokens < 1:
        return NONE
    own, following = int(view.player), player_at(view, 0)
    slot = guess_discard(view, mind, view.told, following, 1 << own, own)
    card = int(view.hands[following, slot])
    if is_playable(view, card) and mind.left[card] == 1:
        return int(tell_unknown(view, 0, following, slot))
    return NONE


@native
def play_tip(view: Record, mind: Record, pass_score: float, double: float) -> int:
    """The hint that tells most of cards that are wanted, if that is enough."""
    if view.n_tokens < 2:
        return NONE
    best, best_total = NONE, 0.0
    for distance in range(int(view.players) - 1):
        player = player_at(view, distance)
        mind.totals[:] = 0.0
        for slot in range(int(view.n_held[player])):
            card, told = int(view.hands[player, slot]), int(view.told[player, slot])
            if KNOWN_CARD[told] != NO_CARD or not is_wanted(view, card) or is_touched_elsewhere(view, card, player):
                continue
            rank, suit = int(RANK_OF[card]), int(SUIT_OF[card])
            value = SOON[rank - int(view.piles[suit])] * NEAR[distance] * LOW[rank]
            value *= double if told != 0 and is_playable(view, card) else 1.0
            add_value(mind.totals, told, rank, suit, value)
        for feature in range(N_FEATURES):
            if mind.totals[feature] > best_total:
                best, best_total = hint_action(distance, feature), mind.totals[feature]
    mind.value = best_total
    return best if best_total >= pass_score else NONE


@native
def add_value(totals: Any, told: int, rank: int, suit: int, value: float) -> None:
    """Add what a card is worth to the hints that tell something new of it."""
    if KNOWN_RANK[told] == 0:
        totals[rank - 1] += value
    if KNOWN_SUIT[told] == NONE:
        totals[FIRST_SUIT + suit] += value


@native
def discard_tip(view: Record, mind: Record) -> int:
    """The hint that tells most of cards that are on their piles already, if that is enough."""
    if view.n_tokens < 2:
        return NONE
    best, best_total = NONE, 0.0
    for distance in range(int(view.players) - 1):
        player = player_at(view, distance)
        mind.totals[:] = 0.0
        for slot in range(int(view.n_held[player])):
            card, told = int(view.hands[player, slot]), int(view.told[player, slot])
            if not is_wanted(view, card):
                add_value(mind.totals, told, int(RANK_OF[card]), int(SUIT_OF[card]), NEAR[distance])
        for feature in range(N_FEATURES):
            if mind.totals[feature] > best_total:
                best, best_total = hint_action(distance, feature), mind.totals[feature]
    mind.value = best_total
    return best if best_total >= DISCARD_PASS else NONE


@native
def obvious_discard(view: Record, mind: Record) -> int:
    """The leftmost own card that must be useless, going by what is known of it and by what can be seen.

    A verdict on the suit is replaced by one on the rank, where that is known. So the last copy of a card that is known
    wholly can go, if all others of its rank are accounted for: the program has it like this.
    """
    own, is_counted = int(view.player), False
    for slot in range(int(view.n_held[own])):
        told = int(view.told[own, slot])
        if told == 0:
            continue
        if not is_counted:
            count_seen(view, view.told, 1 << own, own, mind.seen)
            is_counted = True
        if seems_useless(view, mind, told):
            return discard_or_tell(view, slot)
    return NONE


@native
def seems_useless(view: Record, mind: Record, told: int) -> bool:
    """The verdict of `obvious_discard` on what is known of a card."""
    suit, rank = int(KNOWN_SUIT[told]), int(KNOWN_RANK[told])
    verdict = False
    if suit != NONE:
        height = int(view.piles[suit])
        verdict = height == view.ranks or n_unseen(view, mind, card_of(suit, height + 1)) == 0
    if rank != 0:
        n_useful = 0
        for other in range(int(view.suits)):
            if view.piles[other] < rank and n_unseen(view, mind, card_of(other, rank)) > 0:
                n_useful += 1
        verdict = n_useful == 0
    if suit != NONE and rank != 0 and rank <= view.piles[suit]:
        verdict = True
    return verdict
