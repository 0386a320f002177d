"""Laps, speeds and ratios, with contestants whose clock is made up."""

from __future__ import annotations

import pytest

from facedown_bench.laps import Contestant, Lap, Ratio, Speed, interleave, units_for


class Steady:
    """Does a fixed number of units a second, and remembers what it was asked for."""

    def __init__(self, per_second: float, name: str = "steady", diary: list[tuple[str, int]] | None = None):
        self.per_second, self.name = per_second, name
        self.diary: list[tuple[str, int]] = [] if diary is None else diary

    def run(self, units: int) -> Lap:
        self.diary.append((self.name, units))
        return Lap(units, units / self.per_second)

    def contestant(self) -> Contestant:
        return Contestant(self.name, "ours", self.run)


def test_a_speed_is_that_of_the_best_lap_with_median_and_spread_beside_it() -> None:
    speed = Speed((Lap(10, 1.0, 30), Lap(20, 1.0, 40), Lap(8, 2.0, 20)))
    assert speed.per_second == (10.0, 20.0, 4.0)
    assert (speed.best, speed.median) == (20.0, 10.0)
    assert speed.spread == pytest.approx(1.6)
    assert speed.parts_per_second == (30.0, 40.0, 10.0)
    assert speed.parts_per_unit == pytest.approx(90 / 38)


def test_a_ratio_compares_parts_where_both_count_them() -> None:
    # twice the units a second, but units of half the size: the same speed
    one, other = Speed((Lap(20, 1.0, 20), Lap(40, 1.0, 40))), Speed((Lap(10, 1.0, 20), Lap(10, 1.0, 20)))
    assert Ratio.of(one, other) == Ratio(best=2.0, low=1.0, high=2.0)


def test_a_ratio_compares_units_where_one_counts_no_parts() -> None:
    one, other = Speed((Lap(20, 1.0, 20), Lap(40, 1.0, 40))), Speed((Lap(10, 1.0), Lap(5, 1.0)))
    assert Ratio.of(one, other) == Ratio(best=4.0, low=2.0, high=8.0)


def test_laps_can_be_read_by_the_clock_on_the_wall() -> None:
    speed = Speed((Lap(10, 1.0, 30, wall=2.0), Lap(10, 1.0, 30)))
    assert speed.on_the_wall.per_second == (5.0, 10.0)
    assert speed.on_the_wall.parts_per_second == (15.0, 30.0)


@pytest.mark.parametrize("per_second", [3.0, 1_000.0, 20_000_000.0])
def test_a_lap_is_given_the_work_that_fills_its_time(per_second: float) -> None:
    assert units_for(Steady(per_second).contestant(), 2.0) == pytest.approx(2 * per_second, rel=0.01)


def test_a_lap_has_at_least_one_unit() -> None:
    assert units_for(Steady(0.01).contestant(), 0.5) == 1


def test_a_trial_that_something_is_loaded_in_does_not_set_the_size_of_laps() -> None:
    steady, n_runs = Steady(1_000.0), 0

    def run(units: int) -> Lap:
        nonlocal n_runs
        n_runs += 1
        return Lap(units, units / steady.per_second + (5.0 if n_runs == 3 else 0.0))

    assert units_for(Contestant("stumbles", "ours", run), 2.0) == pytest.approx(2_000, rel=0.01)


def test_contestants_run_in_turn_with_laps_of_equal_time() -> None:
    diary: list[tuple[str, int]] = []
    announced: list[int] = []
    quick, slow = Steady(8000.0, "quick", diary), Steady(80.0, "slow", diary)
    speeds = interleave([quick.contestant(), slow.contestant()], 3.0, 3, announced.append)
    assert diary[-6:] == [("quick", 8000), ("slow", 80)] * 3
    assert announced == [0, 1, 2]
    assert [len(speed.laps) for speed in speeds] == [3, 3]
    assert [speed.best for speed in speeds] == [pytest.approx(8000.0), pytest.approx(80.0)]
