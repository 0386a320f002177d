"""The four algorithms of the source: a step at random, a race, and a step size that learns from the outcome.

Source: Jakóbczyk, Wrocław 2023, algorithms 6 to 9, after Cauwet & Teytaud 2018.

1. x' = x + sigma N(0, I), within the bounds.
2. Races decide whether x' is accepted (below).
3. Accepted: x <- x', it joins the archive, sigma grows. Otherwise sigma shrinks.

| method       | x' is accepted when it                                                        |
| iterative    | beats x                                                                       |
| coevolution  | beats every member of the archive                                             |
| approximate  | beats one member of the archive, drawn once for this candidate                |
| approximate2 | wins against the archive, when the opponent is drawn anew for every deal      |

The archive begins as {x}. Factors of 1.25 and .84 balance at 44 % of success, 2 and .84 at 20 % (the one-fifth rule).

The last two accept whatever beats somebody that was good once, so x wanders, and the last x is not the best. It is what the
source gives back; here x goes its way, but what is recommended is a champion: an accepted candidate that beats it takes its
place. In thousands of challenges a race that errs now and then would unseat any champion, so challenge k has 6/(pi k)^2 of
CHAMPION_DELTA: with probability .95 no champion ever gives way to somebody who is worse by epsilon.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator

import numpy as np

from facedown.racing.methods import MIN_DELTA, Setting
from facedown.tuning.questions import Answer, Question, Stepwise
from facedown.tuning.space import Space, Vector

_CHAMPION_DELTA = 0.05
_WANDERING = ("approximate", "approximate2")
MAX_SIGMA, _MIN_SIGMA = 40.0, 1e-4
"""In scales: a step of the first crosses any range, and one of the second is lost in the digits."""


class Evolution(Stepwise):
    """One parent, one child, and what the child must show."""

    def __init__(
        self,
        space: Space,
        start: Vector,
        rng: np.random.Generator,
        *,
        method: str,
        race: Setting,
        grow: float,
        shrink: float,
        sigma: float,
        champion: bool = True,
    ):
        super().__init__(space)
        self.x, self.sigma = start, sigma
        self._champion = start
        self._crowns = champion and method in _WANDERING
        self.archive = [start]
        self._rng, self._race, self._grow, self._shrink = rng, race, grow, shrink
        self._accepts = ACCEPTANCE[method]
        self._n_candidates = 0
        self._n_challenges = 0

    @property
    def best(self) -> Vector:
        """The champion, or the parent, where it cannot be worse: both have won their races."""
        return self._champion if self._crowns else self.x

    def steps(self) -> Generator[Question, Answer, None]:
        """Mutate, race, adapt."""
        while True:
            candidate = self._mutant()
            self._n_candidates += 1
            accepted = yield from self._accepts(self, candidate)
            if accepted:
                self.x = candidate
                self.archive.append(candidate)
                self.n_accepted += 1
                if self._crowns and (yield from self._beats_champion(candidate)):
                    self._champion = candidate
            self.sigma = min(max(self.sigma * (self._grow if accepted else self._shrink), _MIN_SIGMA), MAX_SIGMA)

    def _mutant(self) -> Vector:
        """A child that differs from its parent; where all steps lead nowhere, larger ones are taken."""
        while True:
            child = self.space.moved(self.x, self.sigma * self._rng.standard_normal(len(self.x)))
            if child != self.x:
                return child
            self.sigma = min(2 * self.sigma, MAX_SIGMA)

    def beats(self, candidate: Vector, rivals: tuple[Vector, ...], against: str) -> Generator[Question, Answer, bool]:
        """Race a candidate; every race has deals of its own."""
        answer = yield Question(candidate, rivals, self._race, luck=f"{self._n_candidates} {against}", against=against)
        return answer.verdict == "first"

    def _beats_champion(self, candidate: Vector) -> Generator[Question, Answer, bool]:
        self._n_challenges += 1
        delta = max(_CHAMPION_DELTA * 6 / (math.pi * self._n_challenges) ** 2, MIN_DELTA)
        race, luck = Setting("duel", self._race.epsilon, delta), f"{self._n_candidates} champion"
        answer = yield Question(candidate, (self._champion,), race, luck=luck, against="champion")
        return answer.verdict == "first"

    def beats_parent(self, candidate: Vector) -> Generator[Question, Answer, bool]:
        """Algorithm 6."""
        return (yield from self.beats(candidate, (self.x,), "incumbent"))

    def beats_everybody(self, candidate: Vector) -> Generator[Question, Answer, bool]:
        """Algorithm 7; the last accepted first, since most candidates fail there."""
        for number in reversed(range(len(self.archive))):
            if not (yield from self.beats(candidate, (self.archive[number],), f"archive {number}")):
                return False
        return True

    def beats_somebody(self, candidate: Vector) -> Generator[Question, Answer, bool]:
        """Algorithm 8."""
        number = int(self._rng.integers(len(self.archive)))
        return (yield from self.beats(candidate, (self.archive[number],), f"archive {number}"))

    def beats_anybody(self, candidate: Vector) -> Generator[Question, Answer, bool]:
        """Algorithm 9."""
        return (yield from self.beats(candidate, tuple(self.archive), f"archive of {len(self.archive)}"))


ACCEPTANCE: dict[str, Callable[[Evolution, Vector], Generator[Question, Answer, bool]]] = {
    "iterative": Evolution.beats_parent,
    "coevolution": Evolution.beats_everybody,
    "approximate": Evolution.beats_somebody,
    "approximate2": Evolution.beats_anybody,
}
