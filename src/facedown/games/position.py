"""One game in progress, step by step from Python: for transcripts, terminal play, checks and exact enumeration."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.errors import FacedownError, RulesError, UsageError
from facedown.games.contract import OVER, Game
from facedown.native import chance as chances
from facedown.native.jit import COMPILE_PROBLEMS, explain
from facedown.native.records import Record, blank

Draw = tuple[int, int]
"""A recorded draw: the answer, and from how many possibilities (for weighted draws: up to the last possible one)."""


class Position:
    """A state of a game, and the chance that its rules draw from."""

    def __init__(self, game: Game):
        self.game = game
        self._states = game.blank()
        self._views = blank(game.view)
        self._actions = np.zeros(game.n_actions + 1, np.int64)
        self._scores = np.zeros(game.n_players)
        self.chance: Record = blank(chances.CHANCE)[0]
        self.sample(0, 0)  # a generator that was never seeded would answer 0 for ever

    @property
    def state(self) -> Record:
        """The state itself; changing it changes the position."""
        return self._states[0]  # type: ignore[no-any-return]

    @state.setter
    def state(self, other: Any) -> None:
        self._states[0] = other

    def _run(self, what: str, *arguments: Any) -> Any:
        try:
            return getattr(self.game, what)(*arguments)
        except COMPILE_PROBLEMS as problem:
            raise explain(problem, f"'{what}' of {self.game.name}") from None
        except FacedownError:
            raise
        except Exception as problem:
            raise RulesError(f"'{what}' of {self.game.name} failed: {type(problem).__name__}: {problem}") from problem

    # --- chance ---------------------------------------------------------------------------------------------------------

    def sample(self, seed: int, index: int, stream: int = 0) -> None:
        """Draw from the generator from now on, as game number `index` of a run with this seed does, and record the draws."""
        key = np.uint64(chances.game_key(np.int64(seed), np.int64(index)))
        chances.seed_stream(self.chance, key, stream)
        self.chance.mode = chances.RECORD

    def _rewind(self, draws: list[Draw] | None) -> None:
        """Begin a new stretch of tape; with `draws`, these are what the rules will get."""
        self.chance.n_draws = self.chance.n_taped = self.chance.fault = 0
        self.chance.mode = chances.RECORD if draws is None else chances.REPLAY
        if draws is not None:
            self.chance.n_taped = min(len(draws), chances.TAPE)
            for at, (answer, size) in enumerate(draws[: chances.TAPE]):
                self.chance.answers[at], self.chance.sizes[at] = answer, size

    @property
    def draws(self) -> list[Draw]:
        """What the rules drew in the last `start` or `step`."""
        n_draws = int(self.chance.n_draws)
        return [(int(self.chance.answers[at]), int(self.chance.sizes[at])) for at in range(n_draws)]

    def _check_tape(self, what: str, draws: list[Draw] | None) -> None:
        if self.chance.fault:
            raise RulesError(f"{what}: {chances.FAULTS[int(self.chance.fault)]}")
        if draws is not None and self.chance.n_draws != len(draws):
            raise RulesError(f"{what}: {len(draws)} draws are recorded, but the rules made {self.chance.n_draws}")

    # --- the game -------------------------------------------------------------------------------------------------------

    def start(self, draws: list[Draw] | None = None) -> None:
        """Set up and deal; from a recorded list of draws if one is given."""
        self._states[:] = self.game.blank()
        self._rewind(draws)
        self._run("start", self.state, self.chance)
        self._check_tape("start", draws)

    def turn(self) -> int:
        """The player to move, or OVER."""
        return int(self._run("turn", self.state))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn() == OVER

    def legal(self) -> list[int]:
        """The legal actions of the player to move, ascending."""
        n_legal = int(self._run("legal", self.state, self._actions))
        if not 0 <= n_legal <= self.game.n_actions:
            raise RulesError(f"{self.game.name}: {n_legal} legal actions, but at most {self.game.n_actions} are declared")
        return [int(action) for action in self._actions[:n_legal]]

    def step(self, action: int, draws: list[Draw] | None = None) -> None:
        """Play an action, after checking that it is legal; from recorded draws if they are given."""
        allowed = self.legal()
        if action not in allowed:
            names = ", ".join(f"{a} {self.action_name(a)}" for a in allowed)
            raise UsageError(f"cannot play {action} (legal: {names})")
        self._rewind(draws)
        self._run("step", self.state, np.int64(action), self.chance)
        self._check_tape(f"action {action}", draws)

    def scores(self) -> np.ndarray[Any, Any]:
        """One number a player; asked at the end only."""
        self._scores[:] = 0
        self._run("score", self.state, self._scores)
        return self._scores.copy()

    def view(self, player: int) -> Record:
        """What this player sees; a copy."""
        self._run("observe", self.state, np.int64(player), self._views[0])
        return self._views.copy()[0]  # type: ignore[no-any-return]

    def imagine(self, view: Record, player: int) -> Record:
        """A full state drawn from those that fit a view; a copy."""
        states = self.game.blank()
        self._rewind(None)
        self._run("imagine", view, np.int64(player), self.chance, states[0])
        self._check_tape("imagine", None)
        return states[0]  # type: ignore[no-any-return]

    # --- words ----------------------------------------------------------------------------------------------------------

    def describe(self, player: int) -> str:
        """What this player sees, in words."""
        return self.game.describe(self.view(player))

    def action_name(self, action: int) -> str:
        """An action of the player to move, in words."""
        return self.game.action_name(self.view(max(self.turn(), 0)), action)
