"""Best responses: what each player could gain by playing differently, exactly.

1. gradient: what each own sequence earns while the others keep to their policies; times the player's own weights, it adds up to
   the value;
2. bottom up: every information set gives its largest value to the sequence above; the empty sequence has the best
   response's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from facedown.native.jit import native
from facedown.solving.cfr.regret import add_gradient
from facedown.solving.cfr.sequence_form import Layout
from facedown.solving.gains import Exploitable
from facedown.trees.tree import Array


@dataclass(frozen=True)
class Evaluation(Exploitable):
    """How good a policy of all players is."""

    values: tuple[float, ...]
    """What each player scores on average."""
    gains: tuple[float, ...]
    """How much more a best response would score."""
    exact: bool = True
    """If not, these are estimates from games that were played, and the gains are lower bounds."""
    stderr: tuple[float, ...] = ()
    """Standard errors of the gains, where they are estimates."""


def unknown_evaluation(n_players: int) -> Evaluation:
    """Where nobody has looked."""
    nothing = (math.nan,) * n_players
    return Evaluation(nothing, nothing, exact=False, stderr=nothing)


@native
def best_responses(layout: Layout, weights: Any, gradient: Any, values: Any, best: Any) -> None:
    """Fill in each player's value and that of a best response to the others; `gradient` is zero before and after."""
    first, parent = layout.first, layout.parent
    for player in range(len(layout.sequences) - 1):
        add_gradient(layout, player, weights, gradient)
        begin, end = layout.sequences[player], layout.sequences[player + 1]
        value = 0.0
        for k in range(begin, end):
            value += weights[k] * gradient[k]
        values[player] = value
        last = layout.sets[player + 1] - 2
        for step in range(last - layout.sets[player] + 1):
            s = last - step
            most = gradient[first[s]]
            for k in range(first[s], first[s + 1]):
                most = max(most, gradient[k])
                gradient[k] = 0.0
            gradient[parent[s]] += most
        best[player] = gradient[begin]
        gradient[begin] = 0.0


class Judge:
    """Evaluates policies of one game; the buffers are kept, so that it can be done often."""

    def __init__(self, layout: Layout):
        self.layout = layout
        self.weights, self._gradient = np.zeros(layout.n_sequences), np.zeros(layout.n_sequences)
        self._values, self._best = np.zeros(layout.n_players), np.zeros(layout.n_players)

    def evaluate(self, weights: Array) -> Evaluation:
        """Value and gains when everybody plays with these weights of sequences."""
        best_responses(self.layout, weights, self._gradient, self._values, self._best)
        # a best response is never worse, but its sum may be rounded differently
        gains = np.maximum(self._best - self._values, 0.0)
        return Evaluation(tuple(self._values.tolist()), tuple(gains.tolist()))

    def evaluate_average(self, averages: Array) -> Evaluation:
        """The same for sums of weights, as solvers collect them."""
        ends = self.layout.sequences
        for begin, end in pairwise(ends):
            np.divide(averages[begin:end], averages[begin], out=self.weights[begin:end])
        return self.evaluate(self.weights)
