"""Games of Hanabi from which `reinforced` learns, in native code: moves that explore, and what they bring.

Source: W. Jarząbek & J. Leja, Wrocław 2020, section 4.9; the exact numbers are those of the program.

What is known of a situation is a record: its rewards and punishments, at most the last 400. A reward of x adds the pair (x, x),
a punishment (x, 0); what the situation is worth is the sum of the second parts by that of the first, where the k-th entry from
the oldest on counts k times. All sums are kept up to date: when the oldest entry goes, every other one counts one time less.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.agents.hanabi.situations import (
    AT_DISCARD,
    AT_HINT,
    AT_PLAY,
    AT_WHOLE,
    N_WHOLE,
    SIGHT,
    TO_DISCARD,
    TO_HINT,
    TO_PLAY,
    TRACKS,
    follow,
    hint_situation,
    look,
    own_situation,
    whole_situation,
)
from facedown.agents.hanabi.vocabulary import (
    KNOWN_CARD,
    NONE,
    drop_card,
    hint_action,
    is_critical,
    is_known_useless,
    is_playable,
    is_useless,
    may_discard,
)
from facedown.games.hanabi.beliefs import observe
from facedown.games.hanabi.cards import (
    AIM_OF,
    DISCARD,
    FEATURE_OF,
    FIRST_SUIT,
    HINT,
    MAX_HAND,
    MAX_MOVES,
    MAX_PLAYERS,
    N_FEATURES,
    NO_CARD,
    PLAY,
    RANK_FEATURES,
    RANK_OF,
    SUIT_FEATURES,
    SUIT_OF,
)
from facedown.games.hanabi.rules import start, step
from facedown.native import draw, field, native, record
from facedown.native.chance import draw_real, seed_stream
from facedown.native.records import Record
from facedown.native.streams import LEARNING

KEPT = 400
"""Entries of a record; one less stays after the whole was punished."""
P_RANDOM = 0.01
_EXPLORATION = math.sqrt(2)
WINDOW = 1000
"""Games that a score is compared with."""
_HANDICAP = 2
"""A score is good if it is better than the median less this."""

_GOOD_PLAY, _BAD_PLAY, _BAD_PLAY_WHOLE, _BAD_PLAY_HINT = 0.75, 1.25, 1.0, 0.625
_HINT_GAINS = np.array([0.75, 0.45, 0.25])  # by the age of the hint in rounds
_NEEDED_GAIN = 0.2
_GOOD_DISCARD, _GOOD_DISCARD_HINT = 0.253125, 0.1015625
_CRITICAL_DISCARD, _CRITICAL_DISCARD_WHOLE = 0.5, 0.325
_SOON_DISCARD, _SOON_DISCARD_WHOLE = 0.375, 0.25
SOON = 2
_LEFT_OVER_HINT = 0.05078125
_END_PLAY, _END_DISCARD, _END_HINT, _END_WHOLE = 1 / 16, 1 / 8, 1 / 8, 1.0

_HANDS = (MAX_PLAYERS, MAX_HAND)
RECORD = record(
    field("n_entries", np.int64, 0, KEPT, "entries that are kept"),
    field("newest", np.int64, 0, KEPT, "where the next entry goes, round and round"),
    field("weight", np.float64, 0, 10**6, "sum of the weights of all entries"),
    field("weight_by_age", np.float64, 0, 10**9, "sum of the weights, the k-th entry counted k times"),
    field("gain", np.float64, 0, 10**6, "sum of the gains of all entries"),
    field("gain_by_age", np.float64, 0, 10**9, "sum of the gains, the k-th entry counted k times"),
    field("all_weight", np.float64, 0, 10**9, "sum of all weights that were ever given"),
)
DIARY = record(
    *TRACKS,
    *SIGHT,
    field("rank_hint", np.int32, 0, 10**6, "record of the hint that told the rank, plus 1; 0 none", _HANDS),
    field("rank_round", np.int8, 0, MAX_MOVES, "round in which the rank was told", _HANDS),
    field("rank_giver", np.int8, 0, MAX_PLAYERS - 1, "player who told the rank", _HANDS),
    field("suit_hint", np.int32, 0, 10**6, "record of the hint that told the suit, plus 1; 0 none", _HANDS),
    field("suit_round", np.int8, 0, MAX_MOVES, "round in which the suit was told", _HANDS),
    field("suit_giver", np.int8, 0, MAX_PLAYERS - 1, "player who told the suit", _HANDS),
    field("kinds", np.int8, 0, 2, "whether each move was a play, a discard or a hint", MAX_MOVES),
    field("details", np.int32, 0, 10**6, "record of the card or hint of each move", MAX_MOVES),
    field("wholes", np.int32, 0, 10**6, "record of the choice between them", MAX_MOVES),
    field("choice", np.int32, 0, 10**6, "records that are compared", MAX_PLAYERS * N_FEATURES),
    field("hints", np.int8, 0, 127, "the hints that they belong to", MAX_PLAYERS * N_FEATURES),
    field("detail", np.int32, 0, 10**6, "record of the card or hint of this move"),
    field("whole", np.int32, 0, 10**6, "record of the choice of this move"),
    field("situation", np.int32, 0, 10**6, "situation of the card of this move"),
)


# --- records --------------------------------------------------------------------------------------------------------------


@native
def worth(records: Any, at: int) -> float:
    """What a situation is worth by its record."""
    return float(records[at].gain_by_age / records[at].weight_by_age)


@native
def note(records: Any, entries: Any, at: int, amount: float) -> None:
    """Add a reward, or a punishment if it is negative; of the choice between all, punishments leave one entry less."""
    most = KEPT - 1 if at >= AT_WHOLE and amount < 0.0 else KEPT
    one = records[at]
    weight, gain = abs(amount), max(amount, 0.0)
    entries[at, one.newest] = amount
    one.newest = (one.newest + 1) % (KEPT + 1)
    one.n_entries += 1
    one.weight += weight
    one.gain += gain
    one.weight_by_age += weight * one.n_entries
    one.gain_by_age += gain * one.n_entries
    one.all_weight += weight
    while one.n_entries > most:
        oldest = float(entries[at, (one.newest - one.n_entries) % (KEPT + 1)])
        one.weight_by_age -= one.weight
        one.gain_by_age -= one.gain
        one.weight -= abs(oldest)
        one.gain -= max(oldest, 0.0)
        one.n_entries -= 1


@native
def note_card(records: Any, entries: Any, kind: int, situation: int, amount: float) -> None:
    """Reward or punish playing or discarding a card; a reward for one is a punishment for the other."""
    own, other = (AT_PLAY, AT_DISCARD) if kind == TO_PLAY else (AT_DISCARD, AT_PLAY)
    note(records, entries, own + situation, amount)
    if amount > 0.0:
        note(records, entries, other + situation, -amount)


# --- decisions ------------------------------------------------------------------------------------------------------------


@native
def explore(records: Any, choice: Any, n: int) -> int:
    """The alternative that is best, or has been tried too seldom to know."""
    total = 0.0
    for index in range(n):
        total += records[choice[index]].all_weight
    best, best_value = 0, -1.0
    for index in range(n):
        one = records[choice[index]]
        value = one.gain_by_age / one.weight_by_age + _EXPLORATION * math.sqrt(math.log(1.0 + total) / one.all_weight)
        if value > best_value:
            best, best_value = index, value
    return best


@native
def _explore_whole(records: Any, at: int, may_drop: bool, may_hint: bool) -> int:
    """The same for the choice between playing, discarding and hinting, by the number of entries."""
    total = 0.0
    for kind in range(3):
        if kind == TO_PLAY or (kind == TO_DISCARD and may_drop) or (kind == TO_HINT and may_hint):
            total += records[at + kind * N_WHOLE].n_entries + 1
    best, best_value = TO_PLAY, -1.0
    for kind in range(3):
        if kind == TO_PLAY or (kind == TO_DISCARD and may_drop) or (kind == TO_HINT and may_hint):
            tried = records[at + kind * N_WHOLE].n_entries + 1
            value = worth(records, at + kind * N_WHOLE) + _EXPLORATION * math.sqrt(math.log(total) / tried)
            if value > best_value:
                best, best_value = kind, value
    return best


@native
def decide(view: Record, diary: Record, records: Any, chance: Record) -> int:
    """A move, explored or random; what it rests on is left in the diary."""
    look(view, diary)
    own, n_held, n_hints = int(view.player), int(view.n_held[int(view.player)]), 0
    is_random = draw_real(chance) < P_RANDOM
    for slot in range(n_held):
        diary.choice[slot] = own_situation(view, diary, slot, int(view.told[own, slot]), int(diary.hint_size[own, slot]))
    play_slot = draw(chance, n_held) if is_random else explore(records, diary.choice, n_held)
    play_at = int(diary.choice[play_slot])
    for slot in range(n_held):
        diary.choice[slot] += AT_DISCARD
    discard_slot = draw(chance, n_held) if is_random else explore(records, diary.choice, n_held)
    discard_at = int(diary.choice[discard_slot]) - AT_DISCARD
    if view.n_tokens > 0:
        for distance in range(int(view.players) - 1):
            for feature in range(N_FEATURES):
                at = hint_situation(view, diary, distance, MAX_PLAYERS, feature)
                if at != NONE:
                    diary.choice[n_hints] = AT_HINT + at
                    diary.hints[n_hints] = hint_action(distance, feature)
                    n_hints += 1
    hint, hint_worth = 0, 0.0
    if n_hints > 0:
        hint = draw(chance, n_hints) if is_random else explore(records, diary.choice, n_hints)
        hint_worth = worth(records, int(diary.choice[hint]))
    play_worth = max(worth(records, AT_PLAY + play_at), worth(records, AT_PLAY + discard_at))
    discard_worth = max(worth(records, AT_DISCARD + play_at), worth(records, AT_DISCARD + discard_at))
    at = AT_WHOLE + whole_situation(view, play_worth, discard_worth, hint_worth)
    if is_random:
        kind = _random_kind(chance, may_discard(view), n_hints > 0)
    else:
        kind = _explore_whole(records, at, may_discard(view), n_hints > 0)
    diary.whole = at + kind * N_WHOLE
    if kind == TO_HINT:
        diary.detail = diary.choice[hint]
        return int(diary.hints[hint])
    diary.situation = play_at if kind == TO_PLAY else discard_at
    diary.detail = AT_PLAY + play_at if kind == TO_PLAY else AT_DISCARD + discard_at
    return PLAY + play_slot if kind == TO_PLAY else DISCARD + discard_slot


@native
def _random_kind(chance: Record, may_drop: bool, may_hint: bool) -> int:
    """Play, discard or hint with 34, 33 and 33 parts in a hundred, as far as they are possible."""
    n_parts = 34 + (33 if may_drop else 0) + (33 if may_hint else 0)
    part = draw(chance, n_parts)
    if part < 34:
        return TO_PLAY
    return TO_DISCARD if may_drop and part < 67 else TO_HINT


# --- what moves bring -----------------------------------------------------------------------------------------------------


@native
def judge(view: Record, diary: Record, records: Any, entries: Any, action: int, card: int) -> None:
    """Reward or punish a card that is played or discarded, before the table changes; and the hints on it."""
    own, slot = int(view.player), action % DISCARD
    if action < DISCARD:
        fits = is_playable(view, card)
        note_card(records, entries, TO_PLAY, int(diary.situation), _GOOD_PLAY if fits else -_BAD_PLAY)
        note(records, entries, int(diary.whole), _GOOD_PLAY if fits else -_BAD_PLAY_WHOLE)
        for features in (RANK_FEATURES, SUIT_FEATURES):
            if fits:
                _reward_hint(view, diary, records, entries, slot, features)
            else:
                _note_hint(diary, records, entries, own, slot, features, -_BAD_PLAY_HINT)
    elif is_useless(view, diary, card):
        if view.n_tokens < view.tokens:
            note_card(records, entries, TO_DISCARD, int(diary.situation), _GOOD_DISCARD)
            note(records, entries, int(diary.whole), _GOOD_DISCARD)
            for features in (RANK_FEATURES, SUIT_FEATURES):
                if not is_known_useless(view, diary, int(view.told[own, slot]) & ~features):
                    _note_hint(diary, records, entries, own, slot, features, _GOOD_DISCARD_HINT)
    elif is_critical(view, diary, card):
        note_card(records, entries, TO_DISCARD, int(diary.situation), -_CRITICAL_DISCARD)
        note(records, entries, int(diary.whole), -_CRITICAL_DISCARD_WHOLE)
    elif RANK_OF[card] - int(view.piles[int(SUIT_OF[card])]) <= SOON:
        n_elsewhere = int(diary.left[card]) - int(diary.loose[card])
        told = int(view.told[own, slot])
        if n_elsewhere == 0 or (told != 0 and KNOWN_CARD[told] == NO_CARD and diary.hint_size[own, slot] > 0):
            note_card(records, entries, TO_DISCARD, int(diary.situation), -_SOON_DISCARD)
            note(records, entries, int(diary.whole), -_SOON_DISCARD_WHOLE)


@native
def _note_hint(diary: Record, records: Any, entries: Any, player: int, slot: int, features: int, amount: float) -> None:
    """Reward or punish the hint that told the rank or the suit of a card, if one did."""
    at = int(diary.rank_hint[player, slot]) if features == RANK_FEATURES else int(diary.suit_hint[player, slot])
    if at > 0:
        note(records, entries, at - 1, amount)


@native
def _reward_hint(view: Record, diary: Record, records: Any, entries: Any, slot: int, features: int) -> None:
    """Reward a hint on a card that was played well, if it made playing it look better: the more the sooner."""
    own, told = int(view.player), int(view.told[int(view.player), slot])
    if told & features == 0:
        return
    was_completed = KNOWN_CARD[told] != NO_CARD
    without = own_situation(view, diary, slot, told & ~features, int(diary.hint_size[own, slot]) if was_completed else 0)
    if worth(records, AT_PLAY + int(diary.situation)) - worth(records, AT_PLAY + without) <= _NEEDED_GAIN:
        return
    is_rank = features == RANK_FEATURES
    given = int(diary.rank_round[own, slot]) if is_rank else int(diary.suit_round[own, slot])
    giver = int(diary.rank_giver[own, slot]) if is_rank else int(diary.suit_giver[own, slot])
    age = int(view.n_moves) // int(view.players) - given - (1 if giver > own else 0)
    _note_hint(diary, records, entries, own, slot, features, _HINT_GAINS[max(min(age, 2), 0)])


@native
def remember(view: Record, diary: Record, mover: int, action: int) -> None:
    """Follow all that is kept by slots through a move."""
    follow(view, diary, mover, action)
    if action < HINT:
        slot = action % DISCARD
        drop_card(view, diary.rank_hint, mover, slot, 0)
        drop_card(view, diary.rank_round, mover, slot, 0)
        drop_card(view, diary.rank_giver, mover, slot, 0)
        drop_card(view, diary.suit_hint, mover, slot, 0)
        drop_card(view, diary.suit_round, mover, slot, 0)
        drop_card(view, diary.suit_giver, mover, slot, 0)
        return
    player, given = (mover + int(AIM_OF[action])) % int(view.players), (int(view.n_moves) - 1) // int(view.players)
    for slot in range(MAX_HAND):
        if int(view.news) >> slot & 1:
            if FEATURE_OF[action] < FIRST_SUIT:
                diary.rank_hint[player, slot] = diary.detail + 1
                diary.rank_round[player, slot] = given
                diary.rank_giver[player, slot] = mover
            else:
                diary.suit_hint[player, slot] = diary.detail + 1
                diary.suit_round[player, slot] = given
                diary.suit_giver[player, slot] = mover


@native
def low_median(counts: Any, n: int) -> int:
    """The middle score, or the lower one of two; `counts` by score."""
    place, score = (n - 1) // 2, 0
    while place >= counts[score]:
        place -= counts[score]
        score += 1
    return score


@native
def _end_game(state: Record, diary: Record, records: Any, entries: Any, above: int) -> None:
    """Punish hints on cards that were left over; then reward or punish every move, the more the further the score is away."""
    for player in range(int(state.players)):
        for slot in range(int(state.n_held[player])):
            for features in (RANK_FEATURES, SUIT_FEATURES):
                _note_hint(diary, records, entries, player, slot, features, -_LEFT_OVER_HINT)
    if above == 0:
        return
    for move in range(int(state.n_moves)):
        kind, detail = int(diary.kinds[move]), int(diary.details[move])
        if kind == TO_PLAY:
            note_card(records, entries, TO_PLAY, detail - AT_PLAY, above * _END_PLAY)
        elif kind == TO_DISCARD:
            note_card(records, entries, TO_DISCARD, detail - AT_DISCARD, above * _END_DISCARD)
        else:
            note(records, entries, detail, above * _END_HINT)
        note(records, entries, int(diary.wholes[move]), above * _END_WHOLE)


@native
def learn_games(
    blank: Any,
    states: Any,
    views: Any,
    diaries: Any,
    chances: Any,
    records: Any,
    entries: Any,
    recent: Any,
    counts: Any,
    seed: int,
    first: int,
    scores: Any,
) -> None:
    """Play a game for each place in `scores`, from number `first` on, and learn from each.

    `recent` are the last scores, round and round, and `counts` how often each is among them.
    """
    state, view, diary, rules, own = states[0], views[0], diaries[0], chances[0], chances[1]
    for index in range(len(scores)):
        seed_stream(rules, seed, first + index, 0, LEARNING)
        seed_stream(own, seed, first + index, 1, LEARNING)
        states[0] = blank[0]
        diaries[0] = diaries[1]  # an empty one
        start(state, rules)
        while state.mover >= 0:
            mover, at = int(state.mover), int(state.n_moves)
            observe(state, mover, view)
            action = decide(view, diary, records, own)
            diary.kinds[at] = TO_HINT if action >= HINT else TO_DISCARD if action >= DISCARD else TO_PLAY
            diary.details[at] = diary.detail
            diary.wholes[at] = diary.whole
            if action < HINT:
                judge(view, diary, records, entries, action, int(state.hands[mover, action % DISCARD]))
            step(state, action, rules)
            observe(state, mover, view)
            remember(view, diary, mover, action)
        score = int(state.n_points)
        scores[index] = score
        n_known = min(first + index + 2, WINDOW)
        _end_game(state, diary, records, entries, score - (low_median(counts, n_known) - _HANDICAP))
        place = (first + index + 2) % WINDOW
        if first + index + 2 >= WINDOW:
            counts[recent[place]] -= 1
        counts[score] += 1
        recent[place] = score
