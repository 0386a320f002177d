"""The sampling methods as an engine: exactly evaluated where the tree is small enough, by playing where it is not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from facedown.agents.generic.table import table_agent
from facedown.arena.match import match
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.native.jit import COMPILED
from facedown.policies.policy import Policy
from facedown.seeds import derived_seed
from facedown.solving.best_response import Evaluation
from facedown.solving.engine import PolicyJudge
from facedown.solving.mccfr.response import approximate_best_response
from facedown.solving.mccfr.solver import SampledSolver
from facedown.solving.methods import Method
from facedown.trees.tree import Array, Tree

EXACT_NODES = 1_000_000
"""Games up to this size are evaluated exactly."""
LEARNING_ITERATIONS = 50_000 if COMPILED else 100
ESTIMATE_GAMES = 50_000 if COMPILED else 200
AVERAGES = {0.0: "uniform", 1.0: "linear"}


class SampledEngine:
    """A method that plays sampled games."""

    points_per_octave = 2

    def __init__(
        self,
        game: Game,
        method: Method,
        alternating: bool,
        seed: int,
        tree: Tree | None,
        state: Mapping[str, Array] | None = None,
    ):
        self._game, self._seed = game, seed
        name = method.kind.name
        if state is not None:
            self._solver = SampledSolver.from_state(game, name, seed, dict(state))
        else:
            self._solver = SampledSolver(game, name, seed, alternating=alternating, **_settings(method))
        self._judge = PolicyJudge(tree) if tree is not None else None
        self._solver.prepare()

    @property
    def iterations(self) -> int:
        """Iterations so far."""
        return self._solver.iterations

    def run(self, count: int) -> None:
        """Do this many more iterations."""
        self._solver.run(count)

    def evaluate(self) -> Evaluation | None:
        """How good the average policy is now; None where the tree is too large."""
        return self._judge.evaluate(self.policy()) if self._judge is not None else None

    def estimate(self) -> Evaluation:
        """Values from games that are played, and gains that responses learnt by sampling reach at least."""
        game, policy = self._game, self.policy()
        seed = derived_seed(self._seed, "estimate")  # nothing in common with the learning
        seats = [table_agent(policy.of_player(seat)) for seat in range(game.n_players)]
        played = match(game, seats, games=ESTIMATE_GAMES, seed=seed, swap=False)
        found = [
            approximate_best_response(
                game,
                policy,
                player,
                iterations=LEARNING_ITERATIONS,
                games=ESTIMATE_GAMES,
                seed=derived_seed(seed, "response", player),
            )
            for player in range(game.n_players)
        ]
        return Evaluation(
            values=tuple(map(float, played.mean)),
            gains=tuple(max(best.value - mean, 0.0) for best, mean in zip(found, played.mean, strict=True)),
            exact=False,
            stderr=tuple(math.hypot(best.stderr, error) for best, error in zip(found, played.stderr, strict=True)),
        )

    def policy(self) -> Policy:
        """The average policy, as far as information sets were met."""
        return self._solver.policy()

    def state(self) -> dict[str, Array]:
        """All that is needed to go on from here, exactly."""
        return self._solver.state()


def _settings(method: Method) -> dict[str, Any]:
    """The method's parameters, as the solver calls them."""
    if method.average not in AVERAGES:
        raise UsageError(f"average={method.average:g}: {method.kind.name} can weigh by t^0 or t^1, so 0 or 1")
    settings: dict[str, Any] = {"average": AVERAGES[method.average], "plus": bool(method.parameters["plus"])}
    if "epsilon" in method.parameters:
        settings["epsilon"] = method.parameters["epsilon"]
    return settings
