"""What players of Love Letter see, and which deals they can imagine behind it.

`imagine` draws from the deals that fit the view, all equally likely: a deal is the order of all cards, and it fits if
everything that was played could be played and would have looked the same. The only thing that the past leaves open is
what each other player drew: in every turn of theirs the card that was played is either the one just drawn (the other
was in the hand before) or the one from the hand (the other was just drawn). So:

1. Count, from the first turn on, in how many ways each combination of hands of the others can have come about. A Guard
   that missed, a Baron, a King, the rule of the Countess each rule some out.
2. Draw the hands of now, each combination as likely as its count times the number of ways to take it from the unseen
   cards.
3. Go back from the last turn to the first and draw which of the two ways it was, as likely as the counts say.
4. Play the round again with these cards, so that everybody knows what they would know.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER
from facedown.games.love_letter.cards import (
    BARON,
    CARD_OF,
    COUNTESS,
    GUARD,
    KING,
    MAX_PLAYERS,
    MAX_TURNS,
    N_KINDS,
    NAMED_OF,
    NO_CARD,
    NOBODY,
    PRIEST,
    PRINCE,
    PRINCESS,
)
from facedown.games.love_letter.rules import begin_turn, gather, play, take_place
from facedown.native import copy_shared, draw, draw_from, native
from facedown.native.jit import native_inline
from facedown.native.records import Record

IMPOSSIBLE = -1


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player
    hand, drawn = int(state.hand[player]), int(state.drawn) if state.mover == player else NO_CARD
    view.hand = hand
    view.drawn = drawn
    view.first = state.first[player]
    for card in range(N_KINDS + 1):
        view.unseen[card] = state.hidden[card]
    view.unseen[hand] -= 1
    view.unseen[drawn] -= 1
    view.unseen[NO_CARD] = 0
    for holder in range(MAX_PLAYERS):
        view.known[holder] = state.known[holder, player]
    for at in range(MAX_TURNS):
        own, aimed = state.turn_of[at] == player, state.target[at] == player
        took_part = own | aimed
        view.drew[at] = state.drew[at] if own else 0
        view.redrew[at] = state.redrew[at] if aimed else 0
        view.target_card[at] = state.target_card[at] if took_part else 0
        view.mover_card[at] = state.mover_card[at] if took_part else 0


# --- hands of the others --------------------------------------------------------------------------------------------------
# A combination of hands is one number with three bits for each other player in the order of seats: the card minus 1.


@native_inline
def bits_of(view: Record, player: int) -> int:
    """Where the bits of another player begin."""
    return 3 * player - (3 if player > view.player else 0)


@native_inline
def card_of(view: Record, hands: int, player: int) -> int:
    """The card of another player in a combination."""
    return (hands >> bits_of(view, player) & 7) + 1


@native_inline
def with_card(view: Record, hands: int, player: int, card: int) -> int:
    """The same combination, but for the card of one player."""
    bits = bits_of(view, player)
    return hands & ~(7 << bits) | (card - 1) << bits


@native
def before_effect(view: Record, at: int, hands: int) -> int:
    """The hands that the effect of a turn made these of; IMPOSSIBLE where they do not fit what the viewer saw of it."""
    viewer, mover, target = int(view.player), int(view.turn_of[at]), int(view.target[at])
    action, laid = int(view.plays[at]), int(view.laid[at])
    card = int(CARD_OF[action])
    fits, before = True, hands
    if card == PRINCESS:
        fits = mover == viewer or card_of(view, hands, mover) == laid
    elif target == NOBODY:
        fits = True
    elif card == GUARD:
        fits = target == viewer or (card_of(view, hands, target) == NAMED_OF[action]) == (laid != NO_CARD)
    elif card == PRIEST:
        fits = mover != viewer or card_of(view, hands, target) == view.target_card[at]
    elif card == PRINCE and target != viewer:
        fits = view.put_out[at] == 0 or card_of(view, hands, target) == PRINCESS
        before = with_card(view, hands, target, laid)
    elif card == BARON:
        fits = fits_baron(view, at, hands)
    elif card == KING and mover == viewer:
        fits = card_of(view, hands, target) == view.mover_card[at]
        before = with_card(view, hands, target, int(view.target_card[at]))
    elif card == KING and target == viewer:
        fits = card_of(view, hands, mover) == view.target_card[at]
        before = with_card(view, hands, mover, int(view.mover_card[at]))
    elif card == KING:
        before = with_card(view, hands, mover, card_of(view, hands, target))
        before = with_card(view, before, target, card_of(view, hands, mover))
    return before if fits else IMPOSSIBLE


@native
def fits_baron(view: Record, at: int, hands: int) -> bool:
    """Whether hands can have been compared with the result that a turn had."""
    viewer, mover, target, laid = int(view.player), int(view.turn_of[at]), int(view.target[at]), int(view.laid[at])
    if mover == viewer:
        return bool(card_of(view, hands, target) == view.target_card[at])
    if target == viewer:
        return bool(card_of(view, hands, mover) == view.mover_card[at])
    own, others = card_of(view, hands, mover), card_of(view, hands, target)
    if laid == NO_CARD:
        return bool(own == others)
    lower, higher = (own, others) if view.put_out[at] - 1 == mover else (others, own)
    return bool(lower == laid and higher > laid)


@native
def find_ways(view: Record, at: int, hands: int, counts: Any, ways: Any) -> int:
    """In how many ways these can be the hands after a turn: `ways` is with the card from before kept, and with the drawn one.

    `counts` are the ways to each combination before the turn. It returns the hands before the turn in the first case.
    """
    ways[0] = ways[1] = 0
    mover, before = int(view.turn_of[at]), before_effect(view, at, hands)
    if before == IMPOSSIBLE:
        return 0
    if mover == view.player:
        ways[0] = counts[before]
        return before
    card, kept = int(CARD_OF[int(view.plays[at])]), card_of(view, before, mover)
    if kept == COUNTESS and card in (KING, PRINCE):
        return 0
    ways[0] = counts[before] if kept != card else 0  # with two alike there is only one way
    ways[1] = counts[with_card(view, before, mover, card)]
    return before


@native
def count_for_two(view: Record, player: int, at: int, before: Any, after: Any) -> None:
    """The ways to each hand of the only other player after a turn: what `find_ways` says, for all hands at once."""
    card, laid, targeted = int(CARD_OF[int(view.plays[at])]), int(view.laid[at]), view.target[at] == 1 - player
    own_turn = view.turn_of[at] == player
    exchanged = 0 if own_turn else int(before[card - 1])
    for kept in range(N_KINDS):
        after[kept] = before[kept] + exchanged
    if not own_turn:
        after[card - 1] = exchanged
        if card in (KING, PRINCE):
            after[COUNTESS - 1] = 0
    # the hand that was seen, and what it is now: 0 for any
    seen, now = NO_CARD, NO_CARD
    if card == PRINCESS and not own_turn:
        seen = now = laid
    elif card == GUARD and targeted:
        named = int(NAMED_OF[int(view.plays[at])])
        seen = now = laid
        after[named - 1] = after[named - 1] if laid != NO_CARD else 0
    elif card == PRINCE and targeted:
        seen, now = laid, PRINCESS if view.put_out[at] != 0 else NO_CARD
    elif card == BARON and view.target[at] != NOBODY:
        seen = now = int(view.target_card[at]) if own_turn else int(view.mover_card[at])
    elif card == PRIEST and targeted:
        seen = now = int(view.target_card[at])
    elif card == KING and view.target[at] != NOBODY:
        seen, now = int(view.target_card[at]), int(view.mover_card[at])
        seen, now = (seen, now) if own_turn else (now, seen)
    if seen != NO_CARD:
        count = after[seen - 1]
        for kept in range(N_KINDS):
            after[kept] = count if now == NO_CARD else 0
        if now != NO_CARD:
            after[now - 1] = count


@native
def n_deals(view: Record, hands: int) -> int:
    """In how many ways the players who are in can have these hands of the unseen cards."""
    product, taken = 1, 0
    for player in range(int(view.players)):
        if player == view.player or not view.in_round >> player & 1:
            continue
        card = card_of(view, hands, player)
        product *= int(view.unseen[card]) - (taken >> (4 * card) & 15)
        taken += 1 << (4 * card)
        if view.mover == OVER and view.shown[player] != NO_CARD and view.shown[player] != card:
            return 0
    return product


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    n_turns, n_hands = int(view.n_turns), 1 << (3 * (int(view.players) - 1))
    counts, ways = np.ones((n_turns + 2, n_hands), np.int64), np.zeros(2, np.int64)
    for at in range(n_turns):
        if n_hands == N_KINDS:
            count_for_two(view, player, at, counts[at], counts[at + 1])
            continue
        for hands in range(n_hands):
            find_ways(view, at, hands, counts[at], ways)
            counts[at + 1, hands] = ways[0] + ways[1]
    weights = counts[n_turns + 1]
    for hands in range(n_hands):
        n_past = int(counts[n_turns, hands])
        weights[hands] = n_past * n_deals(view, hands) if n_past > 0 else 0
    go_back(view, player, draw_from(chance, weights), counts, ways, chance, state)
    play_again(view, state)
    complete(view, player, chance, state)


@native
def go_back(view: Record, player: int, hands: int, counts: Any, ways: Any, chance: Record, state: Record) -> None:
    """Fill in what everybody was dealt and has drawn, from the hands of now back to the first turn."""
    for at in range(int(view.n_turns) - 1, -1, -1):
        mover, target, card = int(view.turn_of[at]), int(view.target[at]), int(CARD_OF[int(view.plays[at])])
        if card == PRINCE and view.put_out[at] == 0:
            state.redrew[at] = view.redrew[at] if target == player else card_of(view, hands, target)
        before = find_ways(view, at, hands, counts[at], ways)
        state.drew[at] = view.drew[at] if mover == player else card
        if mover != player and draw_from(chance, ways) == 1:
            state.drew[at] = card_of(view, before, mover)
            before = with_card(view, before, mover, card)
        hands = before
    for other in range(int(view.players)):
        state.first[other] = view.first if other == player else card_of(view, hands, other)


@native
def play_again(view: Record, state: Record) -> None:
    """Play the round with the cards that are filled in, so that everybody gets to know what they saw."""
    state.in_round = (1 << int(view.players)) - 1
    for player in range(int(view.players)):
        state.hand[player] = state.first[player]
    for at in range(int(view.n_turns)):
        begin_turn(state, int(view.turn_of[at]), int(state.drew[at]))
        play(state, int(view.plays[at]), int(state.redrew[at]))


@native
def complete(view: Record, player: int, chance: Record, state: Record) -> None:
    """The table as it is seen, the rest of the cards, and the card that was just drawn."""
    copy_shared(view, state)
    for card in range(N_KINDS + 1):
        state.hidden[card] = view.unseen[card]
    state.hidden[int(view.hand)] += 1
    state.hidden[int(view.drawn)] += 1
    state.hidden[NO_CARD] = 0
    state.drawn = view.drawn
    gather(state)
    if view.mover != OVER and view.drawn == NO_CARD:  # another player is to move
        state.drawn = take_place(state, draw(chance, int(view.n_deck) + 2))  # deck, card aside, and the drawn one
    if view.mover != OVER:
        state.drew[int(view.n_turns)] = state.drawn
