"""The arrays of a growing tree: how they begin, how they are enlarged, and how much memory they take."""

from __future__ import annotations

import os

import numpy as np

from facedown.games.contract import Game
from facedown.native.chance import CHANCE, EXPLORE, TAPE
from facedown.native.hashing import refill
from facedown.native.records import blank
from facedown.trees.grow_arrays import FRAME, SET, WORK, Array, Room, write_down
from facedown.trees.grow_walk import NEEDS_FRAMES, NEEDS_ROWS, NEEDS_STATES

FIRST_ROOM = 256
FIRST_SLOTS = 512


def new_room(game: Game) -> Room:
    """Room for the first nodes of a game's tree; the walk stands before the deal."""
    n_players = game.n_players
    work, chances = blank(WORK), blank(CHANCE)
    work["n_actions"], work["n_players"] = game.n_actions, n_players
    chances["mode"] = EXPLORE
    room = Room(
        works=work,
        chances=chances,
        questions=np.zeros((3, TAPE), np.int64),
        sequence=np.zeros(n_players, np.int32),
        n_sequences=np.ones(n_players, np.int64),
        legal=np.zeros(game.n_actions + 4, np.int64),
        scores=np.zeros(n_players),
        frames=np.zeros(FIRST_ROOM, FRAME),
        states=np.empty((FIRST_ROOM, game.state.itemsize), np.uint8),
        p_states=np.empty(FIRST_ROOM),
        state_slots=np.zeros(FIRST_SLOTS, np.int64),
        views=np.empty((FIRST_ROOM, game.view.itemsize), np.uint8),
        sets=np.empty(FIRST_ROOM, SET),
        choices=np.empty(FIRST_ROOM + game.n_actions, np.int32),
        set_slots=np.zeros((n_players, FIRST_SLOTS), np.int64),
        rows=np.empty((FIRST_ROOM, n_players), np.int32),
        payoffs=np.empty((FIRST_ROOM, n_players)),
    )
    write_down(room)
    return room


def enlarge(room: Room, need: int) -> Room:
    """A room with more of what is needed; the rest is the same."""
    larger = {name: _longer(getattr(room, name)) for name in _lacking(room, need)}
    room = room._replace(**larger)
    write_down(room)
    return room


_SLOTS = ("state_slots", "set_slots")


def _lacking(room: Room, need: int) -> tuple[str, ...]:
    """Which arrays have come to their end."""
    work = room.work
    if need == NEEDS_FRAMES:
        return ("frames",)
    if need == NEEDS_STATES:
        return ("states", "p_states", "state_slots")
    if need == NEEDS_ROWS:
        return ("rows", "payoffs")
    if work.n_choices + work.n_actions > work.most_choices:
        return ("choices",)
    return ("views", "sets") if work.n_sets >= work.most_sets else ("set_slots",)


def _longer(array: Array) -> Array:
    """A copy with room for more: of slots, which are scattered, twice as many; else four times, as far as it is written.

    The system gives memory when it is written to, not when it is asked for.
    """
    if array.dtype != np.int64:
        larger = np.empty((4 * len(array), *array.shape[1:]), array.dtype)
        larger[: len(array)] = array
        return larger
    larger = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), np.int64)
    for old, new in zip(array.reshape(-1, array.shape[-1]), larger.reshape(-1, larger.shape[-1]), strict=True):
        refill(old, new)
    return larger


# --- memory ---------------------------------------------------------------------------------------------------------------


def _bytes_written(room: Room) -> dict[str, int]:
    """The memory that each of the arrays takes which grow."""
    work = room.work
    entries = {
        "frames": work.most_frames,
        "states": work.top,
        "p_states": work.top,
        "views": work.n_sets,
        "sets": work.n_sets,
        "choices": work.n_choices,
        "rows": work.n_rows,
        "payoffs": work.n_rows,
    }
    written = {name: int(count) * int(getattr(room, name)[:1].nbytes) for name, count in entries.items()}
    return written | {name: int(getattr(room, name).nbytes) for name in _SLOTS}


def bytes_of_room(room: Room) -> int:
    """Memory that is in use."""
    return sum(_bytes_written(room).values())


def bytes_after(room: Room, need: int) -> int:
    """Memory when there is more of what is needed, before the old arrays are gone."""
    written = _bytes_written(room)
    return sum(written.values()) + sum(written[name] * (2 if name in _SLOTS else 1) for name in _lacking(room, need))


def bytes_to_sort(room: Room) -> int:
    """Memory to sort the rows of ends beside what there is: two lists of their numbers, and a copy."""
    return int(room.work.n_rows) * (len(room.scores) * (4 + 8) + 2 * 4) + 8 * int(room.n_sequences.max())


def bytes_to_finish(room: Room) -> int:
    """Memory at the worst moment of sorting rows and taking the players apart; slots are gone by then."""
    work = room.work
    rows = bytes_to_sort(room) + int(work.n_rows) * len(room.scores) * (4 + 8)
    sets = 2 * int(work.n_sets) * (int(room.views.shape[1]) + 24) + 2 * 4 * int(work.n_choices)
    return rows + sets


def memory_of_machine() -> int | None:
    """How much there is altogether, where the system tells."""
    try:
        return int(os.sysconf("SC_PAGE_SIZE")) * int(os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return None
