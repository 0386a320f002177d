"""A playable table for a game that is too large to solve: learnt by external sampling, then decided.

1. Regret minimisation by external sampling (`sampling.py`), on an abstraction such as `love_letter_abstract`.
2. In every information set, keep the one action of largest regret: the one that would have done best so far. Where there
   are more information sets than time to average in, this plays far better than the average does; but a table of pure
   actions can be found out, so it is a strong player and no equilibrium.
3. Drop information sets that nothing was learnt about. What is left is small, and read quickly.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from facedown.agents.policy import Policy, save_policy
from facedown.arena.match import check_seed
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.solving.sampling import SampledSolver

ITERATIONS = 500_000
_BATCH = 1_000

Progress = Callable[[int, int, float], None]
"""Told how many iterations are done, how many information sets there are, and the seconds so far."""


def train(
    game: str | Game,
    *,
    iterations: int = ITERATIONS,
    seed: int | None = 1,
    save: str | Path | None = None,
    progress: Progress | None = None,
) -> Policy:
    """Learn a table, and write it to a file that the agent table(FILE) plays. The same seed gives the same table.

    game         an abstraction, or any game that is not too large: each information set that is met takes room
    iterations   a walk for each player in each of them
    progress     called now and then
    """
    found, seed = find_game(game), check_seed(seed)
    if isinstance(iterations, bool) or not isinstance(iterations, int | np.integer) or iterations < 1:
        raise UsageError(f"iterations={iterations}: at least 1 is needed, a whole number")
    if save is not None and not Path(save).expanduser().absolute().parent.is_dir():
        raise UsageError(f"cannot save to '{save}': there is no directory '{Path(save).parent}'")
    solver = SampledSolver(found, "external-sampling", seed, plus=True)
    solver.prepare()
    started = time.perf_counter()
    while solver.iterations < iterations:
        solver.run(min(_BATCH, iterations - solver.iterations))
        if progress is not None:
            progress(solver.iterations, solver.n_sets, time.perf_counter() - started)
    policy = decided(solver)
    if save is not None:
        save_policy(policy, save)
    return policy


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
