"""Results by length and by who moved first: added up by hand from the single games, and what the command line prints."""

from __future__ import annotations

import math

import numpy as np
import pytest

import facedown as fd
from facedown.arena import splits
from facedown.arena.lineup import Lineup
from facedown.errors import UsageError
from facedown.native.jit import COMPILED

GAMES = 4000 if COMPILED else 100


@pytest.mark.parametrize(
    ("spec", "agents"), [("love_letter", ["greedy", "random"]), ("love_letter(players=3)", ["greedy", "random", "minmax"])]
)
def test_splits_add_up(spec: str, agents: list[str]) -> None:
    """Every game is in one part of each sort, and figures are those of its games."""
    result = fd.match(spec, agents, games=GAMES, seed=1, keep=True)
    found = splits.split(result)
    assert result.batch is not None
    scores, lengths, lineup = result.batch.scores, result.batch.lengths, Lineup(spec, agents)
    for parts in (found.by_length.values(), [part for part in found.by_first if part]):
        assert sum(part.games for part in parts) == result.games
        assert sum(part.draws for part in parts) == result.draws
        assert tuple(np.sum([part.wins for part in parts], axis=0).tolist()) == result.wins
    assert sum(moves * part.games for moves, part in found.by_length.items()) / result.games == result.length_mean
    for moves, part in found.by_length.items():
        assert part.mean == pytest.approx(scores[lengths == moves].mean(axis=0))
    for first, part in enumerate(found.by_first):
        games = [number for number in range(result.games) if lineup.seating(result.seed, number)[0] == first]
        assert part is not None
        assert part.games == len(games)
        assert part.mean == pytest.approx(scores[games].mean(axis=0))
        # each deal is there once, so these games are independent
        assert part.stderr == pytest.approx(scores[games].std(axis=0, ddof=1) / math.sqrt(len(games)))
    seat_0 = sum(part.mean[first] * part.games for first, part in enumerate(found.by_first) if part) / result.games
    assert seat_0 == pytest.approx(result.seat_mean[0])


def test_errors_take_games_on_one_deal_together() -> None:
    """Three deals, two of them twice: by the definition, from the sums of what each deal is off the mean."""
    scores = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.0, 1.0]])
    part = splits.Split.of(scores, np.array([0, 0, 1, 2, 2]), (0.0, 1.0))
    off = [2 - 2 * 0.5, 0 - 0.5, 0.5 - 2 * 0.5]
    assert part.mean == (0.5, 0.5)
    assert part.stderr[0] == pytest.approx(math.sqrt(sum(value**2 for value in off) * 3 / 2) / 5)
    assert (part.wins, part.draws) == ((2, 2), 1)


def test_the_error_of_a_single_deal_is_the_largest_possible() -> None:
    for n_games in (1, 2):
        part = splits.Split.of(np.array([[3.0, 0.0]] * n_games), np.zeros(n_games, np.int64), (-1.0, 5.0))
        assert part.stderr == (3.0, 3.0)
    found = splits.split(fd.match("love_letter", ["greedy", "random"], games=2, seed=1, keep=True))
    assert {error for part in found.by_length.values() for error in part.stderr} == {0.5}


def test_equal_agents_are_told_apart() -> None:
    found = splits.split(fd.match("kuhn", ["uniform", "uniform"], games=20, seed=1, keep=True))
    assert [part["agent"] for part in found.to_dict()["by_first"]] == ["uniform (1st)", "uniform (2nd)"]
    assert repr(found).startswith("uniform (1st) in seat 0: ")
    assert "uniform (2nd) in seat 0: " in repr(found)


def test_without_swapping_only_one_moves_first() -> None:
    result = fd.match("love_letter", ["greedy", "random"], games=60, seed=1, swap=False, keep=True)
    found = splits.split(result)
    assert found.by_first[0] is not None and found.by_first[0].games == 60
    assert found.by_first[1] is None
    assert found.to_dict()["by_first"][1] is None
    assert repr(found).startswith("greedy in seat 0: ")


def test_games_must_be_kept() -> None:
    with pytest.raises(UsageError, match="keep=True"):
        splits.split(fd.match("kuhn", ["first", "uniform"], games=10, seed=1))


def test_where_they_are_wanted() -> None:
    assert splits.wanted(fd.game("love_letter"), 200_000)
    assert not splits.wanted(fd.game("love_letter"), 2_000_000)
    assert not splits.wanted(fd.game("love_letter(match=yes)"), 1000)
    assert not splits.wanted(fd.game("kuhn"), 1000)


def test_time_of_an_agent() -> None:
    """A thousand games take more than nothing; twice asked, less than a second where the compiler has done its work."""
    assert 0 < splits.seconds_for_1000("kuhn", "uniform") < (1 if COMPILED else 100)
