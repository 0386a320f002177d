"""Games written as .efg: read back they are the same games, and other programs read them too."""

from __future__ import annotations

import dataclasses
import io
import re
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import RandomTree
from texts import BLUFF

import facedown as fd
from facedown.games.contract import OVER, Game
from facedown.games.gambit.game import game_from
from facedown.native import draw, draw_from, field, native, record
from facedown.native.records import Record
from facedown.trees.efg import to_efg
from facedown.trees.explore import TreeTooLargeError, explore

GAMES = [
    "kuhn",
    "kuhn(players=3)",
    pytest.param("leduc", marks=pytest.mark.compiled),
    pytest.param("leduc(suits_shown=no,ranks=2)", marks=pytest.mark.compiled),
]


def again(text: str) -> Game:
    return game_from(text, "x.efg", "x.efg")


@pytest.mark.parametrize("name", GAMES)
def test_written_and_read_a_game_is_the_same(name: str) -> None:
    game = fd.game(name)
    before, read = explore(game), again(to_efg(game))
    after = explore(read)
    for what in ("chance", "decisions", "ends", "information_sets", "longest", "values"):
        assert getattr(after, what) == getattr(before, what), what
    assert (read.kind, read.perfect_recall, read.n_players) == (game.kind, game.perfect_recall, game.n_players)


def test_names_are_the_words_of_the_game() -> None:
    text = to_efg("kuhn")
    assert text.startswith('EFG 2 R "Kuhn poker (kuhn)" { "player 0" "player 1" }\n')
    assert '{ "pass" "bet" }' in text
    assert '{ "fold" "call" }' in text
    assert "hold the queen" in text
    assert 'c "" 1 "" { "0" 1/3 "1" 1/3 "2" 1/3 } 0' in text


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_random_trees_come_back(seed: int) -> None:
    game = again(RandomTree(seed, levels=3).text())
    before, after = explore(game), explore(again(to_efg(game)))
    assert before.values == after.values
    assert (before.chance, before.decisions, before.ends) == (after.chance, after.decisions, after.ends)
    assert before.information_sets == after.information_sets


def test_written_twice_it_has_the_same_numbers() -> None:
    once = to_efg(again(BLUFF))
    both = [re.sub(r'"[^"]*"', "", text).split() for text in (once, to_efg(again(once)))]
    assert both[0] == both[1]


def test_information_sets_that_are_described_alike_have_different_names() -> None:
    forgetful = dataclasses.replace(fd.game("kuhn"), describe=lambda view: "cards")
    names = set(re.findall(r'^p "" 1 \d+ ("[^"]*")', to_efg(forgetful), re.MULTILINE))
    assert len(names) == 6


def test_a_game_that_is_too_large_is_refused_with_a_guess() -> None:
    with pytest.raises(TreeTooLargeError, match=r"the tree of kuhn has more than 57 nodes .*suggests? about"):
        to_efg("kuhn", max_nodes=57)
    assert len(to_efg("kuhn", max_nodes=58).splitlines()) == 3 + 58
    with pytest.raises(fd.UsageError, match="max_nodes=0"):
        to_efg("kuhn", max_nodes=0)


# --- draws that lead to the same state ------------------------------------------------------------------------------------

STATE = record(
    field("pips", np.int8, 0, 8, "sum of the dice"),
    field("mover", np.int8, OVER, 0, "player to move; -1 the game is over"),
    field("bet", np.int8, 0, 1, "whether a bet is made"),
)


@native
def start(state: Record, chance: Record) -> None:
    state.pips = draw(chance, 2) + draw(chance, 2)


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def legal(state: Record, actions: Any) -> int:
    actions[0] = 0
    actions[1] = 1
    return 2


@native
def step(state: Record, action: int, chance: Record) -> None:
    counts = np.zeros(3, np.int64)
    counts[0], counts[2] = 1, 2
    state.bet = action
    if action == 1:
        state.pips += draw_from(chance, counts)
    state.mover = OVER


@native
def score(state: Record, scores: Any) -> None:
    scores[0] = state.pips / 3


@native
def observe(state: Record, player: int, view: Record) -> None:
    view.mover = state.mover
    view.bet = state.bet


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    state.mover = view.mover
    state.bet = view.bet
    state.pips = draw(chance, 2) + draw(chance, 2)


DICE = Game(
    name="dice",
    title='Two "dice" \\ one bet',
    source="a test",
    state=STATE,
    view=record(field("mover", np.int8, OVER, 0, "the player"), field("bet", np.int8, 0, 1, "the bet")),
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    describe=lambda view: "two dice",
    action_name=lambda view, action: ("stay", 'throw\n"again"')[action],
    players=1,
    actions=2,
    longest=1,
    kind="general",
    scores=(0.0, 3.0),
)


def test_draws_that_meet_again_are_one_chance_node() -> None:
    text = to_efg(DICE)
    assert 'c "" 1 "" { "0" 1/4 "1" 1/2 "2" 1/4 } 0' in text
    assert '{ "0" 1/3 "2" 2/3 }' in text
    before, after = explore(DICE), explore(again(text))
    assert (after.values, after.ends, after.decisions) == (before.values, before.ends, before.decisions)
    assert before.chance == 3 + 3  # two dice, one after the other: 1 + 2; and a throw for each of three sums
    assert after.chance == 1 + 3


def test_payoffs_are_written_exactly() -> None:
    assert str(Fraction(1 / 3)) in to_efg(DICE)


def test_quotation_marks_and_backslashes_are_avoided() -> None:
    text = to_efg(DICE)
    assert text.startswith("EFG 2 R \"Two 'dice' / one bet (dice)\"")
    assert "\"throw 'again'\"" in text


# --- other programs -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gambit() -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own dependencies
        yield pytest.importorskip("pygambit", reason="needs the extra 'peers'")


def test_gambit_finds_the_value_of_kuhn_poker(gambit: Any) -> None:
    solved = gambit.nash.lp_solve(gambit.read_efg(io.StringIO(to_efg("kuhn"))))
    payoffs = solved.equilibrium.payoffs
    assert [Fraction(str(payoffs[f"player {player}"])) for player in range(2)] == [Fraction(-1, 18), Fraction(1, 18)]


@pytest.mark.parametrize("seed", range(25))
def test_gambit_reads_what_we_read_and_write(gambit: Any, seed: int) -> None:
    """The same tree from the same text, and again from the text that we write of it."""
    tree = RandomTree(seed, labels=("left", "right", "up", "down", "stay"))  # it wants different ones, and no empty ones
    ours, theirs = again(tree.text()), gambit.read_efg(io.StringIO(tree.text()))
    sets = [len(theirs.get_infosets(player)) for player in theirs.players]
    assert len(theirs.players) == ours.n_players
    assert ours.perfect_recall == all(theirs.has_perfect_recall(player) for player in theirs.players)
    if all(probabilities(tree)):  # what is never reached is left out by `explore`
        assert sets == list(explore(ours).information_sets)
        written = gambit.read_efg(io.StringIO(to_efg(ours)))
        assert [len(written.get_infosets(player)) for player in written.players] == sets
        assert float(written.max_payoff) == pytest.approx(float(theirs.max_payoff), abs=1e-12)
        assert float(written.min_payoff) == pytest.approx(float(theirs.min_payoff), abs=1e-12)


def probabilities(tree: RandomTree) -> Iterator[Fraction]:
    waiting = [tree.root]
    while waiting:
        node = waiting.pop()
        yield from node.probabilities
        waiting += node.children


def test_open_spiel_reads_it(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pyspiel = pytest.importorskip("pyspiel", reason="needs the extra 'peers'")
    path = tmp_path / "kuhn.efg"
    path.write_text(to_efg("kuhn"), encoding="utf-8")
    game = pyspiel.load_game(f"efg_game(filename={path})")
    uniform = pyspiel.UniformRandomPolicy(game)
    assert pyspiel.nash_conv(game, uniform) == pytest.approx(11 / 12, abs=1e-12)  # as for Kuhn poker of their own
    solver = pyspiel.CFRSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    value = pyspiel.expected_returns(game.new_initial_state(), solver.average_policy(), -1, False)[0]
    assert value == pytest.approx(-1 / 18, abs=5e-3)
