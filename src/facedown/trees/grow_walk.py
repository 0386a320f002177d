"""The walk that grows a tree: every history depth first, compiled once for each game with its rules inlined.

One turn of the loop is one of three small jobs, and all that it needs to know is kept in arrays. So the walk can stop
after any turn, for want of room or to show progress, and go on as if nothing had been.

1. DRAWING: run `start` or `step` with the next tape of draws (the odometer of `native/outcomes.py`) on a copy of the
   state; a new outcome is put on the pile of states, a known one made more probable. After the last tape, look at the
   first outcome.
2. LOOKING: at an end, write a row: the players' last sequences, and probability times score. At a decision, find the
   information set by the bytes of the view, or open a new one and number its sequences; the mover must have come here by
   one own sequence only, with the same legal actions. Then draw for the first action.
3. LEAVING: on to the next outcome, or the next action, or up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER
from facedown.native.hashing import FREE, clear_from, crowded, fill, find, hash_bytes, tag_of
from facedown.native.jit import native, unlikely
from facedown.native.outcomes import probability_of, raise_last
from facedown.native.records import Record
from facedown.trees.grow_arrays import (
    choices_of,
    frames_of,
    legal_of,
    n_sequences_of,
    p_states_of,
    payoffs_of,
    questions_of,
    rows_of,
    scores_of,
    sequence_of,
    set_slots_of,
    sets_of,
    state_slots_of,
    states_of,
    views_of,
)

DRAWING, _LOOKING, _LEAVING = 0, 1, 2

# why the walk stopped; what is needed is enlarged, and the walk goes on where it was
PAUSED, DONE, FOUND, NEEDS_STATES, NEEDS_FRAMES, NEEDS_SETS, NEEDS_ROWS = 0, 1, 2, 3, 4, 5, 6
# or cannot go on
TOO_LARGE, CHANCE_FAULT, OTHER_DRAWS, OTHER_PAST, OTHER_ACTIONS = 7, 8, 9, 10, 11
WRONG_PLAYER, WRONG_COUNT, WRONG_ACTION, WRONG_SCORE = 12, 13, 14, 15
ON = -1
"""The walk has not stopped."""

# bound to the rules of a game
start: Any = None
turn: Any = None
legal: Any = None
step: Any = None
score: Any = None
observe: Any = None


def grow(
    works: Any,
    chances: Any,
    blank: Any,
    states: Any,
    views: Any,
    actions: Any,
    scores: Any,
    limit: int,
    last_set: int,
    budget: int,
) -> int:
    """Go on with the walk for `budget` turns; why it stopped. It stops too when information set `last_set` is found.

    `states` and `views` are those of the room, as the game's records.
    """
    work, chance = works[0], chances[0]
    for _ in range(budget):
        depth = work.depth
        if work.phase == _LOOKING:
            state = states[frames_of(work)[depth].at]
            player = turn(state)
            if player == OVER:
                if unlikely(work.n_rows >= work.most_rows):
                    return NEEDS_ROWS
                scores[:] = 0.0
                score(state, scores)
                status = _add_end(work, limit)
            else:
                status = _room_for_set(work, player)
                if status == ON:
                    n_legal = legal(state, actions)
                    views_of(work)[work.n_sets][:] = 0
                    observe(state, player, views[work.n_sets])
                    status = enter(work, player, n_legal, limit)
                    if unlikely(work.n_sets > last_set):
                        return FOUND
        elif work.phase == DRAWING:
            top = work.top
            if unlikely(top >= len(states)):
                return NEEDS_STATES
            chance.n_draws, chance.n_taped, chance.fault = 0, work.n_given, 0
            if depth == 0:
                states[top] = blank[0]
                start(states[top], chance)
            else:
                states[top] = states[frames_of(work)[depth - 1].at]
                step(states[top], chosen(work, depth - 1), chance)
            status = _end_tape(work, chance, limit)
        else:
            status = leave(work)
        if unlikely(status != ON):
            return status
    return PAUSED


@native
def chosen(work: Record, depth: int) -> int:
    """The action that is followed at a node of the path."""
    frame = frames_of(work)[depth]
    return np.int64(choices_of(work)[sets_of(work)[frame.information_set].first_choice + frame.choice])  # type: ignore[return-value]


@native
def fail(work: Record, status: int, one: int, other: int) -> int:
    """Note what is wrong, for Python to make a sentence of."""
    work.note[0] = one
    work.note[1] = other
    return status


# --- draws ----------------------------------------------------------------------------------------------------------------


@native
def _end_tape(work: Record, chance: Record, limit: int) -> int:
    """A tape was run on the state on top of the pile: note the outcome, and wind the odometer on."""
    n_draws, n_given, depth = chance.n_draws, work.n_given, work.depth
    if unlikely(chance.fault != 0):
        return fail(work, CHANCE_FAULT, chance.fault, 0)
    work.n_tapes += 1
    work.n_chance += n_draws - n_given
    if unlikely(work.n_chance + work.n_decisions + work.n_ends + work.n_tapes > limit):
        return TOO_LARGE
    if n_draws == 0 and n_given == 0:
        p_states_of(work)[work.top] = 1.0
        work.top += 1
        _open_group(work, depth)
        return ON
    status = _check_questions(work, chance, n_draws, n_given)
    if unlikely(status != ON):
        return status
    add_outcome(work, probability_of(chance, n_draws))
    following = raise_last(chance, n_draws)
    if following < 0:
        _forget_outcomes(work, depth)
        _open_group(work, depth)
        return ON
    work.n_given = following
    return NEEDS_STATES if crowded(work.top - frames_of(work)[depth].begin, state_slots_of(work)) else ON


@native
def _check_questions(work: Record, chance: Record, n_draws: int, n_given: int) -> int:
    """The same answers must lead to the same questions, or something else than the tape decides; keep the new questions."""
    questions, last = questions_of(work), n_given - 1
    if unlikely(n_draws < n_given):
        return fail(work, OTHER_DRAWS, n_draws, questions[0, n_draws])
    for at in range(n_draws):
        other = at < n_given and questions[0, at] != chance.sizes[at]
        other |= at < last and (questions[1, at] != chance.weights[at] or questions[2, at] != chance.totals[at])
        if unlikely(other):
            return fail(work, OTHER_DRAWS, at, questions[0, at])
        questions[0, at] = chance.sizes[at]
        questions[1, at] = chance.weights[at]
        questions[2, at] = chance.totals[at]
    return ON


@native
def add_outcome(work: Record, p: float) -> None:
    """Keep the state on top of the pile, or find that it is there already."""
    states, p_states, top = states_of(work), p_states_of(work), work.top
    tag = tag_of(hash_bytes(states[top]))
    known = find(state_slots_of(work), states, states[top], tag)
    if known > FREE:
        p_states[known] += p
        return
    fill(state_slots_of(work), known, tag, top)
    p_states[top] = p
    work.top = top + 1


@native
def _forget_outcomes(work: Record, depth: int) -> None:
    """Empty the table of outcomes; where there were few, it is quicker to look for each of them."""
    begin, slots, states = frames_of(work)[depth].begin, state_slots_of(work), states_of(work)
    if 8 * (work.top - begin) > len(slots):
        slots[:] = 0
        return
    for index in range(begin, work.top):
        clear_from(slots, tag_of(hash_bytes(states[index])))  # what is met on the way goes too: nobody looks any more


@native
def _open_group(work: Record, depth: int) -> None:
    """All outcomes are known: look at the first."""
    frame = frames_of(work)[depth]
    frame.end = work.top
    _go_to(work, depth, frame.begin)


@native
def _go_to(work: Record, depth: int, index: int) -> None:
    """Look at an outcome."""
    frame, p = frames_of(work)[depth], p_states_of(work)[index]
    frame.at = index
    frame.reach = p
    frame.uniform = p
    if depth > 0:
        above = frames_of(work)[depth - 1]
        frame.reach = above.reach * p
        frame.uniform = above.uniform * p / sets_of(work)[above.information_set].n_choices
    work.phase = _LOOKING


@native
def _draw_next(work: Record, depth: int) -> None:
    """Find out what the chosen action of the node above leads to."""
    work.depth = depth
    work.phase = DRAWING
    work.n_given = 0
    work.n_tapes = 0
    frames_of(work)[depth].begin = work.top


# --- ends -----------------------------------------------------------------------------------------------------------------


@native
def _add_end(work: Record, limit: int) -> int:
    """Write a row for an end; rows of the same sequences are added up later, in the order of the walk."""
    frame, index, scores = frames_of(work)[work.depth], work.n_rows, scores_of(work)
    for player in range(work.n_players):
        rows_of(work)[index, player] = sequence_of(work)[player]
        payoffs_of(work)[index, player] = frame.reach * scores[player]
        if unlikely(not np.isfinite(scores[player])):
            return fail(work, WRONG_SCORE, player, 0)
    work.n_ends += 1
    if unlikely(work.n_chance + work.n_decisions + work.n_ends > limit):
        return TOO_LARGE
    work.n_rows = index + 1
    total = work.probability + frame.uniform
    work.rest += (work.probability - total) + frame.uniform  # the sum so far is the larger one, but for the first end
    work.probability = total
    work.longest = max(work.longest, work.depth)
    work.phase = _LEAVING
    return ON


# --- decisions ------------------------------------------------------------------------------------------------------------


@native
def _room_for_set(work: Record, player: int) -> int:
    """Whether one more information set, and one more move, can be written."""
    if unlikely(player < 0 or player >= work.n_players):
        return fail(work, WRONG_PLAYER, player, 0)
    if unlikely(work.depth + 1 >= work.most_frames):
        return NEEDS_FRAMES
    no_room = work.n_sets >= work.most_sets or work.n_choices + work.n_actions > work.most_choices
    return NEEDS_SETS if no_room or crowded(work.n_sets, set_slots_of(work, player)) else ON


@native
def enter(work: Record, player: int, n_legal: int, limit: int) -> int:
    """Find the information set of a decision by the view behind the others, and choose the first action."""
    if unlikely(n_legal < 1 or n_legal > work.n_actions):
        return fail(work, WRONG_COUNT, n_legal, 0)
    work.n_decisions += 1
    if unlikely(work.n_chance + work.n_decisions + work.n_ends > limit):
        return TOO_LARGE
    views, slots, depth = views_of(work), set_slots_of(work, player), work.depth
    tag = tag_of(hash_bytes(views[work.n_sets]))
    found = find(slots, views, views[work.n_sets], tag)
    if found > FREE:
        status = _check_set(work, found, player, n_legal)
    else:
        status = _open_set(work, player, n_legal)
        if status == ON:
            fill(slots, found, tag, work.n_sets - 1)
            found = work.n_sets - 1
    if unlikely(status != ON):
        return status
    frames_of(work)[depth].information_set = found
    frames_of(work)[depth].choice = 0
    sequence_of(work)[player] = sets_of(work)[found].first
    _draw_next(work, depth + 1)
    return ON


@native
def _check_set(work: Record, found: int, player: int, n_legal: int) -> int:
    """Who is in an information set again has done the same before, and can do the same."""
    known = sets_of(work)[found]
    if unlikely(known.parent != sequence_of(work)[player]):
        return fail(work, OTHER_PAST, found, 0)
    if unlikely(n_legal != known.n_choices):
        return fail(work, OTHER_ACTIONS, found, n_legal)
    begin, legal_now, choices = known.first_choice, legal_of(work), choices_of(work)
    for index in range(n_legal):
        if unlikely(choices[begin + index] != legal_now[index]):
            return fail(work, OTHER_ACTIONS, found, n_legal)
    return ON


@native
def _open_set(work: Record, player: int, n_legal: int) -> int:
    """A new information set, with its sequences."""
    found, begin, before = work.n_sets, work.n_choices, -1
    for index in range(n_legal):
        action = legal_of(work)[index]
        if unlikely(action <= before or action >= work.n_actions):
            return fail(work, WRONG_ACTION, before, action)
        choices_of(work)[begin + index] = action
        before = action
    new = sets_of(work)[found]
    new.first_choice = begin
    new.n_choices = n_legal
    new.parent = sequence_of(work)[player]
    new.first = n_sequences_of(work)[player]
    new.player = player
    n_sequences_of(work)[player] += n_legal
    work.n_choices = begin + n_legal
    work.n_sets = found + 1
    return ON


@native
def leave(work: Record) -> int:
    """All below the present node is done: go on to the next outcome, or the next action of the node above, or up."""
    depth = work.depth
    frame = frames_of(work)[depth]
    if frame.at + 1 < frame.end:
        _go_to(work, depth, frame.at + 1)
        return ON
    work.top = frame.begin
    if depth == 0:
        return DONE
    above = frames_of(work)[depth - 1]
    known = sets_of(work)[above.information_set]
    above.choice += 1
    if above.choice < known.n_choices:
        sequence_of(work)[known.player] += 1
        _draw_next(work, depth)
    else:
        sequence_of(work)[known.player] = known.parent
        work.depth = depth - 1
    return ON
