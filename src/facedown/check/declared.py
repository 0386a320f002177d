"""Checks of what a game declares: its fields, its facts, its options, and that its functions compile."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from facedown.check.case import Case
from facedown.check.report import Failure, Skip
from facedown.check.sample import Sample
from facedown.errors import CompileError, FacedownError, UsageError
from facedown.games.compiling import compile_rule, rule_arguments
from facedown.games.contract import MAX_PLAYERS, Game, Option
from facedown.games.stepper import Stepper
from facedown.native.jit import COMPILE_PROBLEMS, COMPILED, Part, compiling, explain
from facedown.native.records import fields_of

COMPILE_SECONDS = 6
_MAX_VARIANTS = 24


def fields(case: Case) -> str:
    """Every field of the state and the view has a range and a meaning."""
    counts = {}
    for what, kind in (("state", case.game.state), ("view", case.game.view)):
        declared = {field.name: field for field in fields_of(kind)}
        for name in kind.names or ():
            if name not in declared:
                raise Failure(
                    f"field '{name}' of the {what} has no declared range",
                    expected="a smallest value, a largest value and a meaning for every field",
                    remedy=f'write field("{name}", kind, low, high, "what it means") in record(...)',
                )
            if not declared[name].meaning.strip():
                raise Failure(
                    f"field '{name}' of the {what} has no meaning",
                    expected="words that say what the field holds, and which value stands for empty",
                    remedy="write them as the fifth argument of field(...)",
                )
        counts[what] = len(declared)
    return f"all {counts['state']} fields of the state and {counts['view']} of the view have a range and a meaning"


def facts(case: Case) -> str:
    """The declared facts make sense, each and together."""
    game = case.game
    low, high = game.score_range
    seats, columns = len(game.seat_names), [column.name for column in game.columns]
    broken = {
        f"{game.n_players} players are declared": not 1 <= game.n_players <= MAX_PLAYERS,
        f"{game.n_actions} actions are declared": game.n_actions < 1,
        f"a longest game of {game.max_moves} moves is declared": game.max_moves < 1,
        f"scores from {low} to {high} are declared": not (math.isfinite(low) and math.isfinite(high) and low < high),
        f"a zero-sum game with a total of {game.score_total} is declared": game.kind == "zero sum" and game.score_total != 0,
        f"{seats} names of seats are declared for {game.n_players} players": seats not in {0, game.n_players},
        f"the columns {columns} are declared": len(set(columns)) < len(columns),
    }
    for found, is_broken in broken.items():
        if is_broken:
            raise Failure(
                found,
                expected=f"1 to {MAX_PLAYERS} players, at least one action and one move, a finite range of scores, a total "
                f"of 0 for a zero sum, a name for every seat or none, and different names for columns",
                remedy="correct the declaration in Game(...)",
            )
    if game.score_total is not None and not game.n_players * low <= game.score_total <= game.n_players * high:
        raise Failure(
            f"scores from {low:g} to {high:g} cannot sum up to the declared {game.score_total:g}",
            expected="a total that scores within the declared range can have",
            remedy="correct 'scores' or 'total'",
        )
    players = f"{game.n_players} player{'s' if game.n_players > 1 else ''}"
    return (
        f"{players}, actions below {game.n_actions}, at most {game.max_moves:,} moves, {game.kind}, scores {low:g} to {high:g}"
    )


def compiles(case: Case) -> str:
    """Every function of the rules compiles for the declared record types."""
    if not COMPILED:
        raise Skip("the compiler is turned off (NUMBA_DISABLE_JIT=1)")
    game, names = case.game, list(rule_arguments(case.game))
    with compiling(Part(f"the rules of {game.name}", COMPILE_SECONDS, (game.step,))):
        for name in names:
            try:
                compile_rule(game, name)
            except (*COMPILE_PROBLEMS, KeyError) as problem:
                raise Failure(
                    f"'{name}' does not compile: {_sentence(problem, name, game)}",
                    expected="functions over the declared records that Numba can compile",
                    remedy="use numbers, fields and loops only; read fields into arithmetic with int(...), and return int on "
                    "every path",
                ) from None
    return f"all {len(names)} functions of the rules compile"


def _sentence(problem: Exception, name: str, game: Game) -> str:
    if isinstance(problem, CompileError):
        return str(problem)
    if isinstance(problem, KeyError):  # how Numba says that a record has no field of that name
        return f"it uses the field {problem}, which its records do not have"
    return str(explain(problem, f"'{name}' of {game.name}"))


def options(case: Case) -> str:
    """Each option's field holds its value during whole games, and games can be played with its extreme values."""
    game = case.game
    for option in game.options:
        _check_option(game, option)
    _check_held(game, case.sample)
    variants = _variants(game)
    for variant in variants:
        name = str(variant)
        sample = Sample(Stepper(variant), case.seed, 1, case.games, glance=True)
        if sample.faults:
            (check, problem), *_ = sample.faults.items()
            raise Failure(
                f"{name} cannot be played: {problem.found}",
                where=problem.where,
                expected="rules that work for every value of every option",
                remedy=f"run the suite on {name}, whose check '{check}' fails; or forbid these options with 'forbids'",
            )
        _check_held(variant, sample)
    if not game.options:
        return "the game has no options"
    names = ", ".join(option.name for option in game.options)
    return f"{names}: held in the state during whole games; {len(variants)} variants with extreme values can be played"


def _check_option(game: Game, option: Option) -> None:
    """The default is one of the possible values, can be written and read, and fits into its field."""
    values = range(len(option.choices)) if option.choices else range(option.low, option.high + 1)
    field = next(field for field in fields_of(game.state) if field.name == option.name)
    try:
        same = option.read(option.word(option.default), game.name) == option.default
    except (UsageError, IndexError):
        same = False
    if option.default not in values or not same:
        raise Failure(
            f"the default {option.default} of option '{option.name}' is not one of its values ({option.range})",
            expected="a default that users could write themselves",
            remedy="correct the default, the bounds or the choices of the option",
        )
    if not (field.low <= values[0] and values[-1] <= field.high):
        raise Failure(
            f"option '{option.name}' goes from {values[0]} to {values[-1]}, its field only from {field.low} to {field.high}",
            expected="a field that can hold every value of its option",
            remedy="widen the range of the field in the state, or narrow the option",
        )


def _check_held(game: Game, sample: Sample) -> None:
    """In every sampled state, each option's field holds what was set."""
    for played in sample.played:
        states = [played.start, *(moment.after for moment in played.moments)]
        content = np.frombuffer(b"".join(states), game.state)
        for option in game.options:
            wrong = np.flatnonzero(content[option.name] != game.values[option.name])
            if wrong.size:
                raise Failure(
                    f"the field '{option.name}' holds {content[option.name][wrong[0]]}, although {game} has "
                    f"{option.name}={option.word(game.values[option.name])}",
                    where=sample.where(played, int(wrong[0])),
                    expected="that rules read their options and never write them",
                    remedy=f"the state comes to 'start' with '{option.name}' filled in: leave it as it is",
                )


def _variants(game: Game) -> list[Game]:
    """The game with each option in turn at its extreme values, where the options go together."""
    found = []
    for option in game.options:
        extremes = range(len(option.choices)) if option.choices else (option.low, option.high)
        for value in extremes:
            if value != game.values[option.name]:
                try:
                    found.append(dataclasses.replace(game, values={**game.values, option.name: value}))
                except FacedownError:
                    continue  # forbidden, and says so
    return found[:_MAX_VARIANTS]
