"""Small boards of Can't Stop, solved exactly: beside a slow solver that shares no code, and beside games of optimal play."""

from __future__ import annotations

import pytest

import facedown as fd
from facedown.native.jit import COMPILED
from naive.cant_stop_values import slow_cant_stop


def exact(players: int, sides: int, shortest: int, columns: int = 3) -> float:
    options = f"players={players},sides={sides},shortest={shortest},columns={columns}"
    return fd.solve(f"cant_stop({options})", "exact").value


@pytest.mark.parametrize("shortest", [1, 2, pytest.param(3, marks=pytest.mark.slow)] if COMPILED else [1])
def test_alone_on_two_sided_dice(shortest: int) -> None:
    slow = slow_cant_stop(1, 2, shortest, 3)
    assert exact(1, 2, shortest) == pytest.approx(-slow.values()[slow.start], abs=1e-9)


def test_two_players_on_the_smallest_board() -> None:
    slow = slow_cant_stop(2, 2, 1, 2)
    assert exact(2, 2, 1, 2) == pytest.approx(slow.values()[slow.start], abs=1e-9)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("sides", "shortest", "value"),
    [
        (2, 1, 1.297948190),
        (2, 2, 1.347281862),
        (2, 3, 1.400179988),
        (3, 1, 1.480253419),
        pytest.param(3, 2, 1.722400785, marks=[pytest.mark.slow, pytest.mark.indices]),
    ],
)
def test_optimal_play_needs_as_many_turns_as_the_solution_says(sides: int, shortest: int, value: float) -> None:
    assert exact(1, sides, shortest) == pytest.approx(value, abs=1e-9)
    found = fd.match(f"cant_stop(players=1,sides={sides},shortest={shortest})", ["optimal"], 40_000, seed=8)
    # 4 standard errors: a false alarm once in 16,000, and the seed is fixed
    assert abs(found.mean[0] + value) < 4 * found.stderr[0]


@pytest.mark.slow
@pytest.mark.compiled
def test_no_agent_needs_fewer_turns_than_the_solution() -> None:
    best = exact(1, 3, 2)
    for agent in ("first", "q5", "rule28"):
        found = fd.match("cant_stop(players=1,sides=3,shortest=2)", [agent], 20_000, seed=8)
        assert -found.mean[0] > best - 4 * found.stderr[0], agent
