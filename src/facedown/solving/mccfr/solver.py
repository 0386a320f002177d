"""Regret minimisation by sampling, on the rules themselves: no tree is built, so games of any size can be worked on.

Information sets are entered into a hash table when a walk first comes by; `walks.py` has the algorithms.
Iteration i draws from streams that are derived from the seed and i alone, so results depend neither on how iterations
are cut into batches nor on interruptions, to the last bit.

Perfect recall is assumed, not checked: `facedown check` does that. With two players and zero sum the average
strategies approach an equilibrium; with more players, a coarse correlated equilibrium.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.errors import FacedownError, RulesError, UsageError, unknown
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import MAX_ITERATIONS, check_seed, whole_number
from facedown.native.chance import CHANCE, FAULTS
from facedown.native.jit import COMPILED, compiling, explained, prepare_thread
from facedown.native.records import Record, blank
from facedown.native.rules_loop import bind_rules, loop_part
from facedown.policies.policy import Policy, PolicyFileError
from facedown.solving.mccfr import walks
from facedown.solving.mccfr.information_sets import InformationSets, n_words

Array = np.ndarray[Any, Any]

METHODS = {
    "chance-sampling": "chance is drawn, all actions of all players are tried",
    "external-sampling": "chance and the other players are drawn, all actions of one player are tried",
    "outcome-sampling": "one game is drawn",
}
_NUMBERS = {
    "chance-sampling": walks.CHANCE_SAMPLING,
    "external-sampling": walks.EXTERNAL_SAMPLING,
    "outcome-sampling": walks.OUTCOME_SAMPLING,
}
AVERAGES = ("uniform", "linear")
_PATIENCE = 1_000_000 if COMPILED else 10_000  # decisions in a native call: Ctrl-C waits for the one under way
_SECONDS_TO_COMPILE = 8


class SampledSolver:
    """A sampling method at work on a game.

    epsilon      outcome sampling: how often the walker moves uniformly
    alternating  chance sampling: a walk for each player, one after the other; False: one for all (the source's)
    average      how much iteration t weighs in the average strategy: "uniform" 1, "linear" t
    plus         regrets that fall below 0 are set to 0 (regret matching+)
    """

    def __init__(
        self,
        game: str | Game,
        method: str = "external-sampling",
        seed: int = 0,
        *,
        epsilon: float = 0.6,
        alternating: bool = True,
        average: str = "uniform",
        plus: bool = False,
    ):
        self.game = find_game(game)
        if method not in METHODS:
            raise unknown("sampling method", method, METHODS)
        if average not in AVERAGES:
            raise UsageError(f"average={average}: averages are {' or '.join(AVERAGES)}")
        if not 0 < epsilon <= 1:
            raise UsageError(f"epsilon={epsilon}: the walker explores with a probability above 0 and at most 1")
        if not alternating and method != "chance-sampling":
            raise UsageError(f"{method} always walks for one player after the other; alternating=False is for chance-sampling")
        self.method, self.seed = method, check_seed(seed)
        self.epsilon, self.alternating, self.average, self.plus = float(epsilon), bool(alternating), average, bool(plus)
        self._sets = InformationSets(self.game)
        self._works = blank(walks.WORK)
        self._work: Record = self._works[0]
        self._work.method, self._work.alternating, self._work.end_task = _NUMBERS[method], self.alternating, self._n_tasks()
        self._work.plus, self._work.linear, self._work.epsilon = self.plus, average == "linear", self.epsilon
        self._work.seed, self._work.depth = self.seed, -1
        self._make_room()
        self._walk: Any = None
        self.patience = _PATIENCE

    def _n_tasks(self) -> int:
        """Walks of an iteration."""
        n_players = self.game.n_players
        if self.method == "chance-sampling":
            return n_players if self.alternating else 1
        return n_players if n_players == 2 else 2 * n_players

    def _make_room(self) -> None:
        game = self.game
        n_frames, n_players = game.max_moves + 1, game.n_players
        self._chances = blank(CHANCE, 2)
        seen = blank(np.uint64, n_words(game))  # native code reads the view as words, so it begins and ends with one
        self._room = walks.Room(
            game.blank(),
            game.blank(n_frames + 1),
            seen.view(np.uint8)[: game.view.itemsize].view(game.view),
            seen.reshape(1, -1),
            self._chances,
            np.zeros(n_players),
            np.zeros(game.n_actions + 4, np.int64),
            blank(walks.FRAME, n_frames),
            np.zeros((n_frames, game.n_actions), np.int64),
            np.zeros((n_frames, game.n_actions)),
        )

    # --- work -----------------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Compile the walks of this game, or get them from the cache; the first `run` does it too."""
        if self._walk is not None:
            return
        prepare_thread()
        with compiling(loop_part(f"sampling {self.game.name}", _SECONDS_TO_COMPILE, walks.sample_walks, self.game)):
            self._walk = bind_rules(walks.sample_walks, self.game)
            self._go_on_to(self.iterations)

    def run(self, iterations: int) -> None:
        """Go on for this many iterations."""
        iterations = whole_number("iterations", iterations, 0, MAX_ITERATIONS)
        self.prepare()
        self._go_on_to(self.iterations + iterations)

    def _settle(self) -> None:
        """End the iteration in the middle of which somebody pressed Ctrl-C; between two, there is nothing to do."""
        if self._work.depth >= 0 or self._work.task != self._work.first_task:
            self._go_on_to(self.iterations + 1)

    def _go_on_to(self, stop: int) -> None:
        """Native code up to an iteration; where it needs more room, it gets it and goes on where it was."""
        answer = walks.PAUSED
        while answer in {walks.PAUSED, walks.WAITS_FOR_ROOM}:
            try:
                with explained(f"the rules of {self.game.name}"):
                    answer = self._walk(self._room, self._sets.table, self._works, stop, self.patience)
            except FacedownError:
                raise
            except Exception as problem:
                reason = f"{type(problem).__name__}: {problem}"
                raise RulesError(f"{self.game} failed after {self.iterations:,} iterations: {reason}") from problem
            if answer == walks.WAITS_FOR_ROOM:
                self._sets.grow()
        if answer != walks.DONE:
            raise RulesError(f"{self.game}, iteration {self.iterations} of seed {self.seed}: {self._problem(int(answer))}")
        fault = int(self._chances["fault"][0])
        if fault:
            raise RulesError(f"{self.game}: {FAULTS[fault]}")

    def _problem(self, answer: int) -> str:
        game = self.game
        return {
            walks.TOO_LONG: f"the game goes on past its declared {game.max_moves} moves",
            walks.WRONG_LEGAL: f"'legal' did not answer with 1 to {game.n_actions} actions (declared)",
            walks.WRONG_TURN: f"'turn' answered a player that is not there (0 to {game.n_players - 1})",
            walks.DIFFERENT_ACTIONS: "a player sees the same in two places, but has not as many legal actions in both",
        }[answer]

    def answer(self, policy: Policy, player: int) -> None:
        """From now on walk for one player only; the others keep to this policy. For a solver that has not run yet."""
        if self.iterations or self.n_sets:
            raise UsageError("a solver that has run already has strategies of its own; answer with a new one")
        for other in range(self.game.n_players):
            if other != player:
                self._sets.enter(policy.of_player(other))
        self._work.first_task = self._work.task = player
        self._work.end_task = player + 1

    # --- results --------------------------------------------------------------------------------------------------------

    @property
    def iterations(self) -> int:
        """Iterations that are finished."""
        return int(self._work.iteration)

    @property
    def n_sets(self) -> int:
        """Information sets that were met so far; where there is no choice, there is none."""
        return self._sets.n_sets

    @property
    def n_bytes(self) -> int:
        """Memory of the table of information sets."""
        return self._sets.n_bytes

    def policy(self) -> Policy:
        """The average strategies so far."""
        self._settle()
        return self._sets.policy()

    def greedy(self, player: int) -> Policy:
        """For one player: the action with the largest regret in every information set."""
        return self._sets.greedy(player)

    # --- saving ---------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Array]:
        """All that has to be kept to go on later, to the last bit as without the interruption."""
        self._settle()
        facts = {"game": self.game.spec, "method": self.method, "average": self.average}
        numbers = {"iterations": self.iterations, "epsilon": self.epsilon, "alternating": self.alternating, "plus": self.plus}
        return {
            **{name: np.array(value) for name, value in (facts | numbers).items()},
            "seed": np.array(self.seed),
            **self._sets.state(),
        }

    @classmethod
    def from_state(cls, game: str | Game, method: str, seed: int, state: dict[str, Array]) -> SampledSolver:
        """Go on where the solver with this `state` was."""
        wanted = {"game": find_game(game).spec, "method": method, "seed": seed}
        missing = {*wanted, *_FACTS, *_ARRAYS} - state.keys()
        if missing:
            raise PolicyFileError(f"this is not the state of a sampling method: {', '.join(sorted(missing))} is missing")
        for name, value in wanted.items():
            if state[name].item() != value:
                raise UsageError(f"the saved state has the {name} {state[name].item()}, not {value}; go on with the same")
        n_sets, first = len(state["players"]), state["first"]
        shapes = (
            len(state["views"]),
            len(first) - 1,
            first[-1] if len(first) else -1,
            len(state["regrets"]),
            len(state["totals"]),
        )
        n_rows = len(state["actions"])
        if shapes != (n_sets, n_sets, n_rows, n_rows, n_rows) or state["views"].shape[1:] != (find_game(game).view.itemsize,):
            raise PolicyFileError("the saved state is damaged: its parts do not fit together, or not to the game")
        solver = cls(game, method, seed, **{name: state[name].item() for name in _FACTS if name != "iterations"})
        solver._sets.restore({name: state[name] for name in _ARRAYS})
        solver._work.iteration = state["iterations"].item()
        return solver


_FACTS = ("iterations", "epsilon", "alternating", "average", "plus")
_ARRAYS = ("players", "views", "first", "actions", "regrets", "totals")
