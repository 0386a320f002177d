"""The lower bound on the turns of solitaire Can't Stop: the sums of its search against every way through short games."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from facedown.agents.cant_stop.network import (
    ALL_NETWORKS,
    CONSTANT,
    FIRST_INPUT,
    N_HIDDEN,
    NETWORK_SIZE,
    OUTPUTS,
    THRESHOLDS,
)
from facedown.agents.cant_stop.solver import N_NUMBERS
from facedown.agents.cant_stop.turn import LENGTHS, N_COLUMNS, WANTED
from facedown.agents.cant_stop.turn_exact import shipped_numbers
from facedown.errors import UsageError
from facedown.solving import cant_stop_bound
from facedown.solving.cant_stop_bound import Boards, Sequence, in_order, least_sum, lower_bound, needed_at, scaled, turn_ends
from facedown.solving.cant_stop_gains import MAX_LENGTH, most_gained, new_places
from facedown.solving.cant_stop_sure import closed_sets, shares


def test_scaled_networks_say_less() -> None:
    networks = np.arange(ALL_NETWORKS, dtype=np.float32)
    found = scaled(networks, 0.5)
    changed = np.flatnonzero(found != networks) % NETWORK_SIZE
    assert changed.min() >= OUTPUTS and changed.max() == CONSTANT
    assert found[CONSTANT] == networks[CONSTANT] / 2


def test_runners_that_stand_alike_are_alike() -> None:
    assert in_order(np.array([2, 7, 1, 3, 2, 0, 0])) == (2, 3, 2, 7, 1, 0, 0) == in_order(np.array([2, 3, 2, 7, 1, 0, 0]))
    assert len(in_order(np.zeros(N_NUMBERS, np.int64))) == N_NUMBERS


def test_throws_are_drawn_once() -> None:
    throws = Sequence(1, 0)
    later = throws[100]
    assert [throws[at] for at in (0, 100)] == [Sequence(1, 0)[0], later]


@pytest.mark.compiled
@pytest.mark.slow
def test_the_search_finds_the_smallest_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a board on which little is missing, all ways of at most three turns are tried one after the other."""
    spaces = (3, 5, 5, 9, 9, 12, 10, 8, 6, 4, 2)
    start: Any = tuple(min(pair) for pair in zip(spaces, LENGTHS.tolist(), strict=True))
    boards = Boards(scaled(shipped_numbers()[0], 0.9))

    def smallest(board: Any, at: int, throws: Sequence, turns: int) -> float:
        if needed_at(board) <= 0:
            return 0.0
        if turns == 0:
            return math.inf
        solver, margin = boards.solved(board)
        ends = turn_ends(solver[0], board, throws, at)
        return min((margin + more + smallest(there, after, throws, turns - 1) for there, after, more in ends), default=math.inf)

    monkeypatch.setattr(cant_stop_bound, "GIVEN_AWAY", 0.3)
    monkeypatch.setattr(cant_stop_bound, "EMPTY", start)
    for game in range(4):
        throws = Sequence(3, game)
        assert min(smallest(start, 0, throws, 3), 0.3) >= least_sum(boards, throws) - 1e-9


@pytest.mark.compiled
@pytest.mark.slow
def test_the_bound_lies_below_what_the_agent_needs() -> None:
    """Three sequences, seed 1: what the search adds lies between 0 and 0.5, and 0.9 * 6.72 = 6.05."""
    found = lower_bound(3, 1)
    assert 6.0 < found.value < 6.6
    assert found.boards > 20
    assert "no player" in repr(found)


def test_too_few_games_are_refused() -> None:
    with pytest.raises(UsageError, match="games"):
        lower_bound(1)


# --- without conditions -----------------------------------------------------------------------------------------------------


def networks_of(heights: Any) -> Any:
    """Networks that say: three turns, less what was gained; one unit says it, and 50 more, so that it is never silent."""
    found = np.zeros(NETWORK_SIZE, np.float32)
    for column in range(N_COLUMNS):
        for space in range(LENGTHS[column] + 1):
            found[(FIRST_INPUT[column] + space) * N_HIDDEN] = -heights[column, space]
    found[THRESHOLDS], found[OUTPUTS], found[CONSTANT] = 53.0, 1.0, -50.0
    return np.concatenate([found] * WANTED)


@pytest.mark.compiled
@pytest.mark.slow
def test_the_most_that_turns_gain_beside_the_solver_of_turns() -> None:
    """Where only the first space of a column counts, markers stand best below the board: the gain is that of the empty board.

    With shares of columns no board gains more. The solver of turns shares no code with the reckoning for all boards.
    """
    places, first_only = new_places(), np.ones((N_COLUMNS, MAX_LENGTH + 1))
    first_only[:, 0] = 0.0
    _, margin = Boards(networks_of(first_only)).solved((0,) * N_COLUMNS)
    assert 1.0 - margin == pytest.approx(most_gained(places, first_only, 0), abs=1e-4)  # numbers of 32 bits around 50
    most, boards = most_gained(places, shares(), 0), Boards(networks_of(shares()))
    for number in range(12):
        generator = np.random.default_rng(number)
        board = tuple(int(generator.integers(length)) for length in LENGTHS)
        gain = 1.0 - boards.solved(board)[1]
        assert 0.4 < gain < most + 1e-4


def test_each_set_of_closed_columns_stands_for_its_mirror_image() -> None:
    found = list(closed_sets())
    mirrored = {int(f"{closed:0{N_COLUMNS}b}"[::-1], 2) for closed in found}
    assert len(found) == 1 + 6 + 30 and len({*found, *mirrored}) == 1 + 11 + 55
