"""The agents of War and Rrrats!, asked many times: how often they do what they promise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

import facedown as fd
from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.games.contract import Game
from facedown.games.position import Position
from facedown.native.chance import CHANCE, seed_stream

N_DECISIONS = 3_000
FALSE_ALARM = 1e-5  # of each statistical test here; seeds are fixed

DESCENDING, ASCENDING, SHUFFLED, OWN_FIRST, OTHER_FIRST = range(5)
STOP, ROLL = 0, 1


def decisions(agent: Agent, game: Game, legal: list[int], count: int, **seen: int) -> list[int]:
    """What an agent decides when it is asked again and again with these things in its view."""
    position = Position(game)
    position.sample(1, 0)
    position.start()
    view = position.view(0)
    for name, value in seen.items():
        view[name] = value
    chance: Any = np.zeros(1, CHANCE)[0]
    seed_stream(chance, 7, 0, 0)
    actions = np.zeros(game.n_actions + 4, np.int64)
    actions[: len(legal)] = legal
    memory = np.zeros(0, np.uint8)
    return [int(agent.act(view, actions, len(legal), agent.params, memory, chance)) for _ in range(count)]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("descending", DESCENDING),
        ("ascending", ASCENDING),
        ("shuffled", SHUFFLED),
        ("winner_first", OWN_FIRST),
        ("loser_first", OTHER_FIRST),
    ],
)
def test_orders_of_war(name: str, order: int) -> None:
    game = fd.game("war")
    assert set(decisions(find_agent(name, game), game, list(range(5)), 20)) == {order}


@pytest.mark.parametrize("weights", [(0.0, 0.0, 0.0), (1.0, -0.5, 0.25), (-20.0, 0.0, -1.0)])
def test_mix_chooses_orders_by_their_weights(weights: tuple[float, float, float]) -> None:
    """Descending, ascending, shuffled with probability a, b, c / (a + b + c), where a = exp A and so on."""
    game = fd.game("war")
    agent = find_agent("mix({},{},{})".format(*weights), game)
    found = np.bincount(decisions(agent, game, list(range(5)), N_DECISIONS), minlength=5)
    assert found[OWN_FIRST] == found[OTHER_FIRST] == 0
    shares = np.array([math.exp(weight) for weight in weights])
    expected = shares / shares.sum() * N_DECISIONS
    likely = expected > 1  # what hardly ever happens must not happen at all
    assert not found[:3][~likely].any()
    assert (
        chisquare(found[:3][likely], expected[likely] * found[:3][likely].sum() / expected[likely].sum()).pvalue > FALSE_ALARM
    )


@pytest.mark.parametrize(("hand", "p_roll"), [(1, 0.8807970779778823), (2, 0.18242552380635635), (3, 0.5), (4, 0.5)])
def test_stationary_rolls_with_the_probability_of_its_hand(hand: int, p_roll: float) -> None:
    """e^1/(e^1 + e^-1), e^-0.5/(e^-0.5 + e^1), 1/2; with four in hand, where the rules ask then, as with three."""
    game = fd.game("rrrats(roll_at_four=yes)")
    agent = find_agent("stationary(A1=1,A2=-1,B1=-0.5,B2=1,C1=3,C2=3)", game)
    n_rolls = decisions(agent, game, [STOP, ROLL], N_DECISIONS, hand=hand).count(ROLL)
    assert binomtest(n_rolls, N_DECISIONS, p_roll).pvalue > FALSE_ALARM


def test_stationary_at_its_bounds_is_certain() -> None:
    game = fd.game("rrrats")
    agent = find_agent("stationary(A1=20,A2=-20,B1=-20,B2=20)", game)
    assert set(decisions(agent, game, [STOP, ROLL], 200, hand=1)) == {ROLL}
    assert set(decisions(agent, game, [STOP, ROLL], 200, hand=2)) == {STOP}


@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_hold_stops_at_its_number(at: int) -> None:
    game = fd.game("rrrats(roll_at_four=yes)")
    agent = find_agent(f"hold({at})", game)
    for hand in (1, 2, 3, 4):
        assert set(decisions(agent, game, [STOP, ROLL], 5, hand=hand)) == {STOP if hand >= at else ROLL}


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "war", "rrrats"])
def test_uniform_chooses_every_legal_action_equally_often(spec: str) -> None:
    game = fd.game(spec)
    legal = list(range(game.n_actions))
    chosen = np.bincount(decisions(find_agent("uniform", game), game, legal, N_DECISIONS), minlength=game.n_actions)
    assert chisquare(chosen).pvalue > FALSE_ALARM
    assert set(decisions(find_agent("first", game), game, legal[1:], 5)) == {legal[1]}
