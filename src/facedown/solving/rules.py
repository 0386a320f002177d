"""A game's rules as questions about states that are plain bytes: for walking trees and for checks.

Bytes can be kept, compared and used as keys. Every answer is worked out on a buffer of its own, so no question changes
a state; whether the rules themselves keep to that is for `facedown.check` to find out.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from facedown.errors import CompileError, FacedownError, RulesError
from facedown.games.contract import NATIVE_FUNCTIONS, OVER, Game
from facedown.native.jit import COMPILE_PROBLEMS, COMPILED, explain
from facedown.native.outcomes import MOST_TAPES, Odometer, Outcomes
from facedown.native.records import Record, blank


def _place(problem: Exception) -> str:
    """The line of the rules in which something went wrong, where Python knows it; compiled code does not say."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if "site-packages" not in frame.filename]
    file = Path(frames[-1].filename)
    return f" ({file.name}, line {frames[-1].lineno})" if file != Path(__file__) else ""


class Rules:
    """The rules of one game; not to be shared between threads.

    `functions` are used instead of the game's own of the same names.
    """

    def __init__(self, game: Game, functions: Mapping[str, Callable[..., Any]] | None = None):
        self.game = game
        self._functions = {name: getattr(game, name) for name in NATIVE_FUNCTIONS} | dict(functions or {})
        self._states, self._views = game.blank(), blank(game.view)
        self._state_bytes, self._view_bytes = self._states.view(np.uint8), self._views.view(np.uint8)
        self._actions = np.zeros(game.n_actions + 4, np.int64)
        self._scores = np.zeros(game.n_players)
        self._blank = game.blank()
        self._odometer = Odometer(game.state)

    def run(self, what: str, *arguments: Any) -> Any:
        """Call one of the game's functions; whatever goes wrong becomes a sentence."""
        try:
            return self._functions[what](*arguments)
        except COMPILE_PROBLEMS as problem:
            raise explain(problem, f"'{what}' of {self.game.name}") from None
        except FacedownError:
            raise
        except KeyError as problem:
            if not COMPILED:
                raise RulesError(f"'{what}' of {self.game.name} failed: KeyError: {problem}{_place(problem)}") from problem
            # how Numba says that a record has no field of that name
            raise CompileError(
                f"'{what}' of {self.game.name} uses the field {problem}, which its records do not have"
            ) from None
        except Exception as problem:
            reason = f"{type(problem).__name__}: {problem}{_place(problem)}"
            raise RulesError(f"'{what}' of {self.game.name} failed: {reason}") from problem

    def state(self, state: bytes) -> Record:
        """The state as a record, in a buffer that the next question overwrites."""
        self._state_bytes[:] = np.frombuffer(state, np.uint8)
        return self._states[0]  # type: ignore[no-any-return]

    def held(self) -> bytes:
        """What is in the buffer of `state` now, after a function of the game has had it."""
        return self._states.tobytes()

    def view_record(self, view: bytes) -> Record:
        """A view as a record; a copy."""
        return np.frombuffer(bytearray(view), self.game.view)[0]  # type: ignore[no-any-return]

    def starts(self, limit: int = MOST_TAPES) -> Outcomes:
        """All states that a game can begin with."""
        return self._odometer.every_outcome(lambda state, chance: self.run("start", state, chance), self._blank, "start", limit)

    def steps(self, state: bytes, action: int, limit: int = MOST_TAPES) -> Outcomes:
        """All states that playing an action can lead to."""
        self.state(state)
        move = np.int64(action)
        what = f"step with action {action}"
        return self._odometer.every_outcome(
            lambda after, chance: self.run("step", after, move, chance), self._states, what, limit
        )

    def imaginings(self, view: bytes, player: int, limit: int = MOST_TAPES) -> Outcomes:
        """All states that `imagine` can find behind a view."""
        seen, who = self.view_record(view), np.int64(player)
        return self._odometer.every_outcome(
            lambda state, chance: self.run("imagine", seen, who, chance, state), self._blank, "imagine", limit
        )

    def turn(self, state: bytes) -> int:
        """The player to move, or OVER."""
        player = int(self.run("turn", self.state(state)))
        if not OVER <= player < self.game.n_players:
            raise RulesError(
                f"'turn' of {self.game.name} answered {player}; players are 0 to {self.game.n_players - 1}, and "
                f"{OVER} means that the game is over"
            )
        return player

    def legal(self, state: bytes) -> tuple[int, ...]:
        """The legal actions of the player to move."""
        n_legal = int(self.run("legal", self.state(state), self._actions))
        if not 1 <= n_legal <= self.game.n_actions:
            raise RulesError(
                f"'legal' of {self.game.name} answered {n_legal} actions; while the game runs there are 1 to "
                f"{self.game.n_actions} (declared)"
            )
        return tuple(self._actions[:n_legal].tolist())

    def view(self, state: bytes, player: int) -> bytes:
        """What a player sees."""
        self._view_bytes[:] = 0
        self.run("observe", self.state(state), np.int64(player), self._views[0])
        return self._views.tobytes()

    def scores(self, state: bytes) -> tuple[Fraction, ...]:
        """The final scores, exactly as the rules' floats have them."""
        self._scores[:] = 0.0
        self.run("score", self.state(state), self._scores)
        if not np.isfinite(self._scores).all():
            raise RulesError(f"'score' of {self.game.name} gave {self._scores.tolist()}; scores are finite numbers")
        return tuple(map(Fraction, self._scores.tolist()))
