"""Best replies to agents: by hand on Kuhn, beside a slow enumeration on small decks of Love Letter, and who is refused."""

from __future__ import annotations

import dataclasses
import importlib
import math
import sys
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.agents.table import table_agent
from facedown.errors import AgentError, UsageError
from facedown.native import CHANCE, draw, native, record
from facedown.native.chance import draw_from, draw_real
from facedown.native.jit import COMPILED
from facedown.native.records import Record, field
from facedown.solving.best_reply import BestReply, best_reply
from facedown.solving.grow import build_tree
from facedown.solving.solver import solve
from facedown.solving.tree import Tree

sys.path.append(str(Path(__file__).parent))
SlowValues = importlib.import_module("slow_values").SlowValues

SMALL = "love_letter(deck=21101001,face_up=0)" if COMPILED else "love_letter(deck=11101001,face_up=0)"


@native
def three_quarters(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """The first action with probability 3/4, in a roundabout way: two draws, of which the second is not always made."""
    if draw(chance, 2) == 0 or draw(chance, 2) == 0:
        return int(actions[0])
    return int(actions[1])


@native
def by_real(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[0] if draw_real(chance) < 0.75 else actions[1])


@native
def weighted(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[draw_from(chance, np.array([3, 1]))])


@native
def illegal(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return 77


def agent(act: Any, **facts: Any) -> Agent:
    return Agent(name="mine", meaning="for these tests", act=act, game="kuhn", **facts)


# --- Kuhn, by hand --------------------------------------------------------------------------------------------------------


def test_who_always_passes_loses_the_ante_to_every_bet() -> None:
    found = best_reply("kuhn", "first")
    assert found.values == (1.0, 1.0)
    assert found.own == (0.0, 0.0)  # two who pass show their cards, and win and lose one each as often
    assert found.gains == (1.0, 1.0) and found.nash_conv == 2 and found.exploitability == 1 and found.value == 1


def test_best_reply_to_uniform_play_of_kuhn() -> None:
    """Against uniform play, player 0 gets 1/2 and player 1 gets 5/12: each card and answer worked out by hand.

    Player 0. With the king: a bet is called half the time, 1/2 * 2 + 1/2 * 1 = 3/2; a pass is answered by a bet half the
    time, which a call turns into 2, else 1: 3/2 too. With the queen: a pass and a call after a bet, or a pass and a fold,
    or a bet: a bet wins 1 if it is folded to (1/2), and 0 on average if it is called: 1/2; a pass shows down (0) or
    is bet at and called (0): 0. So 1/2. With the jack: a bet is 1/2 * 1 - 1/2 * 2 = -1/2; a pass loses 1 at least.
    Together (3/2 + 1/2 - 1/2) / 3 = 1/2.

    Player 1, after a pass (half the time) and after a bet. King: bet, 3/2; call, 2. Queen: bet 1/2; call 0. Jack: bet -1/2;
    fold -1. Together ((3/2 + 1/2 - 1/2) / 2 + (2 + 0 - 1) / 2) / 3 = 5/12.
    """
    found = best_reply("kuhn", "uniform")
    assert found.values == pytest.approx((1 / 2, 5 / 12), abs=1e-12)
    assert found.own == pytest.approx((1 / 8, -1 / 8), abs=1e-12)
    assert found.nash_conv == pytest.approx(11 / 12, abs=1e-12)  # as OpenSpiel has it
    assert found.asks == 0


def test_solutions_can_hardly_be_exploited() -> None:
    solved = solve("kuhn", "cfr+", iterations=2_000 if COMPILED else 50)
    found = best_reply("kuhn", solved.agent())
    assert found.exploitability == pytest.approx(solved.exploitability, abs=1e-12)
    assert found.own == pytest.approx(solved.values, abs=1e-12)


def test_three_players() -> None:
    found = best_reply("kuhn(players=3)", "first")
    assert found.values == pytest.approx((2, 2, 2), abs=1e-12) and found.own == pytest.approx((0, 0, 0), abs=1e-12)


# --- agents that draw -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", [three_quarters, weighted])
def test_agents_that_draw_are_asked_for_every_draw(act: Any) -> None:
    found = best_reply("kuhn", agent(act))
    assert found.asks == 0
    np.testing.assert_array_equal(found.policy.probabilities.reshape(-1, 2), [[0.75, 0.25]] * 12)
    assert found.values == pytest.approx(slow("kuhn", found)[0], abs=1e-12)


def test_agents_that_draw_real_numbers_need_help() -> None:
    with pytest.raises(UsageError, match=r"mine cannot be asked for its probabilities.*draw_real.*likely=.*asks=1000"):
        best_reply("kuhn", agent(by_real))
    exact = best_reply("kuhn", agent(three_quarters))
    told = best_reply("kuhn", agent(by_real), likely=lambda agent, view, actions: [0.75, 0.25])
    assert (told.values, told.own) == (exact.values, exact.own)


def test_probabilities_can_be_estimated() -> None:
    """A frequency of 400 answers is off by more than 5 standard errors in one of 12 sets with probability below 1e-5."""
    asks = 400
    found = best_reply("kuhn", agent(by_real), asks=asks, seed=3)
    assert found.asks == asks and not found.to_dict()["exact"] and "estimated from 400 answers" in repr(found)
    off = np.abs(found.policy.probabilities.reshape(-1, 2)[:, 0] - 0.75)
    assert 0 < off.max() < 5 * math.sqrt(0.75 * 0.25 / asks)
    assert best_reply("kuhn", agent(by_real), asks=asks, seed=3).values == found.values


# --- Love Letter on a small deck, beside the slow enumeration -----------------------------------------------------------------


@lru_cache
def small_tree() -> Tree:
    return build_tree(SMALL)


@lru_cache
def slow_values(spec: str) -> Any:
    return SlowValues(fd.game(spec))


def slow(spec: str, found: BestReply) -> tuple[list[float], list[float]]:
    """Values of best replies, and of the agent itself, for the agent's own policy."""
    twin = slow_values(spec)
    strategy = twin.strategy(found.policy)
    return [twin.best_response(strategy, seat) for seat in range(twin.game.n_players)], list(twin.values(strategy))


def answers(agent: Agent, game: fd.Game, view: np.ndarray, actions: list[int]) -> int:
    """What a deterministic agent does, asked as simply as can be."""
    legal = np.zeros(game.n_actions + 4, np.int64)
    legal[: len(actions)] = actions
    chance = np.zeros(1, CHANCE)[0]
    python = getattr(agent.act, "py_func", agent.act)
    return int(python(view.view(game.view)[0], legal, len(actions), agent.params, np.zeros(0, np.uint8), chance))


@pytest.mark.parametrize("name", ["greedy", "careful", "random", "uniform"])
def test_best_replies_in_love_letter_are_those_of_the_slow_enumeration(name: str) -> None:
    found = best_reply(small_tree(), name)
    best, own = slow(SMALL, found)
    assert found.values == pytest.approx(best, abs=1e-12)
    assert found.own == pytest.approx(own, abs=1e-12)
    assert min(found.gains) >= 0 and found.value > 0.5  # a constant sum of 1: a copy of the agent would get half


def test_agents_are_asked_with_their_own_views() -> None:
    game = fd.game(SMALL)
    greedy = find_agent("greedy", game)
    policy = best_reply(small_tree(), "greedy").policy
    for number in range(0, policy.n_sets, max(policy.n_sets // 40, 1)):
        actions, probabilities = policy.row(number)
        if len(actions) > 1:
            assert probabilities.max() == 1
            assert actions[probabilities.argmax()] == answers(greedy, game, policy.views[number], actions.tolist())


def test_random_shuns_the_princess() -> None:
    policy = best_reply(small_tree(), "random").policy
    n_with_princess = 0
    for number in range(policy.n_sets):
        actions, probabilities = policy.row(number)
        if 7 in actions and len(actions) > 1:
            n_with_princess += 1
            assert probabilities[actions == 7] == 0
        others = probabilities[actions != 7]
        assert others == pytest.approx(1 / len(others)) or len(actions) == 1
    assert n_with_princess > 5


def test_a_tree_that_is_at_hand_is_used() -> None:
    tree = build_tree("kuhn")
    assert best_reply(tree, "uniform").values == best_reply("kuhn", "uniform").values


def test_a_solution_played_as_a_table_is_taken_from_its_table() -> None:
    """The probabilities are those of the policy to the last bit, and uniform where the policy has nothing."""
    policy = solve("kuhn", "cfr+", iterations=20).policy
    half = policy.of_player(0)
    found = best_reply("kuhn", table_agent(half))
    np.testing.assert_array_equal(found.policy.of_player(0).probabilities, half.probabilities)
    np.testing.assert_array_equal(found.policy.of_player(1).probabilities, [0.5] * 12)


# --- who is refused, and what is told -------------------------------------------------------------------------------------


def test_agents_that_remember_are_refused() -> None:
    memory = record(field("n", np.int8, 0, 9, "moves so far"))
    with pytest.raises(UsageError, match=r"mine remembers: how it plays .* depends on more than its view"):
        best_reply("kuhn", agent(three_quarters, memory=memory))
    with pytest.raises(UsageError, match="mcts remembers"):
        best_reply("kuhn", "mcts")


def test_people_and_cheats_are_refused() -> None:
    with pytest.raises(UsageError, match="human is not compiled and does not say that it is deterministic"):
        best_reply("kuhn", "human")
    with pytest.raises(UsageError, match="mine is shown what players cannot see"):
        best_reply("kuhn", agent(three_quarters, cheats=True))


def test_illegal_moves_and_wrong_probabilities_are_told_with_the_position() -> None:
    with pytest.raises(AgentError, match=r"agent mine cannot play 77 \(legal: 0, 1\) in '.+'"):
        best_reply("kuhn", agent(illegal))
    with pytest.raises(AgentError, match=r"one for each of the actions \[0, 1\] and add up to 1, not \[0.5\]"):
        best_reply("kuhn", "first", likely=lambda agent, view, actions: [0.5])


@pytest.mark.parametrize("asks", [-1, 0.5, True])
def test_a_number_of_asks_is_a_whole_number(asks: Any) -> None:
    with pytest.raises(UsageError, match="asks="):
        best_reply("kuhn", "first", asks=asks)


def test_figures_in_words_and_as_json() -> None:
    found = best_reply("kuhn", "uniform")
    assert repr(found) == (
        "kuhn: a best reply to uniform scores 0.5 as player 0, 0.416667 as player 1 (exactly); the agent is exploitable by "
        "0.458333 (NashConv 0.916667 / 2 players)"
    )
    told = found.to_dict()
    assert told["schema"] == "facedown.best_reply/1" and told["exact"] and told["information_sets"] == 12
    assert Fraction(told["nash_conv"]).limit_denominator(100) == Fraction(11, 12)
    assert dataclasses.replace(found, values=(1.0, 1.0)).value == 1
