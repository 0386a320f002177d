"""A line-up: a game and the agents that sit down to it, compiled and ready to play any range of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.agents.seats import Seats, ask, draws, seat_for
from facedown.arena import loop
from facedown.errors import AgentError, FacedownError, RulesError, UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.native.chance import CHANCE
from facedown.native.jit import COMPILE_PROBLEMS, Part, bind, compiling, explain, prepare_thread
from facedown.native.records import blank

LOOP_SECONDS, AGENT_SECONDS = 5, 1
_RULES = ("start", "turn", "legal", "step", "score", "observe", "report")


@dataclass(frozen=True)
class Batch:
    """Finished games, one row each, in the order of their numbers. Scores are by agent, whatever the seat."""

    first: int
    scores: np.ndarray[Any, Any]
    lengths: np.ndarray[Any, Any]
    values: np.ndarray[Any, Any]


class Table:
    """All that one thread needs to play a line-up: seats, and room for a game in progress."""

    def __init__(self, agents: list[Agent], game: Game, found: list[np.ndarray[Any, Any]]):
        self._seats = Seats(agents, game, found)  # keeps alive what only addresses lead to
        self.fault = np.zeros(5, np.int64)
        self.room = (
            self._seats.records,
            self._seats.actions,
            game.blank(),
            game.blank(2),
            blank(game.view),
            blank(CHANCE),
            blank(np.float64, len(agents)),
        )


class Lineup:
    """A game with one agent for each seat. Any number of threads may play from it at the same time."""

    def __init__(self, game: str | Game, agents: Sequence[str | Agent], swap: bool = True):
        self.game = find_game(game)
        n_players = self.game.n_players
        if isinstance(agents, str):
            raise UsageError(f"agents='{agents}': give a list of names, one for each seat")
        if len(agents) != n_players:
            given = f"{len(agents)} agent{'s' if len(agents) != 1 else ''}"
            names = ", ".join(map(str, agents)) or "none"
            raise UsageError(f"{self.game} has {n_players} players, but {given} given ({names}); name one for each seat")
        self.agents = [find_agent(agent, self.game) for agent in agents]
        self.n_orders = n_players if swap else 1
        self.compiled = all(agent.compiled for agent in self.agents)
        self._loop: Any = None
        self._found: list[np.ndarray[Any, Any]] = []
        self._free: list[Table] = []  # where nobody plays just now

    def prepare(self) -> None:
        """Compile the loop of this game and these agents, or get them from the cache; the first batch does it too."""
        if self._loop is not None or not self.compiled:
            return
        prepare_thread()  # whoever runs this
        game = self.game
        rules = {name: getattr(game, name) for name in _RULES}
        parts = [Part(game.name, LOOP_SECONDS, (loop.play_games, *rules.values()))]
        for agent in {agent.name: agent for agent in self.agents if not draws(agent)}.values():
            parts.append(Part(f"{agent.name} for {game.name}", agent.seconds, (ask, agent.act)))
        with compiling(*parts):
            try:
                self._found = [seat_for(agent, game) for agent in self.agents]
                self._loop = bind(loop.play_games, **rules)
                self._run(0, 0, 0)
            except COMPILE_PROBLEMS as problem:
                self._loop = None
                raise explain(problem, f"the rules of {game.name}") from None

    def play(self, seed: int, first: int, count: int) -> Batch:
        """Play games number `first` to `first + count - 1` of the run with this seed."""
        if not self.compiled:
            return self._run_in_python(seed, first, count)
        self.prepare()
        try:
            return self._run(seed, first, count)
        except FacedownError:
            raise
        except Exception as problem:
            self._blame(seed, first, count)
            games = f"games {first} to {first + count - 1} of seed {seed}"
            raise RulesError(f"{self.game} failed in {games}: {type(problem).__name__}: {problem}") from problem

    def _blame(self, seed: int, first: int, count: int) -> None:
        """Native code failed in one of these games: find out in which, and play it in Python, which knows who it was."""
        while count > 1:
            half = count // 2
            try:
                self._run(seed, first, half)
                first, count = first + half, count - half
            except Exception:
                count = half
        self._run_in_python(seed, first, 1)

    def _run(self, seed: int, first: int, count: int) -> Batch:
        batch = self._room(first, count)
        try:
            table = self._free.pop()
        except IndexError:  # others may be taking one at the same time, so no looking before
            table = Table(self.agents, self.game, self._found)
        results = (batch.scores, batch.lengths, batch.values, table.fault)
        n_done = self._loop(*table.room, self.game.max_moves, self.n_orders, seed, first, *results)
        if n_done < count:
            self._complain(seed, *table.fault.tolist())
        self._free.append(table)
        return batch

    def _room(self, first: int, count: int) -> Batch:
        shape = (count, len(self.agents))
        return Batch(first, np.empty(shape), np.empty(count, np.int64), np.zeros((count, len(self.game.columns))))

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
