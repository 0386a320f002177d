"""Running a race: games in batches, consumed one by one in the order of their numbers, until the verdict is there."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from facedown import plugins
from facedown.agents.contract import Agent
from facedown.arena.estimators import score_from_sums
from facedown.arena.intervals import anytime_interval
from facedown.arena.portable import only_here
from facedown.arena.workers import Workers
from facedown.errors import Interrupted, UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import check_seed, check_threads, whole_number
from facedown.native.records import Record
from facedown.pages import facts
from facedown.progress import Callback, Progress
from facedown.racing.duel import BESIDE, RACE, Duel
from facedown.racing.feed import feed
from facedown.racing.journal import Journal
from facedown.racing.methods import (
    DEFAULT_DELTA,
    DEFAULT_EPSILON,
    DEFAULT_METHOD,
    LARGEST_MAX_GAMES,
    UNDECIDED,
    VERDICTS,
    Setting,
)
from facedown.racing.outlook import outlook
from facedown.racing.wording import meaning

if TYPE_CHECKING:
    from facedown.racing.many import Standing

FIRST_BATCH = 64
GROWTH = 0.03
"""A batch is this share of what has been played: this much may be played in vain beyond the decision."""


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
    """The command that repeats this race; empty where none can, see `only_here`."""
    only_here: str = ""
    """Which game or agent is known to this process only, in a sentence; empty where all can be named in a command."""
    points: float | None = None
    """Epsilon as it was asked for, in points of a game; None: it was asked for as a share of the scale from 0 to 1."""
    scale: float = 2.0
    """Points of a game for one unit of the scale from 0 to 1."""
    team: bool = False
    """Whether each agent played the deals on its own: in all seats, or beside partners."""
    partners: tuple[str, ...] = ()
    """The agents that both played beside; empty where each had all seats, or both sat at one table."""

    @property
    def difference(self) -> float:
        """The mean score of the first agent less that of the second, in points of a game."""
        return self.scale * (self.mean - 0.5)

    @property
    def difference_stderr(self) -> float:
        """The standard error of `difference`."""
        return self.scale * self.stderr

    @property
    def difference_interval(self) -> tuple[float, float]:
        """Where the true `difference` lies, with probability 1 - delta at all times together."""
        low, high = self.interval
        return self.scale * (low - 0.5), self.scale * (high - 0.5)

    @property
    def winner(self) -> str | None:
        """The agent that was named, if there is one; `meaning` says what was shown of it."""
        return {"first": self.agents[0], "second": self.agents[1]}.get(self.verdict)

    @property
    def meaning(self) -> str:
        """What the verdict claims, in words."""
        return meaning(self.verdict, self.agents, self.method, self.epsilon, self.points, self.partners)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "schema": "facedown.race/1",
            **facts(self, "game agents partners method epsilon delta verdict winner meaning games games_played mean stderr"),
            **facts(self, "interval points difference difference_stderr difference_interval seed seconds"),
            "repeat": self.repeat or None,
            **({"only_here": self.only_here} if self.only_here else {}),
        }

    def __repr__(self) -> str:
        low, high = self.interval
        found, wish = f"mean {self.mean:.4f} ± {self.stderr:.4f}", f"epsilon {self.epsilon:g}"
        if self.points is not None:
            low, high = self.difference_interval
            found = f"difference {self.difference:.4f} ± {self.difference_stderr:.4f} points"
            wish = f"{self.points:g} points"
        sentence = (
            f"{self.game}: {self.meaning}, after {self.games:,} games "
            f"({found}, {low:.4f} to {high:.4f} at any time; {self.method}, {wish}, delta {self.delta:g}, seed {self.seed})"
        )
        return f"{sentence}\n  no command repeats it: {self.only_here}" if self.only_here else sentence


class Runner:
    """A race under way: plays batches, feeds them, keeps the journal."""

    def __init__(self, duel: Duel, setting: Setting, seed: int, max_games: int | None, journal: str | Path | None):
        self.duel, self.setting, self.seed = duel, setting, seed
        self.max_deals = math.inf if max_games is None else max(max_games // duel.games_per_deal, 1)
        self._races = setting.start()
        self.n_played = 0
        self._started = time.perf_counter()
        self.journal = Journal(journal, self._description(), setting.start()) if journal else None
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
            **({"partners": [partner.spec for partner in self.duel.partners]} if self.duel.partners else {}),
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

    def step(self, workers: Workers, count: int | None = None) -> None:
        """Play a batch and feed it."""
        count = self.batch_size() if count is None else min(count, int(min(self.max_deals - self.race.n_scores, 2**40)))
        scores = self.duel.play_parts(workers, self.seed, int(self.race.n_scores), count)
        self.n_played = int(self.race.n_scores) + count
        feed(self.race, scores)
        if self.journal:
            self.journal.save(self._races)

    def outlook(self) -> Progress:
        """How the race stands."""
        return outlook(self.race, self.duel.games_per_deal, time.perf_counter() - self._started)

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
            repeat=repeat_line(self.duel.game, self.duel.agents, setting, self.seed, stopped_at, self.duel.partners),
            only_here=only_here(self.duel.game, self.duel.everybody),
            points=setting.points,
            scale=self.duel.points(1.0),
            team=self.duel.apart,
            partners=tuple(map(str, self.duel.partners)),
        )


def repeat_line(
    game: Game, agents: Iterable[Agent], setting: Setting, seed: int, stopped_at: int | None, partners: Sequence[Agent] = ()
) -> str:
    """The command that repeats a race; one that ended without a verdict stopped after this many games.

    Empty if something is known to this process only: no command can name that.
    """
    agents = list(agents)
    if only_here(game, [*agents, *partners]):
        return ""
    words = ["facedown", "race", game.spec, *(agent.spec for agent in agents)]
    words += ["--partners", ",".join(partner.spec for partner in partners)] if partners else []
    words += ["--method", setting.method]
    zone = ["--epsilon", f"{setting.epsilon:g}"] if setting.points is None else ["--points", f"{setting.points:g}"]
    words += [*zone, "--delta", f"{setting.delta:g}", "--seed", str(seed)]
    return plugins.command(*words, *(["--max-games", str(stopped_at)] if stopped_at is not None else []))


def figures(race: Record) -> tuple[int, float, float, tuple[float, float]]:
    """Number of observations, their mean, its standard error, and the interval that holds at all times."""
    n, total, squares = int(race.n_scores), float(race.total), float(race.squares)
    mean, stderr = score_from_sums(n, total, squares)
    if n == 0:
        return n, mean, stderr, (0.0, 1.0)
    # the forecast of every score is 1/2, so that the interval depends on the sums alone
    spread = max(squares - total + 0.25 * n, 0.0)
    return n, mean, stderr, anytime_interval(total, n, float(race.delta), spread)


def _setting(game: str | Game, method: str, epsilon: float | None, points: float | None, delta: float) -> Setting:
    """What is asked of a race, with its zone on the scale from 0 to 1 whichever way it was given."""
    if points is None:
        return Setting(method, DEFAULT_EPSILON if epsilon is None else epsilon, delta)
    if epsilon is not None:
        raise UsageError(f"epsilon={epsilon} and points={points} both say when agents count as equal; give one of them")
    low, high = find_game(game).score_range
    if not isinstance(points, int | float) or not 0 < points < high - low:
        raise UsageError(
            f"points={points} is out of bounds; scores go from {low:g} to {high:g}, so it is above 0 and below {high - low:g}"
        )
    return Setting(method, points / (2 * (high - low)), delta, float(points))


def duel_of(game: str | Game, first: str | Agent, second: str | Agent, partners: Sequence[str | Agent] | None) -> Duel:
    """What a race between two agents compares."""
    if partners is None:
        return Duel(game, first, second, RACE)
    if not partners:
        raise UsageError("partners=[]: name at least one agent to play beside, or leave partners out")
    return Duel(game, first, second, BESIDE, partners)


@overload
def race(
    game: str | Game,
    first: str | Agent,
    second: str | Agent,
    *,
    method: str = ...,
    epsilon: float | None = ...,
    points: float | None = ...,
    delta: float = ...,
    seed: int | None = ...,
    max_games: int | None = ...,
    threads: int | None = ...,
    executor: Executor | None = ...,
    journal: str | Path | None = ...,
    partners: Sequence[str | Agent] | None = ...,
    progress: Callback | None = ...,
) -> RaceResult: ...


@overload
def race(
    game: str | Game,
    first: str | Agent,
    second: str | Agent,
    third: str | Agent,
    /,
    *others: str | Agent,
    method: str = ...,
    epsilon: float | None = ...,
    points: float | None = ...,
    delta: float = ...,
    seed: int | None = ...,
    max_games: int | None = ...,
    threads: int | None = ...,
    executor: Executor | None = ...,
    journal: None = ...,
    partners: Sequence[str | Agent] | None = ...,
    progress: Callback | None = ...,
) -> Standing: ...


def race(
    game: str | Game,
    first: str | Agent,
    second: str | Agent,
    *others: str | Agent,
    method: str = DEFAULT_METHOD,
    epsilon: float | None = None,
    points: float | None = None,
    delta: float = DEFAULT_DELTA,
    seed: int | None = None,
    max_games: int | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    journal: str | Path | None = None,
    partners: Sequence[str | Agent] | None = None,
    progress: Callback | None = None,
) -> RaceResult | Standing:
    """Find out which agent is better; with more than two, which is the best.

    Two agents give a `RaceResult`, whose `meaning` says what was shown. It is wrong with probability at most `delta`. An agent
    is named that is better, or less than `epsilon` worse (in the mean score from 0 to 1); with the method "settle", only one
    that is better. More than two agents give a `Standing`.

    points     epsilon in points of a game: agents count as equal whose mean scores differ by less
    max_games  give up after this many games, with the verdict "undecided"
    executor   anything with `submit`, such as a ProcessPoolExecutor or Dask's, instead of threads
    journal    a file that keeps the race, so that it goes on after an interruption
    partners   where players score together: what is compared is how the agents do beside these, on average
    progress   called after every batch with a `Progress`; `outlook` says what its details are
    """
    if max_games is not None:
        max_games = whole_number("max_games", max_games, 1, LARGEST_MAX_GAMES)
    setting, chosen = _setting(game, method, epsilon, points, delta), check_seed(seed)
    n_threads = check_threads(threads)
    if others:
        from facedown.racing.many import race_many

        if journal is not None:
            raise UsageError("a journal is kept for a race of two agents; leave it out with more")
        return race_many(game, [first, second, *others], setting, chosen, max_games, n_threads, progress, executor, partners)
    duel = duel_of(game, first, second, partners)
    sources = duel.sources() if executor is not None else ()
    runner = Runner(duel, setting, chosen, max_games, journal)
    with Workers(n_threads, executor, sources) as workers:
        try:
            while not runner.over:
                runner.step(workers)
                if progress is not None:
                    progress(runner.outlook())
        except KeyboardInterrupt:
            raise Interrupted(f"interrupted after {runner.result().games:,} games", runner.result()) from None
    return runner.result()
