"""Tips: what each possible hint of `trustful` is worth, with weights that are parameters.

Source: W. Jarząbek & J. Leja, Wrocław 2020, section 4.7; where its text and its program differ, the program. A tip is worth
the sum of what its cards are worth: a card that will fit when its owner is to move counts, a promise that does not hold
is punished, and a card that the hint only informs of counts by a weight of its own.
"""

from __future__ import annotations

from typing import Any

from facedown.agents.hanabi.promises import INFORMATION, PROMISE, find_promised_play, highest_pile
from facedown.agents.hanabi.vocabulary import (
    KNOWN_CARD,
    KNOWN_RANK,
    KNOWN_SUIT,
    NONE,
    count_seen,
    find_obvious_play,
    guess_discard,
    hint_action,
    is_known_useless,
    is_news,
    is_wanted,
    player_at,
)
from facedown.games.hanabi.cards import (
    FEATURES_OF,
    FIRST_SUIT,
    MAX_RANKS,
    N_CARDS,
    N_FEATURES,
    NO_CARD,
    RANK_OF,
    SUIT_OF,
)
from facedown.native import native
from facedown.native.records import Record

# where the weights of the tips begin among the parameters, and which is which
DISCARD_TIP, GOOD_TIP, RISKY_TIP, INFORMATION_TIP = 0, 3, 11, 19
PASS, DOUBLE, PENALTY, DISTANCE, LOWER, INFORM, HAS_PLAY, CHAIN = range(8)
DISCARD_PENALTY, DISCARD_DISTANCE = 1, 2

SEARCH_FROM = -5.0
ANYTHING = -1e9
COUNTS_AS_PLAYED = 0.95


@native
def prepare(view: Record, mind: Record) -> None:
    """What everybody is going to play, the piles that they will find, and which cards are seen and told of."""
    if mind.is_prepared:
        return
    mind.is_prepared = 1
    own = int(view.player)
    mind.board[:] = view.piles
    for distance in range(int(view.players) - 1):
        player = player_at(view, distance)
        obvious = find_obvious_play(view, view.told, player)
        promised = find_promised_play(view, mind, view.told, player, own)
        mind.obvious[distance] = obvious
        mind.promised[distance] = promised
        mind.boards[distance] = mind.board
        slot = obvious if obvious != NONE else promised
        if slot != NONE:
            card = int(view.hands[player, slot])
            suit = int(SUIT_OF[card])
            mind.board[suit] = int(mind.board[suit]) + (1 if RANK_OF[card] == int(mind.board[suit]) + 1 else 0)
    count_seen(view, view.told, 1 << own, own, mind.visible)
    mark_told(view, mind)
    following = player_at(view, 0)
    slot = int(mind.promised[0])
    if slot == NONE:
        slot = guess_discard(view, mind, view.told, following, 1 << following | 1 << own, following)
    card, told = int(view.hands[following, slot]), int(view.told[following, slot])
    mind.info_rank = int(RANK_OF[card]) - 1 if KNOWN_RANK[told] == 0 else NONE
    mind.info_suit = FIRST_SUIT + int(SUIT_OF[card]) if KNOWN_SUIT[told] == NONE else NONE


@native
def mark_told(view: Record, mind: Record) -> None:
    """Mark the wanted cards that are known in the own hand, or that others were told anything of."""
    own = int(view.player)
    for card in range(N_CARDS + 1):
        mind.marked[card] = 0
    for player in range(int(view.players)):
        for slot in range(int(view.n_held[player])):
            told = int(view.told[player, slot])
            card = int(KNOWN_CARD[told]) if player == own else int(view.hands[player, slot])
            if told != 0 and card != NO_CARD and is_wanted(view, card):
                mind.marked[card] = 1


@native
def has_play(mind: Record, distance: int) -> bool:
    """Whether a player is going to play something; `prepare` comes before."""
    return bool(mind.obvious[distance] != NONE or mind.promised[distance] != NONE)


@native
def play_tip(view: Record, mind: Record, weights: Any, reach: int, least: float) -> int:
    """The hint of the highest worth to one of the next players, `reach` of them, if it is worth `least`; or NONE."""
    prepare(view, mind)
    mind.near[0] = 1.0
    for distance in range(1, reach):
        mind.near[distance] = mind.near[distance - 1] * weights[DISTANCE]
    mind.low[0] = 1.0
    for rank in range(1, MAX_RANKS):
        mind.low[rank] = mind.low[rank - 1] * weights[LOWER]
    best, best_total = NONE, SEARCH_FROM if least > ANYTHING else ANYTHING
    highest = highest_pile(view)
    for distance in range(reach):
        player = player_at(view, distance)
        for feature in range(N_FEATURES):
            if not is_touching(view, player, feature):
                continue
            is_info = distance == 0 and feature in (mind.info_rank, mind.info_suit)
            is_too_high = feature < FIRST_SUIT and feature + 1 > highest + 1
            total = tip_total(view, mind, weights, distance, player, feature, is_info or is_too_high)
            if has_play(mind, distance) and not is_info:
                total *= weights[HAS_PLAY]
            if total > best_total:
                best, best_total = hint_action(distance, feature), total
    mind.value = best_total
    return best if best_total >= least else NONE


@native
def is_touching(view: Record, player: int, feature: int) -> bool:
    """Whether a player holds a card with a feature."""
    features = 0
    for slot in range(int(view.n_held[player])):
        features |= int(FEATURES_OF[int(view.hands[player, slot])])
    return features >> feature & 1 == 1


@native
def tip_total(view: Record, mind: Record, weights: Any, distance: int, player: int, feature: int, informs: bool) -> float:
    """What a hint is worth, from the leftmost card that it tells something new of to the rightmost."""
    mind.board[:] = mind.boards[distance]
    is_rank, total = feature < FIRST_SUIT, 0.0
    cursor = 0 if is_rank else int(mind.board[feature - FIRST_SUIT]) + 1  # the rank of the suit that is to come next
    for slot in range(int(view.n_held[player])):
        if not is_news(view, player, slot, feature):
            continue
        card = int(view.hands[player, slot])
        suit, rank, meant = int(SUIT_OF[card]), int(RANK_OF[card]), int(mind.promises[player, slot])
        is_untouched = view.told[player, slot] == 0
        is_ready = rank == int(mind.board[suit]) + 1
        is_chain = is_ready and rank < view.ranks and mind.visible[card + 1] > 0
        is_double = is_untouched and mind.marked[card] == 1
        near, low = mind.near[distance], mind.low[MAX_RANKS - rank]
        if informs or meant == INFORMATION:
            value = weights[INFORM] * near * mind.low[rank - 1]
            if meant == INFORMATION and is_ready and not is_double:
                value = near * low
            value *= weights[CHAIN] if is_chain else 1.0
        else:
            value = near * low
            if not is_untouched and rank <= int(mind.board[suit]) + 1 and meant == PROMISE:
                value *= weights[DOUBLE]
            value *= weights[CHAIN] if is_chain else 1.0
            value += weights[PENALTY] if is_double else 0.0
            is_false = not is_ready if is_rank else rank != cursor
            value += weights[PENALTY] if is_untouched and is_false else 0.0
        cursor += 1 if rank == cursor else 0
        if is_rank and value >= COUNTS_AS_PLAYED:
            mind.board[suit] = int(mind.board[suit]) + 1
        total += value
    return total


@native
def discard_tip(view: Record, mind: Record, weights: Any, reach: int) -> int:
    """The hint that tells most of what can be discarded, and least of anything else, if it is worth enough; or NONE."""
    best, best_total, near = NONE, 0.0, 1.0
    for distance in range(reach):
        player = player_at(view, distance)
        for feature in range(N_FEATURES):
            total = 0.0
            for slot in range(int(view.n_held[player])):
                if is_news(view, player, slot, feature):
                    known = int(view.told[player, slot]) | 1 << feature
                    total += near if is_known_useless(view, mind, known) else near + weights[DISCARD_PENALTY]
            if total > best_total:
                best, best_total = hint_action(distance, feature), total
        near *= weights[DISCARD_DISTANCE]
    mind.value = best_total
    return best if best != NONE and best_total >= weights[PASS] else NONE
