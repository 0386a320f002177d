"""War, slowly: two piles of cards, and the order in which won cards go under the winner's pile."""

from __future__ import annotations

from typing import Any

from naive.draws import Draws, shuffle
from naive.twin import OVER, padded

DESCENDING, ASCENDING, SHUFFLED, OWN_FIRST, OTHER_FIRST = range(5)
MAX_CARDS = 52


class War:
    def __init__(self, draws: Draws, *, ranks: int, suits: int, max_rounds: int, last_card: int, repetition: int = 0):
        self.draws = draws
        self.options = {"ranks": ranks, "suits": suits, "max_rounds": max_rounds, "last_card": last_card}
        self.options["repetition"] = repetition
        deck = [rank for rank in range(ranks) for _ in range(suits)]
        shuffle(draws, deck)
        half = len(deck) // 2
        self.begin([deck[:half], deck[half:]])

    def begin(self, piles: list[list[int]]) -> None:
        """Play from these piles, top card first."""
        self.piles = [list(pile) for pile in piles]
        self.laid: list[list[int]] = [[], []]
        self.n_rounds = 0
        self.taker: int | None = None
        self.over = self.capped = self.came_back = False
        self.marked: list[list[int]] | None = None
        self.winner: int | None = None
        self.first_seen: dict[tuple[tuple[int, ...], ...], int] = {}
        self.repeats: list[tuple[int, int]] = []
        self.play_round()

    def play_round(self) -> None:
        """Lay cards until somebody has won the round; who has no more cards then has lost."""
        self.n_rounds += 1
        self.laid = [[], []]
        for player in (0, 1):
            self.lay(player, 1)
        self.taker = self.find_taker()
        if self.taker is None or not self.piles[1 - self.taker]:
            self.over = True
            self.winner = self.taker

    def find_taker(self) -> int | None:
        """Who takes the cards of this round, after as many wars as it needs; None: nobody can lay on."""
        while self.laid[0][-1] == self.laid[1][-1]:
            needed = 1 if self.options["last_card"] else 2
            able = [player for player in (0, 1) if len(self.piles[player]) >= needed]
            for player in (0, 1):
                self.lay(player, 2)
            if len(able) < 2:
                return able[0] if able else None
        return 0 if self.laid[0][-1] > self.laid[1][-1] else 1

    def lay(self, player: int, count: int) -> None:
        """Cards from the top of a pile to the table, or what is left of them."""
        pile = self.piles[player]
        self.laid[player] += pile[:count]
        del pile[:count]

    def mover(self) -> int:
        return OVER if self.over or self.taker is None else self.taker

    def legal(self) -> list[int]:
        return [DESCENDING, ASCENDING, SHUFFLED, OWN_FIRST, OTHER_FIRST]

    def table(self) -> list[int]:
        """The cards on the table: the taker's first, player 0's if nobody takes them."""
        first = self.taker or 0
        return self.laid[first] + self.laid[1 - first]

    def step(self, action: int) -> None:
        taker = self.taker
        assert taker is not None
        won = self.table()
        if action == DESCENDING:
            won.sort(reverse=True)
        elif action == ASCENDING:
            won.sort()
        elif action == SHUFFLED:
            shuffle(self.draws, won)
            self.first_seen.clear()
            self.marked = None
        elif action == OTHER_FIRST:
            won = self.laid[1 - taker] + self.laid[taker]
        self.piles[taker] += won
        self.laid = [[], []]
        self.note_repeats()
        self.came_back = self.came_back or self.piles == self.marked
        if self.n_rounds in (2**power for power in range(32)):
            self.marked = [list(pile) for pile in self.piles]
        if self.options["repetition"] and self.came_back:
            self.over = True
        elif self.n_rounds == self.options["max_rounds"]:
            self.over = self.capped = True
        else:
            self.play_round()

    def note_repeats(self) -> None:
        """Write down (round then, round now) if the piles were the same before, with no shuffle in between."""
        piles = tuple(tuple(pile) for pile in self.piles)
        if piles in self.first_seen:
            self.repeats.append((self.first_seen[piles], self.n_rounds))
        else:
            self.first_seen[piles] = self.n_rounds

    def scores(self) -> list[float]:
        if self.winner is None:
            return [0.5, 0.5]
        return [float(self.winner == player) for player in (0, 1)]

    def view(self, player: int) -> dict[str, Any]:
        table = self.table()
        return {
            **self.options,
            "player": player,
            "mover": self.mover(),
            "n_rounds": self.n_rounds,
            "n_cards": [len(pile) for pile in self.piles],
            "table": padded(table, MAX_CARDS, 0),
            "n_table": len(table),
            "n_own": len(self.laid[self.taker or 0]),
            "won_by": -1 if self.winner is None else self.winner,
        }

    def report(self) -> dict[str, set[int]]:
        return {"capped": {int(self.capped)}, "cycled": self.cycled()}

    def cycled(self) -> set[int]:
        """A cycle can be called only if one was closed.

        Brent's method sees it at the latest when three times as many rounds are played as pass before it closes.
        """
        if not self.repeats:
            return {0}
        if self.options["repetition"]:  # the rule itself names the piles that are looked at: after rounds 1, 2, 4, 8, ...
            return {int(self.came_back)}
        return {1} if any(3 * closed <= self.n_rounds for _, closed in self.repeats) else {0, 1}
