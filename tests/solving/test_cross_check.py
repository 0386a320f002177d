"""The same games solved here and by OpenSpiel: counts, values, and exploitability after every single iteration.

The two have nothing in common: OpenSpiel walks its own trees in C++; here arrays are made from the rules.
"""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import pytest

from facedown.games.registry import game as find_game
from facedown.native.jit import COMPILED
from facedown.solving.engine import TreeEngine
from facedown.solving.methods import find_method
from facedown.solving.solver import solve
from facedown.trees.grow import build_tree

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its own dependencies
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra 'peers'")

PAIRS = [
    ("kuhn", "kuhn_poker"),
    pytest.param("leduc", "leduc_poker", marks=pytest.mark.compiled),
]
ITERATIONS = 16


def exploitability_of(solver: Any, game: Any) -> float:
    return float(pyspiel.exploitability(game, solver.average_policy()))


@pytest.mark.parametrize("method", ["cfr", "cfr+"])
@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_every_iteration_is_as_exploitable(ours: str, theirs: str, method: str) -> None:
    game = pyspiel.load_game(theirs)
    solver = pyspiel.CFRSolver(game) if method == "cfr" else pyspiel.CFRPlusSolver(game)
    engine = TreeEngine(build_tree(find_game(ours)), find_method(method, None), alternating=True)
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
        engine.run(1)
        assert engine.evaluate().exploitability == pytest.approx(exploitability_of(solver, game), rel=1e-9)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_the_public_face_says_the_same(ours: str, theirs: str) -> None:
    game = pyspiel.load_game(theirs)
    solver = pyspiel.CFRSolver(game)
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    solution = solve(ours, "cfr", iterations=ITERATIONS)
    assert solution.exploitability == pytest.approx(exploitability_of(solver, game), rel=1e-9)
    returns = pyspiel.expected_returns(game.new_initial_state(), solver.average_policy(), -1, False)
    assert solution.values == pytest.approx(returns, abs=1e-9)
    assert solution.nash_conv == pytest.approx(pyspiel.nash_conv(game, solver.average_policy()), rel=1e-9)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_the_trees_have_the_same_counts(ours: str, theirs: str) -> None:
    kinds: Counter[str] = Counter()
    sets: set[tuple[int, str]] = set()
    waiting = [pyspiel.load_game(theirs).new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            kinds["ends"] += 1
            continue
        kinds["chance" if state.is_chance_node() else "decisions"] += 1
        if not state.is_chance_node():
            sets.add((state.current_player(), state.information_state_string()))
        waiting += [state.child(action) for action in state.legal_actions()]
    counts = solve(ours, "cfr", iterations=1).tree
    assert counts is not None
    assert (counts.chance, counts.decisions, counts.ends) == (kinds["chance"], kinds["decisions"], kinds["ends"])
    assert sum(counts.information_sets) == len(sets)


@pytest.mark.parametrize(
    ("ours", "value"), [("kuhn", -1 / 18), pytest.param("leduc", -0.085606424078, marks=pytest.mark.compiled)]
)
def test_the_value_is_the_one_that_open_spiel_comes_close_to(ours: str, value: float) -> None:
    """Their value is no further off than their policy is from an equilibrium; ours, by the best method, is there."""
    theirs = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}[ours]
    game = pyspiel.load_game(theirs)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    returns = pyspiel.expected_returns(game.new_initial_state(), solver.average_policy(), -1, False)
    margin = pyspiel.nash_conv(game, solver.average_policy())  # no policy is further from the value than one can gain by it
    solution = solve(ours, iterations=20_000 if COMPILED else 300)
    assert abs(returns[0] - solution.value) <= margin + solution.nash_conv
    assert solution.value == pytest.approx(value, abs=1e-6 if COMPILED else 1e-3)
