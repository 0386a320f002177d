"""Races between agents: the same answer whatever the threads, the batches or the interruptions."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from facedown.arena.match import match
from facedown.arena.racing.duel import Duel
from facedown.arena.racing.many import Standing
from facedown.arena.racing.race import RaceResult, race
from facedown.errors import UsageError
from facedown.native.jit import COMPILED

# uncompiled, a race must be short
SETTINGS = {"epsilon": 0.01 if COMPILED else 0.1, "delta": 0.05, "seed": 1}


def facts(result: RaceResult) -> dict[str, object]:
    return {key: value for key, value in result.to_dict().items() if key not in {"seconds", "games_played"}}


def test_threads_do_not_matter() -> None:
    one = race("rrrats(tokens=9)", "hold", "stationary", threads=1, **SETTINGS)
    two = race("rrrats(tokens=9)", "hold", "stationary", threads=2, **SETTINGS)
    assert facts(one) == facts(two)
    assert one.verdict == "first"
    assert one.winner == "hold"


def test_games_are_those_of_a_match() -> None:
    """A race is a match that stops: same seed, same games, same mean."""
    result = race("kuhn", "uniform", "first", **SETTINGS)
    played = match("kuhn", ["uniform", "first"], games=result.games, seed=1)
    low, high = -2.0, 2.0
    assert result.mean == pytest.approx((played.mean[0] - low) / (high - low), abs=1e-12)


def test_mirrored_races_give_mirrored_answers() -> None:
    first = race("rrrats(tokens=9)", "hold", "stationary", **SETTINGS)
    second = race("rrrats(tokens=9)", "stationary", "hold", **SETTINGS)
    assert (first.verdict, second.verdict) == ("first", "second")
    assert first.winner == second.winner


def test_equal_agents_are_practically_equal() -> None:
    result = race("war(ranks=4,suits=2)", "descending", "descending", **SETTINGS)
    assert result.verdict == "practically equal"
    assert result.winner is None
    assert result.mean == 0.5


def test_max_games_gives_undecided() -> None:
    result = race("kuhn", "uniform", "uniform", epsilon=0.001, seed=1, max_games=101)
    assert result.verdict == "undecided"
    assert result.games == 100  # whole deals
    assert "--max-games 100" in result.repeat


def test_more_players() -> None:
    result = race("kuhn(players=3)", "uniform", "first", **SETTINGS)
    assert result.winner == "uniform"
    assert result.games % 3 == 0


def test_observations_lie_between_0_and_1_and_are_fair() -> None:
    duel = Duel("kuhn(players=3)", "uniform", "uniform")
    compared = duel.play(1, 0, 4000 if COMPILED else 60)
    assert compared.min() >= 0
    assert compared.max() <= 1
    assert abs(compared.mean() - 0.5) < 4 * compared.std() / np.sqrt(len(compared))  # false alarm 6e-5; fixed seed


def test_best_of_many() -> None:
    standing = race("rrrats(tokens=9)", "hold(at=1)", "hold", "stationary", "hold(at=2)", **SETTINGS)
    assert isinstance(standing, Standing)
    assert len(standing.races) == 6
    assert all(result.delta == pytest.approx(0.05 / 6) for result in standing.races)
    assert standing.to_dict()["schema"] == "facedown.standing/1"
    assert standing.verdict in {"decided", "practically equal"}
    lost = {place.agent for place in standing.places if place.status.startswith("lost")}
    assert "hold(at=1)" in lost
    assert not lost & set(standing.best)
    again = race("rrrats(tokens=9)", "hold(at=1)", "hold", "stationary", "hold(at=2)", threads=1, **SETTINGS)
    assert [facts(result) for result in again.races] == [facts(result) for result in standing.races]
    with pytest.raises(UsageError, match="named twice"):
        race("kuhn", "uniform", "first", "uniform", **SETTINGS)


def test_many_that_stop_without_a_verdict_can_be_repeated() -> None:
    agents = ("hold(at=2)", "hold(at=3)", "hold(at=4)")
    standing = race("rrrats(tokens=9)", *agents, epsilon=0.001, seed=1, max_games=300)
    assert standing.verdict == "undecided"
    assert standing.repeat.endswith(f"--max-games {standing.games}")
    again = race("rrrats(tokens=9)", *agents, epsilon=0.001, seed=1, max_games=standing.games)
    assert [facts(result) for result in again.races] == [facts(result) for result in standing.races]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"epsilon": 0.7}, "epsilon=0.7"),
        ({"delta": -1}, "delta=-1"),
        ({"method": "wald"}, "unknown method"),
        ({"max_games": 0}, "max_games=0"),
        ({"threads": 0}, "threads=0"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_bad_settings(settings: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        race("kuhn", "uniform", "first", **settings)  # type: ignore[arg-type]


class TestJournal:
    """A race that is kept on disk."""

    def kept(self, path: Path, **changes: object) -> RaceResult:
        settings = {**SETTINGS, "journal": path, **changes}
        return race("rrrats(tokens=9)", "stationary", "stationary(A1=0.5)", **settings)  # type: ignore[arg-type, return-value]

    def test_finished_races_are_not_run_again(self, tmp_path: Path) -> None:
        plain = self.kept(tmp_path / "race", journal=None)
        first = self.kept(tmp_path / "race")
        content = (tmp_path / "race").read_bytes()
        again = self.kept(tmp_path / "race")
        assert facts(plain) == facts(first) == facts(again)
        assert (tmp_path / "race").read_bytes() == content

    def test_every_cut_resumes_to_the_same_end(self, tmp_path: Path) -> None:
        """Wherever the file ends, in the middle of a line too, the race ends as if nothing had happened."""
        whole = self.kept(tmp_path / "race")
        content = (tmp_path / "race").read_bytes()
        header = content.index(b"\n") + 1
        for cut in random.Random(1).sample(range(header, len(content)), 12 if COMPILED else 3):
            (tmp_path / "cut").write_bytes(content[:cut])
            assert facts(self.kept(tmp_path / "cut")) == facts(whole)

    def test_other_races_and_damage_are_refused_and_nothing_is_lost(self, tmp_path: Path) -> None:
        path = tmp_path / "race"
        self.kept(path)
        content = path.read_bytes()
        for changes, words in (
            ({"seed": 2}, "another race: its seed is 1, not 2"),
            ({"epsilon": 0.2}, "another race: its epsilon"),
            ({"method": "sprt"}, "another race: its method is zone, not sprt"),
        ):
            with pytest.raises(UsageError, match=words):
                self.kept(path, **changes)
        assert path.read_bytes() == content
        lines = content.split(b"\n")
        damaged = b"\n".join([lines[0], b"00" + lines[1][2:], *lines[2:]])
        for bad, words in ((damaged, "line 2 is damaged"), (b"hello\nworld\n", "not the journal"), (content[:9], "cut off")):
            path.write_bytes(bad)
            with pytest.raises(UsageError, match=words):
                self.kept(path)
            assert path.read_bytes() == bad
        with pytest.raises(UsageError, match="no directory"):
            self.kept(tmp_path / "nowhere" / "race")

    @pytest.mark.skipif(not COMPILED, reason="it would take too long")
    def test_killed_20_times(self, tmp_path: Path) -> None:
        """Killed at random moments; each time the race goes on where it was."""
        line = ["race", "rrrats", "stationary", "stationary(A1=0.01)", "--epsilon", "0.0015", "--seed", "5", "--json"]
        command = [sys.executable, "-m", "facedown.cli.main", *line]
        whole = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        journal = tmp_path / "race"
        chance, n_killed = random.Random(2), 0
        for _ in range(200):
            process = subprocess.Popen([*command, "--journal", str(journal)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            size = journal.stat().st_size if journal.exists() else 0
            while process.poll() is None and (not journal.exists() or journal.stat().st_size <= size):
                time.sleep(0.005)  # until it has come further than before
            time.sleep(chance.random() * 0.02)
            if n_killed < 20 and process.poll() is None:
                process.send_signal(signal.SIGKILL)
                n_killed += 1
                process.communicate()
                continue
            out, err = process.communicate()
            assert process.returncode == 0, err
            found = json.loads(out)
            break
        assert n_killed >= 20
        ignored = ("seconds", "games_played")
        assert {k: v for k, v in found.items() if k not in ignored} == {k: v for k, v in whole.items() if k not in ignored}
