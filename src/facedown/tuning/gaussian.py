"""Bayesian optimisation with a Gaussian process, from the package `bayesian-optimization`.

1. Some candidates spread over the box (Sobol), and the start, are measured.
2. A Gaussian process with one length for each parameter is fitted to all measurements, each with its own error.
3. Where the upper bound of its prediction is highest, the next candidate is measured; 2 again.

Candidates are measured against an incumbent, which gives way now and then to the candidate with the best prediction.
Measurements against different incumbents are put on one scale: what x scores against y counts as f(y) + mean - 1/2.

The answer is the measured candidate with the best prediction, which noise moves less than its own score.
"""

from __future__ import annotations

import importlib.metadata
import warnings
from collections.abc import Generator
from typing import Any

import numpy as np

from facedown.tuning.extras import needed
from facedown.tuning.questions import RATED, Answer, Question, Stepwise
from facedown.tuning.space import Space, Vector

_N_SPREAD_PER_PARAMETER = 3
_KAPPA = 2.0
"""How many standard deviations the upper bound lies above the prediction."""
_NEW_INCUMBENT = 10
"""Measurements after which the best prediction becomes the incumbent."""
_SMALLEST_ERROR = 1e-4
_N_RANDOM, _N_SMART = 1_000, 3
"""Where the upper bound is looked at, and how many of these places are improved."""
LENGTHS = (0.05, 20.0)
"""Between which the process may look for lengths, in widths of the box."""


class Gaussian(Stepwise):
    """A model of the whole box, measured where it is most promising."""

    def __init__(
        self,
        space: Space,
        start: Vector,
        rng: np.random.Generator,
        *,
        n_deals: int,
        against: str,
    ):
        super().__init__(space)
        self._library = needed("bayes_opt", "gp")
        self._rng, self._n_deals, self._against = rng, n_deals, against
        self._incumbent, self._level = start, 0.5
        self._best = start
        self._measured: list[Vector] = []
        self._values: list[float] = []
        self._errors: list[float] = []
        self._kernel: Any = None

    @property
    def best(self) -> Vector:
        """The measured candidate with the best prediction."""
        return self._best

    def steps(self) -> Generator[Question, Answer, None]:
        """Spread, then follow the model."""
        if self._against in RATED:
            yield from self._measure(self._best)
        else:
            self._note(self._best, self._level, _SMALLEST_ERROR)
        for point in self._spread():
            yield from self._measure(point)
        since = 0
        while True:
            process = self._fit()
            since += 1
            predictions = process.predict(self._cube(self._measured))
            place = int(np.argmax(predictions))
            if self._measured[place] != self._best:
                self._best = self._measured[place]
                self.n_accepted += 1
            if since >= _NEW_INCUMBENT and self._against == "incumbent" and self._incumbent != self._best:
                self._incumbent, self._level, since = self._best, float(predictions[place]), 0
            yield from self._measure(self._suggest(process))

    def _spread(self) -> list[Vector]:
        from scipy.stats import qmc

        count = _N_SPREAD_PER_PARAMETER * len(self.space.names)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a number of points that is no power of two is balanced enough
            cube = qmc.Sobol(len(self.space.names), rng=self._rng).random(count)
        return [self.space.within(point) for point in self.space.low + cube * (self.space.high - self.space.low)]

    def _measure(self, x: Vector) -> Generator[Question, Answer, None]:
        rivals = () if self._against in RATED else (self._incumbent,)
        luck = f"{len(self._measured)}"
        answer = yield Question(x, rivals, n_deals=self._n_deals, luck=luck, against=self._against)
        self._note(x, answer.mean if not rivals else self._level + answer.mean - 0.5, max(answer.stderr, _SMALLEST_ERROR))

    def _note(self, x: Vector, value: float, error: float) -> None:
        self._measured.append(x)
        self._values.append(value)
        self._errors.append(error)

    def _cube(self, points: list[Vector]) -> Any:
        return (np.array(points) - self.space.low) / (self.space.high - self.space.low)

    def _fit(self) -> Any:
        """The process that fits all measurements; its lengths are sought from where they were before."""
        from sklearn.gaussian_process import GaussianProcessRegressor
        from sklearn.gaussian_process.kernels import ConstantKernel, Matern

        if self._kernel is None:
            lengths = np.full(len(self.space.names), 0.5)
            self._kernel = ConstantKernel(1.0, (0.01, 100.0)) * Matern(lengths, LENGTHS, nu=2.5)
        spread = float(np.std(self._values)) or 1.0
        noise = (np.array(self._errors) / spread) ** 2  # the process works on values of variance 1
        process = GaussianProcessRegressor(self._kernel, alpha=noise, normalize_y=True)
        with warnings.catch_warnings(), _one_thread():
            warnings.simplefilter("ignore")  # a parameter without influence has no length, and is no reason to worry
            process.fit(self._cube(self._measured), np.array(self._values))
        self._kernel = process.kernel_
        return process

    def _suggest(self, process: Any) -> Vector:
        """Where the upper bound is highest, as the library finds it."""
        names = [f"x{number:03}" for number in range(len(self.space.names))]
        box = self._library.TargetSpace(None, dict.fromkeys(names, (0.0, 1.0)), allow_duplicate_points=True)
        # it will not be empty; but the bound looks at nothing but the process, which knows all measurements
        box.register(self._cube(self._measured)[0], self._values[0])
        bound = self._library.acquisition.UpperConfidenceBound(kappa=_KAPPA)
        seed = int(self._rng.integers(2**31))
        with _one_thread():
            found = bound.suggest(process, box, n_random=_N_RANDOM, n_smart=_N_SMART, fit_gp=False, random_state=seed)
        return self.space.within(self.space.low + np.asarray(found) * (self.space.high - self.space.low))


def _one_thread() -> Any:
    """Matrices this small gain nothing from threads, and their sums would depend on the number of cores."""
    return needed("threadpoolctl", "gp").threadpool_limits(1)


def version() -> str:
    """The versions of the packages: others may ask other questions."""
    return f"{importlib.metadata.version('bayesian-optimization')}, {importlib.metadata.version('scikit-learn')}"
