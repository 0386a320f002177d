"""The exact worth of what was found, for games that can be solved exactly."""

from __future__ import annotations

from collections.abc import Mapping

from facedown.agents.contract import Agent
from facedown.errors import FacedownError
from facedown.games.contract import Game

MAX_POSITIONS = 100_000
"""Larger games take longer to solve than to tune for; `facedown exploit` does it on request."""


def exact_exploitability(game: Game, agent: Agent, parameters: Mapping[str, float]) -> float | None:
    """What a best reply wins beyond what the agent wins against itself; None where nobody can say exactly."""
    if not getattr(game, "perfect_information", False):
        return None
    from facedown.solving.exploit import exploit

    try:
        return exploit(game, agent(**parameters), max_nodes=MAX_POSITIONS).exploitability
    except FacedownError:  # too large, or an agent that remembers
        return None
