"""An agent at a table, asked from Python: its parameters, its memory, its public record and its stream of chance.

It is given exactly what the native loop gives: the legal actions and not one place more, its memory and not one byte more,
both parameters and actions read-only, and no memory to write to if it declares none. A `Company` is all players of a game,
told of the deal and of moves as the native loop tells them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from facedown.agents.contract import NOBODY, Agent
from facedown.agents.reasons import Reason
from facedown.agents.seats import looks
from facedown.errors import AgentError, FacedownError
from facedown.games.contract import HIDDEN, UNNOTICED, Game
from facedown.native.chance import CHANCE, seed_stream
from facedown.native.jit import COMPILE_PROBLEMS, compile_now, explain, read_only_array
from facedown.native.records import Record, blank, copy_shared
from facedown.native.streams import MATCHES

MARGIN = 64
"""Places behind actions and memory that belong to nobody."""


class Player:
    """An agent in a game. With `noise`, what lies behind its actions and its memory is different each time."""

    def __init__(self, agent: Agent, game: Game, noise: np.random.Generator | None = None):
        self.agent, self._game, self._noise = agent, game, noise
        self.params = read_only_array(agent.params)
        self._size = agent.memory.itemsize if agent.memory else 0
        self._bytes = blank(np.uint8, self._size + MARGIN)
        self.public = blank(np.uint8, agent.public.itemsize if agent.public else 0)
        """Its public record, as bytes; others may share it."""
        self._nothing: Record = blank(game.view)[0]
        self._looks = not agent.compiled or (agent.watch is not None and looks(agent.watch))
        self._actions = np.zeros(game.n_actions + MARGIN, np.int64)
        self._chances = np.zeros(1, CHANCE)

    def prepare(self) -> None:
        """Compile what it is asked, for arguments as it gets them here, and what seeds its chance."""
        self.sit_down(0, 0, 0)
        agent, view, own = self.agent, self._game.view, (self.params, self.memory)
        if agent.compiled:
            seen = self._game.state if agent.cheats else view
            compile_now(agent.act, seen, read_only_array(self._actions), 0, *own, *self._public, CHANCE)
            if agent.begin is not None:
                compile_now(agent.begin, view, *own, CHANCE, returns=False)
            if agent.watch is not None:
                kept = (self.public,) if agent.public else (self.memory, CHANCE) if agent.watch_draws else (self.memory,)
                compile_now(agent.watch, view, 0, 0, self.params, *kept, returns=False)
            if agent.believe is not None:
                compile_now(agent.believe, view, *own, *self._public, CHANCE, self._game.state, returns=False)
            if agent.keeps is not None:
                compile_now(agent.keeps, view, 0, *own, *self._public)
            if agent.watch_all is not None:
                compile_now(agent.watch_all, self._game.common_view, 0, 0, self.params, self.public, returns=False)

    @property
    def _public(self) -> tuple[np.ndarray[Any, Any], ...]:
        """The public record as it is handed to whoever may read it, if there is one."""
        return (read_only_array(self.public),) if self.agent.public else ()

    @property
    def memory(self) -> np.ndarray[Any, Any]:
        """What it remembers, as bytes."""
        own = self._bytes[: self._size]
        return own if self.agent.memory else read_only_array(own)

    def sit_down(self, seed: int, deal: int, stream: int, purpose: int = MATCHES) -> None:
        """Forget everything but what is public, and draw from this stream of a deal."""
        self._bytes[:] = 0
        seed_stream(self._chances[0], seed, deal, stream, purpose)

    def copy(self, noise: np.random.Generator | None = None) -> Player:
        """The same agent with the same knowledge and the same luck, elsewhere."""
        other = Player(self.agent, self._game, noise)
        other._bytes[: self._size], other._chances[:] = self._bytes[: self._size], self._chances
        other.public[:] = self.public
        return other

    def choose(self, seen: Record, legal: list[int] | tuple[int, ...], chance: Record | None = None) -> int:
        """One decision, from its own stream unless another chance is given."""
        self._disturb()
        self._actions[: len(legal)] = legal
        actions = read_only_array(self._actions[: len(legal)])
        chance = self._chances[0] if chance is None else chance
        answer = self._run(self.agent.act, seen, actions, len(legal), self.params, self.memory, *self._public, chance)
        try:
            return operator.index(answer)
        except TypeError:
            raise AgentError(f"agent {self.agent.name} answered {answer!r}, which is not a whole number") from None

    def begin(self, view: Record) -> None:
        """The cards are dealt."""
        if self.agent.begin is not None:
            self._disturb()
            self._run(self.agent.begin, view, self.params, self.memory, self._chances[0])

    def hear(self, view: Record, mover: int, heard: int) -> None:
        """A move was made, of which it learns this much."""
        agent = self.agent
        if agent.watch is not None:
            self._disturb()
            kept = (self.public,) if agent.public else (self.memory, self._chances[0]) if agent.watch_draws else (self.memory,)
            seen = view if self._looks else self._nothing
            self._run(agent.watch, seen, np.int64(mover), np.int64(heard), self.params, *kept)

    def hear_for_all(self, view: Record, mover: int, heard: int) -> None:
        """A move was made, of which everybody learns this much: keep up the public record of all."""
        seen = view
        if self.agent.watch_all is not None:
            seen = blank(self._game.common_view)[0]
            copy_shared(view, seen)
        function = self.agent.watch_all or self.agent.watch
        self._run(function, seen, np.int64(mover), np.int64(heard), self.params, self.public)

    def believe(self, view: Record) -> Record:
        """A state drawn from what it thinks; a copy."""
        assert self.agent.believe is not None
        states = self._game.blank()
        self._run(self.agent.believe, view, self.params, self.memory, *self._public, self._chances[0], states[0])
        return states[0]  # type: ignore[no-any-return]

    def keeps(self, view: Record, action: int) -> bool:
        """Whether a move would mean to everybody what it means in its convention."""
        if self.agent.keeps is None:
            return True
        return bool(self._run(self.agent.keeps, view, np.int64(action), self.params, self.memory, *self._public))

    def reason(self, view: Record, action: int) -> Reason | None:
        """Why it moved as it did, where it tells."""
        if self.agent.explain is None:
            return None
        memory = self.memory.view(self.agent.memory)[0] if self.agent.memory else None
        public = (self.public.copy().view(self.agent.public)[0],) if self.agent.public else ()
        found = self.agent.explain(view, action, self.params, memory, *public)
        if not isinstance(found, Reason):
            raise AgentError(f"agent {self.agent.name} explains itself with {found!r}, which is no Reason")
        return found

    def meanings(self, view: Record, mover: int, action: int, before: np.ndarray[Any, Any]) -> tuple[str, ...]:
        """What a move means in its convention, as told in each seat: from what all see alike, and the record before it."""
        assert self.agent.tells is not None and self.agent.public is not None
        common, public = blank(self._game.common_view)[0], before.view(self.agent.public)[0]
        copy_shared(view, common)
        seats = range(self._game.n_players)
        return tuple(self.agent.tells(common, mover, action, self.params, public, seat) for seat in seats)

    def _disturb(self) -> None:
        if self._noise is not None:
            self._bytes[self._size :] = self._noise.integers(256, size=MARGIN)
            self._actions[:] = self._noise.integers(self._game.n_actions, size=len(self._actions))

    def _run(self, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except FacedownError:
            raise
        except Exception as problem:
            raise failure(self.agent, problem) from problem


Look = Callable[[int], Record]
"""What the player in a seat sees now."""


class Company:
    """The players of a game by seat, told of the deal and of moves. Where it `shares`, they have one public record."""

    def __init__(self, players: Sequence[Player], shares: bool = False):
        self.players, self.shares = list(players), shares
        for player in self.players if shares else ():
            player.public = self.players[0].public

    def begin(self, look: Look) -> None:
        """After the deal."""
        for player in self.players:
            player.public[:] = 0
        for seat, player in enumerate(self.players):
            player.begin(look(seat))
            if player.agent.public is not None and not self.shares:
                player.hear(look(seat), NOBODY, HIDDEN)
        if self.shares:
            self.players[0].hear_for_all(look(0), NOBODY, HIDDEN)

    def hear(self, look: Look, hears: Callable[[int], int], mover: int) -> None:
        """After a move; `hears` tells what the player in a seat learns of it."""
        if self.shares:
            told = {hears(seat) for seat in range(len(self.players))}
            if UNNOTICED not in told:
                self.players[0].hear_for_all(look(mover), mover, told.pop() if len(told) == 1 else HIDDEN)
            return
        for seat, player in enumerate(self.players):
            if player.agent.watch is not None and (heard := hears(seat)) != UNNOTICED:
                player.hear(look(seat), mover, heard)


def failure(agent: Agent, problem: BaseException) -> FacedownError:
    """What an agent raises when it is asked, as a sentence."""
    # how code ends that reads what it is not given, if it is not compiled
    peeks = isinstance(problem, AttributeError) and "'record' object" in str(problem)
    if isinstance(problem, COMPILE_PROBLEMS) or peeks:
        return explain(problem, f"agent {agent.name}", sees="players cannot see")
    return AgentError(f"agent {agent.name} failed: {type(problem).__name__}: {problem}")
