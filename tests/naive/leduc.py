"""Leduc hold'em, slowly: a private card, a round of betting, an open card, a second round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from naive.draws import Draws
from naive.twin import OVER, padded

FOLD, CALL, RAISE = 0, 1, 2


@dataclass(frozen=True, order=True)
class Card:
    rank: int
    suit: int

    def number(self, suits_shown: int) -> int:
        return self.rank * 2 + (self.suit if suits_shown else 0)


class Leduc:
    def __init__(self, draws: Draws, *, ranks: int, raises: int, first_bet: int, second_bet: int, suits_shown: int):
        self.draws = draws
        self.options = {
            "ranks": ranks,
            "raises": raises,
            "first_bet": first_bet,
            "second_bet": second_bet,
            "suits_shown": suits_shown,
        }
        self.deck = [Card(rank, suit) for rank in range(ranks) for suit in range(2)]
        self.private = [self.take_card(), self.take_card()]
        self.open_card: Card | None = None
        self.chips = [1, 1]
        self.rounds: list[list[int]] = [[]]
        self.folded: int | None = None

    def take_card(self) -> Card:
        return self.deck.pop(self.draws.draw(len(self.deck)))

    def betting_is_over(self) -> bool:
        """A round ends with a fold, with a call of a raise, or when both have checked."""
        moves = self.rounds[-1]
        return self.folded is not None or moves == [CALL, CALL] or (RAISE in moves and moves[-1] == CALL)

    def mover(self) -> int:
        return OVER if self.betting_is_over() else len(self.rounds[-1]) % 2

    def legal(self) -> list[int]:
        actions = [CALL]
        if self.chips[0] != self.chips[1]:
            actions.append(FOLD)
        if self.rounds[-1].count(RAISE) < self.options["raises"]:
            actions.append(RAISE)
        return sorted(actions)

    def step(self, action: int) -> None:
        player = self.mover()
        self.rounds[-1].append(action)
        if action == FOLD:
            self.folded = player
            return
        self.chips[player] = self.chips[1 - player]
        if action == RAISE:
            self.chips[player] += self.options["first_bet" if len(self.rounds) == 1 else "second_bet"]
        if self.betting_is_over() and len(self.rounds) == 1:
            self.open_card = self.take_card()
            self.rounds.append([])

    def strength(self, player: int) -> tuple[bool, int]:
        assert self.open_card is not None
        rank = self.private[player].rank
        return rank == self.open_card.rank, rank

    def scores(self) -> list[float]:
        if self.folded is not None:
            loser = self.folded
        elif self.strength(0) == self.strength(1):
            return [0.0, 0.0]
        else:
            loser = 0 if self.strength(0) < self.strength(1) else 1
        lost = float(self.chips[loser])
        return [-lost, lost] if loser == 0 else [lost, -lost]

    def view(self, player: int) -> dict[str, Any]:
        shown = self.options["suits_shown"]
        second = self.rounds[1] if len(self.rounds) == 2 else []
        return {
            **self.options,
            "player": player,
            "card": self.private[player].number(shown),
            "open_card": -1 if self.open_card is None else self.open_card.number(shown),
            "stage": len(self.rounds) - 1,
            "played": [padded(self.rounds[0], 6, -1), padded(second, 6, -1)],
            "n_played": [len(self.rounds[0]), len(second)],
            "n_raises": self.rounds[-1].count(RAISE),
            "stake": self.chips,
            "mover": self.mover(),
            "folded": -1 if self.folded is None else self.folded,
        }

    def report(self) -> dict[str, set[int]]:
        return {}
