"""From the arrays of a finished walk to a tree: each player's information sets, and the ends in a fixed order.

Rows of ends are sorted by the sequence of player 0, then of player 1, and so on: by counting, from the last player to
the first. So solvers that go through them read and write nearby places. Rows of the same sequences are then neighbours,
and are added up. Sorting keeps the order of equal ones, which is that of the walk, so the sums do not depend on how
often it was done before the walk was finished.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.native.jit import native
from facedown.trees.grow_arrays import Array, Room
from facedown.trees.tree import Ends, Treeplex


def treeplexes_of(room: Room) -> tuple[Treeplex, ...]:
    """The information sets of each player, in the order in which the walk found them."""
    work = room.work
    n_sets, n_choices = int(work.n_sets), int(work.n_choices)
    sets = room.sets[:n_sets]
    players_of_choices = np.repeat(sets["player"].astype(np.uint8), sets["n_choices"])
    found = []
    for player in range(len(room.scores)):
        own = sets["player"] == player
        first = np.ones(int(own.sum()) + 1, np.int32)
        np.cumsum(sets["n_choices"][own], out=first[1:])
        first[1:] += 1
        actions = room.choices[:n_choices][players_of_choices == player]
        found.append(
            Treeplex(
                first=first,
                parent=sets["parent"][own],
                actions=np.concatenate([np.array([-1], np.int32), actions]),
                views=room.views[:n_sets][own],
            )
        )
    return tuple(found)


def ends_of(room: Room) -> Ends:
    """The rows of ends, sorted and merged."""
    n_rows, n_players = int(room.work.n_rows), len(room.scores)
    order, other = np.arange(n_rows, dtype=np.int32), np.empty(n_rows, np.int32)
    for player in range(n_players - 1, -1, -1):
        counts = np.zeros(int(room.n_sequences[player]) + 1, np.int64)
        _sort_rows(room.rows, player, order, other, counts)
        order, other = other, order
    n_merged = _count_different(room.rows, order)
    sequences, payoffs = np.empty((n_players, n_merged), np.int32), np.zeros((n_players, n_merged))
    _merge_rows(room.rows, room.payoffs, order, sequences, payoffs)
    return Ends(sequences, payoffs)


def merge_now(room: Room) -> None:
    """Sort and merge the rows while the walk goes on, to make room for more."""
    ends = ends_of(room)
    room.rows[: ends.n_rows], room.payoffs[: ends.n_rows] = ends.sequences.T, ends.payoffs.T
    room.works["n_rows"] = ends.n_rows


@native
def _sort_rows(rows: Any, player: int, order: Any, into: Any, counts: Any) -> None:
    """Sort row numbers by the sequence of one player; where it is the same, the order stays. `counts` comes zeroed."""
    for place in range(len(order)):
        counts[rows[order[place], player] + 1] += 1
    for sequence in range(1, len(counts)):
        counts[sequence] += counts[sequence - 1]
    for place in range(len(order)):
        row = order[place]
        sequence = rows[row, player]
        into[counts[sequence]] = row
        counts[sequence] += 1


@native
def _is_other(rows: Any, order: Any, place: int) -> bool:
    """Whether a row, in this order, has other sequences than the one before."""
    n_other = 1 if place == 0 else 0
    for player in range(rows.shape[1]):
        n_other += 1 if rows[order[place], player] != rows[order[max(place - 1, 0)], player] else 0
    return n_other > 0


@native
def _count_different(rows: Any, order: Any) -> int:
    """How many different sequences the rows have, in an order that brings the same ones together."""
    n_different = 0
    for place in range(len(order)):
        n_different += 1 if _is_other(rows, order, place) else 0
    return n_different


@native
def _merge_rows(rows: Any, payoffs: Any, order: Any, sequences: Any, sums: Any) -> None:
    """Copy rows in a given order, a line for each player, and add up the payoffs of the same ones; sums come zeroed."""
    at = -1
    for place in range(len(order)):
        row = order[place]
        at += 1 if _is_other(rows, order, place) else 0
        for player in range(len(sequences)):
            sequences[player, at] = rows[row, player]
            sums[player, at] += payoffs[row, player]


def without_slots(room: Room) -> Room:
    """The room without what only the walk needs, so that its memory is free for the tree."""
    none: Array = np.zeros(0, np.int64)
    return room._replace(states=none, p_states=none, state_slots=none, set_slots=none, frames=none)
