"""Lenses: quick agents look at a large view that was never filled in, and see, play and know the same."""

from __future__ import annotations

from typing import Any

import pytest

import facedown as fd
from facedown.agents import seats
from facedown.agents.registry import agent as find_agent
from facedown.agents.seats import IS_SHOWN, LOOKS, lens_for, seat_for
from facedown.arena.lineup import Lineup
from facedown.games.hanabi.cards import STATE, VIEW
from facedown.native import copy_shared, native
from facedown.native.jit import COMPILED
from facedown.native.lens import ROOM, lens_type
from facedown.native.records import copy_field

GAMES = 2000 if COMPILED else 30


def test_a_lens_has_the_fields_of_the_view_and_no_others() -> None:
    lens: Any = lens_type(fd.game("hanabi").observe, STATE, VIEW)
    assert lens.names == VIEW.names
    assert "rest" in (STATE.names or ()) and "rest" not in lens.names and "holds" not in lens.names
    for name in lens.names:
        assert lens[name] == VIEW[name]
        place = lens.fields[name][1]
        if name in ("hands", "player"):  # the own hand is not to be seen, and a state has no player who looks
            assert place >= ROOM * STATE.itemsize
        else:
            assert place == STATE.fields[name][1]  # type: ignore[index]
    assert lens.itemsize == (ROOM + 1) * STATE.itemsize


@native
def helps(state: Any, view: Any) -> None:
    view.n_deck = 7


@native
def writes_what_it_copies(state: Any, player: int, view: Any) -> None:
    copy_shared(state, view)
    view.n_deck = 7


@native
def has_help(state: Any, player: int, view: Any) -> None:
    copy_shared(state, view)
    helps(state, view)


@native
def copies_by_hand(state: Any, player: int, view: Any) -> None:
    copy_field(state, view, "n_deck")


@native
def copies_a_field(state: Any, player: int, view: Any) -> None:
    copy_shared(state, view)
    copy_field(state, view, "n_deck")


@native
def copies_in_an_inner_function(state: Any, player: int, view: Any) -> None:
    def write() -> None:
        view.n_deck = 7

    copy_shared(state, view)
    write()


@pytest.mark.parametrize("observe", [writes_what_it_copies, copies_a_field])
def test_what_is_written_after_it_was_copied_lies_behind_the_state(observe: Any) -> None:
    lens: Any = lens_type(observe, STATE, VIEW)
    assert lens.fields["n_deck"][1] >= ROOM * STATE.itemsize
    assert lens.fields["n_tokens"][1] == STATE.fields["n_tokens"][1]  # type: ignore[index]


@pytest.mark.parametrize("observe", [has_help, copies_by_hand, copies_in_an_inner_function])
def test_there_is_no_lens_where_nobody_can_tell_what_is_written(observe: Any) -> None:
    assert lens_type(observe, STATE, VIEW) is None


# --- the same games -----------------------------------------------------------------------------------------------------------


def play(game: str, agent: str, monkeypatch: pytest.MonkeyPatch, smallest: int) -> tuple[Any, int]:
    """All scores and lengths of some games, and how the agent was seated, with lenses on views of this size and more."""
    monkeypatch.setattr(seats, "MIN_LENS", smallest)
    found = fd.game(game)
    lineup = Lineup(found, [agent] * found.n_players)
    batch = lineup.play(11, 0, GAMES)
    return (batch.scores.tolist(), batch.lengths.tolist()), int(lineup._found[0]["sight"][0])


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("hanabi", "erratic"),
        ("hanabi(players=5)", "erratic"),
        ("hanabi(players=3,rules=thesis)", "stopped_clock"),
        ("hanabi(suits=2,ranks=2,hand=1,tokens=1)", "stopped_clock"),
        ("love_letter", "greedy"),
        ("rrrats", "stationary"),
    ],
)
def test_games_are_the_same_with_and_without_a_lens(game: str, agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, sight = play(game, agent, monkeypatch, 0)
    assert sight == IS_SHOWN
    filled_in, sight = play(game, agent, monkeypatch, 10**9)
    assert sight == LOOKS
    assert shown == filled_in


# --- who gets one -------------------------------------------------------------------------------------------------------------


def plays_the_first_card_if_there_are_tokens(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return 0 if view.n_tokens > 0 else int(actions[n - 1])


def test_agents_of_others_get_copies() -> None:
    game = fd.game("hanabi")
    stranger = fd.Agent(name="stranger", meaning="from elsewhere", act=native(plays_the_first_card_if_there_are_tokens))
    assert lens_for(find_agent("erratic", game), game) is not None
    assert lens_for(stranger, game) is None
    assert seat_for(stranger, game, shown=True)["sight"] == LOOKS


@pytest.mark.parametrize("name", ["cheater", "uniform", "first", "distrustful", "information"])
def test_nobody_else_gets_one(name: str) -> None:
    game = fd.game("hanabi")
    assert lens_for(find_agent(name, game), game) is None


# --- the list of legal actions ------------------------------------------------------------------------------------------------


def test_actions_are_listed_for_those_who_look_at_them() -> None:
    game = fd.game("hanabi")
    assert seat_for(find_agent("erratic", game), game, shown=True)["lists"] == 0
    assert seat_for(find_agent("stopped_clock", game), game, shown=True)["lists"] == 1
    assert seat_for(find_agent("uniform", game), game, shown=True)["lists"] == 1


def leaves_the_list(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return 40


def test_an_illegal_action_is_found_without_the_list() -> None:
    lost = fd.Agent(name="lost", meaning="names what is not there", act=native(leaves_the_list))
    assert seat_for(lost, fd.game("hanabi"))["lists"] == 0
    with pytest.raises(fd.FacedownError, match="lost"):
        Lineup("hanabi", [lost, lost]).play(1, 0, 1)


def test_a_lens_writes_behind_the_room_for_cheaters() -> None:
    game = fd.game("hanabi(players=4)")
    lineup = Lineup(game, ["erratic"] * 4)
    lineup.play(3, 0, 50)
    states = lineup._free[0].room[3]
    assert states.dtype == game.state and len(states) == ROOM + 1
    assert states[1].tobytes() == game.blank()[0].tobytes()  # nobody cheats, so nothing was copied there
