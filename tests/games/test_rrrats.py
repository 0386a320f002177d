"""Rrrats!: every branch of a throw, the dice, the options, and tokens that are never lost."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import chisquare

import facedown as fd
from facedown.games.position import Position
from facedown.native.jit import COMPILED

STOP, ROLL = 0, 1
FALSE_ALARM = 1e-5


@dataclass(frozen=True)
class Table:
    """What lies where between two throws; player 0 is to move."""

    pile: int
    own: int
    other: int
    hand: int

    def set_up(self, spec: str = "rrrats", n_throws: int = 0) -> Position:
        """A game in which it lies so."""
        tokens = self.pile + self.own + self.other + self.hand
        position = Position(fd.game(spec)(tokens=tokens))
        position.start([])
        state = position.state
        state.pile, state.hand, state.n_throws = self.pile, self.hand, n_throws
        state.points[0], state.points[1] = self.own, self.other
        return position


def lies(position: Position) -> Table:
    view = position.view(0)
    return Table(int(view.pile), int(view.points[0]), int(view.points[1]), int(view.hand))


def throw(position: Position, first: int, second: int) -> None:
    position.step(ROLL, [(first, 3), (second, 3)])


@pytest.mark.parametrize(
    ("before", "dice", "after", "mover"),
    [
        # each 1 takes a token from the pile; the turn goes on
        (Table(20, 5, 6, 0), (0, 1), Table(19, 5, 6, 1), 0),
        (Table(20, 5, 6, 1), (1, 0), Table(19, 5, 6, 2), 0),
        (Table(20, 5, 6, 1), (1, 1), Table(18, 5, 6, 3), 0),
        # each 2 steals one
        (Table(20, 5, 6, 0), (2, 0), Table(20, 5, 5, 1), 0),
        (Table(20, 5, 6, 1), (2, 2), Table(20, 5, 4, 3), 0),
        (Table(20, 5, 6, 0), (2, 1), Table(19, 5, 5, 2), 0),
        # from the pile, where there is nothing to steal
        (Table(20, 5, 0, 0), (0, 2), Table(19, 5, 0, 1), 0),
        (Table(20, 5, 0, 0), (2, 2), Table(18, 5, 0, 2), 0),
        (Table(20, 5, 1, 0), (2, 2), Table(19, 5, 0, 2), 0),
        (Table(20, 5, 1, 1), (1, 2), Table(19, 5, 0, 3), 0),
        # 0-0: the hand goes back
        (Table(20, 5, 6, 0), (0, 0), Table(20, 5, 6, 0), 1),
        (Table(20, 5, 6, 3), (0, 0), Table(23, 5, 6, 0), 1),
        # exactly four: banked
        (Table(20, 5, 6, 3), (0, 1), Table(19, 9, 6, 0), 1),
        (Table(20, 5, 6, 2), (2, 2), Table(20, 9, 4, 0), 1),
        # five: four are banked, one goes back to the pile, even if it was stolen
        (Table(20, 5, 6, 3), (1, 1), Table(19, 9, 6, 0), 1),
        (Table(20, 5, 6, 3), (2, 2), Table(21, 9, 4, 0), 1),
        (Table(20, 5, 6, 3), (1, 2), Table(20, 9, 5, 0), 1),
        # the pile is empty: the game ends at once, the hand counts, no surplus goes back
        (Table(1, 5, 6, 1), (0, 1), Table(0, 7, 6, 0), -1),
        (Table(1, 5, 6, 1), (1, 1), Table(0, 7, 6, 0), -1),
        (Table(2, 5, 6, 3), (1, 1), Table(0, 10, 6, 0), -1),
        (Table(1, 5, 6, 3), (2, 1), Table(0, 10, 5, 0), -1),
        (Table(1, 5, 0, 0), (2, 2), Table(0, 6, 0, 0), -1),
        (Table(1, 5, 1, 0), (2, 2), Table(0, 7, 0, 0), -1),
        # which die shows what does not matter
        (Table(1, 5, 1, 0), (1, 2), Table(0, 7, 0, 0), -1),
        (Table(1, 5, 1, 0), (2, 1), Table(0, 7, 0, 0), -1),
    ],
)
def test_what_a_throw_does(before: Table, dice: tuple[int, int], after: Table, mover: int) -> None:
    position = before.set_up()
    throw(position, *dice)
    assert lies(position) == after
    assert position.turn() == mover
    view = position.view(1)
    assert view.dice.tolist() == list(dice)
    assert view.thrower == 0
    assert view.n_throws == 1


def test_stopping_banks_the_hand() -> None:
    position = Table(20, 5, 6, 2).set_up()
    position.step(STOP, [])
    assert lies(position) == Table(20, 7, 6, 0)
    assert position.turn() == 1


def test_turn_begins_with_a_throw() -> None:
    assert Table(20, 5, 6, 0).set_up().legal() == [ROLL]
    for hand in (1, 2, 3):
        assert Table(20, 5, 6, hand).set_up().legal() == [STOP, ROLL]


def test_zeros_bank_where_the_option_says_so() -> None:
    position = Table(20, 5, 6, 3).set_up("rrrats(zeros_bank=yes)")
    throw(position, 0, 0)
    assert lies(position) == Table(20, 8, 6, 0)
    assert position.turn() == 1


def test_rolling_at_four_where_the_option_says_so() -> None:
    position = Table(20, 5, 6, 3).set_up("rrrats(roll_at_four=yes)")
    throw(position, 0, 1)
    assert lies(position) == Table(19, 5, 6, 4)
    assert position.turn() == 0
    assert position.legal() == [STOP, ROLL]
    throw(position, 2, 2)  # six in hand: two go back
    assert lies(position) == Table(21, 9, 4, 0)
    position = Table(20, 5, 6, 4).set_up("rrrats(roll_at_four=yes)")
    throw(position, 0, 0)  # the risk that was taken
    assert lies(position) == Table(24, 5, 6, 0)


@pytest.mark.parametrize(
    ("before", "dice", "after", "scores", "capped"),
    [
        (Table(20, 5, 6, 1), (0, 1), Table(19, 7, 6, 0), [1, 0], 1),  # as it stands: the hand counts
        (Table(20, 5, 6, 1), (0, 0), Table(21, 5, 6, 0), [0, 1], 1),
        (Table(20, 5, 6, 0), (0, 1), Table(19, 6, 6, 0), [0.5, 0.5], 1),
        (Table(1, 5, 6, 1), (0, 1), Table(0, 7, 6, 0), [1, 0], 0),  # it would have ended anyway
    ],
)
def test_cap_on_throws(before: Table, dice: tuple[int, int], after: Table, scores: list[float], capped: int) -> None:
    position = before.set_up("rrrats(max_throws=10)", n_throws=9)
    throw(position, *dice)
    assert position.over
    assert lies(position) == after
    assert position.scores().tolist() == scores
    values = np.zeros(1)
    position.game.report(position.state, values)
    assert values.tolist() == [capped]


@pytest.mark.parametrize("spec", ["rrrats", "rrrats(zeros_bank=yes,roll_at_four=yes)", "rrrats(tokens=2,max_throws=5)"])
def test_tokens_are_never_lost(spec: str) -> None:
    game, generator = fd.game(spec), random.Random(4)
    position = Position(game)
    for index in range(5):
        position.sample(9, index)
        position.start()
        while True:
            found = lies(position)
            assert found.pile + found.own + found.other + found.hand == game.values["tokens"]
            assert min(found.pile, found.own, found.other, found.hand) >= 0
            assert found.hand <= (4 if game.values["roll_at_four"] else 3)
            if position.over:
                break
            position.step(generator.choice(position.legal()))
        assert found.hand == 0
        assert sum(position.scores()) == 1


def test_dice_show_three_two_and_one_of_six_faces() -> None:
    """Exactly, by the weights that are noted with the draws; and in fact, by chi-square over pairs of dice."""
    position = Position(fd.game("rrrats(max_throws=100000)"))
    position.sample(5, 0)
    counts = np.zeros((3, 3), int)
    n_throws = 0
    position.start()
    while n_throws < (2_000 if COMPILED else 500):
        if position.over:
            position.start()
        position.step(ROLL)
        n_throws += 1
        (first, _), (second, _) = position.draws
        counts[first, second] += 1
        for at, face in enumerate((first, second)):
            assert position.chance.weights[at] == (3, 2, 1)[face]
            assert position.chance.totals[at] == 6
    expected = np.outer([3, 2, 1], [3, 2, 1]) / 36 * n_throws
    assert chisquare(counts.ravel(), expected.ravel()).pvalue > FALSE_ALARM
