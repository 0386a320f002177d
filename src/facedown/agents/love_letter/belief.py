"""Which hands others hold in Love Letter, when one asks what their plays tell: deals weighted by how likely the past was.

The game's own `imagine` draws from all deals that fit a view, each equally likely. Here a deal is as likely as that
somebody who plays well, but not always best, would have played so with these cards:

1. Go through the turns of the round: who was exposed, and what nobody had seen when each card was played.
2. In a turn of another player, the card that was played is known, and the one that was kept is one of eight. For each
   of these, take the best value F (see `values.py`) of a play with either card. The card that was played was
   chosen with probability 1 / (1 + exp(-(F of it - F of the other) / SOFTNESS)), and always where it had to be.
3. Count the ways to each combination of hands from the first turn on, as `imagine` does, every way weighted so.
4. Draw the hands of now, and then go back and draw the past, as likely as the weights say.

Searches imagine the round alone, in whole matches too: to win a round is all that can be done for the match, and what
comes after it would only hide that in chance.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.agents.love_letter.values import SMALL
from facedown.games.love_letter.beliefs import card_of, complete, find_ways, imagine, n_deals, play_again, with_card
from facedown.games.love_letter.cards import (
    BARON,
    CARD_OF,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    N_KINDS,
    NO_CARD,
    PRIEST,
    PRINCE,
    PRINCESS,
)
from facedown.native import native
from facedown.native.chance import draw_real
from facedown.native.records import Record

SOFTNESS = 0.1
"""How much worse, in F, a play must be to be made e times as seldom as the better one."""


@native
def best_value(card: int, other: int, unseen: Any, total: int, exposed: bool) -> float:
    """F of the best play with a card for somebody who keeps `other`; of the cards in `unseen` neither of the two is one."""
    plain = 1.0 + float(SMALL[card]) / 100.0
    if card == PRINCESS:
        return 0.0
    if not exposed:
        return 0.0 if card == PRINCE and other == PRINCESS else plain
    n_good = 0
    if card == GUARD:
        for named in range(PRIEST, PRINCESS + 1):
            n_good = max(n_good, int(unseen[named]))
    elif card == BARON:
        for theirs in range(GUARD, PRINCESS + 1):
            n_good += int(unseen[theirs]) if theirs < other else -int(unseen[theirs]) if theirs > other else 0
    elif card == PRINCE:
        n_good = int(unseen[PRINCESS])
    elif card == KING:
        n_good = int(unseen[PRINCESS]) + int(unseen[COUNTESS])
    return plain + n_good / total


@native
def p_played(card: int, kept: int, unseen: Any, total: int, exposed: bool) -> float:
    """How likely somebody with these two cards plays this one."""
    if card == kept or (card == COUNTESS and kept in (PRINCE, KING)):
        return 1.0
    advantage = best_value(card, kept, unseen, total, exposed) - best_value(kept, card, unseen, total, exposed)
    return 1.0 / (1.0 + math.exp(-advantage / SOFTNESS))


@native
def weigh_turns(view: Record, unseen: Any, likely: Any) -> None:
    """Fill in how likely each turn's play was, for each card that can have been kept: likely[turn, card]; 1 for own turns."""
    n_turns = int(view.n_turns)
    for card in range(N_KINDS + 1):
        unseen[card] = view.unseen[card]
    unseen[int(view.hand)] += 1
    unseen[int(view.drawn)] += 1
    for at in range(n_turns):  # nothing of this lay open before the first turn
        unseen[int(CARD_OF[int(view.plays[at])])] += 1
        unseen[int(view.laid[at])] += 1
    unseen[NO_CARD] = 0
    total = 0
    for card in range(N_KINDS + 1):
        total += int(unseen[card])
    immune, in_round = 0, (1 << int(view.players)) - 1
    for at in range(n_turns):
        mover, card, laid = int(view.turn_of[at]), int(CARD_OF[int(view.plays[at])]), int(view.laid[at])
        immune &= ~(1 << mover)
        exposed = in_round & ~immune & ~(1 << mover) != 0
        for kept in range(GUARD, PRINCESS + 1):
            likely[at, kept] = 1.0
            if mover != view.player and unseen[kept] > (1 if kept == card else 0):
                unseen[card] -= 1
                unseen[kept] -= 1
                likely[at, kept] = p_played(card, kept, unseen, total - 2, exposed)
                unseen[card] += 1
                unseen[kept] += 1
        unseen[card] -= 1
        total -= 1
        if laid != NO_CARD:
            unseen[laid] -= 1
            total -= 1
        if view.put_out[at] > 0:
            in_round &= ~(1 << (int(view.put_out[at]) - 1))
        if card == HANDMAID:
            immune |= 1 << mover


@native
def weighted_ways(view: Record, at: int, hands: int, weights: Any, likely: Any, ways: Any) -> int:
    """As `find_ways` of the game, with every way as likely as the play was; `weights` are those before the turn."""
    before = find_ways(view, at, hands, weights, ways)
    mover = int(view.turn_of[at])
    if mover != view.player:
        p = likely[at, card_of(view, before, mover)]
        ways[0] *= p
        ways[1] *= p
    return int(before)


@native
def draw_by_weight(chance: Record, weights: Any) -> int:
    """An index, each as likely as its weight."""
    total, last = 0.0, 0
    for index in range(len(weights)):
        total += weights[index]
        if weights[index] > 0.0:
            last = index
    place = draw_real(chance) * total
    for index in range(last):
        place -= weights[index]
        if place < 0.0:
            return index
    return last


@native
def weigh_hands(view: Record, weights: Any, likely: Any, ways: Any) -> None:
    """Fill in how likely each combination of hands was before each turn, and in the last row how likely it is now.

    `weights` comes with ones; it has two rows more than there were turns, and likelihoods that do not sum up to 1.
    """
    n_turns, n_hands = int(view.n_turns), weights.shape[1]
    for at in range(n_turns):
        for hands in range(n_hands):
            weighted_ways(view, at, hands, weights[at], likely, ways)
            weights[at + 1, hands] = ways[0] + ways[1]
    for hands in range(n_hands):
        past = weights[n_turns, hands]
        weights[n_turns + 1, hands] = past * n_deals(view, hands) if past > 0.0 else 0.0


@native
def believe(view: Record, player: int, chance: Record, state: Record) -> None:
    """A full state drawn from those that fit the view, each as likely as the plays of the others make it; of this round."""
    n_turns, n_hands = int(view.n_turns), 1 << (3 * (int(view.players) - 1))
    weights, ways = np.ones((n_turns + 2, n_hands), np.float64), np.zeros(2, np.float64)
    likely = np.ones((n_turns + 1, N_KINDS + 1), np.float64)
    weigh_turns(view, np.zeros(N_KINDS + 1, np.int64), likely)
    weigh_hands(view, weights, likely, ways)
    go_back(view, player, draw_by_weight(chance, weights[n_turns + 1]), weights, likely, ways, chance, state)
    play_again(view, state)
    complete(view, player, chance, state)
    state.match = 0


@native
def imagine_round(view: Record, player: int, chance: Record, state: Record) -> None:
    """A full state drawn from those that fit the view, all deals equally likely; the game ends with the round."""
    imagine(view, player, chance, state)
    state.match = 0


@native
def go_back(view: Record, player: int, hands: int, weights: Any, likely: Any, ways: Any, chance: Record, state: Record) -> None:
    """Fill in what everybody was dealt and has drawn, from the hands of now back to the first turn."""
    for at in range(int(view.n_turns) - 1, -1, -1):
        mover, target, card = int(view.turn_of[at]), int(view.target[at]), int(CARD_OF[int(view.plays[at])])
        if card == PRINCE and view.put_out[at] == 0:
            state.redrew[at] = view.redrew[at] if target == player else card_of(view, hands, target)
        before = weighted_ways(view, at, hands, weights[at], likely, ways)
        state.drew[at] = view.drew[at] if mover == player else card
        if mover != player and draw_by_weight(chance, ways) == 1:
            state.drew[at] = card_of(view, before, mover)
            before = with_card(view, before, mover, card)
        hands = before
    for other in range(int(view.players)):
        state.first[other] = view.first if other == player else card_of(view, hands, other)
