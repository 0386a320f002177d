"""Solvers: CFR+ iterations a second, and seconds to an exploitability, ours beside those of the peers, on one thread.

1. Iterations: every lap begins anew with the uniform strategy and does a given number of iterations of CFR+ with alternating
   updates, average strategy included.
2. Seconds: everybody solves the game in their quickest way. The ways are tried one after the other, and given up when
   they take longer than the best one so far; after the same numbers of iterations for everybody, four times while they
   double, the solver itself says how exploitable its average strategy is. The iterations that were needed are then
   timed. Neither setting up (our tree, their graphs) nor evaluating is counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Protocol

from facedown.errors import FacedownError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.native.jit import COMPILED
from facedown.solving.engine import TreeEngine
from facedown.solving.methods import find_method
from facedown.solving.running import next_point
from facedown.trees.grow import build_tree
from facedown.trees.tree import Tree
from facedown_bench.entries import Entry, Request
from facedown_bench.laps import Contestant, Lap, Role
from facedown_bench.peer_solvers import PEER_SOLVERS, PeerSolvers

TARGET = 1e-3
LOOKS_AN_OCTAVE = 4
METHODS = ("pcfr+", "pdcfr+", "dcfr", "cfr+")
ROUNDS = 2
LAP_SECONDS = 0.02
MAX_SOLVES = 50
PATIENCE = 120.0
"""A solver that has not reached the target after this many seconds is given up."""

SOLVED = ("kuhn", "leduc", "liars_dice(faces=5)") if COMPILED else ("kuhn",)
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "liars_dice.py"


class Solver(Protocol):
    """A solver at work, from the uniform strategy on."""

    def iterate(self, count: int) -> None:
        """Do this many more iterations."""

    def exploitability(self) -> float:
        """Of the average strategy: NashConv / number of players."""


@dataclass(frozen=True)
class Way:
    """A method of somebody's, and how to begin with it."""

    method: str
    begin: Callable[[], Solver]


def entries(request: Request) -> Iterator[Entry]:
    """Two entries for each game that is small enough and that the peers have too."""
    for spec in _games(request):
        game = find_game(spec)
        if str(game) in SOLVED:
            both = _Both(request, game)
            yield Entry("solvers", str(game), "CFR+ iterations", "iteration", "", both.iterating)
            what = f"seconds to exploitability {TARGET:.0e}".replace("e-0", "e-")
            yield Entry("solutions", str(game), what, "solution", "iteration", both.solving, in_seconds=True, rounds=ROUNDS)


def _games(request: Request) -> Iterator[str]:
    yield from request.games
    if request.everything:  # a sparse game beside the built-in ones
        yield f"{EXAMPLE}:GAME(faces=5)"


class OurSolver:
    """A method of ours at work."""

    def __init__(self, tree: Tree, method: str):
        self._engine = TreeEngine(tree, find_method(method, None), alternating=True)

    def iterate(self, count: int) -> None:
        """Do this many more iterations."""
        self._engine.run(count)

    def exploitability(self) -> float:
        """Of the average strategy."""
        return float(self._engine.evaluate().exploitability)


class _Both:
    """The two entries of one game, which share the tree."""

    def __init__(self, request: Request, game: Game):
        self._request, self._game = request, game

    @cached_property
    def _tree(self) -> Tree:
        return build_tree(self._game)

    def _ours(self, method: str) -> Way:
        return Way(method, partial(OurSolver, self._tree, method))

    def iterating(self, stack: ExitStack) -> list[Contestant]:
        """CFR+ at work, ours and theirs."""
        found = [iterating("one thread", "ours", self._ours("cfr+"))]
        for peer in self._peers():
            ways = peer.ways(str(self._game), stack)
            found.append(iterating(peer.peer.name, "peer", Way(*ways[0]), peer.peer.version))
        return found

    def solving(self, stack: ExitStack) -> list[Contestant]:
        """Everybody in their quickest way."""
        found = [solving("one thread", "ours", [self._ours(method) for method in METHODS])]
        for peer in self._peers():
            ways = [Way(*way) for way in peer.ways(str(self._game), stack)]
            found.append(solving(peer.peer.name, "peer", ways, peer.peer.version))
        return found

    def _peers(self) -> list[PeerSolvers]:
        if not self._request.peers:
            return []
        return [solvers for solvers in PEER_SOLVERS if solvers.peer.installed and str(self._game) in solvers.games]


def iterating(name: str, role: Role, way: Way, version: str = "") -> Contestant:
    """Somebody who does iterations; every lap begins anew."""

    def run(count: int) -> Lap:
        solver = way.begin()
        started = time.thread_time()
        solver.iterate(count)
        return Lap(count, time.thread_time() - started)

    return Contestant(name, role, run, version, method=way.method)


@dataclass(frozen=True)
class _Solved:
    """How a way reached the target."""

    way: Way
    iterations: int
    seconds: float


def to_target(way: Way, patience: float) -> _Solved | None:
    """Iterate until the target is reached; None if the iterations take longer than `patience`."""
    solver, done, seconds = way.begin(), 0, 0.0
    while seconds <= patience:
        count = next_point(done, LOOKS_AN_OCTAVE) - done
        started = time.thread_time()
        solver.iterate(count)
        seconds += time.thread_time() - started
        done += count
        if solver.exploitability() <= TARGET:
            return _Solved(way, done, seconds)
    return None


def quickest(name: str, ways: Sequence[Way], patience: float = PATIENCE) -> _Solved:
    """The way that reaches the target first."""
    best: _Solved | None = None
    for way in ways:
        found = to_target(way, best.seconds if best else patience)
        if found is not None and (best is None or found.seconds < best.seconds):
            best = found
    if best is None:
        raise FacedownError(f"{name} did not reach an exploitability of {TARGET:g} in {patience:g} s")
    return best


def solving(name: str, role: Role, ways: Sequence[Way], version: str = "") -> Contestant:
    """Somebody who solves the game: fresh solvers, each run for as many iterations as the target needs."""
    best = quickest(name, ways)
    # what took long was timed well enough while it was tried, and counts as the first lap
    tried = [Lap(1, best.seconds, best.iterations)] if best.seconds > LAP_SECONDS else []

    def run(count: int) -> Lap:
        if tried and count == 1:
            return tried.pop()
        seconds = 0.0
        for _ in range(count):
            solver = best.way.begin()
            started = time.thread_time()
            solver.iterate(best.iterations)
            seconds += time.thread_time() - started
        return Lap(count, seconds, count * best.iterations)

    units = min(max(round(LAP_SECONDS / best.seconds), 1), MAX_SOLVES)
    return Contestant(name, role, run, version, method=best.way.method, units=units)
