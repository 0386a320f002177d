"""Matches: any number of games between agents, split into tasks that are plain data."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.generic.human import LeftGameError
from facedown.arena.lineup import Batch, Lineup, lineup_from_specs
from facedown.arena.portable import check_portable, only_here
from facedown.arena.results import ALL_ALIKE, BY_AGENT, MatchResult, Tally
from facedown.arena.workers import Workers
from facedown.errors import Interrupted
from facedown.forecast import Forecast
from facedown.games.contract import Game
from facedown.inputs import MAX_GAMES, check_seed, check_threads, cores, whole_number
from facedown.native.jit import prepare_thread
from facedown.progress import Callback, Progress

MAX_GAMES_IN_A_TASK = 65536
_MAX_GAMES_IN_PYTHON = 64  # Ctrl-C waits for the task under way
_MEASURED_PART = 100  # one game in this many is played once more, to see how long all of them will take


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
    spread: str = ""


@dataclass(frozen=True)
class Finished:
    """What comes back of a task."""

    tally: Tally
    batch: Batch | None


def run_task(task: Task, lineup: Lineup | None = None) -> Finished:
    """Play the games of a task; in the process that made the line-up, it can be handed over."""
    prepare_thread()  # whoever runs this
    lineup = lineup or lineup_from_specs(task.game, task.agents, task.swap)
    batch = lineup.play(task.seed, task.first, task.count)
    tally = Tally.of(batch, lineup.n_orders, lineup.game.score_range, task.spread)
    if task.keep:
        return Finished(tally, batch)
    lineup.give_back(batch)
    return Finished(tally, None)


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
    histogram: bool = False,
    progress: Callback | None = None,
) -> MatchResult:
    """Play games between agents and report their average scores.

    agents    one for each seat; where all players score together, one may be named for all seats
    swap      play every deal in all orders of the seats (two players: twice, with seats exchanged)
    threads   how many to use; all cores if None. The result does not depend on it
    executor  anything with `submit`, such as a ProcessPoolExecutor or Dask's, instead of threads
    keep      keep the scores and lengths of all single games, in `result.batch`
    histogram how the scores of games spread: standard deviation, share at the highest score, how often each came; reported in
              any case where all players score together, or one plays alone
    progress  called now and then with a `Progress` that counts games; its details hold the `mean` scores

    Ctrl-C raises `Interrupted`, a KeyboardInterrupt whose `result` holds the games that were finished.
    """
    games, n_threads = whole_number("games", games, 1, MAX_GAMES), check_threads(threads)
    seed = check_seed(seed)
    lineup = Lineup(game, agents, swap)
    lineup.prepare()
    Tally.prepare()
    started = time.perf_counter()
    results = _Results(lineup, seed, games, started, keep)
    results.only_here = _only_here(lineup, game, agents)
    tasks = _tasks(lineup, seed, games, keep, ALL_ALIKE if lineup.game.team else BY_AGENT if histogram else "")
    if executor is not None:
        workers = Workers(0, executor, check_portable(lineup.game, lineup.agents))
    else:
        # ordinary Python gains nothing by threads, and a person who left is not asked again
        workers = Workers(n_threads if lineup.compiled else 0)
        results.forecast = _forecast(lineup, seed, games, min(workers.n_workers, cores()))
    with workers:
        _run(tasks, workers, results, progress)
    return results.result()


def _forecast(lineup: Lineup, seed: int, games: int, n_cores: int) -> Forecast:
    """How long the match will take, from a piece of it that is short beside the whole; tasks can be too long to wait for one.

    Agents that are ordinary Python, such as people, are not asked for nothing: there the first tasks will tell.
    """
    forecast = Forecast(games, "games", "ask for fewer games")
    if not lineup.compiled:
        return forecast
    prepare_thread()
    n_done, count, started = 0, lineup.n_orders, time.perf_counter()
    while not forecast.settled and n_done + count <= games // _MEASURED_PART:
        lineup.play(seed, n_done, count)
        n_done, count = n_done + count, min(2 * count, MAX_GAMES_IN_A_TASK)
        forecast.update(n_done * n_cores, time.perf_counter() - started)
    return forecast


def _only_here(lineup: Lineup, game: str | Game, agents: Sequence[str | Agent]) -> str:
    """Why no command repeats the match; what was named by a text can be named again."""
    # one may have been named for all seats
    made = [chosen for chosen, given in zip(lineup.agents, agents, strict=False) if isinstance(given, Agent)]
    return only_here(lineup.game, made) if made or isinstance(game, Game) else ""


def _tasks(lineup: Lineup, seed: int, games: int, keep: bool, spread: str = "") -> Iterator[Task]:
    """Cut a run into tasks, by the number of games only, so that sums come out the same on any machine."""
    blocks = -(-games // lineup.n_orders)
    most = MAX_GAMES_IN_A_TASK if lineup.compiled else _MAX_GAMES_IN_PYTHON
    size = min(max(blocks // 64, 1), most // lineup.n_orders) * lineup.n_orders
    specs = tuple(agent.spec for agent in lineup.agents)
    for first in range(0, games, size):
        count = min(size, games - first)
        yield Task(lineup.game.spec, specs, lineup.n_orders > 1, seed, first, count, keep, spread)


class _Results:
    """Finished tasks, added up in their order, so that sums do not depend on which was finished first."""

    def __init__(self, lineup: Lineup, seed: int, games: int, started: float, keep: bool):
        self.lineup, self._seed, self._games, self._started, self._keep = lineup, seed, games, started, keep
        self._tally: Tally | None = None
        self._batches: list[Batch] = []
        self.forecast: Forecast | None = None
        self.only_here = ""

    def add(self, done: Finished) -> None:
        """Take in the outcome of the next task."""
        self._tally = done.tally if self._tally is None else self._tally + done.tally
        if done.batch is not None:
            self._batches.append(done.batch)
        if self.forecast is not None:
            self.forecast.update(self._tally.n_games, time.perf_counter() - self._started)

    def progress(self) -> Progress:
        """How far it is."""
        n_games = self._tally.n_games if self._tally else 0
        means = (self._tally.sums[0, : len(self.lineup.agents)] / n_games).tolist() if self._tally else [math.nan]
        words = f"{n_games:,} games, mean {means[0]:.4f}"
        return Progress(n_games, self._games, "games", time.perf_counter() - self._started, words, {"mean": tuple(means)})

    def result(self, interrupted: bool = False) -> MatchResult:
        """The figures of all games up to the first that is missing."""
        assert self._tally is not None
        batch = None
        if self._keep:
            parts = ("scores", "lengths", "values", "drawn_seats")
            whole = {part: np.concatenate([getattr(batch, part) for batch in self._batches]) for part in parts}
            batch = Batch(0, n_orders=self.lineup.n_orders, **whole)
        lineup, seconds = self.lineup, time.perf_counter() - self._started
        facts: dict[str, Any] = {"seed": self._seed, "seconds": seconds, "interrupted": interrupted, "batch": batch}
        facts["only_here"] = self.only_here
        return MatchResult.of(lineup.game, lineup.agents, self._tally, lineup.n_orders, **facts)

    @property
    def any(self) -> bool:
        """Whether anything is finished."""
        return self._tally is not None


def _run(tasks: Iterator[Task], workers: Workers, results: _Results, progress: Callback | None) -> None:
    """Have all tasks played, and stop cleanly on Ctrl-C."""

    def take(finished: Finished) -> None:
        results.add(finished)
        if progress is not None:
            progress(results.progress())

    try:
        workers.run(run_task, tasks, take, here=lambda task: run_task(task, results.lineup))
    except (KeyboardInterrupt, LeftGameError) as stop:
        finished = results.result(interrupted=True) if results.any else None
        done = f"after {finished.games:,} games" if finished else "before any game was finished"
        how = f"{stop}," if isinstance(stop, LeftGameError) else "interrupted"
        raise Interrupted(f"{how} {done}", finished) from None
