"""Solving a game: `solve` finds policies close to an equilibrium, from the rules alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, overload

from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.progress import Callback
from facedown.solving.checkpoint import check_kept, check_place, load_solution
from facedown.solving.dynamic.find import can_be_exact, check_solvable
from facedown.solving.dynamic.solution import EXACT, METHODS, OptimalSolution
from facedown.solving.engine import Engine, TreeEngine, digest_of
from facedown.solving.request import Limits, Request, read_request
from facedown.solving.running import Run
from facedown.solving.solution import Solution
from facedown.trees.explore import TreeTooLargeError
from facedown.trees.grow import MAX_NODES, build_tree
from facedown.trees.tree import Tree


@overload
def solve(game: str | Game, method: Literal["exact", "value-iteration"], **settings: Any) -> OptimalSolution: ...
@overload
def solve(game: str | Game, method: str, **settings: Any) -> Solution: ...
@overload
def solve(game: str | Game, method: str | None = None, **settings: Any) -> Any: ...
def solve(
    game: str | Game,
    method: str | None = None,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    exploitability: float | None = None,
    alternating: bool | None = None,
    average: float | None = None,
    seed: int | None = None,
    start: Solution | str | Path | None = None,
    save: str | Path | None = None,
    every: float | None = None,
    progress: Callback | None = None,
    max_nodes: int | None = None,
    tree: Tree | None = None,
    **parameters: Any,
) -> Solution | OptimalSolution:
    """Find an approximate equilibrium of a game, from its rules; or the exact solution, where nothing is hidden.

    A game that declares perfect information, for one player or two with opposite interests, is solved exactly unless a method
    is named: the result is an `OptimalSolution`, and of the settings only `save`, `progress` and `max_nodes` matter, the most
    positions. Any other game is solved approximately, and the result is a `Solution`.

    method          cfr, cfr+, lcfr, dcfr, pcfr+, pdcfr+ go through the whole tree in each iteration; chance-sampling,
                    external-sampling and outcome-sampling play sampled games, for what is too large. Parameters are
                    written dcfr(alpha=2) or given by name. exact and value-iteration solve games of perfect information
    iterations      stop after this many; 1,000 if nothing else says when to stop. Those of `start` are counted
    seconds         stop when iterating and evaluating have taken so long; the tree is not counted
    exploitability  stop when it is reached: NashConv / players, where NashConv is the sum over the players of (value of
                    a best response - value)
    alternating     players learn in turn (the default), or all at once
    average         weigh iteration t by t^average, other than the method does
    seed            for the sampling methods
    start           go on from a solution or a file, exactly as if it had never stopped
    save, every     keep the solution in a file, at the end and at intervals of this many seconds (60)
    progress        called while the tree is built, and after every batch; the details hold `iterations` and `exploitability`
    max_nodes       most nodes of the tree. Sampling methods need none; they are evaluated exactly if it has this many at
                    most (one million), and else by playing
    tree            the tree of this game, if it was built before

    >>> import facedown as fd
    >>> round(fd.solve("kuhn", "cfr+", iterations=1_000).value, 3)
    -0.056
    """
    found = find_game(game)
    if method in METHODS or (method is None and start is None and can_be_exact(found)):
        settings = {
            "iterations": iterations,
            "seconds": seconds,
            "exploitability": exploitability,
            "alternating": alternating,
            "average": average,
            "seed": seed,
            "start": start,
            "every": every,
            "tree": tree,
            **parameters,
        }
        return _solve_exactly(found, method or EXACT, settings, save, max_nodes, progress)
    earlier = _earlier(start, found)
    limits = Limits(iterations, seconds, exploitability)
    request = read_request(found, method, limits, alternating, average, seed, earlier, save, every, progress, parameters)
    if request.save is not None:
        check_place(request.save, found, str(request.method))
    if tree is not None and tree.game.spec != found.spec:
        raise UsageError(f"the tree is that of {tree.game}, not of {found}; build it with build_tree, or leave it out")
    return _prepare(request, earlier, max_nodes, tree).go()


def _solve_exactly(
    game: Game,
    method: str,
    settings: dict[str, Any],
    save: str | Path | None,
    max_nodes: int | None,
    progress: Callback | None,
) -> OptimalSolution:
    """The exact solution; settings of other methods are refused, since they would change nothing."""
    from facedown.solving.dynamic.files import load_optimal
    from facedown.solving.dynamic.solution import solve_exactly

    check_solvable(game)
    given = [name for name, value in settings.items() if value is not None]
    if given:
        raise UsageError(
            f"{game} is solved exactly ({method}), which has no setting '{given[0]}': leave it out, or name another method"
        )
    if save is not None:
        check_kept(save, f"an exact solution of {game}", lambda path: load_optimal(path, game))
    found = solve_exactly(game, method, max_positions=max_nodes, progress=progress)
    if save is not None:
        found.save(save)
    return found


def _earlier(start: Solution | str | Path | None, game: Game) -> Solution | None:
    """The solution to go on from; one of this very game."""
    if isinstance(start, str | Path):
        return load_solution(start, game)
    if start is not None and start.game != game.spec:
        raise UsageError(f"the solution to go on from is one of {start.game}, not of {game}; nothing was changed")
    return start


def _prepare(request: Request, earlier: Solution | None, max_nodes: int | None, tree: Tree | None) -> Run:
    """Everything up to the first iteration."""
    state = earlier.state if earlier else None
    sampled = request.method.kind.sampled
    if tree is None:
        tree = _tree_if_small(request, max_nodes) if sampled else _build(request, max_nodes, MAX_NODES)
    digest = digest_of(tree) if tree else ""
    if earlier is not None and digest and earlier.digest and earlier.digest != digest:
        raise UsageError(
            f"the rules of {request.game} are not those that the solution was made with: its tree differs; "
            f"nothing was changed. Begin anew"
        )
    engine: Engine
    if sampled:
        from facedown.solving.mccfr.engine import SampledEngine

        assert request.seed is not None
        engine = SampledEngine(request.game, request.method, request.alternating, request.seed, tree, state)
    else:
        assert tree is not None
        engine = TreeEngine(tree, request.method, request.alternating, state)
    return Run(request, engine, tree.counts if tree else None, digest, earlier)


def _tree_if_small(request: Request, max_nodes: int | None) -> Tree | None:
    """For an exact evaluation of what was sampled; None where the tree is too large for that."""
    from facedown.solving.mccfr.engine import EXACT_NODES

    if not request.game.perfect_recall and request.exploitability < 0:
        return None  # views that forget make no tree
    try:
        return _build(request, max_nodes, EXACT_NODES)
    except TreeTooLargeError:
        if request.exploitability >= 0:
            raise
        return None


def _build(request: Request, max_nodes: int | None, default: int) -> Tree:
    return build_tree(request.game, max_nodes=default if max_nodes is None else max_nodes, progress=request.progress)
