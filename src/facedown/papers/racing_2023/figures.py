"""Racing: the figures that claims ask for, from the source's formulas, exact plans, and races as the source has them."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable
from enum import StrEnum
from functools import partial

from facedown.papers.claims import Figure
from facedown.papers.laboratory import Laboratory, Profile, Sizes
from facedown.papers.racing_2023.simulation import Simulated, simulate
from facedown.racing import error_bounds, formulas
from facedown.racing.optimum import BestTest, best_test
from facedown.racing.plan import PlannedMean, plan

_EPSILON, DELTA = 0.01, 0.05
SOURCE = ("lebr", "ilebr", "ilebr2", "ilebr*1", "ilebr*2")
CHOSEN_TESTS, EQUAL_TESTS = 293, 393
"""The numbers of tests that belong to delta = 2.047143e-5 and to delta = 3.02101484e-11."""
CHOSEN_DELTA, EQUAL_DELTA = 2.047144e-5, 3.02101485e-11
"""The same levels, their last printed digit rounded up: as printed they need 293.0000001 tests, and so one more."""

TOGETHER = (0.40, 0.45, 0.48, 0.49, 0.5)
"""The means over which one best test is averaged."""
NEAR = 0.497
"""The mean at which the source computes its errors."""
_LONG_RACES = Sizes(tiny=6, quick=250, full=2_000)
_SHORT_RACES = Sizes(tiny=6, quick=1_000, full=10_000)
_PAPER = "facedown paper racing"

Number = Callable[[], float]


class Grid(StrEnum):
    """How many means a curve has: few for races that are slow to plan and flat, many for those that are planned at once."""

    COARSE = "coarse"
    MIDDLE = "middle"
    DENSE = "dense"


# --- what a profile computes ------------------------------------------------------------------------------------------


def epsilon_of(laboratory: Laboratory) -> float:
    """The source's epsilon; twenty times that where only the machinery is to be tried."""
    return 0.2 if laboratory.profile is Profile.TINY else _EPSILON


def at(laboratory: Laboratory, mean: float) -> float:
    """A mean of the source; with another epsilon, as far from 1/2 in units of it."""
    return round(0.5 - (0.5 - mean) * epsilon_of(laboratory) / _EPSILON, 6)


def delta_of(laboratory: Laboratory, delta: float) -> float:
    """One of the source's levels; a moderate one where only the machinery is to be tried."""
    return DELTA if laboratory.profile is Profile.TINY else delta


def means(laboratory: Laboratory, grid: Grid = Grid.COARSE) -> tuple[float, ...]:
    """The means of curves up to 1/2, beyond which they are mirrored."""
    if laboratory.profile is Profile.TINY:
        return tuple(at(laboratory, mean) for mean in (0.49, 0.495, NEAR, 0.4985, 0.5))
    wanted = {0.45, 0.48, 0.49, 0.495, NEAR, 0.4985, 0.5}
    if grid is not Grid.COARSE:
        wanted |= {0.46, 0.47, 0.485, 0.4925}
    if grid is Grid.DENSE or laboratory.profile is Profile.FULL:
        wanted |= {round(0.45 + 0.005 * step, 3) for step in range(8)} | {round(0.49 + 0.001 * step, 3) for step in range(10)}
    return tuple(sorted(wanted))


def curve(laboratory: Laboratory, method: str, delta: float = DELTA, grid: Grid = Grid.COARSE) -> tuple[PlannedMean, ...]:
    """What a race does at all means of the profile, exactly."""
    epsilon, level, wanted = epsilon_of(laboratory), delta_of(laboratory, delta), means(laboratory, grid)
    known: dict[float, PlannedMean] = laboratory.once(("plans", method, epsilon, level), dict)
    missing = [mean for mean in wanted if mean not in known]
    if missing:
        known.update((point.mean, point) for point in plan(method, epsilon, level, missing).points)
    return tuple(known[mean] for mean in wanted)


def planned(laboratory: Laboratory, method: str, mean: float, delta: float = DELTA) -> PlannedMean:
    """What a race does at one mean of the source; taken from the curve."""
    wanted = at(laboratory, mean)
    return next(point for point in curve(laboratory, method, delta) if point.mean == wanted)


def best_alone(laboratory: Laboratory) -> dict[float, float]:
    """The games of the best test of coins for each mean, which knows that mean and no other."""
    return {mean: best_test((mean,), epsilon_of(laboratory), DELTA).games[0] for mean in means(laboratory, Grid.MIDDLE)}


def best_together(laboratory: Laboratory) -> BestTest:
    """One best test of coins for some means together, by the average ratio of its games to the bound."""
    weighed = tuple(mean for mean in (at(laboratory, mean) for mean in TOGETHER) if mean > 0)
    return best_test(weighed, epsilon_of(laboratory), DELTA, means(laboratory, Grid.MIDDLE))


def simulated(laboratory: Laboratory, method: str, mean: float, delta: float = DELTA, races: Sizes = _SHORT_RACES) -> Simulated:
    """Races with the source's own rule."""
    epsilon, level = epsilon_of(laboratory), delta_of(laboratory, delta)
    return simulate(method, epsilon, level, at(laboratory, mean), races.of(laboratory.profile), laboratory.seed)


# --- figures ----------------------------------------------------------------------------------------------------------


def exactly(value: float, digits: int, repeat: str = _PAPER) -> Figure:
    """A number that is computed and not measured, written to this many decimals."""
    return Figure(value, 0.0, 0, None, repeat, f"{value:,.{digits}f}")


def solved(laboratory: Laboratory, number: Number, digits: int) -> Figure:
    """The solution of one of the source's equations."""
    return exactly(number(), digits)


def rounded_up(laboratory: Laboratory, number: Number, square: bool = False) -> Figure:
    """The next whole number, or its square: as many games."""
    whole = math.ceil(number())
    return Figure.counted(whole**2 if square else whole, _PAPER)


limit = partial(formulas.tests_every_game, _EPSILON, DELTA)
"""The solution of (2.1)."""
limit_bernstein = partial(formulas.tests_every_game_bernstein, _EPSILON, DELTA)
"""The solution of (2.2)."""
squares = partial(formulas.tests_at_squares, _EPSILON, DELTA)
"""The solution of (2.3)."""
squares_bernstein = partial(formulas.tests_at_squares_bernstein, _EPSILON, DELTA)
"""The solution of (2.4), from lemma 1.13."""
squares_bernstein_as_printed = partial(squares_bernstein, deviation=math.sqrt(0.5))
"""The solution of (2.4) without the 2 that its root lacks.

Its sqrt(ln(3n/delta)/n^2) is what lemma 1.13 has for a standard deviation of 1/sqrt(2); scores in [0, 1] have at most 1/2.
"""


def squares_bernstein_games() -> float:
    """The square of the solution of (2.4), not of the next whole number."""
    return squares_bernstein() ** 2


def first_test() -> float:
    """n_min by the text of section 2.5."""
    return formulas.first_useful_test(DELTA, math.ceil(squares()))


def first_test_of_algorithm() -> float:
    """n_min by the equation in algorithm 5."""
    return math.sqrt(math.log(2 * math.ceil(squares()) / DELTA) / (2 * 0.5**2)) - 1


def skipping() -> float:
    """The solution of (2.5)."""
    return squares(formulas.skipped_tests(DELTA, math.ceil(squares())))


def skipping_total() -> float:
    """The solution of (2.5) with the tests that are skipped."""
    return skipping() + formulas.skipped_tests(DELTA, math.ceil(squares()))


def games_of_inner_loop(laboratory: Laboratory) -> Figure:
    """Games at the last test of algorithm 3 if its inner loop goes on while t <= n^2."""
    games = 0
    for test in range(1, math.ceil(squares()) + 1):
        while games <= test**2:
            games += 1
    return Figure.counted(games, _PAPER)


def games_of_outer_loop(laboratory: Laboratory) -> Figure:
    """Games that algorithm 3 plays between equals if its loop goes on while UB - LB > 2 epsilon or n <= n_max."""
    n_tests = math.ceil(squares())
    enough = formulas.solve_decreasing(lambda n: formulas.bernstein(n**2, 0.5, DELTA / n_tests), _EPSILON)
    return Figure.counted(math.ceil(max(n_tests, enough)) ** 2, _PAPER)


def error_function(laboratory: Laboratory) -> Figure:
    """(2.15) at mu = 0.497 and 213 tests."""
    return exactly(error_bounds.error_function(NEAR, math.ceil(squares())), 5)


def error_function_at_mean(laboratory: Laboratory) -> Figure:
    """The same with mu and not 1/2 in the bound of alpha_2."""
    n_tests = math.ceil(squares())
    return exactly(error_bounds.end_error(NEAR, n_tests) + error_bounds.test_error_bound(n_tests, 1.0, 1 - NEAR), 5)


def product_error(laboratory: Laboratory) -> Figure:
    """(2.6) at mu = 0.497 and 213 tests."""
    return exactly(error_bounds.error(NEAR, math.ceil(squares()), DELTA), 7)


def chosen_tests(laboratory: Laboratory) -> Figure:
    """n_max of (2.16) for an error of 0.05 at mu = 0.497."""
    return Figure.counted(error_bounds.choose_delta(NEAR, _EPSILON, 0.05).n_tests, _PAPER)


def level_of(laboratory: Laboratory, n_tests: int, unit: float, digits: int) -> Figure:
    """The delta of (2.16) for this many tests, in a unit in which its digits can be compared."""
    return exactly(2 * n_tests / math.exp(2 * _EPSILON**2 * n_tests**2) / unit, digits)


def planned_error(laboratory: Laboratory, method: str, mean: float = NEAR, delta: float = DELTA, digits: int = 5) -> Figure:
    """The exact error of a race."""
    return exactly(planned(laboratory, method, mean, delta).error, digits, _plan_command(laboratory, method, mean, delta))


def planned_root(laboratory: Laboratory, method: str, mean: float) -> Figure:
    """The square root of the exact mean number of games: at which test after n^2 games it lies."""
    return exactly(math.sqrt(planned(laboratory, method, mean).games), 1, _plan_command(laboratory, method, mean, DELTA))


def _plan_command(laboratory: Laboratory, method: str, mean: float, delta: float) -> str:
    """The command that gives a plan again."""
    level = delta_of(laboratory, delta)
    words = ["facedown", "plan", "--method", method, "--epsilon", f"{epsilon_of(laboratory):g}"]
    return shlex.join([*words, "--delta", f"{level:.9g}", "--mean", f"{at(laboratory, mean):g}"])


def simulated_error(laboratory: Laboratory, method: str, mean: float = NEAR) -> Figure:
    """The error of races with the source's own rule."""
    found = simulated(laboratory, method, mean)
    return Figure(found.error, found.error_stderr, found.total_games, laboratory.seed, paper_command(laboratory))


def simulated_root(laboratory: Laboratory, method: str, mean: float) -> Figure:
    """The square root of the mean number of games with the source's own rule."""
    found = simulated(laboratory, method, mean, races=_LONG_RACES)
    root = math.sqrt(found.games)
    return Figure(root, found.games_stderr / (2 * root), found.total_games, laboratory.seed, paper_command(laboratory))


def simulated_games(laboratory: Laboratory, method: str, mean: float = NEAR) -> Figure:
    """The mean number of games with the source's own rule."""
    found = simulated(laboratory, method, mean)
    return Figure(found.games, found.games_stderr, found.total_games, laboratory.seed, paper_command(laboratory))


def paper_command(laboratory: Laboratory) -> str:
    """The command that runs the simulations again."""
    full = " --full" if laboratory.profile is Profile.FULL else ""
    return f"{_PAPER}{full} --seed {laboratory.seed}"


# --- comparisons of races ---------------------------------------------------------------------------------------------


def game_ratio(laboratory: Laboratory, longer: str, shorter: str, mean: float = NEAR) -> Figure:
    """How many times the games of another race one needs, exactly."""
    return exactly(planned(laboratory, longer, mean).games / planned(laboratory, shorter, mean).games, 3)


def apart(laboratory: Laboratory, first: tuple[str, float], second: tuple[str, float], digits: int) -> Figure:
    """The largest difference of two races' errors over the means of the profile."""
    pairs = zip(curve(laboratory, *first), curve(laboratory, *second), strict=True)
    return exactly(max(abs(one.error - other.error) for one, other in pairs), digits)


def same_errors(laboratory: Laboratory) -> Figure:
    """The largest difference of the errors of ilebr2, ilebr*1 and ilebr*2 over the means of the profile."""
    curves = [curve(laboratory, method) for method in ("ilebr2", "ilebr*1", "ilebr*2")]
    errors = [[point.error for point in points] for points in zip(*curves, strict=True)]
    return exactly(max(max(at_mean) - min(at_mean) for at_mean in errors), 9)


def same_games(laboratory: Laboratory) -> Figure:
    """The largest relative difference of the games of ilebr*1 and ilebr*2 over the means of the profile."""
    pairs = zip(curve(laboratory, "ilebr*1"), curve(laboratory, "ilebr*2"), strict=True)
    return exactly(max(abs(one.games / other.games - 1) for one, other in pairs), 4)


def count_erring(laboratory: Laboratory, mean: float) -> Figure:
    """How many of the source's five races err more often than delta at a mean."""
    return Figure.counted(sum(planned(laboratory, method, mean).error > DELTA for method in SOURCE), _PAPER)


def largest_error(laboratory: Laboratory, mean: float) -> Figure:
    """The largest error of the source's five races at a mean."""
    return exactly(max(planned(laboratory, method, mean).error for method in SOURCE), 6)


def count_better_than_lebr(laboratory: Laboratory) -> Figure:
    """How many of the other races of the source err less often than lebr at some mean."""
    best = curve(laboratory, "lebr")
    rivals = [curve(laboratory, method) for method in SOURCE if method != "lebr"]
    return Figure.counted(
        sum(any(ours.error < theirs.error for ours, theirs in zip(points, best, strict=True)) for points in rivals), _PAPER
    )
