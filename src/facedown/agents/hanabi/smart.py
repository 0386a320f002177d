"""`smart`: conventions that people can follow; without search the best of ours for two players.

Source: the conventions of SmartBot (A. O'Dwyer, the program Quuxplusone/Hanabi). What moves mean stands in `readings.py`. Who
thinks of a hint tries out on the receiver's hand how it would be read, and gives none that would be read wrongly.

1. With an empty deck: the card that is certain to fit, else a guess.
2. The next player would discard a critical card: a hint that prevents it, better one that lets them play.
3. A card that all know to fit is the newest of the next player too: discard it, which says so.
4. The card that is certain to fit; first what others do not know that one knows, then the lowest.
5. The hint that lets most cards be played, and tells most; a token is kept back for warnings.
6. With lives to lose, a card that is useless unless it fits, if that is likely; with few cards in the deck, the likeliest card.
7. The next player would discard a card that is of use still: a hint after which they would not.
8. A useless card is discarded, unless there are too few turns left and tokens for hints.
9. With many tokens, with too few turns left, or if the discard may well be critical: any hint that is read rightly.
10. The card that would be missed least, most often the next discard; else the highest card.

The likely card of 6, and 7, are for two players; with more, 8 asks for no turns, and 10 is the next discard.
With all tokens there one may not discard, so 9 comes before 8; if every hint would be read wrongly, the rank of the oldest card
of the player before, which means nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.hanabi.code import touched_by
from facedown.agents.hanabi.information import OWN, likeliest_play, look_at_own, own_useless
from facedown.agents.hanabi.readings import (
    CRITICAL,
    HAND,
    KEPT,
    KNOWN,
    LIVE,
    PLAYABLE,
    SPACE,
    WARNING,
    find_newest,
    find_next_discard,
    is_finesse,
    is_play,
    look_at_board,
    may_help,
    read_hint,
    struck_cards,
    take_hand,
)
from facedown.agents.hanabi.tables import bit_of, is_one, weigh
from facedown.agents.hanabi.vocabulary import NONE, find_oldest, hint_action, may_discard, player_at
from facedown.games.hanabi.cards import AIM_OF, DISCARD, FEATURE_OF, HINT, MAX_RANKS, N_FEATURES, PLAY, RANK_OF
from facedown.native import native
from facedown.native.bits import count_bits, first_bit
from facedown.native.jit import integer_room
from facedown.native.records import Record

CERTAIN, GUESS, WARN, FINESSE, HELP, LIKELY, GAMBLE, STUCK, SPARE, USELESS, SPEND, LEAST, NEXT, HIGHEST = range(1, 15)
RULE, MEANING, N_PLAYS, IS_SAFE, LOSS = range(KEPT, KEPT + 5)

RESERVE, PLENTY, DANGER, CARE, PACE, RISK = range(6)
"""The parameters.

Tokens kept back for warnings; hints rather than discards with more tokens; chance to be critical; tokens beyond which useful
cards of the next player are spared; tokens that are kept when there are too few turns for discards; chance to fit.
"""

GAMBLES = np.array([0, 1, 1, 2], np.int64)
"""By lives: with so few cards in the deck it is time to gamble."""
PLAY_WORTH = 20.0
"""Of a card that somebody learns to play, in possibilities that a hint may rule out."""
FEW_TURNS = 1
HIDDEN_PLAY, UNKNOWN_CARD = -10, -1

LOSSES = (0, 2, 3, 6)
"""Of the next player's discard: useless or held twice; useful; it fits; it is the last of its kind."""
LOSS_WORTH = 6.0
"""Of a loss that a hint leaves, as PLAY_WORTH."""
LAST_COST, NEXT_WORTH = 4.0, 0.1
"""Of a card to discard, where a useless one is worth 1: it is critical; it is the next discard."""
MAX_LOSS = 1 + LOSSES[3]


# --- deciding ---------------------------------------------------------------------------------------------------------------


@native
def act(view: Record, actions: Any, n: int, params: Any, memory: Any, public: Any, chance: Record) -> int:
    work = integer_room(SPACE)
    return decide(view, params, public.view(KNOWN)[0], work)


@native
def decide(view: Record, params: Any, known: Record, work: Any) -> int:
    """The move; the workspace has the rule behind it."""
    look_at_board(view, known, work)
    once, twice = look_at_own(view, known, work)
    certain = certain_play(view, known, work)
    if view.n_deck == 0 and certain == NONE and (view.n_lives > 1 or (view.turns_left == 1 and not view.bomb_is_zero)):
        slot, _ = likeliest_play(view, known, work, int(work[PLAYABLE]), -1, once, twice)
        if slot >= 0:
            work[RULE] = GUESS
            return PLAY + int(slot)
    if view.n_deck > 0 or certain == NONE:
        action = protect(view, known, work)
        if action != NONE:
            return action
    if certain != NONE:
        work[RULE] = CERTAIN
        return PLAY + certain
    if may_help(known, work, player_at(view, 0), params):
        action = best_hint(view, known, work, int(view.players) - 1, HELP, MAX_LOSS)
        if action != NONE:
            return action
    if view.n_lives > 1:
        harmless = int(work[PLAYABLE]) | ~int(work[LIVE])
        slot, chance = likeliest_play(view, known, work, int(work[PLAYABLE]), harmless, once, twice)
        if slot >= 0 and chance > params[RISK]:
            work[RULE] = LIKELY
            return PLAY + int(slot)
    if view.n_deck <= GAMBLES[int(view.n_lives)]:
        slot, _ = likeliest_play(view, known, work, int(work[PLAYABLE]), -1, once, twice)
        if slot >= 0:
            work[RULE] = GAMBLE
            return PLAY + int(slot)
    return discard_or_spend(view, known, work, params, once, twice)


@native
def certain_play(view: Record, known: Record, work: Any) -> int:
    """A card that is certain to fit: first what nobody else knows, then the lowest; NONE without one."""
    own, playable = int(view.player), int(work[PLAYABLE])
    best, lowest = NONE, MAX_RANKS
    for slot in range(int(known.held[own])):
        cards = int(work[OWN + slot])
        if cards & ~playable != 0:
            continue
        rank = first_bit(cards) % MAX_RANKS if is_one(cards) else UNKNOWN_CARD
        rank += HIDDEN_PLAY if int(known.tables[own, slot]) & ~playable != 0 else 0
        if rank < lowest:
            best, lowest = slot, rank
    return best


@native
def protect(view: Record, known: Record, work: Any) -> int:
    """A warning if the next player would discard a critical card; else a discard that says what is the newest of them; NONE."""
    if view.n_tokens > 0 and is_in_danger(view, known, work) != NONE:
        return warn(view, known, work)
    if may_discard(view):
        slot = find_finesse(view, known, work)
        if slot != NONE:
            work[RULE] = FINESSE
            return DISCARD + slot
    return NONE


@native
def is_in_danger(view: Record, known: Record, work: Any) -> int:
    """The next discard of the next player, if it is critical indeed; NONE if there is nothing to fear."""
    following = player_at(view, 0)
    held = take_hand(known, work, following)
    doomed = find_next_discard(view, work, following, held)
    if doomed == NONE or bit_of(int(view.hands[following, doomed])) & int(work[CRITICAL]) == 0:
        return NONE
    return int(doomed)


@native
def warn(view: Record, known: Record, work: Any) -> int:
    """A hint after which the next player will not discard a critical card; if there is none, at least the rank of that card."""
    following = player_at(view, 0)
    doomed = is_in_danger(view, known, work)
    action = best_hint(view, known, work, 1, WARN, MAX_LOSS)
    if action != NONE:
        return action
    work[RULE] = WARN
    return int(hint_action(0, int(RANK_OF[int(view.hands[following, doomed])]) - 1))


@native
def find_finesse(view: Record, known: Record, work: Any) -> int:
    """A card of one's own that all know to fit, and that the next player has drawn last without knowing; NONE without one."""
    own, following = int(view.player), player_at(view, 0)
    held = int(known.held[following])
    if held == 0 or view.n_deck == 0:
        return NONE
    newest = find_newest(view, following, held)
    card = bit_of(int(view.hands[following, newest]))
    if is_one(int(known.tables[following, newest])) or int(known.tables[following, newest]) & card == 0:
        return NONE
    for slot in range(int(known.held[own])):
        if int(known.tables[own, slot]) == card and is_finesse(known, work, own, slot):
            return slot
    return NONE


@native
def discard_or_spend(view: Record, known: Record, work: Any, params: Any, once: int, twice: int) -> int:
    """A useless card, else the next discard; but a hint where that is forbidden, too dangerous, or takes too many turns."""
    reach, live = int(view.players) - 1, int(work[LIVE])
    if not may_discard(view):
        action = best_hint(view, known, work, reach, STUCK, MAX_LOSS)
        work[RULE] = STUCK
        return action if action != NONE else int(stall(view))
    if view.n_tokens > params[CARE]:
        action = spare_card(view, known, work)
        if action != NONE:
            return action
    slot, useless = least_bad(view, known, work, once, twice), int(own_useless(view, known, work, live))
    is_late = int(view.n_deck) + int(view.players) - count_bits(live) <= FEW_TURNS
    if useless >= 0:
        slot, work[RULE] = useless, USELESS
        spends = is_late and view.n_tokens > params[PACE]
    else:
        spends = is_late or view.n_tokens > params[PLENTY] or work[RULE] == HIGHEST
    rule, cards = int(work[RULE]), int(work[OWN + slot])
    is_risky = weigh(cards & int(work[CRITICAL]), once, twice) > params[DANGER] * weigh(cards, once, twice)
    if view.n_tokens > 0 and (spends or (is_risky and view.n_tokens > 1)):
        action = best_hint(view, known, work, reach, SPEND, MAX_LOSS)
        if action != NONE:
            return action
    work[RULE] = rule
    return DISCARD + slot


@native
def spare_card(view: Record, known: Record, work: Any) -> int:
    """A hint after which the next player does not discard a useful card, or a less useful one; NONE."""
    following = player_at(view, 0)
    held = take_hand(known, work, following)
    loss = discard_loss(view, work, following, find_next_discard(view, work, following, held))
    return best_hint(view, known, work, 1, SPARE, loss) if loss > 0 else NONE


@native
def discard_loss(view: Record, work: Any, player: int, doomed: int) -> int:
    """How much a discard of another player would be missed, with two players; 0 if it is of no use, or held twice."""
    if doomed == NONE or view.players > 2:
        return LOSSES[0]
    card = int(view.hands[player, doomed])
    for slot in range(int(view.n_held[player])):
        if slot != doomed and view.hands[player, slot] == card:
            return LOSSES[0]
    if bit_of(card) & int(work[CRITICAL]) != 0:
        return LOSSES[3]
    if bit_of(card) & int(work[PLAYABLE]) != 0:
        return LOSSES[2]
    return LOSSES[1] if bit_of(card) & int(work[LIVE]) != 0 else LOSSES[0]


@native
def least_bad(view: Record, known: Record, work: Any, once: int, twice: int) -> int:
    """The next discard, of which one would have been warned, or what is missed less; if all cards are critical, the highest."""
    own = int(view.player)
    held = take_hand(known, work, own)
    slot = int(find_next_discard(view, work, own, held))
    if slot != NONE:
        least = least_missed(work, held, slot, once, twice) if view.players == 2 else slot
        work[RULE] = NEXT if least == slot else LEAST
        return least
    work[RULE] = HIGHEST
    best, highest = 0, -1
    for place in range(held):
        rank = first_bit(int(work[OWN + place])) % MAX_RANKS
        if rank > highest:
            best, highest = place, rank
    return best


@native
def least_missed(work: Any, held: int, usual: int, once: int, twice: int) -> int:
    """The own card that is likely to be useless and unlikely to be critical, by all that this player sees."""
    best, most = usual, -LAST_COST
    for slot in range(held):
        cards = int(work[OWN + slot])
        excess = weigh(cards & ~int(work[LIVE]), once, twice) - LAST_COST * weigh(cards & int(work[CRITICAL]), once, twice)
        worth = excess / weigh(cards, once, twice) + (NEXT_WORTH if slot == usual else 0.0)
        if worth > most:
            best, most = slot, worth
    return best


# --- hints ------------------------------------------------------------------------------------------------------------------


@native
def best_hint(view: Record, known: Record, work: Any, reach: int, rule: int, loss: int) -> int:
    """The hint to one of the next players, `reach` of them, that is worth most, of those that the rule asks for; NONE.

    What they would discard after it must be a smaller loss than `loss`.
    """
    best, most = NONE, 0.0
    for distance in range(reach):
        target = player_at(view, distance)
        for feature in range(N_FEATURES):
            value = judge_hint(view, known, work, target, feature)
            if value <= most or work[LOSS] >= loss:
                continue
            if rule == WARN and (work[IS_SAFE] == 0 or (work[N_PLAYS] == 0 and work[MEANING] != WARNING)):
                continue
            if rule == HELP and work[N_PLAYS] == 0:
                continue
            if work[IS_SAFE] == 0 and rule != HELP:  # it would be the last resort
                value *= 0.01
            if value > most:
                best, most = hint_action(distance, feature), value
    work[RULE] = rule
    return int(best)


@native
def judge_hint(view: Record, known: Record, work: Any, target: int, feature: int) -> float:
    """What a hint is worth: plays that it leads to, and what it rules out; -1 if it would be read wrongly, or is forbidden.

    The workspace has what it means, to how many plays it leads, and after it whether the next discard is not critical, and how
    much it would be missed.
    """
    touched = touched_by(view, target, feature)
    if touched == 0:
        return -1.0
    held = take_hand(known, work, target)
    own, n_players = int(view.player), int(view.players)
    stalls = bool(view.n_tokens == view.tokens and (target + 1) % n_players == own)
    meaning, _ = read_hint(view, work, target, held, feature, touched, target == player_at(view, 0), stalls)
    n_plays, n_ruled_out = 0, 0
    for slot in range(held):
        cards, before = int(work[HAND + slot]), int(known.tables[target, slot])
        if before & ~cards & bit_of(int(view.hands[target, slot])) != 0:
            return -1.0
        n_plays += 1 if is_play(work, cards) and not is_play(work, before) else 0
        n_ruled_out += count_bits(before) - count_bits(cards)
    doomed = find_next_discard(view, work, target, held)
    is_safe = doomed == NONE or bit_of(int(view.hands[target, doomed])) & int(work[CRITICAL]) == 0
    work[MEANING], work[N_PLAYS], work[IS_SAFE] = meaning, n_plays, 1 if is_safe else 0
    work[LOSS] = discard_loss(view, work, target, doomed)
    worth = PLAY_WORTH * n_plays + n_ruled_out - LOSS_WORTH * float(work[LOSS])
    return max(worth, 0.0) + 0.01  # some hint is better than none


@native
def stall(view: Record) -> int:
    """The rank of the oldest card of the player before; of the next one who holds any, if that hand is empty."""
    for back in range(int(view.players) - 1):
        distance = int(view.players) - 2 - back
        target = player_at(view, distance)
        if view.n_held[target] > 0:
            oldest = find_oldest(view, target, -1)
            return int(hint_action(distance, int(RANK_OF[int(view.hands[target, oldest])]) - 1))
    return PLAY


# --- keeping to the convention ----------------------------------------------------------------------------------------------


@native
def keeps(view: Record, action: int, params: Any, memory: Any, public: Any) -> int:
    """Hints that are read rightly; no critical card left without a warning; discards that do not say what is not so."""
    known, own, following = public.view(KNOWN)[0], int(view.player), player_at(view, 0)
    work = integer_room(SPACE)
    look_at_board(view, known, work)
    is_silent = view.n_deck > 0 and (action < HINT or AIM_OF[action] != 1)
    if is_silent and view.n_tokens > 0 and is_in_danger(view, known, work) != NONE:
        return 0
    if action >= HINT:
        target = (own + int(AIM_OF[action])) % int(view.players)
        return 1 if judge_hint(view, known, work, target, int(FEATURE_OF[action])) >= 0 else 0
    if action < DISCARD or view.n_deck == 0:
        return 1
    if is_finesse(known, work, own, action - DISCARD):
        newest = find_newest(view, following, int(known.held[following]))
        return 1 if bit_of(int(view.hands[following, newest])) == int(known.tables[own, action - DISCARD]) else 0
    if not may_help(known, work, following, params):
        return 1
    for distance in range(int(view.players) - 1):
        player = player_at(view, distance)
        held = take_hand(known, work, player)
        for slot in range(held):
            if struck_cards(view, known, work, player, held, slot) & bit_of(int(view.hands[player, slot])) != 0:
                return 0
    return 1
