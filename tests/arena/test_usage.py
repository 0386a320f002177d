"""Matches that cannot be: every wrong request gets a sentence before anything is compiled."""

from __future__ import annotations

import dataclasses
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.arena.portable import only_here
from facedown.errors import UsageError
from facedown.native import draw, native

UNIFORM = ["uniform", "uniform"]


def refused(*arguments: Any, **named: Any) -> str:
    with pytest.raises(UsageError) as caught:
        fd.match(*arguments, **named)
    assert caught.value.exit_code == 2
    assert isinstance(caught.value, ValueError)
    return str(caught.value)


@pytest.mark.parametrize("games", [0, -1, 2**63, True, 1.5, "10", None, np.float64(3), float("nan")])
def test_games(games: Any) -> None:
    assert refused("kuhn", UNIFORM, games=games) == f"games={games}: a whole number from 1 to {2**63 - 1} is needed"


@pytest.mark.parametrize("seed", [-1, 2**63, True, 1.0, "1", np.float64(3)])
def test_seeds(seed: Any) -> None:
    assert refused("kuhn", UNIFORM, games=2, seed=seed) == f"seed={seed}: a seed is a whole number from 0 to {2**63 - 1}"


@pytest.mark.parametrize("threads", [0, -2, 4097, 2**63 - 1, 1.5, True, "2"])
def test_threads(threads: Any) -> None:
    sentence = f"threads={threads}: a whole number from 1 to 4096 is needed"
    assert refused("kuhn", UNIFORM, games=2, threads=threads) == sentence


def test_numbers_of_numpy_will_do() -> None:
    one = fd.match("kuhn", UNIFORM, games=np.int32(6), seed=np.uint8(3), threads=np.int64(1))
    other = fd.match("kuhn", UNIFORM, games=6, seed=3)
    assert one.mean == other.mean
    assert type(one.seed) is int


@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_the_largest_seeds_work(seed: int) -> None:
    assert fd.match("kuhn", UNIFORM, games=4, seed=seed).games == 4


@pytest.mark.parametrize(
    ("agents", "given"),
    [
        ([], "0 agents given (none)"),
        (["uniform"], "1 agent given (uniform)"),
        (["uniform", "first", "uniform"], "3 agents given (uniform, first, uniform)"),
    ],
)
def test_the_number_of_agents(agents: list[str], given: str) -> None:
    assert refused("kuhn", agents, games=2) == f"kuhn has 2 players, but {given}; name one for each seat"
    assert "kuhn(players=5) has 5 players" in refused("kuhn(players=5)", agents, games=2)


def test_agents_are_a_list() -> None:
    assert refused("kuhn", "uniform", games=2) == "agents='uniform': give a list of names, one for each seat"


@pytest.mark.parametrize("agent", [5, None, b"uniform", ["uniform"]])
def test_an_agent_is_a_name_or_an_agent(agent: Any) -> None:
    assert refused("kuhn", [agent, "uniform"]) == f"an agent is a name or an Agent, not {type(agent).__name__}"


def test_a_game_is_a_name_or_a_game() -> None:
    assert refused(5, UNIFORM) == "a game is a name or a Game, not int"


def test_an_agent_plays_its_own_game() -> None:
    from facedown.agents.registry import agents_for

    descending = agents_for(fd.game("war"))["descending"]
    assert refused("kuhn", [descending, "uniform"], games=2) == "agent descending plays war, not kuhn"


# --- games and agents that other processes cannot find -------------------------------------------------------------------


class Nowhere(Executor):
    """Nothing may be sent to it."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        raise AssertionError("this should have been refused")


def elsewhere(game: Any, agents: list[Any]) -> str:
    return refused(game, agents, games=4, seed=1, executor=Nowhere())


@native
def other_score(state: Any, scores: Any) -> None:
    scores[0], scores[1] = 1.0, -1.0


def other_act(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return int(actions[draw(chance, n)])


def test_a_game_of_this_process_cannot_be_played_elsewhere() -> None:
    mine = dataclasses.replace(fd.game("kuhn"), name="mine")
    assert elsewhere(mine, UNIFORM) == "mine is known to this process only; put it into a file and name it ./file.py:GAME"


def test_a_changed_game_is_not_taken_for_the_known_one_of_its_name() -> None:
    changed = dataclasses.replace(fd.game("kuhn"), score=other_score)
    assert elsewhere(changed, UNIFORM) == "kuhn is known to this process only; put it into a file and name it ./file.py:GAME"


@pytest.mark.parametrize("name", ["mine", "uniform"])
def test_an_agent_of_this_process_is_not_taken_for_the_known_one_of_its_name(name: str) -> None:
    mine = fd.Agent(name=name, meaning="", act=other_act)
    expected = f"agent {name} is known to this process only; put it into a file and name it ./file.py:AGENT"
    assert elsewhere("kuhn", [mine, "uniform"]) == expected


def test_no_command_is_given_that_could_not_repeat_a_match() -> None:
    mine = fd.Agent(name="mine", meaning="", act=other_act, compiled=False)
    result = fd.match("kuhn", [mine, "uniform"], games=4, seed=1)
    assert result.repeat == "" and result.to_dict()["repeat"] is None
    assert result.only_here == "agent mine is known to this process only; put it into a file and name it ./file.py:AGENT"
    assert repr(result).endswith(f"no command repeats it: {result.only_here}")
    changed = dataclasses.replace(fd.game("kuhn"), name="goof")
    result = fd.match(changed, UNIFORM, games=4, seed=1)
    assert result.repeat == "" and result.only_here.startswith("goof is known to this process only")


@pytest.mark.parametrize("game", ["kuhn", "love_letter", "rrrats", "war"])
def test_what_can_be_named_is_repeated(game: str) -> None:
    """Agents as objects, too, are found again by their names: those that are made anew for each game or each call included."""
    found = fd.game(game)
    for agent in fd.agents(found):
        # which want something in brackets, or to be solved first
        if agent.name not in {"table", "isolated", "optimal"}:
            assert only_here(found, [agent]) == "", agent
    assert fd.match(found, fd.agents(found)[:2], games=2, seed=1).repeat.startswith(f"facedown match {game} ")


def test_a_policy_that_was_never_saved_has_no_command() -> None:
    solved = fd.solve("kuhn", iterations=1).agent()
    assert "was never saved" in fd.match("kuhn", [solved, "first"], games=2, seed=1).only_here


def test_agents_in_python_stay_here() -> None:
    mine = fd.Agent(name="mine", meaning="", act=other_act, compiled=False)
    assert elsewhere("kuhn", [mine, "uniform"]) == "an executor can only play agents that are compiled"


AGENT_FILE = """
import facedown as fd
from facedown.native import draw

def act(view, actions, n, params, memory, chance):
    return int(actions[draw(chance, n)]) if params[0] > 0.5 else 0

AGENT = fd.Agent(name="mine", meaning="", act=act, parameters=(fd.Parameter("luck", 1.0, 0.0, 1.0, "how lucky"),))
"""


class Here(Executor):
    """Plays at once, from the task alone."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **named))
        return future


@pytest.mark.usefixtures("clean_imports")
def test_an_agent_in_a_file_can_be_played_elsewhere_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lucky_file.py").write_text(AGENT_FILE)
    monkeypatch.chdir(tmp_path)
    result = fd.match("kuhn", ["./lucky_file.py:AGENT(luck=0.25)", "first"], games=8, seed=1, executor=Here())
    assert result.mean == fd.match("kuhn", ["first", "first"], games=8, seed=1).mean
    assert result.repeat == "facedown match kuhn './lucky_file.py:AGENT(luck=0.25)' first --games 8 --seed 1"
    monkeypatch.chdir("/")
    found = f"{tmp_path}/lucky_file.py:AGENT(luck=0.25)"
    elsewhere = fd.match("kuhn", [found, "first"], games=8, seed=1)
    assert elsewhere.mean == result.mean
    assert found.removeprefix("/") in elsewhere.repeat
