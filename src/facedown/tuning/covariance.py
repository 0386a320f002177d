"""CMA-ES with its noise handling, from the package `cma` (Hansen et al.).

1. A generation of candidates is drawn; all of them play on the same deals, against the mean of the distribution as it is
   now, against all means so far, or against a field.
2. Some of them play again, on other deals: how much their ranks change tells whether noise decides (Hansen, Niederberger,
   Guzzella & Koumoutsakos 2009). If it does, the next generation plays more deals, and the step size grows.
3. The ranks move the distribution.

The answer is the mean of the distribution, never its luckiest member.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Generator
from typing import Any

import numpy as np

from facedown.errors import UsageError
from facedown.tuning.extras import needed
from facedown.tuning.questions import RATED, Answer, Question, Stepwise
from facedown.tuning.space import Space, Vector

_N_AGAIN = 2
"""Candidates of a generation that play twice."""
MAX_DEALS = 64
"""The noise handling may ask for this many times the deals of the start."""


class Covariance(Stepwise):
    """A normal distribution that learns where candidates do well."""

    def __init__(
        self,
        space: Space,
        start: Vector,
        rng: np.random.Generator,
        *,
        sigma: float,
        n_deals: int,
        against: str,
    ):
        super().__init__(space)
        if len(start) < 2:
            raise UsageError("cma needs at least two parameters to move; choose another method for one")
        cma = needed("cma", "cma")
        self._against, self._n_deals = against, n_deals
        options = {
            "bounds": [(space.low / space.scales).tolist(), (space.high / space.scales).tolist()],
            "randn": lambda *shape: rng.standard_normal(shape),
            "seed": np.nan,
            "verbose": -9,
            "tolflatfitness": 1_000_000,
        }
        self._strategy: Any = cma.CMAEvolutionStrategy(np.array(start) / space.scales, sigma, options)
        self._noise: Any = cma.NoiseHandler(len(start), [1, 1, MAX_DEALS], aggregate=None, reevals=_N_AGAIN, epsilon=0)
        self._best, self._means = start, [start]

    @property
    def best(self) -> Vector:
        """The mean of the distribution."""
        return self._best

    def steps(self) -> Generator[Question, Answer, None]:
        """Generations, without an end: whether it has converged is for the budget to say."""
        strategy, noise, generation = self._strategy, self._noise, 0
        while True:
            points = strategy.ask()
            losses = yield from self._play(points, f"{generation}")
            again = noise.indices(losses)
            measured = yield from self._play([points[index] for index in again], f"{generation} again")
            strategy.tell(points, losses)
            strategy.sigma *= noise(points, losses, _replay(measured))
            strategy.sigma = float(min(strategy.sigma, 40.0))
            self._best = self.space.within(strategy.result.xfavorite * self.space.scales)
            if self._best != self._means[-1]:
                self._means.append(self._best)
            generation += 1
            self.n_accepted += 1

    def _play(self, points: Any, luck: str) -> Generator[Question, Answer, list[float]]:
        """What candidates lose, all on the same deals."""
        n_deals, losses = max(int(self._n_deals * self._noise.evaluations), 1), []
        for point in points:
            x = self.space.within(np.asarray(point) * self.space.scales)
            answer = yield Question(x, self._rivals(), n_deals=n_deals, luck=luck, against=self._against)
            losses.append(1.0 - answer.mean)
        return losses

    def _rivals(self) -> tuple[Vector, ...]:
        if self._against in RATED:
            return ()
        return tuple(self._means) if self._against == "archive" else (self._best,)


def _replay(measured: list[float]) -> Any:
    """A function for the noise handling, which wants to ask for itself: it hears what was measured before."""
    remaining = iter(measured)
    return lambda _: next(remaining)


def version() -> str:
    """The version of the package: another one may ask other questions."""
    return importlib.metadata.version("cma")
