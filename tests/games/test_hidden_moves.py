"""Games of simultaneous moves are solved, searched, raced and played like any other, and say what is heard of a move."""

from __future__ import annotations

import numpy as np
import pytest

import facedown as fd
from facedown import check
from facedown.agents.contract import Agent
from facedown.games.contract import HIDDEN
from facedown.games.position import Position
from facedown.native import native
from facedown.native.jit import COMPILED
from games.hidden_moves import NAMES, PAPER, ROCK, SCISSORS, SPY, hidden_moves

GAME = hidden_moves()
VARIANTS = [
    {"kind": "pennies"},
    {"kind": "pennies", "rounds": 2},
    {"kind": "signs", "rounds": 3},
    {"kind": "signs", "players": 3},
    {"kind": "heavy_rock", "players": 3, "rounds": 2},
]


@native
def always_paper(view, actions, n, params, memory, chance):  # type: ignore[no-untyped-def]
    return PAPER


PAPER_PLAYER = Agent(name="paper", meaning="paper, always", act=always_paper, deterministic=True)


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_they_keep_the_contract(options: dict[str, object]) -> None:
    report = check.game(GAME(**options), games=10 if COMPILED else 3, max_nodes=3_000)
    assert report.ok, str(report)
    if options != {"kind": "signs", "rounds": 3} and options.get("players") != 3:
        assert report["posterior"].sentence.startswith("exact in ")


def solved(**options: object) -> fd.Solution:
    return fd.solve(GAME(**options), exploitability=1e-7, iterations=20_000)


@pytest.mark.parametrize(
    ("kind", "policy"),
    [
        ("pennies", [1 / 2, 1 / 2]),
        ("signs", [1 / 3, 1 / 3, 1 / 3]),
        # each sign as often as the win between the two others counts: 1 for scissors over paper, 2 for rock over scissors
        ("heavy_rock", [1 / 4, 1 / 2, 1 / 4]),
    ],
)
def test_their_equilibria_are_the_known_ones(kind: str, policy: list[float]) -> None:
    solution = solved(kind=kind)
    assert solution.value == pytest.approx(0, abs=1e-6)
    assert solution.nash_conv < 1e-6
    for player in range(2):
        np.testing.assert_allclose(solution.policy.of_player(player).probabilities, policy, atol=1e-6)


def test_three_rounds_are_worth_nothing_either() -> None:
    solution = solved(kind="signs", rounds=3) if COMPILED else solved(kind="signs", rounds=2)
    assert solution.value == pytest.approx(0, abs=1e-6)
    assert solution.nash_conv < 1e-6


def test_a_search_finds_what_beats_a_habit() -> None:
    """In the first seat, where the habit is still to come: of hidden moves that were made it thinks as of uniform ones."""
    agents = ["mcts(simulations=200,opponent=first)", "first"]
    result = fd.match(GAME, agents, games=40 if COMPILED else 10, seed=1, swap=False)
    assert result.mean[0] == 1.0  # paper against rock, in every game


@pytest.mark.compiled
def test_a_search_without_a_habit_to_know_is_no_better_than_chance() -> None:
    result = fd.match(GAME(kind="pennies"), ["mcts(simulations=100)", "uniform"], games=4_000, seed=2)
    assert abs(result.mean[0]) < 4 * result.stderr[0]  # false alarms: 6 in 100,000; it cannot know what uniform does


def test_a_race_of_simultaneous_moves_is_decided() -> None:
    result = fd.race(GAME, PAPER_PLAYER, "first", seed=1)
    assert result.winner == "paper"


def test_matches_by_hand() -> None:
    result = fd.match(GAME(players=3, rounds=2), [PAPER_PLAYER, "first", "first"], games=30, seed=1)
    assert result.mean == (4.0, -2.0, -2.0)  # paper beats two rocks in two rounds
    position = Position(GAME(kind="heavy_rock"))
    for choices, won in (((ROCK, SCISSORS), 2), ((PAPER, ROCK), 1), ((SCISSORS, ROCK), -2), ((PAPER, PAPER), 0)):
        position.start()
        for choice in choices:
            position.step(choice)
        assert position.scores().tolist() == [won, -won]


def test_what_is_heard_and_told_of_a_choice() -> None:
    position = Position(GAME(players=3))
    position.start()
    before = [position.view(player) for player in range(3)]
    position.step(SCISSORS)
    heard = [GAME.hears(position.state, player, 0, SCISSORS) for player in range(3)]
    assert heard == [SCISSORS, HIDDEN, HIDDEN]
    assert GAME.narrate is not None
    assert GAME.narrate(before[1], position.view(1)) == "Player 0 has chosen."
    assert not any(name in position.describe(player) for player in (1, 2) for name in NAMES[1])
    position.step(ROCK)
    before = [position.view(player) for player in range(3)]
    position.step(PAPER)
    assert [GAME.hears(position.state, player, 2, PAPER) for player in range(3)] == [PAPER] * 3
    assert GAME.narrate(before[0], position.view(0)) == "Player 0: scissors. Player 1: rock. Player 2: paper."
    leaky = hidden_moves(leaky=True)(players=3)
    assert leaky.hears(position.state, 1, 0, SCISSORS) == SCISSORS


@pytest.mark.parametrize("kind", ["pennies", "signs"])
def test_a_spy_hears_nothing_where_moves_are_hidden(kind: str) -> None:
    """It moves second in half of all games, and wins them all where everybody hears everything."""
    n_games = 4_000 if COMPILED else 200
    for leaky in (True, False):
        result = fd.match(hidden_moves(leaky)(kind=kind), [SPY, "uniform"], games=n_games, seed=3)
        gain = 0.5 if leaky else 0.0
        assert abs(result.mean[0] - gain) <= 4 * result.stderr[0]  # false alarms: 6 in 100,000
