"""The laboratory: plays and counts what claims ask for, each thing once, and makes figures of it.

A figure over games that were played in pairs (the same deal with the seats swapped) takes the pairs, not the games, for
independent. Shares and ratios are R = sum X / sum Y over blocks (pairs) with the standard error of a ratio estimator,
sqrt(n/(n-1) sum (X - R Y)^2) / sum Y.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import numpy as np

from facedown.arena.match import check_seed, match
from facedown.arena.results import MatchResult
from facedown.errors import UsageError
from facedown.papers.claims import Figure
from facedown.solving.explore import Exploration, Node, explore
from facedown.solving.grow import build_tree
from facedown.solving.solution import Solution
from facedown.solving.solver import solve
from facedown.solving.tree import Tree

Array = np.ndarray[Any, Any]
Found = TypeVar("Found")
Progress = Callable[[float, float, str], None]
"""Told how far the work is: done, of how much, and in words."""


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

    def __init__(self, profile: Profile, seed: int, total_steps: int = 1, progress: Progress | None = None):
        self.profile, self.seed = profile, check_seed(seed)
        self._total, self._progress = total_steps, progress
        self._done, self._text = 0, ""
        self._matches: dict[tuple[Any, ...], MatchResult] = {}
        self._explorations: dict[str, tuple[Exploration, tuple[End, ...]]] = {}
        self._trees: dict[str, Tree] = {}
        self._solutions: dict[tuple[Any, ...], Solution] = {}

    def measure(self, text: str, work: Callable[[Laboratory], Found]) -> Found:
        """One step of the run: do some work, and report progress before, during and after."""
        self._text = text
        self._report(0.0)
        found = work(self)
        self._done += 1
        self._report(0.0)
        return found

    def _report(self, part: float) -> None:
        if self._progress is not None:
            self._progress(self._done + part, self._total, self._text)

    def match(self, game: str, *agents: str, games: Sizes, swap: bool = True) -> MatchResult:
        """A match with its single games kept."""
        n_games = games.of(self.profile)
        key = (game, agents, n_games, swap)
        if key not in self._matches:
            self._matches[key] = match(
                game,
                agents,
                n_games,
                self.seed,
                swap=swap,
                keep=True,
                progress=lambda now: self._report(0.99 * now.games / now.of),
            )
        return self._matches[key]

    def solve(self, game: str, method: str, *, iterations: Sizes, sampled: bool = False) -> Solution:
        """A game solved by a method in so many iterations; its tree is built once for all methods."""
        n_iterations = iterations.of(self.profile)
        key = (game, method, n_iterations)
        if key not in self._solutions:
            if game not in self._trees:
                self._trees[game] = build_tree(game, progress=lambda _, fraction: self._report(0.5 * fraction))
            self._solutions[key] = solve(
                game,
                method,
                iterations=n_iterations,
                seed=self.seed if sampled else None,
                tree=self._trees[game],
                progress=lambda now: self._report(0.5 + 0.49 * now.iterations / max(n_iterations, 1)),
            )
        return self._solutions[key]

    def explore(self, game: str) -> Exploration:
        """The counts of a game's whole tree."""
        return self._explored(game)[0]

    def ends(self, game: str) -> tuple[End, ...]:
        """Every end of a game: the actions that lead there, and the scores."""
        return self._explored(game)[1]

    def _explored(self, game: str) -> tuple[Exploration, tuple[End, ...]]:
        if game not in self._explorations:
            nodes: list[Node] = []
            counts = explore(game, visit=lambda node: nodes.append(node) if not node.legal else None)
            self._explorations[game] = counts, _ends(game, nodes)
        return self._explorations[game]


class End(NamedTuple):
    """The end of a game: what was played, the cards or whatever else the state holds, and the scores."""

    actions: tuple[int, ...]
    state: Any
    scores: tuple[Fraction, ...]


def _ends(game: str, nodes: list[Node]) -> tuple[End, ...]:
    from facedown.games.registry import game as find_game
    from facedown.solving.rules import Rules

    rules = Rules(find_game(game))
    return tuple(
        End(tuple(step.action for step in node.path()[1:]), rules.state(node.state).copy(), rules.scores(node.state))
        for node in nodes
    )


# --- figures --------------------------------------------------------------------------------------------------------


def mean_score(result: MatchResult, agent: int = 0) -> Figure:
    """The average score of an agent."""
    return Figure(result.mean[agent], result.stderr[agent], result.games, result.seed, result.repeat)


def share(result: MatchResult, which: Array) -> Figure:
    """The share of games for which an array of the single games is true."""
    return ratio(result, which, np.ones(result.games))


def ratio(result: MatchResult, numerator: Array, denominator: Array) -> Figure:
    """The total of one number of each game over the total of another."""
    above, below = _blocks(result, numerator), _blocks(result, denominator)
    total = below.sum()
    if total <= 0:
        raise UsageError(f"{result.repeat}: no game counts for this share; play more games")
    value = float(above.sum() / total)
    n_blocks = len(above)
    spread = float(((above - value * below) ** 2).sum()) * n_blocks / max(n_blocks - 1, 1)
    return Figure(value, math.sqrt(spread) / float(total), result.games, result.seed, result.repeat)


def _blocks(result: MatchResult, numbers: Array) -> Array:
    """Sums over the games of each deal."""
    n_orders = len(result.agents) if result.swap else 1
    return np.add.reduceat(np.asarray(numbers, np.float64), np.arange(0, len(numbers), n_orders))
