"""Every game against its slow twin: the same draws and actions give the same movers, legal actions, views and scores."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from facedown.games import registry
from facedown.native.jit import COMPILED
from naive import compare
from naive.cant_stop import CantStop
from naive.compare import TWINS, DifferenceError, SideBySide
from naive.domino import Domino
from naive.goofspiel import Goofspiel
from naive.hanabi import Card, Hanabi
from naive.kuhn import Kuhn
from naive.leduc import Leduc
from naive.love_letter import Entry, LoveLetter
from naive.rrrats import Rrrats
from naive.twin import Twin
from naive.war import War

SETTINGS = [
    "cant_stop(max_turns=12)",
    "cant_stop(players=1,max_turns=12)",
    "cant_stop(players=3,shortest=1,blocking=yes,max_turns=12)",
    "cant_stop(players=4,shortest=1,columns=2,extended=yes,max_turns=16)",
    "cant_stop(players=1,sides=2,shortest=1)",
    "cant_stop(players=1,sides=3,shortest=9,max_turns=4)",
    "cant_stop(sides=3,shortest=1,blocking=yes,max_turns=20)",
    "cant_stop(sides=4,shortest=2,columns=1,max_turns=20)",
    "cant_stop(players=4,sides=2,columns=3,extended=yes,blocking=yes,max_turns=20)",
    "cant_stop(players=3,sides=5,shortest=1,max_turns=9)",
    "domino",
    "domino(tiles=4,hand=2)",
    "domino(tiles=6,hand=2,drawing=before)",
    "domino(hand=2,drawing=before,blocked=last,points=all)",
    "domino(players=3,blocked=last,points=all)",
    "domino(tiles=9,players=3,hand=2,drawing=before,points=one)",
    "domino(players=4,hand=2,points=one)",
    "domino(tiles=8,players=4,hand=2)",
    "goofspiel",
    "goofspiel(cards=2,returns=difference)",
    "goofspiel(cards=5,bids=winner,order=descending)",
    "goofspiel(cards=6,ties=carry,returns=difference)",
    "goofspiel(players=3,cards=4,ties=split,bids=winner,order=ascending,returns=difference)",
    "goofspiel(players=3,cards=5,ties=carry,bids=winner)",
    "goofspiel(players=4,cards=13,ties=split,returns=difference)",
    "goofspiel(players=4,cards=3,bids=winner)",
    *(f"hanabi(players={players},rules={rules})" for players in (2, 3, 4, 5) for rules in ("official", "thesis")),
    "hanabi(slot=freed,bomb=zero,empty_hints=yes)",
    "hanabi(players=3,rules=thesis,slot=end,age=draw,discard_at_max=no)",
    "hanabi(suits=1,ranks=2,hand=1,tokens=1,lives=1)",
    "hanabi(suits=3,ranks=3,hand=2,tokens=2)",
    "hanabi(players=5,suits=4,ranks=1,hand=2,rules=thesis)",
    *(f"kuhn(players={players},pass_pays={pays})" for players in (2, 3, 4, 5) for pays in ("yes", "no")),
    "leduc",
    "leduc(suits_shown=no)",
    "leduc(ranks=2,raises=1)",
    "leduc(ranks=13,raises=4,first_bet=20,second_bet=40)",
    "leduc(ranks=4,raises=3,first_bet=1,second_bet=1,suits_shown=no)",
    "love_letter",
    "love_letter(guards=4)",
    "love_letter(players=3)",
    "love_letter(players=4)",
    "love_letter(deck=20210211,face_up=0)",
    "love_letter(players=4,deck=10203310)",
    "love_letter(players=3,match=yes)",
    "love_letter(deck=10111011,face_up=0,match=yes)",
    "war(max_rounds=40)",
    "war(max_rounds=40,last_card=yes)",
    "war(ranks=1,suits=2)",
    "war(ranks=2,suits=2,last_card=yes)",
    "war(ranks=2,suits=3,max_rounds=1)",
    "war(ranks=3,suits=2)",
    "war(ranks=3,suits=4,last_card=yes)",
    "war(ranks=4,suits=3,max_rounds=5)",
    "war(ranks=3,suits=2,repetition=draw)",
    "war(ranks=4,suits=2,max_rounds=200,repetition=draw,last_card=yes)",
    "rrrats",
    "rrrats(zeros_bank=yes)",
    "rrrats(roll_at_four=yes)",
    "rrrats(tokens=1)",
    "rrrats(tokens=2,roll_at_four=yes,zeros_bank=yes)",
    "rrrats(tokens=8,max_throws=9)",
    "rrrats(tokens=99,max_throws=3,roll_at_four=yes)",
]

# a failure is made smaller where games are quick; uncompiled that would take minutes
PHASES = (Phase.generate, Phase.shrink) if COMPILED else (Phase.generate,)


@pytest.mark.parametrize("spec", SETTINGS)
@settings(max_examples=20 if COMPILED else 5, phases=PHASES)
@given(seed=st.integers(0, 2**63 - 1), index=st.integers(0, 10**6), choices=st.lists(st.integers(0, 59), min_size=1))
def test_plays_like_its_twin(spec: str, seed: int, index: int, choices: list[int]) -> None:
    """The choices are used again from the first when a game is longer; 60 is a multiple of all numbers of actions."""
    both = SideBySide(registry.game(spec), seed, index)
    both.play(lambda legal: legal[choices[len(both.actions) % len(choices)] % len(legal)])


@pytest.mark.parametrize("spec", ["cant_stop", "war", "war(last_card=yes)", "rrrats", "rrrats(roll_at_four=yes)"])
def test_plays_like_its_twin_to_the_natural_end(spec: str) -> None:
    """Whole games with the usual cards and tokens, which the cap does not cut short."""
    game = registry.game(spec)
    for index in range(2 if COMPILED else 1):
        generator = random.Random(index)
        SideBySide(game, 1, index).play(generator.choice)


def test_every_game_has_a_twin() -> None:
    assert sorted(TWINS) == sorted(registry.BUILT_IN)
    assert {spec.split("(")[0] for spec in SETTINGS} == set(registry.BUILT_IN)


# --- the comparison itself must see faults ----------------------------------------------------------------------------


class DoublesMoveOnce(CantStop):
    def moves(self, dice: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
        return {action: tuple(sorted(set(sums))) for action, sums in super().moves(dice).items()}


class LowCardWins(Kuhn):
    def scores(self) -> list[float]:
        return list(reversed(super().scores()))


class LineOfOneEnd(Domino):
    def legal(self) -> list[int]:
        return [action for action in super().legal() if action % 2 == 0] or super().legal()


class TiesAreWon(Goofspiel):
    def open_bids(self) -> None:
        self.bidders[0].bids[-1] += 100  # nobody bids as much as player 0
        super().open_bids()
        self.bidders[0].bids[-1] -= 100


class NothingExcluded(Hanabi):
    def tell(self, hand: list[Card], said: str | int) -> None:
        super().tell([card for card in hand if card.has(said)], said)


class NoRaises(Leduc):
    def legal(self) -> list[int]:
        return super().legal()[:-1] or [1]


class OrdersExchanged(War):
    def step(self, action: int) -> None:
        super().step(1 - action if action in {0, 1} else action)


class NoProtection(LoveLetter):
    def do_handmaid(self, entry: Entry) -> None:
        pass


class NoStealing(Rrrats):
    def steal(self) -> None:
        self.take_from_pile()


class DrawsTwice(Rrrats):
    def step(self, action: int) -> None:
        super().step(action)
        if action == 1:
            self.draws.draw_from([3, 2, 1])


@pytest.mark.parametrize(
    ("spec", "faulty", "named"),
    [
        ("kuhn", LowCardWins, "scores"),
        ("cant_stop", DoublesMoveOnce, "'runner' of player 0's view"),
        ("domino", LineOfOneEnd, "legal actions"),
        ("goofspiel(cards=3)", TiesAreWon, "'takers' of player 0's view"),
        ("hanabi", NothingExcluded, "'open' of player 0's view"),
        ("leduc", NoRaises, "legal actions"),
        ("love_letter", NoProtection, "legal actions"),
        ("war(ranks=4,suits=2)", OrdersExchanged, "the twin"),
        ("rrrats", NoStealing, "'pile' of player 0's view"),
        ("rrrats", DrawsTwice, "draws"),
    ],
)
def test_comparison_names_the_first_difference(
    spec: str, faulty: Callable[..., Twin], named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = registry.game(spec)
    monkeypatch.setitem(compare.TWINS, game.name, faulty)

    generator = random.Random(1)

    def play_some() -> None:
        for index in range(20):
            SideBySide(game, 5, index).play(generator.choice)

    with pytest.raises(DifferenceError) as caught:
        play_some()
    message = str(caught.value)
    assert message.startswith(f"{game}, seed 5, game "), message
    assert named in message and "after move" in message


def test_comparison_finds_views_that_differ_in_one_field(monkeypatch: pytest.MonkeyPatch) -> None:
    class Talkative(Kuhn):
        def view(self, player: int) -> dict[str, Any]:
            return {**super().view(player), "card": self.gamblers[0].card}  # tells everybody the card of player 0

    monkeypatch.setitem(compare.TWINS, "kuhn", Talkative)
    with pytest.raises(DifferenceError, match="'card' of player 1's view"):
        SideBySide(registry.game("kuhn"), 1)
