"""What the average of a match hides: results by the length of the games and by who moved first, and the time of each agent.

The source of Love Letter asks for these three (section 4.1); they make sense in any game. `split` needs the single
games, so the match must have kept them: `match(..., keep=True)`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.arena.estimators import largest_stderr, ratio_stderr
from facedown.arena.lineup import Lineup
from facedown.arena.results import MatchResult, distinct_names
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.pages import facts

Array = np.ndarray[Any, Any]
MAX_GAMES = 1_000_000
"""Beyond this, `facedown match` does not keep single games unless it is told to."""
_SHORT_GAME = 32
_TIMED_SEED, _TIMED_GAMES, ENOUGH_SECONDS = 1, 1000, 0.5


@dataclass(frozen=True)
class Split:
    """Some of the games of a match; figures are by agent."""

    games: int
    wins: tuple[int, ...]
    """Games that this agent won alone."""
    draws: int
    mean: tuple[float, ...]
    """Average score of a game."""
    stderr: tuple[float, ...]
    """Standard error of the mean; games on the same deal are not taken for independent. Of one deal, the largest possible."""

    @classmethod
    def of(cls, scores: Array, deals: Array, score_range: tuple[float, float]) -> Split:
        """The games with these scores, a row each, which were played on these deals."""
        n_games, best = len(scores), scores.max(axis=1, keepdims=True)
        alone = (scores == best).sum(axis=1) == 1
        wins = ((scores == best) & alone[:, None]).sum(axis=0)
        mean = scores.mean(axis=0)
        _, places = np.unique(deals, return_inverse=True)
        by_deal = np.stack([np.bincount(places, weights=column) for column in (scores - mean).T])
        errors = ratio_stderr((by_deal**2).sum(axis=1), by_deal.shape[1], n_games, largest_stderr([n_games], score_range))
        return cls(n_games, tuple(wins.tolist()), int(n_games - alone.sum()), tuple(mean.tolist()), tuple(errors.tolist()))

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return facts(self, "games wins draws mean stderr")


@dataclass(frozen=True)
class Splits:
    """The games of a match, sorted in two ways."""

    agents: tuple[str, ...]
    by_length: dict[int, Split]
    """By the number of moves: in Love Letter, the turn in which a round ended."""
    by_first: tuple[Split | None, ...]
    """By which agent sat in seat 0; None for one that never did."""

    @property
    def names(self) -> tuple[str, ...]:
        """The agents, told apart where one sits down more than once."""
        return distinct_names(self.agents)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "by_length": [{"moves": moves} | split.to_dict() for moves, split in self.by_length.items()],
            "by_first": [
                {"agent": name} | split.to_dict() if split else None
                for name, split in zip(self.names, self.by_first, strict=True)
            ],
        }

    def __repr__(self) -> str:
        lines = []
        for agent, split in enumerate(self.by_first):
            if split is not None:
                lines.append(f"{self.names[agent]} in seat 0: {_percent(split)} of {split.games:,} games")
        for moves, split in self.by_length.items():
            lines.append(f"{moves} move{'s' if moves != 1 else ''}: {_percent(split)} of {split.games:,} games")
        return "\n".join(lines)


def _percent(split: Split) -> str:
    return ", ".join(f"{100 * n / split.games:.1f} %" for n in split.wins) + " won"


def split(result: MatchResult) -> Splits:
    """Sort the games of a match that has kept them."""
    if result.batch is None:
        raise UsageError("this match has not kept its games; play it with keep=True")
    scores, lengths = result.batch.scores, result.batch.lengths
    n_agents = scores.shape[1]
    n_orders = n_agents if result.swap else 1
    numbers = np.arange(len(lengths))
    deals, firsts = numbers // n_orders, result.batch.seats[:, 0]

    def part(chosen: Array) -> Split:
        return Split.of(scores[chosen], deals[chosen], result.score_range)

    by_length = {int(moves): part(lengths == moves) for moves in np.unique(lengths)}
    by_first = [part(firsts == agent) if (firsts == agent).any() else None for agent in range(n_agents)]
    return Splits(result.agents, by_length, tuple(by_first))


def wanted(game: Game, games: int) -> bool:
    """Whether `facedown match` splits without being told: short games that have columns of their own, and not too many."""
    return bool(game.columns) and not game.team and game.max_moves <= _SHORT_GAME and games <= MAX_GAMES


def seconds_for_1000(game: str | Game, agent: str | Agent) -> float:
    """Processor time of 1000 games of an agent against itself; scaled up from fewer games where these take long."""
    found = find_game(game)
    lineup = Lineup(found, [agent] * found.n_players)
    lineup.prepare()
    n_done, seconds, n_next = 0, 0.0, lineup.n_orders
    while n_done < _TIMED_GAMES and seconds < ENOUGH_SECONDS:
        before = time.thread_time()
        lineup.play(_TIMED_SEED, n_done, n_next)
        seconds += time.thread_time() - before
        n_done += n_next
        n_next = min(2 * n_next, max(_TIMED_GAMES - n_done, 1))
    return seconds * _TIMED_GAMES / n_done
