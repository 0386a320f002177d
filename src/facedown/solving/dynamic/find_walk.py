"""The search for positions in native code: one position after the other, compiled once for each game with its rules inlined.

For each action of a position:

1. Run `step` with every tape of draws (the odometer of `native/outcomes.py`) on a copy of the state, and settle what comes out;
   what the score loses by settling is gained. Outcomes with the same state and the same gain are added up.
2. An outcome in which the same player moves on, and no action draws, is looked through: its leaves are what its actions lead
   to. Any other outcome is a leaf itself.
3. Enter leaves that are new into the table of positions, sort the leaves of each outcome, and add up outcomes that offer the
   same choice.

Where room runs out the position is given up, and begun again when there is more: what was entered stays entered.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER
from facedown.native.chance import mix
from facedown.native.hashing import FREE, clear_from, crowded, fill, find, hash_bytes, same_bytes, seek, tag_of
from facedown.native.jit import native, unlikely
from facedown.native.outcomes import probability_of, raise_last
from facedown.native.records import Record
from facedown.solving.dynamic.arrays import (
    END,
    MAX_GAINS,
    MAX_LEAVES,
    MAX_LOOKED_THROUGH,
    MAX_TAPES,
    N_ACTIONS,
    N_DONE,
    N_GAINS,
    N_LEAVES,
    N_OUTCOMES,
    N_POSITIONS,
    N_TAPES,
    NOTE,
    ROOT,
    Graph,
    Scratch,
    Table,
)

# why the search stopped; what is needed is enlarged
PAUSED, DONE, NEEDS_POSITIONS, NEEDS_ACTIONS, NEEDS_OUTCOMES, NEEDS_LEAVES, NEEDS_PILE = 0, 1, 2, 3, 4, 5, 6
# or cannot go on
TOO_LARGE, CHANCE_FAULT, OTHER_DRAWS, TOO_MANY_TAPES, TOO_MANY_GAINS, TOO_WIDE = 10, 11, 12, 13, 14, 15
WRONG_PLAYER, WRONG_COUNT, WRONG_ACTION, WRONG_SCORE = 16, 17, 18, 19
ON = -1
"""The search has not stopped."""

_U = np.uint64

# bound to the rules of a game, and to the functions below that are
start: Any = None
turn: Any = None
legal: Any = None
step: Any = None
score: Any = None
settle: Any = None
land: Any = None
draw_outcomes: Any = None
look_through: Any = None
expand: Any = None


def find_positions(
    graph: Graph, table: Table, scratch: Scratch, counts: Any, looks: bool, n_players: int, limit: int, budget: int
) -> int:
    """Go on for `budget` positions; why it stopped. Without `looks`, every state with a decision is a position."""
    for _ in range(budget):
        position = counts[N_DONE]
        if position == counts[N_POSITIONS]:
            return DONE
        if unlikely(counts[N_POSITIONS] > limit):
            return TOO_LARGE
        status = expand(position, graph, table, scratch, counts, looks, n_players)
        if unlikely(status != ON):
            return status  # type: ignore[no-any-return]
        counts[N_DONE] = position + 1
    return PAUSED


def expand_position(
    position: int, graph: Graph, table: Table, scratch: Scratch, counts: Any, looks: bool, n_players: int
) -> int:
    """Write down all that a position leads to."""
    actions, mover, n_legal = scratch.actions, 0, 1
    if position == ROOT:
        actions[0] = 0
    else:
        mover = int(graph.movers[position])
        n_legal = legal(table.states[position], actions)
        if unlikely(n_legal < 1 or n_legal > len(actions) - 4):
            counts[NOTE] = n_legal
            return WRONG_COUNT
    n_actions, n_outcomes, n_leaves = counts[N_ACTIONS], counts[N_OUTCOMES], counts[N_LEAVES]
    if unlikely(n_actions + n_legal > len(graph.actions)):
        return NEEDS_ACTIONS
    before = -1
    for choice in range(n_legal):
        action = int(actions[choice])
        if unlikely(action <= before or action >= len(actions) - 4):
            counts[NOTE] = action
            return WRONG_ACTION
        before = action
        status, top, drew = draw_outcomes(position, action, table, scratch, counts, n_players)
        if unlikely(status != ON):
            return int(status)
        if unlikely(n_outcomes + top > len(graph.p)):
            return NEEDS_OUTCOMES
        first_outcome = n_outcomes
        for row in range(top):
            begin = n_leaves
            if scratch.pile_mover[row] == OVER:
                status, n_leaves = _add_leaf(graph, scratch, counts, n_leaves, END, scratch.pile_gain[row])
            elif looks and drew and position != ROOT and scratch.pile_mover[row] == mover:
                status, n_leaves = look_through(row, mover, graph, table, scratch, counts, n_leaves, n_players)
            else:
                found = enter(graph, table, counts, scratch.pile_octets[row], int(scratch.pile_mover[row]))
                if unlikely(found < 0):
                    return NEEDS_POSITIONS
                status, n_leaves = _add_leaf(graph, scratch, counts, n_leaves, found, scratch.pile_gain[row])
            if unlikely(status != ON):
                return int(status)
            n_leaves = _sort_leaves(graph, begin, n_leaves)
            if unlikely(n_leaves - begin > MAX_LEAVES):
                return TOO_WIDE
            known = _same_choice(graph, scratch, begin, n_leaves, n_outcomes - first_outcome, top > 1)
            if known >= 0:
                graph.p[first_outcome + known] += scratch.pile_p[row]
                n_leaves = begin
            else:
                graph.p[n_outcomes] = scratch.pile_p[row]
                graph.n_leaves[n_outcomes] = n_leaves - begin
                n_outcomes += 1
        if top > 1:
            forget(scratch.choice_slots, scratch.tags[1], n_outcomes - first_outcome)
        graph.actions[n_actions] = action
        graph.n_outcomes[n_actions] = n_outcomes - first_outcome
        n_actions += 1
    counts[N_ACTIONS], counts[N_OUTCOMES], counts[N_LEAVES] = n_actions, n_outcomes, n_leaves
    graph.first[position + 1, 0] = n_actions
    graph.first[position + 1, 1] = n_outcomes
    graph.first[position + 1, 2] = n_leaves
    return ON


def land_and_settle(state: Record, scores: Any, mover: int) -> float:
    """Settle a state; what player 0 has earned by it, and at an end the whole score."""
    scores[:] = 0.0
    score(state, scores)
    earned = float(scores[0])
    if mover != OVER:
        settle(state)
        scores[:] = 0.0
        score(state, scores)
        earned -= float(scores[0])
    return earned


def land_as_it_is(state: Record, scores: Any, mover: int) -> float:
    """The same for a game in which there is nothing to settle: `score` is asked at ends only."""
    if mover != OVER:
        return 0.0
    scores[:] = 0.0
    score(state, scores)
    return float(scores[0])


# --- outcomes of an action --------------------------------------------------------------------------------------------------


def draw_all(position: int, action: int, table: Table, scratch: Scratch, counts: Any, n_players: int) -> Any:
    """All states that an action leads to, on the pile: why it stopped, how many they are, and whether the rules drew."""
    chance, pile, octets = scratch.chances[0], scratch.pile, scratch.pile_octets
    top, n_given, n_tapes, drew = 0, 0, 0, False
    while n_given >= 0:
        if unlikely(top + 1 >= len(pile) or crowded(top, scratch.pile_slots)):
            forget(scratch.pile_slots, scratch.tags[0], top)
            return NEEDS_PILE, 0, drew
        chance.n_draws = 0
        chance.n_taped = n_given
        chance.fault = 0
        pile[top] = table.states[position]
        if position == ROOT:
            start(pile[top], chance)
        else:
            step(pile[top], action, chance)
        n_tapes += 1
        n_draws = int(chance.n_draws)
        mover = int(turn(pile[top]))
        status = _fault_of(chance, n_draws, n_given, mover, n_players, n_tapes, counts)
        if status == ON:
            gain = land(pile[top], scratch.scores, mover)
            status = ON if np.isfinite(gain) else WRONG_SCORE
        if unlikely(status != ON):
            forget(scratch.pile_slots, scratch.tags[0], top)
            return status, 0, drew
        if mover == OVER:
            octets[top][:] = 0
        drew = drew or n_draws > 0
        top = add_outcome(scratch, top, mover, gain, probability_of(chance, n_draws), drew)
        n_given = raise_last(chance, n_draws)
    if drew:
        forget(scratch.pile_slots, scratch.tags[0], top)
    counts[N_TAPES] += n_tapes
    return ON, top, drew


@native
def _fault_of(chance: Record, n_draws: int, n_given: int, mover: int, n_players: int, n_tapes: int, counts: Any) -> int:
    """Whether something is wrong with a run of the rules."""
    if unlikely(chance.fault != 0):
        counts[NOTE] = chance.fault
        return CHANCE_FAULT
    if unlikely(n_draws < n_given):
        return OTHER_DRAWS
    if unlikely(mover < OVER or mover >= n_players):
        counts[NOTE] = mover
        return WRONG_PLAYER
    return TOO_MANY_TAPES if n_tapes > MAX_TAPES else ON


@native
def add_outcome(scratch: Scratch, top: int, mover: int, gain: float, p: float, drew: bool) -> int:
    """Keep the state on top of the pile, or find that it is there already; how many there are then."""
    if drew:
        octets, slots = scratch.pile_octets, scratch.pile_slots
        scratch.number[0] = gain + 0.0
        tag = tag_of(mix(hash_bytes(octets[top]) ^ _U(scratch.number_bits[0])))
        at, index = seek(slots, tag, tag)
        while index >= 0:
            if (
                scratch.pile_mover[index] == mover
                and scratch.pile_gain[index] == gain
                and same_bytes(octets[index], octets[top])
            ):
                scratch.pile_p[index] += p
                return top
            at, index = seek(slots, tag, at + 1)
        fill(slots, -1 - at, tag, top)
        scratch.tags[0, top] = tag
    scratch.pile_p[top] = p
    scratch.pile_gain[top] = gain
    scratch.pile_mover[top] = mover
    return top + 1


@native
def forget(slots: Any, tags: Any, n_rows: int) -> None:
    """Empty a table; where there were few rows, it is quicker to look for each of them."""
    if 8 * n_rows > len(slots):
        slots[:] = 0
        return
    for row in range(n_rows):
        clear_from(slots, tags[row])  # what is met on the way goes too: nobody looks any more


# --- choices --------------------------------------------------------------------------------------------------------------


def look_through_state(
    row: int, mover: int, graph: Graph, table: Table, scratch: Scratch, counts: Any, n_leaves: int, n_players: int
) -> Any:
    """The leaves behind a state on the pile in which the mover moves on."""
    chance, stack, actions = scratch.chances[0], scratch.stack, scratch.more_actions
    stack[0] = scratch.pile[row]
    scratch.stack_gain[0] = scratch.pile_gain[row]
    scratch.stack_mover[0] = mover
    scratch.stack_depth[0] = 0
    top = 1
    while top > 0:
        here = top - 1
        who, gain, depth = int(scratch.stack_mover[here]), scratch.stack_gain[here], scratch.stack_depth[here]
        n_below, draws = 0, True
        if who == mover and depth < MAX_LOOKED_THROUGH:
            n_legal = legal(stack[here], actions)
            if unlikely(n_legal < 1 or n_legal > len(actions) - 4):
                counts[NOTE] = n_legal
                return WRONG_COUNT, n_leaves
            draws = False
            while n_below < n_legal and not draws:
                at = top + n_below
                stack[at] = stack[here]
                chance.n_draws = 0
                chance.n_taped = 0
                chance.fault = 0
                step(stack[at], int(actions[n_below]), chance)
                draws = chance.n_draws > 0
                if not draws:
                    following = int(turn(stack[at]))
                    status = _fault_of(chance, 0, 0, following, n_players, 0, counts)
                    if unlikely(status != ON):
                        return status, n_leaves
                    scratch.stack_gain[at] = gain + land(stack[at], scratch.scores, following)
                    scratch.stack_mover[at] = following
                    scratch.stack_depth[at] = depth + 1
                    n_below += 1
        if draws:
            found = END
            if who != OVER:
                found = enter(graph, table, counts, scratch.stack_octets[here], who)
                if unlikely(found < 0):
                    return NEEDS_POSITIONS, n_leaves
            status, n_leaves = _add_leaf(graph, scratch, counts, n_leaves, found, gain)
            if unlikely(status != ON):
                return status, n_leaves
            top = here
        else:
            last = here + n_below  # the last of those below takes the place of the state itself
            stack[here] = stack[last]
            scratch.stack_gain[here] = scratch.stack_gain[last]
            scratch.stack_mover[here] = scratch.stack_mover[last]
            scratch.stack_depth[here] = depth + 1
            top = last
    return ON, n_leaves


@native
def enter(graph: Graph, table: Table, counts: Any, row: Any, mover: int) -> int:
    """The number of a position, new or not; -1 where there is no room for a new one."""
    tag = tag_of(hash_bytes(row))
    found = find(table.slots, table.octets, row, tag)
    if found > FREE:
        return found
    number = counts[N_POSITIONS]
    if unlikely(number >= len(table.states) or number >= len(graph.movers) or crowded(number, table.slots)):
        return -1
    table.octets[number][:] = row
    fill(table.slots, found, tag, number)
    graph.movers[number] = mover
    counts[N_POSITIONS] = number + 1
    return int(number)


@native
def _add_leaf(graph: Graph, scratch: Scratch, counts: Any, n_leaves: int, position: int, gain: float) -> Any:
    """Write a leaf behind the others; why it cannot be, and how many there are then."""
    if unlikely(n_leaves >= len(graph.leaf_position)):
        return NEEDS_LEAVES, n_leaves
    index = _gain_index(graph, scratch, counts, gain + 0.0)
    if unlikely(index < 0):
        return TOO_MANY_GAINS, n_leaves
    graph.leaf_position[n_leaves] = position
    graph.leaf_gain[n_leaves] = index
    return ON, n_leaves + 1


@native
def _gain_index(graph: Graph, scratch: Scratch, counts: Any, gain: float) -> int:
    """Which of the gains it is, a new one perhaps; -1 if there are too many."""
    gains, n_gains = graph.gains, counts[N_GAINS]
    if n_gains > 0 and gains[0] == gain:
        return 0
    scratch.number[0] = gain
    tag = tag_of(mix(_U(scratch.number_bits[0])))
    at, index = seek(scratch.gain_slots, tag, tag)
    while index >= 0 and gains[index] != gain:
        at, index = seek(scratch.gain_slots, tag, at + 1)
    if index >= 0:
        return int(index)
    if n_gains >= MAX_GAINS:
        return -1
    gains[n_gains] = gain
    fill(scratch.gain_slots, -1 - at, tag, n_gains)
    counts[N_GAINS] = n_gains + 1
    return int(n_gains)


@native
def _sort_leaves(graph: Graph, begin: int, end: int) -> int:
    """Put the leaves of an outcome in order, each of them once; where they end then."""
    positions, gains = graph.leaf_position, graph.leaf_gain
    kept = begin
    for at in range(begin, end):
        position, gain = int(positions[at]), int(gains[at])
        to = kept
        while to > begin and (positions[to - 1] > position or (positions[to - 1] == position and gains[to - 1] > gain)):
            to -= 1
        if to > begin and positions[to - 1] == position and gains[to - 1] == gain:
            continue
        for place in range(kept, to, -1):
            positions[place], gains[place] = positions[place - 1], gains[place - 1]
        positions[to], gains[to] = position, gain
        kept += 1
    return kept


@native
def _same_choice(graph: Graph, scratch: Scratch, begin: int, end: int, n_before: int, several: bool) -> int:
    """Which earlier outcome of the same action has exactly these leaves; -1 if none, and it is remembered."""
    starts = scratch.choice_begin
    starts[n_before], starts[n_before + 1] = begin, end
    if not several:
        return -1
    key = _U(end - begin)
    for at in range(begin, end):
        key = mix(key ^ _U(graph.leaf_position[at] + 1) ^ (_U(graph.leaf_gain[at]) << _U(40)))
    tag = tag_of(key)
    place, index = seek(scratch.choice_slots, tag, tag)
    while index >= 0:
        other, same = starts[index], starts[index + 1] - starts[index] == end - begin
        at = begin
        while same and at < end:
            there = other + at - begin
            same = graph.leaf_position[there] == graph.leaf_position[at] and graph.leaf_gain[there] == graph.leaf_gain[at]
            at += 1
        if same:
            return int(index)
        place, index = seek(scratch.choice_slots, tag, place + 1)
    fill(scratch.choice_slots, -1 - place, tag, n_before)
    scratch.tags[1, n_before] = tag
    return -1
