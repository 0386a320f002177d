"""Running a race: games in batches, consumed one by one in the order of their numbers, until the verdict is there."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facedown import plugins
from facedown.agents.contract import Agent
from facedown.arena.intervals import anytime_interval
from facedown.arena.match import check_seed, cores
from facedown.arena.racing.duel import Duel
from facedown.arena.racing.feed import feed
from facedown.arena.racing.journal import Journal
from facedown.arena.racing.methods import (
    DEFAULT_DELTA,
    DEFAULT_EPSILON,
    DEFAULT_METHOD,
    UNDECIDED,
    VERDICTS,
    Setting,
)
from facedown.arena.racing.outlook import Outlook, outlook
from facedown.errors import Interrupted, UsageError
from facedown.games.contract import Game
from facedown.native.records import Record

FIRST_BATCH = 64
GROWTH = 0.03
"""A batch is this share of what has been played: so much may be played in vain beyond the decision."""


@dataclass(frozen=True)
class RaceResult:
    """How a race ended, or how it stands."""

    game: str
    agents: tuple[str, str]
    method: str
    epsilon: float
    delta: float
    verdict: str
    """first, second, practically equal, or undecided."""
    games: int
    """Games that count: up to the decision."""
    games_played: int
    """Games that were played, those beyond the decision included."""
    mean: float
    """Average score of the first agent against the second, from 0 to 1."""
    stderr: float
    interval: tuple[float, float]
    """Where the true mean lies, with probability 1 - delta at all times together."""
    seed: int
    seconds: float
    repeat: str
    """The command that repeats this race."""

    @property
    def winner(self) -> str | None:
        """The better agent, if there is one."""
        return {"first": self.agents[0], "second": self.agents[1]}.get(self.verdict)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "schema": "facedown.race/1",
            "game": self.game,
            "agents": list(self.agents),
            "method": self.method,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "verdict": self.verdict,
            "winner": self.winner,
            "games": self.games,
            "games_played": self.games_played,
            "mean": self.mean,
            "stderr": self.stderr,
            "interval": list(self.interval),
            "seed": self.seed,
            "seconds": self.seconds,
            "repeat": self.repeat,
        }

    def __repr__(self) -> str:
        low, high = self.interval
        answer = {"practically equal": "practically equal", "undecided": "undecided"}.get(
            self.verdict, f"{self.winner} is better"
        )
        return (
            f"{self.game}, {self.agents[0]} against {self.agents[1]}: {answer} after {self.games:,} games "
            f"(mean {self.mean:.4f} ± {self.stderr:.4f}, {low:.4f} to {high:.4f} at any time; {self.method}, "
            f"epsilon {self.epsilon:g}, delta {self.delta:g}, seed {self.seed})"
        )


class Runner:
    """A race under way: plays batches, feeds them, keeps the journal."""

    def __init__(self, duel: Duel, setting: Setting, seed: int, max_games: int | None, journal: Path | None):
        self.duel, self.setting, self.seed = duel, setting, seed
        self.max_deals = math.inf if max_games is None else max(max_games // duel.games_per_deal, 1)
        self._races = setting.start()
        self.n_played = 0
        self._started = time.perf_counter()
        self.journal = Journal(journal, self._description()) if journal else None
        if self.journal and self.journal.saved is not None:
            self._races[:] = self.journal.saved
            self.n_played = int(self.race.n_scores)

    def _description(self) -> dict[str, Any]:
        first, second = (agent.spec for agent in self.duel.agents)
        setting = self.setting
        return {
            "game": self.duel.game.spec,
            "agents": [first, second],
            "method": setting.method,
            "epsilon": setting.epsilon,
            "delta": setting.delta,
            "seed": self.seed,
        }

    @property
    def race(self) -> Record:
        """The race itself."""
        return self._races[0]  # type: ignore[no-any-return]

    @property
    def over(self) -> bool:
        """Whether there is a verdict, or no game left."""
        return bool(self.race.verdict != UNDECIDED or self.race.n_scores >= self.max_deals)

    def batch_size(self) -> int:
        """How many deals to play next."""
        grown = max(FIRST_BATCH, int(GROWTH * self.race.n_scores))
        return int(min(grown, self.max_deals - self.race.n_scores))

    def step(self, pool: ThreadPoolExecutor, n_threads: int, count: int | None = None) -> None:
        """Play a batch and feed it."""
        count = self.batch_size() if count is None else min(count, int(min(self.max_deals - self.race.n_scores, 2**40)))
        scores = self.duel.play_parts(pool, n_threads, self.seed, int(self.race.n_scores), count)
        self.n_played = int(self.race.n_scores) + count
        feed(self.race, scores)
        if self.journal:
            self.journal.save(self._races)

    def outlook(self) -> Outlook:
        """How the race stands."""
        return outlook(self.race, self.duel.games_per_deal)

    def result(self) -> RaceResult:
        """The verdict and the figures so far."""
        race, setting = self.race, self.setting
        n, mean, stderr, interval = figures(race)
        n_games = n * self.duel.games_per_deal
        stopped_at = n_games if race.verdict == UNDECIDED else None
        return RaceResult(
            game=str(self.duel.game),
            agents=(str(self.duel.agents[0]), str(self.duel.agents[1])),
            method=setting.method,
            epsilon=setting.epsilon,
            delta=setting.delta,
            verdict=VERDICTS[int(race.verdict)],
            games=n_games,
            games_played=self.n_played * self.duel.games_per_deal,
            mean=mean,
            stderr=stderr,
            interval=interval,
            seed=self.seed,
            seconds=time.perf_counter() - self._started,
            repeat=repeat_line(self.duel.game, self.duel.agents, setting, self.seed, stopped_at),
        )


def repeat_line(game: Game, agents: Iterable[Agent], setting: Setting, seed: int, stopped_at: int | None) -> str:
    """The command that repeats a race; one that ended without a verdict stopped after so many games."""
    words = ["facedown", "race", game.spec, *(agent.spec for agent in agents), "--method", setting.method]
    words += ["--epsilon", f"{setting.epsilon:g}", "--delta", f"{setting.delta:g}", "--seed", str(seed)]
    return plugins.command(*words, *(["--max-games", str(stopped_at)] if stopped_at is not None else []))


def figures(race: Record) -> tuple[int, float, float, tuple[float, float]]:
    """Number of observations, their mean, its standard error, and the interval that holds at all times."""
    n, total, squares = int(race.n_scores), float(race.total), float(race.squares)
    if n == 0:
        return 0, 0.5, 0.5, (0.0, 1.0)
    mean = total / n
    stderr = math.sqrt(max(squares / n - mean * mean, 0.0) / max(n - 1, 1))
    # the forecast of every score is 1/2, so that the interval depends on the sums alone
    spread = max(squares - total + 0.25 * n, 0.0)
    return n, mean, stderr, anytime_interval(total, n, float(race.delta), spread)


def race(
    game: str | Game,
    first: str | Agent,
    second: str | Agent,
    *others: str | Agent,
    method: str = DEFAULT_METHOD,
    epsilon: float = DEFAULT_EPSILON,
    delta: float = DEFAULT_DELTA,
    seed: int | None = None,
    max_games: int | None = None,
    threads: int | None = None,
    journal: str | Path | None = None,
    progress: Callable[[Outlook], None] | None = None,
) -> Any:
    """Find out which agent is better; with more than two, which is the best.

    The answer is wrong with probability at most `delta` if the agents differ by more than `epsilon` (in the mean score
    from 0 to 1). Agents that differ by less may be called practically equal.

    max_games  give up after so many games, with the verdict "undecided"
    journal    a file that keeps the race, so that it goes on after an interruption
    progress   called after every batch

    Returns a RaceResult; with more than two agents, a Standing.
    """
    if max_games is not None and max_games < 1:
        raise UsageError(f"max_games={max_games}: at least 1 game is needed")
    if threads is not None and threads < 1:
        raise UsageError(f"threads={threads}: at least 1 is needed")
    setting, chosen = Setting(method, epsilon, delta), check_seed(seed)
    n_threads = threads or cores()
    if others:
        from facedown.arena.racing.many import race_many

        if journal is not None:
            raise UsageError("a journal is kept for a race of two agents; leave it out with more")
        return race_many(game, [first, second, *others], setting, chosen, max_games, n_threads, progress)
    runner = Runner(Duel(game, first, second), setting, chosen, max_games, Path(journal) if journal else None)
    with ThreadPoolExecutor(n_threads) as pool:
        try:
            while not runner.over:
                runner.step(pool, n_threads)
                if progress is not None:
                    progress(runner.outlook())
        except KeyboardInterrupt:
            raise Interrupted(f"interrupted after {runner.result().games:,} games", runner.result()) from None
    return runner.result()
