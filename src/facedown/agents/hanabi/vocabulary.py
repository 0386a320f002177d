"""The words in which agents for Hanabi think: playable, useless, critical, inferable, oldest, and what can be seen.

Source: W. Jarząbek & J. Leja, Wrocław 2020; where its text and its program differ, the program. Its agents use what they
were told, not what they were told that cards are not. A card of somebody is named by the player and the slot, and what
its owner was told of it stands in `told` (features, see `games/hanabi/cards.py`), which is a table of its own here, since
some agents must know what was known a move ago.

Decisions work on a few small tables of `WORK`, filled in once: `left` and `dead` by `look_at_table`, `seen` by `count_seen`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from facedown.agents.reasons import Kind, Reason
from facedown.games.hanabi.cards import (
    COPIES_OF,
    DISCARD,
    FEATURES_OF,
    FIRST_SUIT,
    HINT,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_RANKS,
    MAX_SUITS,
    N_CARDS,
    N_FEATURES,
    N_SETS,
    NO_CARD,
    PLAY,
    RANK_OF,
    SUIT_OF,
)
from facedown.native import field, native
from facedown.native.jit import native_inline
from facedown.native.records import Record

_U = np.uint64

NONE = -1
NEVER = 9  # beyond every rank

# by what hints have told of a card: its rank or 0, its suit or NONE, the card itself if both are known
KNOWN_RANK = np.zeros(N_SETS, np.int8)
KNOWN_SUIT = np.full(N_SETS, NONE, np.int8)
KNOWN_CARD = np.zeros(N_SETS, np.int8)
for _told in range(N_SETS):
    _ranks = [rank for rank in range(1, MAX_RANKS + 1) if _told >> rank - 1 & 1]
    _suits = [suit for suit in range(MAX_SUITS) if _told >> FIRST_SUIT + suit & 1]
    KNOWN_RANK[_told] = _ranks[0] if _ranks else 0
    KNOWN_SUIT[_told] = _suits[0] if _suits else NONE
    KNOWN_CARD[_told] = MAX_RANKS * _suits[0] + _ranks[0] if _ranks and _suits else NO_CARD
IS_KNOWN = (KNOWN_CARD != NO_CARD).astype(np.int8)  # whether both are known: 1 or 0

WORK = (
    field("left", np.int8, 0, 3, "copies of each card that were neither played nor discarded", N_CARDS + 1),
    field("dead", np.int8, 0, NEVER, "lowest rank of each suit that cannot be played any more; 9 none", MAX_SUITS),
    field("seen", np.int8, 0, 6, "copies of each card that somebody sees", N_CARDS + 1),
)
REASON = (
    field("module", np.int8, 0, 15, "what decided the last move; 0 nothing yet"),
    field("action", np.int8, 0, 127, "the move that it led to"),
    field("value", np.float64, -1000, 1000, "what the move was worth to it, where it is a hint"),
)


def telling(modules: Mapping[int, str], kind: Kind = "rule") -> Callable[..., Reason]:
    """`explain` for agents that leave the reason of a decision in their memory."""

    def explain(view: Record, action: int, params: Any, memory: Record) -> Reason:
        module, value = int(memory.module), float(memory.value)
        if module not in modules or int(memory.action) != action:
            return Reason("forced", "there was nothing else to do")
        return Reason(kind, f"{modules[module]} ({value:.2f})" if value else modules[module])

    return explain


# --- cards ----------------------------------------------------------------------------------------------------------------


@native
def look_at_table(view: Record, work: Record) -> None:
    """Fill in which cards are left, and where each suit ends."""
    n_ranks = int(view.ranks)
    for suit in range(int(view.suits)):
        height, first_dead = int(view.piles[suit]), NEVER
        for rank in range(n_ranks, 0, -1):
            card = MAX_RANKS * suit + rank
            n_left = int(COPIES_OF[n_ranks, card]) - int(view.discarded[card]) - (1 if rank <= height else 0)
            work.left[card] = n_left
            first_dead = rank if rank > height and n_left == 0 else first_dead
        work.dead[suit] = first_dead


@native_inline
def card_of(suit: int, rank: int) -> int:
    """The card of a suit and a rank."""
    return MAX_RANKS * suit + rank


@native_inline
def is_playable(view: Record, card: int) -> bool:
    """Whether a card is the next one of its suit."""
    return bool(RANK_OF[_U(card)] == int(view.piles[_U(SUIT_OF[_U(card)])]) + 1)


@native_inline
def is_wanted(view: Record, card: int) -> bool:
    """Whether a card is not on its pile yet; whether it can ever come there does not matter."""
    return bool(RANK_OF[card] > int(view.piles[int(SUIT_OF[card])]))


@native_inline
def is_useless(view: Record, work: Record, card: int) -> bool:
    """Whether a card is on its pile already, or can never come there."""
    return not is_wanted(view, card) or bool(RANK_OF[card] >= work.dead[int(SUIT_OF[card])])


@native_inline
def is_critical(view: Record, work: Record, card: int) -> bool:
    """Whether a useful card is the last of its kind."""
    return work.left[card] == 1 and not is_useless(view, work, card)


# --- what owners know -----------------------------------------------------------------------------------------------------


@native_inline
def is_partly_known(told: int) -> bool:
    """Whether exactly one of suit and rank is known."""
    return told != 0 and KNOWN_CARD[told] == NO_CARD


@native_inline
def known_slots(view: Record, player: Any) -> int:
    """The slots of a player whose cards are known wholly, a bit each."""
    slots = 0
    for slot in range(MAX_HAND):
        slots |= int(IS_KNOWN[int(view.told[player, slot])]) << slot
    return slots


@native
def is_known_useless(view: Record, work: Record, told: int) -> bool:
    """Whether what is known of a card is enough to know that it is useless."""
    if told == 0:
        return False
    suit, rank = int(KNOWN_SUIT[told]), int(KNOWN_RANK[told])
    if rank == 0:
        height = int(view.piles[suit])
        return bool(height == view.ranks or work.dead[suit] == height + 1)
    if suit != NONE:
        return is_useless(view, work, card_of(suit, rank))
    n_useful = 0
    for other in range(int(view.suits)):
        n_useful += 1 if view.piles[other] < rank < work.dead[other] else 0
    return n_useful == 0


@native
def find_known_useless(view: Record, work: Record, told: Any, player: int) -> int:
    """The leftmost card of a player that is known to be useless, or NONE."""
    for slot in range(int(view.n_held[player])):
        if is_known_useless(view, work, int(told[player, slot])):
            return slot
    return NONE


@native
def find_obvious_play(view: Record, told: Any, player: int) -> int:
    """The slot of a card that its owner knows to be playable, the lowest rank first, then the leftmost; NONE without one.

    That is a card of known suit and rank, or one of known rank where all suits have come to the same height.
    """
    height = int(view.piles[0])
    for suit in range(1, int(view.suits)):
        height = height if view.piles[suit] == height else NEVER
    best, best_rank = NONE, NEVER
    for slot in range(int(view.n_held[player])):
        known = int(told[player, slot])
        rank, card = int(KNOWN_RANK[known]), int(KNOWN_CARD[known])
        if rank != 0 and rank < best_rank and (rank == height + 1 or (card != NO_CARD and is_playable(view, card))):
            best, best_rank = slot, rank
    return best


# --- what somebody sees ---------------------------------------------------------------------------------------------------


@native
def count_seen(view: Record, told: Any, hidden: int, player: int, seen: Any) -> None:
    """Count the cards in all hands but those of a set of players, and what this player knows for sure of the own hand.

    `hidden` has a bit for each player whose hand is not looked at. Nobody's own hand is there to be counted.
    """
    seen[:] = 0
    for other in range(int(view.players)):
        if not hidden >> other & 1:
            for slot in range(int(view.n_held[other])):
                seen[int(view.hands[other, slot])] += 1
    for slot in range(int(view.n_held[player])):
        seen[int(KNOWN_CARD[int(told[player, slot])])] += 1
    seen[NO_CARD] = 0


@native_inline
def n_unseen(view: Record, work: Record, card: int) -> int:
    """How many copies of a card that is not on its pile yet are neither discarded nor seen."""
    return int(COPIES_OF[int(view.ranks), card]) - int(view.discarded[card]) - int(work.seen[card])


@native
def could_be_the_last(view: Record, work: Record, told: int) -> bool:
    """Whether a partly known card could be the only copy left of one that is still wanted; `seen` is counted."""
    suit, rank = int(KNOWN_SUIT[told]), int(KNOWN_RANK[told])
    low, high = (suit, suit + 1) if suit != NONE else (0, int(view.suits))
    first, last = (rank, rank + 1) if rank != 0 else (1, int(view.ranks) + 1)
    for possible_suit in range(low, high):
        for possible_rank in range(first, last):
            card = card_of(possible_suit, possible_rank)
            if possible_rank > view.piles[possible_suit] and work.left[card] == 1 and work.seen[card] == 0:
                return True
    return False


# --- discarding without knowing -------------------------------------------------------------------------------------------


@native
def find_discards(view: Record, work: Record, told: Any, player: int, hidden: int, viewer: int) -> int:
    """The slots that a player would rather discard from, a bit each.

    First those that nobody said anything of; then partly known ones that cannot be the last of their kind, as far as
    `viewer` sees without the hands that are `hidden`; then all.
    """
    n_held, untouched, safe = int(view.n_held[player]), 0, 0
    for slot in range(n_held):
        untouched |= (1 if told[player, slot] == 0 else 0) << slot
    if untouched:
        return untouched
    count_seen(view, told, hidden, viewer, work.seen)
    for slot in range(n_held):
        known = int(told[player, slot])
        if is_partly_known(known) and not could_be_the_last(view, work, known):
            safe |= 1 << slot
    return safe if safe else (1 << n_held) - 1


@native
def find_oldest(view: Record, player: int, slots: int) -> int:
    """The oldest card in a set of slots, the leftmost of equal ones."""
    best = NONE
    for slot in range(int(view.n_held[player])):
        if slots >> slot & 1 and (best == NONE or view.born[player, slot] < view.born[player, best]):
            best = slot
    return best


@native
def guess_discard(view: Record, work: Record, told: Any, player: int, hidden: int, viewer: int) -> int:
    """The slot that a player discards who has no better idea."""
    return int(find_oldest(view, player, find_discards(view, work, told, player, hidden, viewer)))


@native
def drop_card(view: Record, table: Any, player: int, slot: int, fresh: int) -> None:
    """Follow a table of slots through a move that laid a card down: others close up, and the new one begins with `fresh`."""
    has_drawn = view.n_deck > 0 or view.turns_left == view.players
    if has_drawn and view.slot_freed:
        table[player, slot] = fresh
        return
    for place in range(slot, MAX_HAND - 1):
        table[player, place] = table[player, place + 1]
    table[player, MAX_HAND - 1] = 0
    if has_drawn:
        table[player, int(view.n_held[player]) - 1] = fresh


# --- moves ----------------------------------------------------------------------------------------------------------------


@native_inline
def player_at(view: Record, distance: int) -> int:
    """The player who comes after so many others: 0 is the next one."""
    player = int(view.player) + 1 + distance
    return player - int(view.players) if player >= view.players else player


@native_inline
def hint_action(distance: int, feature: int) -> int:
    """The hint at a feature, for the player at a distance."""
    return HINT + N_FEATURES * distance + feature


@native_inline
def tell_unknown(view: Record, distance: int, player: int, slot: int) -> int:
    """Tell the rank of a card if it is unknown, else its suit."""
    card = int(view.hands[player, slot])
    if KNOWN_RANK[int(view.told[player, slot])] == 0:
        return hint_action(distance, int(RANK_OF[card]) - 1)
    return hint_action(distance, FIRST_SUIT + int(SUIT_OF[card]))


@native_inline
def may_discard(view: Record) -> bool:
    """Whether the rules let one discard now."""
    return bool((view.n_tokens < view.tokens) | (view.discards_at_max == 1))


@native
def may_hint(view: Record, mover: Any) -> bool:
    """Whether there is a token, and somebody to hint to: with one card each, hands can be empty in the last round."""
    if view.n_deck > 0:
        return bool(view.n_tokens > 0)
    n_cards = -int(view.n_held[mover])
    for player in range(MAX_PLAYERS):
        n_cards += int(view.n_held[player])
    return bool(view.n_tokens > 0 and n_cards > 0)


@native
def tell_leftmost_rank(view: Record, mover: int) -> int:
    """Tell the next player who holds any card the rank of the leftmost one; play the first card if nobody does."""
    for distance in range(int(view.players) - 1):
        player = (mover + 1 + distance) % int(view.players)
        if view.n_held[player] > 0:
            return hint_action(distance, int(RANK_OF[int(view.hands[player, 0])]) - 1)
    return PLAY


@native
def discard_or_tell(view: Record, slot: int) -> int:
    """Discard a card; where that is forbidden, tell the next player the rank of the leftmost card."""
    return DISCARD + slot if may_discard(view) else int(tell_leftmost_rank(view, int(view.player)))


@native_inline
def is_news(view: Record, player: int, slot: int, feature: int) -> bool:
    """Whether a hint at a feature tells something new of a card."""
    has = int(FEATURES_OF[int(view.hands[player, slot])]) >> feature & 1
    return has == 1 and not int(view.told[player, slot]) >> feature & 1
