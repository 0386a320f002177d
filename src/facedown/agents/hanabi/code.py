"""The code of `information`: a hint is a number for everybody at once, and so is the choice between useless cards.

The giver sends the sum of all numbers, modulo their size. Everybody sees the hands of all others, works out their numbers, and
has the own one by subtraction. So after a hint all know all numbers, and the public tables stay common to all.

How a number becomes a hint: each receiver stands for three or four of them, counted from the giver's left. Which, is told by
the kind of the hint and by whether it points out the receiver's key slot, the one that hints can tell most of.
"""

from __future__ import annotations

from typing import Any

from facedown.agents.hanabi.questions import KEPT, TABLES, pack_answers, unpack_answers
from facedown.agents.hanabi.tables import (
    is_one,
    is_useless,
    live_cards,
    pack_heights,
    playable_cards,
    predict_play,
    ranks_in,
    suits_in,
    weigh,
)
from facedown.games.hanabi.cards import (
    AIM_OF,
    FEATURE_OF,
    FIRST_SUIT,
    HINT,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_RANKS,
    MAX_SUITS,
    NO_CARD,
)
from facedown.native import native
from facedown.native.records import Record

HEIGHTS, NUMBERS = KEPT, KEPT + MAX_PLAYERS  # in the workspace: predicted piles and numbers, by player
RANK_TOUCHES, SUIT_TOUCHES, MISSES, SUIT_MISSES = 0, 1, 2, 3


@native
def n_meanings(known: Record, player: int) -> int:
    """How many numbers a hint to a player can stand for, whatever the hand is.

    Four if its cards can be neither all of one suit nor all of one rank, three if they can but cannot all be alike, else two.
    """
    held = int(known.held[player])
    if held == 0:
        return 0
    alike, suits, ranks = -1, -1, -1  # what all its cards may have in common
    for slot in range(held):
        cards = int(known.tables[player, slot])
        alike &= cards
        suits &= suits_in(cards)
        ranks &= ranks_in(cards)
    if suits == 0 and ranks == 0:
        return 4
    once, twice = int(known.once), int(known.twice)
    if held <= 3 and alike & (once if held == 1 else twice if held == 2 else once & twice) != 0:
        return 2
    return 3 if held > 1 else 2


@native
def find_key_slot(known: Record, player: int, live: int) -> int:
    """The slot of which hints can tell most: undecided, alive, with suit and rank open."""
    best, best_score = 0, -1
    for slot in range(int(known.held[player])):
        cards = int(known.tables[player, slot])
        score = 0
        if cards & live != 0 and not is_one(cards):
            score = 1 + (0 if is_one(suits_in(cards)) else 1) + (0 if is_one(ranks_in(cards)) else 1)
        if score > best_score:
            best, best_score = slot, score
    return best


@native
def count_numbers(view: Record, known: Record, giver: int) -> int:
    """How many numbers a hint of this player can stand for."""
    n_numbers = 0
    for player in range(int(view.players)):
        if player != giver:
            n_numbers += n_meanings(known, player)
    return n_numbers


@native
def read_number(view: Record, known: Record, giver: int, action: int, touched: int) -> int:
    """The number that a hint stands for, which points out these slots; the tables are as before it."""
    n_players, live = int(view.players), live_now(view, known)
    target = (giver + int(AIM_OF[action])) % n_players
    number, player = 0, giver
    while True:
        player = player + 1 if player + 1 < n_players else 0
        if player == target:
            break
        number += n_meanings(known, player)
    touches = touched >> find_key_slot(known, target, live) & 1
    is_suit = FEATURE_OF[action] >= FIRST_SUIT
    if touches:
        return number + (SUIT_TOUCHES if is_suit else RANK_TOUCHES)
    return number + (SUIT_MISSES if is_suit and n_meanings(known, target) == 4 else MISSES)


@native
def live_now(view: Record, known: Record) -> int:
    """The cards that can still count a point."""
    return live_cards(pack_heights(view), int(known.once) | int(known.twice))


@native
def predict_boards(view: Record, known: Record, work: Any, giver: int, heights: int) -> None:
    """The piles as they will be when each player comes to move, after what everybody knows that those before will play."""
    n_players, player = int(view.players), giver
    for _ in range(n_players - 1):
        player = player + 1 if player + 1 < n_players else 0
        work[HEIGHTS + player] = heights
        heights = predict_play(known, player, heights, int(view.suits), int(view.ranks))


@native
def find_number(view: Record, known: Record, work: Any, chances: Any, player: int, n_numbers: int) -> int:
    """The number of a player whose hand is seen; the workspace has the tables as they are then."""
    once, twice = int(known.once), int(known.twice)
    heights, held = int(work[HEIGHTS + player]), int(known.held[player])
    for slot in range(held):
        work[TABLES + slot] = known.tables[player, slot]
    playable, live = playable_cards(heights, int(view.suits), int(view.ranks)), live_cards(heights, once | twice)
    return int(pack_answers(work, chances, held, view.hands[player], n_numbers, playable, live, once, twice))


@native
def add_numbers(view: Record, known: Record, work: Any, chances: Any, giver: int, n_numbers: int, heights: int) -> int:
    """The sum of the numbers of all players but the giver and whoever looks; each is in the workspace."""
    predict_boards(view, known, work, giver, heights)
    total = 0
    for player in range(int(view.players)):
        if player != giver and player != view.player:  # noqa: PLR1714  (compiled, it is quicker than a set)
            work[NUMBERS + player] = find_number(view, known, work, chances, player, n_numbers)
            total += int(work[NUMBERS + player])
    return total % n_numbers


@native
def hear_number(
    view: Record, known: Record, work: Any, chances: Any, giver: int, number: int, n_numbers: int, heights: int
) -> None:
    """Everybody's number into everybody's tables."""
    total, own = add_numbers(view, known, work, chances, giver, n_numbers, heights), int(view.player)
    if own != giver:
        work[NUMBERS + own] = (number - total) % n_numbers
    elif view.players == 2:
        work[NUMBERS + 1 - giver] = number  # whatever the hand is: this is what the other will believe
    once, twice = int(known.once), int(known.twice)
    for player in range(int(view.players)):
        if player == giver:
            continue
        at, held = int(work[HEIGHTS + player]), int(known.held[player])
        playable, live = playable_cards(at, int(view.suits), int(view.ranks)), live_cards(at, once | twice)
        for slot in range(held):
            work[TABLES + slot] = known.tables[player, slot]
        unpack_answers(work, chances, held, int(work[NUMBERS + player]), n_numbers, playable, live, once, twice)
        for slot in range(held):
            known.tables[player, slot] = work[TABLES + slot]


@native
def count_useless(known: Record, player: int, live: int) -> int:
    """How many slots of a player everybody knows to be of no use."""
    n_useless = 0
    for slot in range(int(known.held[player])):
        n_useless += 1 if is_useless(known, player, slot, live) else 0
    return n_useless


@native
def find_useless(known: Record, player: int, live: int, number: int) -> int:
    """The useless slot of this number."""
    for slot in range(int(known.held[player])):
        if is_useless(known, player, slot, live):
            if number == 0:
                return slot
            number -= 1
    return 0


# --- choosing a hint --------------------------------------------------------------------------------------------------------


@native
def touched_by(view: Record, target: int, feature: int) -> int:
    """The slots that a hint would point out, a bit each."""
    touched = 0
    for slot in range(int(view.n_held[target])):
        card = int(view.hands[target, slot])
        has = (card - 1) // MAX_RANKS == feature - FIRST_SUIT if feature >= FIRST_SUIT else (card - 1) % MAX_RANKS == feature
        touched |= (1 << slot) if card != NO_CARD and has else 0
    return touched


@native
def value_hint(work: Any, held: int, touched: int, feature_cards: int, live: int, once: int, twice: int) -> float:
    """How much a hint would tell of slots that are alive and undecided, beyond the number that it stands for."""
    value = 1.0
    for slot in range(held):
        cards = int(work[TABLES + slot])
        if is_one(cards) or cards & live == 0:
            continue
        after = cards & feature_cards if touched >> slot & 1 else cards & ~feature_cards
        if after == 0:
            continue  # the tables are wrong, since somebody erred
        value *= weigh(cards, once, twice) / weigh(after, once, twice)
        value *= 2.0 if is_one(after) or after & live == 0 else 1.0
    return value


@native
def choose_hint(view: Record, known: Record, work: Any, chances: Any, number: int, n_numbers: int, having: Any) -> int:
    """The hint that stands for a number; of several the one that tells most."""
    giver, n_players, live = int(view.player), int(view.players), live_now(view, known)
    target = giver
    while True:
        target = target + 1 if target + 1 < n_players else 0
        meanings = n_meanings(known, target)
        if number < meanings:
            break
        number -= meanings
    once, twice, held = int(known.once), int(known.twice), int(known.held[target])
    key = find_key_slot(known, target, live)
    find_number(view, known, work, chances, target, n_numbers)
    best, most = -1, -1.0
    for feature in range(FIRST_SUIT + MAX_SUITS):
        touched = touched_by(view, target, feature)
        if touched == 0:
            continue
        is_suit = feature >= FIRST_SUIT
        if touched >> key & 1:
            stands_for = SUIT_TOUCHES if is_suit else RANK_TOUCHES
        else:
            stands_for = SUIT_MISSES if is_suit and meanings == 4 else MISSES
        if stands_for == number:
            value = value_hint(work, held, touched, int(having[feature]), live, once, twice)
            if value > most:
                best, most = feature, value
    aim = (target - giver) % n_players
    return HINT + (FIRST_SUIT + MAX_RANKS) * (aim - 1) + best if best >= 0 else -1


@native
def any_hint(view: Record) -> int:
    """Some legal hint, where none stands for the number, since somebody erred: a rank of the next player."""
    target = (int(view.player) + 1) % int(view.players)
    for slot in range(MAX_HAND):
        if view.hands[target, slot] != NO_CARD:
            return HINT + (int(view.hands[target, slot]) - 1) % MAX_RANKS
    return HINT
