"""How far long work is: one `Progress` for matches, races, trees, solvers, checks and papers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Progress:
    """How far some work is; printing it gives the line that the terminal shows."""

    done: float
    total: float | None
    """How much there is to do; None where that is unknown."""
    unit: str
    """What is counted: games, iterations, seconds, ..."""
    seconds: float
    """Since the work began."""
    words: str
    details: Mapping[str, Any] = field(default_factory=dict)
    """What is known so far, by name, such as the `mean` scores of a match."""

    @property
    def fraction(self) -> float:
        """How much of the work is done, from 0 to 1; 0 where that is unknown."""
        return self.done / self.total if self.total else 0.0

    def __str__(self) -> str:
        return self.words


Callback = Callable[[Progress], None]


class Reporter:
    """Reports work of known length to whoever wants to hear of it; its clock starts when it is made."""

    def __init__(self, callback: Callback | None, total: float, unit: str):
        self._callback, self._total, self._unit = callback, total, unit
        self._started = time.perf_counter()

    def __call__(self, done: float, words: str, **details: Any) -> None:
        if self._callback is not None:
            seconds = time.perf_counter() - self._started
            self._callback(Progress(done, self._total, self._unit, seconds, words, details))
