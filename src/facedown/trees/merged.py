"""Counting histories without walking them: each different state is worked out once, from the ends upwards.

1. Open a state: find its legal actions and, for each, every outcome; states not worked out yet come before it.
2. When all of them are closed, the counts below the state are the sums of theirs, one for each draw and each action,
   and its value under uniform play is the mean of theirs.
3. A state that is met again while it is open lies below itself: such a tree has no end, and that is an error.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction

from facedown.errors import RulesError
from facedown.games.contract import OVER, Game
from facedown.games.stepper import Stepper
from facedown.native.outcomes import Outcomes, TooManyOutcomesError
from facedown.trees.explore import Exploration, too_large


@dataclass(slots=True)
class _Below:
    """What lies at and below a state."""

    chance: int
    decisions: int
    ends: int
    longest: int
    values: tuple[Fraction, ...]
    probability: Fraction


class _Merger:
    def __init__(self, game: Game, limit: int):
        self.rules, self.limit = Stepper(game), limit
        self.closed: dict[bytes, _Below] = {}
        self.opened: dict[bytes, list[Outcomes]] = {}
        self.views: list[set[bytes]] = [set() for _ in range(game.n_players)]

    def close(self, first: bytes) -> None:
        """Work out a state and all below it."""
        waiting = [first]
        while waiting:
            state = waiting[-1]
            if state in self.closed:
                waiting.pop()
            elif state in self.opened:
                self.closed[state] = self._sum(self.opened.pop(state))
                waiting.pop()
            else:
                waiting += self._open(state)

    def _open(self, state: bytes) -> list[bytes]:
        """Look at a state for the first time; the states that must be closed before it."""
        if len(self.closed) + len(self.opened) >= self.limit:
            raise too_large(self.rules.game, self.limit)
        player = self.rules.turn(state)
        if player == OVER:
            self.closed[state] = _Below(0, 0, 1, 0, self.rules.scores(state), Fraction(1))
            return []
        self.views[player].add(self.rules.view(state, player))
        try:
            following = [self.rules.steps(state, action, self.limit) for action in self.rules.legal(state)]
        except TooManyOutcomesError:
            raise too_large(self.rules.game, self.limit) from None
        self.opened[state] = following
        below = {outcome.state for outcomes in following for outcome in outcomes.outcomes}
        if not self.opened.keys().isdisjoint(below):
            raise RulesError(
                f"the tree of {self.rules.game} has no end: a state comes back after some moves; "
                f"count the moves or rounds in the state, and end the game at a number of them"
            )
        return [each for each in below if each not in self.closed]

    def _sum(self, following: list[Outcomes]) -> _Below:
        """A decision, from what each action leads to."""
        parts = [self.over(outcomes) for outcomes in following]
        n_actions = len(parts)
        return _Below(
            chance=sum(part.chance for part in parts),
            decisions=1 + sum(part.decisions for part in parts),
            ends=sum(part.ends for part in parts),
            longest=1 + max(part.longest for part in parts),
            values=tuple(sum(values, Fraction(0)) / n_actions for values in zip(*(part.values for part in parts), strict=True)),
            probability=sum((part.probability for part in parts), Fraction(0)) / n_actions,
        )

    def over(self, outcomes: Outcomes) -> _Below:
        """Draws, from what each outcome leads to."""
        parts = [(outcome.probability, self.closed[outcome.state]) for outcome in outcomes.outcomes]
        players = range(self.rules.game.n_players)
        return _Below(
            chance=outcomes.n_chance + sum(below.chance for _, below in parts),
            decisions=sum(below.decisions for _, below in parts),
            ends=sum(below.ends for _, below in parts),
            longest=max(below.longest for _, below in parts),
            values=tuple(sum((p * below.values[player] for p, below in parts), Fraction(0)) for player in players),
            probability=sum((p * below.probability for p, below in parts), Fraction(0)),
        )


def explore_merged(game: Game, limit: int, started: float) -> Exploration:
    """The figures of `explore`, by working out each different state once."""
    merger = _Merger(game, limit)
    try:
        starts = merger.rules.starts(limit)
    except TooManyOutcomesError:
        raise too_large(game, limit) from None
    for outcome in starts.outcomes:
        merger.close(outcome.state)
    whole = merger.over(starts)
    return Exploration(
        game=str(game),
        chance=whole.chance,
        decisions=whole.decisions,
        ends=whole.ends,
        information_sets=tuple(map(len, merger.views)),
        longest=whole.longest,
        values=whole.values,
        probability=whole.probability,
        states=len(merger.closed),
        seconds=time.perf_counter() - started,
    )
