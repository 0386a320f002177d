"""Agents for War: the orders in which won cards go under the pile, and the mixture that the source optimises."""

from __future__ import annotations

import math
from typing import Any

from facedown.agents.contract import Agent, Parameter
from facedown.games.war import ASCENDING, DESCENDING, OTHER_FIRST, OWN_FIRST, SHUFFLED
from facedown.native import native
from facedown.native.chance import draw_real
from facedown.native.records import Record


@native
def descending(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return DESCENDING


@native
def ascending(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return ASCENDING


@native
def shuffled(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return SHUFFLED


@native
def winner_first(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return OWN_FIRST


@native
def loser_first(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return OTHER_FIRST


@native
def mix(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    a, b, c = math.exp(params[0]), math.exp(params[1]), math.exp(params[2])
    place = draw_real(chance) * (a + b + c)
    if place < a:
        return DESCENDING
    return ASCENDING if place < a + b else SHUFFLED


_WEIGHT = "{} with probability e^{}/(e^A + e^B + e^C)"

AGENTS = (
    Agent(name="descending", game="war", meaning="highest card first", act=descending, deterministic=True),
    Agent(name="ascending", game="war", meaning="lowest card first", act=ascending, deterministic=True),
    Agent(name="shuffled", game="war", meaning="in random order", act=shuffled),
    Agent(name="winner_first", game="war", meaning="its own cards, then the other's", act=winner_first, deterministic=True),
    Agent(name="loser_first", game="war", meaning="the other's cards, then its own", act=loser_first, deterministic=True),
    Agent(
        name="mix",
        game="war",
        meaning="one of descending, ascending and shuffled, anew for every round",
        act=mix,
        parameters=(
            Parameter("A", 0.0, -20.0, 20.0, _WEIGHT.format("descending", "A")),
            Parameter("B", 0.0, -20.0, 20.0, _WEIGHT.format("ascending", "B")),
            Parameter("C", 0.0, -20.0, 20.0, _WEIGHT.format("shuffled", "C")),
        ),
    ),
)
