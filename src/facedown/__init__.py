"""Facedown: a laboratory for games of hidden information and chance."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from facedown.agents.contract import Agent
    from facedown.agents.listing import AgentsPackage
    from facedown.agents.reasons import Choice, Reason
    from facedown.arena.match import match
    from facedown.arena.results import MatchResult
    from facedown.arena.session import Session, session
    from facedown.arena.transcript import Transcript, read_transcript, transcribe
    from facedown.errors import FacedownError, UsageError
    from facedown.games.contract import OVER, Column, Game, Option, Preset
    from facedown.games.listing import GamesPackage
    from facedown.games.registry import game
    from facedown.learning.learn import LearnResult, learn
    from facedown.racing.league import league
    from facedown.racing.league_result import LeagueResult
    from facedown.racing.plan import plan
    from facedown.racing.race import RaceResult, race
    from facedown.solving.checkpoint import load_solution
    from facedown.solving.exploit import ExploitResult, exploit
    from facedown.solving.solution import Solution
    from facedown.solving.solver import solve
    from facedown.solving.train import TrainResult, train
    from facedown.specs import Parameter
    from facedown.tuning.result import TuneResult
    from facedown.tuning.tune import tune

    # packages that can be called: see `facedown.games.listing`
    games: GamesPackage
    agents: AgentsPackage

__version__ = "0.1.0"

# name -> module: imported when first used, so that `import facedown` is quick and does not load the compiler
_PUBLIC = {
    "Agent": "facedown.agents.contract",
    "Choice": "facedown.agents.reasons",
    "Column": "facedown.games.contract",
    "ExploitResult": "facedown.solving.exploit",
    "FacedownError": "facedown.errors",
    "Game": "facedown.games.contract",
    "LeagueResult": "facedown.racing.league_result",
    "LearnResult": "facedown.learning.learn",
    "MatchResult": "facedown.arena.results",
    "OVER": "facedown.games.contract",
    "Option": "facedown.games.contract",
    "Parameter": "facedown.specs",
    "Preset": "facedown.games.contract",
    "RaceResult": "facedown.racing.race",
    "Reason": "facedown.agents.reasons",
    "Session": "facedown.arena.session",
    "Solution": "facedown.solving.solution",
    "TrainResult": "facedown.solving.train",
    "Transcript": "facedown.arena.transcript",
    "TuneResult": "facedown.tuning.result",
    "UsageError": "facedown.errors",
    "exploit": "facedown.solving.exploit",
    "game": "facedown.games.registry",
    "league": "facedown.racing.league",
    "learn": "facedown.learning.learn",
    "load_solution": "facedown.solving.checkpoint",
    "match": "facedown.arena.match",
    "plan": "facedown.racing.plan",
    "race": "facedown.racing.race",
    "read_transcript": "facedown.arena.transcript",
    "session": "facedown.arena.session",
    "solve": "facedown.solving.solver",
    "train": "facedown.solving.train",
    "transcribe": "facedown.arena.transcript",
    "tune": "facedown.tuning.tune",
}
# packages that are public themselves: two that can be called, and the conformance suite, `facedown.check.game(...)`
_PACKAGES = {"agents": "facedown.agents", "check": "facedown.check", "games": "facedown.games"}

__all__ = [
    "OVER",
    "Agent",
    "Choice",
    "Column",
    "ExploitResult",
    "FacedownError",
    "Game",
    "LeagueResult",
    "LearnResult",
    "MatchResult",
    "Option",
    "Parameter",
    "Preset",
    "RaceResult",
    "Reason",
    "Session",
    "Solution",
    "TrainResult",
    "Transcript",
    "TuneResult",
    "UsageError",
    "agents",
    "exploit",
    "game",
    "games",
    "league",
    "learn",
    "load_solution",
    "match",
    "plan",
    "race",
    "read_transcript",
    "session",
    "solve",
    "train",
    "transcribe",
    "tune",
]


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return importlib.import_module(_PACKAGES[name])
    if name not in _PUBLIC:
        raise AttributeError(f"module 'facedown' has no attribute '{name}'")
    value = getattr(importlib.import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_PACKAGES, "__doc__", "__file__", "__name__", "__version__"})
