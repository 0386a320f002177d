"""Agents for Rrrats!: the six-parameter strategy of the source, and one that stops at a number of tokens."""

from __future__ import annotations

import math
from typing import Any

from facedown.agents.contract import Agent, Parameter
from facedown.games.rrrats import ROLL, STOP
from facedown.native import native
from facedown.native.chance import draw_real
from facedown.native.records import Record


@native
def stationary(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    pair = 2 * (min(int(view.hand), 3) - 1)  # four in hand, where the rules ask then: as with three
    p_roll = 1.0 / (1.0 + math.exp(params[pair + 1] - params[pair]))
    return ROLL if draw_real(chance) < p_roll else STOP


@native
def hold(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return STOP if view.hand >= params[0] else ROLL


_CHANCE = "with {} in hand it rolls with probability e^{}1/(e^{}1 + e^{}2)"

AGENTS = (
    Agent(
        name="stationary",
        game="rrrats",
        meaning="rolls on with a probability that depends on its hand alone",
        act=stationary,
        parameters=tuple(
            Parameter(f"{letter}{number}", 0.0, -20.0, 20.0, _CHANCE.format(hand, letter, letter, letter))
            for hand, letter in enumerate("ABC", start=1)
            for number in (1, 2)
        ),
    ),
    Agent(
        name="hold",
        game="rrrats",
        meaning="rolls until it has so many tokens in hand",
        act=hold,
        parameters=(Parameter("at", 3.0, 1.0, 4.0, "tokens in hand at which it stops", whole=True),),
        deterministic=True,
    ),
)
