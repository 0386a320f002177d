"""Agents and games that misbehave: illegal moves, failures, peeking, games without end. Each gets one sentence."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import facedown as fd
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.errors import AgentError, CompileError, RulesError
from facedown.native import native
from facedown.native.jit import COMPILED


def agent(act: Any, **facts: Any) -> fd.Agent:
    return fd.Agent(name=act.__name__, meaning="", act=act, **facts)


def in_python(act: Any, **facts: Any) -> fd.Agent:
    return agent(act, compiled=False, **facts)


# --- illegal moves and other failures ------------------------------------------------------------------------------------


def jumps_the_queue(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return 5 if view.n_played == 1 and view.card == 2 else 0


def fails(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    if view.n_played == 1 and view.card == 2:
        raise ValueError("no idea")
    return 0


def peeks(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return int(view.hand_of_others)


@native
def look_around(view: Any) -> int:
    return int(view.hand_of_others)


def peeks_through_another(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return look_around(view)


def answers_a_half(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> Any:
    return 0.5


def answers_nothing(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> Any:
    pass


def first_bad_game(seed: int) -> int:
    """The first game in which agent 1, playing second, holds the king: where the agents above go wrong."""
    lineup = Lineup("kuhn", ["first", "first"], swap=False)
    for game in range(100):
        follower = Follower(lineup, seed, game)
        follower.start()
        if follower.position.state.card[1] == 2:
            return game
    raise AssertionError


MOMENT = (
    "in game {game} of seed 4, move 2. Player 1 saw: You are player 1 of 2 and hold the king (jack < queen < king). "
    "So far: player 0 passes. Legal: 0 pass, 1 bet."
)


@pytest.mark.parametrize("make", [agent, in_python])
def test_an_illegal_move_is_told_with_its_place(make: Any) -> None:
    game = first_bad_game(4)
    with pytest.raises(AgentError) as caught:
        fd.match("kuhn", ["first", make(jumps_the_queue)], games=100, seed=4, swap=False)
    assert str(caught.value) == f"agent jumps_the_queue played 5, which is not legal, {MOMENT.format(game=game)}"
    assert caught.value.exit_code == 1


@pytest.mark.parametrize("make", [agent, in_python])
def test_a_failure_of_an_agent_is_told_with_its_place(make: Any) -> None:
    game = first_bad_game(4)
    with pytest.raises(AgentError) as caught:
        fd.match("kuhn", ["first", make(fails)], games=100, seed=4, swap=False)
    assert str(caught.value) == f"agent fails failed: ValueError: no idea, {MOMENT.format(game=game)}"


def test_the_first_failure_is_told_whatever_the_threads() -> None:
    said = set()
    for threads in (1, 2, 3):
        with pytest.raises(AgentError) as caught:
            fd.match("kuhn", ["first", agent(fails)], games=2_000 if COMPILED else 200, seed=4, swap=False, threads=threads)
        said.add(str(caught.value))
    assert len(said) == 1


@pytest.mark.parametrize("make", [agent, in_python])
@pytest.mark.parametrize("act", [peeks, peeks_through_another])
def test_peeking_is_an_error_with_a_sentence(act: Any, make: Any) -> None:
    with pytest.raises(CompileError) as caught:
        fd.match("kuhn", [make(act), "uniform"], games=10, seed=1)
    assert str(caught.value) == f"agent {act.__name__} reads 'hand_of_others', which players cannot see"


@pytest.mark.parametrize("act", [answers_a_half, answers_nothing])
def test_an_answer_that_is_no_action(act: Any) -> None:
    for error, make in [(CompileError if COMPILED else AgentError, agent), (AgentError, in_python)]:
        with pytest.raises(error, match=f"agent {act.__name__} "):
            fd.match("kuhn", [make(act), "uniform"], games=10, seed=1)


def forges_the_list(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    actions[0] = 7
    return 7


def tunes_itself(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    params[0] += 1.0
    return 0


@pytest.mark.parametrize("make", [agent, in_python])
@pytest.mark.parametrize("act", [forges_the_list, tunes_itself])
def test_neither_legal_moves_nor_parameters_can_be_changed(act: Any, make: Any) -> None:
    tuned = make(act, parameters=(fd.Parameter("x", 0.0, 0.0, 9.0, ""),))
    with pytest.raises((CompileError, AgentError), match=f"agent {act.__name__} .*read"):
        fd.match("kuhn", [tuned, "uniform"], games=10, seed=1)


# --- games that break their word -----------------------------------------------------------------------------------------


@native
def refuses(state: Any, action: int, chance: Any) -> None:
    raise ValueError("no")


@native
def scores_fail(state: Any, scores: Any) -> None:
    raise ValueError("no score")


def variant(**functions: Any) -> fd.Game:
    return dataclasses.replace(fd.game("rrrats(max_throws=3)"), name="variant", **functions)


@native
def first_player(state: Any) -> int:
    return 0


@native
def nothing_happens(state: Any, action: int, chance: Any) -> None:
    pass


@pytest.mark.parametrize("first", ["first", in_python(lambda view, actions, n, params, memory, chance: int(actions[0]))])
def test_a_game_without_end_is_stopped(first: Any) -> None:
    endless = variant(turn=first_player, step=nothing_happens)
    with pytest.raises(RulesError, match=r"variant.*the game goes on past its declared 6 moves"):
        fd.match(endless, [first, "first"], games=4, seed=1)


def test_a_failure_of_the_rules_is_theirs() -> None:
    with pytest.raises(RulesError, match="'step' of variant failed: ValueError: no"):
        fd.match(variant(step=refuses), ["first", "first"], games=4, seed=1)
    with pytest.raises(RulesError, match="'score' of variant failed: ValueError: no score"):
        fd.match(variant(score=scores_fail), ["first", "first"], games=4, seed=1)


@native
def misspelt(state: Any) -> int:
    return int(state.moover)


def test_rules_that_do_not_compile_are_named() -> None:
    with pytest.raises((CompileError, RulesError), match=r"variant.*moover"):
        fd.match(variant(turn=misspelt), ["first", "first"], games=4, seed=1)
