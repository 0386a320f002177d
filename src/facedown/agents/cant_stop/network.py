"""What a board of Can't Stop is worth when a turn ends: small networks, and their values for all places of a turn at once.

There is a network for each number of columns that are still needed. Its inputs say where the marker stands in each column
(94 spaces, the place below the board and the top counted), a hidden layer of 64 rectified units adds up what the columns say,
and the output is the number of turns that are needed. A turn changes at most three columns, so their parts are added to what
all the others say, and not worked out again for each of its 70,000 places.

All numbers of a network are one vector of 32-bit floats: inputs by hidden units, thresholds, weights, and a constant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.cant_stop.turn import LENGTHS, MAX_ROOM, N_COLUMNS, WANTED, place_1, place_2
from facedown.native.jit import native, native_sums
from facedown.native.records import Record

N_HIDDEN = 64
FIRST_INPUT = np.concatenate([[0], np.cumsum(LENGTHS + 1)]).astype(np.int64)
"""By column: the input for a marker below the board; the next ones are its spaces."""
N_INPUTS = int(FIRST_INPUT[-1])
THRESHOLDS = N_INPUTS * N_HIDDEN
OUTPUTS = THRESHOLDS + N_HIDDEN
CONSTANT = OUTPUTS + N_HIDDEN
NETWORK_SIZE = CONSTANT + 1
ALL_NETWORKS = WANTED * NETWORK_SIZE

PARTS = np.dtype(
    (
        Record,
        [
            ("hidden", np.float32, (WANTED, N_HIDDEN)),  # what the board says now, by network
            ("change", np.float32, (WANTED, N_COLUMNS, MAX_ROOM, N_HIDDEN)),  # by network, rank and steps
            ("row", np.float32, (WANTED, N_HIDDEN)),
        ],
    )
)
"""What a turn's places are put together from."""


@native
def network_at(needed: int) -> int:
    """Where the network for this many columns begins."""
    return (needed - 1) * NETWORK_SIZE


@native_sums
def output(hidden: Any, change: Any, weights: Any) -> Any:
    """The output of a network whose hidden units get these two parts."""
    total = np.float32(0.0)
    for unit in range(N_HIDDEN):
        total += weights[unit] * max(hidden[unit] + change[unit], np.float32(0.0))
    return total


@native
def prepare_parts(turn: Record, networks: Any, parts: Record) -> None:
    """Work out what the board says, and what each column would say after some steps."""
    for needed in range(1, turn.needed + 1):
        network = networks[network_at(needed) : network_at(needed) + NETWORK_SIZE]
        hidden, change = parts.hidden[needed - 1], parts.change[needed - 1]
        hidden[:] = network[THRESHOLDS:OUTPUTS]
        for column in range(N_COLUMNS):
            at = (FIRST_INPUT[column] + turn.seen[column]) * N_HIDDEN
            for unit in range(N_HIDDEN):
                hidden[unit] += network[at + unit]
            rank = turn.rank[column]
            if rank >= 0:
                for step in range(turn.room[rank]):
                    there = at + (step + 1) * N_HIDDEN
                    for unit in range(N_HIDDEN):
                        change[rank, step, unit] = network[there + unit] - network[at + unit]


@native
def value_of(seen: Any, needed: int, networks: Any, hidden: Any) -> float:
    """The value of one board, as a network sees it; `hidden` is room for its units."""
    network = networks[network_at(needed) : network_at(needed) + NETWORK_SIZE]
    hidden[:] = network[THRESHOLDS:OUTPUTS]
    for column in range(N_COLUMNS):
        at = (FIRST_INPUT[column] + seen[column]) * N_HIDDEN
        for unit in range(N_HIDDEN):
            hidden[unit] += network[at + unit]
    total = network[CONSTANT]
    for unit in range(N_HIDDEN):
        total += network[OUTPUTS + unit] * max(hidden[unit], np.float32(0.0))
    return float(total)


@native
def fill_row(parts: Record, networks: Any, needed: int, rank: int, room: int, first: int, stop: Any) -> None:
    """Stopping with the last runner on each of its steps, and the others as `row` has it; the top is one column less to win."""
    if needed > 0:
        at = network_at(needed)
        weights, constant = networks[at + OUTPUTS : at + CONSTANT], networks[at + CONSTANT] + np.float32(1.0)
        for step in range(room - 1):
            stop[first + step] = constant + output(parts.row[needed - 1], parts.change[needed - 1, rank, step], weights)
    else:
        stop[first : first + room - 1] = np.float32(1.0)
    if needed > 1:
        at = network_at(needed - 1)
        weights, constant = networks[at + OUTPUTS : at + CONSTANT], networks[at + CONSTANT] + np.float32(1.0)
        stop[first + room - 1] = constant + output(parts.row[needed - 2], parts.change[needed - 2, rank, room - 1], weights)
    else:
        stop[first + room - 1] = np.float32(1.0)


@native
def set_row(parts: Record, needed: int, i: int, a: int, j: int, b: int) -> None:
    """Begin a row: what all columns say after these steps (0 none) of up to two of them, for this many columns and one less."""
    for less in range(2):
        network = needed - 1 - less
        if network >= 0:
            row = parts.row[network]
            row[:] = parts.hidden[network]
            if a > 0:
                for unit in range(N_HIDDEN):
                    row[unit] += parts.change[network, i, a - 1, unit]
            if b > 0:
                for unit in range(N_HIDDEN):
                    row[unit] += parts.change[network, j, b - 1, unit]


@native
def fill_one(turn: Record, networks: Any, parts: Record, k: int) -> None:
    """What stopping costs with one runner: this turn, and those that the network expects afterwards."""
    set_row(parts, turn.needed, 0, 0, 0, 0)
    fill_row(parts, networks, turn.needed, k, turn.room[k], place_1(turn, k, 1), turn.stop)


@native
def fill_two(turn: Record, networks: Any, parts: Record, i: int, k: int) -> None:
    """As `fill_one`, with two runners; the rank of the second is higher."""
    for a in range(1, turn.room[i] + 1):
        still = turn.needed - (1 if a == turn.room[i] else 0)
        set_row(parts, still, i, a, 0, 0)
        fill_row(parts, networks, still, k, turn.room[k], place_2(turn, i, a, k, 1), turn.stop)


@native
def fill_three(turn: Record, networks: Any, parts: Record, i: int, j: int, k: int) -> None:
    """As `fill_one`, with three runners, their ranks ascending."""
    at = turn.three[i, j, k]
    for a in range(1, turn.room[i] + 1):
        for b in range(1, turn.room[j] + 1):
            still = turn.needed - (1 if a == turn.room[i] else 0) - (1 if b == turn.room[j] else 0)
            set_row(parts, still, i, a, j, b)
            fill_row(parts, networks, still, k, turn.room[k], at, turn.stop)
            at += turn.room[k]
