"""Facedown: a laboratory for games of hidden information and chance."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from facedown.agents.contract import Agent, Parameter
    from facedown.arena.match import match
    from facedown.arena.racing.plan import plan
    from facedown.arena.racing.race import RaceResult, race
    from facedown.arena.results import MatchResult
    from facedown.arena.transcript import Transcript, read_transcript, transcribe
    from facedown.errors import FacedownError, UsageError
    from facedown.games.contract import OVER, Column, Game, Option
    from facedown.games.registry import game
    from facedown.solving.keeping import load_solution
    from facedown.solving.solution import Solution
    from facedown.solving.solver import solve

__version__ = "0.1.0"

# name -> module: imported when first used, so that `import facedown` is quick and does not load the compiler
_PUBLIC = {
    "Agent": "facedown.agents.contract",
    "Column": "facedown.games.contract",
    "FacedownError": "facedown.errors",
    "Game": "facedown.games.contract",
    "MatchResult": "facedown.arena.results",
    "OVER": "facedown.games.contract",
    "Option": "facedown.games.contract",
    "Parameter": "facedown.agents.contract",
    "RaceResult": "facedown.arena.racing.race",
    "Solution": "facedown.solving.solution",
    "Transcript": "facedown.arena.transcript",
    "UsageError": "facedown.errors",
    "game": "facedown.games.registry",
    "load_solution": "facedown.solving.keeping",
    "match": "facedown.arena.match",
    "plan": "facedown.arena.racing.plan",
    "race": "facedown.arena.racing.race",
    "read_transcript": "facedown.arena.transcript",
    "solve": "facedown.solving.solver",
    "transcribe": "facedown.arena.transcript",
}

__all__ = [
    "OVER",
    "Agent",
    "Column",
    "FacedownError",
    "Game",
    "MatchResult",
    "Option",
    "Parameter",
    "RaceResult",
    "Solution",
    "Transcript",
    "UsageError",
    "game",
    "load_solution",
    "match",
    "plan",
    "race",
    "read_transcript",
    "solve",
    "transcribe",
]


def __getattr__(name: str) -> Any:
    if name == "check":  # a module of its own: `facedown.check.game(...)`
        return importlib.import_module("facedown.check")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'facedown' has no attribute '{name}'")
    value = getattr(importlib.import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value
