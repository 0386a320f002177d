"""Love Letter: what players know, and the deals that they imagine."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy.stats import chisquare

import facedown as fd
from facedown.games.love_letter.cards import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
)
from facedown.games.position import Position
from facedown.games.stepper import Stepper
from facedown.native.jit import COMPILED
from facedown.trees.explore import Node, explore
from games.love_letter_table import Table, two
from naive.draws import Draws
from naive.exact import uniform_values
from naive.love_letter import LoveLetter

FALSE_ALARM = 1e-5

# --- knowledge --------------------------------------------------------------------------------------------------------------


def test_knowledge_ends_when_the_card_is_played() -> None:
    table = two([PRIEST, BARON], GUARD)
    table.play(PRIEST, 1, then=[COUNTESS])
    assert table.view(0).known[1] == BARON
    table.play(COUNTESS, then=[PRIEST])
    assert table.view(0).known[1] == BARON  # played another card: the known one is still there
    table.play(PRIEST, 1, then=[KING])
    table.play(KING, 0, then=[PRINCE])
    assert table.view(0).known[1] == GUARD and table.view(1).known[0] == BARON
    table.play(PRINCE, 1, then=[PRINCESS, PRINCE])
    assert table.view(0).known[1] == 0  # a Prince ends it too


def test_knowledge_ends_when_a_card_of_that_kind_is_played() -> None:
    """Who saw a Guard sees a Guard being played, and cannot know that there were two."""
    table = two([PRIEST, GUARD], BARON, [HANDMAID, HANDMAID, PRINCE])
    table.play(PRIEST, 1, then=[GUARD])
    table.play(GUARD, 0, PRIEST, then=[KING])
    assert table.state.hand[1] == GUARD and table.view(0).known[1] == 0


def test_a_swap_moves_what_third_players_know() -> None:
    table = Table("love_letter(players=4)", [PRIEST, KING, BARON, GUARD], HANDMAID)
    table.play(PRIEST, 2, then=[COUNTESS])  # player 0 sees the Baron of player 2
    assert table.view(0).known.tolist() == [0, 0, BARON, 0]
    assert table.legal() == [(COUNTESS, 0, 0)]
    table.play(COUNTESS, then=[PRIEST])
    table.play(PRIEST, 1, then=[PRINCE])  # player 2 sees the King of player 1
    table.play(GUARD, 0, PRINCESS, then=[GUARD])
    table.play(HANDMAID, then=[PRINCESS])
    table.play(KING, 2, then=[GUARD])  # player 1 gives the Princess for the Baron
    assert table.view(0).known.tolist() == [0, BARON, 0, 0]
    assert table.view(1).known.tolist() == [0, 0, PRINCESS, 0]
    assert table.view(2).known.tolist() == [0, BARON, 0, 0]
    assert table.view(3).known.tolist() == [0, 0, 0, 0]


def test_an_unknown_card_that_is_swapped_leaves_nothing_known_of_the_old_holder() -> None:
    table = Table("love_letter(players=3)", [PRIEST, BARON, KING], GUARD)
    table.play(PRIEST, 1, then=[GUARD])
    table.play(GUARD, 0, PRINCESS, then=[COUNTESS])
    assert table.legal() == [(COUNTESS, 0, 0)]
    table.play(COUNTESS, then=[GUARD])
    table.play(GUARD, 1, PRINCESS, then=[GUARD])
    table.play(GUARD, 0, PRINCESS, then=[PRINCESS])
    table.play(KING, 1, then=[GUARD])
    assert table.view(0).known.tolist() == [0, 0, BARON, 0]


def test_who_is_out_keeps_watching() -> None:
    table = Table("love_letter(players=3)", [BARON, KING, GUARD], PRIEST)
    table.play(BARON, 1, then=[GUARD])
    view = table.view(0)
    assert view.hand == 0 and view.known.tolist() == [0, KING, 0, 0]
    assert view.put_out[0] == 1 and view.laid[0] == PRIEST


# --- imagined deals ---------------------------------------------------------------------------------------------------------

TINY = ["love_letter(deck=31001000,face_up=0)", "love_letter(players=3,deck=20200100)"]
SMALL = [
    "love_letter(deck=10101201,face_up=1)",  # King, Prince and Princess
    "love_letter(deck=00012210,face_up=0)",  # the rule of the Countess
    "love_letter(players=3,deck=00410020)",  # Barons between others, equal and not, and what is played after them
    "love_letter(players=3,deck=20200200)",  # Kings between others
    "love_letter(players=3,deck=10201200)",  # Princes on others
    "love_letter(players=4,deck=00500020)",
]


@cache
def deals_behind_views(spec: str) -> dict[tuple[int, bytes], dict[bytes, Fraction]]:
    """For every view that any player can have: the states behind it, as likely as chance alone makes them.

    What was played says nothing here, except that it was possible: this is what "all deals that fit are equally likely"
    means, worked out by walking every history.
    """
    rules = Stepper(fd.game(spec))
    behind: dict[tuple[int, bytes], dict[bytes, Fraction]] = {}

    def visit(node: Node) -> None:
        weight = Fraction(1)
        for step in node.path():
            weight *= step.outcome.probability
        for player in range(rules.game.n_players):
            states = behind.setdefault((player, rules.view(node.state, player)), {})
            states[node.state] = states.get(node.state, Fraction(0)) + weight

    explore(rules.game, visit=visit)
    return behind


@pytest.mark.parametrize("spec", [*TINY, *SMALL] if COMPILED else TINY[:1])
def test_imagine_makes_all_deals_that_fit_equally_likely(spec: str) -> None:
    """Exactly, in fractions, for every view of every player, whoever is to move, and at the end."""
    rules = Stepper(fd.game(spec))
    n_hidden = 0
    for (player, view), states in deals_behind_views(spec).items():
        total = sum(states.values(), Fraction(0))
        expected = {state: weight / total for state, weight in states.items()}
        found = {outcome.state: outcome.probability for outcome in rules.imaginings(view, player).outcomes}
        assert found == expected
        n_hidden += len(expected) > 1
    assert n_hidden > 10


def test_imagined_deals_come_as_often_as_they_should() -> None:
    """Chi-square over the states behind one view with many of them."""
    spec = TINY[0]
    behind = deals_behind_views(spec)
    player, view = max(behind, key=lambda key: len(behind[key]))
    position, n_imagined = Position(fd.game(spec)), 3_000 if COMPILED else 300
    position.sample(2, 0)
    record = np.frombuffer(bytearray(view), position.game.view)[0]
    found = Counter(position.imagine(record, player).tobytes() for _ in range(n_imagined))
    weights = behind[player, view]
    assert set(found) <= set(weights) and len(weights) > 3
    expected = [float(weight / sum(weights.values())) * n_imagined for weight in weights.values()]
    assert chisquare([found[state] for state in weights], expected).pvalue > FALSE_ALARM


def test_a_missed_guard_is_remembered() -> None:
    """Player 1 was not a Priest: a Priest can only have been drawn since, in exchange for the card that was played."""
    table = two([GUARD, KING], BARON, [GUARD, PRIEST, BARON])
    table.play(GUARD, 1, PRIEST, then=[HANDMAID])
    hands = {int(table.position.imagine(table.view(0), 0).hand[1]) for _ in range(50)}
    assert PRIEST not in hands and len(hands) > 3
    table.play(HANDMAID, then=[GUARD])
    hands = {int(table.position.imagine(table.view(0), 0).hand[1]) for _ in range(150)}
    assert PRIEST in hands


def test_others_are_imagined_to_know_what_they_saw() -> None:
    table = Table("love_letter(players=3)", [PRIEST, KING, GUARD], BARON)
    table.play(PRIEST, 1, then=[GUARD])
    for _ in range(20):
        state = table.position.imagine(table.view(2), 2)
        assert state.known[1, 0] == state.hand[1] != 0


@pytest.mark.parametrize("spec", TINY)
def test_uniform_play_is_worth_what_the_slow_twin_says(spec: str) -> None:
    """Every deal and every action, in fractions."""
    options = fd.game(spec).values

    def deal(draws: Draws) -> LoveLetter:
        return LoveLetter(draws, **options)

    exact = explore(spec)
    assert list(exact.values) == pytest.approx(uniform_values(deal), abs=1e-12)  # thirds are not exact in floats
