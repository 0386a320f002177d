"""`facedown play`: wrapped lines, numbers that mean what they show, what can be known, and games that are gone on with."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from facedown.games.registry import BUILT_IN

PROGRAM = "from facedown.cli.main import main; main()"


def play(where: Path, lines: list[str], *words: str, columns: int = 60) -> subprocess.CompletedProcess[str]:
    surroundings = os.environ | {"COLUMNS": str(columns)}
    command = [sys.executable, "-c", PROGRAM, "play", *words]
    return subprocess.run(command, input="\n".join(lines) + "\n", cwd=where, env=surroundings, capture_output=True, text=True)


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_nothing_is_cut_inside_a_word(tmp_path: Path, name: str) -> None:
    wide = play(tmp_path, ["?", "log", "quit"], name, "--seed", "4", "--save", "wide", columns=5000)
    for columns in (60, 100):
        done = play(tmp_path, ["?", "log", "quit"], name, "--seed", "4", columns=columns)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        assert max(map(len, lines)) <= columns or any(len(word) > columns for line in lines for word in line.split())
        missing = words_of(wide.stdout.replace("wide", f"{name}-4.transcript")) - words_of(done.stdout)
        assert not missing, "folding loses and cuts nothing"


def test_what_can_be_known_and_what_an_agent_would_do(tmp_path: Path) -> None:
    done = play(tmp_path, ["know", "hint", "rules", "log", "nonsense", "1", "0", "0"], "kuhn", "--seed", "3", columns=100)
    assert done.returncode == 0, done.stderr
    assert "Believed: player 1 holds:" in done.stdout and " of 100" in done.stdout
    assert "where uniform plays on in all seats" in done.stdout and "Nothing has happened yet." in done.stdout
    assert "everyone antes 1" in done.stdout and "cannot play 'nonsense'" in done.stdout
    assert "Score: you" in done.stdout


@pytest.mark.slow
def test_a_game_that_was_left_is_gone_on_with(tmp_path: Path) -> None:
    words = ("goofspiel(cards=4)", "--seed", "3")
    left = play(tmp_path, ["bid 1", "quit"], *words)
    assert left.returncode == 0 and "--resume goofspiel-3.transcript" in " ".join(left.stdout.split())
    on = play(tmp_path, ["bid 2", "bid 3"], words[0], "--resume", "goofspiel-3.transcript")
    assert on.returncode == 0 and "bid 1" in on.stdout.lower() and "Score: you" in on.stdout, on.stderr
    again = play(tmp_path, [], words[0], "--resume", "goofspiel-3.transcript")
    assert again.returncode == 2 and "it is over" in again.stderr
    for wrong in (
        ("kuhn", "--resume", "goofspiel-3.transcript"),
        (words[0], "--resume", "nothing"),
        ("kuhn", "--resume", "x", "--seed", "1"),
    ):
        assert play(tmp_path, [], *wrong).returncode == 2


def test_at_a_terminal_there_is_colour_and_another_game(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    surroundings = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
    command = [sys.executable, "-c", PROGRAM, "play", "kuhn", "--seed", "3"]
    process = subprocess.Popen(command, cwd=tmp_path, env=surroundings, stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    told, n_asked = "", 0
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        if select.select([leader], [], [], 0.2)[0]:
            try:
                told += os.read(leader, 4096).decode()
            except OSError:
                break
        n_now = told.count("Your move") + told.count("Again?")
        if n_now > n_asked and told.rstrip(" ").endswith((":", ")")):
            n_asked = n_now
            once = "y" if told.count("Again?") == 1 else "n"
            answer = once if told.rstrip().endswith("(y/n)") else "0"
            os.write(leader, f"{answer}\n".encode())
    process.wait(timeout=30)
    os.close(leader)
    assert process.returncode == 0, told
    assert "\033[1m" in told and told.count("Again?") == 2 and "So far: you" in told
