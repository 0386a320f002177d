"""Kuhn poker: values that are known from elsewhere, by the slow twin, by OpenSpiel and by native matches."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import facedown as fd
from facedown.games.position import Position
from facedown.native.jit import COMPILED
from naive.draws import Generated
from naive.exact import uniform_values
from naive.kuhn import Kuhn
from naive.twin import OVER

N_GAMES = 400_000 if COMPILED else 1_500
STANDARD_ERRORS = 4  # false alarms: 6 in 100,000 for each figure


def test_uniform_play_is_worth_an_eighth() -> None:
    """By hand: what is shown down cancels over all deals; "bet, fold" wins 1 with probability 1/4, "pass, bet, fold" loses
    1 with probability 1/8.
    """
    assert uniform_values(lambda draws: Kuhn(draws, players=2, pass_pays=1)) == [Fraction(1, 8), Fraction(-1, 8)]


@pytest.mark.parametrize("players", [2, 3])
def test_match_of_uniform_players_agrees_with_exact_enumeration(players: int) -> None:
    exact = uniform_values(lambda draws: Kuhn(draws, players=players, pass_pays=1))
    assert sum(exact) == 0
    result = fd.match(f"kuhn(players={players})", ["uniform"] * players, games=N_GAMES, seed=3, swap=False)
    for mean, stderr, value in zip(result.mean, result.stderr, exact, strict=True):
        assert abs(mean - float(value)) < STANDARD_ERRORS * stderr


def test_unpaid_passes_are_worth_nothing() -> None:
    """The source's variant."""
    position = Position(fd.game("kuhn(pass_pays=no)"))
    position.sample(1, 0)
    position.start()
    position.step(0)
    position.step(0)
    assert position.over
    assert position.scores().tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("cards", "moves", "scores"),
    [
        ([2, 0], [0, 0], [1, -1]),  # the king takes the ante
        ([0, 2], [0, 0], [-1, 1]),
        ([0, 2], [1, 0], [1, -1]),  # a bluff that works
        ([0, 2], [1, 1], [-2, 2]),  # one that does not
        ([1, 0], [0, 1, 0], [-1, 1]),
        ([1, 0], [0, 1, 1], [2, -2]),
        ([3, 1, 0], [0, 0, 0], [2, -1, -1]),
        ([3, 1, 0], [0, 1, 0, 0], [-1, 2, -1]),  # the highest card has folded
        ([3, 1, 2], [0, 1, 1, 0], [-1, -2, 3]),
        ([3, 1, 2], [0, 0, 1, 1, 1], [4, -2, -2]),
    ],
)
def test_who_wins_the_pot(cards: list[int], moves: list[int], scores: list[int]) -> None:
    deck, draws = list(range(len(cards) + 1)), []
    for place, card in enumerate(cards):
        chosen = deck.index(card)
        draws.append((chosen - place, len(deck) - place))
        deck[place], deck[chosen] = deck[chosen], deck[place]
    position = Position(fd.game("kuhn", players=len(cards)))
    position.start(draws)
    assert [int(position.view(player).card) for player in range(len(cards))] == cards
    for move in moves:
        assert not position.over
        position.step(move, [])
    assert position.over
    assert position.scores().tolist() == scores


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_twin_plays_like_openspiel(players: int) -> None:
    """The same cards and the same random actions in both: the same movers and the same pay."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (the optional extra 'peers')")
    theirs_all = pyspiel.load_game("kuhn_poker", {"players": players})
    generator = random.Random(players)
    for _ in range(200):
        ours = Kuhn(Generated(generator), players=players, pass_pays=1)
        theirs = theirs_all.new_initial_state()
        for gambler in ours.gamblers:
            theirs.apply_action(gambler.card)
        while ours.mover() != OVER:
            assert theirs.current_player() == ours.mover()
            assert theirs.legal_actions() == ours.legal()
            action = generator.choice(ours.legal())
            theirs.apply_action(action)
            ours.step(action)
        assert theirs.is_terminal()
        assert list(theirs.returns()) == ours.scores()
