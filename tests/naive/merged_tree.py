"""Counting a game's histories without walking them: what lies below a state is worked out once, however often it is met.

It shares the stepping of rules with `explore`, and neither its walk nor its sums: below a state the counts are the sums of
those below its actions and draws, and the value under uniform play is the mean. So it also counts trees that nobody can walk.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from facedown.games.contract import OVER, Game
from facedown.games.stepper import Stepper
from facedown.native.outcomes import Outcomes


class EndlessError(Exception):
    """A state comes back after some moves."""


@dataclass(frozen=True)
class Counts:
    """What lies at and below a state, or a draw."""

    chance: int
    decisions: int
    ends: int
    longest: int
    values: tuple[Fraction, ...]
    probability: Fraction

    @property
    def nodes(self) -> int:
        """All of them."""
        return self.chance + self.decisions + self.ends


@dataclass(frozen=True)
class Merged:
    """A whole game."""

    counts: Counts
    information_sets: tuple[int, ...]
    states: int
    """Different ones."""


class _Merger:
    def __init__(self, game: Game, limit: int):
        self.rules, self.limit = Stepper(game), limit
        self.closed: dict[bytes, Counts] = {}
        self.opened: set[bytes] = set()
        self.views: list[set[bytes]] = [set() for _ in range(game.n_players)]

    def below(self, state: bytes) -> Counts:
        """What lies at a state and below it."""
        if state not in self.closed:
            if state in self.opened:
                raise EndlessError
            self.opened.add(state)
            self.closed[state] = self._found(state)
        return self.closed[state]

    def _found(self, state: bytes) -> Counts:
        player = self.rules.turn(state)
        if player == OVER:
            return Counts(0, 0, 1, 0, self.rules.scores(state), Fraction(1))
        self.views[player].add(self.rules.view(state, player))
        parts = [self.after(self.rules.steps(state, action, self.limit)) for action in self.rules.legal(state)]
        share = Fraction(1, len(parts))
        return _sum([(share, part) for part in parts], decisions=1)

    def after(self, draws: Outcomes) -> Counts:
        """What lies at some draws and below them."""
        return _sum([(one.probability, self.below(one.state)) for one in draws.outcomes], chance=draws.n_chance)


def _sum(parts: list[tuple[Fraction, Counts]], chance: int = 0, decisions: int = 0) -> Counts:
    """The parts below a node, each with its probability there, and the node itself."""
    return Counts(
        chance=chance + sum(part.chance for _, part in parts),
        decisions=decisions + sum(part.decisions for _, part in parts),
        ends=sum(part.ends for _, part in parts),
        longest=decisions + max(part.longest for _, part in parts),
        values=tuple(sum((p * part.values[i] for p, part in parts), Fraction(0)) for i in range(len(parts[0][1].values))),
        probability=sum((p * part.probability for p, part in parts), Fraction(0)),
    )


def count_merged(game: Game, limit: int = 1_000_000) -> Merged:
    """Count a whole game; `limit` is the most outcomes of a move."""
    merger = _Merger(game, limit)
    counts = merger.after(merger.rules.starts(limit))
    return Merged(counts, tuple(map(len, merger.views)), len(merger.closed))
