"""A line-up: a game and the agents that sit down to it, compiled and ready to play any range of games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.agents.seats import Seats
from facedown.arena import loop
from facedown.errors import AgentError, RulesError, UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.native.chance import CHANCE
from facedown.native.jit import COMPILE_PROBLEMS, bind, compiling, explain

COMPILE_SECONDS = 7
_RULES = ("start", "turn", "legal", "step", "score", "observe", "report")


@dataclass(frozen=True)
class Batch:
    """Finished games, one row each, in the order of their numbers. Scores are by agent, whatever the seat."""

    first: int
    scores: np.ndarray[Any, Any]
    lengths: np.ndarray[Any, Any]
    values: np.ndarray[Any, Any]


class Lineup:
    """A game with one agent for each seat. Any number of threads may play from it at the same time."""

    def __init__(self, game: str | Game, agents: Sequence[str | Agent], swap: bool = True):
        self.game = find_game(game)
        n_players = self.game.n_players
        if len(agents) != n_players:
            given = f"{len(agents)} agent{'s' if len(agents) != 1 else ''}"
            names = ", ".join(map(str, agents)) or "none"
            raise UsageError(f"{self.game} has {n_players} players, but {given} given ({names}); name one for each seat")
        self.agents = [find_agent(agent, self.game) for agent in agents]
        self.n_orders = n_players if swap else 1
        self.compiled = all(agent.compiled for agent in self.agents)
        if self.compiled:
            self._prepare()

    def _prepare(self) -> None:
        game = self.game
        # keyed on the game and the agents: a new agent for a known game is compiled too
        what = " ".join([game.name, *sorted({agent.name for agent in self.agents})])
        parts: list[Callable[..., Any]] = [loop.play_games, game.step, *(agent.act for agent in self.agents)]
        with compiling(what, COMPILE_SECONDS, *parts):
            try:
                self._play = bind(loop.play_games, **{name: getattr(game, name) for name in _RULES})
                self._seats = Seats(self.agents, game)
                self._run(0, 0, 0)
            except COMPILE_PROBLEMS as problem:
                raise explain(problem, f"the rules of {game.name}") from None

    def play(self, seed: int, first: int, count: int) -> Batch:
        """Play games number `first` to `first + count - 1` of the run with this seed."""
        if self.compiled:
            return self._run(seed, first, count)
        return self._run_in_python(seed, first, count)

    def _run(self, seed: int, first: int, count: int) -> Batch:
        game, n_agents = self.game, len(self.agents)
        batch = self._room(first, count)
        seats = Seats(self.agents, game, self._seats.records)
        fault = np.zeros(5, np.int64)
        try:
            n_done = self._play(
                seats.records,
                seats.actions,
                game.blank(),
                game.blank(2),
                np.zeros(1, game.view),
                np.zeros(1, CHANCE),
                np.zeros(n_agents),
                game.max_moves,
                self.n_orders,
                seed,
                first,
                batch.scores,
                batch.lengths,
                batch.values,
                fault,
            )
        except Exception:
            self._run_in_python(seed, first, count)  # move by move, errors of rules and agents become sentences
            raise
        if n_done < count:
            self._complain(seed, *fault.tolist())
        return batch

    def _room(self, first: int, count: int) -> Batch:
        shape = (count, len(self.agents))
        return Batch(first, np.zeros(shape), np.zeros(count, np.int64), np.zeros((count, len(self.game.columns))))

    def _run_in_python(self, seed: int, first: int, count: int) -> Batch:
        from facedown.arena.follow import Follower

        batch = self._room(first, count)
        for index in range(count):
            follower = Follower(self, seed, first + index)
            for _ in follower:
                pass
            batch.scores[index] = follower.agent_scores()
            batch.lengths[index] = follower.n_moves
            self.game.report(follower.position.state, batch.values[index])
        return batch

    def _complain(self, seed: int, code: int, index: int, agent: int, move: int, action: int) -> None:
        """Make a sentence of a fault that the native loop noted."""
        from facedown.arena.follow import describe_moment

        where = f"game {index} of seed {seed}, move {move + 1}"
        if code == loop.TOO_LONG:
            raise RulesError(f"{self.game}: {where}: the game goes on past its declared {self.game.max_moves} moves")
        moment = describe_moment(self, seed, index, move)
        raise AgentError(f"agent {self.agents[agent].name} played {action}, which is not legal, in {where}. {moment}")

    def order_of(self, index: int) -> tuple[int, int]:
        """The deal and the order of seats of a game number."""
        return index // self.n_orders, index % self.n_orders

    def agent_in(self, seat: int, index: int) -> int:
        """Which agent sits in a seat in a game number."""
        return (seat + self.order_of(index)[1]) % len(self.agents)


@lru_cache(maxsize=16)
def lineup_from_specs(game: str, agents: tuple[str, ...], swap: bool) -> Lineup:
    """The line-up that these texts describe; kept, since a worker is asked for the same one again and again."""
    return Lineup(game, agents, swap)
