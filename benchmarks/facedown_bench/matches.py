"""Matches: our loop on one thread and on all, plain Python, and the peers that have the game.

Every game is played by uniform agents; `FURTHER` has matches of other agents, one line each.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from facedown.arena.lineup import Lineup
from facedown.arena.match import MAX_GAMES_IN_A_TASK, Task, run_task
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import cores
from facedown.native.jit import COMPILED
from facedown_bench.entries import Entry, Request
from facedown_bench.laps import Contestant, Lap
from facedown_bench.peers import PEER_MATCHES

SEED = 1
AGENT = "uniform"
TASKS_A_THREAD = 8


@dataclass(frozen=True)
class MatchBench:
    """A match to be measured whenever its game is; `unit` is what a game is called.

    whenever      measured together with this game rather than its own
    beside_peers  measured beside the uniform agents of peers though its own are others
    alone         only our own speed is taken: in plain Python it would take minutes
    """

    game: str
    agents: tuple[str, ...]
    unit: str = "game"
    whenever: str = ""
    beside_peers: bool = False
    alone: bool = False

    @property
    def what(self) -> str:
        """The line-up in words."""
        if len(set(self.agents)) > 1 or len(self.agents) == 2:
            return " against ".join(self.agents)
        return f"{self.agents[0]} alone" if len(self.agents) == 1 else f"{len(self.agents)} {self.agents[0]} agents"


def hanabi(agent: str, players: int, beside_peers: bool = False) -> MatchBench:
    """A match of one of Hanabi's own agents, which play together, measured whenever Hanabi is."""
    game = "hanabi" if players == 2 else f"hanabi(players={players})"
    return MatchBench(game, (agent,) * players, whenever="hanabi", beside_peers=beside_peers, alone=not beside_peers)


FURTHER: tuple[MatchBench, ...] = (
    MatchBench("love_letter", ("random", "random"), "round"),
    hanabi("uniform", 5, beside_peers=True),  # like with like; for two players it stands among all games
    hanabi("erratic", 2, beside_peers=True),
    hanabi("erratic", 5, beside_peers=True),
    hanabi("distrustful", 2),
    hanabi("distrustful", 5),
    hanabi("trustful", 2),
    hanabi("trustful", 5),
    hanabi("information", 5),
)
"""Matches beside those of uniform agents."""


def entries(request: Request) -> Iterator[Entry]:
    """One entry for each game, and those of `FURTHER` that are measured together with one of them."""
    found = [find_game(spec) for spec in request.games]
    benches = [(game, MatchBench(str(game), (AGENT,) * game.n_players)) for game in found]
    names = {str(game) for game in found}
    benches += [(find_game(further.game), further) for further in FURTHER if (further.whenever or further.game) in names]
    for game, bench in benches:
        contestants = partial(_contestants, request, game, bench)
        yield Entry(f"{bench.unit}s", str(game), bench.what, bench.unit, "move", contestants)


class OurMatch:
    """A match as `facedown.match` plays it, task by task, each game with a deal of its own; results are tallied."""

    def __init__(self, game: Game, agents: tuple[str, ...]):
        self._lineup = Lineup(game, agents, swap=False)
        self._agents = tuple(agent.spec for agent in self._lineup.agents)
        self._next = 0
        self._play(Task(self._lineup.game.spec, self._agents, False, SEED, 0, 1))  # compiled before any clock runs

    def _tasks(self, games: int, largest: int) -> Iterator[Task]:
        first, self._next = self._next, self._next + games
        for start in range(first, first + games, largest):
            count = min(largest, first + games - start)
            yield Task(self._lineup.game.spec, self._agents, False, SEED, start, count)

    def play(self, games: int) -> Lap:
        """Play this many games on this thread."""
        started, clock = time.thread_time(), time.perf_counter()
        moves = sum(self._play(task) for task in self._tasks(games, MAX_GAMES_IN_A_TASK))
        return Lap(games, time.thread_time() - started, moves, wall=time.perf_counter() - clock)

    def play_on(self, pool: ThreadPoolExecutor, threads: int, games: int) -> Lap:
        """Play this many games on the threads of a pool."""
        largest = min(max(games // (threads * TASKS_A_THREAD), 1), MAX_GAMES_IN_A_TASK)
        started = time.perf_counter()
        moves = sum(pool.map(self._play, self._tasks(games, largest)))
        return Lap(games, time.perf_counter() - started, moves)

    def _play(self, task: Task) -> int:
        return int(run_task(task, self._lineup).tally.counts[0])


def _contestants(request: Request, game: Game, bench: MatchBench, stack: ExitStack) -> list[Contestant]:
    ours, threads = OurMatch(game, bench.agents), cores() if COMPILED else 1
    if bench.alone:
        return [Contestant("one thread", "ours", ours.play)]
    pool = stack.enter_context(ThreadPoolExecutor(threads, thread_name_prefix="facedown"))
    # without the compiler only one thread runs at a time, and so does a match
    on_all_threads = partial(ours.play_on, pool, threads) if threads > 1 else ours.play
    found = [
        Contestant("one thread", "ours", ours.play),
        Contestant("all threads", "all_threads", on_all_threads, threads=threads),
        Contestant("plain Python", "reference", partial(request.reference.play, game.spec, bench.agents)),
    ]
    if request.peers and (set(bench.agents) == {AGENT} or bench.beside_peers):
        found += [match.contestant(str(game)) for match in PEER_MATCHES if str(game) in match.games]
    return found
