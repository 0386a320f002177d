"""Planted faults of agents: illegal moves, hidden randomness, scribbling, promises that are not kept."""

from __future__ import annotations

import re
from typing import Any

import broken_games
import numpy as np
import pytest

from facedown import check
from facedown.agents.contract import Agent
from facedown.check import players
from facedown.native import draw, native, record
from facedown.native.records import Record, field

MEMORY = record(field("heard", np.int64, 0, 99, "moves heard of"))


@native
def always_five(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return 5


@native
def own_dice(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[np.random.randint(n)])


@native
def scribbler(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    actions[0] = 1
    return 1


@native
def lucky(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[draw(chance, n)])


@native
def peeker(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(view.looked)


@native
def listener(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[memory.view(MEMORY)[0].heard % n])


@native
def hear(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    memory.view(MEMORY)[0].heard += 1


def report_on(monkeypatch: pytest.MonkeyPatch, act: Any, **facts: Any) -> check.Check:
    agent = Agent(name=act.__name__, meaning="for the test", act=act, **facts)
    monkeypatch.setattr(players, "agents_for", lambda game: {agent.name: agent})
    return check.game(broken_games.HEALTHY, games=8)["agents"]


@pytest.mark.parametrize(
    ("act", "facts", "words"),
    [
        (always_five, {}, "agent always_five played 5"),
        (own_dice, {}, "agent own_dice played"),
        (scribbler, {}, "agent scribbler changed the list of legal actions"),
        (lucky, {"deterministic": True}, "but [01] with another chance and no memory"),
        (peeker, {}, "agent peeker reads 'looked', which players cannot see"),
    ],
)
def test_a_broken_agent_is_named(monkeypatch: pytest.MonkeyPatch, act: Any, facts: dict[str, Any], words: str) -> None:
    found = report_on(monkeypatch, act, **facts)
    assert found.status == "failed"
    assert re.search(words, found.sentence), found.sentence


def test_agents_that_draw_or_remember_as_agreed_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    assert report_on(monkeypatch, lucky).status == "passed"
    found = report_on(monkeypatch, listener, watch=hear, memory=MEMORY)
    assert found.status == "passed"
    assert found.sentence.startswith("listener: ")


def test_cheaters_and_people_are_not_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    assert report_on(monkeypatch, always_five, cheats=True).status == "skipped"
    assert report_on(monkeypatch, always_five, compiled=False).status == "skipped"
