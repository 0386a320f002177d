"""The check of agents: they play legally, from their view alone, and do the same when all they know is the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.registry import agents_for
from facedown.check.case import Case
from facedown.check.report import Failure, Skip
from facedown.check.table import Table
from facedown.errors import AgentError, CompileError, RulesError
from facedown.games.contract import OVER
from facedown.native.chance import CHANCE, game_key, seed_stream
from facedown.native.jit import COMPILE_PROBLEMS, explain
from facedown.solving.story import Told, story

MOST_DECISIONS = 40
MOST_MOVES = 400


@dataclass
class _Seat:
    """An agent at the table."""

    agent: Agent
    memory: np.ndarray[Any, Any]
    chance: np.ndarray[Any, Any]

    def ask(self, view: Any, legal: tuple[int, ...], actions: np.ndarray[Any, Any]) -> int:
        """One decision."""
        actions[: len(legal)] = legal
        arguments = (view, actions, len(legal), self.agent.params, self.memory, self.chance[0])
        return int(_run(self.agent, self.agent.act, *arguments))

    def hear(self, view: Any, mover: int, action: int) -> None:
        """A move was made."""
        if self.agent.watch is not None:
            _run(self.agent, self.agent.watch, view, np.int64(mover), np.int64(action), self.agent.params, self.memory)

    def copy(self) -> _Seat:
        """The same agent with the same knowledge, elsewhere."""
        return _Seat(self.agent, self.memory.copy(), self.chance.copy())


def _run(agent: Agent, function: Any, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except KeyError as problem:  # how Numba says that a record has no field of that name
        raise CompileError(f"agent {agent.name} reads {problem}, which players cannot see") from None
    except COMPILE_PROBLEMS as problem:
        raise explain(problem, f"agent {agent.name}", sees="players cannot see") from None
    except AttributeError as problem:  # uncompiled, a field that is not in the view ends here
        raise explain(problem, f"agent {agent.name}", sees="players cannot see") from problem
    except Exception as problem:
        raise AgentError(f"agent {agent.name} failed: {type(problem).__name__}: {problem}") from problem


def agents(case: Case) -> str:
    """Two deals behind one view: with the same memory and the same chance, every agent does the same, and something legal."""
    examined = [agent(**agent.quick) for agent in agents_for(case.game).values() if agent.compiled and not agent.cheats]
    if not examined:
        raise Skip("there are no agents that play from views")
    n_decisions = sum(_Examination(case, agent).play() for agent in examined)
    names = ", ".join(agent.name for agent in examined)
    return f"{names}: {n_decisions:,} decisions, each the same behind another hidden deal"


class _Examination:
    """A few games in which one agent has all seats, and every decision is asked for twice."""

    def __init__(self, case: Case, agent: Agent):
        self.case, self.agent = case, agent
        self._table, self._other = Table(case.rules), Table(case.rules)
        self._other.sample(case.seed, 1)
        self._actions = np.zeros(case.game.n_actions + 4, np.int64)
        self._deal: list[tuple[int, int]] = []
        self._told: list[Told] = []

    def play(self) -> int:
        """Examine some decisions; how many."""
        n_decisions = n_moves = number = 0
        most_decisions = min(MOST_DECISIONS, 4 * self.case.games)
        while n_decisions < most_decisions and n_moves < MOST_MOVES and number < MOST_DECISIONS:
            self._table.sample(self.case.seed, number)
            state = self._table.start()
            self._deal, self._told = self._table.draws, []
            seats = [self._sit_down(number, player) for player in range(self.case.game.n_players)]
            while n_decisions < most_decisions and (player := self.case.rules.turn(state)) != OVER:
                legal = self.case.rules.legal(state)
                n_decisions += len(legal) > 1
                action = self._decide(seats[player], state, player, legal) if len(legal) > 1 else legal[0]
                state = self._move(seats, state, player, action)
                n_moves += 1
            number += 1
        return n_decisions

    def _sit_down(self, number: int, player: int) -> _Seat:
        size = self.agent.memory.itemsize if self.agent.memory else 0
        chance = np.zeros(1, CHANCE)
        with np.errstate(over="ignore"):
            seed_stream(chance[0], np.uint64(game_key(np.int64(self.case.seed), np.int64(number))), player + 1)
        return _Seat(self.agent, np.zeros(size, np.uint8), chance)

    def _move(self, seats: list[_Seat], state: bytes, player: int, action: int) -> bytes:
        after = self._table.step(state, action)
        self._told.append(Told(state, player, action, self._table.draws))
        if self.agent.watch is not None:
            for place, seat in enumerate(seats):
                seat.hear(self._view(after, place), player, action)
        return after

    def _view(self, state: bytes, player: int) -> Any:
        return self.case.rules.view_record(self.case.rules.view(state, player))

    def _decide(self, seat: _Seat, state: bytes, player: int, legal: tuple[int, ...]) -> int:
        """Ask once for the real state, once for another that looks the same, and compare."""
        view = self.case.rules.view(state, player)
        twin = seat.copy()
        action = seat.ask(self._view(state, player), legal, self._actions)
        if tuple(self._actions[: len(legal)].tolist()) != legal:
            raise self._failure("changed the list of legal actions", "that agents read it and leave it alone")
        if action not in legal:
            raise self._failure(f"played {action}", f"one of the legal actions {list(legal)}")
        try:
            behind = self._other.imagine(view, player)
        except RulesError:
            return action  # another check is about that
        again = twin.ask(self._view(behind, player), legal, self._actions)
        if again != action or not np.array_equal(twin.memory, seat.memory):
            did = f"played {action} and then {again}" if again != action else "remembered different things"
            raise self._failure(
                f"{did} when asked twice with the same view, memory and chance", "the same action for the same knowledge"
            )
        if self.agent.deterministic:
            newcomer = self._sit_down(-1, player)
            if (other := newcomer.ask(self._view(state, player), legal, self._actions)) != action:
                raise self._failure(
                    f"played {action}, but {other} with another chance and no memory",
                    "one action for a view: it is deterministic",
                )
        return action

    def _failure(self, found: str, expected: str) -> Failure:
        return Failure(
            f"agent {self.agent.name} {found}",
            where=f"the game that goes: {story(self.case.rules, self._deal, self._told)}",
            expected=expected,
            remedy="decide from the view, the parameters, the memory and the chance that 'act' is given, and nothing else",
        )
