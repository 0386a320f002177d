"""Racing: figures 2.1 to 2.7 of the source drawn again, from its formulas and from exact plans, with our races beside."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from facedown.papers.claims import N_ERRORS
from facedown.papers.documents import Drawing, Plot
from facedown.papers.laboratory import Laboratory, Profile
from facedown.papers.pictures import INK, OTHER, OURS, PUBLISHED
from facedown.papers.racing_2023.figures import (
    CHOSEN_DELTA,
    CHOSEN_TESTS,
    DELTA,
    EQUAL_DELTA,
    EQUAL_TESTS,
    NEAR,
    TOGETHER,
    Grid,
    at,
    best_alone,
    best_together,
    curve,
    delta_of,
    epsilon_of,
    simulated,
)
from facedown.racing import error_bounds, formulas
from facedown.racing.plan import PlannedMean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_DASHED, _DOTTED, _DASH_DOTTED = (0, (5, 2)), (0, (1.2, 1.6)), (0, (6, 2, 1.2, 2))
BEST = "best test"
_MEAN_LABEL = "true mean score, μ (mirrored beyond 1/2)"


class Line(NamedTuple):
    """A race in a plot."""

    name: str
    method: str
    colour: str
    style: Any = "solid"
    grid: Grid = Grid.COARSE


LINES = (
    Line("lebr", "lebr", PUBLISHED),
    Line("ilebr", "ilebr", PUBLISHED, _DASHED),
    Line("ilebr2", "ilebr2", PUBLISHED, _DASH_DOTTED),
    Line("ilebr*1, ilebr*2", "ilebr*2", PUBLISHED, _DOTTED, Grid.DENSE),
    Line("sprt", "sprt", OTHER, grid=Grid.DENSE),
    Line("duel", "duel", OURS, grid=Grid.MIDDLE),
    Line("zone", "zone", OURS, _DOTTED, Grid.MIDDLE),
    Line("settle", "settle", OURS, _DASHED, Grid.MIDDLE),
)


def wrong(points: Sequence[PlannedMean]) -> list[float]:
    """How often the first player is called better at means up to 1/2; at 1/2, where nobody is, the limit of the error."""
    return [point.first for point in points]


def draw_line(axes: Axes, line: Line, points: Sequence[PlannedMean], numbers: Sequence[float]) -> None:
    """A curve with its points, unless they lie close."""
    marker = "o" if len(points) < 16 else None
    xs = [point.mean for point in points]
    axes.plot(xs, numbers, color=line.colour, linestyle=line.style, label=line.name, marker=marker, markersize=3)


# --- figures 2.1 and 2.2 ----------------------------------------------------------------------------------------------


def gather_lengths(laboratory: Laboratory) -> Drawing:
    """The largest number of tests against the variance, with a test after every game and after square numbers of games."""
    epsilon = epsilon_of(laboratory)
    variances = np.linspace(0, 0.25, 60)
    deviations = [math.sqrt(variance) for variance in variances]
    panels = (
        (
            "2.1: a test after every game",
            np.array([formulas.tests_every_game_bernstein(epsilon, DELTA, deviation) for deviation in deviations]),
            formulas.tests_every_game(epsilon, DELTA),
        ),
        (
            "2.2: test n after n² games",
            np.array([formulas.tests_at_squares_bernstein(epsilon, DELTA, deviation) for deviation in deviations]),
            formulas.tests_at_squares(epsilon, DELTA),
        ),
    )
    crossings = [float(np.interp(hoeffding, bernstein, variances)) for _, bernstein, hoeffding in panels]
    caption = (
        "Figures 2.1 and 2.2: the largest number of tests that is needed, against the variance of the scores, for "
        f"ε = {epsilon:g} and δ = {DELTA:g}. The empirical Bernstein bound needs fewer than Hoeffding's up to variances of "
        f"{crossings[0]:.3f} and {crossings[1]:.3f}, where the lines cross; games won or lost by equals have 0.25."
    )
    alt = "Two panels, each a rising curve and a level line. " + " ".join(
        f"{title}: from {bernstein[0]:,.0f} to {bernstein[-1]:,.0f} tests by empirical Bernstein, Hoeffding {hoeffding:,.0f}."
        for title, bernstein, hoeffding in panels
    )

    def draw(canvas: Canvas) -> None:
        for axes, (title, bernstein, hoeffding) in zip(canvas.subplots(2, 1, sharex=True), panels, strict=True):
            axes.plot(variances, bernstein, color=OURS, label="empirical Bernstein")
            axes.axhline(hoeffding, color=PUBLISHED, linestyle=_DASHED, label="Hoeffding")
            axes.set(title=f"{title}, largest number of tests", ylim=(0, None), xlim=(0, 0.25))
            axes.yaxis.set_major_formatter("{x:,.0f}")
            axes.legend(loc="lower right")
        axes.set(xlabel="variance of the scores")

    return Drawing(caption, alt, draw)


# --- figure 2.3 -------------------------------------------------------------------------------------------------------


def _gather_alpha(laboratory: Laboratory) -> Drawing:
    """(2.9), the chance that a test before the last errs, against the mean, delta and epsilon."""
    epsilon = epsilon_of(laboratory)
    few = laboratory.profile is not Profile.FULL
    ms = np.linspace(0.5, 0.5 + 0.5 * epsilon, 6 if few else 21)
    deltas = np.geomspace(1e-3, 1.0, 6 if few else 19)
    epsilons = np.geomspace(epsilon, min(10 * epsilon, 0.3), 6 if few else 19)

    def alpha(mean: float, delta: float, width: float) -> float:
        return error_bounds.test_error(mean, math.ceil(formulas.tests_at_squares(width, delta)), delta)

    panels = (
        ("against the mean μ", ms, [alpha(float(mean), DELTA, epsilon) for mean in ms], "linear"),
        ("against δ, at μ = 1/2", deltas, [alpha(0.5, float(delta), epsilon) for delta in deltas], "log"),
        ("against ε, at μ = 1/2", epsilons, [alpha(0.5, DELTA, float(width)) for width in epsilons], "log"),
    )
    caption = (
        "Figure 2.3: α₂, the product formula (2.9) for the chance that one of the tests of ilebr* names the worse player, "
        f"exact in its standard deviation; where nothing else is said, ε = {epsilon:g}, δ = {DELTA:g}. It is largest at "
        "μ = 1/2 and rises with δ, as the thesis says; and it is tiny, so nearly all errors are made when the games run out."
    )
    alt = "Three panels on logarithmic scales. " + " ".join(
        f"α₂ {title}: from {numbers[0]:.2g} at {float(xs[0]):.3g} to {numbers[-1]:.2g} at {float(xs[-1]):.3g}."
        for title, xs, numbers, _ in panels
    )

    def draw(canvas: Canvas) -> None:
        for axes, (title, xs, numbers, scale) in zip(canvas.subplots(3, 1), panels, strict=True):
            axes.plot(xs, np.maximum(numbers, 1e-30), color=OURS, marker="o", markersize=3)
            axes.set(title=f"α₂ {title}", xscale=scale, yscale="log")

    return Drawing(caption, alt, draw)


# --- figure 2.4 -------------------------------------------------------------------------------------------------------


def _gather_chosen(laboratory: Laboratory) -> Drawing:
    """The error at the level that (2.16) chooses: the bound, the exact error, and simulated races of the source."""
    epsilon, delta = epsilon_of(laboratory), delta_of(laboratory, CHOSEN_DELTA)
    n_tests = math.ceil(formulas.tests_at_squares(epsilon, delta))
    points = curve(laboratory, "ilebr*1", CHOSEN_DELTA, Grid.MIDDLE)
    bounds = [error_bounds.error_function(point.mean, n_tests) for point in points]
    found = {at(laboratory, mean): simulated(laboratory, "ilebr*1", mean, CHOSEN_DELTA) for mean in (0.495, NEAR, 0.4985)}
    wanted = next(point for point in points if point.mean == at(laboratory, NEAR))
    caption = (
        f"Figure 2.4: the error of ilebr*1 with ε = {epsilon:g} and δ = {delta:.7g} ({CHOSEN_TESTS} tests in the thesis), "
        f"which (2.16) chooses for an error of 0.05 at μ = {at(laboratory, NEAR):g}: it is {wanted.error:.4f} there, exactly. "
        f"Diamonds: {next(iter(found.values())).races:,} simulated races each with the thesis' own rule, bars of {N_ERRORS} "
        f"standard errors, seed {laboratory.seed}."
    )
    alt = "The bound (2.15) lies above the exact error. " + " ".join(
        f"At {point.mean:g}: bound {bound:.4f}, exact {first:.4f}."
        for point, bound, first in zip(points, bounds, wrong(points), strict=True)
    )

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        xs = [point.mean for point in points]
        axes.plot(xs, bounds, color=PUBLISHED, linestyle=_DASHED, label="bound (2.15)")
        draw_line(axes, Line("exact", "", OURS), points, wrong(points))
        bars = [N_ERRORS * one.error_stderr for one in found.values()]
        errors = [one.error for one in found.values()]
        axes.errorbar(list(found), errors, yerr=bars, fmt="D", color=OTHER, markersize=4.5, capsize=3, label="simulated")
        axes.axhline(DELTA, color=INK, linestyle=_DOTTED, linewidth=1.2, label="0.05")
        axes.set(title="probability of an error", xlabel=_MEAN_LABEL, xlim=(at(laboratory, 0.4895), 0.5), ylim=(0, 0.56))
        axes.legend(loc="upper left")

    return Drawing(caption, alt, draw)


# --- figures 2.5 and 2.6 ----------------------------------------------------------------------------------------------


def _gather_errors(laboratory: Laboratory) -> Drawing:
    """Errors of the five races, and of ours."""
    epsilon = epsilon_of(laboratory)
    together = Line("ilebr2, ilebr*1, ilebr*2", "ilebr*2", PUBLISHED, _DOTTED, Grid.DENSE)
    lines = [*LINES[:2], together, *LINES[4:]]
    curves = [(line, curve(laboratory, line.method, grid=line.grid)) for line in lines]
    best = best_together(laboratory)
    caption = (
        f"Figure 2.5 with our races: the exact probability that the worse player is called better, ε = {epsilon:g}, "
        f"δ = {DELTA:g}; below on a logarithmic scale. Up to the edge of the zone (shaded) all keep δ, the dotted line, at "
        "every mean that was planned. Inside, only settle promises anything: it keeps δ there too. The best test (dash-dotted) "
        f"names a player from the fewest games, by the average ratio to the bound {_over_means(laboratory)}. The races of the "
        "thesis err far less than they need to, and pay for it in games. Three of them err equally often, as the table says, "
        "and share a line."
    )
    alt = (
        "Errors rise towards a mean of 1/2. "
        + _at_means(laboratory, curves, lambda point: f"{point.first:.2g}")
        + f" The best test errs with {best.edge_error:.2g} at the edge."
    )

    def draw(canvas: Canvas) -> None:
        above, below = canvas.subplots(2, 1, sharex=True)
        for line, points in curves:
            draw_line(above, line, points, wrong(points))
            draw_line(below, line, points, [max(number, 1e-12) for number in wrong(points)])
        for axes in (above, below):
            axes.plot(best.means, [max(number, 1e-12) for number in best.errors], color=INK, linestyle=_DASH_DOTTED, label=BEST)
            _zone(axes, laboratory)
            axes.axhline(DELTA, color=INK, linestyle=_DOTTED, linewidth=1.2)
        above.set(title="probability of an error", ylim=(0, 0.54), xlim=(at(laboratory, 0.4795), 0.5))
        below.set(title="the same (logarithmic)", yscale="log", ylim=(1e-6, 1), xlabel=_MEAN_LABEL)
        above.set_xticks([at(laboratory, mean) for mean in (0.48, 0.485, 0.49, 0.495, 0.5)])
        above.legend(loc="upper left")

    return Drawing(caption, alt, draw)


def _gather_games(laboratory: Laboratory) -> Drawing:
    """Mean games of the five races, and of ours, with the lower bound."""
    epsilon = epsilon_of(laboratory)
    curves = [(line, curve(laboratory, line.method, grid=line.grid)) for line in LINES]
    dense = curve(laboratory, "sprt", grid=Grid.DENSE)
    alone, best = best_alone(laboratory), best_together(laboratory)
    caption = (
        f"Figure 2.6 with our races: expected number of games, exactly, ε = {epsilon:g}, δ = {DELTA:g}, on a logarithmic "
        "scale; the zone is shaded. Dotted: fewer games than this no race with the same guarantee can need on average (outside "
        "the zone). No test comes close to that everywhere: dashed, the best test for each mean, which must know it; "
        f"dash-dotted, one best test, by the average ratio to the bound {_over_means(laboratory)}. Both are for games won or "
        "lost and always name a player. The curves of ilebr*1 and ilebr*2 cannot be told apart, as in the thesis."
    )
    alt = (
        "Expected games against the mean. "
        + _at_means(laboratory, curves, lambda point: f"{point.games:,.0f}")
        + f" The best tests for a mean alone need from {min(alone.values()):,.0f} to {max(alone.values()):,.0f} games, "
        f"one best test from {min(best.games):,.0f} to {max(best.games):,.0f}."
    )

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for line, points in curves:
            draw_line(axes, line, points, [point.games for point in points])
        outside = [point for point in dense if point.mean <= 0.5 - epsilon + 1e-12]
        xs = [point.mean for point in outside]
        axes.plot(xs, [point.fewest for point in outside], color=INK, linestyle=_DOTTED, label="no race needs fewer")
        axes.plot(list(alone), list(alone.values()), color=INK, linestyle=_DASHED, linewidth=1.2, label=f"{BEST} for the mean")
        axes.plot(best.means, best.games, color=INK, linestyle=_DASH_DOTTED, label=BEST)
        _zone(axes, laboratory)
        axes.set(title="expected number of games (logarithmic)", yscale="log", xlabel=_MEAN_LABEL)
        axes.set_xlim(curves[0][1][0].mean, 0.5)
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.legend(loc="lower center", bbox_to_anchor=(0.45, 1.08), ncols=3, columnspacing=1.2)

    return Drawing(caption, alt, draw)


def _over_means(laboratory: Laboratory) -> str:
    """The means that the best test is averaged over, in words."""
    return "over the means " + ", ".join(f"{mean:g}" for mean in (at(laboratory, one) for one in TOGETHER) if mean > 0)


def _zone(axes: Axes, laboratory: Laboratory) -> None:
    axes.axvspan(0.5 - epsilon_of(laboratory), 0.5, color=INK, alpha=0.07, linewidth=0)


def _at_means(laboratory: Laboratory, curves: Sequence[tuple[Line, Sequence[PlannedMean]]], write: Any) -> str:
    """The numbers of all curves at two means, in words."""
    sentences = []
    for mean in (at(laboratory, 0.49), at(laboratory, NEAR)):
        found = [f"{line.name} {write(next(p for p in points if p.mean == mean))}" for line, points in curves]
        sentences.append(f"At {mean:g}: {', '.join(found)}.")
    return " ".join(sentences)


# --- figure 2.7 -------------------------------------------------------------------------------------------------------


def _gather_equal(laboratory: Laboratory) -> Drawing:
    """`lebr` and `ilebr*1` with the same largest number of games."""
    epsilon, delta = epsilon_of(laboratory), delta_of(laboratory, EQUAL_DELTA)
    curves = (
        (Line(f"lebr, δ = {DELTA:g}", "lebr", PUBLISHED), curve(laboratory, "lebr")),
        (Line(f"ilebr*1, δ = {delta:.3g}", "ilebr*1", OURS, _DASHED), curve(laboratory, "ilebr*1", EQUAL_DELTA, Grid.MIDDLE)),
    )
    slow = curves[0][1]
    quick = [point for point in curves[1][1] if point.mean in {one.mean for one in slow}]
    caption = (
        f"Figure 2.7: lebr with δ = {DELTA:g} and ilebr*1 with δ = {delta:.9g} ({EQUAL_TESTS} tests in the thesis), "
        f"ε = {epsilon:g}, exactly. They err about equally often, and far from 1/2 ilebr*1 needs a fraction of the games: at "
        f"μ = {quick[0].mean:g} {quick[0].games:,.0f} against {slow[0].games:,.0f}."
    )
    alt = "Three panels: the errors nearly coincide; games of ilebr*1 fall away from a mean of 1/2. " + " ".join(
        f"At {one.mean:g}: {one.games:,.0f} and {other.games:,.0f} games." for one, other in zip(slow, quick, strict=True)
    )

    def draw(canvas: Canvas) -> None:
        errors, games, logarithmic = canvas.subplots(3, 1)
        for line, points in curves:
            draw_line(errors, line, points, wrong(points))
            for axes in (games, logarithmic):
                draw_line(axes, line, points, [point.games for point in points])
        errors.set(title="(a) probability of an error", ylim=(0, 0.54), xlim=(at(laboratory, 0.4895), 0.5))
        errors.legend(loc="upper left")
        games.set(title="(b) expected number of games", ylim=(0, None))
        logarithmic.set(title="(c) the same (logarithmic)", yscale="log", xlabel=_MEAN_LABEL)
        for axes in (games, logarithmic):
            axes.yaxis.set_major_formatter("{x:,.0f}")
            axes.set_xlim(slow[0].mean, 0.5)

    return Drawing(caption, alt, draw)


PLOTS = (
    Plot("race-lengths", "Races: how many tests can be needed (figures 2.1 and 2.2)", 4.6, gather_lengths),
    Plot("race-alpha", "Races: errors before the last test (figure 2.3)", 5.4, _gather_alpha),
    Plot("race-chosen", "Races: the error at a chosen level (figure 2.4)", 3.6, _gather_chosen),
    Plot("race-errors", "Races: how often they err (figure 2.5)", 5.6, _gather_errors),
    Plot("race-games", "Races: how long they take (figure 2.6)", 4.8, _gather_games),
    Plot("race-equal", "Races: the same error in fewer games (figure 2.7)", 5.8, _gather_equal),
)
