"""Rrrats!, slowly: two dice, a pile of tokens, a hand that may be lost, and points that may be stolen."""

from __future__ import annotations

from typing import Any

from naive.draws import Draws
from naive.twin import OVER

STOP, ROLL = 0, 1
SIX_FACES = [3, 2, 1]  # how many of them show 0, 1, 2


class Rrrats:
    def __init__(self, draws: Draws, *, tokens: int, zeros_bank: int, roll_at_four: int, max_throws: int):
        self.draws = draws
        self.options = {
            "tokens": tokens,
            "zeros_bank": zeros_bank,
            "roll_at_four": roll_at_four,
            "max_throws": max_throws,
        }
        self.pile = tokens
        self.points = [0, 0]
        self.hand = 0
        self.player = 0
        self.throws: list[tuple[int, list[int]]] = []
        self.capped = False

    def is_over(self) -> bool:
        return self.pile == 0 or self.capped

    def mover(self) -> int:
        return OVER if self.is_over() else self.player

    def legal(self) -> list[int]:
        return [STOP, ROLL] if self.hand else [ROLL]

    def step(self, action: int) -> None:
        if action == STOP:
            self.end_turn()
            return
        dice = [self.draws.draw_from(SIX_FACES), self.draws.draw_from(SIX_FACES)]
        self.throws.append((self.player, dice))
        for _ in range(dice.count(2)):
            self.steal()
        for _ in range(dice.count(1)):
            self.take_from_pile()
        if self.pile == 0:
            self.end_turn()  # the hand counts
        elif dice == [0, 0]:
            if not self.options["zeros_bank"]:
                self.put_back(self.hand)
            self.end_turn()
        elif self.hand > 4:
            self.put_back(self.hand - 4)
            self.end_turn()
        elif self.hand == 4 and not self.options["roll_at_four"]:
            self.end_turn()
        if len(self.throws) == self.options["max_throws"] and self.pile:
            self.capped = True
            self.end_turn()

    def steal(self) -> None:
        victim = 1 - self.player
        if self.points[victim]:
            self.points[victim] -= 1
            self.hand += 1
        else:
            self.take_from_pile()

    def take_from_pile(self) -> None:
        if self.pile:
            self.pile -= 1
            self.hand += 1

    def put_back(self, count: int) -> None:
        self.hand -= count
        self.pile += count

    def end_turn(self) -> None:
        self.points[self.player] += self.hand
        self.hand = 0
        self.player = 1 - self.player

    def scores(self) -> list[float]:
        first, second = self.points
        score = (first > second) + 0.5 * (first == second)
        return [score, 1.0 - score]

    def view(self, player: int) -> dict[str, Any]:
        thrower, dice = self.throws[-1] if self.throws else (-1, [-1, -1])
        return {
            **self.options,
            "player": player,
            "mover": self.mover(),
            "pile": self.pile,
            "points": list(self.points),
            "hand": self.hand,
            "dice": dice,
            "thrower": thrower,
            "n_throws": len(self.throws),
        }

    def report(self) -> dict[str, set[int]]:
        return {"capped": {int(self.capped)}}
