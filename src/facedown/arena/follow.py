"""Following one game move by move, in Python, exactly as the native loop plays it."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.errors import AgentError, FacedownError, RulesError
from facedown.games.position import Draw, Position
from facedown.native.chance import CHANCE, game_key, mix, seed_stream
from facedown.native.jit import COMPILE_PROBLEMS, explain, read_only_array
from facedown.native.records import Record

if TYPE_CHECKING:
    from facedown.arena.lineup import Lineup


@dataclass(frozen=True)
class Move:
    """One move of a game: who, what, in words, why if the agent tells, and what the rules drew after it."""

    number: int
    player: int
    action: int
    name: str
    forced: bool
    draws: list[Draw]
    reason: str = ""


class Player:
    """An agent at the table: its parameters, its memory and its stream of chance."""

    def __init__(self, lineup: Lineup, agent: int):
        self.agent = lineup.agents[agent]
        self.params = read_only_array(self.agent.params)
        self._memory = np.zeros(self.agent.memory.itemsize if self.agent.memory else 0, np.uint8)
        self._actions = np.zeros(lineup.game.n_actions + 4, np.int64)
        self._chance: Record = np.zeros(1, CHANCE)[0]

    def sit_down(self, key: Any, agent: int) -> None:
        """Forget everything, and draw from this game's stream."""
        self._memory[:] = 0
        seed_stream(self._chance, key, agent)

    def choose(self, seen: Record, legal: list[int]) -> int:
        """One decision."""
        self._actions[: len(legal)] = legal
        actions = read_only_array(self._actions)
        arguments = (seen, actions, len(legal), self.params, self._memory, self._chance)
        answer = self._run(self.agent.act, *arguments)
        try:
            return operator.index(answer)
        except TypeError:
            raise AgentError(f"agent {self.agent.name} answered {answer!r}, which is not a whole number") from None

    def hear(self, view: Record, mover: int, action: int) -> None:
        """A move was made."""
        if self.agent.watch is not None:
            self._run(self.agent.watch, view, np.int64(mover), np.int64(action), self.params, self._memory)

    def reason(self, view: Record) -> str:
        """Why it moved as it did, where it tells."""
        if self.agent.explain is None:
            return ""
        memory = self._memory.view(self.agent.memory)[0] if self.agent.memory else None
        return self.agent.explain(view, memory)

    def _run(self, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except COMPILE_PROBLEMS as problem:
            raise explain(problem, f"agent {self.agent.name}", sees="players cannot see") from None
        except FacedownError:
            raise
        except Exception as problem:
            if isinstance(problem, AttributeError) and "'record' object" in str(problem):  # how uncompiled code ends here
                raise explain(problem, f"agent {self.agent.name}", sees="players cannot see") from None
            raise AgentError(f"agent {self.agent.name} failed: {type(problem).__name__}: {problem}") from problem


class Follower:
    """Iterate to play; `position` is the game between two moves."""

    def __init__(self, lineup: Lineup, seed: int, index: int):
        self.lineup, self.seed, self.index = lineup, seed, index
        self.position = Position(lineup.game)
        self.players = [Player(lineup, agent) for agent in range(len(lineup.agents))]
        self.n_moves = 0

    def start(self) -> list[Draw]:
        """Deal; what was drawn for it."""
        deal, order = self.lineup.order_of(self.index)
        self.position.sample(self.seed, deal)
        # what native code returns comes back as a Python integer, and would go in again as a signed one
        key = np.uint64(game_key(np.int64(self.seed), np.int64(deal)))
        key = np.uint64(mix(key + np.uint64(order + 1)))
        for agent, player in enumerate(self.players):
            player.sit_down(key, agent)
        self.position.start()
        return self.position.draws

    def __iter__(self) -> Iterator[Move]:
        self.start()
        yield from self.moves()

    def moves(self) -> Iterator[Move]:
        """Play on to the end; `start` comes before."""
        game = self.lineup.game
        while not self.position.over:
            if self.n_moves >= game.max_moves:
                raise RulesError(f"{game}: the game goes on past its declared {game.max_moves} moves")
            yield self._move()

    def _move(self) -> Move:
        seat, legal = self.position.turn(), self.position.legal()
        player = self.players[self.lineup.agent_in(seat, self.index)]
        view = self.position.view(seat)
        forced = len(legal) == 1
        action, reason = legal[0], ""
        if not forced:
            seen = self.position.state.copy() if player.agent.cheats else view
            try:
                action = player.choose(seen, legal)
            except AgentError as problem:
                raise AgentError(f"{problem}, {self._moment()}") from problem.__cause__
            if action not in legal:
                raise AgentError(f"agent {player.agent.name} played {action}, which is not legal, {self._moment()}")
            reason = player.reason(view)
        name = self.lineup.game.action_name(view, action)
        self.position.step(action)
        draws = self.position.draws
        self.n_moves += 1
        for place in range(len(self.players)):
            listener = self.players[self.lineup.agent_in(place, self.index)]
            if listener.agent.watch is not None:
                listener.hear(self.position.view(place), seat, action)
        return Move(self.n_moves, seat, action, name, forced, draws, reason)

    def _moment(self) -> str:
        return f"in game {self.index} of seed {self.seed}, move {self.n_moves + 1}. {self.describe()}"

    def agent_scores(self) -> np.ndarray[Any, Any]:
        """The final scores, by agent."""
        by_seat = self.position.scores()
        by_agent = np.zeros(len(by_seat))
        for seat, value in enumerate(by_seat):
            by_agent[self.lineup.agent_in(seat, self.index)] = value
        return by_agent

    def describe(self) -> str:
        """The position as the player to move sees it, with the legal moves."""
        seat = self.position.turn()
        legal = ", ".join(f"{action} {self.position.action_name(action)}" for action in self.position.legal())
        return f"Player {seat} saw: {self.position.describe(seat)} Legal: {legal}."


def describe_moment(lineup: Lineup, seed: int, index: int, move: int) -> str:
    """What the player to move saw before a move of a game that went wrong there."""
    follower = Follower(lineup, seed, index)
    follower.start()
    for _ in zip(range(move), follower.moves(), strict=False):
        pass
    return follower.describe()
