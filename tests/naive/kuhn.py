"""Kuhn poker, slowly: one card each, one bet; two to five players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from naive.draws import Draws
from naive.twin import OVER, padded

PASS, BET = 0, 1


@dataclass
class Gambler:
    card: int
    chips: int = 1
    has_bet: bool = False


class Kuhn:
    def __init__(self, draws: Draws, *, players: int, pass_pays: int):
        self.draws = draws
        self.pass_pays = pass_pays
        deck = list(range(players + 1))
        for place in range(players):  # each card in turn is one of those not yet dealt
            chosen = place + draws.draw(len(deck) - place)
            deck[place], deck[chosen] = deck[chosen], deck[place]
        self.gamblers = [Gambler(card) for card in deck[:players]]
        self.history: list[tuple[int, int]] = []

    def waiting(self) -> list[int]:
        """Who has still to move, in order."""
        everyone = list(range(len(self.gamblers)))
        bettor = self.first_bettor()
        if bettor is None:
            return everyone[len(self.history) :]
        others = everyone[bettor + 1 :] + everyone[:bettor]
        return others[len(self.history) - bettor - 1 :]

    def first_bettor(self) -> int | None:
        return next((player for player, action in self.history if action == BET), None)

    def mover(self) -> int:
        waiting = self.waiting()
        return waiting[0] if waiting else OVER

    def legal(self) -> list[int]:
        return [PASS, BET]

    def step(self, action: int) -> None:
        player = self.mover()
        self.history.append((player, action))
        if action == BET:
            self.gamblers[player].has_bet = True
            self.gamblers[player].chips += 1

    def scores(self) -> list[float]:
        pot = sum(gambler.chips for gambler in self.gamblers)
        contenders = [gambler for gambler in self.gamblers if gambler.has_bet]
        if not contenders:
            if not self.pass_pays:
                return [0.0] * len(self.gamblers)
            contenders = self.gamblers
        winner = max(contenders, key=lambda gambler: gambler.card)
        return [float(pot * (gambler is winner) - gambler.chips) for gambler in self.gamblers]

    def view(self, player: int) -> dict[str, Any]:
        bettor = self.first_bettor()
        return {
            "players": len(self.gamblers),
            "pass_pays": self.pass_pays,
            "player": player,
            "card": self.gamblers[player].card,
            "played": padded([action for _, action in self.history], 9, -1),
            "n_played": len(self.history),
            "first_bet": -1 if bettor is None else bettor,
            "mover": self.mover(),
            "stake": padded([gambler.chips for gambler in self.gamblers], 5, 0),
        }

    def report(self) -> dict[str, set[int]]:
        return {}
