"""What a race promises: the worse agent is named the better one with probability at most delta outside the zone."""

from __future__ import annotations

import numpy as np
import pytest
from simulating import shares, simulate

from facedown.native.jit import COMPILED
from facedown.racing.feed import feed
from facedown.racing.methods import EQUAL, FIRST, METHODS, SECOND, UNDECIDED, Setting

pytestmark = pytest.mark.skipif(not COMPILED, reason="thousands of races")


@pytest.mark.parametrize("p_draw", [0.0, 0.5])
def test_zone_at_the_edge_20_000_times(p_draw: float) -> None:
    """Epsilon .05 at mean .45, with and without draws: neither the wrong agent nor "equal" comes out more often than delta."""
    verdicts = shares(simulate(Setting("zone", 0.05, 0.05), 0.45, 20_000, seed=4, p_draw=p_draw))
    assert verdicts[FIRST] + verdicts[EQUAL] < 0.05
    assert verdicts[UNDECIDED] == 0


@pytest.mark.parametrize("method", ["sprt", "zone", "duel", "settle"])
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


@pytest.mark.parametrize("method", list(METHODS))
def test_draws_alone_end_every_race_and_prefer_nobody(method: str) -> None:
    for epsilon in (0.01, 0.003):
        race = Setting(method, epsilon, 0.05).start()[0]
        feed(race, np.full(200_000, 0.5))
        assert race.verdict == EQUAL


def test_draws_do_not_end_the_test_of_wald_once_a_game_was_won() -> None:
    race = Setting("sprt", 0.01, 0.05).start()[0]
    scores = np.full(20_000, 0.5)
    scores[7] = 1.0
    feed(race, scores)
    assert race.verdict == UNDECIDED


def test_so_many_draws_that_equal_is_safe() -> None:
    """At the edge of the zone a score is not 1/2 with probability 2 epsilon at least: that all are drawn hardly happens."""
    for epsilon, delta in ((0.01, 0.05), (0.2, 0.001)):
        patience = int(Setting("sprt", epsilon, delta).start()[0].patience)
        assert (1 - 2 * epsilon) ** patience <= 1.01e-9 * delta < (1 - 2 * epsilon) ** (patience - 2)
