"""Every built-in game passes the conformance suite, with its usual options and with others."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from facedown import check
from facedown.check.known_counts import KNOWN
from facedown.games.registry import BUILT_IN
from facedown.native.jit import COMPILED

GAMES, NODES = (30, 20_000) if COMPILED else (4, 700)
SPECS: list[Any] = [
    "cant_stop",
    "domino",
    "goofspiel",
    "hanabi",
    "kuhn",
    "leduc",
    "love_letter",
    "rrrats",
    "war",
    "cant_stop(players=1)",
    "cant_stop(players=1,sides=2,shortest=1,max_turns=2)",
    "cant_stop(players=3,sides=3,shortest=2,columns=2,blocking=yes)",
    "cant_stop(players=4,sides=4,extended=yes)",
    "kuhn(players=3)",
    "leduc(suits_shown=no)",
    "war(ranks=2,suits=2)",
    "war(ranks=3,suits=2,max_rounds=60,repetition=draw)",
    "rrrats(tokens=3)",
    "goofspiel(cards=3,bids=winner)",
    "goofspiel(cards=3,ties=carry,returns=difference)",
    pytest.param("goofspiel(players=3,cards=3,bids=winner,ties=split)", marks=pytest.mark.slow),
    "domino(tiles=4,hand=2)",
    "domino(tiles=6,hand=2)",
    pytest.param("love_letter(players=3,guards=4)", marks=pytest.mark.slow),
    "love_letter(deck=11001001,face_up=0)",
    pytest.param("love_letter(match=yes)", marks=pytest.mark.slow),
    pytest.param("hanabi(players=3,rules=thesis)", marks=pytest.mark.slow),
    "hanabi(suits=1,ranks=2,hand=1,tokens=1,lives=1)",
]


def test_all_built_in_games_are_examined() -> None:
    assert set(BUILT_IN) <= {spec for spec in SPECS if isinstance(spec, str)}


@pytest.mark.parametrize("spec", SPECS)
def test_a_built_in_game_keeps_its_promises(spec: str) -> None:
    report = check.game(spec, games=GAMES, seed=1, max_nodes=NODES)
    assert report.ok, report
    if spec in KNOWN and (COMPILED or spec.startswith("kuhn")):
        assert report["tree"].sentence.endswith(f"as published ({KNOWN[spec].source})")
        assert report["recall"].sentence.startswith("in all ")
        assert report["posterior"].sentence.startswith(f"exact in {KNOWN[spec].information_sets} of ")


def test_small_trees_of_games_that_are_usually_large_are_walked_too() -> None:
    report = check.game("rrrats(tokens=2,max_throws=3)", games=4, max_nodes=1_000)
    assert report.ok, report
    assert report["tree"].sentence.startswith("walked in full: 172 chance nodes, 43 decisions, 361 ends, 21 information sets")
    assert report["posterior"].status == "passed"


def test_a_count_that_differs_from_the_published_one_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KNOWN, "kuhn", dataclasses.replace(KNOWN["kuhn"], information_sets=13))
    report = check.game("kuhn", games=2)
    assert report.failed == ("tree",)
    assert report["tree"].sentence.startswith("information sets: 12. Expected: 13 (Kuhn 1950")
