"""How likely agents play each action: known for some, so that nobody has to find it out by asking.

A module with an agent whose probabilities are known adds it to `KNOWN`, by the function with which it acts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.generic.basic import uniform
from facedown.agents.generic.table import ACTIONS, FIRST, PROBABILITIES, find_set, play_table
from facedown.native.records import Record

Array = np.ndarray[Any, Any]

Likely = Callable[[Agent, Record, list[int]], "Array | list[float]"]
"""How likely an agent plays each of these legal actions, in a view."""


def uniformly(agent: Agent, view: Record, actions: list[int]) -> Array:
    """All actions alike."""
    return np.full(len(actions), 1 / len(actions))


def by_table(agent: Agent, view: Record, actions: list[int]) -> Array:
    """The row of the agent's table for what is seen; uniform where it has none, as it is played."""
    table = agent.params
    words = table.view(np.int64)
    number = int(find_set(np.frombuffer(view.tobytes(), np.uint8), words, table.view(np.uint8)))
    if number < 0:
        return uniformly(agent, view, actions)
    first, end = (int(words[words[FIRST] + number + more]) for more in range(2))
    played = words[words[ACTIONS] + first : words[ACTIONS] + end].tolist()
    probabilities = table[words[PROBABILITIES] + first : words[PROBABILITIES] + end]
    found = dict(zip(played, probabilities.tolist(), strict=True))
    return np.array([found.get(action, 0.0) for action in actions])


KNOWN: dict[Callable[..., int], Likely] = {uniform: uniformly, play_table: by_table}
