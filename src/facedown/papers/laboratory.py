"""The laboratory: plays and counts what claims ask for, each thing once, and makes figures of it.

A figure over games that were played in pairs (the same deal with the seats swapped) takes the pairs, not the games, for
independent; its standard error is that of a ratio estimator (`arena.estimators`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Executor
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from facedown.arena.estimators import ratio_of_games
from facedown.arena.lineup import Batch
from facedown.arena.match import match
from facedown.arena.results import MatchResult
from facedown.errors import UsageError
from facedown.inputs import check_seed
from facedown.papers.claims import Figure
from facedown.progress import Callback, Reporter
from facedown.racing.league import league
from facedown.racing.league_result import LeagueResult
from facedown.seeds import derived_seed
from facedown.solving.solution import Solution
from facedown.solving.solver import solve
from facedown.trees.explore import Exploration, Node, explore
from facedown.trees.grow import build_tree
from facedown.tuning.result import TuneResult
from facedown.tuning.tune import tune

Array = np.ndarray[Any, Any]
Found = TypeVar("Found")


class Profile(StrEnum):
    """How thoroughly to measure."""

    TINY = "tiny"
    """A handful of games: for tests of the machinery. Verdicts mean little."""
    QUICK = "quick"
    """Some seconds for everything."""
    FULL = "full"
    """The documents' own sample sizes or more."""


class Sizes(NamedTuple):
    """Numbers of games for the profiles, even, since deals are played twice; or of iterations."""

    tiny: int
    quick: int
    full: int

    def of(self, profile: Profile) -> int:
        """The number of games for a profile."""
        return int(getattr(self, profile))


class Laboratory:
    """One run's measurements; what was played or counted once is not played or counted again."""

    def __init__(
        self,
        profile: Profile,
        seed: int,
        total_steps: int = 1,
        progress: Callback | None = None,
        executor: Executor | None = None,
    ):
        self.profile, self.seed = profile, check_seed(seed)
        self.executor = executor
        self._reporter = Reporter(progress, total_steps, "steps")
        self._done, self._text = 0, ""
        self._kept: dict[Hashable, Any] = {}

    def measure(self, text: str, work: Callable[[Laboratory], Found]) -> Found:
        """One step of the run: do some work, and report progress before, during and after."""
        self._text = text
        self._report(0.0)
        found = work(self)
        self._done += 1
        self._report(0.0)
        return found

    def _report(self, part: float) -> None:
        self._reporter(self._done + part, self._text)

    def once(self, key: Hashable, work: Callable[[], Found]) -> Found:
        """What several figures are made of, worked out by the first that asks."""
        if key not in self._kept:
            self._kept[key] = work()
        found: Found = self._kept[key]
        return found

    def match(self, game: str, *agents: str, games: Sizes, swap: bool = True) -> MatchResult:
        """A match with its single games kept."""
        n_games, how = games.of(self.profile), self._how()
        key = ("match", game, agents, n_games, swap)
        return self.once(key, lambda: match(game, agents, n_games, self.seed, swap=swap, keep=True, **how))

    def league(self, game: str, *agents: str, games: Sizes) -> LeagueResult:
        """A league of agents, with this many games in each pairing."""
        n_games, how = games.of(self.profile), self._how()
        return self.once(("league", game, agents, n_games), lambda: league(game, agents, n_games, self.seed, **how))

    def tune(self, game: str, agent: str, *, games: Sizes, number: int, runs: int, **settings: Any) -> TuneResult:
        """One of several runs of an optimiser; the seed is the number's, and so all methods have the same start."""
        n_games, seed = games.of(self.profile), derived_seed(self.seed, "tune", number)
        key = ("tune", game, agent, n_games, number, *sorted(settings.items()))
        return self.once(key, lambda: tune(game, agent, games=n_games, seed=seed, **settings, **self._how(number, runs)))

    def _how(self, number: int = 0, runs: int = 1) -> dict[str, Any]:
        """Where games are played, and how far one of several runs is."""
        return {"executor": self.executor, "progress": lambda now: self._report(0.99 * (number + now.fraction) / runs)}

    def solve(self, game: str, method: str, *, iterations: Sizes, sampled: bool = False) -> Solution:
        """A game solved by a method in this many iterations; its tree is built once for all methods."""
        n_iterations = iterations.of(self.profile)
        growing = partial(build_tree, game, progress=lambda now: self._report(0.5 * now.fraction))
        return self.once(
            ("solve", game, method, n_iterations),
            lambda: solve(
                game,
                method,
                iterations=n_iterations,
                seed=self.seed if sampled else None,
                tree=self.once(("tree", game), growing),
                progress=lambda now: self._report(0.5 + 0.49 * now.fraction),
            ),
        )

    def explore(self, game: str) -> Exploration:
        """The counts of a game's whole tree."""
        return self._explored(game)[0]

    def ends(self, game: str) -> tuple[End, ...]:
        """Every end of a game: the actions that lead there, and the scores."""
        return self._explored(game)[1]

    def _explored(self, game: str) -> tuple[Exploration, tuple[End, ...]]:
        return self.once(("explore", game), lambda: _explored(game))


class End(NamedTuple):
    """The end of a game: what was played, the cards or whatever else the state holds, and the scores."""

    actions: tuple[int, ...]
    state: Any
    scores: tuple[Fraction, ...]


def _explored(game: str) -> tuple[Exploration, tuple[End, ...]]:
    from facedown.games.registry import game as find_game
    from facedown.games.stepper import Stepper

    nodes: list[Node] = []
    counts = explore(game, visit=lambda node: nodes.append(node) if not node.legal else None)
    rules = Stepper(find_game(game))
    return counts, tuple(
        End(tuple(step.action for step in node.path()[1:]), rules.state(node.state).copy(), rules.scores(node.state))
        for node in nodes
    )


# --- figures --------------------------------------------------------------------------------------------------------


def singles(result: MatchResult) -> Batch:
    """The single games of a match."""
    assert result.batch is not None, "the laboratory keeps single games"
    return result.batch


def column(result: MatchResult, name: str) -> Array:
    """One of the game's own columns, for each game."""
    numbers: Array = singles(result).values[:, list(result.columns).index(name)]
    return numbers


def mean_score(result: MatchResult, agent: int = 0) -> Figure:
    """The average score of an agent."""
    return Figure(result.mean[agent], result.stderr[agent], result.games, result.seed, result.repeat)


def share(result: MatchResult, which: Array) -> Figure:
    """The share of games for which an array of the single games is true."""
    return ratio(result, which, np.ones(result.games))


def ratio(result: MatchResult, numerator: Array, denominator: Array) -> Figure:
    """The total of one number of each game over the total of another."""
    if denominator.sum() <= 0:
        raise UsageError(f"{result.repeat}: no game counts for this share; play more games")
    value, stderr = ratio_of_games(numerator, denominator, len(result.agents) if result.swap else 1)
    return Figure(value, stderr, result.games, result.seed, result.repeat)
