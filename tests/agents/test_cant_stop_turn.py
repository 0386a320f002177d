"""Turns of Can't Stop that are solved in native code against a slow recursion: sets of dice, dictionaries of runners."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pytest

import facedown as fd
from facedown.agents.cant_stop.network import ALL_NETWORKS, FIRST_INPUT, N_HIDDEN, N_INPUTS, NETWORK_SIZE
from facedown.agents.cant_stop.solver import N_NUMBERS, SOLVER, advance, begin_turn, cost_of_rolling, need, place_of, solve_turn
from facedown.agents.cant_stop.turn import LENGTHS, N_COLUMNS
from facedown.agents.cant_stop.turn_exact import shipped_numbers
from facedown.errors import UsageError
from facedown.native.jit import COMPILED
from naive.cant_stop import all_throws

Runners = frozenset[tuple[int, int]]  # sum, space


def networks(seed: int) -> np.ndarray:
    return (np.random.default_rng(seed).standard_normal(ALL_NETWORKS) * 0.2).astype(np.float32)


def slow_value(numbers: np.ndarray, board: list[int], needed: int) -> float:
    """A network, unit by unit."""
    own = numbers[(needed - 1) * NETWORK_SIZE : needed * NETWORK_SIZE].astype(np.float64)
    inputs = own[: N_INPUTS * N_HIDDEN].reshape(N_INPUTS, N_HIDDEN)
    hidden = own[N_INPUTS * N_HIDDEN :][:N_HIDDEN] + sum(inputs[FIRST_INPUT[c] + board[c]] for c in range(N_COLUMNS))
    outputs = own[N_INPUTS * N_HIDDEN + N_HIDDEN :][:N_HIDDEN]
    return float(np.maximum(hidden, 0) @ outputs + own[-1])


class SlowTurn:
    """The recursion of a turn, throw by throw."""

    def __init__(self, board: list[int], needed: int, lost: float, value: Callable[[list[int], int], float]):
        self.board, self.needed, self.lost, self.value = board, needed, lost, value
        self.best = lru_cache(None)(self._best)

    def _can_play(self, runners: dict[int, int], total: int) -> bool:
        if self.board[total - 2] == LENGTHS[total - 2]:
            return False
        return runners[total] < LENGTHS[total - 2] if total in runners else len(runners) < 3

    def _play(self, runners: dict[int, int], total: int) -> dict[int, int]:
        return {**runners, total: runners.get(total, self.board[total - 2]) + 1}

    def after(self, runners: Runners, dice: tuple[int, ...]) -> set[Runners]:
        found = set()
        for partner in (1, 2, 3):
            pair = (dice[0] + dice[partner], sum(dice) - dice[0] - dice[partner])
            for one, other in (pair, pair[::-1]):
                there = dict(runners)
                if self._can_play(there, one):
                    there = self._play(there, one)
                if self._can_play(there, other):
                    there = self._play(there, other)
                if there != dict(runners):
                    found.add(frozenset(there.items()))
        return found

    def rolling(self, runners: Runners) -> float:
        total = 0.0
        for dice, ways in all_throws(6).items():
            total += ways / 1296 * min((self.best(there) for there in self.after(runners, dice)), default=self.lost)
        return total

    def stopping(self, runners: Runners) -> float:
        board = list(self.board)
        for total, space in runners:
            board[total - 2] = space
        needed = self.needed - sum(space == LENGTHS[total - 2] for total, space in runners)
        return 1.0 + (self.value(board, needed) if needed > 0 else 0.0)

    def _best(self, runners: Runners) -> float:
        return min(self.stopping(runners), self.rolling(runners))


# few spaces are left, so that the recursion is short: by column, spaces of the marker; the top is a closed column
BOARDS = [
    ([3, 5, 6, 9, 10, 11, 11, 8, 7, 5, 3], 1),
    ([2, 4, 7, 9, 11, 12, 10, 9, 7, 4, 2], 1),
    ([3, 5, 7, 8, 9, 13, 11, 9, 6, 5, 1], 2),
]
if COMPILED:
    BOARDS += [([3, 5, 7, 7, 9, 11, 9, 9, 6, 5, 1], 3), ([1, 4, 5, 9, 10, 13, 11, 8, 7, 3, 2], 2)]


def native_runners(solver: np.ndarray, runners: Runners, board: list[int]) -> np.ndarray:
    numbers = np.zeros(N_NUMBERS, np.int64)
    for total, space in sorted(runners):
        at = 1 + 2 * numbers[0]
        numbers[at], numbers[at + 1] = solver[0].turn.rank[total - 2], space - board[total - 2]
        numbers[0] += 1
    return numbers


@pytest.mark.parametrize(("board", "needed"), BOARDS)
def test_every_place_of_a_turn_costs_what_the_recursion_says(board: list[int], needed: int) -> None:
    numbers = networks(needed)
    solver = np.zeros(1, SOLVER)
    space = np.array(board, np.int64)
    begin_turn(solver[0], space, space, needed, numbers)
    solver[0].turn.lost = 3.7
    slow = SlowTurn(board, needed, 3.7, lambda there, still: slow_value(numbers, there, still))
    start: Runners = frozenset()
    waiting, seen = [start], {start}
    while waiting:
        runners = waiting.pop()
        own = native_runners(solver, runners, board)
        if runners:
            need(solver[0], own, numbers)
            at = place_of(solver[0].turn, own)
            assert solver[0].turn.stop[at] == pytest.approx(slow.stopping(runners), abs=2e-5)
            assert solver[0].turn.best[at] == pytest.approx(slow.best(runners), abs=2e-5)
            assert cost_of_rolling(solver[0], own) == pytest.approx(slow.rolling(runners), abs=2e-5)
        for dice in all_throws(6):
            for there in slow.after(runners, dice):
                if there not in seen and (COMPILED or len(seen) < 40):
                    seen.add(there)
                    waiting.append(there)
    assert len(seen) > 20


@pytest.mark.parametrize(("board", "needed"), BOARDS[:2])
def test_the_value_of_a_turn_is_its_own_fixed_point(board: list[int], needed: int) -> None:
    numbers = shipped_numbers()[0]
    solver = np.zeros(1, SOLVER)
    value = solve_turn(solver[0], np.array(board, np.int64), needed, numbers)
    slow = SlowTurn(board, needed, 1.0 + value, lambda there, still: slow_value(numbers, there, still))
    assert slow.rolling(frozenset()) == pytest.approx(value, abs=2e-3)


def test_runners_move_up_to_the_top_and_no_more_than_three_are_placed() -> None:
    solver = np.zeros(1, SOLVER)
    space = np.zeros(N_COLUMNS, np.int64)
    space[0] = 2
    begin_turn(solver[0], space, space, 3, networks(1))
    turn, runners = solver[0].turn, np.zeros(N_NUMBERS, np.int64)
    assert [advance(turn, runners, turn.rank[0]) for _ in range(2)] == [True, False]
    assert [advance(turn, runners, turn.rank[column]) for column in (5, 6, 7)] == [True, True, False]
    assert runners[0] == 3


@pytest.mark.compiled
def test_turn_exact_needs_far_fewer_turns_than_the_source() -> None:
    """400 games, seed 1: 6.72 with a standard deviation of 3.3; 7.4 is four standard errors above."""
    found = fd.match("cant_stop(players=1)", ["turn_exact"], games=400, seed=1)
    assert 5.9 < -found.mean[0] < 7.4


@pytest.mark.parametrize(
    ("game", "agent", "words"),
    [
        ("cant_stop(sides=4)", "turn_exact", "plays the real board only: sides=6, not 4"),
        ("cant_stop(extended=yes)", "turn_exact", "extended=no, not yes"),
        ("cant_stop", "turn_exact(nowhere.npz)", "cannot read 'nowhere.npz'"),
        ("cant_stop", f"turn_exact({__file__})", "it does not hold networks"),
    ],
)
def test_what_turn_exact_cannot_do(game: str, agent: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        fd.match(game, [agent, "first"], games=1)


def test_listing_agents_of_other_boards_leaves_it_out() -> None:
    names = {agent.name for agent in fd.agents("cant_stop(sides=3,shortest=1)")}
    assert "turn_exact" not in names and "q5" in names
    assert ("turn_exact" in {agent.name for agent in fd.agents("cant_stop")}) == COMPILED
