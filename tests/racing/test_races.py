"""Races between agents: the same answer whatever the threads, the batches or the interruptions."""

from __future__ import annotations

import inspect
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import get_overloads

import numpy as np
import pytest

from facedown.agents.contract import Agent
from facedown.arena.match import match
from facedown.errors import UsageError
from facedown.native import native
from facedown.native.jit import COMPILED
from facedown.progress import Progress
from facedown.racing.duel import Duel
from facedown.racing.feed import feed
from facedown.racing.many import Standing
from facedown.racing.methods import METHODS, UNDECIDED, Setting
from facedown.racing.outlook import outlook
from facedown.racing.race import RaceResult, race

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
    duel = Duel("kuhn(players=3)", "uniform", "first")
    compared = duel.play(1, 0, 4000 if COMPILED else 60)
    assert compared.min() >= 0
    assert compared.max() <= 1
    assert compared.std() > 0
    # who plays alike comes out even on every single deal: a seat has the same luck, whoever sits there
    assert (Duel("kuhn(players=3)", "uniform", "uniform").play(1, 0, 60) == 0.5).all()


@pytest.mark.parametrize("seat", [0, 1])
def test_other_parameters_play_as_the_agent_that_has_them(seat: int) -> None:
    params, n = [1.5, 0.0, -0.5, 0.0, 0.0, 0.0], 200 if COMPILED else 4
    changed, agents = Duel("rrrats(tokens=9)", "stationary", "stationary"), ["stationary", "stationary"]
    agents[seat] += "(A1=1.5,B1=-0.5)"
    changed.set_params(**{("first", "second")[seat]: params})
    assert changed.agents[seat].params.tolist() == params and changed.agents[1 - seat].params.tolist() == [0.0] * 6
    assert changed.play(1, 0, n).tolist() == Duel("rrrats(tokens=9)", *agents).play(1, 0, n).tolist()


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
        ({"max_games": 2**64}, f"max_games={2**64}: a whole number from 1 to"),
        ({"epsilon": 1e-308}, "epsilon=1e-308: .* choose it larger"),
        ({"seed": 2**63}, f"seed={2**63}"),
        ({"threads": 0}, "threads=0"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_bad_settings(settings: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        race("kuhn", "uniform", "first", **settings)  # type: ignore[arg-type]


def test_the_largest_seed_and_limit_are_taken() -> None:
    result = race("kuhn", "uniform", "first", epsilon=0.1, seed=2**63 - 1, max_games=2**62)
    assert result.verdict == "first"


def test_types_tell_what_two_agents_give_and_what_more() -> None:
    assert [str(inspect.signature(one).return_annotation) for one in get_overloads(race)] == ["RaceResult", "Standing"]
    assert isinstance(race("kuhn", "uniform", "first", epsilon=0.2, seed=1), RaceResult)
    for one in get_overloads(race):  # what the type checker is shown is what there is
        settings = {n for n, p in inspect.signature(one).parameters.items() if p.kind is p.KEYWORD_ONLY}
        assert settings == {n for n, p in inspect.signature(race).parameters.items() if p.kind is p.KEYWORD_ONLY}


@pytest.mark.parametrize("method", list(METHODS))
def test_the_outlook_comes_closer_to_the_end(method: str) -> None:
    seen: list[Progress] = []
    betting = method in ("sprt", "zone", "duel", "settle")
    epsilon = 0.05 if betting else 0.2  # the others are long, and name whoever has the higher mean
    result = race("kuhn", "uniform", "first", method=method, epsilon=epsilon, seed=1, progress=seen.append)
    assert result.verdict == "first"
    looks = [now.details for now in seen]
    assert all(0 <= look["first"] <= 1 and 0 <= look["second"] <= 1 and look["remaining"] >= 0 for look in looks)
    if betting:
        assert looks[-1]["first"] == 1 > looks[-1]["second"]
        assert looks[-1]["remaining"] == 0 and seen[-1].done == seen[-1].total == result.games


def test_the_outlook_of_equal_agents_sees_their_proof() -> None:
    """Neither can be shown to be better; that neither is much worse can."""
    races = Setting("settle", 0.05, 0.05).start()
    for _ in range(12):
        feed(races[0], np.array([1.0, 0.0] * 10))
    now = outlook(races[0], 2, 0.0)
    assert races[0].verdict == UNDECIDED and now.details["first"] < 0.5 and now.details["second"] < 0.5
    assert 0 < now.details["remaining"] < now.done * 10


@pytest.mark.parametrize(
    ("method", "epsilon", "words"),
    [
        ("duel", 0.05, "uniform is better than first, or less than 0.05 worse"),
        ("ilebr*2", 0.2, "uniform is better than first, or less than 0.2 worse"),
        ("settle", 0.05, "uniform is better than first"),
    ],
)
def test_what_a_verdict_means_is_said_in_the_same_words_everywhere(method: str, epsilon: float, words: str) -> None:
    from typer.testing import CliRunner

    from facedown.cli.main import app

    line = ["race", "kuhn", "uniform", "first", "--method", method, "--epsilon", str(epsilon), "--seed", "1"]
    result = race("kuhn", "uniform", "first", method=method, epsilon=epsilon, seed=1)
    assert result.meaning == result.to_dict()["meaning"] == words
    assert f"kuhn: {words}, after {result.games:,} games" in repr(result)
    shown = " ".join(CliRunner().invoke(app, line).stdout.split())
    assert f"kuhn: {words} (wrong with probability at most 0.05)." in shown
    mirrored = race("kuhn", "first", "uniform", method=method, epsilon=epsilon, seed=1)
    assert mirrored.verdict == "second" and mirrored.meaning == words


def test_equal_and_undecided_in_words() -> None:
    equal = race("war(ranks=4,suits=2)", "descending", "descending", epsilon=0.1, seed=1)
    between = "the mean score of descending lies between 0.4 and 0.6"
    assert equal.meaning == f"descending and descending are practically equal: {between}"
    undecided = race("kuhn", "uniform", "first", epsilon=0.001, seed=1, max_games=2)
    assert undecided.meaning == "undecided: neither uniform nor first has been shown to be better"


def test_one_deal_tells_nothing_of_the_error() -> None:
    assert race("kuhn", "uniform", "first", epsilon=0.001, seed=1, max_games=2).stderr == 0.5
    assert race("kuhn", "uniform", "first", epsilon=0.001, seed=1, max_games=4).stderr <= 0.5


def test_an_agent_without_a_file_gets_no_command() -> None:
    @native
    def act(view, actions, n, params, memory, chance):  # type: ignore[no-untyped-def]
        return int(actions[0])

    typed_in = Agent(name="typed_in", meaning="takes the first action", act=act)
    result = race("kuhn", typed_in, "uniform", epsilon=0.2, seed=1)
    known = "agent typed_in is known to this process only"
    assert result.repeat == "" and result.to_dict()["repeat"] is None
    assert known in result.only_here and known in result.to_dict()["only_here"] and known in repr(result)
    posing = race("kuhn", Agent(name="uniform", meaning="has the name of another", act=act), "first", epsilon=0.2, seed=1)
    assert not posing.repeat and "agent uniform is known to this process only" in posing.only_here
    assert race("kuhn", "first", "uniform", epsilon=0.2, seed=1).repeat.startswith("facedown race kuhn first uniform ")


@pytest.mark.parametrize(
    "line",
    [
        "race kuhn uniform first --epsilon 1e-308",
        f"race kuhn uniform first --max-games {2**64}",
        f"race kuhn uniform first --seed {2**63}",
        "race kuhn uniform first --method wald",
        "plan --epsilon 1e-308",
        "plan --method wald",
        f"plan --max-games {10**30}",
        f"plan --epsilon 1e-6 --max-games {10**12}",
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(line: str) -> None:
    from typer.testing import CliRunner

    from facedown.cli.main import app

    result = CliRunner().invoke(app, line.split())
    assert result.exit_code == 2
    assert "Traceback" not in result.output and result.output.count("\n") <= 12


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
            ({"method": "sprt"}, "another race: its method is duel, not sprt"),
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

    @pytest.mark.slow
    @pytest.mark.skipif(not COMPILED, reason="it would take too long")
    def test_killed_20_times(self, tmp_path: Path) -> None:
        """Killed at random moments; each time the race goes on where it was."""
        line = ["race", "rrrats", "stationary", "stationary(A1=0.01)", "--epsilon", "0.0001", "--seed", "5", "--json"]
        command = [sys.executable, "-m", "facedown.cli.main", *line]
        whole = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        ignored = ("seconds", "games_played")
        whole = {k: v for k, v in whole.items() if k not in ignored}
        chance, n_killed, n_finished = random.Random(2), 0, 0
        # a quick machine may finish a race between two looks at its journal: then another one begins
        while n_killed < 20 or n_finished == 0:
            journal = tmp_path / f"race{n_finished}"
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
            n_finished += 1
            assert {k: v for k, v in json.loads(out).items() if k not in ignored} == whole
            assert n_finished < 20, "the race is too short to be killed"
