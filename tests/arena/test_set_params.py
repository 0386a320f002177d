"""Other parameters for an agent of a line-up that is ready: as if the line-up were new, and much faster."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.agents.contract import Parameter
from facedown.agents.registry import agent as find_agent
from facedown.arena import lineup as lineups
from facedown.arena.follow import Follower
from facedown.arena.lineup import Batch, Lineup
from facedown.errors import UsageError
from facedown.native import draw, field, native, record
from facedown.native.jit import COMPILED, prepare_thread

GAMES = 120 if COMPILED else 12
MEMORY = record(field("n_asked", np.int64, 0, 99, "decisions so far"))


def moody(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    mine = memory.view(MEMORY)[0]
    mine.n_asked += 1
    return int(actions[0 if draw(chance, 100) < params[0] + params[1] * mine.n_asked else n - 1])


@native
def hears_all(view: Any, mover: int, action: int, params: Any, memory: Any) -> None:
    memory.view(MEMORY)[0].n_asked += int(params[1] > 0)


PARAMETERS = (Parameter("base", 50.0, 0.0, 100.0, "percent"), Parameter("slope", 0.0, -50.0, 50.0, "percent a move"))
FACTS: dict[str, Any] = {"meaning": "", "act": moody, "memory": MEMORY, "parameters": PARAMETERS}
MOODY = fd.Agent(name="moody", watch=hears_all, **FACTS)
IN_PYTHON = fd.Agent(name="in_python", compiled=False, **FACTS)


def same(one: Batch, other: Batch) -> bool:
    parts = ("scores", "lengths", "values", "drawn_seats")
    return all(np.array_equal(getattr(one, part), getattr(other, part)) for part in parts)


CASES = [
    pytest.param(
        "war(ranks=6,suits=2)", ["mix", "shuffled"], 0, [[5, -3, 0.5], [-20.0, 20.0, 0.0], [0.1, 1 / 3, -1e-17]], id="war"
    ),
    pytest.param("rrrats(tokens=7)", ["uniform", "hold"], 1, [[1], [4], [2]], id="rrrats"),
    pytest.param("kuhn(players=4)", [MOODY, "uniform", MOODY, "first"], 2, [[0, 0], [100, -50], [20.5, 30]], id="memory"),
    pytest.param("kuhn", [IN_PYTHON, "first"], 0, [[0, 0], [100, -50], [20, 30]], id="Python"),
    pytest.param("kuhn", ["mcts(simulations=5)", "uniform"], 0, [[3, 0, 1.0, 2], [9, 0, 0.5, 1], [9, 0, 50, 1]], id="search"),
]


@pytest.mark.parametrize(("game", "agents", "which", "vectors"), CASES)
def test_as_if_the_lineup_were_new(game: str, agents: list[Any], which: int, vectors: list[list[float]]) -> None:
    lineup = Lineup(game, agents)
    played = [lineup.play(1, 0, GAMES)]
    for vector in vectors:
        lineup.set_params(which, np.array(vector, float))
        changed = lineup.agents[which]
        again = list(lineup.agents)
        again[which] = find_agent(agents[which], lineup.game)(*vector)
        assert list(changed.values.values()) == [float(number) for number in vector]
        assert (changed.spec, changed.params.tolist()) == (again[which].spec, again[which].params.tolist())
        played.append(lineup.play(1, 0, GAMES))
        assert same(played[-1], Lineup(game, again).play(1, 0, GAMES))
    assert any(not same(played[0], batch) for batch in played[1:])
    follower = Follower(lineup, 1, 3)
    for _ in follower:
        pass
    assert follower.agent_scores().tolist() == played[-1].scores[3].tolist()


def test_tables_in_use_have_the_new_parameters_when_they_are_used_again() -> None:
    lineup = Lineup("kuhn(players=4)", [MOODY, "uniform", MOODY, "first"])
    lineup.prepare()
    under_way = [lineup._table() for _ in range(3)]
    lineup.set_params(0, [0, 0])
    lineup.set_params(2, [90, -10])
    lineup._free.extend(under_way)
    expected = Lineup(lineup.game, list(lineup.agents)).play(2, 0, GAMES)
    with ThreadPoolExecutor(3, initializer=prepare_thread) as pool:
        batches = [future.result() for future in [pool.submit(lineup.play, 2, 0, GAMES) for _ in range(6)]]
    assert all(same(batch, expected) for batch in batches)


@pytest.mark.compiled
def test_games_under_way_are_finished_with_the_old_parameters() -> None:
    """While threads play, parameters go to and fro: each batch is all of the one or all of the other."""
    lineup, vectors = Lineup("rrrats(tokens=7)", ["hold", "uniform"]), ([1], [4])
    expected = []
    for vector in vectors:
        lineup.set_params(0, vector)
        expected.append(lineup.play(3, 0, 3_000))
    assert not same(*expected)
    with ThreadPoolExecutor(3, initializer=prepare_thread) as pool:
        waiting = [pool.submit(lineup.play, 3, 0, 3_000) for _ in range(60)]
        turn = 0
        while not all(future.done() for future in waiting):
            turn += 1
            lineup.set_params(0, vectors[turn % 2])
    found = [[same(future.result(), one) for one in expected] for future in waiting]
    assert all(any(pair) for pair in found)


def test_nothing_is_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lineup = Lineup("rrrats(tokens=7)", ["hold", "uniform"])
    before = lineup.play(1, 0, GAMES)
    for name in ("seat_for", "bind_rules", "find_agent", "Table"):
        monkeypatch.setattr(lineups, name, None)
    lineup.set_params(0, [1])
    assert not same(lineup.play(1, 0, GAMES), before)


@pytest.mark.compiled
def test_it_takes_microseconds() -> None:
    lineup = Lineup("war(ranks=6,suits=2)", ["mix", "descending"])
    lineup.play(1, 0, 2)
    taken = []
    for number in range(300):
        vector = np.array([number / 20, -number / 20, 0.5])
        started = time.perf_counter()
        lineup.set_params(0, vector)
        taken.append(time.perf_counter() - started)
    assert min(taken) < 50e-6  # whoever else works on this machine makes it slower only at times


@pytest.mark.parametrize(
    ("which", "vector", "said"),
    [
        (0, [1, 2], "mix has 3 parameters, but 2 values are given"),
        (0, [1, 2, 3, 4], "mix has 3 parameters, but 4 values are given"),
        (1, [1], "descending has 0 parameters, but 1 values are given"),
        (0, [1, 21, 0], "mix: B=21 is out of bounds; it goes from -20 to 20"),
        (0, [1, 0, float("nan")], "mix: C=nan is out of bounds; it goes from -20 to 20"),
        (0, [float("-inf"), 0, 0], "mix: A=-inf is out of bounds; it goes from -20 to 20"),
        (0, [None, 0, 0], "mix: A=None is not a number (-20 to 20)"),
        (0, [0, [1, 2], 0], "mix: B=[1, 2] is not a number (-20 to 20)"),
        (0, np.array(7.0), "params=7.0: a list of numbers is needed, one for each of the 3 parameters of mix"),
        (0, 7, "params=7: a list of numbers is needed, one for each of the 3 parameters of mix"),
        (2, [1, 2, 3], "agent=2: a whole number from 0 to 1 is needed"),
        (-1, [], "agent=-1: a whole number from 0 to 1 is needed"),
        ("mix", [1, 2, 3], "agent=mix: a whole number from 0 to 1 is needed"),
    ],
)
def test_what_is_wrong_changes_nothing(which: Any, vector: Any, said: str) -> None:
    lineup = Lineup("war", ["mix(A=1)", "descending"])
    before = lineup.agents
    with pytest.raises(UsageError) as caught:
        lineup.set_params(which, vector)
    assert str(caught.value) == said
    assert lineup.agents is before and lineup.agents[0].spec == "mix(A=1,B=0,C=0)"
