"""Intervals that hold at every moment: exact expectations by enumeration, coverage by simulation.

Simulations have fixed seeds. With an error rate of DELTA at most, more than LIMIT of RUNS failures happen less than
once in a million: that is the false-alarm rate of each test.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import facedown as fd
from facedown.arena.intervals import Spread, anytime_interval, log_evidence
from facedown.native.jit import COMPILED

DELTA = 0.1
RUNS, LENGTH = 250, 150
LIMIT = int(stats.binom.isf(1e-6, RUNS, DELTA))

Law = dict[float, float]
"""Possible scores with their probabilities."""

LAWS: dict[str, Law] = {
    "fair coin": {0.0: 0.5, 1.0: 0.5},
    "bent coin": {0.0: 0.9, 1.0: 0.1},
    "with draws": {0.0: 0.3, 0.5: 0.4, 1.0: 0.3},
    "mostly draws": {0.0: 0.05, 0.5: 0.85, 1.0: 0.1},
    "poker": {0.0: 0.1, 0.25: 0.4, 0.75: 0.45, 1.0: 0.05},
}


def mean_of(law: Law) -> float:
    return sum(score * p for score, p in law.items())


def evidence_against(mean: float, scores: tuple[float, ...], with_spread: bool) -> float:
    spread = Spread()
    for score in scores:
        spread.add(1, score, score * score)
    return math.exp(log_evidence(mean, sum(scores), len(scores), spread.value if with_spread else None))


# --- exact: what can be expected of the evidence -------------------------------------------------------------------------


@pytest.mark.parametrize("with_spread", [False, True])
@pytest.mark.parametrize("name", LAWS)
def test_evidence_against_the_true_mean_is_not_expected_to_grow(name: str, with_spread: bool) -> None:
    law = LAWS[name]
    for n in range(1, 7 if len(law) < 4 else 6):
        expected = sum(
            math.prod(law[score] for score in scores) * evidence_against(mean_of(law), scores, with_spread)
            for scores in itertools.product(law, repeat=n)
        )
        assert expected <= 1 + 1e-9, n


@pytest.mark.parametrize("name", LAWS)
def test_evidence_is_a_supermartingale_step_by_step(name: str) -> None:
    law = LAWS[name]
    mean = mean_of(law)
    for n in range(5):
        for past in itertools.product(law, repeat=n):
            before = evidence_against(mean, past, with_spread=False)
            after = sum(p * evidence_against(mean, (*past, score), with_spread=False) for score, p in law.items())
            assert after <= before * (1 + 1e-9)
            if set(law) == {0.0, 1.0}:
                assert after == pytest.approx(before)  # fair for coins: nothing is given away


def test_evidence_against_a_wrong_mean_is_expected_to_grow() -> None:
    law = LAWS["fair coin"]
    grown = sum(0.5**8 * evidence_against(0.2, scores, with_spread=False) for scores in itertools.product(law, repeat=8))
    assert grown > 3


def test_evidence_against_what_cannot_be_is_infinite() -> None:
    assert log_evidence(0.0, 1, 5) == math.inf
    assert log_evidence(1.0, 4, 5) == math.inf
    assert log_evidence(0.0, 0, 5) < math.inf
    assert log_evidence(0.5, 0, 0) == pytest.approx(0)


# --- the interval --------------------------------------------------------------------------------------------------------


def test_before_the_first_score_everything_is_possible() -> None:
    assert anytime_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("total", "n"), [(0, 1), (1, 1), (3.5, 7), (0, 200), (200, 200), (70, 100), (1e6 * 0.3, 1e6)])
def test_the_interval_holds_the_means_without_much_evidence_against_them(total: float, n: float) -> None:
    low, high = anytime_interval(total, n, DELTA)
    assert 0 <= low <= total / n <= high <= 1
    threshold = -math.log(DELTA)
    for edge, inwards in ((low, 1e-6), (high, -1e-6)):
        if 0 < edge < 1:
            assert log_evidence(edge, total, n) == pytest.approx(threshold, abs=1e-6)
            assert log_evidence(edge + inwards, total, n) < threshold < log_evidence(edge - inwards, total, n)


def test_the_interval_shrinks_and_takes_its_time() -> None:
    widths = [np.subtract(*anytime_interval(n / 2, n)[::-1]) for n in (10, 100, 1000, 10_000)]
    assert widths == sorted(widths, reverse=True)
    # wider than the interval of one look, 1.96 / sqrt(n), but not by much
    assert all(1.2 < width * math.sqrt(n) / 1.96 < 2.5 for width, n in zip(widths[1:], (100, 1000, 10_000), strict=True))


def test_less_risk_is_a_wider_interval() -> None:
    intervals = [anytime_interval(30, 100, delta) for delta in (0.2, 0.05, 0.001)]
    assert [low for low, _ in intervals] == sorted((low for low, _ in intervals), reverse=True)
    assert [high for _, high in intervals] == sorted(high for _, high in intervals)


def test_sums_that_rounding_took_out_of_bounds_do_no_harm() -> None:
    assert anytime_interval(-1e-12, 10) == anytime_interval(0, 10)
    assert anytime_interval(10 + 1e-12, 10) == anytime_interval(10, 10)


def test_little_spread_makes_a_narrow_interval() -> None:
    # a thousand scores of 0.5 and hardly any other: a coin could not tell them from 500 wins
    low, high = anytime_interval(500, 1000, spread=1.0)
    assert high - low < 0.04 < np.subtract(*anytime_interval(500, 1000)[::-1])


# --- coverage at all times together --------------------------------------------------------------------------------------

Draws = Callable[[np.random.Generator], np.ndarray[Any, Any]]
SOURCES: dict[str, tuple[float, Draws]] = {
    "coins": (0.5, lambda generator: generator.integers(0, 2, LENGTH).astype(float)),
    "bent coins": (0.05, lambda generator: (generator.random(LENGTH) < 0.05).astype(float)),
    "draws": (0.5, lambda generator: generator.choice([0.0, 0.5, 1.0], LENGTH, p=[0.2, 0.6, 0.2])),
    "beta": (2 / 7, lambda generator: generator.beta(2, 5, LENGTH)),
}


def failures(mean: float, draws: Draws, leaves: Callable[[float, np.ndarray[Any, Any]], bool]) -> int:
    generator = np.random.default_rng(2024)
    return sum(leaves(mean, draws(generator)) for _ in range(RUNS))


def leaves_plain(mean: float, scores: np.ndarray[Any, Any]) -> bool:
    totals = np.cumsum(scores)
    return any(log_evidence(mean, total, n) > -math.log(DELTA) for n, total in enumerate(totals.tolist(), start=1))


def leaves_with_spread(mean: float, scores: np.ndarray[Any, Any]) -> bool:
    spread = Spread()
    for score in scores.tolist():
        spread.add(1, score, score * score)
        if log_evidence(mean, spread.total, spread.n, spread.value) > -math.log(DELTA):
            return True
    return False


def leaves_naive(mean: float, scores: np.ndarray[Any, Any]) -> bool:
    """The interval of the textbook, looked at again and again."""
    counts = np.arange(1, LENGTH + 1)
    means = np.cumsum(scores) / counts
    deviations = np.sqrt(np.maximum(np.cumsum(scores**2) / counts - means**2, 0.01))
    return bool((np.abs(means - mean) > stats.norm.isf(DELTA / 2) * deviations / np.sqrt(counts))[10:].any())


@pytest.mark.parametrize("leaves", [leaves_plain, leaves_with_spread])
@pytest.mark.parametrize("name", SOURCES)
def test_the_true_mean_stays_inside_at_all_times(name: str, leaves: Callable[[float, Any], bool]) -> None:
    assert failures(*SOURCES[name], leaves) <= LIMIT


def test_an_interval_for_one_look_would_fail_this() -> None:
    assert failures(*SOURCES["coins"], leaves_naive) > LIMIT


# --- in a match ----------------------------------------------------------------------------------------------------------


def test_the_interval_of_a_match_is_in_the_scores_of_the_game() -> None:
    result = fd.match("kuhn", ["uniform", "uniform"], games=3, seed=1)
    assert result.interval[0][0] >= -2 and result.interval[0][1] <= 2  # Kuhn's scores
    assert fd.match("kuhn", ["uniform", "uniform"], games=1, seed=1).interval == ((-2.0, 2.0), (-2.0, 2.0))


def test_the_interval_of_a_match_holds_the_known_value() -> None:
    # uniform against uniform, agent 1 always first: 1/8, by enumeration of Kuhn's tree
    games, seeds = (2_000, 20) if COMPILED else (100, 8)
    intervals = [fd.match("kuhn", ["uniform", "uniform"], games=games, seed=seed, swap=False).interval for seed in range(seeds)]
    failed = sum(not (first[0] <= 0.125 <= first[1] and second[0] <= -0.125 <= second[1]) for first, second in intervals)
    assert failed <= stats.binom.isf(1e-6, seeds, 0.05)
    assert all(first[1] - first[0] < 4 for first, _ in intervals)
