"""`facedown warm`: compile everything that the built-in games and agents need, and keep it."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.cli.output import progress_bar
from facedown.games.registry import check_name
from facedown.progress import Reporter

if TYPE_CHECKING:
    from facedown.games.contract import Game


def warm(game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="All games if not given.")] = None) -> None:
    """Compile everything now, so that nothing needs to be compiled later."""
    if game is not None:
        check_name(game)
    from facedown.games.registry import all_games
    from facedown.games.registry import game as find_game
    from facedown.native.jit import without_notices
    from facedown.solving.solver import solve

    chosen = all_games() if game is None else [find_game(game)]
    with progress_bar("compiling") as show, without_notices():
        report = Reporter(show, len(chosen), "games")
        for number, one in enumerate(chosen):
            _warm_game(one, number, report)
        solve("kuhn", iterations=1)  # the loop of the solvers is the same for all games


def _warm_game(game: Game, number: int, report: Reporter) -> None:
    """Play a few games with every agent of a game, write some down, and compile what solves it."""
    from facedown.agents.registry import agents_for
    from facedown.arena.lineup import Lineup
    from facedown.arena.match import match
    from facedown.arena.transcript import transcribe

    started = time.perf_counter()
    agents = [agent(**agent.quick) for agent in agents_for(game).values() if agent.compiled]
    for index, agent in enumerate(agents):
        report(number + index / len(agents), f"{game.name}, {agent.name}")
        Lineup(game, [agent] * game.n_players).play(1, 0, 1)
    match(game, ["uniform"] * game.n_players, games=2 * game.n_players, seed=1)  # two deals, whose figures are merged
    _warm_solvers(game)
    for agent in agents:
        transcribe(game, [agent] * game.n_players, seed=1)
    print(f"{game.name}: ready, {len(agents)} agents, {time.perf_counter() - started:.1f} s")


def _warm_solvers(game: Game) -> None:
    """Compile what a game needs to be solved: the walk through its tree, and the sampled walks."""
    from facedown.solving.mccfr.solver import SampledSolver
    from facedown.trees.explore import TreeTooLargeError
    from facedown.trees.grow import build_tree

    with contextlib.suppress(TreeTooLargeError):
        build_tree(game, max_nodes=10)
    SampledSolver(game).prepare()
