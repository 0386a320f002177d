"""Peers: a clear sentence where one is missing, and the same rules where it is there."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from facedown.arena.lineup import Lineup
from facedown.errors import UsageError
from facedown.native.jit import COMPILED
from facedown_bench import peers, run


def test_a_missing_peer_is_a_sentence_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UsageError, match=r"OpenSpiel .*pip install 'facedown\[peers\]'"):
        run(["kuhn"], peers=True)


def test_a_peer_that_is_not_there_at_all() -> None:
    nobody = peers.Peer("nobody", "Nobody's Games", "no_such_module_of_games", "no-such-package")
    with pytest.raises(UsageError, match=r"the peer Nobody's Games is not installed; install it with: pip install"):
        nobody.load()


def test_a_peer_that_is_broken_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "broken_peer_of_games.py").write_text("import a_module_that_is_missing")
    monkeypatch.syspath_prepend(str(tmp_path))
    broken = peers.Peer("broken", "Broken", "broken_peer_of_games", "broken")
    with pytest.raises(UsageError, match=r"cannot be imported .*a_module_that_is_missing"):
        broken.load()


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    return pytest.importorskip("pyspiel", reason="needs the extra 'peers'")


def outcomes_of_peer(pyspiel: Any, name: str, n_games: int, seed: int) -> Counter[tuple[int, float]]:
    """How often a game of OpenSpiel, played at random, had this length and this score of player 0."""
    random, game = np.random.default_rng(seed), pyspiel.load_game(name)
    found: Counter[tuple[int, float]] = Counter()
    for _ in range(n_games):
        state, n_moves = game.new_initial_state(), 0
        while not state.is_terminal():
            n_moves += not state.is_chance_node()  # both games deal with equal chances
            legal = state.legal_actions()
            state.apply_action(legal[random.integers(len(legal))])
        found[n_moves, state.returns()[0]] += 1
    return found


@pytest.mark.parametrize("name", sorted(peers.PEER_MATCHES[0].games))
def test_the_peer_plays_by_the_same_rules(name: str, pyspiel: Any) -> None:
    """Lengths and scores have the same distribution. False alarms: 1 in 10,000, but the seeds are fixed."""
    n_games = 20_000 if COMPILED else 1_000
    theirs = outcomes_of_peer(pyspiel, peers.PEER_MATCHES[0].games[name], n_games, seed=1)
    batch = Lineup(name, ["uniform", "uniform"], swap=False).play(seed=1, first=0, count=n_games)
    ours = Counter(zip(batch.lengths.tolist(), batch.scores[:, 0].tolist(), strict=True))
    often = [outcome for outcome in theirs | ours if theirs[outcome] + ours[outcome] >= 20]
    rows = [[counts[outcome] for outcome in often] for counts in (theirs, ours)]
    table = [[*row, n_games - sum(row)] for row in rows]
    if table[0][-1] + table[1][-1] == 0:
        table = rows
    assert len(often) >= 5
    assert chi2_contingency(table).pvalue > 1e-4


@pytest.mark.parametrize(("loop", "name"), [(loop, name) for loop in peers.PEER_MATCHES for name in sorted(loop.games)])
def test_a_lap_plays_as_many_games_as_asked(
    loop: peers.PeerLoop, name: str, pyspiel: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[tuple[int, tuple[int, ...]]] = []
    evaluate_bots = pyspiel.evaluate_bots

    def counted(state: Any, bots: Any, seed: int) -> list[float]:
        scores: list[float] = evaluate_bots(state, bots, seed)
        assert state.is_terminal()
        played.append((seed, tuple(state.history())))
        return scores

    monkeypatch.setattr(pyspiel, "evaluate_bots", counted)
    contestant = loop.contestant(name)
    laps = [contestant.run(30), contestant.run(20)]
    assert [lap.units for lap in laps] == [30, 20]
    assert min(lap.seconds for lap in laps) > 0
    assert len({seed for seed, _ in played}) == 50  # no game twice
    assert len({history for _, history in played}) > 2
    assert contestant.version
