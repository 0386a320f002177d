"""The conformance suite: every promise that a game makes, checked one by one, each by a name.

A check returns a sentence on what it has seen, or raises `Failure` or `Skip`. Some rest on others: rules that do not
compile cannot be played, and rules that break the contract as single steps are not let into the native loop, which
trusts them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from facedown.arena.match import check_seed
from facedown.check import compiled, declared, fair, hidden, honest, players, playing, whole, words
from facedown.check.case import Case
from facedown.check.report import Check, Failure, Progress, Report, Skip
from facedown.errors import FacedownError, UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game

GAMES = 200
NODES = 20_000


class _Step(NamedTuple):
    name: str
    run: Callable[[Case], str]
    needs: tuple[str, ...] = ()
    """Checks that must not have failed before; "all" for every one."""


_COMPILED = ("facts", "compiles", "plain python")
_PLAYABLE = (*_COMPILED, "plays", "turn", "actions", "chance", "length")

STEPS = (
    _Step("fields", declared.fields),
    _Step("facts", declared.facts),
    _Step("compiles", declared.compiles, ("facts",)),
    _Step("plain python", compiled.plain_python, ("facts", "compiles")),
    _Step("plays", playing.plays, _COMPILED),
    _Step("turn", playing.turn, (*_COMPILED, "plays")),
    _Step("actions", playing.actions, (*_COMPILED, "plays", "turn")),
    _Step("chance", fair.chance, (*_COMPILED, "plays", "turn", "actions")),
    _Step("length", playing.length, (*_COMPILED, "plays", "turn", "actions", "chance")),
    _Step("ranges", playing.ranges, _PLAYABLE),
    _Step("options", declared.options, _PLAYABLE),
    _Step("scores", playing.scores, _PLAYABLE),
    _Step("columns", playing.columns, _PLAYABLE),
    _Step("views", honest.views, _PLAYABLE),
    _Step("questions", honest.questions, _PLAYABLE),
    _Step("copies", honest.copies, _PLAYABLE),
    _Step("replay", honest.replay, _PLAYABLE),
    _Step("words", words.words, _PLAYABLE),
    _Step("imagine", hidden.imagine, _PLAYABLE),
    _Step("no peeking", hidden.no_peeking, _PLAYABLE),
    _Step("tree", whole.tree, _PLAYABLE),
    _Step("recall", hidden.recall, _PLAYABLE),
    _Step("posterior", hidden.posterior, (*_PLAYABLE, "imagine")),
    _Step("agents", players.agents, _PLAYABLE),
    _Step("native loop", compiled.native_loop, ("all",)),
)


def game(
    game: str | Game,
    *,
    games: int = GAMES,
    seed: int | None = 1,
    nodes: int = NODES,
    progress: Progress | None = None,
) -> Report:
    """Check that a game keeps every promise of the contract.

    games      how many sample games to play; other sample sizes follow from it
    seed       the same seed finds the same faults; None draws one
    nodes      walk the whole tree of games that have no more nodes than this
    progress   called before each check: how many are done, how many there are, and the name of the next
    """
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise UsageError(f"games={games}: at least 1 sample game is needed, a whole number")
    if isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 1:
        raise UsageError(f"nodes={nodes}: at least 1 node is needed, a whole number")
    found = find_game(game)
    case = Case(found, games, check_seed(seed), nodes)
    started = time.perf_counter()
    checks: list[Check] = []
    for step in STEPS:
        if progress is not None:
            progress(len(checks), len(STEPS), step.name)
        checks.append(_run(step, case, checks))
    if progress is not None:
        progress(len(checks), len(STEPS), "")
    return Report(str(found), tuple(checks), games, case.seed, nodes, time.perf_counter() - started)


def _run(step: _Step, case: Case, before: list[Check]) -> Check:
    started = time.perf_counter()
    broken = [check.name for check in before if check.status == "failed" and (check.name in step.needs or "all" in step.needs)]
    if broken:
        return Check(step.name, "skipped", f"first repair what '{broken[0]}' has found", 0.0)
    try:
        sentence = step.run(case)
    except Skip as reason:
        return Check(step.name, "skipped", str(reason), time.perf_counter() - started)
    except Failure as failure:
        return _failed(step, failure, started)
    except FacedownError as problem:  # the rules themselves refused, with a sentence of their own
        expected, remedy = "rules that can be asked and run everywhere", "repair the function that it names"
        return _failed(step, Failure(str(problem), expected=expected, remedy=remedy), started)
    except Exception as problem:  # a game's own Python can fail in ways that nobody has thought of
        expected, remedy = "functions that work wherever the contract calls them", "see which of the game's functions failed"
        return _failed(step, Failure(f"{type(problem).__name__}: {problem}", expected=expected, remedy=remedy), started)
    return Check(step.name, "passed", sentence, time.perf_counter() - started)


def _failed(step: _Step, failure: Failure, started: float) -> Check:
    return Check(
        name=step.name,
        status="failed",
        sentence=failure.sentence,
        seconds=time.perf_counter() - started,
        found=failure.found,
        where=failure.where,
        expected=failure.expected,
        remedy=failure.remedy,
    )
