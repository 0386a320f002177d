"""Hanabi: rules by hand, ends of games, what is known and seen, deals that fit, words, bad options."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.errors import UsageError
from facedown.games.hanabi import beliefs
from facedown.games.hanabi.cards import (
    COPIES_OF,
    DISCARD,
    FEATURES_OF,
    HINT,
    N_FEATURES,
    PLAY,
    RANK_OF,
    SUIT_OF,
    card_number,
    deck_size,
)
from facedown.games.position import Position
from facedown.native.jit import COMPILED
from games.hanabi_games import PLAYERS, seeing
from naive.compare import SideBySide

BLUE, GREEN, RED, WHITE, YELLOW = range(5)


def dealt(spec: str, seed: int = 1, index: int = 0) -> Position:
    position = Position(fd.game(spec))
    position.sample(seed, index)
    position.start()
    return position


def give(position: Position, player: int, *cards: tuple[int, int]) -> None:
    """Put cards into a hand, whatever the deck holds."""
    for slot, (suit, rank) in enumerate(cards):
        position.state.hands[player, slot] = card_number(suit, rank)
    features = 0
    for card in position.state.hands[player]:
        features |= int(FEATURES_OF[card])
    position.state.holds[player] = features


# --- rules ----------------------------------------------------------------------------------------------------------------


def test_the_deck_has_fifty_cards() -> None:
    assert deck_size(5, 5) == 50 and COPIES_OF[5, 1:].sum() == 50
    for players, each in ((2, 5), (3, 5), (4, 4), (5, 4)):
        state = dealt(f"hanabi(players={players})").state
        assert state.n_deck == 50 - players * each and (state.n_held[:players] == each).all()


def test_a_card_that_fits_is_a_point_and_one_that_does_not_costs_a_life() -> None:
    position = dealt("hanabi")
    give(position, 0, (RED, 1), (RED, 3), (BLUE, 2), (BLUE, 2), (BLUE, 2))
    give(position, 1, (RED, 2), (WHITE, 2), (BLUE, 2), (BLUE, 2), (BLUE, 2))
    position.step(PLAY)
    assert position.state.piles.tolist() == [0, 0, 1, 0, 0] and position.state.n_points == 1 and position.state.n_lives == 3
    position.step(PLAY + 1)
    assert position.state.n_lives == 2 and position.state.discarded[card_number(WHITE, 2)] == 1
    assert position.state.n_points == 1


def test_a_completed_suit_gives_a_token_back() -> None:
    for n_tokens, after in ((3, 4), (8, 8)):
        position = dealt("hanabi")
        position.state.piles[GREEN], position.state.n_points, position.state.n_tokens = 4, 4, n_tokens
        give(position, 0, (GREEN, 5))
        position.step(PLAY)
        assert position.state.n_tokens == after


def test_discarding_gives_a_token_and_is_forbidden_with_all_of_them() -> None:
    position = dealt("hanabi")
    assert not any(DISCARD <= action < HINT for action in position.legal())
    position.step(HINT + int(RANK_OF[position.state.hands[1, 0]]) - 1)
    assert position.state.n_tokens == 7
    position.step(DISCARD)
    assert position.state.n_tokens == 8
    assert DISCARD in dealt("hanabi(rules=thesis)").legal()


def test_hints_need_a_token_and_a_card() -> None:
    position = dealt("hanabi")
    give(position, 1, (RED, 1), (RED, 1), (RED, 2), (RED, 2), (RED, 3))
    hints = [action - HINT for action in position.legal() if action >= HINT]
    assert hints == [0, 1, 2, 5 + RED]
    position.state.n_tokens = 0
    assert not any(action >= HINT for action in position.legal())
    thesis = dealt("hanabi(rules=thesis)")
    assert [action - HINT for action in thesis.legal() if action >= HINT] == list(range(N_FEATURES))


def test_hints_tell_what_cards_are_and_what_they_are_not() -> None:
    position = dealt("hanabi(players=3)")
    give(position, 2, (RED, 1), (BLUE, 1), (RED, 2), (BLUE, 5), (RED, 1))
    position.step(HINT + N_FEATURES + 5 + RED)  # player 0 tells player 2 the red ones
    state = position.state
    assert state.touched == 0b10101 and state.news == 0b10101
    red = 1 << 5 + RED
    assert state.told[2].tolist() == [red, 0, red, 0, red]
    assert state.open[2].tolist() == [red | 31, 0b11011_11111, red | 31, 0b11011_11111, red | 31]
    position.step(HINT + 0)  # player 1 tells player 2 the 1s
    assert state.touched == 0b10011 and state.news == 0b10011
    assert state.told[2].tolist() == [red | 1, 1, red, 0, red | 1]
    assert state.open[2, 1] == (0b11011 << 5 | 1) and state.open[2, 2] == (red | 0b11110)


@pytest.mark.parametrize(("slot", "expected"), [("end", [2, 3, 4, 0]), ("freed", [0, 2, 3, 4])])
def test_where_a_drawn_card_goes(slot: str, expected: list[int]) -> None:
    """The hand begins as numbers of draws 0 to 4; the first card is discarded."""
    position = dealt(f"hanabi(slot={slot},discard_at_max=yes)")
    position.state.told[0] = [1, 2, 4, 8, 16]
    position.step(DISCARD)
    told = position.state.told[0].tolist()
    assert told == ([2, 4, 8, 16, 0] if slot == "end" else [0, 2, 4, 8, 16])
    born = position.state.born[0].tolist()
    assert born == ([1, 2, 3, 4, 10] if slot == "end" else [10, 1, 2, 3, 4])


def test_slots_close_up_when_the_deck_is_empty() -> None:
    position = dealt("hanabi(rules=thesis)")
    position.state.n_deck, position.state.rest, position.state.turns_left = 0, 0, 2
    hand = position.state.hands[0].tolist()
    position.step(DISCARD + 1)
    assert position.state.hands[0].tolist() == [hand[0], *hand[2:], 0] and position.state.n_held[0] == 4


def test_ages_in_rounds() -> None:
    """The deal and draws of round 0 count alike; move 2 of two players is in round 1."""
    position = dealt("hanabi(rules=thesis)")
    for _ in range(3):
        position.step(DISCARD)
    assert position.state.born[0].tolist() == [1, 0, 0, 0, 0] and position.state.born[1].tolist() == [0] * 5


# --- ends -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bomb", "score"), [("keep", 7.0), ("zero", 0.0)])
def test_the_last_life_ends_the_game(bomb: str, score: float) -> None:
    position = dealt(f"hanabi(players=3,bomb={bomb})")
    position.state.n_lives, position.state.n_points = 1, 7
    give(position, 0, (RED, 3))
    position.step(PLAY)
    assert position.over and position.scores().tolist() == [score] * 3


def test_everybody_has_one_more_turn_after_the_last_card() -> None:
    position = dealt("hanabi(players=3,discard_at_max=yes)")
    while position.state.n_deck > 1:
        position.step(DISCARD)
    drawer = position.turn()
    position.step(DISCARD)
    assert position.state.n_deck == 0 and position.state.turns_left == 3
    movers = []
    while not position.over:
        movers.append(position.turn())
        position.step(DISCARD)
    assert movers == [(drawer + 1) % 3, (drawer + 2) % 3, drawer]


def test_all_points_end_the_game() -> None:
    position = dealt("hanabi")
    position.state.piles[:] = [5, 5, 5, 5, 4]
    position.state.n_points = 24
    give(position, 0, (YELLOW, 5))
    position.step(PLAY)
    assert position.over and position.scores().tolist() == [25.0, 25.0]


@pytest.mark.parametrize("spec", ["hanabi(players=3)", "hanabi(players=5,rules=thesis)", "hanabi(rules=thesis,slot=end)"])
def test_long_games_are_those_of_the_twin(spec: str) -> None:
    """Games of somebody who sees the cards: late positions, last rounds, hands that shrink."""
    generator, endings = random.Random(3), set()
    for index in range(12 if COMPILED else 1):
        both = SideBySide(fd.game(spec), 2, index)
        both.play(lambda legal, both=both: seeing(both.position, generator))
        endings.add(int(both.position.state.n_deck))
    assert 0 in endings


# --- what is seen and imagined ------------------------------------------------------------------------------------------------


def test_who_draws_does_not_see_the_card() -> None:
    position = dealt("hanabi(players=3)")
    position.step(PLAY)
    assert (position.view(0).hands[0] == 0).all()
    for other in (1, 2):
        assert position.view(other).hands[0].tolist() == position.state.hands[0].tolist()


def exact_hands(view: Any) -> dict[tuple[int, ...], int]:
    """All ways to take the own hand from the unseen copies, by trying them."""
    player, n_held = int(view.player), int(view.n_held[view.player])
    unseen = []
    for card in range(1, 26):
        if SUIT_OF[card] < view.suits and RANK_OF[card] <= view.ranks:
            n_out = int(view.discarded[card]) + int(RANK_OF[card] <= view.piles[SUIT_OF[card]])
            n_out += sum(int(seen == card) for hand in view.hands for seen in hand)
            unseen += [card] * (int(COPIES_OF[view.ranks, card]) - n_out)
    found: dict[tuple[int, ...], int] = {}
    for hand in permutations(unseen, n_held):
        if all(int(view.open[player, slot]) & FEATURES_OF[card] == FEATURES_OF[card] for slot, card in enumerate(hand)):
            found[hand] = found.get(hand, 0) + 1
    return found


@pytest.mark.parametrize("spec", ["hanabi(suits=2,ranks=3,hand=3)", "hanabi(players=3,suits=2,ranks=3,hand=2)"])
def test_hands_are_counted_right(spec: str) -> None:
    """The number of hands that fit, by inclusion and exclusion, is that found by trying all."""
    generator, n_checked = random.Random(1), 0
    for index in range(15 if COMPILED else 3):
        position = dealt(spec, 5, index)
        while not position.over:
            view = position.view(position.turn())
            unseen, slots = np.zeros(26, np.int64), np.zeros(26, np.int64)
            common, ways = np.zeros(32, np.int64), np.zeros(32, np.int64)
            beliefs.count_unseen(view, unseen)
            beliefs.count_common(view, unseen, slots, common)
            n_held = int(view.n_held[view.player])
            counted = beliefs.count_ways(common, (1 << n_held) - 1, 0, ways)
            assert counted == sum(exact_hands(view).values())
            n_checked += 1
            position.step(PLAYERS["uniform"](position, generator))
    assert n_checked > 20


# --- words --------------------------------------------------------------------------------------------------------------------


def test_words_tell_what_each_player_may_know() -> None:
    position = dealt("hanabi(players=3)")
    give(position, 0, (RED, 1), (BLUE, 1), (GREEN, 2), (BLUE, 5), (RED, 4))
    give(position, 1, (RED, 2), (BLUE, 1), (GREEN, 2), (WHITE, 5), (RED, 4))
    before = {player: position.view(player).copy() for player in range(3)}
    game = position.game
    assert game.narrate is not None
    position.step(HINT + 5 + RED)
    told = {player: game.narrate(before[player], position.view(player)) for player in range(3)}
    assert told[0] == "You tell player 1: cards 1 and 5 are red."
    assert told[1] == "Player 0 tells you: cards 1 and 5 are red."
    assert told[2] == "Player 0 tells player 1: cards 1 and 5 are red."
    assert "You know of your cards  1: red; 2: not red; 3: not red; 4: not red; 5: red." in game.describe(position.view(1))
    assert "Player 1 holds  1: red 2 (red); 2: blue 1 (not red)" in game.describe(position.view(0))
    before = {player: position.view(player).copy() for player in range(3)}
    position.step(PLAY + 1)
    drawn = int(position.state.hands[1, 4])
    told = {player: game.narrate(before[player], position.view(player)) for player in range(3)}
    assert told[1] == "You play card 2, blue 1. You draw a card."
    from facedown.games.hanabi.text import card_name

    assert told[0] == f"Player 1 plays card 2, blue 1. Player 1 draws {card_name(drawn)}."


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("p 2", PLAY + 1),
        ("play card 5", PLAY + 4),
        ("discard 1", DISCARD),
        ("d3", DISCARD + 2),
        ("tell 1 red", HINT + 5 + RED),
        ("hint 2 y", HINT + N_FEATURES + 5 + YELLOW),
        ("tell player 2 rank 3", HINT + N_FEATURES + 2),
        ("1 4s", HINT + 3),
        ("tell red", None),
        ("tell 0 red", None),
        ("12", None),
        ("tell 1 purple", None),
    ],
)
def test_moves_are_understood(typed: str, action: int | None) -> None:
    position = dealt("hanabi(players=3)")
    assert position.game.parse_action is not None
    assert position.game.parse_action(position.view(0), typed) == action


def test_with_two_players_the_other_one_need_not_be_named() -> None:
    position = dealt("hanabi")
    assert position.game.parse_action is not None
    assert position.game.parse_action(position.view(0), "tell red") == HINT + 5 + RED
    assert position.game.parse_action(position.view(0), "rank 2") == HINT + 1


# --- options ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("hanabi(players=6)", "players=6 is out of bounds"),
        ("hanabi(rules=house)", "choose one of official, thesis"),
        ("hanabi(slot=left)", "choose one of rules, end, freed"),
        ("hanabi(suits=1,ranks=2)", "leave none to draw"),
        ("hanabi(cards=3)", "option of hanabi"),
    ],
)
def test_bad_options_are_refused(spec: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        fd.game(spec)


def test_single_switches_go_before_the_rules() -> None:
    state = dealt("hanabi(rules=thesis,slot=end,empty_hints=no)").state
    assert (state.slot_freed, state.hints_empty, state.discards_at_max, state.born_in_rounds) == (0, 0, 1, 1)
