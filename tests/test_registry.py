"""Finding games and agents by name, with their options and parameters; a sentence for everything that is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import facedown as fd
from facedown.agents.registry import agent, agents_for
from facedown.errors import UsageError
from facedown.games import registry
from facedown.games.registry import check_name, names

KUHN, WAR, RRRATS = fd.game("kuhn"), fd.game("war"), fd.game("rrrats")


def refusal(ask: Callable[..., Any], *arguments: Any, **named: Any) -> str:
    with pytest.raises(UsageError) as caught:
        ask(*arguments, **named)
    assert caught.value.exit_code == 2
    return str(caught.value)


# --- by name -------------------------------------------------------------------------------------------------------------


def test_built_in_games() -> None:
    assert set(registry.BUILT_IN) >= {"domino", "goofspiel", "kuhn", "leduc", "love_letter", "rrrats", "war"}
    assert set(names()) >= set(registry.BUILT_IN)
    for name in registry.BUILT_IN:
        assert fd.game(name).name == name == str(fd.game(name)) == fd.game(name).spec


@pytest.mark.parametrize("name", ["khun", "kuhn2", "Kuhn"])
def test_an_unknown_game(name: str) -> None:
    said = refusal(fd.game, name)
    assert said.startswith(f"unknown game '{name}'. Did you mean 'kuhn'? Known: cant_stop, domino, goofspiel, hanabi, kuhn, ")
    assert said.endswith("A game in a file of your own is written ./mygame.py:GAME.")
    assert refusal(check_name, name) == said


@pytest.mark.parametrize("text", ["", "kuhn(", "kuhn(3)", "kuhn(players)", 7, None])
def test_a_game_that_cannot_be_read(text: Any) -> None:
    assert refusal(fd.game, text)


def test_options_in_brackets_or_beside() -> None:
    one, other = fd.game("kuhn(players=3)"), fd.game("kuhn", players=3)
    assert one.values == other.values == {"players": 3, "pass_pays": 1}
    assert str(one) == one.spec == "kuhn(players=3)"
    assert fd.game(one.spec).values == one.values
    assert fd.game(one) is one
    assert fd.game(one, pass_pays=False).values == {"players": 3, "pass_pays": 0}
    assert str(fd.game(one, pass_pays=False)) == "kuhn(players=3,pass_pays=no)"


def test_an_option_given_twice() -> None:
    assert refusal(fd.game, "kuhn(players=3)", players=4) == "'players' is given twice, in 'kuhn(players=3)' and beside it"


def test_an_unknown_option() -> None:
    assert refusal(fd.game, "kuhn", player=3) == (
        "unknown option of kuhn 'player'. Did you mean 'players'? Known: pass_pays, players."
    )


@pytest.mark.parametrize("value", [1, 6, -3, 10**30, "9"])
def test_an_option_out_of_bounds(value: Any) -> None:
    assert refusal(fd.game, "kuhn", players=value) == f"kuhn: players={value} is out of bounds; it goes from 2 to 5"


@pytest.mark.parametrize("value", ["many", "2.5", 2.5, None, "", [2]])
def test_an_option_that_is_no_number(value: Any) -> None:
    assert refusal(fd.game, "kuhn", players=value) == f"kuhn: players={value} is not a whole number (2 to 5)"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, 1), (False, 0), ("yes", 1), ("no", 0), ("No", 0), ("true", 1), ("FALSE", 0), (1, 1), ("0", 0), (" yes ", 1)],
)
def test_a_switch(value: Any, expected: int) -> None:
    assert fd.game("kuhn", pass_pays=value).values["pass_pays"] == expected


@pytest.mark.parametrize("value", ["maybe", 2, None, "2"])
def test_a_switch_is_yes_or_no(value: Any) -> None:
    assert refusal(fd.game, "kuhn", pass_pays=value) == f"kuhn: pass_pays={value} is not possible; choose one of no, yes"


def test_options_that_do_not_go_together() -> None:
    assert refusal(fd.game, "war(ranks=3,suits=3)") == "war(ranks=3,suits=3): ranks * suits must be even"


# --- agents --------------------------------------------------------------------------------------------------------------


def test_agents_of_a_game_and_of_any() -> None:
    assert set(agents_for(KUHN)) >= {"uniform", "first"}
    assert set(agents_for(WAR)) >= {"uniform", "first", "descending", "ascending", "shuffled", "mix"}
    assert "descending" not in agents_for(KUHN)


@pytest.mark.parametrize(("game", "name"), [("war", "descending"), ("love_letter", "careful"), ("kuhn", "human")])
def test_finding_an_agent_makes_no_other(run_python: Any, game: str, name: str) -> None:
    """A search takes a hundred times as long to make as an agent that is ready: it is not even loaded."""
    program = "import sys, facedown as fd; from facedown.agents.registry import agent; agent(sys.argv[2], fd.game(sys.argv[1]))"
    found = run_python(f"{program}; print([name for name in sys.modules if 'mcts' in name or 'isolated' in name])", game, name)
    assert (found.stdout, found.stderr) == ("[]\n", "")


@pytest.mark.parametrize("game", ["kuhn", "war", "love_letter", "goofspiel", "rrrats", "domino"])
def test_all_agents_are_found_one_by_one(game: str) -> None:
    found = fd.game(game)
    for name, listed in agents_for(found).items():
        if name not in {"table", "isolated", "optimal"}:  # they need more than a name, or are not solved to be listed
            alone = agent(name, found)
            assert (alone.spec, alone.meaning, alone.params.tolist()) == (listed.spec, listed.meaning, listed.params.tolist())


def test_an_unknown_agent() -> None:
    said = refusal(agent, "unifrom", WAR)
    assert said.startswith("unknown agent of war 'unifrom'. Did you mean 'uniform'? Known: ascending, descending, ")
    assert said.endswith("One in a file of your own is written ./myagent.py:AGENT.")


def test_parameters_by_position_and_by_name() -> None:
    by_place, by_name, mixed = agent("mix(1,-2)", WAR), agent("mix(A=1,B=-2)", WAR), agent("mix(1,B=-2.0)", WAR)
    assert by_place.values == by_name.values == mixed.values == {"A": 1.0, "B": -2.0, "C": 0.0}
    assert by_place.params.tolist() == [1.0, -2.0, 0.0]
    assert str(by_place) == by_place.spec == "mix(A=1,B=-2,C=0)"
    assert agent("mix", WAR).spec == "mix"
    assert agent(by_place, WAR) is by_place
    assert by_place(C=3).values == {"A": 1.0, "B": -2.0, "C": 3.0}


def test_parameters_survive_their_own_text() -> None:
    exact = agent("mix", WAR)(0.1, 1 / 3, -1e-17)
    assert agent(exact.spec, WAR).params.tolist() == exact.params.tolist()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mix(a=1)", "unknown parameter of mix 'a'. Did you mean 'A'? Known: A, B, C."),
        ("mix(D=1)", "unknown parameter of mix 'D'. Known: A, B, C."),
        ("mix(1,2,3,4)", "mix has 3 parameters, but 4 values are given"),
        ("mix(1,A=2)", "mix: A is given twice"),
        ("mix(A=21)", "mix: A=21 is out of bounds; it goes from -20 to 20"),
        ("mix(A=nan)", "mix: A=nan is out of bounds; it goes from -20 to 20"),
        ("mix(A=-inf)", "mix: A=-inf is out of bounds; it goes from -20 to 20"),
        ("mix(A=1e999)", "mix: A=1e999 is out of bounds; it goes from -20 to 20"),
        ("mix(A=high)", "mix: A=high is not a number (-20 to 20)"),
        ("first(1)", "first has 0 parameters, but 1 values are given"),
        ("first(x=1)", "unknown parameter of first 'x'. None is known."),
    ],
)
def test_wrong_parameters(text: str, said: str) -> None:
    assert refusal(agent, text, WAR) == said


def test_a_whole_parameter() -> None:
    assert agent("hold(at=2.0)", RRRATS).values == {"at": 2.0}
    assert refusal(agent, "hold(at=2.5)", RRRATS) == "hold: at=2.5 must be a whole number (1 to 4)"


def test_a_number_too_large_for_a_float() -> None:
    assert "out of bounds" in refusal(agents_for(WAR)["mix"], A=10**400)


def test_an_agent_of_another_game() -> None:
    descending = agents_for(WAR)["descending"]
    assert refusal(agent, descending, KUHN) == "agent descending plays war, not kuhn"


@pytest.mark.parametrize("name", ["", "my agent", "a(b", "a,b", "a=b", " a"])
def test_names_can_be_written(name: str) -> None:
    """What is not a name in a text could be played here, but found by no other process and on no command line."""
    assert "name" in refusal(fd.Agent, name=name, meaning="", act=lambda *given: 0, compiled=False)
