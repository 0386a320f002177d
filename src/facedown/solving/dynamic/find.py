"""Finding all positions of a game of perfect information, from its rules.

1. Search on from every position that was found (`find_walk`), in slices of a fraction of a second; between slices report
   progress, hear an interruption, and enlarge the arrays that are full.
2. Stop with a sentence where there are too many positions, where they would not fit into memory, or where rules break their
   contract.

Positions are numbered in the order in which they are found; ROOT, before the start, is the first.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.errors import FacedownError, RulesError, UsageError
from facedown.games.contract import Game
from facedown.games.stepper import Stepper
from facedown.inputs import whole_number
from facedown.native.chance import FAULTS
from facedown.native.hashing import find, hash_bytes, refill, tag_of
from facedown.native.jit import COMPILED, Part, compiling, explained, native, prepare_thread
from facedown.native.rules_loop import bind_rules, loop_part
from facedown.progress import Callback, Progress
from facedown.solving.dynamic import arrays, find_walk
from facedown.solving.dynamic.arrays import Graph, Table
from facedown.trees.explore import TreeTooLargeError
from facedown.trees.grow_workspace import memory_of_machine
from facedown.trees.tree import memory_text

MAX_POSITIONS = 100_000_000
_LARGEST_LIMIT = 2**31 - 2  # positions are numbered with 32 bits
MAX_MEMORY = 8 * 2**30

SLICE_SECONDS = 0.3
_FIRST_POSITIONS = 256 if COMPILED else 16
COMPILE_SECONDS = 12

_GROWING = {
    find_walk.NEEDS_POSITIONS: arrays.N_POSITIONS,
    find_walk.NEEDS_ACTIONS: arrays.N_ACTIONS,
    find_walk.NEEDS_OUTCOMES: arrays.N_OUTCOMES,
    find_walk.NEEDS_LEAVES: arrays.N_LEAVES,
}


class TooManyPositionsError(TreeTooLargeError):
    """A game has more positions than were allowed, or than fit into memory."""


class NotSolvableError(UsageError):
    """A game is not one of perfect information, or not for one player or two with opposite interests."""


@dataclass(frozen=True, eq=False)
class Positions:
    """All positions of a game, and what they lead to."""

    game: Game
    graph: Graph
    table: Table
    n_tapes: int
    """Combinations of draws that were tried."""
    looks: bool
    """Whether states in which nothing is drawn are looked through, and are no positions."""
    seconds: float

    @property
    def n_positions(self) -> int:
        """Positions in which somebody is to move: without the one before the start, and without ends."""
        return len(self.graph.movers) - 1

    @property
    def n_bytes(self) -> int:
        """Memory that all of it takes."""
        return arrays.bytes_of(self.graph, self.table)

    def state(self, position: int) -> bytes:
        """The settled state of a position."""
        return bytes(self.table.octets[position])

    def find(self, state: bytes) -> int:
        """The number of the position with this settled state; -1 if it is none."""
        row = np.frombuffer(state, np.uint8).copy()
        return max(int(_find_state(self.table.slots, np.ascontiguousarray(self.table.octets), row)), -1)

    def actions(self, position: int) -> list[int]:
        """The legal actions of a position."""
        begin, end = (int(self.graph.first[position + more, 0]) for more in range(2))
        return [int(action) for action in self.graph.actions[begin:end]]

    def words(self, position: int) -> str:
        """What the mover sees there, in words."""
        if position == arrays.ROOT:
            return "the start"
        rules = Stepper(self.game)
        view = rules.view_record(rules.view(self.state(position), int(self.graph.movers[position])))
        return self.game.describe(view)


@native
def _find_state(slots: Any, octets: Any, row: Any) -> int:
    """The number of the position with these bytes, or what `find` says of one that is not there."""
    return find(slots, octets, row, tag_of(hash_bytes(row)))


def can_be_exact(game: Game) -> bool:
    """Whether a game is one that has an exact solution of positions."""
    return game.perfect_information and (game.n_players == 1 or (game.n_players == 2 and game.score_total is not None))


def check_solvable(game: Game) -> None:
    """Refuse games that have no exact solution of this kind, with the reason."""
    if not game.perfect_information:
        raise NotSolvableError(
            f"{game} does not declare perfect information (perfect_information=True), so positions alone do not tell what "
            f"players know; find an equilibrium with another method, such as pdcfr+"
        )
    if game.n_players > 2:
        raise NotSolvableError(
            f"{game} has {game.n_players} players: exact solutions are for one player, or for two with opposite interests"
        )
    if game.n_players == 2 and game.score_total is None:
        raise NotSolvableError(
            f"{game} is {game.kind}: exact solutions are for one player, or for two whose scores have a constant sum"
        )


def find_positions(
    game: Game,
    *,
    looks: bool = True,
    max_positions: int | None = None,
    memory: int = MAX_MEMORY,
    progress: Callback | None = None,
) -> Positions:
    """All positions of a game that declares perfect information.

    looks          states in which the mover moves on and nothing is drawn are looked through; False: they are positions too
    max_positions  raise `TooManyPositionsError` beyond this many
    memory         the same beyond this many bytes
    progress       called about three times a second
    """
    check_solvable(game)
    limit = MAX_POSITIONS if max_positions is None else whole_number("max_positions", max_positions, 1, _LARGEST_LIMIT)
    search = _Search(game, looks, limit, min(memory, memory_of_machine() or memory), progress)
    search.finish()
    return search.positions()


@lru_cache(maxsize=64)
def _bound(game: Game) -> Any:
    """The search of a game, with its rules in it."""
    land = bind_rules(find_walk.land_and_settle if game.settles else find_walk.land_as_it_is, game)
    draw_outcomes = bind_rules(find_walk.draw_all, game, land=land)
    look_through = bind_rules(find_walk.look_through_state, game, land=land)
    expand = bind_rules(find_walk.expand_position, game, draw_outcomes=draw_outcomes, look_through=look_through)
    return bind_rules(find_walk.find_positions, game, expand=expand)


class _Search:
    """A search for positions, slice by slice."""

    def __init__(self, game: Game, looks: bool, limit: int, memory: int, progress: Callback | None):
        self.game, self.looks, self.limit, self.memory, self.progress = game, looks, limit, memory, progress
        self.graph, self.table, self.scratch = arrays.new_graph(), arrays.new_table(game), arrays.new_scratch(game)
        self.counts = np.zeros(arrays.N_COUNTS, np.int64)
        self.counts[arrays.N_POSITIONS] = 1
        self._budget = _FIRST_POSITIONS
        self._find = self._prepare()
        self._started = time.perf_counter()

    def _prepare(self) -> Any:
        prepare_thread()
        parts = (find_walk.draw_all, find_walk.land_and_settle, find_walk.look_through_state)
        functions = tuple({name: None for part in parts for name in loop_part("", 0, part, self.game).functions})
        part = Part(f"positions of {self.game.name}", COMPILE_SECONDS, functions)
        with compiling(part), explained(f"the rules of {self.game.name}"):
            found = _bound(self.game)
            found(self.graph, self.table, self.scratch, self.counts, self.looks, self.game.n_players, self.limit, 0)
            refill(np.zeros(8, np.int64), np.zeros(16, np.int64))
        return found

    def finish(self) -> None:
        """Search until there is nothing new."""
        status = find_walk.PAUSED
        while status != find_walk.DONE:
            status = self._slice()
            if status in _GROWING or status == find_walk.NEEDS_PILE:
                self._make_room(status)
            elif status == find_walk.PAUSED:
                self._report()
            elif status != find_walk.DONE:
                raise self._fault(status)

    def _slice(self) -> int:
        """A fraction of a second of work."""
        before, n_before = time.perf_counter(), int(self.counts[arrays.N_DONE])
        try:
            status = int(
                self._find(
                    self.graph,
                    self.table,
                    self.scratch,
                    self.counts,
                    self.looks,
                    self.game.n_players,
                    self.limit,
                    self._budget,
                )
            )
        except FacedownError:
            raise
        except Exception as problem:
            words = self._place()
            raise RulesError(f"{self.game} failed in '{words}': {type(problem).__name__}: {problem}") from problem
        seconds = time.perf_counter() - before
        if int(self.counts[arrays.N_DONE]) - n_before == self._budget:
            self._budget = max(int(self._budget * min(SLICE_SECONDS / max(seconds, 1e-6), 4.0)), 1)
        return status

    def _report(self) -> None:
        if self.progress is not None:
            n_done, n_found = int(self.counts[arrays.N_DONE]), int(self.counts[arrays.N_POSITIONS]) - 1
            words = f"finding positions: {n_found:,} found, {n_done:,} looked at"
            self.progress(Progress(n_done, n_found, "positions", time.perf_counter() - self._started, words))

    def _make_room(self, need: int) -> None:
        """Enlarge what is full. The position that was begun is begun again, with empty tables of its own."""
        if need == find_walk.NEEDS_PILE:
            self.scratch = self._larger_scratch()
            return
        self.scratch.choice_slots[:] = 0
        wanted = arrays.bytes_of(self.graph, self.table) * 4 // 3
        if wanted > self.memory:
            raise self._no_memory(wanted)
        try:
            kind = _GROWING[need]
            at_least = self.game.n_actions if kind == arrays.N_ACTIONS else len(self.scratch.pile)
            self.graph = arrays.enlarge_graph(self.graph, kind, at_least=int(self.counts[kind]) + at_least)
            if kind == arrays.N_POSITIONS:
                self.table = arrays.enlarge_table(self.table)
        except MemoryError:
            raise self._no_memory(wanted) from None

    def _larger_scratch(self) -> Any:
        """Room for actions with four times as many outcomes; the gains that were numbered keep their numbers."""
        larger = arrays.new_scratch(self.game, 4 * (len(self.scratch.pile) - 1))
        return larger._replace(gain_slots=self.scratch.gain_slots)

    def _no_memory(self, wanted: int) -> TooManyPositionsError:
        n_found, n_done = int(self.counts[arrays.N_POSITIONS]) - 1, int(self.counts[arrays.N_DONE])
        return TooManyPositionsError(
            f"the positions of {self.game} do not fit into {memory_text(self.memory)} of memory: {n_found:,} were found so "
            f"far, of which {n_done:,} were looked at, and to go on {memory_text(wanted)} are needed; choose options that make "
            f"the game smaller, or give more memory"
        )

    # --- what went wrong ------------------------------------------------------------------------------------------------

    def _place(self) -> str:
        return self._so_far().words(int(self.counts[arrays.N_DONE]))

    def _so_far(self) -> Positions:
        seconds = time.perf_counter() - self._started
        return Positions(self.game, self.graph, self.table, int(self.counts[arrays.N_TAPES]), self.looks, seconds)

    def _fault(self, status: int) -> FacedownError:
        """A status in words."""
        game, note = self.game, int(self.counts[arrays.NOTE])
        if status == find_walk.TOO_LARGE:
            return TooManyPositionsError(
                f"{game} has more than {self.limit:,} positions; choose options that make the game smaller, or allow more with "
                f"max_nodes, on the command line --max-nodes"
            )
        declared = f"0 to {game.n_actions - 1}, ascending"
        told = {
            find_walk.CHANCE_FAULT: FAULTS.get(note, ""),
            find_walk.OTHER_DRAWS: "the rules are not determined by their draws: the same answers led to other questions",
            find_walk.TOO_MANY_TAPES: f"one action has more than {arrays.MAX_TAPES:,} combinations of draws",
            find_walk.TOO_MANY_GAINS: f"there are more than {arrays.MAX_GAINS:,} different gains",
            find_walk.TOO_WIDE: f"one throw lets the player choose between more than {arrays.MAX_LEAVES:,} positions",
            find_walk.WRONG_PLAYER: f"'turn' answered {note}, and players are 0 to {game.n_players - 1}",
            find_walk.WRONG_COUNT: f"'legal' answered {note} actions, and 1 to {game.n_actions} are declared",
            find_walk.WRONG_ACTION: f"'legal' gave action {note}, and actions are {declared}",
            find_walk.WRONG_SCORE: "'score' gave a number that is not finite; in games that settle it is asked at any time",
        }
        return RulesError(f"{game}, in '{self._place()}': {told[status]}")

    # --- the result -----------------------------------------------------------------------------------------------------

    def positions(self) -> Positions:
        """What a finished search has found."""
        found, n_positions = self._so_far(), int(self.counts[arrays.N_POSITIONS])
        graph = arrays.trimmed(self.graph, self.counts)
        table = Table(self.table.states[:n_positions], self.table.octets[:n_positions], self.table.slots)
        return Positions(self.game, graph, table, found.n_tapes, self.looks, found.seconds)
