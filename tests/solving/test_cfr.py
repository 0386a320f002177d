"""Regret minimisation on flat arrays: beside a slow twin, published values and OpenSpiel; cut into batches, nothing changes."""

from __future__ import annotations

import dataclasses
import importlib
import math
import sys
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.errors import UsageError
from facedown.games import kuhn
from facedown.native import native
from facedown.native.jit import COMPILED
from facedown.native.records import Record
from facedown.solving.cfr.sequence_form import lay_out
from facedown.solving.engine import PolicyJudge, TreeEngine
from facedown.solving.methods import KINDS, find_method
from facedown.solving.solver import solve
from facedown.trees.grow import build_tree
from facedown.trees.tree import Ends, Tree, Treeplex

sys.path.append(str(Path(__file__).parent))
slow_cfr, slow_tree = importlib.import_module("slow_cfr"), importlib.import_module("slow_tree")

ON_TREES = [name for name, kind in KINDS.items() if not kind.sampled]
BOTH_ORDERS = [True, False]


@lru_cache
def tree_of(spec: str) -> Tree:
    return build_tree(spec)


def engine(spec: str, method: str, alternating: bool = True) -> TreeEngine:
    return TreeEngine(tree_of(spec), find_method(method), alternating)


def as_dictionary(policy: Any) -> dict[tuple[int, bytes], dict[int, float]]:
    rows = {}
    for number in range(policy.n_sets):
        actions, probabilities = policy.row(number)
        key = (int(policy.players[number]), policy.views[number].tobytes())
        rows[key] = dict(zip(actions.tolist(), probabilities.tolist(), strict=True))
    return rows


# --- the slow twin --------------------------------------------------------------------------------------------------------


@native
def uneven_score(state: Record, scores: Any) -> None:
    """Kuhn's scores and a little more, different at every end: nobody is ever indifferent, so no tie is left to rounding."""
    kuhn.score(state, scores)
    for player in range(state.players):
        angle = 1.0 + 0.37 * player
        for place in range(state.players):
            angle += (1.3 + place) * state.card[place]
        for move in range(state.n_played):
            angle += (0.7 + move) * (1 + state.played[move])
        scores[player] += 0.1 * math.sin(angle)


@lru_cache
def uneven(players: int) -> tuple[Any, Any]:
    """A game without ties, and its tree."""
    game = dataclasses.replace(fd.game("kuhn", players=players), name="uneven", score=uneven_score, kind="general")
    return game, slow_tree.slow_tree(game)


@pytest.mark.parametrize("alternating", BOTH_ORDERS)
@pytest.mark.parametrize("method", ON_TREES)
@pytest.mark.parametrize("players", [2, 3])
def test_policies_are_those_of_the_slow_twin(players: int, method: str, alternating: bool) -> None:
    game, tree = uneven(players)
    ours, slow = TreeEngine(tree, find_method(method), alternating), slow_cfr.SlowSolver(game, method, alternating)
    for _ in range(9 if COMPILED else 4):
        ours.run(1)
        slow.iterate()
        mine, theirs = as_dictionary(ours.policy()), slow.average()
        assert mine.keys() == theirs.keys()
        for key, row in theirs.items():
            assert mine[key] == pytest.approx(row, abs=1e-11)
    evaluation = ours.evaluate()
    assert list(evaluation.values) == pytest.approx(slow.values(slow.average()), abs=1e-11)
    assert list(evaluation.gains) == pytest.approx(slow.gains(slow.average()), abs=1e-11)


@pytest.mark.parametrize("spec", ["leduc(ranks=2,raises=1)", "rrrats(tokens=1,max_throws=3)"])
def test_other_games_are_those_of_the_slow_twin(spec: str) -> None:
    # with chance in the middle of the game, and with scores that do not sum up to zero
    ours, slow = TreeEngine(slow_tree.slow_tree(spec), find_method("dcfr"), True), slow_cfr.SlowSolver(spec, "dcfr")
    for _ in range(4):
        slow.iterate()
    ours.run(4)
    assert list(ours.evaluate().values) == pytest.approx(slow.values(slow.average()), abs=1e-11)
    assert list(ours.evaluate().gains) == pytest.approx(slow.gains(slow.average()), abs=1e-11)


# --- published values -----------------------------------------------------------------------------------------------------


def test_kuhn_has_its_published_exploitability() -> None:
    ours = engine("kuhn", "cfr")
    assert ours.evaluate().nash_conv == pytest.approx(11 / 12, abs=1e-12)  # nothing learned yet: uniform play
    for iterations, published in ((1, 0.458333), (2, 0.270833), (4, 0.140625), (1024, 6.09695e-4)):
        ours.run(iterations - ours.iterations)
        assert ours.evaluate().exploitability == pytest.approx(published, rel=2e-6)


@pytest.mark.compiled
def test_leduc_has_its_published_exploitability() -> None:
    ours = engine("leduc", "cfr")
    assert ours.evaluate().nash_conv == pytest.approx(4.747222, abs=1e-6)
    for iterations, published in ((1, 2.373611), (16, 0.598120)):
        ours.run(iterations - ours.iterations)
        assert ours.evaluate().exploitability == pytest.approx(published, abs=1e-6)


@pytest.mark.parametrize("method", ["pcfr+", "pdcfr+"])
def test_kuhn_reaches_its_value_and_an_equilibrium_that_kuhn_described(method: str) -> None:
    found = solve("kuhn", method, exploitability=1e-9, iterations=20_000)
    assert found.exploitability <= 1e-9
    assert found.value == pytest.approx(-1 / 18, abs=1e-9)
    plays = {
        (int(found.policy.players[number]), *told): found.policy.row(number)[1][1]
        for number, told in enumerate(map(card_and_moves, found.policy.views))
    }
    jack, queen, king = range(3)
    alpha = plays[0, jack, ()]
    assert 0 <= alpha <= 1 / 3 + 1e-6
    assert plays[0, king, ()] == pytest.approx(3 * alpha, abs=1e-5)
    assert plays[0, queen, (0, 1)] == pytest.approx(alpha + 1 / 3, abs=1e-5)
    assert plays[1, queen, (1,)] == pytest.approx(1 / 3, abs=1e-5)
    assert plays[1, jack, (0,)] == pytest.approx(1 / 3, abs=1e-5)


def card_and_moves(view: Any) -> tuple[int, tuple[int, ...]]:
    seen = np.frombuffer(view.tobytes(), fd.game("kuhn").view)[0]
    return int(seen["card"]), tuple(seen["played"][: seen["n_played"]].tolist())


@pytest.mark.compiled
def test_leduc_reaches_its_value() -> None:
    found = solve("leduc", exploitability=4e-7)
    assert found.value == pytest.approx(-0.085606424078, abs=4e-7)


def test_the_source_pays_nothing_for_two_passes() -> None:
    assert solve("kuhn(pass_pays=no)", exploitability=1e-7, iterations=20_000).value == pytest.approx(-1 / 9, abs=2e-7)


@pytest.mark.parametrize("spec", ["kuhn(players=3)", pytest.param("kuhn(players=4)", marks=pytest.mark.compiled)])
def test_more_players_have_gains_each(spec: str) -> None:
    found = solve(spec, "cfr+", iterations=300 if COMPILED else 20)
    n_players = fd.game(spec).n_players
    assert len(found.gains) == len(found.values) == n_players
    assert sum(found.values) == pytest.approx(0, abs=1e-12)
    assert found.nash_conv == sum(found.gains)
    assert found.exploitability == pytest.approx(found.nash_conv / n_players)
    assert found.exploitability < 0.05
    assert found.curve[0].exploitability > found.exploitability


# --- a peer ---------------------------------------------------------------------------------------------------------------

PAIRS = [
    ("kuhn", "kuhn_poker", 40),
    ("kuhn(players=3)", "kuhn_poker(players=3)", 10 if COMPILED else 3),
    pytest.param("leduc", "leduc_poker", 6, marks=pytest.mark.compiled),
]


@pytest.mark.parametrize("method", ["cfr", "cfr+"])
@pytest.mark.parametrize(("ours", "theirs", "iterations"), PAIRS)
def test_every_iteration_is_as_exploitable_as_openspiels(ours: str, theirs: str, iterations: int, method: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pyspiel = pytest.importorskip("pyspiel", reason="install facedown[peers] to compare")
    game = pyspiel.load_game(theirs)
    peer = (pyspiel.CFRSolver if method == "cfr" else pyspiel.CFRPlusSolver)(game)
    mine = engine(ours, method)
    for _ in range(iterations):
        peer.evaluate_and_update_policy()
        mine.run(1)
        assert mine.evaluate().nash_conv == pytest.approx(pyspiel.nash_conv(game, peer.average_policy()), abs=1e-9)


# --- batches and orders ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ON_TREES)
def test_batches_change_no_bit(method: str) -> None:
    _, tree = uneven(3)
    whole, cut = (TreeEngine(tree, find_method(method), True) for _ in range(2))
    whole.run(9)
    for count in (1, 3, 0, 4, 1):
        cut.run(count)
        cut.evaluate()  # looking changes nothing
    assert whole.iterations == cut.iterations == 9
    for name, table in whole.state().items():
        assert np.array_equal(table, cut.state()[name]), name


def test_a_policy_in_a_table_is_judged_like_the_solver_itself() -> None:
    ours = engine("kuhn", "cfr+")
    ours.run(50)
    judged = PolicyJudge(ours.tree).evaluate(ours.policy())
    assert judged.gains == pytest.approx(ours.evaluate().gains, abs=1e-12)
    nothing = PolicyJudge(ours.tree).evaluate(ours.policy().of_player(7))
    assert nothing.nash_conv == pytest.approx(11 / 12, abs=1e-12)  # what is not in a table is played uniformly


def lottery(payoffs: list[float]) -> Tree:
    """One player, one choice among prizes."""
    n = len(payoffs)
    plex = Treeplex(
        np.array([1, n + 1], np.int32), np.zeros(1, np.int32), np.arange(-1, n, dtype=np.int32), np.zeros((1, 4), np.uint8)
    )
    ends = Ends(np.arange(1, n + 1, dtype=np.int32)[None, :], np.array([payoffs]))
    return Tree(fd.game("kuhn"), (plex,), ends, 0, 1, n, 1, 0.0)


def test_one_player_learns_to_take_the_best() -> None:
    ours = TreeEngine(lottery([1.0, 3.0, 2.0]), find_method("cfr+"), True)
    assert ours.evaluate().gains == (1.0,)
    ours.run(200)
    assert ours.evaluate().values[0] == pytest.approx(3.0, abs=1e-3)


def test_the_layout_keeps_every_end_once_for_each_player() -> None:
    tree = tree_of("kuhn")
    layout = lay_out(tree)
    begin = layout.sequences
    for player in range(2):
        rows = []
        for sequence in range(begin[player], begin[player + 1]):
            for k in range(layout.entry[sequence], layout.entry[sequence + 1]):
                rows.append((sequence - begin[player], layout.other[k] - begin[1 - player], layout.gain[k]))
        lasts, payoffs = tree.ends.sequences, tree.ends.payoffs
        assert sorted(rows) == sorted(
            zip(lasts[player].tolist(), lasts[1 - player].tolist(), payoffs[1 - player].tolist(), strict=True)
        )


# --- methods --------------------------------------------------------------------------------------------------------------


def test_parameters_make_the_methods_meet() -> None:
    # discounts with infinite powers keep everything, or nothing
    def state(method: str, average: float | None = None) -> Any:
        made = TreeEngine(tree_of("kuhn"), find_method(method, average), True)
        made.run(3)
        return made.state()

    same = state("dcfr(alpha=inf,beta=inf,gamma=0)")["averages"], state("cfr")["averages"]
    # at t = 2 every power of 1 is 1: half of the first regrets is kept, so only the first two strategies are the same
    assert not np.array_equal(*same)
    assert np.array_equal(state("cfr+")["regrets"], state("cfr+", 3.0)["regrets"])
    assert np.array_equal(state("dcfr", 1.0)["averages"], state("dcfr(gamma=1)")["averages"])


@pytest.mark.parametrize(
    ("text", "more", "words"),
    [
        ("cfr++", {}, "unknown method 'cfr++'. Did you mean 'cfr\\+'\\? Known: cfr, cfr\\+, chance-sampling"),
        ("dcfr(delta=1)", {}, "unknown parameter of dcfr 'delta'.* Known: alpha, beta, gamma"),
        ("cfr", {"alpha": 1}, "unknown parameter of cfr 'alpha'. None is known"),
        ("dcfr(1.5)", {}, "parameters have names"),
        ("dcfr(alpha=x)", {}, "dcfr: alpha=x is not a number"),
        ("dcfr(gamma=-1)", {}, "dcfr: gamma=-1 is out of bounds; it goes from 0 to 50"),
        ("dcfr(alpha=nan)", {}, "out of bounds"),
        ("dcfr", {"gamma": 10**5000}, "dcfr: gamma=a number of about 5,000 digits is out of bounds; it goes from 0 to 50"),
        ("dcfr(alpha=1)", {"alpha": 2}, "'alpha' is given twice"),
        ("cfr(", {}, "must close at the end"),
    ],
)
def test_wrong_methods_are_sentences(text: str, more: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words.replace("cfr++", r"cfr\+\+")):
        find_method(text, **more)


def test_methods_are_written_as_they_are_read() -> None:
    assert str(find_method("dcfr(alpha=1.5,beta=-2)")) == "dcfr(beta=-2)"
    assert str(find_method("pdcfr+", gamma=4)) == "pdcfr+(gamma=4)"
    for beta in (-0.5, 1 / 3, math.inf):
        assert find_method(str(find_method("dcfr", beta=beta))) == find_method("dcfr", beta=beta)
