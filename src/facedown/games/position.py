"""One game in progress, step by step from Python: for transcripts, terminal play, checks and exact enumeration."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.errors import UsageError
from facedown.games.contract import OVER, Game
from facedown.games.stepper import Draw, Stepper
from facedown.native.records import Record


class Position:
    """A state of a game, and the chance that its rules draw from."""

    def __init__(self, game: Game):
        self.game = game
        self._rules, self._states = Stepper(game), game.blank()
        self.chance = self._rules.chance

    @property
    def state(self) -> Record:
        """The state itself; changing it changes the position."""
        return self._states[0]  # type: ignore[no-any-return]

    @state.setter
    def state(self, other: Any) -> None:
        self._states[0] = other

    # --- chance ---------------------------------------------------------------------------------------------------------

    def sample(self, seed: int, index: int, stream: int = 0) -> None:
        """Draw from the generator from now on, as game number `index` of a run with this seed does, and record the draws."""
        self._rules.sample(seed, index, stream)

    @property
    def draws(self) -> list[Draw]:
        """What the rules drew in the last `start` or `step`."""
        return self._rules.draws

    # --- the game -------------------------------------------------------------------------------------------------------

    def start(self, draws: list[Draw] | None = None) -> None:
        """Set up and deal; from a recorded list of draws if one is given."""
        self._states[:] = self.game.blank()
        self._rules.run_drawing("start", "start", draws, self.state, self.chance)

    def turn(self) -> int:
        """The player to move, or OVER."""
        return self._rules.turn(self.state)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn() == OVER

    def legal(self) -> list[int]:
        """The legal actions of the player to move, ascending."""
        return list(self._rules.legal(self.state, least=0))

    def step(self, action: int, draws: list[Draw] | None = None) -> None:
        """Play an action, after checking that it is legal; from recorded draws if they are given."""
        allowed = self.legal()
        if action not in allowed:
            names = ", ".join(f"{a} {self.action_name(a)}" for a in allowed)
            raise UsageError(f"cannot play {action} (legal: {names})")
        self._rules.run_drawing("step", f"action {action}", draws, self.state, np.int64(action), self.chance)

    def scores(self) -> np.ndarray[Any, Any]:
        """One number a player; asked at the end only."""
        return np.array(self._rules.points(self.state))

    def view(self, player: int) -> Record:
        """What this player sees; a copy."""
        return self._rules.view_record(self._rules.view(self.state, player))

    def heard(self, player: int, mover: int, action: int) -> int:
        """What this player learns of the move that was just made: the action, HIDDEN or UNNOTICED."""
        return self._rules.heard(self.state, player, mover, action)

    def imagine(self, view: Record, player: int) -> Record:
        """A full state drawn from those that fit a view; a copy."""
        states = self.game.blank()
        self._rules.run_drawing("imagine", "imagine", None, view, np.int64(player), self.chance, states[0])
        return states[0]  # type: ignore[no-any-return]

    # --- words ----------------------------------------------------------------------------------------------------------

    def describe(self, player: int) -> str:
        """What this player sees, in words."""
        return self.game.describe(self.view(player))

    def _repr_svg_(self) -> str | None:
        """What the player to move sees, as a picture; nothing where the game has none."""
        return None if self.game.draw is None else self.game.draw(self.view(max(self.turn(), 0))).svg()

    def action_name(self, action: int) -> str:
        """An action of the player to move, in words."""
        return self.game.action_name(self.view(max(self.turn(), 0)), action)
