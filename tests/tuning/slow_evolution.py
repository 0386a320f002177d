"""Algorithms 6 to 9 once more, as the source prints them: no races, but somebody who knows who is better."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Better = Callable[[tuple[float, ...], list[tuple[float, ...]]], bool]
"""Whether a strategy is better than a strategy, or than a population from which the opponent is drawn for every game."""


def evolve(
    name: str, x: tuple[float, ...], n_steps: int, seed: int, better: Better, grow: float, shrink: float, bound: float
) -> list[tuple[tuple[float, ...], tuple[float, ...], float]]:
    """All candidates with what x and sigma were after each."""
    chance = np.random.default_rng(seed)
    sigma, population, story = 1.0, [x], []
    for _ in range(n_steps):
        child = tuple(
            max(-bound, min(bound, float(f"{max(-bound, min(bound, old + sigma * step)):.6g}")))
            for old, step in zip(x, chance.standard_normal(len(x)).tolist(), strict=True)
        )
        if name == "iterative":
            success = better(child, [x])
        elif name == "coevolution":
            success = all(better(child, [member]) for member in population)
        elif name == "approximate":
            success = better(child, [population[chance.integers(len(population))]])
        else:
            success = better(child, population)
        if success:
            x, population, sigma = child, [*population, child], sigma * grow
        else:
            sigma *= shrink
        story.append((child, x, sigma))
    return story
