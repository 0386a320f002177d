"""Sampled walks through a game, on its rules: the loop of Monte Carlo counterfactual regret minimisation.

M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling: Monte Carlo sampling for regret minimization in extensive games, 2009.

1. A walk has a player, the walker. Chance is drawn as the rules draw it; `chance-sampling` tries every action of
   everybody, `external-sampling` every action of the walker and one, drawn from the strategy, of each other player;
   `outcome-sampling` plays one game, in which the walker plays uniformly with probability epsilon.
2. On the way up, each information set of the walker gets its sampled counterfactual regrets: the value of each action
   minus that of the strategy, times the probability that the others come there, divided by that of the walk coming
   there. What is drawn by its own probability cancels. Their expectation is the exact counterfactual regret.
3. Average strategies are weighted with the player's own probability of coming to the information set:
   - chance sampling: it is known, since everything is tried: sums += own reach * strategy;
   - two players, the others: the opponent of the walker moves by the strategy, so it comes by that often by itself
     (sums += strategy, divided by the probability with which the walker has played so far where that is drawn too);
   - any other number of players: third players' strategies, which change from walk to walk, would be in the weights.
     So each player has one more walk, in which that player moves by the strategy and everybody else uniformly: again
     the player comes by with its own probability, times a number that is always the same.

A walk that finds no room for a new information set stops where it is, and goes on there when called again; so does
one that has made as many decisions as somebody is ready to wait for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from facedown.native.arrays import borrowed
from facedown.native.chance import draw, seed_stream
from facedown.native.jit import native_inline
from facedown.native.records import Record
from facedown.native.streams import LEARNING
from facedown.solving.mccfr.information_sets import NO_ROOM, Table, bring_up_to_date, choose, find_or_add

CHANCE_SAMPLING, EXTERNAL_SAMPLING, OUTCOME_SAMPLING, AVERAGING = 0, 1, 2, 3

DONE, WAITS_FOR_ROOM, TOO_LONG, WRONG_LEGAL, DIFFERENT_ACTIONS, WRONG_TURN, PAUSED = 0, 1, 2, 3, 4, 5, 6

MAX_PLAYERS = 8

WORK = np.dtype(
    (
        Record,
        [
            ("method", np.int64),
            ("alternating", np.int64),
            ("plus", np.int64),
            ("linear", np.int64),
            ("first_task", np.int64),  # the walks of an iteration: one for each player, then one more for averages
            ("end_task", np.int64),
            ("seed", np.int64),
            ("epsilon", np.float64),
            # where the work stands
            ("iteration", np.int64),
            ("task", np.int64),
            ("depth", np.int64),  # within a walk; -1 between two
        ],
    )
)

FRAME = np.dtype(
    (
        Record,
        [
            ("mover", np.int64),
            ("number", np.int64),  # of the information set; -1 where there is no choice, or nobody asks
            ("first", np.int64),  # the set's first row
            ("n_legal", np.int64),
            ("next", np.int64),  # the choice to try next
            ("end", np.int64),  # one more than the last choice to try
            ("state", np.int64),  # which state; where only one choice is tried, the next place has the same
            ("wide", np.int64),  # whether all choices are tried
            ("drawn", np.float64),  # the probability with which the walker's moves so far were drawn
            ("reach", np.float64, (MAX_PLAYERS,)),  # each player's probability of playing to here, where it is not drawn
            ("worth", np.float64, (MAX_PLAYERS,)),  # what this place is worth to each player
        ],
    )
)


class Room(NamedTuple):
    """The arrays that walks work on, beside the table of information sets."""

    blank: Any
    """A state as it is before `start`."""
    states: Any
    views: Any
    seen: Any
    """The bytes of the view, as words of eight bytes."""
    chances: Any
    """Two streams: the rules', and that of the players' choices."""
    scores: Any
    actions: Any
    frames: Any
    """One for each move of the walk; so are `tried`, the legal actions there, and `worths`, what they are worth."""
    tried: Any
    worths: Any


class Walk(NamedTuple):
    """One walk: who walks, and whose values are wanted, from player `low` up to `high`."""

    method: Any
    walker: Any
    low: Any
    high: Any
    stamp: Any
    """The number of the walk, counted from 1 over all iterations."""
    weight: Any
    """How much it counts in average strategies."""
    epsilon: Any
    plus: Any
    n_players: Any


# bound to the rules of a game
start: Any = None
turn: Any = None
legal: Any = None
step: Any = None
score: Any = None
observe: Any = None


def sample_walks(room: Any, table: Any, works: Any, stop: int, patience: int) -> int:
    """Go on until iteration `stop`, or until something is in the way; DONE or what it is.

    patience  the call ends after this many decisions in any case
    """
    states, frames, scores, view = room.states, room.frames, room.scores, room.views[0]
    seen, actions = borrowed(room.seen), borrowed(room.actions)
    tried, worths = borrowed(room.tried), borrowed(room.worths)
    table = Table(
        borrowed(table.slots), borrowed(table.sets), borrowed(table.rows), borrowed(table.words), borrowed(table.counts)
    )
    rules, players, work, n_players = room.chances[0], room.chances[1], works[0], len(scores)
    iteration, task, depth = work.iteration, work.task, work.depth
    walk = _walk_of(work, iteration, task, n_players)
    answer, arriving = DONE, True  # or coming back to a place from below
    while iteration < stop:
        if depth < 0:
            seed_stream(rules, work.seed, iteration, 2 * task, LEARNING)
            seed_stream(players, work.seed, iteration, 2 * task + 1, LEARNING)
            states[0] = room.blank[0]
            start(states[0], rules)
            _begin(frames[0], n_players)
            depth, arriving = 0, True
        frame = frames[depth]
        if arriving:
            state = states[frame.state]
            mover = turn(state)
            if mover >= 0:
                patience -= 1
                if patience < 0:
                    answer = PAUSED
                    break
                n = legal(state, actions)
                answer = _broken_rule(mover, n, depth, room)
                if answer != DONE:
                    break
                choice = 0
                frame.mover, frame.n_legal, frame.number, frame.wide = mover, n, -1, 0
                if n > 1 and walk.method == AVERAGING and mover != walk.walker:
                    choice = draw(players, n)
                elif n > 1:
                    observe(state, mover, view)
                    choice = _choose_in_set(frame, seen, actions, table, walk, players)
                    if choice < 0:
                        answer = WAITS_FOR_ROOM if choice == NO_ROOM else DIFFERENT_ACTIONS
                        break
                _set_out(frame, choice, actions, tried, depth, walk)
                arriving = False
                continue
            score(state, scores)
            for player in range(walk.low, walk.high):
                frame.worth[player] = scores[player] / frame.drawn
        else:
            below = frames[depth + 1] if frame.next < frame.end else frame
            choice = _go_down(frame, below, walk, table.rows, worths, depth)
            if choice >= 0:
                place = frame.state
                if frame.wide:
                    place += 1
                    states[place] = states[frame.state]
                below.state = place
                step(states[place], tried[depth, choice], rules)
                depth += 1
                arriving = True
                continue
            if walk.low <= frame.mover < walk.high and frame.number >= 0 and walk.method != AVERAGING:
                _add_regrets(frame, n_players, table.rows, worths, depth)
        # what this place is worth is known: take it up
        depth -= 1
        if depth >= 0:
            _take_up(frames[depth], frame, walk, table.rows, worths, depth)
            arriving = False
            continue
        task += 1
        if task == work.end_task:
            task = work.first_task
            iteration += 1
        walk = _walk_of(work, iteration, task, n_players)
    work.iteration, work.task = iteration, task
    work.depth = depth if answer in (PAUSED, WAITS_FOR_ROOM) else -1
    return answer


@native_inline
def _walk_of(work: Record, iteration: Any, task: Any, n_players: Any) -> Any:
    """The walk that is this task of an iteration."""
    averages = task >= n_players
    walker = task - n_players if averages else task
    method = np.int64(AVERAGING) if averages else work.method
    everybody = method == CHANCE_SAMPLING and not work.alternating
    low, high = (0, n_players) if everybody else (walker, walker + 1)
    stamp = iteration * (work.end_task - work.first_task) + (task - work.first_task) + 1
    weight = float(iteration + 1) if work.linear else 1.0
    return Walk(method, walker, low, high, stamp, weight, work.epsilon, work.plus, n_players)


@native_inline
def _begin(frame: Record, n_players: Any) -> None:
    """The first place of a walk: everybody comes there."""
    for player in range(n_players):
        frame.reach[player] = 1.0
    frame.drawn, frame.state = 1.0, 0


@native_inline
def _broken_rule(mover: Any, n: Any, depth: Any, room: Any) -> int:
    """What is wrong with the answers of the rules, or DONE."""
    if depth == len(room.frames) - 1:
        return TOO_LONG
    if mover >= len(room.scores):
        return WRONG_TURN
    return DONE if 1 <= n <= room.tried.shape[1] else WRONG_LEGAL


@native_inline
def _choose_in_set(frame: Record, seen: Any, actions: Any, table: Any, walk: Any, players: Record) -> Any:
    """Find the mover's information set, add to its average, and choose; 0 where all choices are tried, negative if it fails."""
    n, rows = frame.n_legal, table.rows
    number = find_or_add(frame.mover, seen, actions, n, table)
    if number < 0:
        return number
    found = table.sets[number]
    bring_up_to_date(found, walk.stamp, walk.plus, rows)
    first, walks = found.first, walk.low <= frame.mover < walk.high
    frame.number, frame.first = number, first
    choice = 0
    if walk.method == CHANCE_SAMPLING or (walk.method == EXTERNAL_SAMPLING and walks):
        frame.wide = 1
    else:
        exploring = walk.epsilon if walk.method == OUTCOME_SAMPLING and walks else 0.0
        choice = choose(rows, first, n, exploring, players)
    share = walk.weight * _average_share(walk.method, walks, frame, walk.n_players)
    if share > 0.0:
        for row in range(first, first + n):
            rows[row].total += share * rows[row].current
    return choice


@native_inline
def _average_share(method: Any, walks: bool, frame: Record, n_players: Any) -> float:
    """How much of a strategy goes into the average, so that the expectation is the player's own probability of coming here."""
    if method == CHANCE_SAMPLING:
        return float(frame.reach[frame.mover]) if walks else 0.0
    if method == AVERAGING:
        return 1.0
    return 1.0 / frame.drawn if n_players == 2 and not walks else 0.0


@native_inline
def _set_out(frame: Record, choice: Any, actions: Any, tried: Any, depth: Any, walk: Any) -> None:
    """Make a place ready for its first choice, and the others where all are tried. First ones apart from the loops, which would
    be calls to copy and to clear memory.
    """
    frame.next = choice
    frame.end = frame.n_legal if frame.wide else choice + 1
    tried[depth, 0] = actions[0]
    for other in range(1, frame.n_legal):
        tried[depth, other] = actions[other]
    frame.worth[walk.low] = 0.0
    for player in range(walk.low + 1, walk.high):
        frame.worth[player] = 0.0


@native_inline
def _go_down(frame: Record, below: Record, walk: Any, rows: Any, worths: Any, depth: Any) -> Any:
    """Prepare the place below for the next choice; which one, or -1 if there is none. What changes nothing is passed over."""
    found = np.int64(-1)
    while frame.next < frame.end and found < 0:
        choice = frame.next
        frame.next = choice + 1
        _copy_reach(frame, below, walk.n_players)
        found = choice
        if frame.number >= 0:
            probability = rows[frame.first + choice].current
            if frame.wide:
                below.reach[frame.mover] *= probability
                if probability == 0.0 and not _matters(below, walk):
                    worths[depth, choice] = 0.0
                    found = np.int64(-1)
            elif walk.method == OUTCOME_SAMPLING and frame.mover == walk.walker:
                below.drawn *= (1.0 - walk.epsilon) * probability + walk.epsilon / frame.n_legal
    return found


@native_inline
def _copy_reach(frame: Record, below: Record, n_players: Any) -> None:
    """Two without a loop, which would be a call to copy memory."""
    below.drawn = frame.drawn
    below.reach[0], below.reach[1] = frame.reach[0], frame.reach[1]
    for player in range(2, n_players):
        below.reach[player] = frame.reach[player]


@native_inline
def _matters(frame: Record, walk: Any) -> bool:
    """Whether anybody's regrets or averages can change from this place on."""
    for player in range(walk.low, walk.high):
        if frame.reach[player] > 0.0 or _reach_of_others(frame, player, walk.n_players) > 0.0:
            return True
    return False


@native_inline
def _reach_of_others(frame: Record, player: Any, n_players: Any) -> float:
    """The probability that the others play to this place, as far as it was not drawn."""
    product = 1.0
    for other in range(n_players):
        if other != player:
            product *= frame.reach[other]
    return product


@native_inline
def _take_up(above: Record, frame: Record, walk: Any, rows: Any, worths: Any, depth: Any) -> None:
    """Add what a choice is worth to the place above it."""
    mover, choice = above.mover, above.next - 1
    if above.number >= 0 and walk.low <= mover < walk.high:
        worths[depth, choice] = frame.worth[mover]
    # what is drawn by its own probability counts whole; outcome sampling has divided by what it drew from instead
    probability = 1.0
    if above.wide or (walk.method == OUTCOME_SAMPLING and mover == walk.walker and above.number >= 0):
        probability = rows[above.first + choice].current
    for player in range(walk.low, walk.high):
        above.worth[player] += probability * frame.worth[player]


@native_inline
def _add_regrets(frame: Record, n_players: Any, rows: Any, worths: Any, depth: Any) -> None:
    """The sampled counterfactual regrets of the mover."""
    mover, first = frame.mover, frame.first
    worth = frame.worth[mover]
    others = _reach_of_others(frame, mover, n_players)  # 1 where they are drawn
    for choice in range(frame.n_legal):
        tried = frame.wide or choice == frame.next - 1
        rows[first + choice].regret += others * ((worths[depth, choice] if tried else 0.0) - worth)
