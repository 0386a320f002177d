"""Races, planned exactly and run: the table and the pictures of the page on racing, and what the program answers."""

from __future__ import annotations

import contextlib
import re
import shlex
import tempfile
import textwrap
from functools import lru_cache
from typing import Any

from picture import Picture
from sessions import WIDTH
from tables import table

import facedown as fd
from facedown.racing.methods import DEFAULT_DELTA, DEFAULT_EPSILON, METHODS
from facedown.racing.optimum import best_test
from facedown.racing.plan import PlannedMean

TABLE_MEANS = (0.40, 0.45, 0.48, 0.49, 0.495, 0.5)
CURVE_MEANS = (0.40, 0.425, 0.45, 0.46, 0.47, 0.475, 0.48, 0.485, 0.4875, 0.49, 0.4925, 0.495, 0.4975, 0.5)
CURVES = ("ilebr*2", "settle", "zone", "duel", "sprt")
TOGETHER = (0.40, 0.45, 0.48, 0.49, 0.5)
"""The means over which one best test is averaged."""
FAR = 0.45
SETTINGS = ((0.04, 0.05), (0.02, 0.05), (0.01, 0.05), (0.01, 0.01), (0.01, 0.001))
SMALLEST = 1e-9
"""Errors below this are neither told apart nor drawn."""
_SECONDS = re.compile(r"\b\d+\.\d\d s\b")


@lru_cache
def _curve(method: str) -> dict[float, PlannedMean]:
    means = CURVE_MEANS if method in CURVES else TABLE_MEANS
    return dict(zip(means, fd.plan(method, mean=means).points, strict=True))


def planned(method: str, mean: float) -> PlannedMean:
    """The exact plan of a race with the default zone and level; the table and the pictures share it."""
    return _curve(method)[mean]


@lru_cache
def best_together() -> dict[float, tuple[float, float]]:
    """Games and error of one best test of coins, by the average ratio of its games to the bound."""
    found = best_test(TOGETHER, told=tuple(sorted({*TABLE_MEANS, *CURVE_MEANS})))
    return {mean: (games, error) for mean, games, error in zip(found.means, found.games, found.errors, strict=True)}


# --- the table ----------------------------------------------------------------------------------------------------------


def race_table() -> str:
    """Expected observations and error of every method, the best tests of coins, and the bound below."""
    rows = [(f"`{method}`", *(_cell(planned(method, mean)) for mean in TABLE_MEANS)) for method in METHODS]
    one = (f"{games:,.0f}, error {error:.2g}" if mean < 0.5 else f"{games:,.0f}" for mean, (games, error) in _best_of_table())
    alone = (f"{best_test((mean,)).games[0]:,.0f}" for mean in TABLE_MEANS)
    fewest = (f"{planned('duel', mean).fewest:,.0f}" for mean in TABLE_MEANS)
    limits = [
        ("one best test", *one),
        ("best test for the mean alone", *alone),
        ("no race that names an agent needs fewer than", *fewest),
    ]
    return table(("method", *(f"observations at {mean:g}" for mean in TABLE_MEANS)), [*rows, *limits])


def _best_of_table() -> list[tuple[float, tuple[float, float]]]:
    return [(mean, best_together()[mean]) for mean in TABLE_MEANS]


def setting_table() -> str:
    """What epsilon and delta cost, for the default method."""
    rows = []
    for epsilon, delta in SETTINGS:
        far, edge = fd.plan(epsilon=epsilon, delta=delta, mean=(FAR, 0.5 - epsilon)).points
        rows.append((f"{epsilon:g}", f"{delta:g}", f"{edge.games:,.0f}", f"{edge.error:.2g}", f"{far.games:,.0f}"))
    titles = ("epsilon", "delta", "observations at the edge of the zone", "error there", f"observations at {FAR:g}")
    return table(titles, rows)


def _cell(point: PlannedMean) -> str:
    if point.mean == 0.5:  # neither agent is worse
        return f"{point.games:,.0f}" + (f", practically equal {100 * point.equal:.1f} %" if point.equal > 0.01 else "")
    return f"{point.games:,.0f}, error {f'below {SMALLEST:g}' if point.error < SMALLEST else f'{point.error:.2g}'}"


# --- the pictures -------------------------------------------------------------------------------------------------------


class RacePicture(Picture):
    """One figure of some methods against the true mean, from 0.40 to 0.5; above, it is the mirror image."""

    means = CURVE_MEANS
    title = ""
    axis = ""

    def __init__(self) -> None:
        self.lines = {method: [self.figure(planned(method, mean)) for mean in self.means] for method in CURVES}

    def figure(self, point: PlannedMean) -> float:
        """What is drawn of a plan."""
        raise NotImplementedError

    def best(self) -> dict[str, list[float]]:
        """What the best tests of coins do at the same means."""
        raise NotImplementedError

    def figures(self) -> Any:
        """Four digits of each."""
        lines = {**self.lines, **self.best()}
        return {name: [f"{max(value, SMALLEST):.4g}" for value in line] for name, line in lines.items()}

    def paint(self, axes: Any) -> None:
        """A line for each method, with the zone shaded."""
        axes.axvspan(0.5 - DEFAULT_EPSILON, 0.5, color="0.92", linewidth=0)
        for method, line in self.lines.items():
            axes.semilogy(self.means, line, marker=".", linewidth=1.4, label=method)
        for (name, line), style in zip(self.best().items(), ("-.", "--"), strict=False):
            axes.semilogy(self.means, line, color="0.35", linestyle=style, linewidth=1.1, label=name)
        self.paint_bound(axes)
        axes.set_xlim(min(self.means), 0.5)
        axes.set_xlabel("true mean score of the first agent (shaded: the zone)")
        axes.set_ylabel(self.axis)
        setting = f"epsilon {DEFAULT_EPSILON:g}, delta {DEFAULT_DELTA:g}"
        axes.set_title(f"{self.title}, {setting}: computed exactly", loc="left", fontsize=12)
        axes.legend(frameon=False, loc="best", fontsize=10)

    def paint_bound(self, axes: Any) -> None:
        """Draw what the figure is held against."""
        raise NotImplementedError


class GamesPicture(RacePicture):
    """Expected games, with the bound below them."""

    title, axis = "How long a race lasts", "expected observations"

    def figure(self, point: PlannedMean) -> float:
        """Its length."""
        return point.games

    def best(self) -> dict[str, list[float]]:
        """One test for all means, and the best for each alone."""
        alone = [best_test((mean,)).games[0] for mean in self.means]
        return {"one best test": [best_together()[mean][0] for mean in self.means], "best test for the mean alone": alone}

    def paint_bound(self, axes: Any) -> None:
        """For every race that names an agent."""
        fewest = [planned("duel", mean).fewest for mean in self.means]
        axes.semilogy(self.means, fewest, color="0.35", linestyle=":", label="no race needs fewer")


class ErrorPicture(RacePicture):
    """The error, with the level that is promised outside the zone."""

    title, axis = "How often a race names the worse agent", "probability that it is named"

    def figure(self, point: PlannedMean) -> float:
        """The chance of "first": wrong for every mean below 1/2, and its limit at 1/2 itself."""
        return point.first

    def best(self) -> dict[str, list[float]]:
        """The one test for all means."""
        return {"one best test": [best_together()[mean][1] for mean in self.means]}

    def paint_bound(self, axes: Any) -> None:
        """The level."""
        axes.axhline(DEFAULT_DELTA, color="0.35", linestyle=":", label="delta, promised outside the zone")
        axes.set_ylim(1e-7, 1)


# --- the program at work ------------------------------------------------------------------------------------------------


def terminal(*commands: str) -> str:
    """What some commands print, one after the other in the same directory; times are left out."""
    from typer.testing import CliRunner

    from facedown.cli.main import app

    lines = []
    with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
        for command in commands:
            result = CliRunner().invoke(app, shlex.split(command)[1:])
            if result.exit_code != 0:
                raise SystemExit(f"'{command}' ended with exit code {result.exit_code}: {result.output}")
            lines += [f"$ {command}", *map(_wrapped, result.stdout.rstrip().splitlines()), ""]
    lines.pop()
    return "\n".join(["```text", *(_SECONDS.sub("... s", line).rstrip() for line in lines), "```"])


def _wrapped(line: str) -> str:
    return textwrap.fill(line, WIDTH, replace_whitespace=False, break_on_hyphens=False)
