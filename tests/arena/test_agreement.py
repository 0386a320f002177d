"""How often agents choose the same: known answers, errors that hold, agents that remember, and mistakes."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import facedown as fd
from facedown.agents.contract import Agent
from facedown.arena.agreement import agreement, clustered_interval
from facedown.errors import AgentError, Interrupted, UsageError
from facedown.native import native
from facedown.native.jit import COMPILED
from facedown.native.records import Record
from facedown.progress import Progress

FALSE_ALARM = 1e-5  # of each statistical test here; seeds are fixed
GAMES = 400 if COMPILED else 60


@native
def last(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[n - 1])


@native
def illegal(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[n - 1]) + 1


@native
def counting(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """The first action until it has heard of a move, then the last: it must follow games from every seat."""
    return int(actions[n - 1 if memory[0] > 0 else 0])


@native
def listen(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    memory[0] += 1


LAST = Agent(name="last", meaning="the last legal action", act=last, deterministic=True)
COUNTING = Agent(
    name="counting",
    meaning="changes its mind once it has heard something",
    act=counting,
    watch=listen,
    memory=np.dtype((np.record, [("n", np.uint8)])),
)


def test_agents_that_always_and_never_agree() -> None:
    result = agreement("kuhn", ["first", LAST, "first"], games=GAMES, seed=1)
    n = result.positions
    assert result.same == ((n, 0, n), (0, n, 0), (n, 0, n))
    assert result.share[0] == (1.0, 0.0, 1.0)
    low, high = result.interval[0][1]
    assert low == 0.0 and 0 < high < 0.1
    assert result.interval[0][2][1] == 1.0 and result.interval[0][2][0] == pytest.approx(1 - high)
    assert result.games == GAMES and result.agents == ("first", "last", "first")


def test_uniform_agrees_with_everybody_by_chance() -> None:
    """Kuhn has two actions everywhere: asked twice, uniform does the same half the time, and so it does beside any other."""
    result = agreement("kuhn", ["uniform", "first"], games=GAMES, seed=2)
    for same in (result.same[0][0], result.same[0][1]):
        assert binomtest(same, result.positions, 0.5).pvalue > FALSE_ALARM
    assert result.same[0][1] == result.same[1][0]
    assert result.same[1][1] == result.positions


def test_agents_follow_games_that_others_play() -> None:
    """Kuhn: at the first choice nothing was heard, later something was; so it is `first` then `last`, whoever sits there."""
    result = agreement("kuhn", [COUNTING, "first", LAST], games=GAMES, seed=3)
    with_first, with_last = result.same[0][1], result.same[0][2]
    assert with_first == GAMES  # the first choice of each game
    assert with_last == result.positions - GAMES > 0


def test_the_same_seed_gives_the_same_figures() -> None:
    one, two, other = (agreement("kuhn", ["uniform", "first"], games=30, seed=seed) for seed in (5, 5, 6))
    assert one.same == two.same and one.positions == two.positions
    assert (one.same, one.positions) != (other.same, other.positions)


def test_errors_are_those_of_games_and_not_of_positions() -> None:
    """From the counts of single games, by the definition: the spread of same - share * asked over games."""
    games = 15
    single = [agreement("kuhn", ["uniform", "first"], games=count, seed=7) for count in range(1, games + 1)]
    same = np.diff([0, *(result.same[0][1] for result in single)])
    asked = np.diff([0, *(result.positions for result in single)])
    share = same.sum() / asked.sum()
    residuals = same - share * asked
    expected = math.sqrt((residuals**2).sum() * games / (games - 1)) / asked.sum()
    assert single[-1].stderr[0][1] == pytest.approx(expected)
    assert set(single[0].stderr[0]) == {0.5}  # one game: the largest possible


def test_the_interval_covers() -> None:
    """Games of 1 to 5 positions that are alike: a game agrees in all of them with its own probability, 0.8 on average.

    A 95 % interval that fails 1 time in 20 fails more than 70 times in 800 with probability 4e-6.
    """
    dice, failures = np.random.default_rng(1), 0
    for _ in range(800):
        asked = dice.integers(1, 6, 200)
        same = dice.binomial(asked, dice.choice([0.6, 1.0], 200))
        share = same.sum() / asked.sum()
        residuals = same - share * asked
        stderr = math.sqrt((residuals**2).sum() * 200 / 199) / asked.sum()
        low, high = clustered_interval(share, stderr, int(asked.sum()), 200)
        failures += not low <= 0.8 <= high
    assert failures <= 70


def test_without_any_spread_games_are_what_counts() -> None:
    assert clustered_interval(1.0, 0.0, 5000, 100) == clustered_interval(1.0, 0.0, 100, 100)
    low, high = clustered_interval(0.0, 0.0, 5000, 100)
    assert low == 0.0 and high == pytest.approx(1.959963984540054**2 / (100 + 1.959963984540054**2))


def test_more_agents_than_seats_and_words() -> None:
    result = agreement("kuhn", ["uniform", "first", LAST], games=20, seed=1)
    content = result.to_dict()
    assert content["schema"] == "facedown.agreement/1"
    assert [len(row) for row in content["share"]] == [3, 3, 3]
    for row, column in itertools.product(range(3), repeat=2):
        assert content["share"][row][column] == content["same"][row][column] / content["positions"]
    assert repr(result).splitlines()[0].startswith("kuhn: ")
    assert len(repr(result).splitlines()) == 4


def test_mistakes() -> None:
    with pytest.raises(UsageError, match="games=0"):
        agreement("kuhn", ["first"], games=0)
    with pytest.raises(UsageError, match="give a list of names"):
        agreement("kuhn", "first")
    with pytest.raises(UsageError, match="unknown agent"):
        agreement("kuhn", ["frist"], games=1)
    wrong = Agent(name="wrong", meaning="plays what is not there", act=illegal)
    with pytest.raises(AgentError, match="agent wrong chose 2, which is not legal, in game 0 of seed 4"):
        agreement("kuhn", ["first", wrong], games=5, seed=4)


def test_interrupted() -> None:
    def stop(now: Progress) -> None:
        assert (now.total, str(now)) == (50, f"{now.done} games")
        if now.done == 10:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="after 10 games") as stopped:
        agreement("kuhn", ["first", "uniform"], games=50, seed=1, progress=stop)
    result = stopped.value.result
    assert result.games == 10 and result.interrupted
    assert result.same == agreement("kuhn", ["first", "uniform"], games=10, seed=1).same


def test_agents_of_love_letter() -> None:
    """What `careful` knows changes little of what `greedy` does; `random` agrees with nobody, itself included."""
    result = agreement(fd.game("love_letter"), ["random", "greedy", "careful"], games=100 if COMPILED else 15, seed=1)
    assert result.share[1][2] > 0.85
    assert max(result.share[0]) < 0.6
