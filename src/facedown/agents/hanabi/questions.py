"""Questions about a hand, and the number that answers several of them at once, for `information`.

Everybody can work out from the public tables which questions a hand raises. Whoever sees the hand answers them, and
packs the answers into one number below M by mixed radix; whoever knows the number unpacks them, asking the same questions:

1. Nobody would know that a card can be played: "which of these is the first that is true?", of slots that may be playable, and,
   if none is known to be dead, of slots that may be dead.
2. Some slot is playable with probability about 0.7: "is it?"
3. The slot that is the least likely to be dead: "in which block is it?", its possible cards being dealt into blocks.

Source: the information strategy as told in issue threads and source of WuTheFWasThat/hanabi.rs (2019); mixed radix and
questions after it.
"""

from __future__ import annotations

from typing import Any

from facedown.agents.hanabi.tables import is_one, weigh
from facedown.games.hanabi.cards import MAX_HAND
from facedown.native import native

SURE_ENOUGH, AROUND = 0.7, 0.2

# a workspace: tables of a hand, then the items or blocks of a question, then what agents want to keep
MAX_ITEMS, MAX_KEPT = 16, 24
TABLES, SLOTS, CARDS = 0, MAX_HAND, MAX_HAND + MAX_ITEMS
KEPT = CARDS + MAX_ITEMS
ROOM = KEPT + MAX_KEPT
NOTHING_ASKED, WHICH_IS_TRUE, WHICH_BLOCK = 0, 1, 2


@native
def sort_items(work: Any, chances: Any, first: int, end: int) -> None:
    """Put items in the order of their probabilities, the smallest first; of equal ones the higher slot."""
    for at in range(first + 1, end):
        here = at
        while here > first and chances[here] < chances[here - 1]:
            chances[here], chances[here - 1] = chances[here - 1], chances[here]
            work[SLOTS + here], work[SLOTS + here - 1] = work[SLOTS + here - 1], work[SLOTS + here]
            here -= 1


@native
def ask_for_first(
    work: Any, chances: Any, n: int, room: int, playable: int, live: int, once: int, twice: int, dead: bool
) -> int:
    """The items of the first question, in their order; how many."""
    n_items = 0
    for kind in range(2 if dead else 1):
        first = n_items
        for at in range(n):
            slot = n - 1 - at  # so that of equal ones the lowest slot comes last, and is kept
            cards = int(work[TABLES + slot])
            wanted = cards & playable if kind == 0 else cards & ~live
            if is_one(cards) or cards & live == 0 or wanted == 0:
                continue
            work[SLOTS + n_items] = slot
            chances[n_items] = weigh(wanted, once, twice) / weigh(cards, once, twice)
            n_items += 1
        sort_items(work, chances, first, n_items)
        dropped = max(n_items - (room - 1), 0)
        for at in range(first, n_items - dropped):
            work[SLOTS + at] = work[SLOTS + at + dropped]
            chances[at] = chances[at + dropped]
        n_items -= dropped
        for at in range(first, n_items):
            work[CARDS + at] = playable if kind == 0 else ~live
        if n_items == room - 1:
            break
    return n_items


@native
def ask(work: Any, chances: Any, n: int, room: int, playable: int, live: int, once: int, twice: int) -> Any:
    """The next question about a hand of n cards with at most `room` answers: its kind, how many answers it has, its slot."""
    any_playable, any_dead = False, False
    nearest, distance, alive, p_lowest = -1, AROUND, -1, 2.0
    for slot in range(n):
        cards = int(work[TABLES + slot])
        any_playable |= cards & ~playable == 0
        any_dead |= cards & live == 0
        if is_one(cards) or cards & live == 0:
            continue
        total = float(weigh(cards, once, twice))
        p_play = weigh(cards & playable, once, twice) / total
        p_dead = weigh(cards & ~live, once, twice) / total
        if 0.0 < p_play < 1.0 and abs(p_play - SURE_ENOUGH) < distance:
            nearest, distance = slot, abs(p_play - SURE_ENOUGH)
        if p_dead < p_lowest:
            alive, p_lowest = slot, p_dead
    if not any_playable:
        n_items = ask_for_first(work, chances, n, room, playable, live, once, twice, not any_dead)
        if n_items > 0:
            return WHICH_IS_TRUE, n_items + 1, 0
    if nearest >= 0:
        work[SLOTS], work[CARDS] = nearest, playable
        return WHICH_IS_TRUE, 2, nearest
    if alive < 0:
        return NOTHING_ASKED, 1, 0
    return WHICH_BLOCK, deal_blocks(work, alive, room, live), alive


@native
def deal_blocks(work: Any, slot: int, room: int, live: int) -> int:
    """Deal the possible cards of a slot into blocks, the dead ones into one more; how many blocks there are."""
    cards = int(work[TABLES + slot])
    dead, rest = cards & ~live, cards & live
    n_most = room - 1 if dead != 0 else room
    n_blocks, at = 0, 0
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        if at < n_blocks:
            work[CARDS + at] |= bit
        else:
            work[CARDS + at] = bit
            n_blocks += 1
        at = at + 1 if at + 1 < n_most else 0
    if dead != 0:
        work[CARDS + n_blocks] = dead
        n_blocks += 1
    return n_blocks


@native
def answer_with(work: Any, kind: int, slot: int, size: int, answer: int) -> None:
    """Take an answer into the tables; one that cannot be leaves nothing possible, and somebody else mends that."""
    if kind == WHICH_BLOCK:
        work[TABLES + slot] &= work[CARDS + answer]
        return
    for item in range(answer - 1 if answer > 0 else size - 1):
        work[TABLES + work[SLOTS + item]] &= ~work[CARDS + item]
    if answer > 0:
        work[TABLES + work[SLOTS + answer - 1]] &= work[CARDS + answer - 1]


@native
def answer_of(work: Any, kind: int, slot: int, size: int, hand: Any) -> int:
    """The answer of somebody who sees the hand, the numbers of its cards."""
    if kind == WHICH_BLOCK:
        bit = 1 << int(hand[slot]) - 1
        for block in range(size):
            if work[CARDS + block] & bit:
                return block
        return 0  # the tables are wrong, since somebody erred
    for item in range(size - 1):
        if work[CARDS + item] >> int(hand[work[SLOTS + item]]) - 1 & 1:
            return item + 1
    return 0


@native
def pack_answers(
    work: Any, chances: Any, n: int, hand: Any, n_numbers: int, playable: int, live: int, once: int, twice: int
) -> int:
    """The number below `n_numbers` that answers what the tables of a hand raise; the tables are as after hearing it."""
    value, base = 0, 1
    while True:
        room = (n_numbers - value - 1) // base + 1
        if room <= 1:
            return value
        kind, size, slot = ask(work, chances, n, room, playable, live, once, twice)
        if size <= 1:
            return value
        answer = answer_of(work, kind, slot, size, hand)
        value += base * answer
        base = min(n_numbers, base * size)
        answer_with(work, kind, slot, size, answer)


@native
def unpack_answers(
    work: Any, chances: Any, n: int, number: int, n_numbers: int, playable: int, live: int, once: int, twice: int
) -> None:
    """Take all answers of a number into the tables of a hand."""
    value, room = number, n_numbers
    while room > 1:
        kind, size, slot = ask(work, chances, n, room, playable, live, once, twice)
        if size <= 1:
            return
        answer = value % size
        room = (room - answer - 1) // size + 1
        value //= size
        answer_with(work, kind, slot, size, answer)
