"""The agents for Can't Stop, with their parameters."""

from __future__ import annotations

from facedown.agents.cant_stop import turn_exact
from facedown.agents.cant_stop.heuristics import first, rule28, source
from facedown.agents.contract import Agent, Parameter
from facedown.native.jit import COMPILED

GAME = "cant_stop"


def _switch(name: str, default: float, meaning: str) -> Parameter:
    return Parameter(name, default, 0.0, 1.0, meaning, whole=True)


def _source(name: str, meaning: str, fewer: float = 0.0, near: float = 0.0, avoid: float = 0.0) -> Agent:
    return Agent(
        name=name,
        game=GAME,
        meaning=meaning,
        act=source,
        deterministic=True,
        parameters=(
            Parameter("opening", 1.25, 0.0, 10.0, "what a double counts while a runner is free"),
            Parameter("later", 2.0, 0.0, 10.0, "what a double counts when none is"),
            _switch("all_throws", 0.0, "1: the throws of the turn are counted from its start; 0: from the third runner on"),
            _switch("eager", 0.0, "1: it may stop after the throw that placed the third runner; 0: not before the next"),
            Parameter("fewer", fewer, -20.0, 20.0, "throws less than N*", whole=True),
            Parameter("near", near, 0.0, 1.0, "improved probability that makes another player near to winning; 0: never mind"),
            Parameter("avoid", avoid, 0.0, 2.0, "1: it avoids columns of the others with three runners, 2: always", whole=True),
        ),
    )


def _weighted(
    name: str,
    meaning: str,
    constants: tuple[float, float, float, float, float, float],
    progress: tuple[float, ...],
    choice: tuple[float, ...],
) -> Agent:
    words = (
        ("threshold", "points at which it stops"),
        ("odd", "points if all runners are in odd columns"),
        ("even", "points if all are in even columns"),
        ("high", "points if none is below the middle"),
        ("low", "points if none is above the middle"),
        ("placed", "points that a move loses for each runner that it places"),
    )
    return Agent(
        name=name,
        game=GAME,
        meaning=meaning,
        act=rule28,
        deterministic=True,
        parameters=(
            *(Parameter(word, value, -1000.0, 1000.0, told) for (word, told), value in zip(words, constants, strict=True)),
            _switch("wins_stop", 1.0, "1: it stops where that wins"),
            *(
                Parameter(
                    f"progress{at}", value, -1000.0, 1000.0, f"points for a space and one more, {at} columns from the middle"
                )
                for at, value in enumerate(progress)
            ),
            *(
                Parameter(
                    f"choice{at}", value, -1000.0, 1000.0, f"points for a space that a move gains, {at} columns from the middle"
                )
                for at, value in enumerate(choice)
            ),
        ),
    )


AGENTS = (
    Agent(
        name="first",
        game=GAME,
        meaning="the first possible split, the dice being sorted; stops after two throws",
        act=first,
        parameters=(
            Parameter("throws", 2.0, 1.0, 1000.0, "throws after which it stops", whole=True),
            _switch("sorted", 1.0, "1: the two lowest dice go together if possible; 0: any possible move is as likely"),
        ),
    ),
    _source("q5", "the source's heuristic for solitaire: improved probabilities, then N* throws"),
    _source(
        "q6a",
        "the source's first heuristic for two: as q5, away from the others, and all or nothing near the end",
        near=0.2,
        avoid=2.0,
    ),
    _source(
        "q6b",
        "the source's second heuristic for two and more: as q6a, but not away from the others, and N* - 3",
        fewer=3.0,
        near=0.2,
    ),
    _weighted(
        "rule28",
        "Keller's rule of 28: rolls on while a runner is free, then until the points of the turn reach 28",
        (28.0, 2.0, -2.0, 4.0, 4.0, 6.0),
        (1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
        (6.0, 5.0, 4.0, 3.0, 2.0, 1.0),
    ),
    _weighted(
        "glenn_aloi",
        "the rule of 28 with the weights that a genetic algorithm found (Glenn & Aloi 2009)",
        (29.0, 7.0, 1.0, 6.0, 5.0, 6.0),
        (1.0, 2.0, 2.0, 3.0, 7.0, 7.0),
        (3.0, 4.0, 0.0, 2.0, 0.0, 7.0),
    ),
)

MAKERS = {turn_exact.NAME: turn_exact.shipped}
READERS = {turn_exact.NAME: turn_exact.read}
# without the compiler a turn takes minutes
POSSIBLE = {turn_exact.NAME: lambda game: COMPILED and not turn_exact.problem_with(game)}
