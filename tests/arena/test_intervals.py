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
from facedown.arena.intervals import anytime_interval, interval_from_counts, log_betting_evidence, log_evidence
from facedown.native.jit import COMPILED

DELTA = 0.1
RUNS, LENGTH = 250, 150
LIMIT = int(stats.binom.isf(1e-6, RUNS, DELTA))

FORECAST = 0.5
"""What the evidence from sums forecasts of every score."""

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
    spread = sum((score - FORECAST) ** 2 for score in scores)
    return math.exp(log_evidence(mean, sum(scores), len(scores), spread if with_spread else None))


def betting_evidence_against(mean: float, scores: tuple[float, ...]) -> float:
    """Bets one by one, from the definition."""
    shares, weights = [0.95 * 2 ** (-0.75 * k) for k in range(24)], [(k + 2) ** -1.5 for k in range(24)]
    on_higher = (math.prod(1 + share / mean * (score - mean) for score in scores) for share in shares)
    on_lower = (math.prod(1 - share / (1 - mean) * (score - mean) for score in scores) for share in shares)
    both = zip(weights, on_higher, on_lower, strict=True)
    return sum(weight * (higher + lower) for weight, higher, lower in both) / (2 * sum(weights))


def counted(scores: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    values, counts = np.unique(np.asarray(scores, float), return_counts=True)
    return values, counts


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


@pytest.mark.parametrize("name", LAWS)
def test_bets_are_fair_step_by_step(name: str) -> None:
    law = LAWS[name]
    mean = mean_of(law)
    for n in range(4):
        for past in itertools.product(law, repeat=n):
            after = sum(p * betting_evidence_against(mean, (*past, score)) for score, p in law.items())
            assert after == pytest.approx(betting_evidence_against(mean, past))


@pytest.mark.parametrize("mean", [0.01, 0.3, 0.5, 0.77, 0.999])
def test_evidence_from_counts_is_that_of_bets_one_by_one(mean: float) -> None:
    generator = np.random.default_rng(1)
    for n in (1, 2, 5, 40):
        for scores in (generator.random(n), generator.integers(0, 3, n) / 2, np.zeros(n), np.ones(n), np.full(n, 0.3)):
            values, counts = counted(scores)
            found, slope = log_betting_evidence(mean, values, counts, counts)
            assert found == pytest.approx(math.log(betting_evidence_against(mean, tuple(scores.tolist()))), abs=1e-11)
            later, _ = log_betting_evidence(mean + 1e-6, values, counts, counts)
            earlier, _ = log_betting_evidence(mean - 1e-6, values, counts, counts)
            assert slope == pytest.approx((later - earlier) / 2e-6, rel=1e-4, abs=1e-4)


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


# --- the interval from counts --------------------------------------------------------------------------------------------

COUNTED: dict[str, list[float]] = {
    "one 0": [0.0],
    "one 1": [1.0],
    "one between": [0.3],
    "0 again and again": [0.0] * 300,
    "1 again and again": [1.0] * 300,
    "a draw again and again": [0.5] * 300,
    "nearly always 0": [0.0] * 500 + [1.0],
    "nearly always 1": [1.0] * 500 + [0.999],
    "coins": [0.0] * 120 + [1.0] * 180,
    "poker": [0.0, 0.25, 0.25, 0.75, 0.75, 0.75, 1.0] * 30,
}


def end_by_hand(scores: tuple[float, ...], outside: float, delta: float) -> float:
    """An end of the interval, by halving the distance between a mean that fits and one that does not."""
    inside = sum(scores) / len(scores)
    if inside == outside:
        return outside
    for _ in range(45):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if betting_evidence_against(middle, scores) < 1 / delta else (inside, middle)
    return outside


@pytest.mark.parametrize("delta", [DELTA, 0.001])
@pytest.mark.parametrize("name", COUNTED)
def test_the_interval_from_counts_is_the_one_found_by_hand(name: str, delta: float) -> None:
    scores = tuple(COUNTED[name])
    low, high = interval_from_counts(*counted(scores), delta=delta)
    assert 0 <= low <= sum(scores) / len(scores) <= high <= 1
    assert low == pytest.approx(end_by_hand(scores, 0.0, delta), abs=1e-10)
    assert high == pytest.approx(end_by_hand(scores, 1.0, delta), abs=1e-10)


def test_without_scores_everything_is_possible() -> None:
    assert interval_from_counts(np.zeros(0), np.zeros(0, np.int64)) == (0.0, 1.0)


def test_the_interval_is_mirrored_with_the_scores() -> None:
    scores = np.random.default_rng(3).beta(0.3, 0.8, 200)
    (low, high), (mirrored_low, mirrored_high) = (interval_from_counts(*counted(x)) for x in (scores, 1 - scores))
    assert (low, high) == pytest.approx((1 - mirrored_high, 1 - mirrored_low), abs=1e-12)


@pytest.mark.parametrize("n", [100, 10_000, 1_000_000, 10**9])
def test_the_interval_from_counts_is_as_narrow_as_one_for_coins_and_narrower_for_other_scores(n: int) -> None:
    def width(*shares: float) -> float:
        scores = np.array([0.0, 0.5, 1.0])
        low, high = interval_from_counts(scores, np.array([round(share * n) for share in shares]))
        return high - low

    low, high = anytime_interval(n / 2, n)
    assert width(0.5, 0, 0.5) < 1.12 * (high - low)
    assert width(0.05, 0.9, 0.05) < 0.55 * (high - low)
    assert width(0, 1, 0) < 20 / n


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
    totals, spreads = np.cumsum(scores).tolist(), np.cumsum((scores - FORECAST) ** 2).tolist()
    sums = enumerate(zip(totals, spreads, strict=True), start=1)
    return any(log_evidence(mean, total, n, spread) > -math.log(DELTA) for n, (total, spread) in sums)


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


HARD: dict[str, tuple[float, Callable[[np.random.Generator, int], np.ndarray[Any, Any]]]] = {
    "coins": (0.5, lambda generator, n: generator.integers(0, 2, n).astype(float)),
    "rare wins": (0.01, lambda generator, n: (generator.random(n) < 0.01).astype(float)),
    "rare losses": (0.97, lambda generator, n: (generator.random(n) < 0.97).astype(float)),
    "draws": (0.5, lambda generator, n: generator.choice([0.0, 0.5, 1.0], n, p=[0.05, 0.9, 0.05])),
    "rare disasters": (0.99 * 0.52, lambda generator, n: np.where(generator.random(n) < 0.01, 0.0, 0.52)),
    "rare triumphs": (0.02 + 0.98 * 0.1, lambda generator, n: np.where(generator.random(n) < 0.02, 1.0, 0.1)),
    "poker": (0.49, lambda generator, n: generator.choice([0.0, 0.4, 0.5, 0.6, 1.0], n, p=[0.03, 0.32, 0.32, 0.32, 0.01])),
    "pairs of coins": (0.5, lambda generator, n: generator.binomial(2, 0.5, n) / 2),
    "almost nothing": (0.3, lambda generator, n: 0.3 + 0.001 * generator.choice([-1.0, 1.0], n)),
    "lopsided": (1 / 11, lambda generator, n: generator.beta(0.1, 1.0, n)),
    "even": (0.5, lambda generator, n: generator.random(n)),
}


@pytest.mark.parametrize("name", HARD)
def test_the_true_mean_stays_in_the_interval_from_counts_on_hard_scores(name: str) -> None:
    """Bets of all runs side by side: at every moment of 3,000 deals, not only at some looks."""
    delta, runs, length = 0.05, 400, 3_000
    mean, draws = HARD[name]
    generator = np.random.default_rng(7)
    shares = 0.95 * 2 ** (-0.75 * np.arange(24))
    weights = (np.arange(24) + 2.0) ** -1.5
    stakes = np.concatenate([shares / mean, -shares / (1 - mean)])
    wealth = np.tile(np.concatenate([weights, weights]) / weights.sum() / 2, (runs, 1))
    left = np.zeros(runs, bool)
    for _ in range(length):
        wealth *= 1 + stakes * (draws(generator, runs)[:, None] - mean)
        left |= wealth.sum(axis=1) >= 1 / delta
    # a true error rate of delta would give more failures once in a million times
    assert left.sum() <= stats.binom.isf(1e-6, runs, delta)


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


def test_the_interval_depends_on_the_games_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on how many were asked for, nor on how they were cut into tasks."""
    long, short = (3_000, 1_002) if COMPILED else (120, 42)
    whole = fd.match("kuhn(players=3)", ["uniform", "first", "uniform"], games=long, seed=5, keep=True)
    begun = fd.match("kuhn(players=3)", ["uniform", "first", "uniform"], games=short, seed=5)
    assert whole.batch is not None
    low, high = fd.game("kuhn(players=3)").score_range
    for agent, ends in enumerate(begun.interval):
        means = whole.batch.scores[:short, agent].reshape(-1, 3).mean(axis=1)
        again = interval_from_counts(*counted(np.round((means - low) / (high - low), 12)))
        assert ends == pytest.approx([low + end * (high - low) for end in again], abs=1e-9)
    for most in (3, 39, 600):
        monkeypatch.setattr("facedown.arena.match.MAX_GAMES_IN_A_TASK", most)
        cut = fd.match("kuhn(players=3)", ["uniform", "first", "uniform"], games=long, seed=5)
        assert cut.interval == whole.interval  # to the last bit
