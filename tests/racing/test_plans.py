"""Plans are exact: against a slow twin that follows every pair of wins and losses, and against simulated races."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from simulating import simulate

from facedown.arena.racing import formulas
from facedown.arena.racing.feed import feed
from facedown.arena.racing.methods import EQUAL, FIRST, METHODS, SECOND, UNDECIDED, Setting
from facedown.arena.racing.plan import plan
from facedown.errors import UsageError
from facedown.native.jit import COMPILED

WIDE = {"epsilon": 0.1, "delta": 0.1}  # short races


def slow_plan(method: str, mean: float, max_games: int) -> tuple[dict[int, float], float]:
    """Feed one score after the other to copies of the race itself, merging those that stand alike."""
    alive = {(0.0, 0, 0): (Setting(method, **WIDE).start(), 1.0)}
    verdicts: dict[int, float] = defaultdict(float)
    games = 0.0
    for n in range(1, max_games + 1):
        following: dict[tuple[float, int, int], tuple[np.ndarray[Any, Any], float]] = {}
        for races, probability in alive.values():
            for score, chance in ((1.0, mean), (0.0, 1 - mean)):
                fed = races.copy()
                race = fed[0]
                feed(race, np.array([score]))
                if race.verdict != UNDECIDED:
                    verdicts[int(race.verdict)] += probability * chance
                    games += probability * chance * n
                else:
                    key = (float(race.total), int(race.proved_above), int(race.proved_below))
                    same = following.get(key, (fed, 0.0))
                    following[key] = (same[0], same[1] + probability * chance)
        alive = following
    left = sum(probability for _, probability in alive.values())
    verdicts[UNDECIDED] += left
    return verdicts, games + left * max_games


@pytest.mark.parametrize("method", list(METHODS))
def test_plan_equals_the_slow_twin(method: str) -> None:
    max_games = 70 if COMPILED else 16
    for mean in (0.35, 0.5):
        verdicts, games = slow_plan(method, mean, max_games)
        (point,) = plan(method, mean=mean, max_games=max_games, threads=1, **WIDE).points
        assert point.first == pytest.approx(verdicts[FIRST], abs=1e-7)
        assert point.second == pytest.approx(verdicts[SECOND], abs=1e-7)
        assert point.equal == pytest.approx(verdicts[EQUAL], abs=1e-7)
        assert point.undecided == pytest.approx(verdicts[UNDECIDED], abs=1e-7)
        assert point.games == pytest.approx(games, rel=1e-7)


@pytest.mark.skipif(not COMPILED, reason="thousands of races")
@pytest.mark.parametrize("method", list(METHODS))
def test_simulated_races_agree_with_their_plan(method: str) -> None:
    """Six means, two figures each, 4 standard errors: a false alarm in one of 160 such runs; the seed is fixed."""
    setting, n_races = Setting(method, epsilon=0.05, delta=0.05), 1500
    for mean in (0.40, 0.44, 0.46, 0.48, 0.5, 0.55):
        (point,) = plan(method, 0.05, 0.05, mean, max_games=50_000, threads=1).points
        found = simulate(setting, mean, n_races, seed=METHODS[method])
        firsts, games = (found[:, 0] == FIRST).mean(), found[:, 1]
        p_first = min(max(point.first, 1 / n_races), 1 - 1 / n_races)
        assert abs(firsts - point.first) < 4 * math.sqrt(p_first * (1 - p_first) / n_races)
        assert abs(games.mean() - point.games) < 4 * max(games.std(), 1.0) / math.sqrt(n_races)


@pytest.mark.skipif(not COMPILED, reason="long plans")
def test_the_published_race_at_497() -> None:
    """The source simulated about .10 and 45 thousand games."""
    (point,) = plan("ilebr*2", 0.01, 0.05, 0.497).points
    assert point.error == pytest.approx(0.10, abs=0.005)
    assert point.games == pytest.approx(45_000, rel=0.01)
    assert point.dropped < 1e-12


@pytest.mark.skipif(not COMPILED, reason="long plans")
def test_zone_meets_its_bar() -> None:
    """At most a fifth of the games of ilebr*2, within 1.75 times the bound, error below delta at the edge."""
    zone = plan("zone", mean=[0.45, 0.48, 0.49]).points
    published = plan("ilebr*2", mean=[0.45, 0.48, 0.49]).points
    for ours, theirs in zip(zone, published, strict=True):
        assert ours.games <= theirs.games / 5
        assert ours.games <= 1.75 * ours.fewest
        assert ours.error + ours.equal <= 0.05
        assert ours.fewest == pytest.approx(formulas.fewest_games(ours.mean, 0.01, 0.05))


def test_bad_input() -> None:
    with pytest.raises(UsageError, match=r"unknown method 'zonne'\. Did you mean 'zone'"):
        plan("zonne")
    for settings, words in (
        ({"epsilon": 0.0}, "epsilon=0.0"),
        ({"epsilon": 0.5}, "epsilon=0.5"),
        ({"epsilon": float("nan")}, "epsilon=nan"),
        ({"delta": 0.0}, "delta=0.0"),
        ({"delta": 0.7}, "delta=0.7"),
        ({"mean": 1.0}, "mean=1"),
        ({"mean": []}, "no mean"),
        ({"max_games": 0}, "max_games=0"),
    ):
        with pytest.raises(UsageError, match=words):
            plan(**settings)  # type: ignore[arg-type]


def test_plan_as_dictionary_and_picture() -> None:
    found = plan("sprt", 0.1, 0.1, [0.4, 0.5], max_games=200)
    assert found.to_dict()["schema"] == "facedown.plan/1"
    assert len(found.to_dict()["points"]) == 2
    assert plan("sprt", 0.1, 0.1, 0.4, max_games=200).to_dict()["error"] > 0
    assert "mean 0.4" in repr(found)
    figure = found.plot()
    assert [axes.get_title() for axes in figure.axes] == ["probability of an error", "expected games"]
