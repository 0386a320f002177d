"""Leagues: every agent meets every other one; a table with intervals, ratings, and circles told as such.

1. Each pairing is played on deals of its own, each deal in all seats (`duel`): with more than two players in all mixtures of
   the two agents, so that nobody is the one against the rest. Where all players score alike there is cross-play instead:
   every agent forms teams with every other one and with itself, all on the same deals.
2. `games=N`: N games in each pairing. An agent is said to beat another if the interval of its mean score lies above 1/2.
3. `until="decided"`: each pairing is a race by `settle`, which names an agent only if it is better, or says that two are
   practically equal. Games go to pairings that are undecided, all in step, and none to others.

Each of the k pairings has delta / k, so with probability 1 - delta no cell of the table is wrong, nor any circle: a circle
is made of agents of which each has been shown to be better than the next. The figures depend on the seed alone.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import numpy as np

from facedown import __version__, plugins
from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.arena.estimators import score_from_sums
from facedown.arena.portable import check_portable, only_here
from facedown.arena.score_counts import ScoreCounts
from facedown.arena.workers import Workers
from facedown.errors import Interrupted, UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import MAX_GAMES, check_seed, check_threads, whole_number
from facedown.progress import Callback, Progress
from facedown.racing.duel import LEAGUE, MAX_DEALS, MIN_DEALS, TOGETHER, Duel, DuelTask, run_duel
from facedown.racing.feed import feed
from facedown.racing.league_keeping import Arrays, Keeper
from facedown.racing.league_result import CROSS_PLAY, VERSUS, Cell, LeagueResult
from facedown.racing.methods import DEFAULT_DELTA, DEFAULT_EPSILON, LARGEST_MAX_GAMES, RACE, UNDECIDED, VERDICTS, Setting
from facedown.racing.race import FIRST_BATCH, GROWTH
from facedown.racing.ratings import bradley_terry
from facedown.seeds import derived_seed

Array = np.ndarray[Any, Any]

DEFAULT_GAMES = 10_000
DECIDED = "decided"


def league(
    game: str | Game,
    agents: Sequence[str | Agent],
    games: int | None = None,
    seed: int | None = None,
    *,
    until: str | None = None,
    epsilon: float = DEFAULT_EPSILON,
    delta: float = DEFAULT_DELTA,
    max_games: int | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    keep: str | Path | None = None,
    progress: Callback | None = None,
) -> LeagueResult:
    """Let every agent meet every other one.

    games      in each pairing (10,000 if neither this nor `until` is given)
    until      "decided": play each pairing until it is known who is better, or that both are practically equal
    epsilon    agents whose mean score lies within 1/2 ± epsilon are practically equal
    delta      with at most this probability anything at all in the table is wrong
    max_games  with `until`: give up after this many games of all pairings together; what is open then is undecided
    executor   anything with `submit`, such as a ProcessPoolExecutor or Dask's, instead of threads
    keep       a file: the league goes on from it if it holds this very league, and is kept there while it is played
    progress   called while it is played; of the details, `result()` is the table of now

    Ctrl-C raises `Interrupted`, a KeyboardInterrupt whose `result` holds what was played.
    """
    if until not in (None, DECIDED):
        raise UsageError(f"until='{until}': a league is played until 'decided', or for a number of games")
    if until and games is not None:
        raise UsageError("a league is played until it is decided or for a number of games, not both; leave one of them out")
    if max_games is not None and not until:
        raise UsageError("max_games limits a league that is played until it is decided; otherwise give games")
    games = whole_number("games", DEFAULT_GAMES if games is None else games, 1, MAX_GAMES)
    if max_games is not None:
        max_games = whole_number("max_games", max_games, 1, LARGEST_MAX_GAMES)
    n_threads = check_threads(threads)
    field = _Field(game, agents, Setting("settle", epsilon, delta), check_seed(seed), until, games, max_games)
    field.keep_in(keep)
    sources = check_portable(field.game, field.agents) if executor is not None else ()
    with Workers(n_threads if field.compiled else 0, executor, sources) as workers:
        try:
            if until:
                field.play_until_decided(workers, progress)
            else:
                field.play_games(workers, progress)
        except KeyboardInterrupt:
            done = f"interrupted after {field.n_games:,} games"
            found = field.result(interrupted=True) if field.n_games else None
            raise Interrupted(done, found) from None
    field.write(now=True)
    return field.result()


class _Pairing:
    """Two agents that meet: their deals so far, and the race between them."""

    def __init__(self, duel: Duel, seed: int, setting: Setting):
        self.duel, self.seed = duel, seed
        self._setting = setting
        self._races = setting.start()
        self.n_deals, self._total, self._squares = 0, 0.0, 0.0
        self._counts: ScoreCounts | None = None
        self.raced = False

    @property
    def n_games(self) -> int:
        return self.n_deals * self.duel.games_per_deal

    @property
    def decided(self) -> bool:
        return bool(self._races[0].verdict != UNDECIDED)

    def next_batch(self) -> int:
        """How many deals a race plays next: a share of what has been played, since so much may be played in vain."""
        return max(FIRST_BATCH, int(GROWTH * self.n_deals))

    def race_on(self, scores: Array) -> None:
        """Feed the race, and count what it has looked at up to its verdict."""
        self.raced = True
        feed(self._races[0], scores)
        self.count(scores[: int(self._races[0].n_scores) - self.n_deals])

    def count(self, scores: Array) -> None:
        """Take observations in."""
        self.n_deals += len(scores)
        self._total += float(scores.sum())
        self._squares += float((scores * scores).sum())
        (counts,) = ScoreCounts.by_agent(scores[:, None], 1, (0.0, 1.0))
        self._counts = counts if self._counts is None else self._counts + counts

    def kept(self) -> dict[str, Array]:
        """All that its deals have come to."""
        sums = np.array([self._total, self._squares])
        found = {"deals": np.array([self.n_deals, self.raced]), "sums": sums, "race": self._races.view(np.uint8)}
        counts = self._counts
        if counts is not None:
            found |= {"range": np.array([counts.lowest, counts.width]), "values": counts.values, "counts": counts.counts}
            found |= {"parts": counts.parts} if counts.parts is not None else {}
        return found

    def go_on_from(self, kept: Arrays) -> None:
        """Take over what was kept."""
        self.n_deals, self.raced = int(kept["deals"][0]), bool(kept["deals"][1])
        self._total, self._squares = map(float, kept["sums"])
        self._races.view(np.uint8)[:] = kept["race"]
        if "range" in kept:
            low, width = map(float, kept["range"])
            self._counts = ScoreCounts(low, width, kept["values"], kept["counts"], kept.get("parts"))

    def figures(self) -> tuple[float, float, tuple[float, float]]:
        """Mean score of the first, its standard error, and the interval that holds at all times."""
        mean, stderr = score_from_sums(self.n_deals, self._total, self._squares)
        return mean, stderr, (0.0, 1.0) if self._counts is None else self._counts.interval(self._setting.delta)

    def verdict(self, interval: tuple[float, float]) -> str:
        """What the race says; where there was none, what follows from the interval."""
        if self.raced:
            return VERDICTS[int(self._races[0].verdict)]
        low, high = interval
        if low > 0.5 or high < 0.5:
            return "first" if low > 0.5 else "second"
        epsilon = self._setting.epsilon
        return "practically equal" if low > 0.5 - epsilon and high < 0.5 + epsilon else "undecided"


class _Field:
    """All pairings of a league."""

    def __init__(
        self,
        game: str | Game,
        agents: Sequence[str | Agent],
        setting: Setting,
        seed: int,
        until: str | None,
        games: int,
        max_games: int | None,
    ):
        self._games, self._max_games = games, max_games
        self.game, self._setting, self._seed, self._until = find_game(game), setting, seed, until
        self.agents = _check_agents(self.game, agents)
        self._names = [str(agent) for agent in self.agents]
        self._kind = CROSS_PLAY if self.game.kind == "cooperative" and self.game.n_players > 1 else VERSUS
        if until and self._kind == CROSS_PLAY:
            raise UsageError(f"in {self.game} all score together, so there is nothing to decide; give a number of games")
        self._started = time.perf_counter()
        self._keeper: Keeper | None = None
        numbers = range(len(agents))
        pairs = itertools.combinations if self._kind == VERSUS else itertools.combinations_with_replacement
        chosen = list(pairs(numbers, 2))
        shared = Setting(setting.method, setting.epsilon, setting.delta / len(chosen))
        self._pairings = {
            (one, other): _Pairing(
                Duel(self.game, self.agents[one], self.agents[other], LEAGUE if self._kind == VERSUS else TOGETHER),
                # teams are compared with each other, so they get the same deals
                derived_seed(seed, "pair", one, other) if self._kind == VERSUS else seed,
                shared,
            )
            for one, other in chosen
        }
        self.compiled = all(pairing.duel.compiled for pairing in self._pairings.values())
        self._local = {tuple(agent.spec for agent in pairing.duel.agents): pairing for pairing in self._pairings.values()}

    def keep_in(self, path: str | Path | None) -> None:
        """Go on from a file, if it holds this league, and keep it there from now on."""
        if path is None:
            return
        told = (
            *(__version__, self.game.spec, self._kind, self._until, self._games, self._max_games, self._seed),
            *(agent.spec for agent in self.agents),
            *(self._setting.epsilon, self._setting.delta, RACE.descr),
        )
        self._keeper = Keeper(path, repr(told))
        kept = self._keeper.read()
        for number, pairing in enumerate(self._pairings.values() if kept else ()):
            start = f"{number}."
            pairing.go_on_from({name.removeprefix(start): array for name, array in kept.items() if name.startswith(start)})

    def write(self, now: bool = False) -> None:
        """Keep it, if it is kept and if it is time to."""
        if self._keeper is not None:
            self._keeper.write(self._kept, now)

    def _kept(self) -> dict[str, Array]:
        numbered = enumerate(self._pairings.values())
        return {f"{number}.{name}": array for number, pairing in numbered for name, array in pairing.kept().items()}

    @property
    def n_games(self) -> int:
        """Games that count, of all pairings."""
        return sum(pairing.n_games for pairing in self._pairings.values())

    def _here(self, task: DuelTask) -> Array:
        pairing = self._local[task.agents]
        return pairing.duel.play(task.seed, task.first, task.count)

    def play_games(self, workers: Workers, progress: Callback | None) -> None:
        """A number of games in each pairing; the pairings take turns."""
        games = self._games
        order: list[_Pairing] = []
        begun = {agents: pairing.n_deals for agents, pairing in self._local.items()}
        total = sum(_deals(games, pairing) * pairing.duel.games_per_deal for pairing in self._pairings.values())

        def tasks() -> Iterator[DuelTask]:
            for turn in itertools.count():
                found = [task for pairing in self._pairings.values() for task in _turn(pairing, games, turn)]
                if not found:
                    return
                for task in found:
                    if task.first < begun[task.agents]:  # played before
                        continue
                    order.append(self._local[task.agents])
                    yield task

        def take(scores: Array) -> None:
            order.pop(0).count(scores)
            self._report(progress, total)

        workers.run(run_duel, tasks(), take, self._here)

    def play_until_decided(self, workers: Workers, progress: Callback | None) -> None:
        """Rounds of batches for all pairings that are undecided."""
        max_games = self._max_games
        while going := [pairing for pairing in self._pairings.values() if not pairing.decided]:
            left = math.inf if max_games is None else max_games - self.n_games
            shares = []
            for pairing in going:
                count = int(min(pairing.next_batch(), left // pairing.duel.games_per_deal))
                left -= count * pairing.duel.games_per_deal
                shares.append(count)
            if not any(shares):
                return
            tasks = []
            for pairing, count in zip(going, shares, strict=True):
                n_parts = max(min(workers.n_workers, count // MIN_DEALS), 1)
                tasks.append(pairing.duel.tasks(pairing.seed, pairing.n_deals, count, n_parts) if count else [])
            played = iter(workers.map(run_duel, itertools.chain.from_iterable(tasks), self._here))
            for pairing, parts in zip(going, tasks, strict=True):
                if parts:
                    pairing.race_on(np.concatenate([next(played) for _ in parts]))
            self._report(progress, None)

    def _report(self, progress: Callback | None, total: int | None) -> None:
        self.write()
        if progress is None:
            return
        n_games, n_pairings = self.n_games, len(self._pairings)
        n_decided = sum(pairing.decided for pairing in self._pairings.values())
        known = f", {n_decided} of {n_pairings} pairings decided" if self._until else f" in {n_pairings} pairings"
        details = {"decided": n_decided, "pairings": n_pairings, "result": lambda: self.result(interrupted=True)}
        seconds = time.perf_counter() - self._started
        progress(Progress(n_games, total, "games", seconds, f"{n_games:,} games{known}", details))

    def result(self, interrupted: bool = False) -> LeagueResult:
        """The table of now."""
        low, high = self.game.score_range
        figures = {pair: pairing.figures() for pair, pairing in self._pairings.items()}
        ratings = None
        if self._kind == VERSUS:
            shape = (len(self.agents), len(self.agents))
            n_deals, means, stderrs = np.zeros(shape), np.full(shape, 0.5), np.zeros(shape)
            for (one, other), (mean, stderr, _) in figures.items():
                n_deals[one, other] = n_deals[other, one] = self._pairings[one, other].n_deals
                means[one, other], means[other, one] = mean, 1.0 - mean
                stderrs[one, other] = stderrs[other, one] = stderr
            ratings = bradley_terry(n_deals, means, stderrs)
        cells = []
        for (one, other), (mean, stderr, interval) in figures.items():
            pairing, names = self._pairings[one, other], (self._names[one], self._names[other])
            sizes = (pairing.n_games, pairing.n_deals)
            if ratings is None:
                start, end = (low + place * (high - low) for place in interval)
                cells.append(Cell(*names, "", *sizes, low + mean * (high - low), stderr * (high - low), (start, end)))
            else:
                expected = ratings.expected[one][other]
                cells.append(Cell(*names, pairing.verdict(interval), *sizes, mean, stderr, interval, expected))
        problem = only_here(self.game, self.agents)
        return LeagueResult(
            game=str(self.game),
            kind=self._kind,
            agents=tuple(self._names),
            cells=tuple(cells),
            ratings=ratings,
            until=self._until or "games",
            epsilon=self._setting.epsilon,
            delta=self._setting.delta,
            seed=self._seed,
            seconds=time.perf_counter() - self._started,
            repeat="" if problem else self._repeat(),
            difference_range=float(high - low),
            interrupted=interrupted,
            only_here=problem,
        )

    def _repeat(self) -> str:
        words = ["facedown", "league", self.game.spec, *(agent.spec for agent in self.agents)]
        words += ["--until", DECIDED] if self._until else ["--games", str(self._games)]
        words += ["--max-games", str(self._max_games)] if self._max_games is not None else []
        words += ["--epsilon", f"{self._setting.epsilon:g}"] if self._setting.epsilon != DEFAULT_EPSILON else []
        words += ["--delta", f"{self._setting.delta:g}"] if self._setting.delta != DEFAULT_DELTA else []
        return plugins.command(*words, "--seed", str(self._seed))


def _check_agents(game: Game, agents: Sequence[str | Agent]) -> list[Agent]:
    if isinstance(agents, str):
        raise UsageError(f"agents='{agents}': give a list of names, two at least")
    if len(agents) < 2:
        raise UsageError(f"a league needs at least two agents, but {len(agents)} is given; name the others too")
    found = [find_agent(agent, game) for agent in agents]
    names = [str(agent) for agent in found]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"the agent {name} is named twice; in a league everybody meets everybody else, so name it once")
    return found


def _deals(games: int, pairing: _Pairing) -> int:
    return -(-games // pairing.duel.games_per_deal)


def _turn(pairing: _Pairing, games: int, turn: int) -> list[DuelTask]:
    """The task of a pairing in a turn: cut by the number of deals alone, so that sums come out the same on any machine.

    Pairings take turns, so that Ctrl-C finds all of them about as far.
    """
    first = _first_deal(turn)
    count = min(_first_deal(turn + 1), _deals(games, pairing)) - first
    return pairing.duel.tasks(pairing.seed, first, count, 1) if count > 0 else []


def _first_deal(turn: int) -> int:
    """Turns double in size up to the largest: the first ones are soon over, however slow the game is."""
    n_doubling = (MAX_DEALS // MIN_DEALS).bit_length() - 1
    doubled = MIN_DEALS * ((1 << min(turn, n_doubling)) - 1)
    return doubled + MAX_DEALS * max(turn - n_doubling, 0)
