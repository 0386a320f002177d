"""The conformance suite: every promise that a game makes, checked one by one, each by a name.

A check returns a sentence on what it has seen, or raises `Failure` or `Skip`. Some rest on others: rules that do not
compile cannot be played, and rules that break the contract as single steps are not let into the native loop, which
trusts them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.check import compiled, declared, fair, hearing, hidden, honest, players, playing, positions, public, whole, words
from facedown.check.case import Case
from facedown.check.report import Check, Failure, Report, Skip
from facedown.errors import FacedownError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import check_seed, whole_number
from facedown.progress import Callback, Reporter

GAMES = 200
NODES = 20_000
MAX_GAMES = 1_000_000
MAX_NODES = 10_000_000


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
    _Step("settle", positions.settle, _PLAYABLE),
    _Step("perfect information", positions.perfect_information, (*_PLAYABLE, "imagine", "settle")),
    _Step("hearing", hearing.hearing, (*_PLAYABLE, "imagine")),
    _Step("narration", hearing.narrated, (*_PLAYABLE, "words", "imagine", "hearing")),
    _Step("tree", whole.tree, _PLAYABLE),
    _Step("recall", hidden.recall, _PLAYABLE),
    _Step("posterior", hidden.posterior, (*_PLAYABLE, "imagine")),
    _Step("agents", players.agents, _PLAYABLE),
    _Step("public", public.public, (*_PLAYABLE, "agents")),
    _Step("native loop", compiled.native_loop, ("all",)),
)


def game(
    game: str | Game,
    *,
    games: int = GAMES,
    seed: int | None = 1,
    max_nodes: int = NODES,
    agents: Sequence[str | Agent] = (),
    progress: Callback | None = None,
) -> Report:
    """Check that a game keeps every promise of the contract.

    games      how many sample games to play; other sample sizes follow from it
    seed       the same seed finds the same faults; None draws one
    max_nodes  walk the whole tree of games that have no more nodes than this
    agents     to be examined besides those that the game is known to have: in files of your own, say
    progress   called before each check with its name in words, and at the end
    """
    games = whole_number("games", games, 1, MAX_GAMES, "since all sample games are kept in memory")
    max_nodes = whole_number("max_nodes", max_nodes, 1, MAX_NODES, "since the whole tree is kept in memory")
    found = find_game(game)
    case = Case(found, games, check_seed(seed), max_nodes, [find_agent(agent, found) for agent in agents])
    started = time.perf_counter()
    checks: list[Check] = []
    report = Reporter(progress, len(STEPS), "checks")
    for step in STEPS:
        report(len(checks), step.name)
        checks.append(_run(step, case, checks))
    report(len(checks), "")
    return Report(str(found), tuple(checks), games, case.seed, max_nodes, time.perf_counter() - started)


def _run(step: _Step, case: Case, before: list[Check]) -> Check:
    started = time.perf_counter()
    broken = [check.name for check in before if check.status == "failed" and (check.name in step.needs or "all" in step.needs)]
    if broken:
        return Check(step.name, "skipped", f"first repair what '{broken[0]}' has found", 0.0)
    try:
        return Check(step.name, "passed", step.run(case), time.perf_counter() - started)
    except Skip as reason:
        return Check(step.name, "skipped", str(reason), time.perf_counter() - started)
    except Failure as found:
        failure = found
    except FacedownError as problem:  # the rules themselves refused, with a sentence of their own
        expected, remedy = "rules that can be asked and run everywhere", "repair the function that it names"
        failure = Failure(str(problem), expected=expected, remedy=remedy)
    except Exception as problem:  # a game's own Python can fail in ways that nobody has thought of
        expected, remedy = "functions that work wherever the contract calls them", "see which of the game's functions failed"
        failure = Failure(f"{type(problem).__name__}: {problem}", expected=expected, remedy=remedy)
    return Check(step.name, "failed", failure.sentence, time.perf_counter() - started, **vars(failure))
