"""The command line as a user meets it: outputs, exit codes, sentences."""

from __future__ import annotations

import json
import math
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from facedown.arena.session import Session
from facedown.native.jit import COMPILED

GAMES = "2000" if COMPILED else "40"


Run = Callable[..., Any]


def test_help_begins_with_three_examples(run: Run) -> None:
    outcome = run("--help")
    lines = outcome.out.splitlines()
    assert outcome.code == 0
    assert lines[0] == "Examples:"
    assert [line.split()[0] for line in lines[1:4]] == ["facedown"] * 3
    assert "\n  reply" not in outcome.out  # the old name of exploit, which still works
    for command in ("match", "play", "replay", "exploit", "check", "paper", "bench", "warm", "games", "agents", "rules"):
        assert f"\n  {command}" in outcome.out


@pytest.mark.parametrize(
    "line", ["--help", "match --help", "match kuhm uniform uniform", "match kuhn a b --games -1", "match kuhn"]
)
def test_help_and_mistakes_do_not_load_the_compiler(line: str, tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from facedown.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "assert 'numba' not in sys.modules, 'numba was imported'\n"
        "assert 'numpy' not in sys.modules, 'numpy was imported'\n"
        "assert 'rich' not in sys.modules, 'rich was imported'\n"
    )
    done = subprocess.run([sys.executable, "-c", program, *shlex.split(line)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_version(run: Run) -> None:
    import facedown

    assert run("--version").out == f"facedown {facedown.__version__}\n"


def test_match_json_has_the_promised_fields(run: Run) -> None:
    found = run(f"match kuhn uniform uniform --games {GAMES} --seed 1 --no-swap --json").json()
    promised = ["schema", "game", "agents", "games", "seed", "mean", "stderr", "wins", "draws", "length_mean", "seconds"]
    assert [name for name in promised if name not in found] == []
    assert found["schema"] == "facedown.match/1"
    assert found["agents"] == ["uniform", "uniform"]
    mean, stderr = found["mean"][0], found["stderr"][0]  # type: ignore[index]
    assert abs(mean - 1 / 8) < 4 * stderr  # false alarm: 6e-5, with a fixed seed
    assert math.isclose(sum(found["mean"]), 0, abs_tol=1e-12)  # type: ignore[arg-type]


def test_the_repeat_line_repeats(run: Run) -> None:
    first = run(f"match 'kuhn(players=3)' first uniform uniform --games {GAMES} --json").json()
    again = run(str(first["repeat"]).removeprefix("facedown ") + " --json").json()
    assert {**first, "seconds": 0} == {**again, "seconds": 0}


def test_match_table_names_everything(run: Run) -> None:
    outcome = run("match war descending 'mix(A=1,B=-0.5)' --games 40 --seed 3")
    for words in ("war: 40 games, seed 3", "mix(A=1,B=-0.5,C=0)", "±", "0 capped", "Again: facedown match war"):
        assert words in outcome.out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("match kuhm uniform uniform", "unknown game 'kuhm'. Did you mean 'kuhn'?"),
        ("match kuhn uniformm uniform", "unknown agent of kuhn 'uniformm'. Did you mean 'uniform'?"),
        ("match 'kuhn(player=3)' uniform uniform", "Did you mean 'players'?"),
        ("match 'kuhn(players=9)' uniform uniform", "players=9 is out of bounds; it goes from 2 to 5"),
        ("match 'kuhn(players=' uniform uniform", "bracket"),
        ("match 'war(ranks=3,suits=3)' shuffled shuffled", "must be even"),
        ("match war 'mix(A=100)' shuffled", "A=100 is out of bounds; it goes from -20 to 20"),
        ("match war 'mix(D=1)' shuffled", "unknown parameter of mix 'D'"),
        ("match war 'mix(A=x)' shuffled", "A=x is not a number"),
        ("match kuhn uniform", "2 players, but 1 agent given"),
        ("match kuhn uniform uniform --games -1", "--games"),
        ("match kuhn uniform uniform --games many", "--games"),
        ("match kuhn uniform uniform --threads 0", "--threads"),
        ("match kuhn uniform uniform --seed -3", "--seed"),
        ("match kuhn uniform uniform --threads 9223372036854775807", "4096"),
        ("match kuhn uniform uniform --seed 9223372036854775808", "9223372036854775807"),
        ("match kuhn uniform uniform --games 9223372036854775808", "9223372036854775807"),
        ("race kuhn uniform first --threads 9223372036854775807", "4096"),
        ("race kuhn uniform first --seed 9223372036854775808", "9223372036854775807"),
        ("solve kuhn --method external-sampling --seed 9223372036854775808", "9223372036854775807"),
        ("check kuhn --games 1000000000", "a whole number from 1 to 1000000 is needed"),
        ("check kuhn --max-nodes 0", "--max-nodes"),
        ("paper --full", "no paper is named"),
        ("match kuhn uniform uniform --bogus", "--bogus"),
        ("match kuhn uniform uniform --games 5 --number 5 --transcript x", "games 0 to 4"),
        ("match kuhn uniform uniform --transcript /no/such/place/x", "no directory"),
        ("match ./nothing.py:GAME uniform uniform", "no file"),
        ("play kuhn --seat 2", "seats 0 to 1"),
        ("play 'kuhn(players=3)' --against first --against first --against first", "2 other players"),
        ("replay nothing.transcript", "cannot read"),
        ("rules chess", "unknown game"),
        ("agents chess", "unknown game"),
        ("check chess", "unknown game"),
        ("warm chess", "unknown game"),
        ("paper nonsense", "unknown paper"),
        ("bench chess", "unknown game"),
        ("nonsense", "nonsense"),
    ],
)
def test_wrong_usage_is_a_sentence_and_exit_code_2(run: Run, line: str, words: str) -> None:
    outcome = run(line)
    assert outcome.code == 2
    assert words in outcome.err
    assert "Traceback" not in outcome.err
    assert outcome.out == ""
    assert list(Path().iterdir()) == []  # nothing half-written


def test_listings(run: Run) -> None:
    listed = [game["name"] for game in run("games --json").json()["games"]]  # type: ignore
    assert listed == ["cant_stop", "domino", "goofspiel", "hanabi", "kuhn", "leduc", "love_letter", "rrrats", "war"]
    assert "stationary" in run("agents rrrats").out
    agents = run("agents rrrats --json").json()["agents"]
    assert {"uniform", "first", "human", "stationary", "hold"} <= {agent["name"] for agent in agents}  # type: ignore
    text = run("rules 'leduc(raises=1)'").out
    assert "raises" in text
    assert "check or raise" in text
    assert run("rules leduc --json").json()["players"] == 2


def test_replay_reads_and_writes_the_json_of_hanab_live(run: Run) -> None:
    session = Session("hanabi(suits=3)", ["human", "human"], 3)  # played from here: nothing has to be compiled for a match
    while (mover := session.waiting_for) is not None:
        session.play(mover, min(session.legal(mover)))
    session.transcript().write("a.txt")
    assert "in the JSON of hanab.live" in run("replay a.txt --hanab-live a.json").out
    replayed = run("replay a.json")
    assert replayed.code == 0 and "It replays exactly" in replayed.out
    assert run("replay a.json --json").json()["moves"][-1]["name"] == run("replay a.txt --json").json()["moves"][-1]["name"]
    Path("b.json").write_text(Path("a.json").read_text().replace("3 Suits", "Rainbow"))
    assert "is not known here; known are" in run("replay b.json").err
    Session("kuhn", ["human", "human"], 3).transcript().write("k.txt")
    assert "Hanabi only" in run("replay k.txt --hanab-live k.json").err


def test_match_writes_a_transcript_that_replays(run: Run) -> None:
    outcome = run("match leduc uniform first --games 6 --seed 5 --transcript game.txt --number 3")
    assert outcome.code == 0
    assert "game.txt" in outcome.out
    assert "from: seed 5, game 3" in Path("game.txt").read_text()
    replayed = run("replay game.txt")
    assert replayed.code == 0
    assert "It replays exactly" in replayed.out
    shown = run("replay game.txt --at 1 --seat 0")
    assert "Last move: Player 0" in shown.out
    assert "Player 1 (" not in shown.out
    assert run("replay game.txt --json").json()["finished"] is True
    assert run("replay game.txt --at 999").code == 2
    assert run("replay game.txt --seat 7").code == 2


def test_a_person_can_play_through_a_pipe(run: Run) -> None:
    outcome = run("play kuhn --against first --seed 2", typed="nonsense\n?\nbet\n")
    assert outcome.code == 0
    assert "cannot play 'nonsense'; legal: pass (0), bet (1)" in outcome.out
    assert "Type a move" in outcome.out
    assert "Score: you 1, player 1 -1. You win." in outcome.out  # `first` folds
    assert run("replay kuhn-2.transcript").code == 0


def test_only_the_own_view_is_shown_while_the_game_runs(run: Run) -> None:
    outcome = run("play kuhn --against first --seed 2", typed="bet\n")
    before_end = outcome.out.partition("Player 1 saw:")[0]
    assert "hold the" in before_end
    assert "player 1 and hold" not in before_end


def test_leaving_a_game(run: Run) -> None:
    left = run("play kuhn --seed 2 --save a.txt", typed="quit\n")
    assert left.code == 0
    assert "end: unfinished" in Path("a.txt").read_text()
    assert "left unfinished" in run("replay a.txt").out
    ended = run("play kuhn --seed 2 --save b.txt", typed="")
    assert ended.code == 1
    assert "the input ended" in ended.err
    assert run("replay b.txt").code == 0


def test_warm_then_no_notice(run: Run) -> None:
    outcome = run("warm kuhn")
    assert outcome.code == 0
    assert "kuhn: ready" in outcome.out
    assert "compiling" not in run("match kuhn uniform first --games 10 --seed 1").err


def test_check_passes_for_kuhn(run: Run) -> None:
    outcome = run("check kuhn --games 20 --json")
    assert outcome.code == 0
    assert outcome.json()["schema"] == "facedown.check/1"


@pytest.mark.skipif(not COMPILED, reason="uncompiled, nothing would be finished")
def test_ctrl_c_prints_what_was_finished(interrupt: Callable[[str], Any]) -> None:
    code, out, err = interrupt("match kuhn uniform uniform --games 100000000000 --seed 1 --json")
    assert code == 130, err
    assert "interrupted" in err
    assert "Traceback" not in err
    found = json.loads(out)
    assert found["interrupted"] is True
    assert 0 < found["games"] < 100000000000


PEEKING = """
from facedown import Agent
from facedown.native import native


@native
def act(view, actions, n, params, memory, chance):
    return int(actions[n] % 2)


AGENT = Agent(name="peeks", meaning="looks behind its actions", act=act)
"""


def test_check_examines_an_agent_in_a_file(run: Run) -> None:
    Path("peeks.py").write_text(PEEKING)
    found = run("check kuhn --games 4 --agent ./peeks.py:AGENT")
    assert found.code == 3
    assert "agent peeks failed: IndexError" in " ".join(found.out.split())
    assert run("check kuhn --games 4 --agent first").code == 0
    assert run("check kuhn --games 4 --agent nobody").code == 2
