"""The rules of a game compiled as Python calls them, one by one, before anybody waits for one of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import Game
from facedown.native.chance import CHANCE
from facedown.native.jit import compile_now

_ANSWERING = ("turn", "legal", "hears", "allows")


def rule_arguments(game: Game) -> dict[str, tuple[Any, ...]]:
    """What each function of the rules is called with: record types, and examples of arrays and numbers."""
    actions, numbers = np.zeros(1, np.int64), np.zeros(1)
    return {
        "start": (game.state, CHANCE),
        "turn": (game.state,),
        "legal": (game.state, actions),
        "step": (game.state, 0, CHANCE),
        "score": (game.state, numbers),
        "observe": (game.state, 0, game.view),
        "hears": (game.state, 0, 0, 0),
        "imagine": (game.view, 0, CHANCE, game.state),
        "report": (game.state, numbers),
        "allows": (game.state, 0),
        "settle": (game.state,),
    }


def compile_rule(game: Game, name: str) -> None:
    """Compile a function of the rules; an error if it cannot be, or answers with anything else than it should."""
    compile_now(getattr(game, name), *rule_arguments(game)[name], returns=name in _ANSWERING)
