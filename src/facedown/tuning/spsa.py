"""Simultaneous perturbation, two-sided and on common deals, as fishtest tunes chess programs with it.

Source: Spall 1992; the gains are those of fishtest, where N is the number of deals of the whole run, A = N/10 and k counts
deals:

    c_k = c (N/k)^.101                    how far apart the two sides are
    R_k = r ((A+N)/(A+k))^.602 (c/c_k)^2  how much a won game moves

1. Draw a vector of signs D. The two sides are x + c_k D and x - c_k D.
2. They play each other; W is what the first has won more than lost, in games.
3. x <- x + R_k c_k W D, within the bounds.

The answer is where x has come to on average over the last half of the run, which noise moves less than its last place
(Polyak & Juditsky 1992).
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from facedown.tuning.questions import Answer, Question, Stepwise
from facedown.tuning.space import Space, Vector

_ALPHA, _GAMMA = 0.602, 0.101
_PERTURBATION = 2.0
"""c: in scales, at the end of the run."""
_RATE = 0.002
"""r: fishtest's, where a run has some 30,000 deals; longer runs take it smaller in proportion to the root of their length."""
_RATE_DEALS = 30_000


class Spsa(Stepwise):
    """A point that is moved by who wins on either side of it."""

    def __init__(self, space: Space, start: Vector, rng: np.random.Generator, *, n_deals: int, deals_a_step: int):
        super().__init__(space)
        self._rng, self._n_deals, self._deals_a_step = rng, max(n_deals, 1), deals_a_step
        self._low, self._high = space.low / space.scales, space.high / space.scales
        self._x = np.array(start) / space.scales
        self._mean, self._n_averaged = self._x.copy(), 0

    @property
    def best(self) -> Vector:
        """The average place of late."""
        return self.space.within(self._mean * self.space.scales)

    def steps(self) -> Generator[Question, Answer, None]:
        """Perturb, play, move."""
        n, offset, step = self._n_deals, self._n_deals / 10, 0
        rate = _RATE * min(1.0, (_RATE_DEALS / n) ** 0.5)
        while True:
            deals = step * self._deals_a_step + 1
            apart = _PERTURBATION * (n / deals) ** _GAMMA
            gain = rate * ((offset + n) / (offset + deals)) ** _ALPHA * (_PERTURBATION / apart) ** 2
            signs = self._rng.choice((-1.0, 1.0), len(self._x))
            above, below = (self.space.within((self._x + side * apart * signs) * self.space.scales) for side in (1, -1))
            answer = yield Question(above, (below,), n_deals=self._deals_a_step, luck=f"{step}", against="the other side")
            won = (2 * answer.mean - 1) * 2 * answer.n
            self._x = np.clip(self._x + gain * apart * won * signs, self._low, self._high)
            step += 1
            self.n_accepted += 1
            self._average(step * self._deals_a_step)

    def _average(self, deals: int) -> None:
        """Until half of the run the last place is all that counts."""
        self._n_averaged = self._n_averaged + 1 if 2 * deals > self._n_deals else 1
        self._mean += (self._x - self._mean) / self._n_averaged
