"""Checks that native code is the truth: the same rules as plain Python, and the native loop against single steps."""

from __future__ import annotations

import time
import types
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from facedown.agents.registry import agent as find_agent
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.check.case import Case
from facedown.check.honest import differing_fields
from facedown.check.report import Failure, Skip
from facedown.check.sample import Moment, Played, Sample
from facedown.games.contract import NATIVE_FUNCTIONS
from facedown.games.stepper import DrawError, Stepper
from facedown.native import jit
from facedown.native.jit import AS_PYTHON, COMPILED

_MAX_MOVES_FOLLOWED = 1_500
_TIMES_AGAIN = 20
_IMAGINING_SECONDS = 8.0
"""To count all pasts that fit a view can take plain Python long: after this many seconds, views are compared alone."""

_REMEDY = (
    "stay inside arrays (native code does not notice an index that is out of bounds), and read fields into arithmetic with "
    "int(...), since small integers overflow differently"
)


def _plain_function(function: Callable[..., Any], made: dict[Any, Any] | None = None) -> Callable[..., Any]:
    """The same function as plain Python, with everything native that it calls by name made plain as well."""
    made = {} if made is None else made
    python: Any = getattr(function, "py_func", function)
    if python not in made:
        names = dict(python.__globals__)
        made[python] = types.FunctionType(python.__code__, names, python.__name__, python.__defaults__, python.__closure__)
        for name in python.__code__.co_names:
            if hasattr(names.get(name), "py_func"):
                names[name] = _plain_function(names[name], made)
            elif name in AS_PYTHON and names.get(name) is getattr(jit, name):
                names[name] = AS_PYTHON[name]
    return made[python]  # type: ignore[no-any-return]


def plain_python(case: Case) -> str:
    """The rules run as plain Python too, where every index is checked, and come to the same states and answers."""
    if not COMPILED:
        raise Skip("the compiler is turned off: everything runs as plain Python")
    made: dict[Any, Any] = {}
    functions = {name: _plain_function(getattr(case.game, name), made) for name in NATIVE_FUNCTIONS}
    with np.errstate(over="ignore"):  # native code says nothing either when small integers overflow
        return _compare(case, Stepper(case.game, functions))


def _compare(case: Case, rules: Stepper) -> str:
    plain = Sample(rules, case.seed, case.games, 2 * case.games, glance=True, agents=case.playing_agents)
    fault = plain.faults.get("plays")
    if fault is not None:
        raise Failure(
            f"as plain Python, {fault.found}", where=fault.where, expected="rules that run as plain Python", remedy=_REMEDY
        )
    both = _BothWays(case, plain)
    try:
        for played in plain.played:
            both.check(played)
    except DrawError as problem:
        raise Skip(f"recorded draws do not lead to the same game ({problem}): see 'chance'") from None
    return f"{plain.n_moments:,} moves as plain Python came to the same states, views, actions and scores as native code"


class _BothWays:
    """The same rules as plain Python and as native code, with the same draws."""

    def __init__(self, case: Case, plain: Sample):
        self._game, self._plain = case.game, plain
        self._rules = (plain.rules, case.rules)
        plain.rules.sample(case.seed, 0)
        self._imagined = 0.0

    def check(self, played: Played) -> None:
        """Compare everything about one game."""
        self._check_state(played, 0, [partial(rules.start, played.deal) for rules in self._rules])
        for moment in played.moments:
            steps = [partial(rules.step, moment.state, moment.action, moment.draws) for rules in self._rules]
            self._check_state(played, moment.number + 1, steps)
            self._check(played, moment.number, [partial(rules.legal, moment.state) for rules in self._rules], "legal actions")
            for player in range(self._game.n_players):
                self._check_view(played, moment, player)
                move = (moment.after, player, moment.player, moment.action)
                heard = [partial(rules.heard, *move) for rules in self._rules]
                self._check(played, moment.number + 1, heard, f"what player {player} hears", "{} and {}".format)
        if played.end is not None:
            scores = [partial(rules.scores, played.end) for rules in self._rules]
            self._check(played, played.n_moves, scores, "scores")

    def _check_view(self, played: Played, moment: Moment, player: int) -> None:
        """What a player sees, and what may be behind it."""
        kind, looks = self._game.view, [partial(rules.view, moment.state, player) for rules in self._rules]
        self._check(played, moment.number, looks, f"views of player {player}", partial(differing_fields, kind))
        if self._imagined >= _IMAGINING_SECONDS:
            return
        started, view = time.process_time(), looks[0]()
        self._plain.rules.imagine(view, player)
        draws = self._plain.rules.draws
        self._check_state(played, moment.number, [partial(rules.imagine, view, player, draws) for rules in self._rules])
        self._imagined += time.process_time() - started

    def _check_state(self, played: Played, number: int, runs: Sequence[Callable[[], bytes]]) -> None:
        self._check(played, number, runs, "states", partial(differing_fields, self._game.state))

    def _check(
        self,
        played: Played,
        number: int,
        asked: Sequence[Callable[[], Any]],
        what: str,
        difference: Callable[[Any, Any], str] = lambda one, other: f"{list(map(float, one))} and {list(map(float, other))}",
    ) -> None:
        """Ask both ways; but rules that do not repeat themselves are for other checks to find."""
        in_python, in_native = (ask() for ask in asked)
        if in_python == in_native:
            return
        again = ((ask, answer) for ask, answer in zip(asked, (in_python, in_native), strict=True) for _ in range(_TIMES_AGAIN))
        if any(ask() != answer for ask, answer in again):
            raise Skip(f"asked again, the rules came to other {what}: see 'chance', 'questions' and 'posterior'")
        raise Failure(
            f"plain Python and native code differ, in this order: {what}: {difference(in_python, in_native)}",
            where=self._plain.where(played, number),
            expected="one result, compiled or not",
            remedy=_REMEDY,
        )


def native_loop(case: Case) -> str:
    """The native loop that plays matches agrees with the same games played step by step from Python."""
    listeners = [agent for agent in case.playing_agents if agent.watch is not None or agent.begin is not None]
    n_games = n_moves = 0
    for agent in [find_agent("uniform", case.game), *listeners]:
        most = min(_MAX_MOVES_FOLLOWED, 10 * case.games) // (1 if agent.watch is None else 4)
        played = _follow_loop(case, Lineup(case.game, [agent] * case.game.n_players), most)
        n_games, n_moves = n_games + played[0], n_moves + played[1]
    return f"{n_games:,} games of the native loop, {n_moves:,} moves, agree with the same games step by step"


def _follow_loop(case: Case, lineup: Lineup, most_moves: int) -> tuple[int, int]:
    """Games with one agent in all seats, both ways; how many games and moves."""
    game, followed, n_moves = case.game, list[tuple[list[float], int, list[float]]](), 0
    while len(followed) < case.games and n_moves < most_moves:
        follower = Follower(lineup, case.seed, len(followed))
        for _ in follower:
            pass
        reported = np.zeros(len(game.columns))
        game.report(follower.position.state, reported)
        followed.append((follower.agent_scores().tolist(), follower.n_moves, reported.tolist()))
        n_moves += follower.n_moves
    batch = lineup.play(case.seed, 0, len(followed))
    for index, (scores, length, values) in enumerate(followed):
        native = (batch.scores[index].tolist(), int(batch.lengths[index]), batch.values[index].tolist())
        if native != (scores, length, values):
            raise Failure(
                f"scores, length and columns are {native} in the native loop, but ({scores}, {length}, {values}) step by step",
                where=f"game {index} of seed {case.seed} with {lineup.agents[0]} agents",
                expected="the same game",
                remedy="let the rules depend on the state, the action and the draws only, write every field in 'observe', and "
                "start from the state as it is given",
            )
    return len(followed), n_moves
