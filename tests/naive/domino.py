"""Domino with few tiles, slowly: hands and a stock of tiles, and one line on the table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from naive.draws import Draws
from naive.twin import OVER, padded

LEFT, RIGHT = 0, 1
AFTER, BEFORE = 0, 1
FEWEST, LAST = 0, 1
OWN, ALL, ONE = 0, 1, 2


@dataclass(frozen=True)
class Tile:
    number: int
    low: int
    high: int

    @property
    def pips(self) -> int:
        return self.low + self.high

    def turned_to(self, half: int) -> tuple[int, int] | None:
        """The halves with this one first, or None if the tile has no such half."""
        if half == self.low:
            return self.low, self.high
        return (self.high, self.low) if half == self.high else None


# the order in which sets grow: double-zero, double-one, double-two, double-three
BOX = [
    Tile(0, 0, 0),
    Tile(1, 0, 1),
    Tile(2, 1, 1),
    Tile(3, 0, 2),
    Tile(4, 1, 2),
    Tile(5, 2, 2),
    Tile(6, 0, 3),
    Tile(7, 1, 3),
    Tile(8, 2, 3),
    Tile(9, 3, 3),
]


@dataclass(eq=False)
class Person:
    hand: list[Tile]
    drawn: list[Tile]

    @property
    def pips(self) -> int:
        return sum(tile.pips for tile in self.hand)


class Domino:
    def __init__(self, draws: Draws, *, tiles: int, players: int, hand: int, drawing: int, blocked: int, points: int):
        self.draws = draws
        self.options = {
            "tiles": tiles,
            "players": players,
            "hand": hand,
            "drawing": drawing,
            "blocked": blocked,
            "points": points,
        }
        self.stock = BOX[:tiles]
        self.people = [Person(self.take_from_stock(hand), []) for _ in range(players)]
        self.line: list[tuple[int, int]] = []
        self.actions: list[int] = []
        self.over = False
        self.begin_turn()

    def take_from_stock(self, size: int) -> list[Tile]:
        """One of all ways to take so many tiles, at random; there is nothing to draw where there is one way."""
        ways = list(combinations(self.stock, size))
        taken = list(ways[self.draws.draw(len(ways)) if len(ways) > 1 else 0])
        self.stock = [tile for tile in self.stock if tile not in taken]
        return taken

    def give_one(self, person: Person) -> None:
        if self.stock:
            taken = self.take_from_stock(1)
            person.hand += taken
            person.drawn += taken

    def whose_turn(self) -> int:
        return len(self.actions) % len(self.people)

    def begin_turn(self) -> None:
        person = self.people[self.whose_turn()]
        if self.options["drawing"] == BEFORE:
            self.give_one(person)
        self.over = not self.possible(person)

    def ends(self) -> tuple[int, int] | None:
        return (self.line[0][0], self.line[-1][1]) if self.line else None

    def possible(self, person: Person) -> list[int]:
        """Every tile at every end where it fits; at one end only where both show the same number."""
        ends = self.ends()
        found = []
        for tile in person.hand:
            if ends is None or tile.turned_to(ends[LEFT]):
                found.append(2 * tile.number + LEFT)
            if ends is not None and ends[LEFT] != ends[RIGHT] and tile.turned_to(ends[RIGHT]):
                found.append(2 * tile.number + RIGHT)
        return sorted(found)

    def mover(self) -> int:
        return OVER if self.over else self.whose_turn()

    def legal(self) -> list[int]:
        return self.possible(self.people[self.whose_turn()])

    def step(self, action: int) -> None:
        person, tile = self.people[self.whose_turn()], BOX[action // 2]
        person.hand.remove(tile)
        self.put(tile, action % 2)
        self.actions.append(action)
        if not person.hand:
            self.over = True
            return
        if self.options["drawing"] == AFTER:
            self.give_one(person)
        self.begin_turn()

    def put(self, tile: Tile, end: int) -> None:
        ends = self.ends()
        if ends is None:
            self.line.append((tile.low, tile.high))
            return
        halves = tile.turned_to(ends[end])
        assert halves is not None
        inner, outer = halves
        if end == LEFT:
            self.line.insert(0, (outer, inner))
        else:
            self.line.append((inner, outer))

    def winners(self) -> list[Person]:
        out = [person for person in self.people if not person.hand]
        if out:
            return out
        if self.options["blocked"] == LAST:
            return [self.people[self.whose_turn() - 1]]
        fewest = min(person.pips for person in self.people)
        return [person for person in self.people if person.pips == fewest]

    def scores(self) -> list[float]:
        winners = self.winners()
        total = sum(person.pips for person in self.people)
        price = {OWN: lambda loser: loser.pips, ALL: lambda loser: total, ONE: lambda loser: 1}[self.options["points"]]
        pot = sum(price(person) for person in self.people if person not in winners)
        return [pot / len(winners) if person in winners else float(-price(person)) for person in self.people]

    def view(self, player: int) -> dict[str, Any]:
        person, ends = self.people[player], self.ends() or (-1, -1)
        return {
            **self.options,
            "player": player,
            "plays": padded(self.actions, 9, -1),
            "n_plays": len(self.actions),
            "left": ends[LEFT],
            "right": ends[RIGHT],
            "mover": self.mover(),
            "own": sum(2**tile.number for tile in person.hand),
            "drawn": padded([tile.number for tile in person.drawn], 3, -1),
            "n_held": padded([len(other.hand) for other in self.people], 4, 0),
            "n_stock": len(self.stock),
        }

    def report(self) -> dict[str, set[int]]:
        return {}
