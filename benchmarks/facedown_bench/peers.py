"""Peers: other libraries that do the same work, measured in the same run if they are installed.

A peer is used as its own examples use it, in the quickest way that we know of: names are looked up before the loop,
not in it, and nothing is done with the outcome. Our side tallies its results and checks every move for legality.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from facedown.errors import UsageError
from facedown_bench.laps import Contestant, Lap

Runner = Callable[[int], Lap]


@dataclass(frozen=True)
class Peer:
    """A library that may be installed; `extra` is the extra of ours that installs it.

    An `optional` one is passed over where it is missing, and reported with the command that would install it.
    """

    name: str
    title: str
    module: str
    package: str
    extra: str = "peers"
    optional: bool = False

    @property
    def command(self) -> str:
        """How to install it."""
        return f"pip install 'facedown[{self.extra}]'"

    @property
    def installed(self) -> bool:
        """Whether it is there, without loading it."""
        try:
            return importlib.util.find_spec(self.module) is not None
        except ValueError:  # it was taken out of the modules by name
            return False

    def load(self) -> Any:
        """Its module, or a sentence on how to get it."""
        try:
            return importlib.import_module(self.module)
        except ImportError as problem:
            missing = isinstance(problem, ModuleNotFoundError) and problem.name == self.module
            state = "is not installed" if missing else f"cannot be imported ({problem})"
            remedy = f"install it with: {self.command}, or leave the peers out"
            raise UsageError(f"the peer {self.title} {state}; {remedy}") from problem

    @property
    def version(self) -> str:
        """The installed version."""
        return importlib.metadata.version(self.package)


@dataclass(frozen=True)
class PeerLoop:
    """Work that a peer does as we do.

    games   our game -> the peer's name of it
    runner  makes what runs a lap, from the peer's module and its name of the game
    """

    peer: Peer
    games: Mapping[str, str]
    runner: Callable[[Any, str], Runner]

    def contestant(self, game: str) -> Contestant:
        """The peer, ready to work on one of our games, on one thread."""
        return Contestant(self.peer.name, "peer", self.runner(self.peer.load(), self.games[game]), self.peer.version)


def open_spiel_match(pyspiel: Any, name: str) -> Runner:
    """OpenSpiel's C++ loop with its C++ uniform bots: `evaluate_bots`, with a new initial state and seed for each game."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(game.num_players())]
    new_initial_state, evaluate_bots = game.new_initial_state, pyspiel.evaluate_bots
    seeds = itertools.count(1)

    def play(games: int) -> Lap:
        started = time.thread_time()
        for seed in itertools.islice(seeds, games):
            evaluate_bots(new_initial_state(), bots, seed)
        return Lap(games, time.thread_time() - started)

    return play


OPEN_SPIEL = Peer(name="open_spiel", title="OpenSpiel", module="pyspiel", package="open_spiel")

# on PyPI as source only: whoever wants it needs a compiler
LITE_EFG = Peer("LiteEFG", "LiteEFG", module="LiteEFG", package="LiteEFG", extra="peers-compiled", optional=True)

PEERS = (OPEN_SPIEL, LITE_EFG)

# the rules are the same: a test compares mean scores and lengths; those of Hanabi are compared move by move in
# tests/games/test_hanabi_peers.py (its points are lost with the last life, which takes no time)
PEER_MATCHES = (
    PeerLoop(OPEN_SPIEL, {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}, open_spiel_match),
    PeerLoop(OPEN_SPIEL, {"hanabi": "hanabi(players=2)", "hanabi(players=5)": "hanabi(players=5)"}, open_spiel_match),
)


def require() -> None:
    """Make sure that all peers are there, before anything takes time; but for those that one may do without."""
    for peer in PEERS:
        if peer.installed or not peer.optional:
            peer.load()


def present() -> tuple[Peer, ...]:
    """The peers that are there."""
    return tuple(peer for peer in PEERS if peer.installed)
