"""Leduc hold'em: pay, betting and values, by the slow twin, by OpenSpiel and by native matches."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import facedown as fd
from facedown.errors import UsageError
from facedown.games.position import Position
from facedown.native.jit import COMPILED
from naive.draws import Generated
from naive.exact import uniform_values
from naive.leduc import CALL, FOLD, RAISE, Leduc
from naive.twin import OVER

N_GAMES = 400_000 if COMPILED else 1_500
STANDARD_ERRORS = 4  # false alarms: 6 in 100,000 for each figure
USUAL = {"ranks": 3, "raises": 2, "first_bet": 2, "second_bet": 4, "suits_shown": 1}


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    return pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (the optional extra 'peers')")


@pytest.fixture(scope="module")
def uniform_value() -> Fraction:
    """What player 0 wins when both play every legal action equally often, exactly."""
    first, second = uniform_values(lambda draws: Leduc(draws, **USUAL))
    assert first == -second
    return first


def test_match_of_uniform_players_agrees_with_exact_enumeration(uniform_value: Fraction) -> None:
    result = fd.match("leduc", ["uniform", "uniform"], games=N_GAMES, seed=4, swap=False)
    assert abs(result.mean[0] - float(uniform_value)) < STANDARD_ERRORS * result.stderr[0]
    assert result.stderr[0] > 0


def test_uniform_value_is_that_of_openspiel(pyspiel: Any, uniform_value: Fraction) -> None:
    def value(state: Any) -> float:
        if state.is_terminal():
            return float(state.returns()[0])
        if state.is_chance_node():
            return float(sum(p * value(state.child(action)) for action, p in state.chance_outcomes()))
        legal = state.legal_actions()
        return float(sum(value(state.child(action)) for action in legal)) / len(legal)

    assert value(pyspiel.load_game("leduc_poker").new_initial_state()) == pytest.approx(float(uniform_value), abs=1e-12)


def test_twin_plays_like_openspiel(pyspiel: Any) -> None:
    """The same cards and the same random actions in both: the same movers, legal actions and pay."""
    generator = random.Random(2)
    rules = pyspiel.load_game("leduc_poker")
    for _ in range(300):
        ours, theirs = Leduc(Generated(generator), **USUAL), rules.new_initial_state()
        for card in ours.private:
            theirs.apply_action(card.number(suits_shown=1))
        while ours.mover() != OVER:
            assert theirs.current_player() == ours.mover()
            assert theirs.legal_actions() == ours.legal()
            action = generator.choice(ours.legal())
            theirs.apply_action(action)
            ours.step(action)
            if theirs.is_chance_node():
                assert ours.open_card is not None
                theirs.apply_action(ours.open_card.number(suits_shown=1))
        assert theirs.is_terminal()
        assert list(theirs.returns()) == ours.scores()


def deal(position: Position, first: int, second: int) -> None:
    """Start with these cards, numbered rank * 2 + suit."""
    n_cards = 2 * position.game.values["ranks"]
    position.start([(first, n_cards), (second - (second > first), n_cards - 1)])


def open_card(first: int, second: int, card: int, ranks: int = 3) -> list[tuple[int, int]]:
    """The draw that opens this card."""
    return [(card - (card > first) - (card > second), 2 * ranks - 2)]


JACK, JACK_2, QUEEN, QUEEN_2, KING, KING_2 = range(6)


@pytest.mark.parametrize(
    ("cards", "opened", "first_round", "second_round", "won"),
    [
        ((KING, QUEEN), JACK, [CALL, CALL], [CALL, CALL], 1),
        ((KING, JACK), JACK_2, [CALL, CALL], [CALL, CALL], -1),  # a pair beats the king
        ((KING, KING_2), JACK, [CALL, CALL], [CALL, CALL], 0),
        ((JACK, JACK_2), QUEEN, [RAISE, RAISE, CALL], [RAISE, RAISE, CALL], 0),
        ((QUEEN_2, KING), QUEEN, [RAISE, RAISE, CALL], [RAISE, RAISE, CALL], 13),  # the most: 1 + 2 * 2 + 2 * 4
        ((JACK, KING), QUEEN, [CALL, RAISE, CALL], [CALL, RAISE, CALL], -7),
        ((KING, JACK), QUEEN, [CALL, RAISE, RAISE, CALL], [CALL, CALL], 5),
        ((KING, JACK), QUEEN, [CALL, CALL], [RAISE, FOLD], 1),
        ((KING, JACK), QUEEN, [CALL, CALL], [CALL, RAISE, FOLD], -1),
        ((KING, JACK), QUEEN, [RAISE, CALL], [RAISE, RAISE, FOLD], -7),
    ],
)
def test_what_is_won(cards: tuple[int, int], opened: int, first_round: list[int], second_round: list[int], won: int) -> None:
    position = Position(fd.game("leduc"))
    deal(position, *cards)
    for action in first_round[:-1]:
        position.step(action, [])
    position.step(first_round[-1], open_card(*cards, opened))
    assert position.view(0).open_card == position.view(1).open_card == opened
    for action in second_round:
        position.step(action, [])
    assert position.over
    assert position.scores().tolist() == [won, -won]


def test_who_folds_in_the_first_round_loses_the_stake() -> None:
    position = Position(fd.game("leduc"))
    for moves, won in (([RAISE, FOLD], 1), ([CALL, RAISE, FOLD], -1), ([RAISE, RAISE, FOLD], -3)):
        deal(position, JACK, KING)
        for action in moves:
            position.step(action, [])
        assert position.over
        assert position.scores().tolist() == [won, -won]
        assert position.view(0).open_card == -1


def test_at_most_so_many_raises_in_a_round() -> None:
    position = Position(fd.game("leduc(raises=3)"))
    deal(position, JACK, KING)
    assert position.legal() == [CALL, RAISE]
    for _ in range(3):
        position.step(RAISE, [])
    assert position.legal() == [FOLD, CALL]
    with pytest.raises(UsageError, match="cannot play 2"):
        position.step(RAISE)
    position.step(CALL, open_card(JACK, KING, QUEEN))
    assert position.turn() == 0
    assert position.legal() == [CALL, RAISE]


def test_hidden_suits_are_not_in_any_view() -> None:
    """The two cards of a rank give the same views, byte for byte."""
    position = Position(fd.game("leduc(suits_shown=no)"))
    seen = set()
    for own, other, opened in ((QUEEN, KING, JACK), (QUEEN_2, KING_2, JACK_2), (QUEEN, KING_2, JACK)):
        deal(position, own, other)
        position.step(CALL, [])
        position.step(CALL, open_card(own, other, opened))
        seen.add((position.view(0).tobytes(), position.view(1).tobytes()))
    assert len(seen) == 1
