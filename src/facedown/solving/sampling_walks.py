"""Sampled walks through a game, on its rules: the loop of Monte Carlo counterfactual regret minimisation.

M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling: Monte Carlo sampling for regret minimization in extensive games, 2009.

1. A walk has a player, the walker. Chance is drawn as the rules draw it; `chance-sampling` tries every action of
everybody, `external-sampling` every action of the walker and one, drawn from the strategy, of each other player;
`outcome-sampling` plays one game, in which the walker plays uniformly with probability epsilon.
2. On the way up, each information set of the walker gets its sampled counterfactual regrets: the value of each action
minus that of the strategy, times the probability that the others come there, divided by that of the walk coming
there. What is drawn by its own probability cancels. Their expectation is the exact counterfactual regret.
3. Average strategies are weighted with the own probability of coming to the information set:
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

from typing import Any

import numpy as np

from facedown.native.arrays import borrowed
from facedown.native.chance import draw, game_key, mix, seed_stream
from facedown.native.jit import native_inline
from facedown.native.records import Record
from facedown.solving.sampling_sets import NO_ROOM, bring_up_to_date, choose, find_or_add

CHANCE_SAMPLING, EXTERNAL_SAMPLING, OUTCOME_SAMPLING, AVERAGING = 0, 1, 2, 3

DONE, WAITS_FOR_ROOM, TOO_LONG, WRONG_LEGAL, DIFFERENT_ACTIONS, WRONG_TURN, PAUSED = 0, 1, 2, 3, 4, 5, 6

# the registers: where the work stands
ITERATION, TASK, DEPTH, N_REGISTERS = 0, 1, 2, 3
# the settings
METHOD, ALTERNATING, FIRST_TASK, END_TASK, PLUS, LINEAR, N_SETTINGS = 0, 1, 2, 3, 4, 5, 6
MOST_PLAYERS = 8

FRAME = np.dtype(
    (
        np.record,
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
            ("reach", np.float64, (MOST_PLAYERS,)),  # each player's probability of playing to here, where it is not drawn
            ("worth", np.float64, (MOST_PLAYERS,)),  # what this place is worth to each player
        ],
    )
)

# bound to the rules of a game
start: Any = None
turn: Any = None
legal: Any = None
step: Any = None
score: Any = None
observe: Any = None

_U = np.uint64


def sample_walks(
    blank: Any,
    states: Any,
    views: Any,
    seen: Any,
    chances: Any,
    scores: Any,
    actions: Any,
    frames: Any,
    tried: Any,
    worths: Any,
    slots: Any,
    sets: Any,
    rows: Any,
    eyes: Any,
    counts: Any,
    settings: Any,
    epsilon: float,
    registers: Any,
    seed: int,
    stop: int,
    patience: int,
) -> int:
    """Go on until iteration `stop`, or until something is in the way; DONE or what it is.

    seen      the bytes of the view, as words of eight bytes
    chances   two streams: the rules', and that of the players' choices
    frames    one for each move of the walk; so are `tried`, the legal actions there, and `worths`, what they are worth
    patience  the call ends after so many decisions in any case
    slots ... the information sets, see `sampling_sets.py`
    """  # fmt: skip
    seen, actions, worths = borrowed(seen), borrowed(actions), borrowed(worths)
    slots, sets, rows, eyes, counts = borrowed(slots), borrowed(sets), borrowed(rows), borrowed(eyes), borrowed(counts)
    view, rules, players = views[0], chances[0], chances[1]
    n_players, most_moves, n_actions = len(scores), len(frames) - 1, tried.shape[1]
    first_task, end_task, plus = settings[FIRST_TASK], settings[END_TASK], settings[PLUS]
    iteration, task, depth = registers[ITERATION], registers[TASK], registers[DEPTH]
    while iteration < stop:
        weight = float(iteration + 1) if settings[LINEAR] else 1.0
        while task < end_task:
            # who walks, and whose values are wanted
            averages = task >= n_players
            walker = task - n_players if averages else task
            method = AVERAGING if averages else settings[METHOD]
            everybody = method == CHANCE_SAMPLING and not settings[ALTERNATING]
            low, high = (0, n_players) if everybody else (walker, walker + 1)
            stamp = iteration * (end_task - first_task) + (task - first_task) + 1
            frame = frames[max(depth, 0)]
            if depth < 0:
                key = mix(game_key(seed, iteration) + _U(task + 1))
                seed_stream(rules, key, 0)
                seed_stream(players, key, 1)
                states[0] = blank[0]
                start(states[0], rules)
                for player in range(n_players):
                    frame.reach[player] = 1.0
                frame.drawn, frame.state = 1.0, 0
                depth = 0
            entering = True
            while True:
                if entering:
                    state = states[frame.state]
                    mover = turn(state)
                    if mover >= 0:
                        patience -= 1
                        if patience < 0:
                            registers[ITERATION], registers[TASK], registers[DEPTH] = iteration, task, depth
                            return PAUSED
                        n = legal(state, actions)
                        if n < 1 or n > n_actions or mover >= n_players or depth == most_moves:
                            registers[ITERATION], registers[TASK], registers[DEPTH] = iteration, task, -1
                            return TOO_LONG if depth == most_moves else WRONG_TURN if mover >= n_players else WRONG_LEGAL
                        frame.mover, frame.n_legal, frame.number, frame.wide = mover, n, -1, 0
                        choice = 0
                        if n > 1 and averages and mover != walker:
                            choice = draw(players, n)
                        elif n > 1:
                            observe(state, mover, view)
                            number = find_or_add(mover, seen, actions, n, slots, sets, rows, eyes, counts)
                            if number < 0:
                                registers[ITERATION], registers[TASK] = iteration, task
                                registers[DEPTH] = depth if number == NO_ROOM else -1
                                return WAITS_FOR_ROOM if number == NO_ROOM else DIFFERENT_ACTIONS
                            found = sets[number]
                            bring_up_to_date(found, stamp, plus, rows)
                            first, walks = found.first, low <= mover < high
                            frame.number, frame.first = number, first
                            if method == CHANCE_SAMPLING or (method == EXTERNAL_SAMPLING and walks):
                                frame.wide = 1
                            else:
                                exploring = epsilon if method == OUTCOME_SAMPLING and walks else 0.0
                                choice = choose(rows, first, n, exploring, players)
                            share = weight * average_share(method, walks, frame, n_players)
                            if share > 0.0:
                                for row in range(first, first + n):
                                    rows[row].total += share * rows[row].current
                        frame.next = choice
                        frame.end = n if frame.wide else choice + 1
                        tried[depth, 0] = actions[0]
                        for choice in range(1, n):
                            tried[depth, choice] = actions[choice]
                        frame.worth[low] = 0.0
                        for player in range(low + 1, high):
                            frame.worth[player] = 0.0
                        entering = False
                        continue
                    score(state, scores)
                    for player in range(low, high):
                        frame.worth[player] = scores[player] / frame.drawn
                else:
                    below = frames[depth + 1] if frame.next < frame.end else frame
                    choice = go_down(frame, below, low, high, walker, method, epsilon, n_players, rows, worths, depth)
                    if choice >= 0:
                        place = frame.state
                        if frame.wide:
                            place += 1
                            states[place] = states[frame.state]
                        below.state = place
                        step(states[place], tried[depth, choice], rules)
                        depth += 1
                        frame, entering = below, True
                        continue
                    if low <= frame.mover < high and frame.number >= 0 and not averages:
                        add_regrets(frame, n_players, rows, worths, depth)
                # what this place is worth is known: take it up
                depth -= 1
                if depth < 0:
                    break
                above = frames[depth]
                take_up(above, frame, low, high, walker, method, rows, worths, depth)
                frame, entering = above, False
            task += 1
        task = first_task
        iteration += 1
    registers[ITERATION], registers[TASK], registers[DEPTH] = iteration, task, -1
    return DONE


@native_inline
def average_share(method: Any, walks: bool, frame: Record, n_players: Any) -> float:
    """How much of a strategy goes into the average, so that the expectation is the own probability of coming here."""
    if method == CHANCE_SAMPLING:
        return float(frame.reach[frame.mover]) if walks else 0.0
    if method == AVERAGING:
        return 1.0
    return 1.0 / frame.drawn if n_players == 2 and not walks else 0.0


@native_inline
def go_down(
    frame: Record, below: Record, low: Any, high: Any, walker: Any, method: Any, epsilon: float, n_players: Any, rows: Any,
    worths: Any, depth: Any,
) -> Any:  # fmt: skip
    """Prepare the place below for the next choice; which one, or -1 if there is none. What changes nothing is passed over."""
    found = np.int64(-1)
    while frame.next < frame.end and found < 0:
        choice = frame.next
        frame.next = choice + 1
        copy_reach(frame, below, n_players)
        found = choice
        if frame.number >= 0:
            probability = rows[frame.first + choice].current
            if frame.wide:
                below.reach[frame.mover] *= probability
                if probability == 0.0 and not matters(below, low, high, n_players):
                    worths[depth, choice] = 0.0
                    found = np.int64(-1)
            elif method == OUTCOME_SAMPLING and frame.mover == walker:
                below.drawn *= (1.0 - epsilon) * probability + epsilon / frame.n_legal
    return found


@native_inline
def copy_reach(frame: Record, below: Record, n_players: Any) -> None:
    """Two without a loop, which would be a call to copy memory."""
    below.drawn = frame.drawn
    below.reach[0], below.reach[1] = frame.reach[0], frame.reach[1]
    for player in range(2, n_players):
        below.reach[player] = frame.reach[player]


@native_inline
def matters(frame: Record, low: Any, high: Any, n_players: Any) -> bool:
    """Whether anybody's regrets or averages can change from this place on."""
    for player in range(low, high):  # noqa: SIM110 -- native code has no generators
        if frame.reach[player] > 0.0 or reach_of_others(frame, player, n_players) > 0.0:
            return True
    return False


@native_inline
def reach_of_others(frame: Record, player: Any, n_players: Any) -> float:
    """The probability that the others play to this place, as far as it was not drawn."""
    product = 1.0
    for other in range(n_players):
        if other != player:
            product *= frame.reach[other]
    return product


@native_inline
def take_up(
    above: Record, frame: Record, low: Any, high: Any, walker: Any, method: Any, rows: Any, worths: Any, depth: Any
) -> None:
    """Add what a choice is worth to the place above it."""
    mover, choice = above.mover, above.next - 1
    if above.number >= 0 and low <= mover < high:
        worths[depth, choice] = frame.worth[mover]
    # what is drawn by its own probability counts whole; outcome sampling has divided by what it drew from instead
    probability = 1.0
    if above.wide or (method == OUTCOME_SAMPLING and mover == walker and above.number >= 0):
        probability = rows[above.first + choice].current
    for player in range(low, high):
        above.worth[player] += probability * frame.worth[player]


@native_inline
def add_regrets(frame: Record, n_players: Any, rows: Any, worths: Any, depth: Any) -> None:
    """The sampled counterfactual regrets of the mover."""
    mover, first = frame.mover, frame.first
    worth = frame.worth[mover]
    others = reach_of_others(frame, mover, n_players)  # 1 where they are drawn
    for choice in range(frame.n_legal):
        tried = frame.wide or choice == frame.next - 1
        rows[first + choice].regret += others * ((worths[depth, choice] if tried else 0.0) - worth)
