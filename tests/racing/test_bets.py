"""Stakes, wealth and proofs of the races by betting, against their formulas in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from facedown.racing import betting
from facedown.racing.feed import feed
from facedown.racing.methods import (
    ABOVE,
    BELOW,
    DUEL_BETS,
    EQUAL,
    FIRST,
    SECOND,
    SETTLE_BETS,
    UNDECIDED,
    ZONE_BETS,
    Setting,
)

Array = np.ndarray[Any, Any]
BETTING = ("zone", "duel", "settle")


def moments(scores: Array) -> Array:
    """The guess v before each score: (3/4 + the squares of what came before it, from 1/2) / (3 + their number)."""
    before = np.concatenate([[0.0], np.cumsum((scores - 0.5) ** 2)[:-1]])
    return np.asarray((0.75 + before) / (3.0 + np.arange(len(scores))))


def wealth(start: Any, stakes: Array, scores: Array, mean: float) -> Array:
    """What each bet on high scores against a mean has become after each score."""
    return np.asarray(start * np.cumprod(1 + stakes * (scores - mean)[:, None], axis=0))


def twin(method: str, epsilon: float, scores: Array) -> dict[str, Array]:
    """The wealth of all bets after each score, straight from the formulas."""
    table = {"zone": ZONE_BETS, "duel": DUEL_BETS, "settle": SETTLE_BETS}[method]
    distances, weights = epsilon * np.array(table[0]), np.array(table[1])
    low, v = 0.5 - epsilon, moments(scores)[:, None]
    cap = 0.9 / low
    if method == "zone":
        stakes, weights = np.minimum(distances / v, 1.6), np.array(weights)
    elif method == "duel":
        stakes = np.minimum(distances / np.maximum(v, distances**2), cap)
    else:
        naming = np.minimum(distances / np.maximum(v, distances**2), 1.8)
        stakes = np.concatenate([np.minimum(0.8 * epsilon / v, cap), np.minimum(naming / (1 - epsilon * naming), cap)], axis=1)
        edges = np.concatenate([[0.75], 0.25 * weights])
        return {
            "wealth_above": wealth(edges, stakes, scores, low),
            "wealth_below": wealth(edges, stakes, 1 - scores, low),
            "wealth_first": wealth(weights, naming, scores, 0.5),
            "wealth_second": wealth(weights, naming, 1 - scores, 0.5),
        }
    return {"wealth_above": wealth(weights, stakes, scores, low), "wealth_below": wealth(weights, stakes, 1 - scores, low)}


@pytest.mark.parametrize("values", [[0.0, 1.0], [0.0, 0.25, 0.5, 0.75, 1.0], [0.45, 0.5, 0.52]])
@pytest.mark.parametrize("method", BETTING)
def test_wealth_is_that_of_the_formulas(method: str, values: list[float]) -> None:
    scores = np.random.default_rng(10).choice(values, size=250)
    for epsilon in (0.01, 0.2):
        races = Setting(method, epsilon, 1e-99).start()
        assert feed(races[0], scores) == len(scores)
        for name, expected in twin(method, epsilon, scores).items():
            np.testing.assert_allclose(races[0][name][: expected.shape[1]], expected[-1], rtol=1e-9)
            assert np.all(races[0][name][expected.shape[1] :] == 0)


@pytest.mark.parametrize("mean", [0.3, 0.5, 0.62])
@pytest.mark.parametrize("method", ["duel", "settle"])
def test_verdicts_are_those_of_the_formulas(method: str, mean: float) -> None:
    """Proofs are made by the largest sum so far, and the first answer that has its proofs is the verdict."""
    epsilon, delta, generator = 0.1, 0.05, np.random.default_rng(11)
    for _ in range(20):
        scores = np.minimum(generator.binomial(4, mean, size=400) / 4, 1.0)
        sums = {name: np.maximum.accumulate(part.sum(axis=1)) for name, part in twin(method, epsilon, scores).items()}
        above, below = sums["wealth_above"] >= 1 / delta, sums["wealth_below"] >= 1 / delta
        first, second = above, below
        if method == "settle":
            first, second = above & (sums["wealth_first"] >= 2 / delta), below & (sums["wealth_second"] >= 2 / delta)
        answers = [(above & below, EQUAL), (first, FIRST), (second, SECOND)]
        ends = [(int(np.argmax(when)) + 1, verdict) for when, verdict in answers if when.any()]
        expected = min(ends, key=lambda end: end[0])
        race = Setting(method, epsilon, delta).start()[0]
        taken = feed(race, scores)
        assert (taken, int(race.verdict)) == expected


@pytest.mark.parametrize("method", BETTING)
def test_no_bet_can_lose_everything_and_weights_are_shares(method: str) -> None:
    for epsilon in (1e-6, 0.01, 0.3, 0.499):
        start = Setting(method, epsilon, 0.05).start()
        assert start[0].wealth_above.sum() == pytest.approx(1) and start[0].wealth_below.sum() == pytest.approx(1)
        for scores in (np.zeros(60), np.ones(60), np.r_[np.full(500, 0.5), np.zeros(60)]):
            race = Setting(method, epsilon, 1e-100).start()[0]
            feed(race, scores)
            for name in ("wealth_above", "wealth_below", "wealth_first", "wealth_second"):
                assert np.all(race[name] >= 0) and np.all(np.isfinite(race[name]))
                if name in ("wealth_above", "wealth_below") or method == "settle":
                    assert race[name].sum() > 0


@pytest.mark.parametrize("method", BETTING)
def test_wealth_cannot_be_expected_to_grow_under_the_mean_that_it_bets_against(method: str) -> None:
    """One step from a race under way, exactly: the average over both outcomes of a coin at the edge, or at 1/2."""
    race = Setting(method, 0.05, 1e-9).start()
    feed(race[0], np.random.default_rng(12).choice([0.3, 0.5, 0.6], size=40))
    for name, mean in (("wealth_above", 0.45), ("wealth_below", 0.55), ("wealth_first", 0.5), ("wealth_second", 0.5)):
        after = []
        for score in (0.0, 1.0):
            moved = race.copy()
            feed(moved[0], np.array([score]))
            after.append(float(moved[0][name].sum()))
        expected = (1 - mean) * after[0] + mean * after[1]
        assert expected == pytest.approx(float(race[0][name].sum()), rel=1e-12, abs=1e-300)


def test_proofs_stay() -> None:
    """A side that was proved counts, though the evidence has gone again."""
    race = Setting("settle", 0.1, 0.05).start()[0]
    while not race.proofs:
        feed(race, np.array([1.0, 0.0, 1.0, 0.0, 0.5]))
    before = int(race.proofs)
    assert race.verdict == UNDECIDED and before in (ABOVE, BELOW)
    against, side = (0.0, "wealth_above") if before == ABOVE else (1.0, "wealth_below")
    while race[side].sum() >= 20:
        feed(race, np.array([against]))
    assert race.verdict == UNDECIDED and race.proofs == before
    feed(race, np.array([1.0, 0.0] * 400))
    assert race.verdict == EQUAL and race.proofs == ABOVE | BELOW


def test_wealth_that_is_next_to_nothing_is_dropped() -> None:
    race = Setting("settle", 0.01, 0.05).start()[0]
    names = ("wealth_above", "wealth_below", "wealth_first", "wealth_second")
    for number, name in enumerate(names):
        race[name][:] = 1.0
        race[name][number % 2] = 1e-281
    betting._drop_lost_stakes(race)
    for number, name in enumerate(names):
        assert race[name][number % 2] == 0 and np.sum(race[name] == 1.0) == len(race[name]) - 1
