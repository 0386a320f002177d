"""Matches, uniform against uniform: our loop on one thread and on all, plain Python, and the peers that have the game."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial

from facedown.arena.lineup import Lineup
from facedown.arena.match import MOST_GAMES_IN_A_TASK, Task, cores, run_task
from facedown.bench.entries import Entry, Request
from facedown.bench.laps import Contestant, Lap
from facedown.bench.peers import PEER_MATCHES
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.native.jit import COMPILED

SEED = 1
AGENT = "uniform"
TASKS_A_THREAD = 8


def entries(request: Request) -> Iterator[Entry]:
    """One entry for each game."""
    for spec in request.games:
        game = find_game(spec)
        what = {1: "uniform alone", 2: "uniform against uniform"}.get(game.n_players, f"{game.n_players} uniform agents")
        yield Entry("games", str(game), what, "game", "move", partial(_contestants, request, game))


class OurMatch:
    """A match as `facedown.match` plays it, task by task, each game with a deal of its own; results are tallied."""

    def __init__(self, game: Game):
        self._lineup = Lineup(game, [AGENT] * game.n_players, swap=False)
        self._agents = tuple(agent.spec for agent in self._lineup.agents)
        self._next = 0
        self._play(Task(self._lineup.game.spec, self._agents, False, SEED, 0, 1))  # compiled before any clock runs

    def _tasks(self, games: int, largest: int) -> Iterator[Task]:
        first, self._next = self._next, self._next + games
        for start in range(first, first + games, largest):
            count = min(largest, first + games - start)
            yield Task(self._lineup.game.spec, self._agents, False, SEED, start, count)

    def play(self, games: int) -> Lap:
        """Play so many games on this thread."""
        started, clock = time.thread_time(), time.perf_counter()
        moves = sum(self._play(task) for task in self._tasks(games, MOST_GAMES_IN_A_TASK))
        return Lap(games, time.thread_time() - started, moves, wall=time.perf_counter() - clock)

    def play_on(self, pool: ThreadPoolExecutor, threads: int, games: int) -> Lap:
        """Play so many games on the threads of a pool."""
        largest = min(max(games // (threads * TASKS_A_THREAD), 1), MOST_GAMES_IN_A_TASK)
        started = time.perf_counter()
        moves = sum(pool.map(self._play, self._tasks(games, largest)))
        return Lap(games, time.perf_counter() - started, moves)

    def _play(self, task: Task) -> int:
        return int(run_task(task, self._lineup).tally.counts[0])


def _contestants(request: Request, game: Game, stack: ExitStack) -> list[Contestant]:
    ours, threads = OurMatch(game), cores() if COMPILED else 1
    pool = stack.enter_context(ThreadPoolExecutor(threads, thread_name_prefix="facedown"))
    # without the compiler only one thread runs at a time, and so does a match
    on_all_threads = partial(ours.play_on, pool, threads) if threads > 1 else ours.play
    found = [
        Contestant("one thread", "ours", ours.play),
        Contestant("all threads", "all_threads", on_all_threads, threads=threads),
        Contestant("plain Python", "reference", partial(request.reference.play, game.spec)),
    ]
    if request.peers:
        found += [match.contestant(str(game)) for match in PEER_MATCHES if str(game) in match.games]
    return found
