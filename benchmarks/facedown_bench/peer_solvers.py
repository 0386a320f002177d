"""The solvers of peers: OpenSpiel's in C++, and LiteEFG's graphs, each used as its own examples use it."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from facedown_bench.peers import LITE_EFG, OPEN_SPIEL, Peer

OPEN_SPIEL_GAMES = {
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
    "liars_dice(faces=5)": "liars_dice(numdice=1,dice_sides=5)",
}


@dataclass(frozen=True)
class PeerSolvers:
    """The solvers of a peer.

    games  our game -> the peer's name of it
    begin  sets up a game, in a block that ends with the bench; the ways to solve it, CFR+ first, each with a function
           that gives a solver which has not begun yet
    """

    peer: Peer
    games: Mapping[str, str]
    begin: Callable[[Any, str, ExitStack], Sequence[tuple[str, Callable[[], Any]]]]

    def ways(self, game: str, stack: ExitStack) -> Sequence[tuple[str, Callable[[], Any]]]:
        """The ways to solve one of our games."""
        return self.begin(self.peer.load(), self.games[game], stack)


class OpenSpielSolver:
    """OpenSpiel's C++ solver of CFR+."""

    def __init__(self, pyspiel: Any, game: Any):
        self._game, self._evaluate = game, pyspiel.exploitability
        self._solver = pyspiel.CFRPlusSolver(game)

    def iterate(self, count: int) -> None:
        """Do this many more iterations."""
        update = self._solver.evaluate_and_update_policy
        for _ in range(count):
            update()

    def exploitability(self) -> float:
        """Of the average policy."""
        return float(self._evaluate(self._game, self._solver.average_policy()))


def open_spiel(pyspiel: Any, name: str, stack: ExitStack) -> Sequence[tuple[str, Callable[[], Any]]]:
    """CFR+ is the quickest of its C++ solvers that go through the whole tree."""
    return [("CFRPlusSolver", partial(OpenSpielSolver, pyspiel, pyspiel.load_game(name)))]


class LiteEfgSolver:
    """A baseline of LiteEFG on one thread, as its `train` runs it."""

    def __init__(self, lite_efg: Any, file: Path, baseline: str):
        lite_efg.set_threads(1)
        with contextlib.redirect_stdout(io.StringIO()):  # it greets
            self._graph = importlib.import_module(f"LiteEFG.baselines.{baseline}").graph()
        self._env = lite_efg.FileEnv(str(file), traverse_type="Enumerate")
        self._env.set_graph(self._graph)
        # DCFR keeps its average by itself; the others leave it to the environment
        self._keeps_average = baseline == "DCFR"

    def iterate(self, count: int) -> None:
        """Do this many more iterations, each of both players in turn, and add to the average."""
        update, env, graph = self._graph.update_graph, self._env, self._graph
        average, strategy = env.update_strategy, graph.current_strategy()
        if self._keeps_average:
            for _ in range(count):
                update(env)
        else:
            for _ in range(count):
                update(env)
                average(strategy)

    def exploitability(self) -> float:
        """Of the average strategy; it gives what each player could gain."""
        if self._keeps_average:
            strategy = self._graph.current_strategy("average-iterate")
            self._env.update_strategy(strategy)
            gains = self._env.exploitability(strategy, "last-iterate")
        else:
            gains = self._env.exploitability(self._graph.current_strategy(), "linear-avg-iterate")
        return float(sum(gains)) / len(gains)


@contextlib.contextmanager
def _home(directory: str) -> Iterator[None]:
    """LiteEFG writes to the user's home directory; let that be another one for a while."""
    before = os.environ.get("HOME")
    os.environ["HOME"] = directory
    try:
        yield
    finally:
        if before is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = before


def _game_file(module: Any, name: str, directory: str) -> Path:
    """The file that LiteEFG makes of a game of OpenSpiel's, and reads its trees from."""
    with _home(directory), contextlib.redirect_stdout(io.StringIO()):
        module.OpenSpielEnv(OPEN_SPIEL.load().load_game(name), traverse_type="Enumerate")
    (file,) = Path(directory).rglob("*.openspiel")
    return file


def lite_efg(module: Any, name: str, stack: ExitStack) -> Sequence[tuple[str, Callable[[], Any]]]:
    """All its methods that go through the whole tree and are meant to be quick."""
    file = _game_file(module, name, stack.enter_context(tempfile.TemporaryDirectory(prefix="facedown-bench-")))
    baselines = {"CFR+": "CFRplus", "PCFR+": "PCFR", "DCFR": "DCFR"}
    return [(method, partial(LiteEfgSolver, module, file, baseline)) for method, baseline in baselines.items()]


# the trees are the same: tests compare counts, values and exploitability
PEER_SOLVERS = (
    PeerSolvers(OPEN_SPIEL, OPEN_SPIEL_GAMES, open_spiel),
    PeerSolvers(LITE_EFG, OPEN_SPIEL_GAMES, lite_efg),
)
