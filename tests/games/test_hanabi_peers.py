"""Hanabi beside OpenSpiel's, with the same cards: legal moves, tokens, lives, piles, hands, discards, what is known, scores.

OpenSpiel wraps the Hanabi Learning Environment (Bard et al., The Hanabi challenge, 2020), whose suits are called otherwise
and stand in the same places. Its score is zero when the last life is lost: `bomb=zero` here.
"""

from __future__ import annotations

import random
import re
import warnings
from typing import Any

import pytest

import facedown as fd
from facedown.games.hanabi.cards import DISCARD, FEATURE_OF, FIRST_SUIT, HINT, N_FEATURES, RANK_OF, SUIT_OF, card_number
from facedown.games.position import Position
from facedown.native.jit import COMPILED
from games.hanabi_games import PLAYERS

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its own dependencies
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (the optional extra 'peers')")

LETTERS = "RYGWB"
N_GAMES = 350 if COMPILED else 6
PAIRS = [
    *((f"hanabi(players={players},bomb=zero)", f"players={players}") for players in (2, 3, 4, 5)),
    (
        "hanabi(players=3,suits=2,ranks=3,hand=2,tokens=3,lives=2,bomb=zero)",
        "players=3,colors=2,ranks=3,hand_size=2,max_information_tokens=3,max_life_tokens=2",
    ),
]


def text_of(position: Position, action: int) -> str:
    """Our action as OpenSpiel writes it."""
    if action < HINT:
        return f"({'Play' if action < DISCARD else 'Discard'} {action % DISCARD})"
    aim, feature = (action - HINT) // N_FEATURES + 1, int(FEATURE_OF[action])
    said = f"color {LETTERS[feature - FIRST_SUIT]}" if feature >= FIRST_SUIT else f"rank {feature + 1}"
    return f"(Reveal player +{aim} {said})"


def card_of(text: str) -> int:
    return card_number(LETTERS.index(text[0]), int(text[1]))


def deal(theirs: Any, card: int, ranks: int) -> None:
    """Let chance deal them this card, which must be possible."""
    number = int(SUIT_OF[card]) * ranks + int(RANK_OF[card]) - 1
    assert number in [outcome for outcome, p in theirs.chance_outcomes() if p > 0]
    theirs.apply_action(number)


def compare(position: Position, theirs: Any, legal: list[int]) -> None:
    """All that their text tells of a position."""
    state, text = position.state, str(theirs)
    assert int(re.search(r"Life tokens: (\d+)", text)[1]) == state.n_lives  # type: ignore[index]
    assert int(re.search(r"Info tokens: (\d+)", text)[1]) == state.n_tokens  # type: ignore[index]
    piles = re.search(r"Fireworks: (.*)", text)[1].split()  # type: ignore[index]
    assert [int(pile[1]) for pile in piles] == state.piles[: state.suits].tolist()
    assert int(re.search(r"Deck size: (\d+)", text)[1]) == state.n_deck  # type: ignore[index]
    discards = [card_of(card) for card in text.partition("Discards:")[2].split()]
    assert [discards.count(card) for card in range(26)] == state.discarded.tolist()
    hands = text.partition("Hands:\n")[2].partition("Deck size")[0].split("-----\n")
    for player, hand in enumerate(hands):
        for slot, line in enumerate(line for line in hand.splitlines() if "||" in line):
            face, known, possible = re.match(r"(..) \|\| (..)\|(\w+)", line).groups()  # type: ignore[union-attr]
            assert card_of(face) == state.hands[player, slot]
            assert sum(1 << feature_of(one) for one in known if one != "X") == state.told[player, slot]
            assert sum(1 << feature_of(one) for one in possible) == state.open[player, slot]
        assert slot == state.n_held[player] - 1
    if not position.over:
        assert sorted(theirs.action_to_string(state.mover, action) for action in theirs.legal_actions()) == sorted(
            text_of(position, action) for action in legal
        )


def feature_of(letter: str) -> int:
    return int(letter) - 1 if letter.isdigit() else FIRST_SUIT + LETTERS.index(letter)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("ours", "parameters"), PAIRS)
def test_games_are_played_and_scored_alike(ours: str, parameters: str, player: str) -> None:
    game, generator, endings = fd.game(ours), random.Random(1), set()
    their_game = pyspiel.load_game(f"hanabi({parameters})")
    choose, n_games = PLAYERS[player], N_GAMES if player == "uniform" else max(N_GAMES // 4, 4)
    for index in range(n_games):
        position = Position(game)
        position.sample(1, index)
        position.start()
        theirs = their_game.new_initial_state()
        for seat in range(game.n_players):
            for card in position.state.hands[seat, : position.state.n_held[seat]].tolist():
                deal(theirs, card, game.values["ranks"])
        while not position.over:
            legal = position.legal()
            compare(position, theirs, legal)
            mover, n_deck, action = position.turn(), int(position.state.n_deck), choose(position, generator)
            text = text_of(position, action)
            theirs.apply_action(next(one for one in theirs.legal_actions() if theirs.action_to_string(mover, one) == text))
            position.step(action)
            if position.state.n_deck < n_deck and theirs.is_chance_node():
                deal(theirs, int(position.state.hands[mover, position.state.n_held[mover] - 1]), game.values["ranks"])
        assert theirs.is_terminal()
        assert theirs.returns() == position.scores().tolist()
        points, lives = int(position.state.n_points), int(position.state.n_lives)
        endings.add("bomb" if lives == 0 else "complete" if points == game.score_range[1] else "last round")
    if COMPILED:
        assert "last round" in endings if player == "seeing" else "bomb" in endings
