"""Whole game trees: counts, exact values, and an end to patience."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import pytest

import facedown as fd
from facedown.check.known_counts import KNOWN
from facedown.errors import RulesError, UsageError
from facedown.games.contract import OVER
from facedown.games.stepper import Stepper
from facedown.native import native
from facedown.native.jit import COMPILED
from facedown.native.records import Record
from facedown.trees.estimate import estimate_nodes
from facedown.trees.explore import Node, TreeTooLargeError, explore, history_text
from naive.merged_tree import EndlessError, count_merged

SMALL = ["kuhn", "kuhn(players=3)", "leduc(ranks=2,raises=1)", "rrrats(tokens=2,max_throws=3)"]
LARGER = ["kuhn(players=4)", "leduc", "leduc(suits_shown=no)"] if COMPILED else []


@pytest.mark.parametrize("spec", [spec for spec in KNOWN if spec in SMALL + LARGER])
def test_counts_are_the_published_ones(spec: str) -> None:
    known, found = KNOWN[spec], explore(spec)
    assert sum(found.information_sets) == known.information_sets
    for ours, published in ((found.chance, known.chance), (found.decisions, known.decisions), (found.ends, known.ends)):
        assert published is None or ours == published
    assert known.uniform_value is None or found.values[0] == known.uniform_value
    assert found.longest == fd.game(spec).max_moves
    assert sum(found.values) == 0


def test_kuhn_in_full() -> None:
    found = explore("kuhn")
    assert (found.nodes, found.chance, found.decisions, found.ends) == (58, 4, 24, 30)
    assert found.information_sets == (6, 6)
    assert found.values == (Fraction(1, 8), Fraction(-1, 8))
    assert found.longest == 3
    assert repr(found).startswith("kuhn: 58 nodes (4 chance, 24 decision, 30 end), 12 information sets (6 + 6), at most 3")


def test_values_weigh_ends_by_chance_and_by_uniform_play() -> None:
    # one token: a throw of 0-0 (1/4) passes the turn, any other wins at once; three throws at most, then nobody has it
    found = explore("rrrats(tokens=1,max_throws=3)")
    lost = Fraction(1, 4)
    assert found.values[0] == (1 - lost) + lost * lost * (1 - lost) + lost**3 / 2
    assert found.values[0] + found.values[1] == 1
    assert found.decisions == 1 + 1 + 1  # the turn passes behind 0-0 alone
    assert found.chance == 3 * (1 + 3)  # two dice with three faces


@pytest.mark.parametrize("spec", [*SMALL, "war(ranks=2,suits=2,max_rounds=3)"])
def test_counts_are_those_of_the_slow_twin(spec: str) -> None:
    walked, merged = explore(spec), count_merged(fd.game(spec))
    assert merged.states <= walked.decisions + walked.ends
    assert walked.information_sets == merged.information_sets
    assert merged.counts.probability == 1
    for name in ("chance", "decisions", "ends", "longest", "values"):
        assert getattr(walked, name) == getattr(merged.counts, name)


def test_the_slow_twin_counts_trees_that_cannot_be_walked() -> None:
    found = count_merged(fd.game("rrrats(tokens=2,max_throws=12)"))
    assert found.counts.nodes > 1000 * found.states
    assert found.counts.probability == 1
    assert sum(found.counts.values) == 1


# --- the limit ------------------------------------------------------------------------------------------------------------


def test_a_large_tree_is_an_error_with_an_estimate() -> None:
    with pytest.raises(
        TreeTooLargeError, match=r"more than 50 nodes \(12 random games suggest about [4-9]\d\d\); .* with max_nodes"
    ):
        explore("kuhn(players=3)", max_nodes=50)


def test_a_deal_alone_can_be_too_large() -> None:
    with pytest.raises(
        TreeTooLargeError, match=r"the tree of war has more than 100 nodes \(a random game suggests more than 10\^"
    ):
        explore("war", max_nodes=100)


def test_the_limit_counts_chance_decisions_and_ends() -> None:
    assert explore("kuhn", max_nodes=58).nodes == 58
    with pytest.raises(TreeTooLargeError):
        explore("kuhn", max_nodes=57)


def test_wrong_requests_are_sentences() -> None:
    with pytest.raises(UsageError, match="max_nodes=0"):
        explore("kuhn", max_nodes=0)
    with pytest.raises(UsageError, match="unknown game 'khun'"):
        explore("khun")


@native
def step_nowhere(state: Record, action: int, chance: Record) -> None:
    state.n_played = 0


@native
def turn_of_a_stranger(state: Record) -> int:
    return 7


@native
def legal_nothing(state: Record, actions: Any) -> int:
    return 0


def test_a_tree_without_end_is_an_error() -> None:
    endless = dataclasses.replace(fd.game("kuhn"), name="endless", step=step_nowhere)
    with pytest.raises(EndlessError):
        count_merged(endless)
    with pytest.raises(TreeTooLargeError, match="a random game suggests more than 10"):
        explore(endless, max_nodes=100)


def test_rules_that_break_the_contract_are_sentences() -> None:
    kuhn = fd.game("kuhn")
    with pytest.raises(RulesError, match="'turn' of stranger answered 7; players are 0 to 1"):
        explore(dataclasses.replace(kuhn, name="stranger", turn=turn_of_a_stranger))
    with pytest.raises(RulesError, match="'legal' of stuck answered 0 actions"):
        explore(dataclasses.replace(kuhn, name="stuck", legal=legal_nothing))


# --- nodes ----------------------------------------------------------------------------------------------------------------


def test_nodes_know_their_way() -> None:
    game, nodes = fd.game("kuhn"), list[Node]()
    explore(game, visit=nodes.append)
    assert len(nodes) == 24 + 30
    ends = [node for node in nodes if node.player == OVER]
    assert sum(node.probability for node in ends) == 1
    assert all(end.path()[0].before is None and end.path()[-1] is end for end in ends)
    assert all(len(end.path()) == end.n_moves + 1 for end in ends)
    third = next(node for node in nodes if node.n_moves == 2 and node.player == 0)
    told = history_text(Stepper(game), third)
    assert told == "the start (draws 0/3 0/2), player 0: pass, player 1: bet"


def test_estimates_are_right_on_average() -> None:
    # Knuth's estimator is unbiased: the mean of 300 probes of a tree of 58 nodes, fixed seed
    estimate = estimate_nodes(fd.game("kuhn"), probes=300, seed=1)
    assert 10**estimate.log10 == pytest.approx(58, rel=0.05)
    assert str(estimate).startswith("300 random games suggest about 5")
    weighted = estimate_nodes(fd.game("rrrats(tokens=1,max_throws=3)"), probes=300, seed=1)
    assert 10**weighted.log10 == pytest.approx(explore("rrrats(tokens=1,max_throws=3)").nodes, rel=0.2)
