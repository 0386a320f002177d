"""How large a game tree is, guessed from random games (Knuth 1975, Estimating the efficiency of backtrack programs).

On the way down a random path, a node found with probability q stands for 1/q nodes of its level. The sum along the
path is an unbiased guess of the size of the whole tree, though a scattered one; so several are averaged. Sizes are
kept as logarithms: they go far beyond what a float holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from facedown.games.contract import OVER, Game
from facedown.games.position import Position

_PROBES = 12
MAX_MOVES = 300
ENOUGH = 30 * math.log(10)
"""Beyond this many nodes nobody needs to know how many."""


@dataclass(frozen=True)
class Estimate:
    """A guess at the number of nodes of a tree."""

    log10: float
    probes: int
    complete: bool
    """Whether all random games came to their end; otherwise there are more nodes than guessed."""

    def __str__(self) -> str:
        number = f"{10**self.log10:,.0f}" if self.log10 < 9 else f"10^{self.log10:.0f}"
        games = f"{self.probes} random games suggest" if self.probes > 1 else "a random game suggests"
        return f"{games} {'about' if self.complete else 'more than'} {number}"


def estimate_nodes(game: Game, probes: int = _PROBES, seed: int = 1) -> Estimate:
    """Guess the number of nodes of a game's tree."""
    choices = np.random.default_rng(seed)
    guesses: list[float] = []
    complete = True
    while complete and len(guesses) < probes:
        probe = _Probe(game, seed, len(guesses), choices)
        complete = probe.go_down()
        guesses.append(probe.total)
    mean = float(np.logaddexp.reduce(guesses)) - math.log(len(guesses))
    return Estimate(mean / math.log(10), len(guesses), complete)


class _Probe:
    """One random path; `total` is the logarithm of its guess."""

    def __init__(self, game: Game, seed: int, index: int, choices: np.random.Generator):
        self.total = -math.inf
        self._level = 0.0  # the logarithm of how many nodes the present one stands for
        self._choices = choices
        self._position = Position(game)
        self._position.sample(seed, index)

    def go_down(self) -> bool:
        """Play to the end, or until there is no need to go on; whether it came to the end."""
        self._position.start()
        self._count_draws()
        for _ in range(MAX_MOVES):
            self._count_node()
            if self._position.turn() == OVER:
                return True
            if self.total > ENOUGH:
                return False
            legal = self._position.legal()
            self._level += math.log(len(legal))
            self._position.step(legal[int(self._choices.integers(len(legal)))])
            self._count_draws()
        return False

    def _count_node(self) -> None:
        self.total = float(np.logaddexp(self.total, self._level))

    def _count_draws(self) -> None:
        """Chance nodes count too; an answer of probability q stands for 1/q."""
        chance = self._position.chance
        weights, totals = chance["weights"], chance["totals"]
        for at in range(int(chance["n_draws"])):
            self._count_node()
            self._level += math.log(totals[at] / weights[at])
