"""The check of agents: they play legally, from their view alone, and do the same when all they know is the same."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from facedown.agents.contract import NATIVE, NOBODY, Agent
from facedown.agents.player import Player
from facedown.agents.registry import agents_for
from facedown.check.case import Case
from facedown.check.report import Failure, Skip
from facedown.errors import RulesError
from facedown.games.contract import HIDDEN, OVER, UNNOTICED
from facedown.games.stepper import Stepper
from facedown.native.jit import bounds_checked
from facedown.native.streams import CHECKS
from facedown.trees.story import Told, story

_MAX_DECISIONS = 40
MAX_MOVES = 400


def agents(case: Case) -> str:
    """Two deals behind one view: with the same memory and the same chance, every agent does the same, and something legal."""
    known = [*(agent(**agent.quick) for agent in agents_for(case.game).values()), *case.agents]
    examined = [agent for agent in known if agent.compiled and not agent.cheats]
    if not examined:
        raise Skip("there are no agents that play from views")
    n_decisions = sum(_Examination(case, agent).play() for agent in examined)
    names = ", ".join(agent.name for agent in examined)
    return f"{names}: {n_decisions:,} decisions, each the same behind another hidden deal"


def _with_bounds(agent: Agent) -> Agent:
    """The agent with an error for every index that is out of bounds; our own ones have a pass of the tests for that."""
    if agent.act.__module__.startswith("facedown."):
        return agent
    functions = {name: getattr(agent, name) for name in NATIVE}
    checked = {name: bounds_checked(function) for name, function in functions.items() if function is not None}
    return dataclasses.replace(agent, **checked)


class _Examination:
    """A few games in which one agent has all seats, and every decision is asked for twice.

    The second time hidden information is another, and so is all that lies behind the actions and the memory of the agent.
    An agent of somebody else's runs with the bounds of its arrays checked.
    """

    def __init__(self, case: Case, agent: Agent):
        self.case, self.agent = case, _with_bounds(agent)
        self._other = Stepper(case.game)
        self._other.sample(case.seed, 1)
        self._noises = [np.random.default_rng([case.seed, number]) for number in range(2)]
        self._deal: list[tuple[int, int]] = []
        self._told: list[Told] = []

    def play(self) -> int:
        """Examine some decisions; how many."""
        n_decisions = n_moves = number = 0
        most_decisions = min(_MAX_DECISIONS, 4 * self.case.games)
        while n_decisions < most_decisions and n_moves < MAX_MOVES and number < _MAX_DECISIONS:
            self.case.rules.sample(self.case.seed, number)
            state = self.case.rules.start()
            self._deal, self._told = self.case.rules.draws, []
            seats = [self._sit_down(number, player) for player in range(self.case.game.n_players)]
            for player, seat in enumerate(seats):
                self._begin(seat, state, player)
            while n_decisions < most_decisions and (player := self.case.rules.turn(state)) != OVER:
                legal = self.case.rules.legal(state)
                n_decisions += len(legal) > 1
                action = self._decide(seats[player], state, player, legal) if len(legal) > 1 else legal[0]
                state = self._move(seats, state, player, action)
                n_moves += 1
            number += 1
        return n_decisions

    def _sit_down(self, number: int, player: int) -> Player:
        seated = Player(self.agent, self.case.game, self._noises[0])
        seated.sit_down(self.case.seed, number, player, CHECKS)
        return seated

    def _begin(self, seat: Player, state: bytes, place: int) -> None:
        """The deal, with the same care as moves."""
        if self.agent.begin is not None:
            self._tell_twice(seat, lambda listener: listener.begin(self.case.look(state, place)), "of the deal")
        if self.agent.public is not None:
            self._hear(seat, state, place, NOBODY, HIDDEN)

    def _move(self, seats: list[Player], state: bytes, player: int, action: int) -> bytes:
        after = self.case.rules.step(state, action)
        self._told.append(Told(state, player, action, self.case.rules.draws))
        if self.agent.watch is not None:
            for place, seat in enumerate(seats):
                if (heard := self.case.rules.heard(after, place, player, action)) != UNNOTICED:
                    self._hear(seat, after, place, player, heard)
        return after

    def _hear(self, seat: Player, state: bytes, place: int, mover: int, heard: int) -> None:
        self._tell_twice(seat, lambda listener: listener.hear(self.case.look(state, place), mover, heard), "of the same move")

    def _tell_twice(self, seat: Player, tell: Callable[[Player], None], what: str) -> None:
        """Tell it twice, the second time with something else behind its memory, and compare what it remembers."""
        twin = seat.copy(self._noises[1])
        for listener in (seat, twin):
            tell(listener)
        if not np.array_equal(twin.memory, seat.memory) or not np.array_equal(twin.public, seat.public):
            raise self._failure(f"remembered different things when told twice {what}", "the same memory after the same news")

    def _decide(self, seat: Player, state: bytes, player: int, legal: tuple[int, ...]) -> int:
        """Ask once for the real state, once for another that looks the same, and compare."""
        view = self.case.rules.view(state, player)
        twin = seat.copy(self._noises[1])
        action = seat.choose(self.case.look(state, player), legal)
        if action not in legal:
            raise self._failure(f"played {action}", f"one of the legal actions {list(legal)}")
        try:
            behind = self._other.imagine(view, player)
        except RulesError:
            return action  # another check is about that
        again = twin.choose(self.case.look(behind, player), legal)
        if again != action or not np.array_equal(twin.memory, seat.memory):
            did = f"played {action} and then {again}" if again != action else "remembered different things"
            raise self._failure(
                f"{did} when asked twice with the same view, memory and chance", "the same action for the same knowledge"
            )
        if self.agent.believe is not None:
            believed = seat.copy(self._noises[1]).believe(self.case.look(state, player))
            if self.case.rules.view(believed, player) != view:
                raise self._failure(
                    "believes in a state that does not look like what it sees",
                    "a state whose view is the one that it was given",
                )
        if self.agent.deterministic:
            newcomer = self._sit_down(-1, player)
            if (other := newcomer.choose(self.case.look(state, player), legal)) != action:
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
