"""`facedown tune`: what it prints, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from facedown.native.jit import COMPILED

GAMES = 20_000 if COMPILED else 1_000
LINE = f"tune rrrats stationary --games {GAMES} --seed 1"


def test_words(run: Callable[..., Any]) -> None:
    found = run(f"{LINE} --save run --plot run.svg")
    assert found.code == 0, found.err
    assert f"Again: facedown {LINE.removesuffix(' --seed 1').replace('--games', '--method approximate --games')}" in found.out
    if COMPILED:
        assert "is better than the start" in found.out and "On fresh deals it scores 0." in found.out
    assert "Play it: stationary" in found.out
    assert Path("run.svg").read_text().startswith("<?xml")
    again = run(f"{LINE} --resume run")
    assert again.code == 0 and again.out.splitlines()[:2] == found.out.splitlines()[:2]


def test_json_and_the_agent_that_it_gives(run: Callable[..., Any]) -> None:
    found = run(f"{LINE} --json").json()
    assert found["schema"] == "facedown.tune/1" and found["games"] <= GAMES
    assert set(found["parameters"]) == {"A1", "A2", "B1", "B2", "C1", "C2"}
    assert len(found["history"]) == found["trials"]
    assert {"mean", "stderr", "games", "verdict", "accepted", "parameters", "best"} <= set(found["history"][0])
    assert run(["match", "rrrats", found["agent"], found["start"], "--games", "20"]).code == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("tune rrrats", "Missing argument"),
        ("tune rats stationary", "unknown game 'rats'"),
        ("tune rrrats stationery", "Did you mean 'stationary'?"),
        ("tune rrrats uniform", "agent uniform has no parameters"),
        (f"{LINE} --method annealing", "unknown method 'annealing'"),
        (f"{LINE} --race sprint", "unknown method 'sprint'. Did you mean 'sprt'?"),
        (f"{LINE} --epsilon 0.7", "it lies between 0 and 0.5"),
        ("tune rrrats stationary --games 10", "games=10: a whole number from 500"),
        (f"{LINE} --rule .5", "as in 1.25/.84 or 2/.84"),
        (f"{LINE} --rule .9/2", "as in 1.25/.84 or 2/.84"),
        (f"{LINE} --sigma 0", "sigma=0.0"),
        (f"{LINE} --steps 0", "steps=0: a whole number from 1"),
        (f"{LINE} --seconds -1", "seconds=-1.0"),
        (f"{LINE} --recommend luckiest", "unknown recommendation 'luckiest'"),
        (f"{LINE} --start middle", "unknown start 'middle'"),
        (f"{LINE} --only A7", "unknown parameter of stationary 'A7'"),
        (f"{LINE} --bounds A1", "write NAME=LOW:HIGH"),
        (f"{LINE} --bounds A1=1", "is not two numbers"),
        (f"{LINE} --bounds A1=-1:1 --bounds A1=-2:2", "it is given twice"),
        (f"{LINE} --bounds A1=-50:1", "out of bounds"),
        (f"{LINE} --against incumbent", "approximate says itself whom candidates meet"),
        (f"{LINE} --against hold --against archive", "name 'incumbent', or 'archive', or agents"),
        (f"{LINE} --against nobody", "unknown agent"),
        (f"{LINE} --method gp --against archive", "an archive that grows has none"),
        (f"{LINE} --trial-games 5", "leave it out"),
        ("tune rrrats stationary --method spsa --seconds 1", "spsa has to know its number of games"),
        (f"{LINE} --method cma --trial-games 0", "trial_games=0"),
        (f"{LINE} --resume nothing", "there is no such file"),
        (f"{LINE} --save nowhere/run", "there is no directory"),
        (f"{LINE} --plot run.gif", "ends in .png, .svg, .pdf"),
        (f"{LINE} --save 'a\\x00b'", ""),
    ],
)
def test_mistakes_are_sentences(run: Callable[..., Any], words: str, sentence: str) -> None:
    if not sentence:
        words = f"{LINE} --save"
        found = run([*words.split(), "a\0b"])
        assert found.code == 2 and "NUL" in found.err
        return
    found = run(words)
    assert found.code == 2 and sentence in found.err and not found.out
    assert list(Path().iterdir()) == []
