"""`plan`: the error and the expected number of games of a race before it is run, exactly, as a curve over the true mean."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.arena.match import cores
from facedown.arena.racing import formulas, planning
from facedown.arena.racing.methods import (
    DEFAULT_DELTA,
    DEFAULT_EPSILON,
    DEFAULT_METHOD,
    EQUAL,
    FIRST,
    SECOND,
    UNDECIDED,
    ZONE,
    Setting,
)
from facedown.errors import UsageError
from facedown.native.jit import Part, compiling

MOST_GAMES = 1_000_000


@dataclass(frozen=True)
class PlannedMean:
    """What a race does at one true mean."""

    mean: float
    error: float
    """Probability that the worse agent is called better; at 1/2 there is none."""
    games: float
    """Expected number of games (observations)."""
    first: float
    second: float
    equal: float
    undecided: float
    fewest: float
    """Expected games that no race with the same guarantee can do without."""
    dropped: float
    """Probability that was left out of the computation."""


@dataclass(frozen=True)
class Plan:
    """What a race does, at one mean or several."""

    method: str
    epsilon: float
    delta: float
    max_games: int
    points: tuple[PlannedMean, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it; the figures of a single mean stand at the top."""
        head = {"schema": "facedown.plan/1", "method": self.method, "epsilon": self.epsilon, "delta": self.delta}
        single = vars(self.points[0]) if len(self.points) == 1 else {}
        return {**head, **single, "max_games": self.max_games, "points": [vars(point) for point in self.points]}

    def __repr__(self) -> str:
        lines = [f"{self.method}, epsilon {self.epsilon:g}, delta {self.delta:g}"]
        for point in self.points:
            lines.append(
                f"  mean {point.mean:g}: error {point.error:.4g}, {point.games:,.1f} games (at least {point.fewest:,.1f})"
            )
        return "\n".join(lines)

    def plot(self) -> Any:
        """Error and games against the mean, with the bound that no race can beat; a matplotlib figure."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(10, 4), layout="constrained")
        errors, games = figure.subplots(1, 2)
        means = [point.mean for point in self.points]
        errors.plot(means, [point.error for point in self.points], marker=".", label=self.method)
        errors.axhline(self.delta, color="grey", linestyle=":", label="delta")
        games.semilogy(means, [point.games for point in self.points], marker=".", label=self.method)
        games.semilogy(means, [point.fewest for point in self.points], color="grey", linestyle=":", label="no race needs fewer")
        for axes, title in ((errors, "probability of an error"), (games, "expected games")):
            axes.set(xlabel="true mean score of the first agent", title=title)
            axes.axvspan(0.5 - self.epsilon, 0.5 + self.epsilon, color="grey", alpha=0.15, label="zone")
            axes.legend()
        return figure


def plan(
    method: str = DEFAULT_METHOD,
    epsilon: float = DEFAULT_EPSILON,
    delta: float = DEFAULT_DELTA,
    mean: float | Iterable[float] = 0.49,
    max_games: int = MOST_GAMES,
    threads: int | None = None,
) -> Plan:
    """Compute what a race will do at one true mean or at several, for games that are won or lost."""
    setting = Setting(method, epsilon, delta)
    means = [float(mean)] if isinstance(mean, int | float) else [float(one) for one in mean]
    for one in means:
        if not 0 < one < 1:
            raise UsageError(f"mean={one:g}: a mean score lies between 0 and 1")
    if not means:
        raise UsageError("no mean is given")
    if max_games < 1:
        raise UsageError(f"max_games={max_games}: at least 1 game is needed")
    with compiling(Part("the plans of races", 5, (planning.plan_tests,))):
        _at(setting, 0.5, 1)
    with ThreadPoolExecutor(threads or cores()) as pool:
        points = tuple(pool.map(lambda one: _at(setting, one, max_games), means))
    return Plan(method, epsilon, delta, max_games, points)


def _at(setting: Setting, mean: float, max_games: int) -> PlannedMean:
    race = setting.start()[0]
    booked = np.zeros((2, 4))
    if race.method == ZONE:
        dropped = planning.plan_zone(race, mean, max_games, np.zeros((2, 3, max_games + 2)), booked)
    else:
        dropped = planning.plan_tests(race, mean, max_games, np.zeros((2, max_games + 2)), booked)
    first, second = float(booked[0, FIRST]), float(booked[0, SECOND])
    return PlannedMean(
        mean=mean,
        error=first if mean < 0.5 else second if mean > 0.5 else 0.0,
        games=float(booked[1].sum()),
        first=first,
        second=second,
        equal=float(booked[0, EQUAL]),
        undecided=float(booked[0, UNDECIDED]),
        fewest=formulas.fewest_games(mean, setting.epsilon, setting.delta),
        dropped=float(dropped),
    )
