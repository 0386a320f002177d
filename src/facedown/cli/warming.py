"""`facedown warm`: compile everything that the built-in games and agents need, and keep it."""

from __future__ import annotations

import contextlib
import time

from facedown.agents.registry import agents_for
from facedown.arena.lineup import Lineup
from facedown.arena.match import match
from facedown.arena.transcript import transcribe
from facedown.cli.output import progress_bar
from facedown.games.contract import Game
from facedown.games.registry import all_games
from facedown.games.registry import game as find_game
from facedown.native.jit import without_notices
from facedown.solving.explore import TreeTooLargeError
from facedown.solving.grow import build_tree
from facedown.solving.sampling import SampledSolver
from facedown.solving.solver import solve


def run(name: str | None) -> None:
    """Play a few games with every agent of a game, or of all games."""
    chosen = all_games() if name is None else [find_game(name)]
    with progress_bar("compiling") as advance, without_notices():
        for number, game in enumerate(chosen):
            started = time.perf_counter()
            agents = [agent(**agent.quick) for agent in agents_for(game).values() if agent.compiled]
            for index, agent in enumerate(agents):
                advance(number + index / len(agents), len(chosen), f"{game.name}, {agent.name}")
                Lineup(game, [agent] * game.n_players).play(1, 0, 1)
            match(game, ["uniform"] * game.n_players, games=2, seed=1)
            warm_solvers(game)
            for agent in agents:
                transcribe(game, [agent] * game.n_players, seed=1)
            print(f"{game.name}: ready, {len(agents)} agents, {time.perf_counter() - started:.1f} s")
        solve("kuhn", iterations=1)  # the loop of the solvers is the same for all games


def warm_solvers(game: Game) -> None:
    """Compile what a game needs to be solved: the walk through its tree, and the sampled walks."""
    with contextlib.suppress(TreeTooLargeError):
        build_tree(game, limit=10)
    SampledSolver(game).prepare()
