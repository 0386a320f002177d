"""Laps: contestants do the same work in turn, round after round, so that a noisy machine disturbs all of them alike.

1. For each contestant find the amount of work that takes one lap's time. These trial laps count for nothing; they
   also warm it up.
2. In each round every contestant runs one lap. A neighbour who wakes up for a while slows down a lap of each, and
   not all laps of one.
3. What works on one thread is timed by that thread's processor time, so that it does not count how long others had
   the processor; on an idle machine it is the same as the time on the wall, which is used for several threads.
4. A contestant's speed is that of its best lap, since disturbances only ever make a lap slower. The ratio of two
   contestants is that of their best laps; beside it stand the smallest and the largest ratio within a round.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Role = Literal["ours", "all_threads", "reference", "peer"]


@dataclass(frozen=True)
class Lap:
    """Work that was timed: a number of units (games), made of a number of parts (moves; 0: not counted).

    `wall` is the time on the wall, where `seconds` is processor time.
    """

    units: int
    seconds: float
    parts: int = 0
    wall: float | None = None


@dataclass(frozen=True)
class Contestant:
    """Someone who does the work: `run(n)` does about n units, fresh ones each time, and says how long it took."""

    name: str
    role: Role
    run: Callable[[int], Lap]
    version: str = ""
    threads: int = 1
    method: str = ""
    """How it does the work, where there are several ways."""
    units: int | None = None
    """How many units make a lap; found by trial if None."""


@dataclass(frozen=True)
class Speed:
    """The laps of one contestant, one a round."""

    laps: tuple[Lap, ...]

    @property
    def per_second(self) -> tuple[float, ...]:
        """Units a second, in each round."""
        return tuple(lap.units / lap.seconds for lap in self.laps)

    @property
    def best(self) -> float:
        """Units a second in the best lap."""
        return max(self.per_second)

    @property
    def median(self) -> float:
        """Units a second in the middle lap."""
        return statistics.median(self.per_second)

    @property
    def spread(self) -> float:
        """How far apart the best and the worst lap are, as a share of the middle one."""
        return (self.best - min(self.per_second)) / self.median

    @property
    def on_the_wall(self) -> Speed:
        """The same laps by the clock on the wall: what several threads must be compared with."""
        return Speed(tuple(Lap(lap.units, lap.wall or lap.seconds, lap.parts) for lap in self.laps))

    @property
    def counts_parts(self) -> bool:
        """Whether parts were counted in every lap."""
        return all(lap.parts for lap in self.laps)

    @property
    def parts_per_second(self) -> tuple[float, ...]:
        """Parts a second, in each round."""
        return tuple(lap.parts / lap.seconds for lap in self.laps)

    @property
    def parts_per_unit(self) -> float:
        """The average size of a unit."""
        return sum(lap.parts for lap in self.laps) / sum(lap.units for lap in self.laps)


@dataclass(frozen=True)
class Ratio:
    """How many times quicker one contestant is than another: best lap to best lap, and the extremes within a round."""

    best: float
    low: float
    high: float

    @classmethod
    def of(cls, one: Speed, other: Speed, whole_units: bool = False) -> Ratio:
        """Compare parts where both count them: units differ in size, and a slow contestant finishes only a few in a lap.

        With `whole_units` a unit is a task that each may do in as many parts as it likes.
        """
        if one.counts_parts and other.counts_parts and not whole_units:
            ones, others = one.parts_per_second, other.parts_per_second
        else:
            ones, others = one.per_second, other.per_second
        rounds = [a / b for a, b in zip(ones, others, strict=True)]
        return cls(max(ones) / max(others), min(rounds), max(rounds))


def units_for(contestant: Contestant, seconds: float) -> int:
    """How many units of work take about this long; one unit at least.

    Each trial is run twice, and the quicker one counts: a lap sized by one that something was loaded in would be too short.
    """
    units = 1
    while True:
        lap = min(contestant.run(units), contestant.run(units), key=lambda lap: lap.seconds / lap.units)
        if lap.seconds >= seconds / 4:
            return max(1, round(lap.units * seconds / lap.seconds))
        units *= 8


def interleave(
    contestants: Sequence[Contestant], seconds: float, rounds: int, before: Callable[[int], None] = lambda number: None
) -> list[Speed]:
    """Let the contestants run one lap each, round after round; each has about this many seconds in all.

    `before` is told the number of each round before it begins.
    """
    sizes = [contestant.units or units_for(contestant, seconds / rounds) for contestant in contestants]
    laps: list[list[Lap]] = [[] for _ in contestants]
    for number in range(rounds):
        before(number)
        for contestant, size, done in zip(contestants, sizes, laps, strict=True):
            done.append(contestant.run(size))
    return [Speed(tuple(done)) for done in laps]
