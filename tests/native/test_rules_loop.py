"""Loops that are bound to the rules of a game: they get the rules that they name, and nothing else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from facedown.agents.generic import mcts_tree
from facedown.arena import loop
from facedown.games.registry import game as find_game
from facedown.native.jit import native
from facedown.native.rules_loop import bind_rules, loop_part, rules_for
from facedown.solving.mccfr import walks
from facedown.trees import grow_walk

first: Any = None
second: Any = None
unnamed: Any = None
further: Any = None
known: int = 5


@native
def plus_one(x: int) -> int:
    return x + 1


@native
def twice(x: int) -> int:
    return 2 * x


def run(x: int) -> int:
    """A loop; it names an attribute of a game that is no rule here (`known`), too."""
    return int(second(first(x))) + known


def run_further(x: int) -> int:
    return int(further(second(x)))


GAME = SimpleNamespace(first=plus_one, second=twice, unnamed=twice, known=plus_one)


def test_a_loop_calls_the_rules_of_the_game() -> None:
    assert bind_rules(run, GAME)(3) == 2 * (3 + 1) + 5
    assert bind_rules(run, SimpleNamespace(first=twice, second=plus_one))(3) == 2 * 3 + 1 + 5


def test_others_are_bound_beside_rules_and_in_their_place() -> None:
    assert bind_rules(run, GAME, first=twice)(3) == 2 * (2 * 3) + 5
    assert bind_rules(run_further, GAME, further=plus_one)(3) == 2 * 3 + 1


def test_only_what_is_named_and_not_defined_is_bound() -> None:
    assert rules_for(run, GAME) == {"first": plus_one, "second": twice}
    assert rules_for(native(run_further), GAME) == {"second": twice}
    assert set(loop_part("a loop", 1, run, GAME).functions) == {run, plus_one, twice}


def test_the_loops_of_the_house_name_their_rules() -> None:
    kuhn = find_game("kuhn")
    tree = {"start", "turn", "legal", "step", "score", "observe"}
    assert set(rules_for(grow_walk.grow, kuhn)) == set(rules_for(walks.sample_walks, kuhn)) == tree
    assert set(rules_for(loop.play_games, kuhn)) == tree | {"hears", "report", "allows"}
    assert set(rules_for(mcts_tree.simulate_once, kuhn)) == tree - {"start"}
    assert set(rules_for(mcts_tree.suppose_by_rules, kuhn)) == {"imagine"}
