"""Agents for Rrrats!: the six-parameter strategy of the source, and one that stops at a number of tokens."""

from __future__ import annotations

import math
from typing import Any

from facedown.agents.contract import Agent, Parameter
from facedown.agents.likelihood import KNOWN
from facedown.games.rrrats import ROLL, STOP
from facedown.native import native
from facedown.native.chance import draw_real
from facedown.native.records import Record


@native
def stationary(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return ROLL if draw_real(chance) < p_roll(view, params) else STOP


@native
def p_roll(view: Record, params: Any) -> float:
    """How likely `stationary` rolls on."""
    pair = 2 * (min(int(view.hand), 3) - 1)  # four in hand, where the rules ask then: as with three
    return 1.0 / (1.0 + math.exp(params[pair + 1] - params[pair]))


def rolls_or_stops(agent: Agent, view: Record, actions: list[int]) -> list[float]:
    """How likely `stationary` plays each action."""
    p = float(p_roll(view, agent.params))
    return [p if action == ROLL else 1.0 - p for action in actions]


KNOWN[stationary] = rolls_or_stops


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
        meaning="rolls until it has `at` tokens in hand",
        act=hold,
        parameters=(Parameter("at", 3.0, 1.0, 4.0, "tokens in hand at which it stops", whole=True),),
        deterministic=True,
    ),
)
