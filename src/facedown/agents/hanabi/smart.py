"""`smart`: conventions that people can follow; without search the best of ours for two players.

Source: the conventions of SmartBot (A. O'Dwyer, the program Quuxplusone/Hanabi). What moves mean stands in `readings.py`. Who
thinks of a hint tries out on the receiver's hand how it would be read, and gives none that would be read wrongly.

1. With an empty deck: the card that is certain to fit, else a guess.
2. The next player would discard a critical card: a hint that prevents it, better one that lets them play.
3. A card that all know to fit is the newest of the next player too: discard it, which says so.
4. The card that is certain to fit; first what others do not know that one knows, then the lowest.
5. The hint that lets most cards be played, and tells most; a token is kept back for warnings.
6. With few cards in the deck, the card that is the likeliest to fit.
7. A useless card is discarded.
8. With many tokens, with too few turns left, or if the next discard may well be critical: any hint that is read rightly.
9. The next discard; else the highest card.

With all tokens there one may not discard, so 8 comes before 7; if every hint would be read wrongly, the rank of the oldest card
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

CERTAIN, GUESS, WARN, FINESSE, HELP, GAMBLE, STUCK, USELESS, SPEND, NEXT, HIGHEST = range(1, 12)
RULE, MEANING, N_PLAYS, IS_SAFE = range(KEPT, KEPT + 4)

RESERVE, PLENTY, DANGER = range(3)
"""The parameters: tokens kept back for warnings; hints rather than discards with more tokens; chance to be critical."""

GAMBLES = np.array([0, 1, 1, 2], np.int64)
"""By lives: with so few cards in the deck it is time to gamble."""
PLAY_WORTH = 20.0
"""Of a card that somebody learns to play, in possibilities that a hint may rule out."""
FEW_TURNS = 1
HIDDEN_PLAY, UNKNOWN_CARD = -10, -1


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
        action = best_hint(view, known, work, int(view.players) - 1, HELP)
        if action != NONE:
            return action
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
    action = best_hint(view, known, work, 1, WARN)
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
        action = best_hint(view, known, work, reach, STUCK)
        work[RULE] = STUCK
        return action if action != NONE else int(stall(view))
    slot = int(own_useless(view, known, work, live))
    if slot >= 0:
        work[RULE] = USELESS
        return DISCARD + slot
    slot = least_bad(view, known, work)
    rule, cards = int(work[RULE]), int(work[OWN + slot])
    n_spare = int(view.n_deck) + int(view.players) - count_bits(live)
    is_risky = weigh(cards & int(work[CRITICAL]), once, twice) > params[DANGER] * weigh(cards, once, twice)
    spends = view.n_tokens > params[PLENTY] or n_spare <= FEW_TURNS or rule == HIGHEST or (is_risky and view.n_tokens > 1)
    if view.n_tokens > 0 and spends:
        action = best_hint(view, known, work, reach, SPEND)
        if action != NONE:
            return action
    work[RULE] = rule
    return DISCARD + slot


@native
def least_bad(view: Record, known: Record, work: Any) -> int:
    """The next discard, of which one would have been warned; if all cards are critical, the highest."""
    own = int(view.player)
    held = take_hand(known, work, own)
    slot = int(find_next_discard(view, work, own, held))
    work[RULE] = NEXT if slot != NONE else HIGHEST
    if slot != NONE:
        return slot
    best, highest = 0, -1
    for place in range(held):
        rank = first_bit(int(work[OWN + place])) % MAX_RANKS
        if rank > highest:
            best, highest = place, rank
    return best


# --- hints ------------------------------------------------------------------------------------------------------------------


@native
def best_hint(view: Record, known: Record, work: Any, reach: int, rule: int) -> int:
    """The hint to one of the next players, `reach` of them, that is worth most, of those that the rule asks for; NONE."""
    best, most = NONE, 0.0
    for distance in range(reach):
        target = player_at(view, distance)
        for feature in range(N_FEATURES):
            value = judge_hint(view, known, work, target, feature)
            if value <= most:
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

    The workspace has what it means, to how many plays it leads, and whether the next discard is not critical after it.
    """
    touched = touched_by(view, target, feature)
    if touched == 0:
        return -1.0
    held = take_hand(known, work, target)
    own, n_players, playable = int(view.player), int(view.players), int(work[PLAYABLE])
    stalls = bool(view.n_tokens == view.tokens and (target + 1) % n_players == own)
    meaning, _ = read_hint(view, work, target, held, feature, touched, target == player_at(view, 0), stalls)
    n_plays, n_ruled_out = 0, 0
    for slot in range(held):
        cards, before = int(work[HAND + slot]), int(known.tables[target, slot])
        if before & ~cards & bit_of(int(view.hands[target, slot])) != 0:
            return -1.0
        n_plays += 1 if cards & ~playable == 0 and before & ~playable != 0 else 0
        n_ruled_out += count_bits(before) - count_bits(cards)
    doomed = find_next_discard(view, work, target, held)
    is_safe = doomed == NONE or bit_of(int(view.hands[target, doomed])) & int(work[CRITICAL]) == 0
    work[MEANING], work[N_PLAYS], work[IS_SAFE] = meaning, n_plays, 1 if is_safe else 0
    return PLAY_WORTH * n_plays + n_ruled_out + 0.01  # some hint is better than none


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
            if struck_cards(view, work, player, held, slot) & bit_of(int(view.hands[player, slot])) != 0:
                return 0
    return 1
