"""The chi-square test of the suite: it agrees with SciPy's, is right when all is well, and sees what is wrong."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom, chisquare

from facedown.check.sample import UNTOUCHED, actions_problem
from facedown.check.statistics import _cells, misfit

FAIR = {bytes([face]): Fraction(1, 6) for face in range(6)}


def counted(observed: list[int]) -> dict[bytes, int]:
    return {bytes([face]): count for face, count in enumerate(observed)}


@pytest.mark.parametrize("observed", [[20, 30, 25, 15, 35, 25], [100, 10, 10, 10, 10, 10], [0, 30, 30, 30, 30, 30]])
def test_the_p_value_is_that_of_scipy(observed: list[int]) -> None:
    p_value = float(chisquare(observed).pvalue)
    assert misfit(counted(observed), FAIR, p_value * 0.999) is None
    assert misfit(counted(observed), FAIR, p_value * 1.001) is not None


def test_false_alarms_are_as_frequent_as_promised() -> None:
    # 2000 fair samples at a rate of 0.05; outside these bounds with probability below 1e-6 were the rate right
    source = np.random.default_rng(1)
    alarms = sum(misfit(counted(source.multinomial(300, [1 / 6] * 6).tolist()), FAIR, 0.05) is not None for _ in range(2000))
    low, high = binom.interval(1 - 1e-6, 2000, 0.05)
    assert low <= alarms <= high


def test_a_loaded_die_is_seen() -> None:
    problem = misfit(counted([200, 100, 100, 100, 100, 0]), FAIR, 1e-6)
    assert problem is not None
    sentence, outcome = problem
    assert outcome in (bytes([0]), bytes([5]))
    assert "an outcome with probability 0.1667 came" in sentence


def test_an_impossible_outcome_is_seen_at_once() -> None:
    problem = misfit({bytes([0]): 10, bytes([9]): 1}, FAIR, 1e-6)
    assert problem == ("an outcome that cannot be was drawn 1 times in 11", bytes([9]))


def test_rare_outcomes_are_taken_together() -> None:
    probabilities = {bytes([0]): Fraction(9, 10)} | {bytes([rare]): Fraction(1, 1000) for rare in range(1, 101)}
    cells = _cells(probabilities, 1000)
    assert sorted(outcome for cell in cells for outcome in cell) == sorted(probabilities)
    assert all(sum(float(probabilities[outcome]) for outcome in cell) * 1000 >= 10 - 1e-9 for cell in cells)
    assert len(cells) == 11
    even = {bytes([0]): 900} | {bytes([rare]): 1 for rare in range(1, 101)}
    assert misfit(even, probabilities, 1e-6) is None
    assert misfit({bytes([0]): 1000}, probabilities, 1e-6) is not None


def test_too_few_samples_say_nothing() -> None:
    assert misfit(counted([9, 0, 0, 0, 0, 0]), FAIR, 1e-6) is None


@pytest.mark.parametrize(
    ("n_legal", "actions", "problem"),
    [
        (2, [0, 2, UNTOUCHED, UNTOUCHED, UNTOUCHED], None),
        (1, [2, 7, UNTOUCHED, UNTOUCHED, UNTOUCHED], None),  # what lies behind the legal ones does not matter
        (0, [0, 1, UNTOUCHED, UNTOUCHED, UNTOUCHED], "'legal' answered 0 actions"),
        (4, [0, 1, 2, 3, UNTOUCHED], "'legal' answered 4 actions"),
        (2, [0, 1, 2, 3, UNTOUCHED], "'legal' wrote behind the 3 places that there are"),
        (2, [0, UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED], "'legal' answered 2 actions, but filled in only 1"),
        (2, [0, 3, UNTOUCHED, UNTOUCHED, UNTOUCHED], "'legal' offered [0, 3], in which 3 is no action"),
        (2, [-1, 0, UNTOUCHED, UNTOUCHED, UNTOUCHED], "'legal' offered [-1, 0], in which -1 is no action"),
        (2, [1, 1, UNTOUCHED, UNTOUCHED, UNTOUCHED], "'legal' offered [1, 1], which is not ascending"),
        (2, [1, 0, UNTOUCHED, UNTOUCHED, UNTOUCHED], "'legal' offered [1, 0], which is not ascending"),
    ],
)
def test_lists_of_actions(n_legal: int, actions: list[int], problem: str | None) -> None:
    assert actions_problem(n_legal, actions, n_actions=3) == problem
