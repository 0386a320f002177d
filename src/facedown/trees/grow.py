"""The tree of a game, from its rules, in native code.

1. Walk every history depth first (`grow_walk`), in slices of a fraction of a second; between slices report progress,
   hear an interruption, and enlarge the arrays that are full (`grow_room`).
2. Stop with a sentence where the tree has too many nodes, where it would not fit into memory, where rules break their
   contract, or where a player would have to forget (`grow_faults`).
3. Take the players apart and sort the ends (`grow_finish`).

The walk goes the same way every time and sums up in the order of the walk, so trees are the same to the last bit.
"""

from __future__ import annotations

import time
from typing import Any

from facedown.errors import CompileError, FacedownError, RulesError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import whole_number
from facedown.native.jit import COMPILED, compiling, explained, prepare_thread
from facedown.native.rules_loop import bind_rules, loop_part
from facedown.progress import Callback, Progress
from facedown.trees import grow_walk as walk
from facedown.trees.estimate import estimate_nodes
from facedown.trees.explore import TreeTooLargeError, too_large
from facedown.trees.grow_arrays import Room
from facedown.trees.grow_faults import Place, RecallError, recall_fault, rules_fault
from facedown.trees.grow_finish import ends_of, merge_now, treeplexes_of, without_slots
from facedown.trees.grow_workspace import (
    bytes_after,
    bytes_of_room,
    bytes_to_finish,
    bytes_to_sort,
    enlarge,
    memory_of_machine,
    new_room,
)
from facedown.trees.tree import Tree, memory_text

__all__ = ["MAX_MEMORY", "MAX_NODES", "RecallError", "TreeTooLargeError", "build_tree"]

MAX_NODES = 500_000_000
MAX_MEMORY = 8 * 2**30
_LARGEST_LIMIT = 2**31 - 1  # sequences and rows are numbered with 32 bits

SLICE_SECONDS = 0.3
FIRST_TURNS = 100_000 if COMPILED else 1000
_WALK_SECONDS = 6
HOPELESS = 10_000
"""A guess from random games is right on average, so at most one tree in this many is guessed this many times too large."""
HOPELESS_AFTER = 2.0
_ROUNDING = 1e-9

_NEEDS = {walk.NEEDS_STATES, walk.NEEDS_FRAMES, walk.NEEDS_SETS, walk.NEEDS_ROWS}


def build_tree(
    game: str | Game,
    *,
    max_nodes: int = MAX_NODES,
    memory: int = MAX_MEMORY,
    progress: Callback | None = None,
) -> Tree:
    """Grow the whole tree of a game.

    max_nodes  raise `TreeTooLargeError`, with an estimate of the size, beyond this many nodes
    memory     the same beyond this many bytes
    progress   called about three times a second; the number of nodes in all is a guess

    A game without perfect recall raises `RecallError`.
    """
    found = find_game(game)
    max_nodes = whole_number("max_nodes", max_nodes, 1, _LARGEST_LIMIT)
    memory = whole_number("memory", memory, 1, why="bytes")
    walker = _Walker(found, max_nodes, min(memory, memory_of_machine() or memory), progress)
    walker.finish()
    return walker.tree()


def _prepare(game: Game) -> Any:
    """The walk of a game, compiled."""
    prepare_thread()
    part = loop_part(f"tree of {game.name}", _WALK_SECONDS, walk.grow, game)
    with compiling(part), explained(f"the rules of {game.name}"):
        grow: Any = bind_rules(walk.grow, game)
        grow(*_arguments(game, new_room(game)), _LARGEST_LIMIT, _LARGEST_LIMIT, 0)
    return grow


def _arguments(game: Game, room: Room) -> tuple[Any, ...]:
    """What the walk works on: the room, and its bytes as the game's records."""
    states, views = room.states.reshape(-1).view(game.state), room.views.reshape(-1).view(game.view)
    return room.works, room.chances, game.blank(), states, views, room.legal, room.scores


class _Walker:
    """A walk through a game's tree, slice by slice."""

    def __init__(self, game: Game, limit: int, memory: int, progress: Callback | None = None, last_set: int = _LARGEST_LIMIT):
        self.game, self.limit, self.memory, self.progress, self.last_set = game, limit, memory, progress, last_set
        self.room: Room = new_room(game)
        self._grow = _prepare(game)
        self._budget = FIRST_TURNS
        self._started = time.perf_counter()
        self._estimated = False

    def finish(self) -> None:
        """Walk to the end, or to the information set that is looked for."""
        status = walk.PAUSED
        while status not in {walk.DONE, walk.FOUND}:
            status = self._slice()
            if status in _NEEDS:
                self._make_room(status)
            elif status == walk.PAUSED:
                self._report()
            elif status == walk.TOO_LARGE:
                raise too_large(self.game, self.limit)
            elif status in {walk.OTHER_PAST, walk.OTHER_ACTIONS}:
                raise self._recall_error(status)
            elif status not in {walk.DONE, walk.FOUND}:
                raise rules_fault(self.game, self.room, status)

    def _slice(self) -> int:
        """A fraction of a second of work."""
        before = time.perf_counter()
        try:
            status = int(self._grow(*_arguments(self.game, self.room), self.limit, self.last_set, self._budget))
        except FacedownError:
            raise
        except Exception as problem:
            raise self._failed(problem) from problem
        seconds = time.perf_counter() - before
        if status == walk.PAUSED:
            self._budget = max(int(self._budget * min(SLICE_SECONDS / max(seconds, 1e-6), 4.0)), 100)
        return status

    def _failed(self, problem: Exception) -> FacedownError:
        """Rules that raise, which compiled code does hardly ever."""
        if isinstance(problem, AttributeError | KeyError) and not COMPILED:
            return CompileError(f"the rules of {self.game.name} use a field or a name that is not there: {problem}")
        where = Place(self.game, self.room)
        return RulesError(f"{self.game} failed after '{where.words()}': {type(problem).__name__}: {problem}")

    # --- how far, how large ---------------------------------------------------------------------------------------------

    @property
    def n_nodes(self) -> int:
        """Nodes so far."""
        work = self.room.work
        return int(work.n_chance + work.n_decisions + work.n_ends)

    def fraction(self) -> float:
        """How much of the tree is done, if all branches of a node were equally large."""
        done, share = 0.0, 1.0
        work = self.room.work
        for depth in range(int(work.depth) + 1):
            frame = self.room.frames[depth]
            if depth == work.depth and work.phase == walk.DRAWING:
                break
            n_outcomes = int(frame.end - frame.begin)
            share /= n_outcomes
            done += share * int(frame.at - frame.begin)
            if depth < work.depth:
                share /= int(self.room.sets[int(frame.information_set)].n_choices)
                done += share * int(frame.choice)
        return done

    def _report(self) -> None:
        n_nodes, fraction = self.n_nodes, self.fraction()
        if self.progress is not None:
            words = f"building the tree: {n_nodes:,} nodes, {fraction:.0%}"
            total = n_nodes / fraction if fraction > 0 else None
            self.progress(Progress(n_nodes, total, "nodes", time.perf_counter() - self._started, words))
        seems_large = n_nodes > fraction * self.limit
        if seems_large and not self._estimated and time.perf_counter() - self._started > HOPELESS_AFTER:
            self._estimated = True
            estimate = estimate_nodes(self.game)
            if 10**estimate.log10 > HOPELESS * self.limit:
                raise too_large(self.game, self.limit, estimate)

    def _make_room(self, need: int) -> None:
        wanted = bytes_after(self.room, need)
        if need == walk.NEEDS_ROWS:
            wanted = max(wanted, bytes_of_room(self.room) + bytes_to_sort(self.room))
        if wanted > self.memory:
            raise self._no_memory(wanted)
        try:
            if need == walk.NEEDS_ROWS:
                merge_now(self.room)
                if 2 * int(self.room.work.n_rows) < len(self.room.rows):
                    return
            self.room = enlarge(self.room, need)
        except MemoryError:
            raise self._no_memory(wanted) from None

    def _no_memory(self, wanted: int) -> TreeTooLargeError:
        """The error while the tree is walked: what is there, what would come next, and a guess at the whole."""
        n_bytes, fraction = bytes_of_room(self.room), max(self.fraction(), 1e-12)
        return self._too_little(
            f"its first {self.n_nodes:,} nodes take {memory_text(n_bytes)}, and to go on {memory_text(wanted)} are needed. "
            f"That is about {100 * fraction:.2g} % of the tree ({estimate_nodes(self.game)} nodes), so all of it would take "
            f"about {memory_text(n_bytes / fraction)}"
        )

    def _too_little(self, why: str) -> TreeTooLargeError:
        return TreeTooLargeError(
            f"the tree of {self.game} does not fit into {memory_text(self.memory)} of memory: {why}; choose options that make "
            f"the game smaller, give more memory, or use a method that samples"
        )

    def _recall_error(self, status: int) -> RecallError:
        """Go to where the information set was found first, and tell of both."""
        first = _Walker(self.game, self.limit, self.memory, last_set=int(self.room.work.note[0]))
        first.finish()
        return recall_fault(self.game, self.room, first.room, status)

    # --- the result -----------------------------------------------------------------------------------------------------

    def tree(self) -> Tree:
        """The tree of a finished walk."""
        work = self.room.work.copy()
        probability = float(work.probability + work.rest)
        if abs(probability - 1) > _ROUNDING:  # cannot be, unless a draw's weights do not add up to its total
            raise RulesError(f"{self.game}: the ends have probability {probability} together, not 1: weights do not add up")
        wanted = bytes_to_finish(self.room)
        if wanted > self.memory:
            raise self._too_little(f"to put its {self.n_nodes:,} nodes in order takes {memory_text(wanted)}")
        self.room = without_slots(self.room)
        treeplexes = treeplexes_of(self.room)
        return Tree(
            game=self.game,
            treeplexes=treeplexes,
            ends=ends_of(self.room),
            n_chance=int(work.n_chance),
            n_decisions=int(work.n_decisions),
            n_ends=int(work.n_ends),
            longest=int(work.longest),
            seconds=time.perf_counter() - self._started,
        )
