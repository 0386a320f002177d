"""What a race promises: the worse agent is named the better one with probability at most delta outside the zone."""

from __future__ import annotations

import numpy as np
import pytest
from simulating import shares, simulate

from facedown.arena.racing.feed import feed
from facedown.arena.racing.methods import EQUAL, FIRST, METHODS, SECOND, UNDECIDED, Setting
from facedown.native.jit import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="thousands of races")


@pytest.mark.parametrize("p_draw", [0.0, 0.5])
def test_zone_at_the_edge_20_000_times(p_draw: float) -> None:
    """Epsilon .05 at mean .45, with and without draws: neither the wrong agent nor "equal" comes out more often than delta."""
    verdicts = shares(simulate(Setting("zone", 0.05, 0.05), 0.45, 20_000, seed=4, p_draw=p_draw))
    assert verdicts[FIRST] + verdicts[EQUAL] < 0.05
    assert verdicts[UNDECIDED] == 0


@pytest.mark.parametrize("method", ["sprt", "zone", "mixture"])
@pytest.mark.parametrize("p_draw", [0.0, 0.5])
def test_other_races_at_the_other_edge(method: str, p_draw: float) -> None:
    """2,000 races: delta and 4 standard errors; the seed is fixed."""
    verdicts = shares(simulate(Setting(method, 0.05, 0.05), 0.55, 2_000, seed=5, p_draw=p_draw))
    assert verdicts[SECOND] + verdicts[EQUAL] < 0.05 + 4 * 0.0049


def test_draws_help() -> None:
    """With half the games drawn the zone race needs fewer, as its evidence knows of them."""
    setting = Setting("zone", 0.05, 0.05)
    plain = simulate(setting, 0.42, 1500, seed=6)
    drawn = simulate(setting, 0.42, 1500, seed=6, p_draw=0.5)
    assert drawn[:, 1].mean() < 0.9 * plain[:, 1].mean()


def test_equal_agents_can_be_called_equal() -> None:
    verdicts = shares(simulate(Setting("zone", 0.05, 0.05), 0.5, 600, seed=7))
    assert verdicts[EQUAL] > 0.25
    assert verdicts[UNDECIDED] == 0
    always_drawn = shares(simulate(Setting("zone", 0.01, 0.05), 0.5, 1, seed=8, p_draw=1.0))
    assert always_drawn[EQUAL] == 1


@pytest.mark.parametrize("method", list(METHODS))
def test_a_verdict_is_sticky_and_batches_do_not_matter(method: str) -> None:
    generator = np.random.default_rng(9)
    scores = (generator.random(400_000) < 0.53).astype(np.float64)
    whole = Setting(method, 0.02, 0.05).start()
    taken = feed(whole[0], scores)
    assert whole[0].verdict != UNDECIDED
    assert taken == whole[0].n_scores
    before = whole.tobytes()
    assert feed(whole[0], scores) == 0
    assert whole.tobytes() == before
    pieces = Setting(method, 0.02, 0.05).start()
    at = 0
    while pieces[0].verdict == UNDECIDED:
        size = int(generator.integers(1, 500))
        at += feed(pieces[0], scores[at : at + size])
    assert pieces.tobytes() == before


def test_numpy_twin_of_the_zone() -> None:
    """The evidence as its formula has it, in logarithms of counts."""
    generator = np.random.default_rng(10)
    scores = generator.choice([0.0, 0.25, 0.5, 0.75, 1.0], size=300)
    races = Setting("zone", 0.01, 1e-9).start()
    stakes, weights = races[0].bets.copy(), races[0].wealth_above.copy()
    feed(races[0], scores)
    above = weights * np.exp(np.log1p(np.outer(scores - 0.49, stakes)).sum(axis=0))
    below = weights * np.exp(np.log1p(np.outer(0.51 - scores, stakes)).sum(axis=0))
    np.testing.assert_allclose(races[0].wealth_above, above, rtol=1e-9)
    np.testing.assert_allclose(races[0].wealth_below, below, rtol=1e-9)
    assert weights.sum() == pytest.approx(1)
