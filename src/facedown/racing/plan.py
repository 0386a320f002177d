"""`plan`: the error and the expected number of games of a race before it is run, exactly, as a curve over the true mean."""

from __future__ import annotations

import math
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.errors import UsageError
from facedown.inputs import cores, whole_number
from facedown.native.jit import Part, compiling
from facedown.racing import formulas, planning, planning_bets
from facedown.racing.methods import (
    BETS,
    DEFAULT_DELTA,
    DEFAULT_EPSILON,
    DEFAULT_METHOD,
    EQUAL,
    FIRST,
    LARGEST_MAX_GAMES,
    METHODS,
    NEVER,
    SECOND,
    SETTLE,
    STRICT,
    UNDECIDED,
    ZONE,
    Setting,
)

MAX_GAMES = 1_000_000
FIRST_WINDOW = 2048
LONGEST = 40
"""For an estimate: races hardly take more than this many times ln(1/delta) / epsilon^2 games.

At two settings and six means in the zone, one race of 10^9 lasted longer than 1 (duel), 2 (zone), 6 (settle, lebr) or 8 (sprt).
"""
_SECONDS_PER_ENTRY, _MAX_HOURS = 5e-10, 2


@dataclass(frozen=True)
class PlannedMean:
    """What a race does at one true mean."""

    mean: float
    error: float
    """Probability of a wrong answer: the worse agent is named, or "practically equal" is said outside the zone.

    At 1/2 no agent is worse; there only `settle`, which names agents that are truly better, errs by naming one.
    """
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
    max_games: int = MAX_GAMES,
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
    max_games = whole_number("max_games", max_games, 1, LARGEST_MAX_GAMES)
    _refuse_endless(setting, max_games, len(means))
    with compiling(Part("the plans of races", 5, (planning.plan_tests, planning_bets.plan_bets))):
        _at(setting, 0.5, 1)
    with ThreadPoolExecutor(threads or cores()) as pool:
        points = tuple(pool.map(lambda one: _at(setting, one, max_games), means))
    return Plan(method, epsilon, delta, max_games, points)


def _at(setting: Setting, mean: float, max_games: int) -> PlannedMean:
    booked, dropped = _book(setting, mean, max_games)
    first, second, equal = (float(booked[0, verdict]) for verdict in (FIRST, SECOND, EQUAL))
    return PlannedMean(
        mean=mean,
        error=_error(setting, mean, first, second, equal),
        games=float(booked[1].sum()),
        first=first,
        second=second,
        equal=equal,
        undecided=float(booked[0, UNDECIDED]),
        fewest=formulas.fewest_games(mean, setting.epsilon, setting.delta),
        dropped=dropped,
    )


def _error(setting: Setting, mean: float, first: float, second: float, equal: float) -> float:
    named = first if mean < 0.5 else second if mean > 0.5 else first + second if setting.method in STRICT else 0.0
    return named + (equal if _is_outside(mean, setting.epsilon) else 0.0)


def _is_outside(mean: float, epsilon: float) -> bool:
    """Whether a mean is not in the zone; its edges are not, and who writes 0.49 for an edge means it."""
    return abs(mean - 0.5) > epsilon * (1 - 1e-9)


def _book(setting: Setting, mean: float, max_games: int) -> tuple[np.ndarray[Any, Any], float]:
    """Probability and games of each verdict, and what was left out; the window grows as the plan needs it."""
    race, booked = setting.start()[0], np.zeros((2, 4))
    by_betting = race.method >= ZONE
    buffers = np.zeros((2, planning.LAYERS if by_betting else 1, FIRST_WINDOW))
    window = np.zeros(1, planning.WINDOW)[0]
    buffers[0, 0, 0] = 1.0
    window.high[1:] = -1
    window.next_test = race.next_test
    window.above_from, window.first_from = 1, 1 if race.method == SETTLE else NEVER
    odds = np.zeros((2, 3, BETS))
    if by_betting:
        planning_bets.set_odds(race, odds)
    while not window.finished:
        if by_betting:
            planning_bets.plan_bets(race, mean, max_games, window, buffers, booked, odds)
        else:
            planning.plan_tests(race, mean, max_games, window, buffers, booked)
        if not window.finished:
            buffers = np.concatenate([buffers, np.zeros_like(buffers)], axis=2)
    return booked, float(window.dropped)


def _refuse_endless(setting: Setting, max_games: int, n_means: int) -> None:
    """Plans take time with the power 1.5 of the number of games; some would take years."""
    n_games = min(max_games, LONGEST * -math.log(setting.delta) / setting.epsilon**2)
    n_layers = 4 if METHODS[setting.method] >= ZONE else 1
    hours = n_means * n_layers * 10 * n_games**1.5 * _SECONDS_PER_ENTRY / 3600
    if hours > _MAX_HOURS:
        raise UsageError(
            f"max_games={max_games}: with epsilon {setting.epsilon:g} a plan of so many games would take about {hours:,.0f} "
            "hours; give fewer games or a larger epsilon"
        )
