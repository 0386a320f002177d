"""Agents for any game that need to know nothing of it; a person is one too, see `human.py`."""

from __future__ import annotations

from typing import Any

from facedown.agents.contract import Agent
from facedown.native import draw, native
from facedown.native.records import Record


@native
def uniform(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[draw(chance, n)])


@native
def first(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[0])


AGENTS = (
    Agent(name="uniform", meaning="every legal action is equally likely", act=uniform),
    Agent(name="first", meaning="the first legal action, always", act=first, deterministic=True),
)
