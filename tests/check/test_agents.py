"""Planted faults of agents: illegal moves, hidden randomness, scribbling, promises that are not kept."""

from __future__ import annotations

import os
import re
from typing import Any

import healthy_game
import numpy as np
import pytest

from facedown import check
from facedown.agents.contract import Agent
from facedown.check import players
from facedown.native import draw, native, record
from facedown.native.records import Record, field

OUT_OF_BOUNDS = "agent (calls_|looks_).* failed: IndexError: index .*out of bounds"
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


@native
def looks_behind_actions(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[n] % 2)


@native
def looks_behind_memory(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(memory[len(memory)] % 2)


@native
def writes_without_memory(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    memory[0] = view.card
    return int(actions[0])


@native
def peek_behind(actions: Any, n: int) -> int:
    return int(actions[n + 1] % 2)


@native
def calls_a_peeker(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return peek_behind(actions, n)


@native
def deaf(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[0])


@native
def hear_behind_memory(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    memory[0] = memory[len(memory) + 1]


def report_on(monkeypatch: pytest.MonkeyPatch, act: Any, **facts: Any) -> check.Check:
    agent = Agent(name=act.__name__, meaning="for the test", act=act, **facts)
    monkeypatch.setattr(players, "agents_for", lambda game: {agent.name: agent})
    return check.game(healthy_game.HEALTHY, games=8)["agents"]


@pytest.mark.parametrize(
    ("act", "facts", "words"),
    [
        (always_five, {}, "agent always_five played 5"),
        (own_dice, {}, "agent own_dice played"),
        (scribbler, {}, "agent scribbler .*(an array that can only be read|destination is read-only)"),
        (looks_behind_actions, {}, OUT_OF_BOUNDS),
        (looks_behind_memory, {"memory": MEMORY}, OUT_OF_BOUNDS),
        (writes_without_memory, {}, "agent writes_without_memory .*(can only be read|is read-only)"),
        (calls_a_peeker, {}, OUT_OF_BOUNDS),
        (lucky, {"deterministic": True}, "but [01] with another chance and no memory"),
        (peeker, {}, "agent peeker reads 'looked', which players cannot see"),
    ],
)
def test_a_broken_agent_is_named(monkeypatch: pytest.MonkeyPatch, act: Any, facts: dict[str, Any], words: str) -> None:
    found = report_on(monkeypatch, act, **facts)
    assert found.status == "failed"
    assert re.search(words, found.sentence), found.sentence


def test_an_ear_that_reaches_behind_its_memory_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = report_on(monkeypatch, deaf, watch=hear_behind_memory, memory=MEMORY)
    assert found.status == "failed"
    assert re.search("agent deaf failed: IndexError: index .*out of bounds", found.sentence), found.sentence


@pytest.mark.compiled
@pytest.mark.skipif(os.environ.get("NUMBA_BOUNDSCHECK", "0") != "0", reason="all bounds are checked: nobody gets that far")
@pytest.mark.parametrize(("act", "memory"), [(looks_behind_actions, None), (looks_behind_memory, MEMORY)])
def test_without_checked_bounds_noise_tells(monkeypatch: pytest.MonkeyPatch, act: Any, memory: Any) -> None:
    """What lies behind actions and memory differs between two plays of the same position."""
    monkeypatch.setattr(players, "bounds_checked", lambda function: function)
    found = report_on(monkeypatch, act, memory=memory)
    assert found.status == "failed"
    assert re.search(r"agent looks_behind_\w+ played \d and then \d when asked twice", found.sentence), found.sentence


def test_agents_that_draw_or_remember_as_agreed_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    assert report_on(monkeypatch, lucky).status == "passed"
    found = report_on(monkeypatch, listener, watch=hear, memory=MEMORY)
    assert found.status == "passed"
    assert found.sentence.startswith("listener: ")


def test_cheaters_and_people_are_not_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    assert report_on(monkeypatch, always_five, cheats=True).status == "skipped"
    assert report_on(monkeypatch, always_five, compiled=False).status == "skipped"
