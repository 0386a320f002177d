"""`facedown match` with more than averages: splits, agreement, times."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from facedown.native.jit import COMPILED

Run = Callable[..., Any]

GAMES = "1000" if COMPILED else "30"


def test_love_letter_is_split_without_asking(run: Run) -> None:
    code, out, _ = run(f"match love_letter greedy random --games {GAMES} --seed 1 --json")
    found = json.loads(out)
    assert code == 0
    assert sum(part["games"] for part in found["splits"]["by_length"]) == found["games"]
    assert [part["games"] for part in found["splits"]["by_first"]] == [found["games"] // 2] * 2
    assert sum(found[f"ended_by_{how}"] for how in ("guard", "baron", "prince", "princess", "empty_deck")) == found["games"]
    assert "agreement" not in found and "seconds_for_1000_games" not in found
    code, out, _ = run(f"match love_letter greedy random --games {GAMES} --seed 1 --json --no-splits")
    assert code == 0 and "splits" not in json.loads(out)


def test_all_details_of_a_match(run: Run) -> None:
    line = "match kuhn first uniform --games 40 --seed 1 --splits --agreement 20 --times"
    code, out, _ = run(f"{line} --json")
    found = json.loads(out)
    assert code == 0
    assert found["agreement"]["games"] == 20 and found["agreement"]["agents"] == ["first", "uniform"]
    assert found["agreement"]["share"][0][0] == 1.0
    assert len(found["seconds_for_1000_games"]) == 2 and min(found["seconds_for_1000_games"]) > 0
    code, out, _ = run(line)
    assert code == 0
    assert "first in seat 0" in out and "ended after 2 moves" in out
    assert "the same choice" in out and "1000 games against itself: first " in out


def test_rows_of_equal_agents_are_told_apart(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    code, out, _ = run("match kuhn uniform uniform --games 20 --seed 1 --splits")
    assert code == 0
    assert "uniform (1st) in seat 0" in out and "uniform (2nd) in seat 0" in out
    rows = [line.split()[:2] for line in out.splitlines() if line.startswith("uniform")]
    assert rows == [["uniform", "(1st)"], ["uniform", "(2nd)"]] * 2  # of both tables
    code, out, _ = run("match kuhn uniform uniform --games 20 --seed 1 --splits --json")
    found = json.loads(out)
    assert found["agents"] == ["uniform", "uniform"]
    assert found["names"] == [part["agent"] for part in found["splits"]["by_first"]] == ["uniform (1st)", "uniform (2nd)"]


def test_agreement_needs_a_number(run: Run) -> None:
    assert run("match kuhn first uniform --agreement -1").code == 2
