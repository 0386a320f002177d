"""The tests import the broken games as a module beside them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.agents.contract import Agent
from facedown.agents.registry import agents_for
from facedown.check import players
from facedown.games.contract import Game
from facedown.games.registry import BUILT_IN

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True, scope="module")
def games_of_the_tests_are_not_searched() -> Iterator[None]:
    """The search would be compiled once more for each of many broken games; built-in games are examined with it."""

    def without_search(game: Game) -> dict[str, Agent]:
        return {name: agent for name, agent in agents_for(game).items() if name != "mcts" or game.name in BUILT_IN}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(players, "agents_for", without_search)
        yield
