"""Every history of a game, walked from its rules: how large the tree is, and what uniform play is worth, exactly.

The walk goes depth first and keeps only the nodes that still wait, with the path above them. Chance nodes are counted
by explicit draws: dealing two cards one after the other from three is 1 + 3 chance nodes. An information set is what
the player to move sees, as bytes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from facedown.errors import RulesError, UsageError
from facedown.games.contract import OVER, Game
from facedown.games.registry import game as find_game
from facedown.games.stepper import Stepper
from facedown.inputs import whole_number
from facedown.native.outcomes import Outcome, TooManyOutcomesError
from facedown.trees.estimate import Estimate, estimate_nodes
from facedown.trees.story import Told, story

MAX_NODES = 1_000_000


class TreeTooLargeError(UsageError):
    """The game's tree has more nodes than may be walked."""


@dataclass(frozen=True)
class Exploration:
    """What walking a whole game tree has found."""

    game: str
    chance: int
    """Chance nodes, one for each draw."""
    decisions: int
    ends: int
    information_sets: tuple[int, ...]
    """Information sets of each player."""
    longest: int
    """Moves of the longest game."""
    values: tuple[Fraction, ...]
    """Expected scores when everybody plays every legal action equally often, exactly."""
    seconds: float

    @property
    def nodes(self) -> int:
        """All nodes of the tree."""
        return self.chance + self.decisions + self.ends

    def __repr__(self) -> str:
        kinds = f"{self.chance:,} chance, {self.decisions:,} decision, {self.ends:,} end"
        sets = " + ".join(f"{count:,}" for count in self.information_sets)
        worth = ", ".join(f"{value} = {float(value):.6g}" if value.denominator > 1 else str(value) for value in self.values)
        return (
            f"{self.game}: {self.nodes:,} nodes ({kinds}), {sum(self.information_sets):,} information sets ({sets}), "
            f"at most {self.longest:,} moves; uniform play scores {worth}"
        )


class Node:
    """A decision or an end, and the way to it.

    `memories` has a number for each player that stands for all that they saw and did before: the same number for the
    same past.
    """

    __slots__ = (
        "action",
        "before",
        "denominator",
        "information_set",
        "legal",
        "memories",
        "n_moves",
        "numerator",
        "outcome",
        "player",
        "view",
    )

    def __init__(self, outcome: Outcome, before: Node | None, action: int, memories: tuple[int, ...]):
        self.outcome, self.before, self.action, self.memories = outcome, before, action, memories
        self.n_moves: int = before.n_moves + 1 if before else 0
        # not reduced on the way: deep in a tree, that would take longer than everything else
        self.numerator: int = outcome.probability.numerator * (before.numerator if before else 1)
        self.denominator: int = outcome.probability.denominator * (before.denominator * len(before.legal) if before else 1)
        self.player = OVER
        self.legal: tuple[int, ...] = ()
        self.view = b""
        self.information_set = -1

    @property
    def probability(self) -> Fraction:
        """Of coming here, by chance and by uniform play."""
        return Fraction(self.numerator, self.denominator)

    @property
    def state(self) -> bytes:
        """The state here."""
        return self.outcome.state

    def path(self) -> list[Node]:
        """All nodes from the start to this one."""
        nodes: list[Node] = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.before
        return nodes[::-1]


class Walk:
    """The nodes of a game's tree, one after the other; the counts are complete when the walk is."""

    def __init__(self, game: Game, limit: int = MAX_NODES):
        self.rules, self.limit = Stepper(game), limit
        self.n_chance = self.n_decisions = self.n_ends = self.longest = 0
        self.information_sets: list[dict[bytes, int]] = [{} for _ in range(game.n_players)]
        self._memories: dict[tuple[int, int, int], int] = {}

    @property
    def n_nodes(self) -> int:
        """Nodes so far."""
        return self.n_chance + self.n_decisions + self.n_ends

    def __iter__(self) -> Iterator[Node]:
        waiting = self._after(None, -1)
        while waiting:
            if self.n_nodes >= self.limit:
                raise too_large(self.rules.game, self.limit)
            node = waiting.pop()
            node.player = self.rules.turn(node.state)
            self.longest = max(self.longest, node.n_moves)
            if node.player == OVER:
                self.n_ends += 1
                yield node
                continue
            self.n_decisions += 1
            self._look(node)
            yield node
            for action in reversed(node.legal):
                waiting += self._after(node, action)

    def _after(self, node: Node | None, action: int) -> list[Node]:
        """The nodes that an action leads to (or the start), the last one first."""
        most = max(self.limit - self.n_nodes, 1)
        try:
            following = self.rules.starts(most) if node is None else self.rules.steps(node.state, action, most)
        except TooManyOutcomesError:
            raise too_large(self.rules.game, self.limit) from None
        self.n_chance += following.n_chance
        memories = (0,) * self.rules.game.n_players if node is None else self._memories_after(node, action)
        return [Node(outcome, node, action, memories) for outcome in reversed(following.outcomes)]

    def _memories_after(self, node: Node, action: int) -> tuple[int, ...]:
        """The mover has one more move to remember; a number stands for all of them, so that deep trees stay quick."""
        player = node.player
        key = (node.memories[player], node.information_set, action)
        memory = self._memories.setdefault(key, len(self._memories) + 1)
        return (*node.memories[:player], memory, *node.memories[player + 1 :])

    def _look(self, node: Node) -> None:
        node.legal = self.rules.legal(node.state)
        node.view = self.rules.view(node.state, node.player)
        sets = self.information_sets[node.player]
        node.information_set = sets.setdefault(node.view, len(sets))


class _Sums:
    """Sums over ends of their probabilities and of their expected scores; as integers over few denominators, to be quick."""

    def __init__(self, n_players: int):
        self._sums: dict[int, list[int]] = {}
        self._n_players = n_players

    def add(self, end: Node, scores: tuple[Fraction, ...]) -> None:
        """Count an end with the scores there."""
        scale = math.lcm(*(score.denominator for score in scores))
        sums = self._sums.setdefault(end.denominator * scale, [0] * (1 + self._n_players))
        sums[0] += end.numerator * scale
        for player, score in enumerate(scores):
            sums[1 + player] += end.numerator * (score.numerator * (scale // score.denominator))

    def totals(self) -> list[Fraction]:
        """The probability of all ends, then the expected score of each player."""
        columns = range(1 + self._n_players)
        return [sum((Fraction(sums[at], by) for by, sums in self._sums.items()), Fraction(0)) for at in columns]


def too_large(game: Game, limit: int, estimate: Estimate | None = None) -> TreeTooLargeError:
    """The error for a tree of more than `limit` nodes, with a guess at how many there are."""
    return TreeTooLargeError(
        f"the tree of {game} has more than {limit:,} nodes ({estimate or estimate_nodes(game)}); "
        f"choose options that make the game smaller, or allow more nodes with max_nodes, on the command line --max-nodes"
    )


def explore(game: str | Game, *, max_nodes: int = MAX_NODES, visit: Callable[[Node], None] | None = None) -> Exploration:
    """Walk every history of a game and count.

    max_nodes  raise `TreeTooLargeError`, with an estimate of the size, beyond this many nodes
    visit      called with every decision and every end
    """
    found = find_game(game)
    max_nodes = whole_number("max_nodes", max_nodes, 1)
    started = time.perf_counter()
    walk = Walk(found, max_nodes)
    sums = _Sums(found.n_players)
    for node in walk:
        if node.player == OVER:
            sums.add(node, walk.rules.scores(node.state))
        if visit is not None:
            visit(node)
    total, *values = sums.totals()
    if total != 1:  # cannot be, unless a draw's weights do not add up to its total
        raise RulesError(f"{found}: the ends have probability {total} together, not 1: weights of a draw do not add up")
    return Exploration(
        game=str(found),
        chance=walk.n_chance,
        decisions=walk.n_decisions,
        ends=walk.n_ends,
        information_sets=tuple(map(len, walk.information_sets)),
        longest=walk.longest,
        values=tuple(values),
        seconds=time.perf_counter() - started,
    )


def history_text(rules: Stepper, node: Node) -> str:
    """The way to a node in words."""
    path = node.path()
    moves = [Told(here.state, here.player, after.action, after.outcome.draws) for here, after in pairwise(path)]
    return story(rules, path[0].outcome.draws, moves)
