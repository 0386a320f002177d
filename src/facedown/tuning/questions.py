"""Ask and tell: what an optimiser wants to know, and what it is told. All optimisers sit in this seat.

    question = optimiser.ask()        a candidate, whom to compare it with, on which deals, and for how long
    optimiser.tell(answer)            mean score, standard error, number of games, and the verdict of the race
    optimiser.best                    what it would recommend now

An optimiser plays no games and keeps no files. It is a function of its seed and of the answers so far: so a run that was
stopped comes back by telling it the same answers again.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from facedown.arena.intervals import anytime_interval
from facedown.racing.methods import Setting
from facedown.tuning.space import Space, Vector

RATED = ("field", "score")
"""What candidates can be measured by without a rival."""


@dataclass(frozen=True)
class Question:
    """How good is a candidate?"""

    x: Vector
    rivals: tuple[Vector, ...] = ()
    """Compared with one of these, drawn anew for every deal if there are several; none: its score alone is asked for."""
    race: Setting | None = None
    """Play until this race has a verdict; None: play `n_deals`."""
    n_deals: int = 0
    luck: str = ""
    """Questions with the same word here are played on the same deals."""
    against: str = ""
    """Who the rivals are, in a word or two."""


@dataclass(frozen=True)
class Answer:
    """How good it was: scores from 0 to 1, of which 1/2 means as good as the rivals."""

    n: int
    """Observations: deals that count."""
    total: float
    squares: float
    games: int
    """Games that were played, those beyond the decision included."""
    verdict: str = ""
    """Of the race: first, second, practically equal or undecided; empty where there was none."""

    @property
    def mean(self) -> float:
        """The mean score."""
        return self.total / self.n if self.n else 0.5

    @property
    def stderr(self) -> float:
        """Its standard error; of one score nothing is known but that it lies in [0, 1]."""
        if self.n < 2:
            return 0.5
        return math.sqrt(max(self.squares / self.n - self.mean**2, 0.0) / (self.n - 1))

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Where the true mean lies, with probability .95 at all times together."""
        return anytime_interval(self.total, self.n, 0.05, max(self.squares - self.total + 0.25 * self.n, 0.0))


class Optimiser(Protocol):
    """Anything that asks and is told."""

    n_accepted: int
    """Steps so far: how often `best` has changed for something that proved itself."""

    @property
    def best(self) -> Vector:
        """What it would recommend now; never merely the candidate that had the most luck."""

    def ask(self) -> Question:
        """The next question; the same one until it is answered."""

    def tell(self, answer: Answer) -> None:
        """Answer it."""


class Stepwise(ABC):
    """An optimiser that is written as one function: it yields questions and gets their answers."""

    def __init__(self, space: Space):
        self.space = space
        self.n_accepted = 0
        self._run: Generator[Question, Answer, None] | None = None
        self._asked: Question | None = None

    @abstractmethod
    def steps(self) -> Generator[Question, Answer, None]:
        """The whole algorithm, without an end."""

    @property
    @abstractmethod
    def best(self) -> Vector:
        """What it would recommend now."""

    def ask(self) -> Question:
        """The next question."""
        if self._run is None:
            self._run = self.steps()
            self._asked = next(self._run)
        assert self._asked is not None
        return self._asked

    def tell(self, answer: Answer) -> None:
        """Answer it."""
        self.ask()
        run: Any = self._run
        self._asked = run.send(answer)
