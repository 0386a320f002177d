"""The laboratory: standard errors of shares against slow twins, nothing measured twice, ends of a game."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from facedown.arena.results import MatchResult
from facedown.errors import UsageError
from facedown.papers import laboratory as laboratories
from facedown.papers.laboratory import Laboratory, Profile, Sizes, mean_score, ratio, share
from facedown.progress import Progress

SIZES = Sizes(tiny=40, quick=400, full=4_000)


@pytest.fixture(scope="module")
def lab() -> Laboratory:
    return Laboratory(Profile.TINY, 3)


def result(games: int, swap: bool) -> MatchResult:
    """A match without games: only its frame is looked at."""
    nothing: dict[str, Any] = dict.fromkeys(("mean", "stderr", "interval", "wins", "seat_mean"), ()) | {
        "draws": 0,
        "length_mean": 0.0,
        "columns": {},
        "seconds": 0.0,
    }
    return MatchResult(game="kuhn", agents=("uniform", "uniform"), games=games, seed=1, swap=swap, repeat="", **nothing)


@pytest.mark.parametrize("swap", [True, False])
def test_mean_and_error_are_those_of_the_match(lab: Laboratory, swap: bool) -> None:
    """The arena adds sums up in native code; the laboratory works on single games."""
    played = lab.match("kuhn", "uniform", "uniform", games=SIZES, swap=swap)
    assert played.batch is not None
    ours, theirs = ratio(played, played.batch.scores[:, 0], np.ones(played.games)), mean_score(played)
    assert ours.value == pytest.approx(theirs.value)
    assert ours.stderr == pytest.approx(theirs.stderr)
    assert (ours.games, ours.seed, ours.repeat) == (40, 3, played.repeat)


def jackknife(above: Any, below: Any) -> float:
    """The slow twin: leave out each block in turn, and see how much the ratio moves."""
    total_above, total_below, n_blocks = above.sum(), below.sum(), len(above)
    without = (total_above - above) / (total_below - below)
    return math.sqrt((n_blocks - 1) / n_blocks * ((without - without.mean()) ** 2).sum())


@pytest.mark.parametrize("swap", [True, False])
def test_the_error_of_a_ratio_is_the_jackknife_one(swap: bool) -> None:
    chance = np.random.default_rng(1)
    ended = chance.random(2_000) < 0.4
    won = ended & (chance.random(2_000) < 0.63)
    if swap:  # games of a pair that have much to do with each other
        ended[1::2], won[1::2] = ended[::2], won[::2]
    figure = ratio(result(2_000, swap), won, ended)
    blocks = 2 if swap else 1
    above, below = won.reshape(-1, blocks).sum(1), ended.reshape(-1, blocks).sum(1)
    assert figure.value == won.sum() / ended.sum()
    assert figure.stderr == pytest.approx(jackknife(above, below), rel=0.01)
    naive = math.sqrt(figure.value * (1 - figure.value) / ended.sum())
    assert figure.stderr == pytest.approx(naive * math.sqrt(blocks), rel=0.05)


def test_two_standard_errors_hold_the_true_share() -> None:
    """Of 400 samples 95.4 % do; fewer than 364 or more than 396 happen once in 17,000 times."""
    chance, n_held = np.random.default_rng(2), 0
    for _ in range(400):
        strength = np.repeat(chance.random(500), 2)  # the deal decides much
        figure = share(result(1_000, True), chance.random(1_000) < strength)
        n_held += abs(figure.value - 0.5) < 2 * figure.stderr
    assert 364 <= n_held <= 396


def test_a_share_of_nothing_is_an_error() -> None:
    with pytest.raises(UsageError, match="no game counts"):
        ratio(result(4, False), np.zeros(4), np.zeros(4))


def test_nothing_is_played_or_counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()

    def count(name: str) -> Any:
        original = getattr(laboratories, name)

        def counting(*arguments: Any, **settings: Any) -> Any:
            calls[name] += 1
            return original(*arguments, **settings)

        return counting

    for name in ("match", "explore"):
        monkeypatch.setattr(laboratories, name, count(name))
    lab = Laboratory(Profile.TINY, 1)
    for _ in range(3):
        lab.match("kuhn", "uniform", "uniform", games=SIZES)
        lab.match("kuhn", "uniform", "uniform", games=SIZES, swap=False)
        lab.explore("kuhn")
        lab.ends("kuhn")
    assert calls == {"match": 2, "explore": 1}


def test_profiles_have_their_sizes() -> None:
    assert [SIZES.of(profile) for profile in Profile] == [40, 400, 4_000]


def test_ends_hold_what_was_played_and_won(lab: Laboratory) -> None:
    ends = lab.ends("kuhn")
    assert Counter(end.actions for end in ends) == dict.fromkeys([(0, 0), (0, 1, 0), (0, 1, 1), (1, 0), (1, 1)], 6)
    for end in ends:
        higher = int(end.state.card[1] > end.state.card[0])
        folded = end.actions[-2:] == (1, 0)
        winner = len(end.actions) % 2 if folded else higher  # who bet moved before the last
        assert end.scores[winner] == (1 if folded or end.actions == (0, 0) else 2)
        assert sum(end.scores) == 0


def test_progress_goes_up_to_the_whole() -> None:
    told: list[Progress] = []
    lab = Laboratory(Profile.TINY, 1, 2, told.append)
    lab.measure("first", lambda lab: lab.match("kuhn", "uniform", "uniform", games=SIZES))
    lab.measure("second", lambda lab: lab.explore("kuhn"))
    done = [now.done for now in told]
    assert done == sorted(done) and done[0] == 0 and done[-1] == 2
    assert any(0 < part < 1 for part in done)  # within a match too
    assert {now.total for now in told} == {2} and {now.words for now in told} == {"first", "second"}


def test_a_bad_seed_is_refused() -> None:
    with pytest.raises(UsageError, match="seed=-1"):
        Laboratory(Profile.TINY, -1)
