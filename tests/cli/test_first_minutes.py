"""What a new user tries first: completion, help that is true, input that ends, widths, requests that would take years."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.cli.main import main
from facedown.cli.output import PIPE_WIDTH
from facedown.games.registry import BUILT_IN
from facedown.papers import registry as papers

Run = Callable[..., Any]
PROGRAM = "from facedown.cli.main import main; main()"


# --- completion ---------------------------------------------------------------------------------------------------------


def complete(*words: str) -> list[str]:
    """What bash would be offered for the last of these words."""
    asked = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1), "_FACEDOWN_COMPLETE": "complete_bash"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=os.environ | asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_completion_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("shellingham.detect_shell", lambda *_: ("bash", "/bin/bash"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["facedown", "--install-completion"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 0
    assert "bash completion installed" in capsys.readouterr().out
    (script,) = (tmp_path / ".bash_completions").iterdir()
    assert "_FACEDOWN_COMPLETE=complete_bash" in script.read_text() and str(script) in (tmp_path / ".bashrc").read_text()


def test_commands_options_and_games_are_completed() -> None:
    assert complete("facedown", "ex") == ["exploit"]
    assert "--agreement" in complete("facedown", "match", "--a")
    assert complete("facedown", "match", "ku") == ["kuhn"]
    assert complete("facedown", "rep") == ["replay"]  # the old name of exploit is not offered


# --- widths -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("line", ["games", "agents war", "rules kuhn", "paper"])
def test_piped_output_follows_columns_and_loses_nothing(
    run: Run, line: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    wide = run(line).out
    monkeypatch.setenv("COLUMNS", str(columns))
    narrow = run(line).out
    assert max(map(len, narrow.splitlines())) <= columns < max(map(len, wide.splitlines()))
    # cells are folded one below the other, so words may be cut in two, but every letter is there
    assert sorted(narrow.replace("\n", "").replace(" ", "")) == sorted(wide.replace("\n", "").replace(" ", ""))


@pytest.mark.parametrize("columns", ["", "0", "-5", "many"])
def test_piped_output_has_room_where_nobody_says_how_much(run: Run, columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert 100 < max(map(len, run("paper").out.splitlines())) <= PIPE_WIDTH


# --- listings -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_rules_tell_how_a_game_is_played(run: Run, name: str) -> None:
    text = run(f"rules {name} --json").json()["rules"]
    assert len(text.split()) > 50
    assert ".py" not in text  # words for players, not for programmers


def test_rules_of_love_letter_tell_what_the_cards_do(run: Run) -> None:
    out = run("rules love_letter").out
    for card in ("Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess"):
        assert any(line.split()[1:2] == [card] and len(line.split()) > 6 for line in out.splitlines()), card
    assert "name another player and a card other than Guard" in out and "swap hands" in out


def test_a_bare_paper_lists_the_papers_with_source_and_time(run: Run) -> None:
    outcome = run("paper")
    assert outcome.code == 0
    listed = run("paper --json").json()
    assert listed["schema"] == "facedown.papers/1"
    assert [paper["name"] for paper in listed["papers"]] == list(papers.names())
    for name, told in zip(papers.names(), listed["papers"], strict=True):
        paper = papers.paper(name)
        assert name in outcome.out and paper.citation.split(":")[0] in outcome.out
        assert 0 < told["seconds"]["quick"] < told["seconds"]["full"]
    assert outcome.out.count("minutes") + outcome.out.count("seconds") + outcome.out.count("hours") >= 2 * len(papers.names())


# --- input that ends ----------------------------------------------------------------------------------------------------


def test_a_match_with_a_person_ends_with_the_input(run: Run) -> None:
    outcome = run("match kuhn human first --games 4 --seed 1", typed="")
    assert outcome.code == 130
    assert outcome.out.count("Your move") == 1
    assert "the input ended before the game did, before any game was finished" in outcome.err


def test_a_match_that_a_person_leaves_shows_what_was_finished(run: Run) -> None:
    outcome = run("match kuhn human first --games 40 --seed 1", typed="0\n" * 3 + "quit\n")
    assert outcome.code == 130
    assert outcome.out.count("Your move") == 4
    assert "you left the game, after" in outcome.err and "kuhn: " in outcome.out


def test_an_interruption_without_words_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("facedown.games.registry.all_games", interrupted)
    outcome = run("games")
    assert (outcome.code, outcome.err) == (130, "facedown: interrupted\n")


# --- what would take years ----------------------------------------------------------------------------------------------

YEARS = "years at"


@pytest.mark.parametrize(
    "line",
    [
        "match kuhn uniform first --games 1000000000000000000",
        "match kuhn uniform first --games 10 --agreement 1000000000000000000",
    ],
)
def test_what_cannot_end_is_refused_beforehand(run: Run, line: str) -> None:
    outcome = run(line)
    assert outcome.code == 2
    assert YEARS in outcome.err and "a second; more than ten years are refused" in outcome.err
    assert outcome.out == ""


def test_a_person_is_not_asked_for_a_forecast(run: Run) -> None:
    outcome = run("match kuhn human first --games 1000000000000000000", typed="")
    assert outcome.out.count("Your move") == 1


def test_training_that_cannot_end_is_refused(run: Run) -> None:
    outcome = run(f"train kuhn --iterations {2**53} --save kuhn.npz")
    assert outcome.code == 2 and YEARS in outcome.err
    assert list(Path().iterdir()) == []


@pytest.mark.compiled
def test_what_ends_soon_is_played_without_words(run: Run) -> None:
    run("match kuhn uniform first --games 10 --seed 1")
    assert run("match kuhn uniform first --games 100000 --seed 1").err == ""


# --- names that are none ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["match", "ku\0hn", "uniform", "uniform"],
        ["match", "./ku\0hn.py:GAME", "uniform", "uniform"],
        ["match", "kuhn", "uni\0form", "uniform"],
        ["match", "kuhn", "table(\0)", "uniform"],
        ["match", "kuhn", "uniform", "first", "--games", "2", "--transcript", "a\0b"],
        ["replay", "a\0b"],
        ["solve", "kuhn", "--iterations", "1", "--save", "a\0b"],
        ["solve", "kuhn", "--resume", "a\0b"],
        ["train", "kuhn", "--iterations", "1", "--save", "a\0b"],
        ["race", "kuhn", "uniform", "first", "--journal", "a\0b"],
        ["paper", "rac\0ing"],
    ],
)
def test_a_nul_in_a_name_is_a_sentence(run: Run, words: list[str]) -> None:
    outcome = run(words)
    assert outcome.code == 2, outcome
    assert outcome.err.startswith("facedown: ") and "Traceback" not in outcome.err
    assert list(Path().iterdir()) == []


def test_check_offers_the_limit_that_it_advises(run: Run) -> None:
    small = {check["name"]: check for check in run("check kuhn --games 2 --max-nodes 20 --json").json()["checks"]}
    assert small["tree"]["status"] == "skipped"
    assert "more than 20 nodes" in small["tree"]["sentence"] and "--max-nodes" in small["tree"]["sentence"]
    whole = {check["name"]: check for check in run("check kuhn --games 2 --max-nodes 58 --json").json()["checks"]}
    assert whole["tree"]["status"] == "passed"


def test_solve_offers_the_limit_that_it_advises() -> None:
    with pytest.raises(fd.FacedownError, match=r"more than 20 nodes .* with max_nodes"):
        fd.solve("kuhn", max_nodes=20)
    assert fd.solve("kuhn", iterations=1, max_nodes=58).iterations == 1
