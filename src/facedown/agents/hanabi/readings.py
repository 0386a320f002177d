"""What moves mean to `smart`: the promises and warnings in hints, in discards, and in their absence; all of it public.

Source: the conventions of SmartBot (A. O'Dwyer, the program Quuxplusone/Hanabi), on sets of cards. What everybody knows of a
slot is the set of cards that it may hold. So a promise leaves only the cards that can be played now, a warning only those that
are critical now, and both stay true when the piles grow.

The *next discard* of a player who knows neither a card to play nor a useless one: of the slots that are not known to be
critical, the one whose chance to be useless exceeds its chance to be critical by most, the oldest of equal ones.

A card *fits soon* if it fits once all have played the cards that everybody knows by suit and rank, and nobody is known to hold
it: of each suit the first card that is missing. Up to two players it is what hints promise; with more, just what fits.

1. A rank hint to the next player that points out their next discard, which may be critical at that rank: it is critical.
2. With all tokens there, the rank of the oldest card of the player before one means nothing: one had to say something.
3. Any other hint: if it makes no card certain to fit soon, the newest card that it points out and that may fit soon does.
4. No warning, though there was a token: the next discard of the next player is not critical.
5. A card that all know to fit is discarded: the newest card of the next player is the same one.
6. Any other discard, though there was a token for a hint to play: none could be given. Its suit would have promised the newest
   slot that may be a card which fits soon; so that slot is not this card, for each of them. With two players a slot is also
   not this card if no two newer slots could have been in the way, one of its suit and one of its rank: then its rank would have
   promised it, unless that would have been a warning.

The last one, cards that fit soon, and chances to be critical, are ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.hanabi.questions import ROOM
from facedown.agents.hanabi.tables import (
    COMMON,
    FIRST_CARDS,
    HAVING,
    HEIGHT_BITS,
    begin_tables,
    is_one,
    knows_a_play,
    live_cards,
    mend_tables,
    pack_heights,
    playable_cards,
    ranks_in,
    settle_tables,
    show_card,
    weigh,
)
from facedown.agents.hanabi.vocabulary import NONE, find_oldest
from facedown.games.hanabi.cards import (
    AIM_OF,
    DISCARD,
    FEATURE_OF,
    FIRST_SUIT,
    HINT,
    MAX_HAND,
    MAX_RANKS,
    MAX_SUITS,
    MAX_TOKENS,
    PLAY,
)
from facedown.native import field, native, record
from facedown.native.jit import integer_room, native_inline
from facedown.native.records import Record

KNOWN = record(
    *COMMON,
    field("heights", np.int32, 0, 1 << HEIGHT_BITS * MAX_SUITS, "heights of the piles, four bits each"),
    field("n_tokens", np.int32, 0, MAX_TOKENS, "hint tokens that are left"),
)

FACTS, STALL, WARNING, SHOWN, PROMISE = range(5)
"""What a hint means beyond its words: nothing; nothing, it had to be; a card is critical; cards fit, by the words; one fits."""

HIGHEST_CARDS = int(HAVING[MAX_RANKS - 1])

# a workspace: what the own hand and another may hold (the first part is that of `information`), and the board
HAND = ROOM
PLAYABLE, SOON, LIVE, CRITICAL, ONCE, TWICE = range(HAND + MAX_HAND, HAND + MAX_HAND + 6)
KEPT = HAND + MAX_HAND + 6
SPACE = KEPT + 5


@native
def look_at_board(view: Record, known: Record, work: Any) -> None:
    """Which cards fit, which can still count, and which are the last of their kind, as the public record has it."""
    once, twice, heights = int(known.once), int(known.twice), int(known.heights)
    work[ONCE], work[TWICE] = once, twice
    work[PLAYABLE] = playable_cards(heights, int(view.suits), int(view.ranks))
    work[LIVE] = live_cards(heights, once | twice)
    work[CRITICAL] = work[LIVE] & once & ~twice
    work[SOON] = soon_playable(view, known, int(work[PLAYABLE]), int(work[LIVE]))


@native
def soon_playable(view: Record, known: Record, playable: int, live: int) -> int:
    """Of each suit the first card that nobody is known to hold, if all before it can be played; with more players what fits."""
    if view.players > 2:
        return playable
    located = 0
    for player in range(int(view.players)):
        for slot in range(int(known.held[player])):
            cards = int(known.tables[player, slot])
            located |= cards if is_one(cards) else 0
    soon = playable
    while soon & located != 0:
        soon = (soon & ~located) | ((soon & located & ~HIGHEST_CARDS) << 1 & live)
    return soon


@native_inline
def is_play(work: Any, cards: int) -> bool:
    """Whether a card that is one of these fits, or fits soon."""
    return cards & ~int(work[PLAYABLE]) == 0 or cards & ~int(work[SOON]) == 0


@native
def take_hand(known: Record, work: Any, player: int) -> int:
    """What everybody knows of a hand, into the workspace; how many cards."""
    held = int(known.held[player])
    for slot in range(held):
        work[HAND + slot] = known.tables[player, slot]
    return held


@native_inline
def is_newer(view: Record, player: int, slot: int, other: int) -> bool:
    """Whether a card was drawn after another; of equal ones, whether it lies further right."""
    born, than = int(view.born[player, slot]), int(view.born[player, other])
    return born > than or (born == than and slot > other)


@native
def find_newest(view: Record, player: int, held: int) -> int:
    """The card that a player drew last."""
    newest = 0
    for slot in range(1, held):
        newest = slot if is_newer(view, player, slot, newest) else newest
    return newest


@native
def find_next_discard(view: Record, work: Any, player: int, held: int) -> int:
    """The slot that the player of the hand in the workspace would discard from; NONE with something better to do."""
    playable, live, critical = int(work[PLAYABLE]), int(work[LIVE]), int(work[CRITICAL])
    best, most, total = NONE, 0, 1
    for slot in range(held):
        cards = int(work[HAND + slot])
        if cards & ~playable == 0 or cards & live == 0:
            return NONE
        if cards & ~critical == 0 or is_play(work, cards):
            continue
        weight = weigh(cards, work[ONCE], work[TWICE])
        excess = weigh(cards & ~live, work[ONCE], work[TWICE]) - weigh(cards & critical, work[ONCE], work[TWICE])
        more = excess * total - most * weight
        if best == NONE or more > 0 or (more == 0 and is_newer(view, player, best, slot)):
            best, most, total = slot, excess, weight
    return best


@native
def read_hint(view: Record, work: Any, target: int, held: int, feature: int, touched: int, is_next: bool, stalls: bool) -> Any:
    """Apply a hint to the hand in the workspace, words and meaning; the meaning, and the slot that it is about or NONE.

    `is_next`: it is given to the next player. `stalls`: all tokens are there, and it is given to the player before.
    """
    soon, having = int(work[SOON]), int(HAVING[feature])
    is_rank = feature < FIRST_SUIT
    doomed = find_next_discard(view, work, target, held) if is_next and is_rank else NONE
    shown, promised = NONE, NONE
    for slot in range(held):
        before = int(work[HAND + slot])
        points = touched >> slot & 1
        cards = before & having if points else before & ~having
        work[HAND + slot] = cards
        if is_play(work, before):
            continue
        if is_play(work, cards):
            shown = slot
        elif points and cards & soon != 0 and (promised == NONE or is_newer(view, target, slot, promised)):
            promised = slot
    if doomed != NONE and touched >> doomed & 1 and work[HAND + doomed] & work[CRITICAL] != 0:
        work[HAND + doomed] &= work[CRITICAL]
        return WARNING, doomed
    if shown != NONE:
        return SHOWN, shown
    if stalls and is_rank and touched != 0 and touched >> find_oldest(view, target, -1) & 1:
        return STALL, NONE
    if promised != NONE:
        work[HAND + promised] &= soon
        return PROMISE, promised
    return FACTS, NONE


# --- hearing ----------------------------------------------------------------------------------------------------------------


@native
def hear(view: Record, mover: int, action: int, params: Any, public: Any) -> None:
    """Keep up what everybody knows, from what everybody sees."""
    known = public.view(KNOWN)[0]
    if mover < 0:
        begin_tables(view, known)
    else:
        work = integer_room(SPACE)
        look_at_board(view, known, work)
        hear_move(view, known, work, mover, action, params)
        mend_tables(view, known)
        settle_tables(view, known)
    known.heights, known.n_tokens = pack_heights(view), int(view.n_tokens)


@native
def hear_move(view: Record, known: Record, work: Any, mover: int, action: int, params: Any) -> None:
    """What a move means; the board in the workspace is as before it."""
    n_players = int(view.players)
    following = (mover + 1) % n_players
    if action >= HINT:
        target = (mover + int(AIM_OF[action])) % n_players
        held = take_hand(known, work, target)
        stalls = bool(known.n_tokens == view.tokens and (target + 1) % n_players == mover)
        read_hint(view, work, target, held, int(FEATURE_OF[action]), int(view.touched), target == following, stalls)
        for slot in range(held):
            known.tables[target, slot] = work[HAND + slot]
        if target != following and view.n_deck > 0:
            clear_discard(known, work, following, find_unwarned(view, known, work, following))
        return
    slot = action - DISCARD if action >= DISCARD else action - PLAY
    if int(view.n_held[mover]) == int(known.held[mover]):  # there was a card to draw
        unwarned = find_unwarned(view, known, work, following)
        if action >= DISCARD:
            hear_discard(view, known, work, mover, slot, params)
        clear_discard(known, work, following, unwarned)
    show_card(view, known, mover, slot, int(view.shown[int(view.n_moves) - 1]))


@native
def find_unwarned(view: Record, known: Record, work: Any, player: int) -> int:
    """The next discard of a player of which one would have been warned; NONE if there was no token, or it is not needed."""
    held = take_hand(known, work, player)
    return int(find_next_discard(view, work, player, held)) if known.n_tokens > 0 else NONE


@native
def clear_discard(known: Record, work: Any, player: int, slot: int) -> None:
    """Nobody warned of a card, so it is not critical."""
    if slot != NONE:
        known.tables[player, slot] = int(known.tables[player, slot]) & ~int(work[CRITICAL])


@native_inline
def is_finesse(known: Record, work: Any, mover: int, slot: int) -> bool:
    """Whether everybody knows of a card which one it is, and that it fits."""
    card = int(known.tables[mover, slot])
    return is_one(card) and card & int(work[PLAYABLE]) != 0


@native
def may_help(known: Record, work: Any, following: int, params: Any) -> bool:
    """Whether there are tokens for hints to play: one is kept back for warnings if the next player may need one."""
    needs_none = knows_a_play(known, following, int(work[PLAYABLE]))
    for slot in range(int(known.held[following])):
        needs_none |= int(known.tables[following, slot]) & int(work[LIVE]) == 0
    return bool(known.n_tokens > (0.0 if needs_none else params[0]))


@native
def struck_cards(view: Record, known: Record, work: Any, player: int, held: int, slot: int) -> int:
    """What a slot of the hand in the workspace is not, if nobody gave a hint to play: what fits soon and would be promised.

    A newer card that may be the same one can be in the way of its suit, another that may fit soon in the way of its rank.
    """
    cards, soon, newer, in_the_way = int(work[HAND + slot]), int(work[SOON]), 0, 0
    if is_play(work, cards):
        return 0
    for other in range(held):
        if is_newer(view, player, other, slot):
            here = int(work[HAND + other])
            in_the_way |= (same_rank(newer & soon) & here) | (same_rank(here & soon) & newer)
            newer |= here
    if view.players > 2 or known.n_tokens == view.tokens:
        return cards & soon & ~newer
    doomed = find_next_discard(view, work, player, held)
    if doomed != NONE:
        in_the_way |= same_rank(int(work[HAND + doomed]) & int(work[CRITICAL])) & newer
    return cards & soon & ~in_the_way


@native_inline
def same_rank(cards: int) -> int:
    """All cards of the ranks in a set."""
    return int(ranks_in(cards)) * FIRST_CARDS


@native
def hear_discard(view: Record, known: Record, work: Any, mover: int, slot: int, params: Any) -> None:
    """The next player holds the same card, if it is a finesse; else there was no hint to play, if there were tokens for one."""
    n_players = int(view.players)
    following = (mover + 1) % n_players
    if is_finesse(known, work, mover, slot):
        newest = find_newest(view, following, int(known.held[following]))
        if int(known.tables[following, newest]) & int(known.tables[mover, slot]) != 0:
            known.tables[following, newest] = known.tables[mover, slot]
        return
    if not may_help(known, work, following, params):
        return
    for player in range(n_players):
        if player != mover:
            held = take_hand(known, work, player)
            for place in range(held):
                known.tables[player, place] = int(work[HAND + place]) & ~struck_cards(view, known, work, player, held, place)
