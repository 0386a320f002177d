"""Searches: how many simulations `mcts` does in a second, in searches of its default size from opening views."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from facedown.agents.generic.mcts import search, time_simulations
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown_bench.entries import Entry, Request, alone
from facedown_bench.laps import Lap

SEARCHED = ("leduc", "love_letter")
"""Games whose searches are measured whenever they are."""


def entries(request: Request) -> Iterator[Entry]:
    """One entry for each game that is searched."""
    for game in map(find_game, request.games):
        if game.name in SEARCHED:
            yield alone("simulations", str(game), "mcts", "simulation", partial(_runner, game))


def _runner(game: Game) -> Callable[[int], Lap]:
    agent = search(game)
    time_simulations(agent, 1)  # compiled before any clock runs
    return lambda simulations: Lap(*time_simulations(agent, simulations))
