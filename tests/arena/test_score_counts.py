"""Counts of scores: the same as counted by hand, however cut; where there are too many, an interval that is only wider."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from facedown.arena.intervals import interval_from_counts
from facedown.arena.score_counts import MAX_DISTINCT, ScoreCounts, add_all
from facedown.native.jit import COMPILED

Array = np.ndarray[Any, Any]
MANY = 12_000 if COMPILED else 3_000
"""More deals than scores that are kept apart."""


def by_hand(scores: Array, n_orders: int, agent: int) -> Counter[float]:
    """How often each total of a complete deal came."""
    found: Counter[float] = Counter()
    for deal in range(len(scores) // n_orders):
        total = 0.0
        for order in range(n_orders):
            total += float(scores[deal * n_orders + order, agent])
        found[total] += 1
    return found


def same(one: tuple[ScoreCounts, ...], other: tuple[ScoreCounts, ...]) -> bool:
    def parts(counts: ScoreCounts) -> list[int]:
        return [] if counts.parts is None else counts.parts.tolist()

    return all(
        a.values.tolist() == b.values.tolist() and a.counts.tolist() == b.counts.tolist() and parts(a) == parts(b)
        for a, b in zip(one, other, strict=True)
    )


def games(n_games: int, n_agents: int, kind: str, seed: int) -> Array:
    generator = np.random.default_rng(seed)
    if kind == "constant sum":
        first = generator.choice([-2.0, -1.0, 1.0, 2.0], (n_games, 1))
        return np.concatenate([first, -first / (n_agents - 1) + np.zeros((n_games, n_agents - 1))], axis=1)
    if kind == "any":
        return generator.choice([-2.0, -0.1, 0.2, 1 / 3, 2.0], (n_games, n_agents))
    return generator.uniform(-2, 2, (n_games, n_agents))


@pytest.mark.parametrize("kind", ["constant sum", "any"])
@pytest.mark.parametrize(
    ("n_games", "n_orders", "n_agents"), [(1, 1, 2), (1, 2, 2), (400, 2, 2), (401, 2, 2), (399, 1, 2), (302, 3, 3)]
)
def test_scores_are_counted_as_by_hand(kind: str, n_games: int, n_orders: int, n_agents: int) -> None:
    scores = games(n_games, n_agents, kind, 1)
    for agent, found in enumerate(ScoreCounts.by_agent(scores, n_orders, (-2.0, 2.0))):
        assert dict(zip(found.values.tolist(), found.counts.tolist(), strict=True)) == by_hand(scores, n_orders, agent)
        assert found.values.tolist() == sorted(found.values.tolist())
        assert found.n_deals == n_games // n_orders


def test_scores_that_are_almost_a_constant_sum_are_counted_one_by_one() -> None:
    scores = games(100, 2, "constant sum", 2)
    scores[71, 1] += 0.25
    for agent, found in enumerate(ScoreCounts.by_agent(scores, 2, (-2.0, 2.25))):
        assert dict(zip(found.values.tolist(), found.counts.tolist(), strict=True)) == by_hand(scores, 2, agent)


@pytest.mark.parametrize("kind", ["constant sum", "any", "everything"])
def test_cuts_do_not_matter(kind: str) -> None:
    """Some parts have few different scores, and only together they are too many."""
    scores = games(2 * MANY, 2, kind, 3)
    whole = ScoreCounts.by_agent(scores, 2, (-2.0, 2.0))
    assert (whole[0].parts is not None) == (kind == "everything")
    for cuts in ([10], [MANY], [2 * MAX_DISTINCT, 2 * MAX_DISTINCT + 2, MANY], list(range(500, 2 * MANY, 500))):
        parts = [ScoreCounts.by_agent(part, 2, (-2.0, 2.0)) for part in np.split(scores, cuts)]
        forwards, backwards = parts[0], parts[-1]
        for part in parts[1:]:
            forwards = add_all(forwards, part)
        for part in parts[-2::-1]:
            backwards = add_all(backwards, part)
        assert same(whole, forwards)
        assert same(whole, backwards)
        assert forwards[0].interval() == whole[0].interval() == backwards[0].interval()


LAWS = {
    "even": lambda generator: generator.random(MANY),
    "at the ends": lambda generator: generator.beta(0.05, 0.1, MANY),
    "in one place": lambda generator: 0.3217 + 1e-5 * generator.random(MANY),
    "near 0": lambda generator: 1e-4 * generator.random(MANY) ** 4,
    "above 1": lambda generator: 1 - 1e-3 * generator.random(MANY),
}


@pytest.mark.parametrize("name", LAWS)
def test_rounding_makes_an_interval_wider_and_hardly_so(name: str) -> None:
    scores = LAWS[name](np.random.default_rng(4))
    (found,) = ScoreCounts.by_agent(scores[:, None], 1, (0.0, 1.0))
    assert found.parts is not None
    assert found.n_deals == MANY
    low, high = found.interval()
    exact_low, exact_high = interval_from_counts(np.sort(scores), np.ones(MANY, np.int64))
    assert low <= exact_low <= exact_high <= high
    # as wide as with a deviation of 1/2048 more, in the worst case: all scores in the middle of one segment
    deviation = float(scores.std())
    assert high - low <= (exact_high - exact_low) * 1.02 * np.hypot(deviation, 1 / 2048) / deviation


def test_the_most_different_scores_are_kept_apart_and_one_more_is_not() -> None:
    at_most = np.arange(MAX_DISTINCT)[:, None] / MAX_DISTINCT
    (found,) = ScoreCounts.by_agent(np.concatenate([at_most, at_most]), 1, (0.0, 1.0))
    assert found.parts is None
    (more,) = ScoreCounts.by_agent(np.concatenate([at_most, [[1.0]]]), 1, (0.0, 1.0))
    assert more.parts is not None
    assert more.n_deals == MAX_DISTINCT + 1


def test_scores_in_other_units_give_the_same_interval() -> None:
    scores = games(300, 2, "any", 5)
    one = ScoreCounts.by_agent(scores, 2, (-2.0, 2.0))[0].interval()
    other = ScoreCounts.by_agent(1000 * scores + 7, 2, (-1993.0, 2007.0))[0].interval()
    assert one == pytest.approx(other, abs=1e-9)


def test_scores_beyond_the_declared_range_count_as_its_ends() -> None:
    (found,) = ScoreCounts.by_agent(np.array([[-3.0], [5.0], [0.5]]), 1, (0.0, 1.0))
    assert found.interval() == interval_from_counts(np.array([0.0, 0.5, 1.0]), np.array([1, 1, 1]))
