"""Planted faults of public records, beliefs and names of actions, each caught by the check that is there for it."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import pytest

from facedown.agents.contract import Agent
from facedown.check import public
from facedown.check.case import Case
from facedown.check.report import Failure
from facedown.check.words import words
from facedown.games.contract import OVER
from facedown.native import native
from facedown.native.records import Record

HERE = Path(__file__).parent.parent / "games"
sys.path.insert(0, str(HERE))

from lamps import LAMPS, PARITY, PUBLIC, believe_parity, keep_record, observe, turn  # noqa: E402

GAMES = 12


@pytest.fixture(autouse=True, scope="module")
def games_of_the_tests_are_not_searched() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(public, "agents_for", lambda game: {})
        yield


def case_of(agent: Agent, game: Any = LAMPS) -> Case:
    return Case(game, GAMES, seed=1, nodes=10, agents=[agent])


@native
def watch_own_luck(view: Record, mover: int, action: int, params: Any, public: Any) -> None:
    """A planted fault: what one seat sees, in a record that should be everybody's."""
    keep_record(view, mover, action, public)
    if mover >= 0 and view.lamp[0] == 1:
        public.view(PUBLIC)[0].n_heard += 1


@native
def watch_all_but_the_third(common: Record, mover: int, action: int, params: Any, public: Any) -> None:
    """A planted fault: one record for all that is not what each seat keeps, but only late in the game."""
    keep_record(common, mover, action, public)
    if common.n_moves == 5 and mover == 1:
        public.view(PUBLIC)[0].n_heard += 1


@native
def watch_but_for_errors(view: Record, mover: int, action: int, params: Any, public: Any) -> None:
    """A planted fault that shows only where somebody errs: of two players, the one who flashed knows that it was not true."""
    keep_record(view, mover, action, public)
    if mover == view.player and view.n_moves <= 2 and view.lamp[1 - mover] != action:
        public.view(PUBLIC)[0].n_heard += 100


def test_an_honest_record_passes() -> None:
    assert "parity: 144 moves led every seat to the same public record" in public.public(case_of(PARITY))


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"watch": watch_own_luck}, r"came to different public records in seats 0 and \d: 'n_heard' is \d and \d"),
        (
            {"watch_all": watch_all_but_the_third},
            "different public records by 'watch' and by 'watch_all': 'n_heard' is 5 and 6",
        ),
    ],
    ids=["a seat's own knowledge", "another record for all"],
)
def test_planted_faults_of_records(changes: dict[str, Any], found: str) -> None:
    with pytest.raises(Failure, match=found):
        public.public(case_of(dataclasses.replace(PARITY, **changes)))


def test_records_are_compared_in_games_with_errors() -> None:
    """Where both flash the truth, the fault never shows: it takes a random move."""
    game, faulty = LAMPS(players=2), dataclasses.replace(PARITY, watch=watch_but_for_errors, watch_all=None)
    records = public._Records(case_of(faulty, game), faulty)
    for number in range(4):
        assert records._play(number, 0.0) == 4
    with pytest.raises(Failure, match="came to different public records in seats 0 and 1"):
        public.public(case_of(faulty, game))


@native
def observe_own_flash(state: Record, player: int, view: Record) -> None:
    """A planted fault: a field that the state declares alike, and that is not shown to everybody."""
    observe(state, player, view)
    if turn(state) != OVER:
        view.flashed[player] = -1


def test_common_fields_are_the_same_for_everybody() -> None:
    game = dataclasses.replace(LAMPS, observe=observe_own_flash)
    with pytest.raises(Failure, match=r"'flashed' is a common field, but players 0 and \d see different things in it"):
        public.public(case_of(PARITY, game))
    # nobody keeps a record for all: then it is no promise
    alone = dataclasses.replace(PARITY, watch_all=None)
    assert "4 fields looked the same to everybody" in public._common_fields(case_of(alone, game), required=False)
    declared = dataclasses.replace(game, common=("players", "rounds"))
    assert "2 fields looked the same to everybody" in public._common_fields(case_of(alone, declared), required=True)


@native
def believe_anything(view: Record, params: Any, memory: Any, public: Any, chance: Record, state: Record) -> None:
    """A planted fault: a belief that contradicts what is seen."""
    believe_parity(view, params, memory, public, chance, state)
    other = (int(view.player) + 1) % int(view.players)
    state.lamp[other] = 1 - state.lamp[other]


@pytest.mark.slow
def test_beliefs_must_fit_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    from facedown.check import players

    monkeypatch.setattr(players, "agents_for", lambda game: {})
    faulty = dataclasses.replace(PARITY, believe=believe_anything)
    with pytest.raises(Failure, match="agent parity believes in a state that does not look like what it sees"):
        players.agents(case_of(faulty))
    assert "decisions" in players.agents(case_of(PARITY))


def test_actions_have_one_name_for_all_who_hear_of_them() -> None:
    def by_seat(view: Record, action: int) -> str:
        return f"{('off', 'on')[action]}{' there' if view.player == 1 else ''}"

    with pytest.raises(Failure, match=r"is called '.*' there, and '.*' in the view of player \d, who hears of it"):
        words(case_of(PARITY, dataclasses.replace(LAMPS, action_name=by_seat)))


def test_half_of_the_sample_games_are_played_by_the_games_own_agents() -> None:
    game = f"{HERE}/lamps.py:GAME"
    from facedown.games.registry import game as find_game

    case = Case(find_game(game), GAMES, seed=1, nodes=10)
    assert [agent.name for agent in case.sample.agents] == ["parity", "lucky"]
    by_parity = [played for played in case.sample.played if played.number % 4 == 1]
    assert len(by_parity) == 3
    for played in by_parity:
        assert played.end is not None
        state = case.rules.state(played.end)
        assert (state.said[:3] == state.lamp[:3]).all()  # a random game ends so with probability 1/8
    assert any(
        (state.said[:3] != state.lamp[:3]).any()
        for played in case.sample.played
        if played.end is not None
        for state in [case.rules.state(played.end)]
    )


@native
def failing(view: Record, actions: Any, n: int, params: Any, memory: Any, public: Any, chance: Record) -> int:
    return 7


def test_an_agent_that_fails_does_not_end_the_sample() -> None:
    from facedown.check.sample import Sample
    from facedown.games.stepper import Stepper

    faulty = dataclasses.replace(PARITY, act=failing)
    sample = Sample(Stepper(LAMPS), 1, 4, 100, agents=[faulty])
    assert not sample.faults and all(played.end is not None for played in sample.played)
