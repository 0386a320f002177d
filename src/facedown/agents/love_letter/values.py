"""What plays of Love Letter are worth to the agents of the source: F of `greedy`, K of `minmax`.

F is 1, plus the chance that the play puts the other player out, less the chance that it puts us out, plus a small
number that prefers low cards; K is F less the risk of the other player's answer. All chances come from the cards that
are not seen, so all values are fractions with small denominators: they are computed as whole numbers, and equal plays
come out exactly equal.

The source has two players. With three or four, a play at each player is a play of its own. All that `minmax` fears is
one attack: each of the others attacks one of as many players, so on average that is how many come our way in a round
of the table.

The source is silent where everybody else is behind a Handmaid. A Guard, Priest, Baron or King without effect is worth 1
and the small number, and leaves the whole risk.
"""

from __future__ import annotations

import numpy as np

from facedown.games.love_letter.cards import (
    AIM_OF,
    BARON,
    CARD_OF,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    N_KINDS,
    NAMED_OF,
    NO_CARD,
    PRIEST,
    PRINCE,
    PRINCESS,
)
from facedown.native import native
from facedown.native.jit import native_inline
from facedown.native.records import Record

SMALL = np.array([0, 8, 7, 6, 5, 4, 3, 2, 0], np.int64)
"""The small numbers of the source for each card, in hundredths."""
WORTH_NOTHING = 0


@native_inline
def n_unseen(view: Record) -> int:
    """How many cards are not seen; at least one is in a hand and one aside."""
    total = 0
    for card in range(GUARD, PRINCESS + 1):
        total += int(view.unseen[card])
    return total


@native_inline
def ways(view: Record, card: int, known: int, elsewhere: int, total: int) -> int:
    """In how many of `total` cases the player aimed at holds this card.

    `known` is that player's card, or NO_CARD; `elsewhere` are the known cards of others, four bits for each kind.
    """
    if known != NO_CARD:
        return total if card == known else 0
    return int(view.unseen[card]) - (elsewhere >> 4 * card & 15)


@native
def worth(view: Record, action: int, other: int, known: int, elsewhere: int, total: int) -> int:
    """F of a play, times 100 times `total`, the number of cards that the player aimed at can hold; we keep `other`."""
    card, aimed = int(CARD_OF[action]), AIM_OF[action] > 0
    plain = (100 + int(SMALL[card])) * total
    if card == PRINCESS or (card == PRINCE and not aimed and other == PRINCESS):
        return WORTH_NOTHING
    if not aimed:
        return plain
    if card == GUARD:
        return plain + 100 * ways(view, int(NAMED_OF[action]), known, elsewhere, total)
    if card == PRINCE:
        return plain + 100 * ways(view, PRINCESS, known, elsewhere, total)
    if card == KING:
        return plain + 100 * (ways(view, PRINCESS, known, elsewhere, total) + ways(view, COUNTESS, known, elsewhere, total))
    if card == BARON:
        balance = 0
        for theirs in range(GUARD, other):
            balance += ways(view, theirs, known, elsewhere, total)
        for theirs in range(other + 1, PRINCESS + 1):
            balance -= ways(view, theirs, known, elsewhere, total)
        return plain + 100 * balance
    return plain


@native
def undecided(view: Record, action: int, other: int, total: int) -> int:
    """In how many of `total` cases a play leaves a risk, as the source counts them: when it decides nothing."""
    card, aimed = int(CARD_OF[action]), AIM_OF[action] > 0
    if card in (HANDMAID, PRINCESS) or (card == PRINCE and not aimed and other == PRINCESS):
        return 0
    if not aimed:
        return total
    if card == GUARD:
        return total - int(view.unseen[int(NAMED_OF[action])])
    if card == PRINCE:
        return total - int(view.unseen[PRINCESS])
    if card == BARON:
        return int(view.unseen[other])
    return total


@native
def tie_break(action: int) -> int:
    """Of equal plays the one with the largest of these: the lower card, and a Guard that names the higher one."""
    return (PRINCESS - int(CARD_OF[action])) * (N_KINDS + 1) + int(NAMED_OF[action])


# --- the answer of the other player ---------------------------------------------------------------------------------------


@native_inline
def left(view: Record, card: int, first: int, second: int, kept: int) -> int:
    """How many cards of a kind somebody with this pair has not seen, when we keep `kept`."""
    n = int(view.unseen[card])
    return n - (1 if card == first else 0) - (1 if card == second else 0) + (1 if card == kept else 0)


@native
def best_guess(view: Record, first: int, second: int, kept: int) -> int:
    """The most cards of one kind that a Guard can name."""
    most = 0
    for card in range(PRIEST, PRINCESS + 1):
        most = max(most, left(view, card, first, second, kept))
    return most


@native
def answer_worth(view: Record, card: int, other: int, kept: int, total: int) -> int:
    """F of the best play with a card for somebody who holds this pair and has not seen `total` cards; times 100 times that."""
    plain = (100 + int(SMALL[card])) * total
    if card == GUARD:
        return plain + 100 * best_guess(view, card, other, kept)
    if card == BARON:
        balance = 0
        for ours in range(GUARD, other):
            balance += left(view, ours, card, other, kept)
        for ours in range(other + 1, PRINCESS + 1):
            balance -= left(view, ours, card, other, kept)
        return plain + 100 * balance
    if card == PRINCE:
        return plain + 100 * left(view, PRINCESS, card, other, kept)
    if card == KING:
        return plain + 100 * (left(view, PRINCESS, card, other, kept) + left(view, COUNTESS, card, other, kept))
    return WORTH_NOTHING if card == PRINCESS else plain


@native
def answer_beats(view: Record, card: int, other: int, kept: int, total: int) -> int:
    """In how many of `total` cases this card, played as `greedy` would, puts us out.

    A Guard counts if no other card is more likely than ours. (Of equally likely ones `greedy` names the highest, but in
    the source's example the Guard is feared for a card that is not.)
    """
    if card == GUARD and kept != GUARD:
        n_ours = left(view, kept, card, other, kept)
        return n_ours if n_ours == best_guess(view, card, other, kept) else 0
    if card == BARON:
        return total if kept < other else 0
    return total if card == PRINCE and kept == PRINCESS else 0


@native
def risk(view: Record, kept: int, total: int) -> int:
    """R, times (total - 1) times the number of pairs: over all pairs of unseen cards, how likely a greedy answer beats us."""
    losses, n_left = 0, total - 1
    for low in range(GUARD, PRINCESS + 1):
        n_low = int(view.unseen[low])
        if n_low == 0:
            continue
        for high in range(low, PRINCESS + 1):
            n_pairs = n_low * int(view.unseen[high]) if high > low else n_low * (n_low - 1) // 2
            if n_pairs == 0 or (high == COUNTESS and low in (KING, PRINCE)):
                continue  # a Countess that must be played does no harm
            card, other = low, high
            if high > low and answer_worth(view, high, low, kept, n_left) > answer_worth(view, low, high, kept, n_left):
                card, other = high, low
            losses += n_pairs * answer_beats(view, card, other, kept, n_left)
    return losses
