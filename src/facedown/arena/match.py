"""Matches: any number of games between agents, split into tasks that are plain data."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.arena.intervals import Spread
from facedown.arena.lineup import Batch, Lineup, lineup_from_specs
from facedown.arena.results import MatchResult, Tally
from facedown.errors import Interrupted, UsageError
from facedown.games.contract import NATIVE_FUNCTIONS, Game
from facedown.games.registry import game as find_game
from facedown.native.jit import prepare_thread

MOST_GAMES_IN_A_TASK = 65536
MOST_GAMES_IN_PYTHON = 64  # Ctrl-C waits for the task under way
LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True)
class Task:
    """A range of games of a run: all that another process or machine needs to play it."""

    game: str
    agents: tuple[str, ...]
    swap: bool
    seed: int
    first: int
    count: int
    keep: bool = False


@dataclass(frozen=True)
class Finished:
    """What comes back of a task."""

    tally: Tally
    batch: Batch | None


@dataclass(frozen=True)
class Progress:
    """How far a match is."""

    games: int
    of: int
    mean: tuple[float, ...]
    seconds: float


def run_task(task: Task, lineup: Lineup | None = None) -> Finished:
    """Play the games of a task; in the process that made the line-up, it can be handed over."""
    prepare_thread()  # whoever runs this
    lineup = lineup or lineup_from_specs(task.game, task.agents, task.swap)
    batch = lineup.play(task.seed, task.first, task.count)
    return Finished(Tally.of(batch, lineup.n_orders), batch if task.keep else None)


def match(
    game: str | Game,
    agents: Sequence[str | Agent],
    games: int = 10_000,
    seed: int | None = None,
    *,
    swap: bool = True,
    threads: int | None = None,
    executor: Executor | None = None,
    keep: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> MatchResult:
    """Play games between agents and report their average scores.

    swap      play every deal in all orders of the seats (two players: twice, with seats exchanged)
    threads   how many to use; all cores if None. The result does not depend on it
    executor  anything with `submit`, such as a ProcessPoolExecutor or Dask's, instead of threads
    keep      keep the scores and lengths of all single games, in `result.batch`
    progress  called now and then with a `Progress`

    Ctrl-C raises `Interrupted`, a KeyboardInterrupt whose `result` holds the games that were finished.
    """
    if isinstance(games, bool) or not isinstance(games, int | np.integer) or games < 1:
        raise UsageError(f"games={games}: a match has at least 1 game, a whole number")
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1):
        raise UsageError(f"threads={threads}: at least 1 is needed, a whole number")
    seed = check_seed(seed)
    lineup = Lineup(game, agents, swap)
    lineup.prepare()
    started = time.perf_counter()
    results = _Results(lineup, seed, int(games), started, keep)
    tasks = _tasks(lineup, seed, int(games), keep)
    if executor is not None:
        _check_portable(lineup)
        _run(tasks, lambda task: executor.submit(run_task, task), 64, results, progress)
    else:
        n_threads = 1 if not lineup.compiled else threads or cores()
        with ThreadPoolExecutor(n_threads, "facedown", initializer=prepare_thread) as pool:
            _run(tasks, lambda task: pool.submit(run_task, task, lineup), 2 * n_threads, results, progress)
    return results.result()


def check_seed(seed: int | None) -> int:
    """The seed to use: the one given, if it can be one, or one drawn by the machine."""
    if seed is None:
        return int.from_bytes(os.urandom(4), "little")
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed <= LARGEST_SEED:
        raise UsageError(f"seed={seed}: a seed is a whole number from 0 to {LARGEST_SEED}")
    return int(seed)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_portable(lineup: Lineup) -> None:
    """Make sure that another process will find this very game and these very agents by their names."""
    if not all(agent.compiled for agent in lineup.agents):
        raise UsageError("an executor can only play agents that are compiled")
    only_here = "is known to this process only; put it into a file and name it"
    try:
        game = find_game(lineup.game.spec)
    except UsageError:
        game = None
    if game is None or any(getattr(game, name) is not getattr(lineup.game, name) for name in NATIVE_FUNCTIONS):
        raise UsageError(f"{lineup.game.name} {only_here} ./file.py:GAME")
    for agent in lineup.agents:
        if agent.table is not None and not agent.file:
            raise UsageError(f"the table of agent {agent.name} was never saved; save its policy and name the file: table(FILE)")
        try:
            found = find_agent(agent.spec, game)
        except UsageError:
            found = None
        if found is None or found.act is not agent.act or found.watch is not agent.watch:
            raise UsageError(f"agent {agent.name} {only_here} ./file.py:AGENT")


def _tasks(lineup: Lineup, seed: int, games: int, keep: bool) -> Iterator[Task]:
    """Cut a run into tasks, by the number of games only, so that sums come out the same on any machine."""
    blocks = -(-games // lineup.n_orders)
    most = MOST_GAMES_IN_A_TASK if lineup.compiled else MOST_GAMES_IN_PYTHON
    size = min(max(blocks // 64, 1), most // lineup.n_orders) * lineup.n_orders
    specs = tuple(agent.spec for agent in lineup.agents)
    for first in range(0, games, size):
        count = min(size, games - first)
        yield Task(lineup.game.spec, specs, lineup.n_orders > 1, seed, first, count, keep)


class _Results:
    """Finished tasks, put in order, so that sums do not depend on which came first."""

    def __init__(self, lineup: Lineup, seed: int, games: int, started: float, keep: bool):
        self._lineup, self._seed, self._games, self._started, self._keep = lineup, seed, games, started, keep
        self._waiting: dict[int, Finished] = {}
        self._next = 0
        self._tally: Tally | None = None
        self._spreads = [Spread() for _ in lineup.agents]
        self._batches: list[Batch] = []

    def add(self, number: int, finished: Finished) -> None:
        """Take in a task's outcome."""
        self._waiting[number] = finished
        while self._next in self._waiting:
            done = self._waiting.pop(self._next)
            self._tally = done.tally if self._tally is None else self._tally + done.tally
            for agent, spread in enumerate(self._spreads):
                spread.add(*done.tally.rescaled(self._lineup.game, agent, self._lineup.n_orders))
            if done.batch is not None:
                self._batches.append(done.batch)
            self._next += 1

    def progress(self) -> Progress:
        """How far it is."""
        n_games = self._tally.n_games if self._tally else 0
        means = self._tally.sums[0, : len(self._lineup.agents)] / n_games if self._tally else np.zeros(0)
        return Progress(n_games, self._games, tuple(means.tolist()), time.perf_counter() - self._started)

    def result(self, interrupted: bool = False) -> MatchResult:
        """The figures of all games up to the first that is missing."""
        assert self._tally is not None
        batch = None
        if self._keep:
            parts = ("scores", "lengths", "values")
            batch = Batch(0, *(np.concatenate([getattr(b, part) for b in self._batches]) for part in parts))
        lineup, seconds = self._lineup, time.perf_counter() - self._started
        facts = {"seed": self._seed, "seconds": seconds, "interrupted": interrupted, "batch": batch}
        return MatchResult.of(lineup.game, lineup.agents, self._tally, self._spreads, lineup.n_orders, **facts)

    @property
    def any(self) -> bool:
        """Whether anything is finished."""
        return self._tally is not None


def _run(
    tasks: Iterator[Task],
    submit: Callable[[Task], Future[Finished]],
    ahead: int,
    results: _Results,
    progress: Callable[[Progress], None] | None,
) -> None:
    """Keep some tasks under way, take them in as they end, and stop cleanly on Ctrl-C."""
    under_way: list[tuple[int, Future[Finished]]] = []
    numbered = enumerate(tasks)
    try:
        under_way.extend((number, submit(task)) for number, task in itertools.islice(numbered, ahead))
        while under_way:
            number, future = under_way.pop(0)
            results.add(number, future.result())
            under_way.extend((number, submit(task)) for number, task in itertools.islice(numbered, 1))
            if progress is not None:
                progress(results.progress())
    except KeyboardInterrupt:
        finished = results.result(interrupted=True) if results.any else None
        done = f"after {finished.games:,} games" if finished else "before any game was finished"
        raise Interrupted(f"interrupted {done}", finished) from None
    finally:
        for _, future in under_way:
            future.cancel()
