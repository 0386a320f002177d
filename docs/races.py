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
from facedown.arena.racing.methods import DEFAULT_DELTA, DEFAULT_EPSILON, METHODS
from facedown.arena.racing.plan import PlannedMean

TABLE_MEANS = (0.45, 0.48, 0.49, 0.5)
CURVE_MEANS = (0.45, 0.46, 0.47, 0.475, 0.48, 0.485, 0.4875, 0.49, 0.4925, 0.495, 0.4975, 0.5)
CURVES = ("ilebr*2", "mixture", "zone", "sprt")
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


def is_outside(mean: float) -> bool:
    """Whether something is promised at this mean: from the edge of the zone on."""
    return abs(mean - 0.5) >= DEFAULT_EPSILON - 1e-12


# --- the table ----------------------------------------------------------------------------------------------------------


def race_table() -> str:
    """Expected observations and error of every method, and the bound below."""
    rows = [(f"`{method}`", *(_cell(planned(method, mean)) for mean in TABLE_MEANS)) for method in METHODS]
    fewest = (f"{planned('zone', mean).fewest:,.0f}" if is_outside(mean) else "" for mean in TABLE_MEANS)
    return table(
        ("method", *(f"observations at {mean:g}" for mean in TABLE_MEANS)), [*rows, ("no race needs fewer than", *fewest)]
    )


def setting_table() -> str:
    """What epsilon and delta cost, for the default method."""
    rows = []
    for epsilon, delta in SETTINGS:
        far, edge = fd.plan(epsilon=epsilon, delta=delta, mean=(TABLE_MEANS[0], 0.5 - epsilon)).points
        rows.append((f"{epsilon:g}", f"{delta:g}", f"{edge.games:,.0f}", f"{edge.error:.2g}", f"{far.games:,.0f}"))
    titles = ("epsilon", "delta", "observations at the edge of the zone", "error there", f"observations at {TABLE_MEANS[0]:g}")
    return table(titles, rows)


def _cell(point: PlannedMean) -> str:
    if point.mean == 0.5:  # neither agent is worse, so there is no error
        return f"{point.games:,.0f}" + (f", practically equal {100 * point.equal:.0f} %" if point.equal > SMALLEST else "")
    return f"{point.games:,.0f}, error {f'below {SMALLEST:g}' if point.error < SMALLEST else f'{point.error:.2g}'}"


# --- the pictures -------------------------------------------------------------------------------------------------------


class RacePicture(Picture):
    """One figure of some methods against the true mean, from 0.45 to 0.5; above, it is the mirror image."""

    means = CURVE_MEANS
    title = ""
    axis = ""

    def __init__(self) -> None:
        self.lines = {method: [self.figure(planned(method, mean)) for mean in self.means] for method in CURVES}

    def figure(self, point: PlannedMean) -> float:
        """What is drawn of a plan."""
        raise NotImplementedError

    def figures(self) -> Any:
        """Four digits of each."""
        return {method: [f"{max(value, SMALLEST):.4g}" for value in line] for method, line in self.lines.items()}

    def paint(self, axes: Any) -> None:
        """A line for each method, with the zone shaded."""
        axes.axvspan(0.5 - DEFAULT_EPSILON, 0.5, color="0.92", linewidth=0)
        for method, line in self.lines.items():
            axes.semilogy(self.means, line, marker=".", linewidth=1.4, label=method)
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

    def paint_bound(self, axes: Any) -> None:
        """The bound holds where something is promised, and is not drawn inside the zone."""
        means = [mean for mean in self.means if is_outside(mean)]
        fewest = [planned("zone", mean).fewest for mean in means]
        axes.semilogy(means, fewest, color="0.35", linestyle=":", label="no race needs fewer")


class ErrorPicture(RacePicture):
    """The error, with the level that is promised outside the zone."""

    title, axis = "How often a race is wrong", "probability of the wrong answer"

    def figure(self, point: PlannedMean) -> float:
        """The chance of "first": wrong for every mean below 1/2, and its limit at 1/2 itself."""
        return point.first

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
