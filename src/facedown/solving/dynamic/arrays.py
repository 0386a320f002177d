"""The positions of a game as flat arrays, and what is needed to find them.

A position has actions, an action has outcomes, an outcome offers a choice between leaves, and a leaf is a position with what
is gained on the way there. Outcomes that offer the same choice are one. All four kinds lie one behind the other in the order of
their positions, so that a position needs to know only where its own begin.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from facedown.games.contract import Game
from facedown.native.chance import CHANCE, EXPLORE
from facedown.native.hashing import refill
from facedown.native.records import blank

Array = np.ndarray[Any, Any]

ROOT = 0
"""The position before the start, with one action: to begin."""
END = -1
"""The leaf that is no position: the game is over."""

# places in `counts`
N_DONE, N_POSITIONS, N_ACTIONS, N_OUTCOMES, N_LEAVES, N_GAINS, N_TAPES, NOTE, N_COUNTS = range(9)

MAX_GAINS = 2**16
MAX_LEAVES = 2**16 - 1
MAX_TAPES = 1_000_000
MAX_LOOKED_THROUGH = 6
"""Moves without chance that are taken together as one choice, at most."""
FIRST_ROOM = 256


class Graph(NamedTuple):
    """Positions and what they lead to. All arrays have room behind their end while positions are found."""

    first: Array
    """int64 (positions + 1, 3): the first action, outcome and leaf of each position."""
    movers: Array
    """int8: who is to move."""
    actions: Array
    """int32: the action's number in the game."""
    n_outcomes: Array
    """int32: of each action."""
    p: Array
    """float64: the probability of each outcome."""
    n_leaves: Array
    """uint16: how many leaves an outcome lets its mover choose from."""
    leaf_position: Array
    """int32: END where the game is over."""
    leaf_gain: Array
    """uint16: which of the gains."""
    gains: Array
    """float64: what player 0 may gain at once, each number one time."""


class Table(NamedTuple):
    """The states of positions, and how they are found again."""

    states: Array
    """Records; that of ROOT is blank."""
    octets: Array
    """uint8: the same as bytes."""
    slots: Array
    """int64: see `native/hashing.py`."""


class Scratch(NamedTuple):
    """What the search for positions works on, for one position at a time."""

    chances: Array
    pile: Array
    """Records: the states that an action leads to."""
    pile_octets: Array
    pile_p: Array
    pile_gain: Array
    pile_mover: Array
    pile_slots: Array
    choice_begin: Array
    """int64: where the leaves of each outcome begin."""
    choice_slots: Array
    tags: Array
    """int64 (2, rows): the tags of rows in the two tables of slots, for emptying them again."""
    stack: Array
    """Records: states that are looked through."""
    stack_octets: Array
    stack_gain: Array
    stack_mover: Array
    stack_depth: Array
    actions: Array
    more_actions: Array
    scores: Array
    number: Array
    """float64 (1): a gain, and `number_bits` the same as an integer."""
    number_bits: Array
    gain_slots: Array


def new_graph() -> Graph:
    """Room for the first positions; the root is among them."""
    return Graph(
        first=np.zeros((FIRST_ROOM + 1, 3), np.int64),
        movers=np.zeros(FIRST_ROOM, np.int8),
        actions=np.zeros(FIRST_ROOM, np.int32),
        n_outcomes=np.zeros(FIRST_ROOM, np.int32),
        p=np.zeros(FIRST_ROOM),
        n_leaves=np.zeros(FIRST_ROOM, np.uint16),
        leaf_position=np.zeros(FIRST_ROOM, np.int32),
        leaf_gain=np.zeros(FIRST_ROOM, np.uint16),
        gains=np.zeros(MAX_GAINS),
    )


def new_table(game: Game) -> Table:
    """The table of positions with nothing in it but the root."""
    states = np.zeros(FIRST_ROOM, game.state)
    states[0] = game.blank()[0]
    return Table(states, octets_of(states), np.zeros(2 * FIRST_ROOM, np.int64))


def octets_of(records: Array) -> Array:
    """Records as rows of bytes; the same memory."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


def new_scratch(game: Game, room: int = FIRST_ROOM) -> Scratch:
    """Room for actions with this many outcomes."""
    chances, number = blank(CHANCE), np.zeros(1)
    chances["mode"] = EXPLORE
    pile = np.zeros(room + 1, game.state)
    stack = np.zeros(MAX_LOOKED_THROUGH * game.n_actions + 2, game.state)
    return Scratch(
        chances=chances,
        pile=pile,
        pile_octets=octets_of(pile),
        pile_p=np.zeros(room + 1),
        pile_gain=np.zeros(room + 1),
        pile_mover=np.zeros(room + 1, np.int64),
        pile_slots=np.zeros(2 * room, np.int64),
        choice_begin=np.zeros(room + 2, np.int64),
        choice_slots=np.zeros(2 * room, np.int64),
        tags=np.zeros((2, room + 1), np.int64),
        stack=stack,
        stack_octets=octets_of(stack),
        stack_gain=np.zeros(len(stack)),
        stack_mover=np.zeros(len(stack), np.int64),
        stack_depth=np.zeros(len(stack), np.int64),
        actions=np.zeros(game.n_actions + 4, np.int64),
        more_actions=np.zeros(game.n_actions + 4, np.int64),
        scores=np.zeros(game.n_players),
        number=number,
        number_bits=number.view(np.int64),
        gain_slots=np.zeros(2 * MAX_GAINS, np.int64),
    )


# --- growing --------------------------------------------------------------------------------------------------------------

_BY_POSITION, _BY_ACTION, _BY_OUTCOME = ("first", "movers"), ("actions", "n_outcomes"), ("p", "n_leaves")
_BY_LEAF = ("leaf_position", "leaf_gain")
GROUPS = {N_POSITIONS: _BY_POSITION, N_ACTIONS: _BY_ACTION, N_OUTCOMES: _BY_OUTCOME, N_LEAVES: _BY_LEAF}


def longer(array: Array, at_least: int = 0) -> Array:
    """The same array with a third more room, or more; large ones are moved by the system, and nothing is copied."""
    length = max(len(array) + len(array) // 3 + 64, at_least)
    array.resize((length, *array.shape[1:]), refcheck=False)
    return array


def enlarge_graph(graph: Graph, kind: int, at_least: int = 0) -> Graph:
    """More room for positions, actions, outcomes or leaves."""
    names = GROUPS[kind]
    return graph._replace(**{name: longer(getattr(graph, name), at_least + (name == "first")) for name in names})


def enlarge_table(table: Table) -> Table:
    """More room for states; twice as many slots where they are crowded."""
    states, slots = longer(table.states), table.slots
    while 3 * (len(states) + 1) > 2 * len(slots):
        more = np.zeros(2 * len(slots), np.int64)
        refill(slots, more)
        slots = more
    return Table(states, octets_of(states), slots)


def bytes_of(graph: Graph, table: Table) -> int:
    """Memory of what grows."""
    return sum(array.nbytes for array in (*graph[:-1], table.states, table.slots))


def trimmed(graph: Graph, counts: Array) -> Graph:
    """The graph without the room behind its end."""
    n_positions = int(counts[N_POSITIONS])
    parts = {name: getattr(graph, name)[: int(counts[kind])] for kind, names in GROUPS.items() for name in names}
    parts["first"] = graph.first[: n_positions + 1]
    return Graph(**parts, gains=graph.gains[: max(int(counts[N_GAINS]), 1)].copy())
