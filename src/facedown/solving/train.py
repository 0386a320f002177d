"""A playable table for a game that is too large to solve: learnt by external sampling, then decided.

1. Regret minimisation by external sampling (`mccfr/solver.py`), on an abstraction such as `love_letter_abstract`.
2. In every information set, keep the one action of largest regret: the one that would have done best so far. Where there
   are more information sets than time to average in, this plays far better than the average does; but a table of pure
   actions can be found out, so it is a strong player and no equilibrium.
3. Drop information sets that nothing was learnt about. What is left is small, and read quickly.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from facedown import plugins
from facedown.files import place_for, user_path
from facedown.forecast import Forecast
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import MAX_ITERATIONS, check_seed, whole_number
from facedown.policies.policy import Policy, save_policy
from facedown.progress import Callback, Reporter
from facedown.solving.mccfr.solver import SampledSolver

ITERATIONS = 500_000
_BATCH = 1_000


@dataclass(frozen=True)
class TrainResult:
    """A table that was learnt, and how."""

    game: str
    iterations: int
    seed: int
    seconds: float
    repeat: str
    """The command that learns the same table again."""
    policy: Policy = field(repr=False, compare=False)
    """A move for every information set that something was learnt about."""
    file: str = ""
    """Where the table is, if it was saved; the agent table(FILE) plays it."""

    def to_dict(self) -> dict[str, Any]:
        """All but the table itself, as JSON has it."""
        facts = {"game": self.game, "iterations": self.iterations, "seed": self.seed, "information_sets": self.policy.n_sets}
        if self.file:
            facts |= {"file": self.file, "bytes": user_path(self.file).stat().st_size}
        return {"schema": "facedown.train/1", **facts, "seconds": self.seconds, "repeat": self.repeat}

    def __repr__(self) -> str:
        place = f", in {self.file}; play it as table({self.file})" if self.file else ""
        return (
            f"{self.game}: a move for each of {self.policy.n_sets:,} information sets, learnt in {self.iterations:,} "
            f"iterations (seed {self.seed}, {self.seconds:.1f} s){place}"
        )

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"


def train(
    game: str | Game,
    *,
    iterations: int = ITERATIONS,
    seed: int | None = 1,
    save: str | Path | None = None,
    progress: Callback | None = None,
) -> TrainResult:
    """Learn a table, and write it to a file that the agent table(FILE) plays. The same seed gives the same table.

    game         an abstraction, or any game that is not too large: each information set that is met takes room
    iterations   a walk for each player in each of them
    progress     called now and then; the details hold the number of `information_sets`
    """
    found, seed = find_game(game), check_seed(seed)
    iterations = whole_number("iterations", iterations, 1, MAX_ITERATIONS)
    if save is not None:
        place_for(save, f"cannot save to '{save}'")
    solver = SampledSolver(found, "external-sampling", seed, plus=True)
    solver.prepare()
    started = time.perf_counter()
    forecast, report = Forecast(iterations, "iterations"), Reporter(progress, iterations, "iterations")
    while solver.iterations < iterations:
        solver.run(min(_BATCH, iterations - solver.iterations))
        forecast.update(solver.iterations)
        report(solver.iterations, f"{solver.n_sets:,} information sets", information_sets=solver.n_sets)
    policy = decided(solver)
    if save is not None:
        save_policy(policy, save)
    words = ["facedown", "train", found.spec, "--iterations", str(iterations), "--seed", str(seed)]
    return TrainResult(
        game=found.spec,
        iterations=iterations,
        seed=seed,
        seconds=time.perf_counter() - started,
        repeat=plugins.command(*words, "--save", str(save or "FILE")),
        policy=policy,
        file="" if save is None else str(save),
    )


def decided(solver: SampledSolver) -> Policy:
    """The action of largest regret, the first of equals, in every information set where there was one to regret."""
    state = solver.state()
    first, regrets = state["first"], state["regrets"]
    widths = np.diff(first)
    n_sets = len(widths)
    if not n_sets:
        return solver.policy()
    best = np.maximum.reduceat(regrets, first[:-1])
    owners = np.repeat(np.arange(n_sets), widths)
    candidates = np.flatnonzero(regrets == best[owners])
    learnt = np.logical_or.reduceat(regrets != 0, first[:-1])
    rows = candidates[np.unique(owners[candidates], return_index=True)[1]][learnt]
    return Policy(
        game=solver.game.spec,
        players=state["players"][learnt],
        views=state["views"][learnt],
        first=np.arange(len(rows) + 1, dtype=np.int64),
        actions=state["actions"][rows],
        probabilities=np.ones(len(rows)),
    )
