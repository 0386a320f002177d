"""What a walk through a tree works on: where it stands, and its arrays, by their addresses.

Python keeps the arrays in a `Room` and writes down where they are; native code gets the one record `WORK`, and takes
the arrays from it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from facedown.native.arrays import array_at, table_at
from facedown.native.chance import TAPE
from facedown.native.jit import native_inline
from facedown.native.records import Record

Array = np.ndarray[Any, Any]

FRAME = np.dtype(
    (
        Record,
        [
            ("begin", np.int64),  # where the outcomes are on the pile that the node here is one of
            ("end", np.int64),
            ("at", np.int64),
            ("information_set", np.int64),
            ("choice", np.int64),  # the action that is followed now, counted from 0
            ("reach", np.float64),  # probability of all draws up to here
            ("uniform", np.float64),  # the same, of draws and uniform play
        ],
    )
)


SET = np.dtype(
    (
        Record,
        [
            ("first_choice", np.int64),  # where its actions begin
            ("n_choices", np.int32),
            ("parent", np.int32),  # the player's sequence that leads to it
            ("first", np.int32),  # the sequence of its first action
            ("player", np.int32),
        ],
    )
)


class Room(NamedTuple):
    """All arrays of a walk. Those after `scores` grow; the lengths of slots are powers of 2."""

    works: Array
    """One record: where the walk stands."""
    chances: Array
    questions: Array
    """int64, (3, TAPE): sizes, weights and totals of the last tape."""
    sequence: Array
    """int32: each player's last sequence."""
    n_sequences: Array
    """int64: how many each player has, the empty one included."""
    legal: Array
    """int64, somewhat longer than the declared number of actions."""
    scores: Array
    frames: Array
    states: Array
    """uint8, a row each: the pile of states; the path, and the outcomes beside it."""
    p_states: Array
    """float64: the probability of each outcome on the pile."""
    state_slots: Array
    views: Array
    """uint8, a row for each information set, and behind them room to look."""
    sets: Array
    """What else is known of each information set; together, because memory is what the walk waits for."""
    choices: Array
    """int32: the actions of all information sets."""
    set_slots: Array
    """int64, a row for each player."""
    rows: Array
    """int32, (rows, players): the last sequences of all players at ends."""
    payoffs: Array
    """float64, (rows, players): chance probability times score."""

    @property
    def work(self) -> Record:
        """Where the walk stands."""
        return self.works[0]  # type: ignore[no-any-return]


WORK = np.dtype(
    (
        Record,
        [
            ("phase", np.int64),
            ("depth", np.int64),  # moves up to the present node
            ("top", np.int64),  # states on the pile
            ("n_given", np.int64),  # draws of the next tape that are given
            ("n_tapes", np.int64),  # of the present `start` or `step`
            ("n_chance", np.int64),
            ("n_decisions", np.int64),
            ("n_ends", np.int64),
            ("longest", np.int64),
            ("n_sets", np.int64),
            ("n_choices", np.int64),  # actions of all information sets
            ("n_rows", np.int64),
            ("note", np.int64, (2,)),  # what went wrong
            ("probability", np.float64),  # of all ends in uniform play
            ("rest", np.float64),  # what rounding took from it (Neumaier 1974)
            ("n_actions", np.int64),  # declared by the game
            ("n_players", np.int64),
            ("state_size", np.int64),
            ("view_size", np.int64),
            # room there is
            ("most_frames", np.int64),
            ("most_states", np.int64),
            ("most_state_slots", np.int64),
            ("most_sets", np.int64),
            ("most_choices", np.int64),
            ("most_set_slots", np.int64),
            ("most_rows", np.int64),
            *((f"{name}_at", np.int64) for name in Room._fields[2:]),
        ],
    )
)


def write_down(room: Room) -> None:
    """Tell the walk where its arrays are, and how long; to be done again whenever one of them is replaced."""
    work = room.works
    for name in Room._fields[2:]:
        work[f"{name}_at"] = getattr(room, name).ctypes.data
    work["state_size"], work["view_size"] = room.states.shape[1], room.views.shape[1]
    work["most_frames"], work["most_states"] = len(room.frames), len(room.states)
    work["most_state_slots"], work["most_sets"] = len(room.state_slots), len(room.views)
    work["most_choices"], work["most_set_slots"] = len(room.choices), room.set_slots.shape[1]
    work["most_rows"] = len(room.rows)


# --- the arrays of a room in native code; for their meaning see `Room` ----------------------------------------------------


@native_inline
def questions_of(work: Record) -> Any:
    return table_at(work.questions_at, 3, TAPE, np.int64)


@native_inline
def sequence_of(work: Record) -> Any:
    return array_at(work.sequence_at, work.n_players, np.int32)


@native_inline
def n_sequences_of(work: Record) -> Any:
    return array_at(work.n_sequences_at, work.n_players, np.int64)


@native_inline
def legal_of(work: Record) -> Any:
    return array_at(work.legal_at, work.n_actions, np.int64)


@native_inline
def scores_of(work: Record) -> Any:
    return array_at(work.scores_at, work.n_players, np.float64)


@native_inline
def frames_of(work: Record) -> Any:
    return array_at(work.frames_at, work.most_frames, FRAME)


@native_inline
def states_of(work: Record) -> Any:
    return table_at(work.states_at, work.most_states, work.state_size, np.uint8)


@native_inline
def p_states_of(work: Record) -> Any:
    return array_at(work.p_states_at, work.most_states, np.float64)


@native_inline
def state_slots_of(work: Record) -> Any:
    return array_at(work.state_slots_at, work.most_state_slots, np.int64)


@native_inline
def views_of(work: Record) -> Any:
    return table_at(work.views_at, work.most_sets, work.view_size, np.uint8)


@native_inline
def sets_of(work: Record) -> Any:
    return array_at(work.sets_at, work.most_sets, SET)


@native_inline
def choices_of(work: Record) -> Any:
    return array_at(work.choices_at, work.most_choices, np.int32)


@native_inline
def set_slots_of(work: Record, player: int) -> Any:
    return array_at(work.set_slots_at + 8 * work.most_set_slots * player, work.most_set_slots, np.int64)


@native_inline
def rows_of(work: Record) -> Any:
    return table_at(work.rows_at, work.most_rows, work.n_players, np.int32)


@native_inline
def payoffs_of(work: Record) -> Any:
    return table_at(work.payoffs_at, work.most_rows, work.n_players, np.float64)
