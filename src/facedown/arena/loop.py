"""The loop that plays games: written once, compiled once for each game with its rules inlined.

Agents are called through addresses, so any line-up runs in the same machine code. Game number i of a run uses deal
i // n_orders and seats the agents in order i % n_orders; its chance is derived from the seed and these two numbers
only, so it does not matter who plays it, when, or after what.

Stream 0 of a deal belongs to the rules, the next ones to the seats, whoever sits there, and the last one says in which
order three or more agents sit down first. All games of a deal have the same streams: what luck does to one agent in a
seat, it does to every other agent that comes to sit there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.contract import NOBODY
from facedown.agents.hearing import heard_by_both
from facedown.agents.seats import CHEATS, DRAWS, HEARS_AND_LOOKS, IS_SHOWN, LOOKS
from facedown.games.contract import HIDDEN, LISTED, UNNOTICED
from facedown.native.chance import draw, shuffle, take_stream
from facedown.native.jit import bytes_at, call_int, call_none, native, native_inline, unlikely
from facedown.native.streams import LANES, MATCHES, STREAMS_A_BLOCK, fill_streams

FINE, ILLEGAL_ACTION, TOO_LONG = 0, 1, 2
FIRST_SEAT_STREAM = 1

# bound to the rules of a game
start: Any = None
turn: Any = None
legal: Any = None
step: Any = None
score: Any = None
observe: Any = None
hears: Any = None
report: Any = None
allows: Any = None

_U = np.uint64


@native
def draw_seating(streams: Any, lane: Any, chance: Any, seating: Any) -> None:
    """Which agent sits where in the first game of a deal: all orders equally likely, so that none depends on the naming."""
    for place in range(len(seating)):
        seating[place] = place
    take_stream(chance, streams, len(seating) + FIRST_SEAT_STREAM, lane)
    shuffle(chance, seating)


@native
def set_tables(seats: Any, seating: Any) -> None:
    """Seat the agents for all games of a deal: as they were drawn, then each time one place on round the table."""
    n_agents = len(seating)
    for order in range(n_agents):
        for place in range(n_agents):
            agent = seating[(place + order) % n_agents]
            seat, own = seats[order * n_agents + place], seats[n_agents * n_agents + agent]
            seat.ask_at, seat.tell_at, seat.sight, seat.watches = own.ask_at, own.tell_at, own.sight, own.watches
            seat.params_at, seat.n_params, seat.agent = own.params_at, own.n_params, agent
            seat.memory_at, seat.n_memory, seat.n_room = own.memory_at, own.n_memory, own.n_room
            seat.public_at, seat.n_public, seat.n_public_room = own.public_at, own.n_public, own.n_public_room
            seat.begin_at, seat.lists = own.begin_at, own.lists


@native_inline
def is_one_of(action: int, actions: Any, n: int) -> bool:
    """Whether `action` is among the first n, without a branch on what it is: that would be as hard to predict as the move."""
    if n > 4:
        return is_one_of_many(action, actions, n)
    found = (actions[0] == action) | ((actions[1] == action) & (n > 1)) | ((actions[2] == action) & (n > 2))
    return bool(found | ((actions[3] == action) & (n > 3)))


@native_inline
def is_one_of_many(action: int, actions: Any, n: int) -> bool:
    """The same for many, by quarters, since they are ascending; all are looked at before it is denied.

    Three probes that do not wait for one another take less time than two that do.
    """
    at, last = 0, n - 1
    for step in (16, 4, 1):
        n_passed = 1 if actions[_U(min(at + step, last))] <= action else 0
        n_passed += 1 if actions[_U(min(at + 2 * step, last))] <= action else 0
        n_passed += 1 if actions[_U(min(at + 3 * step, last))] <= action else 0
        at = min(at + step * n_passed, last)
    found = actions[_U(at)] == action
    if unlikely(not found):
        for choice in range(n):
            found |= actions[choice] == action
    return bool(found)


def play_games(
    seats: Any,
    actions: Any,
    blank: Any,
    states: Any,
    views: Any,
    commons: Any,
    chances: Any,
    scores: Any,
    streams: Any,
    seating: Any,
    max_moves: int,
    n_orders: int,
    seed: int,
    first: int,
    all_scores: Any,
    all_lengths: Any,
    all_values: Any,
    all_seats: Any,
    fault: Any,
) -> int:
    """Play one game for each row of `all_scores`, from game number `first` on; returns how many were finished."""
    n_agents = len(scores)
    state, copy, view, nothing, rules, orders = states[0], states[1], views[0], views[1], chances[0], chances[1]
    common, all_at = commons[0], seats[0].tell_all_at
    n_watching, n_opening = 0, 0
    for place in range(n_agents):
        n_watching += seats[place].watches
        n_opening += seats[place].begin_at != 0 or seats[place].n_public > 0
    deal, order = first // n_orders, first % n_orders - 1
    last_deal = (first + len(all_lengths) - 1) // n_orders
    lane, n_lanes = 0, 0
    for index in range(len(all_lengths)):
        order += 1  # counted along: a division costs as much as a move
        if order == n_orders:
            deal, order, lane = deal + 1, 0, lane + 1
        if unlikely(lane == n_lanes):
            lane, n_lanes = 0, min(LANES, last_deal - deal + 1)
            for block in range(len(streams) // (2 * STREAMS_A_BLOCK)):
                rows = streams[2 * STREAMS_A_BLOCK * block : 2 * STREAMS_A_BLOCK * (block + 1)]
                fill_streams(seed, MATCHES, deal, block, n_lanes, rows)
        if unlikely(n_orders > 2):
            if order == 0 or index == 0:
                draw_seating(streams, lane, orders, seating)
                set_tables(seats, seating)
            for place in range(n_agents):
                all_seats[index, place] = seats[order * n_agents + place].agent
        table = _U(order * n_agents)  # where the seats of this order begin
        take_stream(rules, streams, 0, lane)
        for place in range(n_agents):
            seat = seats[table + _U(place)]
            take_stream(seat.chance, streams, place + FIRST_SEAT_STREAM, lane)
            if unlikely(seat.n_room > 0):
                bytes_at(seat.memory_at, seat.n_room)[:] = 0
            if unlikely(seat.n_public_room > 0):
                bytes_at(seat.public_at, seat.n_public_room)[:] = 0
        states[0] = blank[0]
        start(state, rules)
        if unlikely(n_opening > 0):
            for place in range(n_agents):
                listener = seats[table + _U(place)]
                if listener.begin_at != 0:
                    observe(state, place, view)
                    call_none(listener.begin_at, (view, listener))
                if listener.n_public > 0 and all_at == 0:
                    observe(state, place, view)
                    call_none(listener.tell_at, (view, NOBODY, HIDDEN, listener))
            if all_at != 0:
                observe(state, 0, view)
                call_none(all_at, (view, common, NOBODY, HIDDEN, seats[table]))
        n_moves = 0
        seat = seats[table]
        while True:
            player = turn(state)
            if player < 0:
                break
            if unlikely(seat.place != player):
                seat = seats[table + _U(player)]
            n, action = 2, 0  # enough to know that there is a choice, for an agent that looks at neither
            if not (seat.lists == 0 and allows(state, 0) == 1 and allows(state, 1) == 1):
                n = legal(state, actions)
                action = actions[0]
            if n > 1:
                if seat.sight == DRAWS:  # what `uniform` does, without the call
                    action = actions[_U(draw(seat.chance, n))]
                else:
                    if seat.sight == IS_SHOWN:
                        action = call_int(seat.ask_at, (state, nothing, n, seat))
                    elif seat.sight == CHEATS:
                        states[1] = states[0]
                        action = call_int(seat.ask_at, (copy, n, seat))
                    elif seat.sight == LOOKS:
                        observe(state, player, view)
                        action = call_int(seat.ask_at, (view, n, seat))
                    else:
                        action = call_int(seat.ask_at, (nothing, n, seat))
                    allowed: Any = allows(state, action)  # a tenth of Hanabi's time less than looking it up
                    if unlikely(not is_one_of(action, actions, n) if allowed == LISTED else allowed != 1):
                        note_fault(fault, ILLEGAL_ACTION, first + index, seat.agent, n_moves, action)
                        return index
                seat = seats[_U(seat.following)]  # mostly the next to move: its place is known before the move is
            step(state, action, rules)
            n_moves += 1
            if unlikely(n_watching > 0):
                if all_at != 0:
                    heard: Any = np.int64(hears(state, 0, player, action))
                    for place in range(1, n_agents):
                        heard = heard_by_both(heard, np.int64(hears(state, place, player, action)))
                    if heard != UNNOTICED:
                        observe(state, player, view)
                        call_none(all_at, (view, common, player, heard, seats[table]))
                else:
                    for place in range(n_agents):
                        listener = seats[table + _U(place)]
                        if listener.watches:
                            heard = np.int64(hears(state, place, player, action))
                            if heard != UNNOTICED:
                                if listener.watches == HEARS_AND_LOOKS:
                                    observe(state, place, view)
                                    call_none(listener.tell_at, (view, player, heard, listener))
                                else:
                                    call_none(listener.tell_at, (nothing, player, heard, listener))
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
def summarise(
    all_scores: Any, all_lengths: Any, all_values: Any, all_seats: Any, n_orders: int, sums: Any, counts: Any
) -> None:
    """Add up finished games in order, from the first order of a deal on; `arena.results.Tally` says what the sums are."""
    for column in range(all_values.shape[1]):
        for game in range(len(all_lengths)):
            sums[VALUES, column] += all_values[game, column]
    if all_scores.shape[1] == 2:
        summarise_two(all_scores, all_lengths, n_orders, sums, counts)
    else:
        summarise_many(all_scores, all_lengths, all_seats, n_orders, sums, counts)


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
def summarise_many(all_scores: Any, all_lengths: Any, all_seats: Any, n_orders: int, sums: Any, counts: Any) -> None:
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
            sums[SEATS, agent] += all_scores[game, all_seats[game, agent] if n_orders > 2 else agent]
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
