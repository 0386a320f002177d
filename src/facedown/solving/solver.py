"""Solving a game: `solve` finds policies close to an equilibrium, from the rules alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.solving.engine import Engine, TreeEngine, digest_of
from facedown.solving.explore import TreeTooLargeError
from facedown.solving.grow import MOST_NODES, build_tree
from facedown.solving.keeping import check_place, load_solution
from facedown.solving.request import Limits, Request, SolveProgress, read_request
from facedown.solving.running import Run
from facedown.solving.solution import Solution, TreeCounts
from facedown.solving.tree import Tree


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
    progress: Callable[[SolveProgress], None] | None = None,
    limit: int | None = None,
    tree: Tree | None = None,
    **parameters: Any,
) -> Solution:
    """Find an approximate equilibrium of a game, from its rules.

    method          cfr, cfr+, lcfr, dcfr, pcfr+, pdcfr+ go through the whole tree in each iteration; chance-sampling,
                    external-sampling and outcome-sampling play sampled games, for what is too large. Parameters are
                    written dcfr(alpha=2) or given by name
    iterations      stop after so many; 1,000 if nothing else says when to stop. Those of `start` are counted
    seconds         stop when iterating and evaluating have taken so long; the tree is not counted
    exploitability  stop when it is reached: NashConv / players, where NashConv is the sum over the players of (value of
                    a best response - value)
    alternating     players learn in turn (the default), or all at once
    average         weigh iteration t by t^average, other than the method does
    seed            for the sampling methods
    start           go on from a solution or a file, exactly as if it had never stopped
    save, every     keep the solution in a file, at the end and every so many seconds (60)
    progress        called after every batch
    limit           most nodes of the tree. Sampling methods need none; they are evaluated exactly if it has so many at
                    most (one million), and else by playing
    tree            the tree of this game, if it was built before

    >>> import facedown as fd
    >>> round(fd.solve("kuhn", "cfr+", iterations=1_000).value, 3)
    -0.056
    """
    found = find_game(game)
    earlier = _earlier(start, found)
    limits = Limits(iterations, seconds, exploitability)
    request = read_request(found, method, limits, alternating, average, seed, earlier, save, every, progress, parameters)
    if request.save is not None:
        check_place(request.save, found, str(request.method))
    if tree is not None and tree.game.spec != found.spec:
        raise UsageError(f"the tree is that of {tree.game}, not of {found}; build it with build_tree, or leave it out")
    return _prepare(request, earlier, limit, tree).go()


def _earlier(start: Solution | str | Path | None, game: Game) -> Solution | None:
    """The solution to go on from; one of this very game."""
    if isinstance(start, str | Path):
        return load_solution(start, game)
    if start is not None and start.game != game.spec:
        raise UsageError(f"the solution to go on from is one of {start.game}, not of {game}; nothing was changed")
    return start


def _prepare(request: Request, earlier: Solution | None, limit: int | None, tree: Tree | None) -> Run:
    """Everything up to the first iteration."""
    state = earlier.state if earlier else None
    sampled = request.method.kind.sampled
    if tree is None:
        tree = _tree_if_small(request, limit) if sampled else _build(request, MOST_NODES if limit is None else limit)
    digest = digest_of(tree) if tree else ""
    if earlier is not None and digest and earlier.digest and earlier.digest != digest:
        raise UsageError(
            f"the rules of {request.game} are not those that the solution was made with: its tree differs; "
            f"nothing was changed. Begin anew"
        )
    engine: Engine
    if sampled:
        from facedown.solving.sampled_engine import SampledEngine

        assert request.seed is not None
        engine = SampledEngine(request.game, request.method, request.alternating, request.seed, tree, state)
    else:
        assert tree is not None
        engine = TreeEngine(tree, request.method, request.alternating, state)
    return Run(request, engine, TreeCounts.of(tree) if tree else None, digest, earlier)


def _tree_if_small(request: Request, limit: int | None) -> Tree | None:
    """For an exact evaluation of what was sampled; None where the tree is too large for that."""
    from facedown.solving.sampled_engine import EXACT_NODES

    if not request.game.perfect_recall and request.exploitability < 0:
        return None  # views that forget make no tree
    try:
        return _build(request, EXACT_NODES if limit is None else limit)
    except TreeTooLargeError:
        if request.exploitability >= 0:
            raise
        return None


def _build(request: Request, limit: int) -> Tree:
    """The tree, while somebody watches."""
    watch = request.progress

    def tell(n_nodes: int, fraction: float) -> None:
        if watch is not None:
            watch(SolveProgress(0, None, 0.0, None, None, f"building the tree: {n_nodes:,} nodes, {fraction:.0%}"))

    return build_tree(request.game, limit=limit, progress=tell)
