"""`tune` as users call it: budgets, what is recommended, the same history again, after crashes and with other threads."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import offers
import pytest

from facedown.errors import Interrupted, UsageError
from facedown.files import digest
from facedown.native.jit import COMPILED
from facedown.tuning.journal import SCHEMA, impossible
from facedown.tuning.questions import Answer
from facedown.tuning.request import final_games, whole_budget
from facedown.tuning.result import TuneResult
from facedown.tuning.tune import tune
from naive.rrrats_values import chances, exploitability

GAMES = 20_000 if COMPILED else 1_200
GP: Any = pytest.param("gp", marks=pytest.mark.slow)
ALL = ("iterative", "coevolution", "approximate", "approximate2", "spsa", "cma", GP)


def run(method: str = "approximate", seed: int = 1, **settings: Any) -> TuneResult:
    given = {"games": GAMES, "threads": 1, "race": "duel", "epsilon": 0.05, "delta": 0.2, **settings}
    if method == "gp":
        given["trial_games"] = GAMES // 40
    return tune("rrrats", "stationary", method=method, seed=seed, **given)


def told(result: TuneResult) -> dict[str, Any]:
    """Everything but how long it took and where it is kept."""
    found = result.to_dict()
    for name in ("seconds", "file"):
        found.pop(name, None)
    return found


@pytest.mark.parametrize("method", ALL)
def test_a_search_finds_something_better_and_shows_it(method: str) -> None:
    result = run(method)
    assert result.games <= GAMES and result.games > GAMES - 200
    assert result.games == sum(trial.answer.games for trial in result.history) + (result.final.games if result.final else 0)
    assert [trial.games_so_far for trial in result.history] == sorted(trial.games_so_far for trial in result.history)
    if COMPILED:  # at most .53 for two that play nearly alike; the start loses to anybody who rolls
        assert result.verdict == "better" and result.final is not None and result.final.interval[0] > 0.6
    json.dumps(told(result))
    assert result.agent in repr(result)
    assert tune_again(result) == told(result)


def tune_again(result: TuneResult) -> dict[str, Any]:
    """The same run by the words of its repeat line, with two threads."""
    words = result.repeat.split()
    options = dict(zip(words[4::2], words[5::2], strict=True))
    names = {"--games": "games", "--race": "race", "--rule": "rule", "--trial-games": "trial_games", "--against": "against"}
    names |= {"--epsilon": "epsilon", "--delta": "delta", "--sigma": "sigma", "--seed": "seed", "--method": "method"}
    given: dict[str, Any] = {names[option]: value for option, value in options.items()}
    for name, value in given.items():
        if name in ("games", "trial_games", "seed"):
            given[name] = int(value)
        elif name in ("epsilon", "delta", "sigma"):
            given[name] = float(value)
    # settings that a method does not use are not in its line
    given = {"race": "duel", "epsilon": 0.05, "delta": 0.2, **given}
    return told(tune(words[2], words[3], threads=2, **given))


def test_the_last_race_is_on_fresh_deals_and_all_its_games_count() -> None:
    result = run()
    assert result.final is not None and result.final.games == final_games(GAMES) // 2 * 2
    assert result.final.n == result.final.games // 2
    assert result.to_dict()["mean"] == result.final.mean


def test_what_is_worse_than_the_start_is_not_recommended(monkeypatch: pytest.MonkeyPatch) -> None:
    from facedown.tuning import evolution

    def accepts(self: Any, candidate: Any) -> Any:
        answer = yield from self.beats(candidate, (self.x,), "incumbent")
        return not answer  # the wrong way round

    monkeypatch.setitem(evolution.ACCEPTANCE, "iterative", accepts)
    result = tune("rrrats", "stationary(9,0,9,0,9,0)", method="iterative", games=GAMES, seed=2, race="duel", epsilon=0.1)
    assert result.final is not None
    if result.verdict == "worse":
        assert result.agent == result.start != result.found and result.parameters == result.start_parameters
    assert result.verdict == ("worse" if COMPILED else result.verdict)
    assert "the start is kept" in result.meaning or not COMPILED


def test_budgets() -> None:
    steps = run(games=None, steps=2)
    assert steps.steps == 2 and steps.history[-1].accepted
    timed = run(games=None, seconds=0.05)
    assert f"--games {whole_budget(timed.history[-1].games_so_far)} " in timed.repeat and "--seconds" not in timed.repeat
    assert tune_again(timed)["history"] == told(timed)["history"]
    assert tune_again(timed)["agent"] == timed.agent
    both = run(games=5_000_000, seconds=0.05)  # whichever ends it, the command repeats what was played
    assert f"--games {whole_budget(both.history[-1].games_so_far)} " in both.repeat
    assert {**tune_again(both), "settings": 0} == {**told(both), "settings": 0}
    assert "--games 3000 " in run(games=3_000, seconds=1e6).repeat
    for games in (1000, 7999, 8000, 8001, 50_000, 2_000_000, 5_000_000):
        search = games - final_games(games)
        assert whole_budget(search) - final_games(whole_budget(search)) == search


def test_nothing_better_than_the_best_there_is() -> None:
    result = tune(offers.GAME, offers.AGENTS[0](at=6), method="iterative", games=2000, seed=3, race="settle")
    assert result.verdict in ("unchanged", "undecided", "practically equal") and result.only_here and not result.repeat
    assert "no command repeats it" in repr(result)


def test_one_parameter_is_too_few_for_cma() -> None:
    with pytest.raises(UsageError, match="cma needs at least two parameters"):
        tune(offers.GAME, offers.AGENTS[0], method="cma", games=2000)


@pytest.mark.parametrize("method", ["iterative", "spsa", "gp"])
def test_games_that_nobody_loses(method: str) -> None:
    games = 20_000 if COMPILED else 3_000
    trial = {"trial_games": games // 40} if method == "gp" else {}
    result = tune(offers.GAME(players=2), offers.AGENTS[0], method=method, games=games, seed=4, epsilon=0.05, **trial)
    # plain Python plays too few games to arrive: there, anything on the way from 0 to the best threshold will do
    assert result.verdict == "better" and result.parameters["at"] in ((5, 6, 7) if COMPILED else range(1, 8))


def test_a_field_that_stays_what_it_is() -> None:
    for method in ("approximate", "spsa", "cma"):
        result = run(method, against=["stationary(0,2,0,2,0,2)", "hold"])
        assert result.settings["field"] == ["stationary(A1=0,A2=2,B1=0,B2=2,C1=0,C2=2)", "hold"]
        assert "--against 'stationary(A1=0,A2=2,B1=0,B2=2,C1=0,C2=2)' --against hold" in result.repeat
        assert not COMPILED or result.verdict == "better"


def test_only_some_parameters_within_bounds() -> None:
    result = run(only=["C1", "B1"], bounds={"B1": (-1.0, 1.0)}, start="random")
    assert result.names == ("B1", "C1")
    assert all(-1 <= trial.x[0] <= 1 for trial in result.history)
    assert "--only B1 --only C1 --bounds B1=-1:1 --start random" in result.repeat


def test_pictures_and_tables(tmp_path: Path) -> None:
    result = run()
    assert result.plot(tmp_path / "run.png").stat().st_size > 10_000
    panels = result.plot().axes
    assert len(panels[0].lines) == 6 and panels[1].get_xlabel() == "games"
    with pytest.raises(UsageError, match=r"ends in \.png"):
        result.plot("run.jpeg")
    assert "<table>" in result._repr_html_()


# --- files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_run_goes_on_from_any_place(tmp_path: Path) -> None:
    whole = run(save=tmp_path / "whole")
    content, chance = (tmp_path / "whole").read_bytes(), random.Random(6)
    n_header = content.index(b"\n") + 1
    cuts = [n_header, len(content), len(content) - 1, *(chance.randrange(n_header, len(content)) for _ in range(20))]
    for number, cut in enumerate(cuts if COMPILED else cuts[:4]):
        file = tmp_path / f"cut{number}"
        file.write_bytes(content[:cut])
        assert told(run(resume=file)) == told(whole)
        assert [line[:40] for line in file.read_bytes().splitlines()] == [line[:40] for line in content.splitlines()]


@pytest.mark.parametrize("method", ["spsa", "cma", GP, "approximate2"])
def test_all_methods_go_on(method: str, tmp_path: Path) -> None:
    whole = run(method, save=tmp_path / "whole")
    content = (tmp_path / "whole").read_bytes()
    (tmp_path / "half").write_bytes(content[: len(content) // 2])
    assert told(run(method, resume=tmp_path / "half")) == told(whole)


def test_a_finished_run_is_read_without_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from facedown.tuning.objectives import Referee

    whole = run(save=tmp_path / "run")
    monkeypatch.setattr(Referee, "answer", None)
    assert told(run(resume=tmp_path / "run")) == told(whole)


def test_interrupted_runs_tell_what_they_have(tmp_path: Path) -> None:
    seen = []

    def stop(now: Any) -> None:
        seen.append(now)
        if len(seen) == 5:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="go on with --resume") as caught:
        run(save=tmp_path / "run", progress=stop)
    result = caught.value.result
    assert result.verdict in ("unfinished", "unchanged") and len(result.history) == 5
    assert seen[0].unit == "games" and "best A1" in str(seen[0]) and seen[-1].details["games"] == result.games
    assert told(run(resume=tmp_path / "run")) == told(run())


def sealed(lines: list[bytes]) -> bytes:
    """A file with these lines, and digests that fit."""
    chain, content = digest(lines[0]), lines[0] + b"\n"
    for line in lines[1:]:
        chain = digest(chain.encode(), line)
        content += line + b" " + chain.encode() + b"\n"
    return content


def test_changed_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    run(save=tmp_path / "run")
    content, chance = (tmp_path / "run").read_bytes(), random.Random(7)
    end = content.rindex(b"\n", 0, -1)  # within whole lines
    for _ in range(30 if COMPILED else 5):
        at = chance.randrange(end)
        changed = content[:at] + bytes([content[at] ^ (1 << chance.randrange(7))]) + content[at + 1 :]
        (tmp_path / "changed").write_bytes(changed)
        with pytest.raises(UsageError):
            run(resume=tmp_path / "changed")
        assert (tmp_path / "changed").read_bytes() == changed


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"total": 1e9}, "sum up to"),
        ({"squares": -1.0}, "squares"),
        ({"n": 10**6}, "observations in"),
        ({"verdict": "third"}, "its verdict is third"),
        ({"question": "0" * 16}, "answers another question"),
        ({"final": True}, "answers another question|goes on after the last race"),
        ({"games": 10**9}, "were left"),
        ({"total": True}, "which is no float"),
        ({"seconds": -1.0}, "its seconds are"),
        ({"more": 1}, "it is not an answer"),
    ],
)
def test_answers_that_no_games_give_are_refused(change: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    run(save=tmp_path / "run")
    header, *lines = (tmp_path / "run").read_bytes().splitlines()
    kept = [line.rpartition(b" ")[0] for line in lines]
    assert sealed([header, *kept]) == (tmp_path / "run").read_bytes()
    kept[1] = json.dumps(json.loads(kept[1]) | change, separators=(",", ":")).encode()
    (tmp_path / "run").write_bytes(sealed([header, *kept]))
    with pytest.raises(UsageError, match=sentence):
        run(resume=tmp_path / "run")


def test_answers_that_games_give_are_not_impossible() -> None:
    assert not impossible(Answer(4, 2.5, 2.25, 8, "first")) and not impossible(Answer(0, 0.0, 0.0, 0, ""))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"seed": 2}, "its seed is 1, not 2"),
        ({"games": GAMES + 1}, "its games is"),
        ({"rule": "1.25/.84"}, "its rule is"),
        ({"epsilon": 0.06}, "its race is"),
        ({"method": "iterative"}, "its method is"),
    ],
)
def test_another_run_is_not_gone_on_with(settings: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    run(save=tmp_path / "run")
    with pytest.raises(UsageError, match=sentence):
        run(**{"resume": tmp_path / "run", **settings})


def test_files_that_are_something_else(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello\n")
    with pytest.raises(UsageError, match=f"not a run of tuning that this version wrote .{SCHEMA}"):
        run(resume=tmp_path / "text")
    with pytest.raises(UsageError, match="exists, and is left alone"):
        run(save=tmp_path / "text")
    with pytest.raises(UsageError, match="there is no such file"):
        run(resume=tmp_path / "none")
    with pytest.raises(UsageError, match="there is no directory"):
        run(save=tmp_path / "none" / "run")
    with pytest.raises(UsageError, match="that is a directory"):
        run(save=tmp_path)
    with pytest.raises(UsageError, match="leave save out"):
        run(save=tmp_path / "a", resume=tmp_path / "text")


@pytest.mark.compiled
def test_what_is_recommended_is_as_exploitable_as_the_slow_twin_says() -> None:
    result = run()
    exact = exploitability(chances([result.parameters[name] for name in ("A1", "A2", "B1", "B2", "C1", "C2")]))
    assert result.exploitability == pytest.approx(exact, abs=1e-8)
    assert result.to_dict()["exploitability"] == result.exploitability


@pytest.mark.slow
@pytest.mark.compiled
def test_a_run_that_is_killed_twenty_times_has_the_same_history(tmp_path: Path) -> None:
    """Every time the process is killed at a random moment, without warning, and goes on from its file."""
    line = ["tune", "rrrats", "stationary", "--games", "2000000", "--seed", "5", "--threads", "2", "--json"]
    words = [sys.executable, "-m", "facedown.cli.main", *line]

    def told(file: Path) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            subprocess.run([*words, "--resume", str(file)], check=True, capture_output=True, text=True).stdout
        )
        del found["seconds"], found["file"]
        return found

    subprocess.run([*words, "--save", str(tmp_path / "whole")], check=True, capture_output=True)
    chance, files, places = random.Random(9), [tmp_path / "run0"], []
    while len(places) < 20:
        file = files[-1]
        option = "--resume" if file.exists() else "--save"
        process = subprocess.Popen([*words, option, str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = file.stat().st_size if file.exists() else 0
        while process.poll() is None and (not file.exists() or file.stat().st_size <= before):
            time.sleep(0.005)
        time.sleep(chance.random() * 0.1)
        if process.poll() is not None:  # a quick machine may finish between two looks: then another run begins
            assert process.returncode == 0
            files.append(tmp_path / f"run{len(files)}")
            assert len(files) < 20, "the run is too short to be killed"
            continue
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        places.append((file, file.stat().st_size))
    assert len(set(places)) == 20
    whole = told(tmp_path / "whole")
    assert len(whole["history"]) > 100
    for file in {file for file, _ in places}:
        assert told(file) == whole
