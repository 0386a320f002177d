"""A game's rules run from Python, step by step: states are plain bytes or records, and who answers draws can be chosen.

Bytes can be kept, compared and used as keys. Of bytes every answer is worked out on a buffer, so no question changes a
state; whether the rules themselves keep to that is for `facedown.check` to find out. A record is asked as it is.
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
from facedown.native.chance import CHANCE, FAULTS, RECORD, REPLAY, SAMPLE, TAPE, seed_stream
from facedown.native.jit import COMPILE_PROBLEMS, COMPILED, explain
from facedown.native.outcomes import MAX_TAPES, Odometer, Outcomes
from facedown.native.records import Record, blank

Draw = tuple[int, int]
"""A recorded draw: the answer, and from how many possibilities (for weighted draws: up to the last possible one)."""

State = bytes | Record


class DrawError(RulesError):
    """The rules drew in a way that they must not."""


def write_tape(chances: np.ndarray[Any, Any], draws: list[Draw]) -> None:
    """Let the one record of chance in an array give these answers from now on, and no others."""
    chances["mode"], chances["n_taped"] = REPLAY, min(len(draws), TAPE)
    for at, (answer, size) in enumerate(draws[:TAPE]):
        chances["answers"][0, at], chances["sizes"][0, at] = answer, size


def _place(problem: Exception) -> str:
    """The line of the rules in which something went wrong, where Python knows it; compiled code does not say."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if "site-packages" not in frame.filename]
    file = Path(frames[-1].filename)
    return f" ({file.name}, line {frames[-1].lineno})" if file != Path(__file__) else ""


class Stepper:
    """The rules of one game, and the chance that they draw from; not to be shared between threads.

    `functions` are used instead of the game's own of the same names.
    """

    def __init__(self, game: Game, functions: Mapping[str, Callable[..., Any]] | None = None):
        self.game = game
        self._functions = {name: getattr(game, name) for name in NATIVE_FUNCTIONS} | dict(functions or {})
        self._blank, self._states, self._views = game.blank(), game.blank(), blank(game.view)
        self._state_bytes, self._view_bytes = self._states.view(np.uint8), self._views.view(np.uint8)
        self._actions = np.zeros(game.n_actions + 4, np.int64)
        self._scores = np.zeros(game.n_players)
        self._odometer = Odometer(game.state)
        self._chances = blank(CHANCE)
        self.chance: Record = self._chances[0]
        self._unless_replaying: int | None = None

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

    # --- records and bytes ----------------------------------------------------------------------------------------------

    def state(self, state: State) -> Record:
        """The state as a record; bytes in a buffer that the next question overwrites."""
        if not isinstance(state, bytes):
            return state
        self._state_bytes[:] = np.frombuffer(state, np.uint8)
        return self._states[0]  # type: ignore[no-any-return]

    def held(self) -> bytes:
        """What is in the buffer of `state` now, after a function of the game has had it."""
        return self._states.tobytes()

    def view_record(self, view: bytes) -> Record:
        """A view as a record; a copy."""
        return np.frombuffer(bytearray(view), self.game.view)[0]  # type: ignore[no-any-return]

    # --- chance ---------------------------------------------------------------------------------------------------------

    def sample(self, seed: int, index: int, stream: int = 0, record: bool = True) -> None:
        """Draw from the generator from now on, as game number `index` of a run with this seed does.

        Without `record` the draws are not written down, exactly as in matches.
        """
        seed_stream(self.chance, seed, index, stream)
        self._unless_replaying = RECORD if record else SAMPLE

    @property
    def draws(self) -> list[Draw]:
        """What the rules drew last."""
        n_draws = int(self._chances["n_draws"][0])
        answers, sizes = self._chances["answers"][0, :n_draws].tolist(), self._chances["sizes"][0, :n_draws].tolist()
        return list(zip(answers, sizes, strict=True))

    def run_drawing(self, what: str, name: str, draws: list[Draw] | None, *arguments: Any) -> None:
        """Call `start`, `step` or `imagine` on a new stretch of tape; with `draws`, these are what the rules get.

        `name` is what errors call it. While a tape is replayed there is another generator than the one that recorded it,
        so that only the tape can matter.
        """
        if draws is None and self._unless_replaying is None:
            self.sample(0, 0)  # a generator that was never seeded would answer 0 for ever
        chances = self._chances
        chances["n_draws"] = chances["n_taped"] = chances["fault"] = 0
        if draws is None:
            chances["mode"] = self._unless_replaying
            self.run(what, *arguments)
        else:
            write_tape(chances, draws)
            s0, s1 = chances["s0"][0], chances["s1"][0]
            chances["s0"], chances["s1"] = s0 ^ np.uint64(0x5DEECE66D), 1
            try:
                self.run(what, *arguments)
            finally:
                chances["s0"], chances["s1"] = s0, s1
        if chances["fault"][0]:
            raise DrawError(f"{name}: {FAULTS[int(chances['fault'][0])]}")
        if draws is not None and chances["n_draws"][0] != len(draws):
            raise DrawError(f"{name}: {len(draws)} draws are recorded, but the rules made {chances['n_draws'][0]}")

    # --- the game -------------------------------------------------------------------------------------------------------

    def start(self, draws: list[Draw] | None = None) -> bytes:
        """The state after setting up and dealing; from a recorded list of draws if one is given."""
        self._states[:] = self._blank
        self.run_drawing("start", "'start'", draws, self._states[0], self.chance)
        return self.held()

    def step(self, state: bytes, action: int, draws: list[Draw] | None = None) -> bytes:
        """The state after an action."""
        self.run_drawing("step", "'step'", draws, self.state(state), np.int64(action), self.chance)
        return self.held()

    def imagine(self, view: bytes, player: int, draws: list[Draw] | None = None) -> bytes:
        """A state that fits a view."""
        self._states[:] = self._blank
        seen = self.view_record(view)
        self.run_drawing("imagine", "'imagine'", draws, seen, np.int64(player), self.chance, self._states[0])
        return self.held()

    def starts(self, limit: int = MAX_TAPES) -> Outcomes:
        """All states that a game can begin with."""
        return self._odometer.every_outcome(lambda state, chance: self.run("start", state, chance), self._blank, "start", limit)

    def steps(self, state: bytes, action: int, limit: int = MAX_TAPES) -> Outcomes:
        """All states that playing an action can lead to."""
        self.state(state)
        move = np.int64(action)
        what = f"step with action {action}"
        return self._odometer.every_outcome(
            lambda after, chance: self.run("step", after, move, chance), self._states, what, limit
        )

    def imaginings(self, view: bytes, player: int, limit: int = MAX_TAPES) -> Outcomes:
        """All states that `imagine` can find behind a view."""
        seen, who = self.view_record(view), np.int64(player)
        return self._odometer.every_outcome(
            lambda state, chance: self.run("imagine", seen, who, chance, state), self._blank, "imagine", limit
        )

    def turn(self, state: State) -> int:
        """The player to move, or OVER."""
        player = int(self.run("turn", self.state(state)))
        if not OVER <= player < self.game.n_players:
            raise RulesError(
                f"'turn' of {self.game.name} answered {player}; players are 0 to {self.game.n_players - 1}, and "
                f"{OVER} means that the game is over"
            )
        return player

    def legal(self, state: State, least: int = 1) -> tuple[int, ...]:
        """The legal actions of the player to move; where the game may be over, `least` is 0."""
        n_legal = int(self.run("legal", self.state(state), self._actions))
        if not least <= n_legal <= self.game.n_actions:
            raise RulesError(
                f"'legal' of {self.game.name} answered {n_legal} actions; while the game runs there are 1 to "
                f"{self.game.n_actions} (declared)"
            )
        return tuple(self._actions[:n_legal].tolist())

    def allows(self, state: State, action: int) -> int:
        """Whether the player to move may do this, 1 or 0; LISTED in a game that only lists what one may do."""
        return int(self.run("allows", self.state(state), np.int64(action)))

    def view(self, state: State, player: int) -> bytes:
        """What a player sees."""
        self._view_bytes[:] = 0
        self.run("observe", self.state(state), np.int64(player), self._views[0])
        return self._views.tobytes()

    def heard(self, state: State, player: int, mover: int, action: int) -> int:
        """What a player learns of the move that led to this state: the action, HIDDEN or UNNOTICED."""
        return int(self.run("hears", self.state(state), np.int64(player), np.int64(mover), np.int64(action)))

    def settled(self, state: bytes) -> bytes:
        """The position of a state: without what has no influence on the rest of the game."""
        self.run("settle", self.state(state))
        return self.held()

    def points(self, state: State) -> list[float]:
        """The final scores as the rules fill them in, unexamined."""
        self._scores[:] = 0.0
        self.run("score", self.state(state), self._scores)
        return self._scores.tolist()

    def scores(self, state: State) -> tuple[Fraction, ...]:
        """The final scores, exactly as the rules' floats have them."""
        points = self.points(state)
        if not np.isfinite(points).all():
            raise RulesError(f"'score' of {self.game.name} gave {points}; scores are finite numbers")
        return tuple(map(Fraction, points))
