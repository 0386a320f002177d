"""Agents for Hanabi: the same moves as their slow twins, published means, no peeking, honest records of reasons."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.agents.hanabi import distrustful, trustful
from facedown.agents.hanabi.agents import AGENTS, READERS
from facedown.agents.player import Player
from facedown.agents.registry import agent as find_agent
from facedown.errors import UsageError
from facedown.games.position import Position
from facedown.games.stepper import Stepper
from facedown.native.jit import COMPILED
from naive.hanabi_agents import Trustful, smart_cheater
from naive.hanabi_agents import distrustful as slow_distrustful
from naive.hanabi_table import Table

N_GAMES = 6 if COMPILED else 1
PLAYERS = (2, 3, 4, 5)
NAMES = [agent.name for agent in AGENTS] + ["reinforced2", "reinforced4"]
THESIS = "hanabi(players={},rules=thesis)"


def seated(name: str, game: fd.Game, index: int) -> list[Player]:
    agent, room = find_agent(name, game), np.random.default_rng(1)
    seats = []
    for place in range(game.n_players):
        player = Player(agent, game, room)
        player.sit_down(7, index, place)
        seats.append(player)
    return seats


def weights_of(agent: fd.Agent) -> dict[str, tuple[float, ...]]:
    numbers = [agent.values[parameter.name] for parameter in agent.parameters]
    return {
        "discard": tuple(numbers[:3]),
        "good": tuple(numbers[3:11]),
        "risky": tuple(numbers[11:19]),
        "information": tuple(numbers[19:]),
    }


def play(game: fd.Game, index: int, choose: Any, hear: Any = None) -> None:
    position = Position(game)
    position.sample(7, index)
    position.start()
    while not position.over:
        mover, n_deck = position.turn(), int(position.state.n_deck)
        legal = position.legal()
        action = choose(position, mover, legal)
        assert action in legal
        position.step(action)
        if hear is not None:
            hear(position, mover, action, int(position.state.n_deck) < n_deck)


@pytest.mark.parametrize("n_players", PLAYERS)
def test_smart_cheater_moves_like_its_twin(n_players: int) -> None:
    game = fd.game(THESIS.format(n_players))
    for index in range(N_GAMES):
        seats = seated("smart_cheater", game, index)

        def choose(position: Position, mover: int, legal: list[int], seats: list[Player] = seats) -> int:
            table = Table.of(position.state, mover)
            action = seats[mover].choose(position.state, legal)
            assert action == smart_cheater(table)
            return action

        play(game, index, choose)


@pytest.mark.parametrize("n_players", PLAYERS)
def test_distrustful_moves_like_its_twin(n_players: int) -> None:
    game = fd.game(THESIS.format(n_players))
    for index in range(N_GAMES):
        seats = seated("distrustful", game, index)

        def choose(position: Position, mover: int, legal: list[int], seats: list[Player] = seats) -> int:
            view = position.view(mover)
            action = seats[mover].choose(view, legal)
            assert action == slow_distrustful(Table.of(view, mover))
            return action

        play(game, index, choose)


@pytest.mark.parametrize("name", ["trustful", "bayesian_trustful2", "bayesian_trustful4"])
@pytest.mark.parametrize("n_players", PLAYERS)
def test_trustful_moves_like_its_twin(n_players: int, name: str) -> None:
    """Also in its second half, where cards that were promised have been moved about."""
    game = fd.game(THESIS.format(n_players))
    for index in range(max(N_GAMES // 3, 1)):
        seats = seated(name, game, index)
        twins = [Trustful(weights_of(seats[0].agent)) for _ in seats]

        def choose(position: Position, mover: int, legal: list[int], seats: Any = seats, twins: Any = twins) -> int:
            view = position.view(mover)
            if position.state.n_moves == 0:
                for place, twin in enumerate(twins):
                    twin.sit_down(position.view(place), place)
            action = seats[mover].choose(view, legal)
            assert action == twins[mover].choose(view, mover)
            return int(action)

        def hear(position: Position, mover: int, action: int, drew: bool, seats: Any = seats, twins: Any = twins) -> None:
            for place, seat in enumerate(seats):
                view = position.view(place)
                seat.hear(view, mover, action)
                twins[place].hear(view, place, mover, action, drew, True)

        play(game, index, choose, hear)


# --- how they fare --------------------------------------------------------------------------------------------------------

# means and deviations of 1000 games, for 2 and 4 players: Jarząbek & Leja 2020, table 5.1
PUBLISHED = {
    "cheater": ((20.50, 2.59), (21.73, 2.07)),
    "smart_cheater": ((24.72, 0.79), (24.89, 0.41)),
    "erratic": ((1.45, 1.50), (1.30, 1.36)),
    "stopped_clock": ((5.74, 2.62), (5.31, 1.91)),
    "simple_distrustful": ((13.37, 3.00), (15.06, 1.09)),
    "distrustful": ((17.52, 1.71), (15.72, 1.03)),
    "trustful": ((17.94, 3.41), (20.43, 1.67)),
    "bayesian_trustful2": ((19.07, 3.16), (20.32, 1.66)),
    "bayesian_trustful4": ((17.25, 3.86), (20.83, 1.73)),
}


@pytest.mark.compiled
@pytest.mark.parametrize("name", PUBLISHED)
def test_means_are_the_published_ones(name: str) -> None:
    """Within four joint standard errors: all 18 cells together raise a false alarm once in 900 times."""
    for n_players, (mean, deviation) in zip((2, 4), PUBLISHED[name], strict=True):
        games = 4000
        found = fd.match(THESIS.format(n_players), [name] * n_players, games=games, seed=11, swap=False)
        error = deviation * math.sqrt(1 / 1000 + 1 / games)
        assert abs(found.mean[0] - mean) < 4 * error + 0.005, (name, n_players, found.mean[0])


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "n_players", "published"), [("reinforced2", 2, 18.94), ("reinforced4", 4, 18.69)])
def test_tables_that_were_learnt_are_at_least_as_good_as_published(name: str, n_players: int, published: float) -> None:
    """The means lie some tenths higher; 4000 games have a standard error below .035, so that a false alarm is out of sight."""
    found = fd.match(THESIS.format(n_players), [name] * n_players, games=4000, seed=12, swap=False)
    assert found.mean[0] > published


# --- no peeking, reasons, options -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in NAMES if "cheater" not in name])
@pytest.mark.parametrize("spec", [THESIS.format(3), "hanabi(players=2)"])
def test_two_deals_behind_one_view_get_one_move_and_one_memory(name: str, spec: str) -> None:
    """Each seat also has a twin that is shown views of other deals behind its own view; it must not come to know it."""
    game = fd.game(spec)
    other = Stepper(game)
    for index in range(3 if COMPILED else 1):
        seats, twins = seated(name, game, index), seated(name, game, index)

        def behind(position: Position, place: int, index: int = index) -> Any:
            """The player's own view of a state that it can imagine."""
            other.sample(99, 1000 * index + int(position.state.n_moves))
            state = other.imagine(position.view(place).tobytes(), place)
            return other.view_record(other.view(state, place))

        def choose(position: Position, mover: int, legal: list[int], seats: Any = seats, twins: Any = twins) -> int:
            action = seats[mover].choose(position.view(mover), legal)
            assert twins[mover].choose(behind(position, mover), legal) == action
            assert np.array_equal(seats[mover].memory, twins[mover].memory)
            return int(action)

        def hear(position: Position, mover: int, action: int, drew: bool, seats: Any = seats, twins: Any = twins) -> None:
            for place, seat in enumerate(seats):
                if seat.agent.watch is not None and not position.over:
                    seat.hear(position.view(place), mover, action)
                    twins[place].hear(behind(position, place), mover, action)
                    assert np.array_equal(seat.memory, twins[place].memory)

        play(game, index, choose, hear)


@pytest.mark.parametrize(("name", "modules"), [("distrustful", distrustful.MODULES), ("trustful", trustful.MODULES)])
def test_decisions_leave_their_reason(name: str, modules: dict[int, str]) -> None:
    game, seen = fd.game(THESIS.format(4)), set()
    for index in range(6 if COMPILED else 1):
        seats = seated(name, game, index)

        def choose(position: Position, mover: int, legal: list[int], seats: list[Player] = seats) -> int:
            action = seats[mover].choose(position.view(mover), legal)
            memory = seats[mover].agent.memory
            mind = seats[mover].memory.view(memory)[0]
            assert mind.action == action and int(mind.module) in modules
            seen.add(int(mind.module))
            return action

        def hear(position: Position, mover: int, action: int, drew: bool, seats: list[Player] = seats) -> None:
            for place, seat in enumerate(seats):
                if seat.agent.watch is not None:
                    seat.hear(position.view(place), mover, action)

        play(game, index, choose, hear)
    assert len(seen) >= 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "spec",
    ["hanabi(players=5)", "hanabi(suits=3,ranks=3,hand=2,tokens=2)", "hanabi(players=4,suits=4,ranks=2,hand=1,tokens=1)"],
)
def test_agents_play_all_rules_and_small_games(name: str, spec: str) -> None:
    """With official rules nobody discards with all tokens there: every move is legal, or the match would stop."""
    game = fd.game(spec)
    found = fd.match(game, [name] * game.n_players, games=300 if COMPILED else 2, seed=3, swap=False)
    assert 0 <= found.mean[0] <= game.score_range[1]


def test_the_27_weights_have_names_and_bounds() -> None:
    agent = next(agent for agent in AGENTS if agent.name == "bayesian_trustful4")
    assert len(agent.parameters) == 27
    assert agent.values["good_pass"] == 0.6965048774115057 and agent.values["information_chain"] == 1.4982700221551264
    assert all(parameter.low <= parameter.default <= parameter.high for parameter in agent.parameters)
    with pytest.raises(UsageError, match="good_chain=3 is out of bounds"):
        agent(good_chain=3)


@pytest.mark.parametrize("content", [b"nothing", None])
def test_files_without_a_table_are_refused(tmp_path: Any, content: bytes | None) -> None:
    file = tmp_path / "table.npz"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError, match="facedown learn hanabi reinforced2"):
        READERS["reinforced2"](str(file), fd.game("hanabi"))


def test_tables_of_another_shape_are_refused(tmp_path: Any) -> None:
    file = tmp_path / "table.npz"
    np.savez(file, worths=np.zeros(3, np.float32))
    with pytest.raises(UsageError, match="expected 162,720 numbers from 0 to 1"):
        READERS["reinforced4"](str(file), fd.game("hanabi"))
