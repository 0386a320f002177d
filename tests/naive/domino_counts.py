"""How many nodes the tree of domino has, without walking it: equal positions are counted once, whatever led to them.

What happens below a position depends on the hands, the stock, the two ends and whose turn it is, and on nothing else.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

from naive.domino import AFTER, BOX, Tile

Tiles = frozenset[Tile]
Ends = tuple[int, int] | None


class Nodes(NamedTuple):
    """Nodes of a tree, or of a part of one."""

    chance: int = 0
    decisions: int = 0
    ends: int = 0

    def plus(self, other: Nodes) -> Nodes:
        return Nodes(*(one + more for one, more in zip(self, other, strict=True)))


def lines_after(tile: Tile, ends: Ends) -> set[Ends]:
    """The ends that the line can have when this tile is laid: a mirrored line with equal ends is the same line."""
    if ends is None:
        return {(tile.low, tile.high)}
    left, right = ends
    found: set[Ends] = set()
    for inner, outer in {(tile.low, tile.high), (tile.high, tile.low)}:
        found |= {(outer, right)} if inner == left else set()
        found |= {(left, outer)} if inner == right and left != right else set()
    return found


def count_nodes(*, tiles: int, players: int, hand: int, drawing: int) -> Nodes:
    """The nodes of the whole tree."""

    def deal(stock: Tiles, hands: tuple[Tiles, ...]) -> Nodes:
        if len(hands) == players:
            return turn(hands, stock, None, 0)
        ways = [frozenset(way) for way in combinations(stock, hand)]
        total = Nodes(chance=int(len(ways) > 1))
        for way in ways:
            total = total.plus(deal(stock - way, (*hands, way)))
        return total

    def draw(hands: tuple[Tiles, ...], stock: Tiles, player: int) -> list[tuple[tuple[Tiles, ...], Tiles]]:
        """What can come of a draw; one thing where there is nothing to draw."""
        if not stock:
            return [(hands, stock)]
        before, own, behind = hands[:player], hands[player], hands[player + 1 :]
        return [((*before, own | {tile}, *behind), stock - {tile}) for tile in stock]

    def turn(hands: tuple[Tiles, ...], stock: Tiles, ends: Ends, player: int) -> Nodes:
        if drawing == AFTER:
            return move(hands, stock, ends, player)
        total = Nodes(chance=int(len(stock) > 1))
        for after, rest in draw(hands, stock, player):
            total = total.plus(move(after, rest, ends, player))
        return total

    @cache
    def move(hands: tuple[Tiles, ...], stock: Tiles, ends: Ends, player: int) -> Nodes:
        plays = [(tile, line) for tile in hands[player] for line in lines_after(tile, ends)]
        if not plays:
            return Nodes(ends=1)
        total = Nodes(decisions=1)
        for tile, line in plays:
            left = hands[player] - {tile}
            after = (*hands[:player], left, *hands[player + 1 :])
            total = total.plus(Nodes(ends=1) if not left else played(after, stock, line, player))
        return total

    def played(hands: tuple[Tiles, ...], stock: Tiles, ends: Ends, player: int) -> Nodes:
        following = (player + 1) % players
        if drawing != AFTER:
            return turn(hands, stock, ends, following)
        total = Nodes(chance=int(len(stock) > 1))
        for after, rest in draw(hands, stock, player):
            total = total.plus(turn(after, rest, ends, following))
        return total

    return deal(frozenset(BOX[:tiles]), ())
