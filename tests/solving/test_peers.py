"""Our game trees beside OpenSpiel's, where it is installed: the same nodes, information sets and uniform values."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import pytest

from facedown.native.jit import COMPILED
from facedown.trees.explore import explore

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pyspiel = pytest.importorskip("pyspiel")

PAIRS = [
    ("kuhn", "kuhn_poker"),
    ("kuhn(players=3)", "kuhn_poker(players=3)"),
    pytest.param("kuhn(players=4)", "kuhn_poker(players=4)", marks=pytest.mark.compiled),
    pytest.param("leduc", "leduc_poker", marks=pytest.mark.compiled),
]


def walk(game: Any) -> tuple[Counter[str], list[set[str]], list[float]]:
    """OpenSpiel's tree: kinds of nodes, information sets of each player, and values of uniform play."""
    kinds, sets, values = Counter[str](), [set[str]() for _ in range(game.num_players())], [0.0] * game.num_players()
    waiting = [(game.new_initial_state(), 1.0)]
    while waiting:
        state, probability = waiting.pop()
        if state.is_terminal():
            kinds["ends"] += 1
            values = [value + probability * score for value, score in zip(values, state.returns(), strict=True)]
        elif state.is_chance_node():
            kinds["chance"] += 1
            waiting += [(state.child(action), probability * p) for action, p in state.chance_outcomes()]
        else:
            kinds["decisions"] += 1
            sets[state.current_player()].add(state.information_state_string())
            legal = state.legal_actions()
            waiting += [(state.child(action), probability / len(legal)) for action in legal]
    return kinds, sets, values


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_trees_are_the_same(ours: str, theirs: str) -> None:
    kinds, sets, values = walk(pyspiel.load_game(theirs))
    found = explore(ours)
    assert (found.chance, found.decisions, found.ends) == (kinds["chance"], kinds["decisions"], kinds["ends"])
    assert found.information_sets == tuple(map(len, sets))
    assert [float(value) for value in found.values] == pytest.approx(values, abs=1e-12)


@pytest.mark.skipif(not COMPILED, reason="slow as plain Python")
def test_leduc_without_suits_has_the_information_sets_of_suit_isomorphism() -> None:
    _, sets, values = walk(pyspiel.load_game("leduc_poker(suit_isomorphism=true)"))
    found = explore("leduc(suits_shown=no)")
    assert found.information_sets == tuple(map(len, sets))
    assert [float(value) for value in found.values] == pytest.approx(values, abs=1e-12)
