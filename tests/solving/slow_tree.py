"""The tree of a game, put together from `Walk` with dictionaries and exact fractions: the slow twin of the native builder."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise

import numpy as np

from facedown.games.contract import OVER, Game
from facedown.games.registry import game as find_game
from facedown.trees.explore import Node, Walk
from facedown.trees.tree import Ends, Tree, Treeplex


class _Decisions:
    """The treeplex of one player while the tree is walked: sets in the order in which the walk meets them."""

    def __init__(self) -> None:
        self.number: dict[bytes, int] = {}
        self.first, self.parent, self.actions = [1], list[int](), [-1]
        self.sequence: dict[tuple[int, int], int] = {}

    def meet(self, view: bytes, parent: int, legal: tuple[int, ...]) -> None:
        """Note an information set, unless it is known."""
        if view in self.number:
            assert self.parent[self.number[view]] == parent, "no perfect recall"
            return
        number = self.number[view] = len(self.parent)
        self.parent.append(parent)
        for action in legal:
            self.sequence[number, action] = len(self.actions)
            self.actions.append(action)
        self.first.append(len(self.actions))

    def treeplex(self, width: int) -> Treeplex:
        """The flat arrays."""
        views = np.frombuffer(b"".join(self.number), np.uint8).reshape(-1, width)
        integers = (np.array(column, np.int32) for column in (self.first, self.parent, self.actions))
        return Treeplex(*integers, views.copy())


def _scores_of_chance(node: Node) -> Fraction:
    """The probability of the draws on the way to a node, without that of the moves."""
    uniform = 1
    for before in node.path()[:-1]:
        uniform *= len(before.legal)
    return node.probability * uniform


def slow_tree(game: str | Game) -> Tree:
    """Walk every history and write it down."""
    found = find_game(game)
    walk = Walk(found)
    players = [_Decisions() for _ in range(found.n_players)]
    ends: dict[tuple[int, ...], list[Fraction]] = defaultdict(lambda: [Fraction(0)] * found.n_players)
    for node in walk:
        path, last = node.path(), [0] * found.n_players
        for before, after in pairwise(path):
            owner = players[before.player]
            last[before.player] = owner.sequence[owner.number[before.view], after.action]
        if node.player != OVER:
            players[node.player].meet(node.view, last[node.player], node.legal)
            continue
        chance, scores = _scores_of_chance(node), walk.rules.scores(node.state)
        ends[tuple(last)] = [sum_ + chance * score for sum_, score in zip(ends[tuple(last)], scores, strict=True)]
    keys = sorted(ends)
    return Tree(
        game=found,
        treeplexes=tuple(owner.treeplex(found.view.itemsize) for owner in players),
        ends=Ends(
            np.array(keys, np.int32).T.copy(), np.array([[float(value) for value in ends[key]] for key in keys]).T.copy()
        ),
        n_chance=walk.n_chance,
        n_decisions=walk.n_decisions,
        n_ends=walk.n_ends,
        longest=walk.longest,
        seconds=0.0,
    )
