"""Goofspiel beside OpenSpiel's: legal bids, points and scores in random games, information sets, equilibria.

OpenSpiel's players bid at once; `turn_based_simultaneous_game` lets them bid one after the other, as here. It plays the last
cards by itself, which are forced moves here.
"""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import facedown as fd
from facedown.games.position import Position
from facedown.native.jit import COMPILED
from facedown.solving.engine import TreeEngine
from facedown.solving.exploit import exploit
from facedown.solving.methods import find_method
from facedown.trees.grow import build_tree

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its own dependencies
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (the optional extra 'peers')")

N_GAMES = 500 if COMPILED else 25
PAIRS = [
    ("goofspiel", "num_cards=13"),
    ("goofspiel(cards=4,returns=difference)", "num_cards=4,returns_type=point_difference"),
    ("goofspiel(cards=5,order=descending,bids=winner)", "num_cards=5,points_order=descending,imp_info=True"),
    ("goofspiel(players=3,cards=6,order=ascending)", "players=3,num_cards=6,points_order=ascending"),
    ("goofspiel(players=3,cards=2,bids=winner)", "players=3,num_cards=2,imp_info=True"),
    (
        "goofspiel(players=4,cards=7,bids=winner,returns=difference)",
        "players=4,num_cards=7,imp_info=True,returns_type=point_difference",
    ),
]


def turn_based(parameters: str) -> Any:
    return pyspiel.load_game(f"turn_based_simultaneous_game(game=goofspiel({parameters}))")


def deal(position: Position, theirs: Any) -> None:
    """Let chance do in their game what it did in ours."""
    if theirs.is_chance_node():
        prize = int(position.state.prizes[position.state.n_rounds])
        assert [action for action, _ in theirs.chance_outcomes()] == sorted(
            set(range(position.game.values["cards"]))
            - {int(earlier) - 1 for earlier in position.state.prizes[: position.state.n_rounds]}
        )
        theirs.apply_action(prize - 1)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_random_games_are_played_and_scored_alike(ours: str, theirs: str) -> None:
    game, generator = fd.game(ours), random.Random(1)
    rules = turn_based(theirs)
    points = turn_based(f"{theirs.replace(',returns_type=point_difference', '')},returns_type=total_points")
    position = Position(game)
    for index in range(N_GAMES):
        position.sample(3, index)
        position.start()
        others = [rules.new_initial_state(), points.new_initial_state()]
        while not position.over:
            for other in others:
                deal(position, other)
            legal = position.legal()
            if len(legal) == 1:  # they have played it themselves
                assert others[0].is_terminal()
                position.step(legal[0])
                continue
            action = generator.choice(legal)
            for other in others:
                assert other.current_player() == position.turn()
                assert [bid + 1 for bid in other.legal_actions()] == legal
                other.apply_action(action - 1)
            position.step(action)
        assert others[0].returns() == pytest.approx(position.scores().tolist(), abs=1e-12)
        assert others[1].returns() == [points / 12 for points in position.state.points[: game.n_players].tolist()]


# --- whole trees: imp_info, where their information states remember everything ------------------------------------------

TREES = [
    ("goofspiel(cards=3,bids=winner)", "num_cards=3,imp_info=True", 90),
    ("goofspiel(cards=3,bids=winner,returns=difference)", "num_cards=3,imp_info=True,returns_type=point_difference", 90),
    ("goofspiel(cards=4,order=descending,bids=winner)", "num_cards=4,imp_info=True,points_order=descending", 162),
    pytest.param("goofspiel(cards=4,bids=winner)", "num_cards=4,imp_info=True", 3608, marks=pytest.mark.compiled),
    pytest.param(
        "goofspiel(players=3,cards=3,bids=winner)", "players=3,num_cards=3,imp_info=True", None, marks=pytest.mark.compiled
    ),
]


def pairs_of(game: fd.Game, rules: Any) -> set[tuple[int, bytes, str]]:
    """What players see where they have a choice, in all of both trees at once: our view, their information state."""
    position, found = Position(game), set()

    def compare(state: Any, theirs: Any) -> None:
        position.state = state
        legal = [] if position.over else position.legal()
        if theirs.is_terminal():
            while not position.over:  # the last cards
                assert len(position.legal()) == 1
                position.step(position.legal()[0])
            assert theirs.returns() == pytest.approx(position.scores().tolist(), abs=1e-12)
            return
        if theirs.is_chance_node():
            deal(position, theirs)
            compare(state, theirs)
            return
        player = position.turn()
        assert player == theirs.current_player()
        assert legal == [bid + 1 for bid in theirs.legal_actions()]
        found.add((player, position.view(player).tobytes(), theirs.information_state_string()))
        for action in legal:
            for draws in outcomes(game, state, action):
                position.state = state
                position.step(action, draws)
                compare(position.state.copy(), theirs.child(action - 1))

    for draws in outcomes(game, None, 0):
        position.start(draws)
        compare(position.state.copy(), rules.new_initial_state())
    return found


def outcomes(game: fd.Game, state: Any, action: int) -> list[list[tuple[int, int]]]:
    """All draws of the next prize, where a move or the deal is followed by one."""
    n_players, n_cards = game.n_players, game.values["cards"]
    n_left = n_cards if state is None else n_cards - int(state.n_rounds) - 1
    drawn = game.values["order"] == 0 and n_left > 1 and (state is None or state.mover == n_players - 1)
    return [[(answer, n_left)] for answer in range(n_left)] if drawn else [[]]


@pytest.mark.parametrize(("ours", "theirs", "n_sets"), TREES)
def test_players_know_as_much_as_in_open_spiel(ours: str, theirs: str, n_sets: int | None) -> None:
    """One view for each information state and one information state for each view."""
    found = pairs_of(fd.game(ours), turn_based(theirs))
    n_views, n_states = len({(player, view) for player, view, _ in found}), len({text for _, _, text in found})
    assert len(found) == n_views == n_states
    if n_sets is not None:
        assert n_sets == n_states


@pytest.mark.slow
@pytest.mark.parametrize(("ours", "theirs", "n_sets"), TREES[:4])
def test_our_equilibrium_is_one_of_open_spiel(ours: str, theirs: str, n_sets: int) -> None:
    """Their own best responses gain nothing against our policy, so their value is ours: 0, as the game is symmetric."""
    game, rules = fd.game(ours), turn_based(theirs)
    goal = 2e-7 if COMPILED else 2e-3
    solution = fd.solve(game, exploitability=goal, iterations=20_000)
    policy = solution.policy
    table = {}
    for player, view, text in pairs_of(game, rules):
        actions, probabilities = policy.row(policy.find(player, view))
        table[text] = [(int(action) - 1, float(p)) for action, p in zip(actions, probabilities, strict=True)]
    assert len(table) == n_sets
    theirs_policy = pyspiel.TabularPolicy(table)
    assert pyspiel.nash_conv(rules, theirs_policy) == pytest.approx(solution.nash_conv, abs=1e-9)
    value = pyspiel.expected_returns(rules.new_initial_state(), theirs_policy, -1, False)[0]
    assert value == pytest.approx(solution.value, abs=1e-9)
    # no value is further off than what a best response gains
    assert abs(value) <= solution.nash_conv <= 2.1 * goal


# --- bids shown: their information states show hands and not their order, so that only values can be compared ------------

SHOWN = [
    ("goofspiel(cards=3)", "num_cards=3"),
    (
        "goofspiel(cards=4,order=descending,returns=difference)",
        "num_cards=4,points_order=descending,returns_type=point_difference",
    ),
    pytest.param("goofspiel(cards=4)", "num_cards=4", marks=pytest.mark.compiled),
    pytest.param(
        "goofspiel(cards=4,returns=difference)", "num_cards=4,returns_type=point_difference", marks=pytest.mark.compiled
    ),
]


def value_of(state: Any) -> float:
    """What player 0 gets in OpenSpiel's game of simultaneous bids: backwards, one matrix game after the other, exactly."""
    if state.is_terminal():
        return float(state.returns()[0])
    if state.is_chance_node():
        return sum(p * value_of(state.child(prize)) for prize, p in state.chance_outcomes())
    matrix = []
    for own in state.legal_actions(0):
        matrix.append([])
        for other in state.legal_actions(1):
            after = state.clone()
            after.apply_actions([own, other])
            matrix[-1].append(value_of(after))
    return value_of_matrix(np.array(matrix))


def value_of_matrix(matrix: Any) -> float:
    """The value of a matrix game, by its linear program where no pair of pure choices is an equilibrium."""
    low, high = matrix.min(axis=1).max(), matrix.max(axis=0).min()
    if low == high:
        return float(low)
    n_rows, n_columns = matrix.shape
    found = linprog(  # maximise v such that every column pays at least v
        np.r_[np.zeros(n_rows), -1],
        A_ub=np.c_[-matrix.T, np.ones(n_columns)],
        b_ub=np.zeros(n_columns),
        A_eq=[np.r_[np.ones(n_rows), 0]],
        b_eq=[1],
        bounds=[(0, 1)] * n_rows + [(None, None)],
    )
    return float(found.x[-1])


@pytest.mark.parametrize(("ours", "theirs"), SHOWN)
def test_values_with_bids_shown_are_those_of_open_spiel(ours: str, theirs: str) -> None:
    solution = fd.solve(ours, exploitability=2e-7 if COMPILED else 2e-3, iterations=20_000)
    exact = value_of(pyspiel.load_game(f"goofspiel({theirs})").new_initial_state())
    assert solution.value == pytest.approx(exact, abs=1e-6 if COMPILED else 1e-2)
    assert solution.nash_conv < (1e-6 if COMPILED else 1e-2)


@pytest.mark.parametrize(("ours", "theirs"), [*SHOWN, TREES[2][:2]])
def test_best_replies_to_uniform_play_are_worth_as_much_as_in_open_spiel(ours: str, theirs: str) -> None:
    rules = turn_based(theirs)
    uniform = pyspiel.UniformRandomPolicy(rules)
    expected = [
        pyspiel.TabularBestResponse(rules, seat, uniform).value_from_state(rules.new_initial_state()) for seat in (0, 1)
    ]
    assert exploit(ours, "uniform").values == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("goofspiel(cards=3,bids=winner)", "num_cards=3,imp_info=True"),
        ("goofspiel(cards=3)", "num_cards=3"),
        (
            "goofspiel(cards=4,order=descending,bids=winner,returns=difference)",
            "num_cards=4,imp_info=True,points_order=descending,returns_type=point_difference",
        ),
    ],
)
def test_every_iteration_is_as_exploitable_as_in_open_spiel(ours: str, theirs: str) -> None:
    rules = turn_based(theirs)
    solver, engine = pyspiel.CFRSolver(rules), TreeEngine(build_tree(fd.game(ours)), find_method("cfr", None), alternating=True)
    found, expected = [], []
    for _ in range(10 if COMPILED else 3):
        solver.evaluate_and_update_policy()
        engine.run(1)
        found.append(engine.evaluate().exploitability)
        expected.append(pyspiel.exploitability(rules, solver.average_policy()))
    np.testing.assert_allclose(found, expected, rtol=1e-9)
