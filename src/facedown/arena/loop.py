"""The loop that plays games: written once, compiled once for each game with its rules inlined.

Agents are called through addresses, so any line-up runs in the same machine code. Game number i of a run uses deal i
// n_orders and seats the agents in order i % n_orders; its chance is derived from the seed and these two numbers
only, so it does not matter who plays it, when, or after what.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.seats import CHEATS, DRAWS, LOOKS
from facedown.native.chance import draw, game_key, mix, seed_stream
from facedown.native.jit import bytes_at, call_int, call_none, native, native_inline, unlikely

FINE, ILLEGAL_ACTION, TOO_LONG = 0, 1, 2

# bound to the rules of a game
start: Any = None
turn: Any = None
legal: Any = None
step: Any = None
score: Any = None
observe: Any = None
report: Any = None

_U = np.uint64


@native_inline
def sitting(seat: Any, order: Any, n_agents: int) -> Any:
    """Which agent sits there: agent 0 in seat 0 in the first order, in the last seat in the second, and so on round the table.

    Unsigned, because an index that may be negative costs native code a comparison each time.
    """
    agent = seat + order
    return _U(agent - n_agents if agent >= n_agents else agent)


@native_inline
def is_one_of(action: int, actions: Any, n: int) -> bool:
    """Whether `action` is among the first n. Up to four without a branch, which would be as hard to predict as the move."""
    found = (actions[0] == action) | ((actions[1] == action) & (n > 1)) | ((actions[2] == action) & (n > 2))
    found |= (actions[3] == action) & (n > 3)
    if not found and n > 4:
        for choice in range(4, n):
            found |= actions[choice] == action
    return bool(found)


def play_games(
    seats: Any,
    actions: Any,
    blank: Any,
    states: Any,
    views: Any,
    chances: Any,
    scores: Any,
    max_moves: int,
    n_orders: int,
    seed: int,
    first: int,
    all_scores: Any,
    all_lengths: Any,
    all_values: Any,
    fault: Any,
) -> int:
    """Play one game for each row of `all_scores`, from game number `first` on; returns how many were finished."""
    n_agents = len(scores)
    state, copy, view, rules = states[0], states[1], views[0], chances[0]
    n_watching = 0
    for place in range(n_agents):
        n_watching += seats[place].watches
    deal, order = first // n_orders, first % n_orders - 1
    key, following = game_key(seed, deal), game_key(seed, deal + 1)
    for index in range(len(all_lengths)):
        order += 1  # counted along: a division costs as much as a move
        if order == n_orders:
            deal, order = deal + 1, 0
            # the key of the deal after this one is made while this one is played
            key, following = following, game_key(seed, deal + 1)
        table = _U(order * n_agents)  # where the seats of this order begin
        seed_stream(rules, key, 0)
        agents_key = mix(key + _U(order + 1))
        for place in range(n_agents):
            seat = seats[table + _U(place)]
            seed_stream(seat.chance, agents_key, seat.agent)
            if unlikely(seat.n_memory > 0):
                bytes_at(seat.memory_at, seat.n_memory)[:] = 0
        states[0] = blank[0]
        start(state, rules)
        n_moves = 0
        seat = seats[table]
        while True:
            player = turn(state)
            if player < 0:
                break
            n = legal(state, actions)
            action = actions[0]
            if n > 1:
                if unlikely(seat.place != player):
                    seat = seats[table + _U(player)]
                if seat.sight == DRAWS:  # what `uniform` does, without the call
                    action = actions[_U(draw(seat.chance, n))]
                else:
                    if seat.sight == CHEATS:
                        states[1] = states[0]
                        action = call_int(seat.ask_at, (copy, n, seat))
                    else:
                        if seat.sight == LOOKS:
                            observe(state, player, view)
                        action = call_int(seat.ask_at, (view, n, seat))
                    if unlikely(not is_one_of(action, actions, n)):
                        note_fault(fault, ILLEGAL_ACTION, first + index, seat.agent, n_moves, action)
                        return index
                seat = seats[_U(seat.following)]  # mostly the next to move: its place is known before the move is
            step(state, action, rules)
            n_moves += 1
            if unlikely(n_watching > 0):
                for place in range(n_agents):
                    listener = seats[table + _U(place)]
                    if listener.watches:
                        observe(state, place, view)
                        call_none(listener.tell_at, (view, player, action, listener))
            if unlikely(n_moves > max_moves):
                note_fault(fault, TOO_LONG, first + index, 0, n_moves, 0)
                return index
        score(state, scores)
        for place in range(n_agents):
            all_scores[index, _U(seats[table + _U(place)].agent)] = scores[_U(place)]
        all_lengths[index] = n_moves
        report(state, all_values[index])
    return len(all_lengths)


@native
def note_fault(fault: Any, code: int, game: int, agent: Any, move: int, action: int) -> None:
    """Leave a note of what went wrong: Python plays the game again and makes a sentence of it."""
    fault[0], fault[1], fault[2], fault[3], fault[4] = code, game, agent, move, action


# rows of the sums that `summarise` adds to
SCORES, COMPLETE, SQUARES, SEATS, VALUES, N_ROWS = 0, 1, 2, 3, 4, 5


@native
def summarise(all_scores: Any, all_lengths: Any, all_values: Any, n_orders: int, sums: Any, counts: Any) -> None:
    """Add up finished games in order, from the first order of a deal on; `arena.results.Tally` says what the sums are."""
    for column in range(all_values.shape[1]):
        for game in range(len(all_lengths)):
            sums[VALUES, column] += all_values[game, column]
    if all_scores.shape[1] == 2:
        summarise_two(all_scores, all_lengths, n_orders, sums, counts)
    else:
        summarise_many(all_scores, all_lengths, n_orders, sums, counts)


@native
def summarise_two(all_scores: Any, all_lengths: Any, n_orders: int, sums: Any, counts: Any) -> None:
    """For two agents, with everything in registers: short games end as fast as this."""
    total_0, total_1, seat_0, seat_1 = 0.0, 0.0, 0.0, 0.0
    complete_0, complete_1, squares_0, squares_1, block_0, block_1 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    n_moves, n_won_0, n_won_1, order = 0, 0, 0, 0
    for game in range(len(all_lengths)):
        score_0, score_1 = all_scores[game, 0], all_scores[game, 1]
        total_0 += score_0
        total_1 += score_1
        seat_0 += score_1 if order == 1 else score_0
        seat_1 += score_0 if order == 1 else score_1
        n_won_0 += 1 if score_0 > score_1 else 0
        n_won_1 += 1 if score_1 > score_0 else 0
        n_moves += all_lengths[game]
        block_0 += score_0
        block_1 += score_1
        order += 1
        if order == n_orders:
            complete_0 += block_0
            complete_1 += block_1
            squares_0 += block_0 * block_0
            squares_1 += block_1 * block_1
            order, block_0, block_1 = 0, 0.0, 0.0
    sums[SCORES, 0] += total_0
    sums[SCORES, 1] += total_1
    sums[COMPLETE, 0] += complete_0
    sums[COMPLETE, 1] += complete_1
    sums[SQUARES, 0] += squares_0
    sums[SQUARES, 1] += squares_1
    sums[SEATS, 0] += seat_0
    sums[SEATS, 1] += seat_1
    counts[0] += n_moves
    counts[1] += len(all_lengths) - n_won_0 - n_won_1
    counts[2] += n_won_0
    counts[3] += n_won_1


@native
def summarise_many(all_scores: Any, all_lengths: Any, n_orders: int, sums: Any, counts: Any) -> None:
    """For any number of agents."""
    n_games, n_agents = all_scores.shape
    block = np.zeros(n_agents)
    order = 0  # counted along: a division costs as much as all the rest
    for game in range(n_games):
        best = all_scores[game, 0]
        for agent in range(1, n_agents):
            best = max(best, all_scores[game, agent])
        n_best, winner = 0, 0
        for agent in range(n_agents):
            score = all_scores[game, agent]
            block[agent] += score
            sums[SCORES, agent] += score
            sums[SEATS, agent] += all_scores[game, sitting(agent, order, n_agents)]
            n_best += 1 if score == best else 0
            winner = agent if score == best else winner
        counts[2 + winner] += 1 if n_best == 1 else 0
        counts[1] += 1 if n_best > 1 else 0
        counts[0] += all_lengths[game]
        order += 1
        if order == n_orders:
            order = 0
            for agent in range(n_agents):
                sums[COMPLETE, agent] += block[agent]
                sums[SQUARES, agent] += block[agent] * block[agent]
                block[agent] = 0.0
