"""What `solve` drives: a method at work on a game, one batch of iterations after the other."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from facedown.errors import UsageError
from facedown.native.jit import Part, compiling, native
from facedown.policies.policy import Policy
from facedown.solving import best_response
from facedown.solving.best_response import Evaluation, Judge
from facedown.solving.cfr import regret
from facedown.solving.cfr.regret import LINEAR, NONE, POWER, Update, find_weights, iterate, make_uniform, new_tables
from facedown.solving.cfr.sequence_form import Layout, lay_out
from facedown.solving.methods import Method
from facedown.trees.tree import Array, Tree

_DISCOUNTS = {"": NONE, "linear": LINEAR, "power": POWER}
KERNELS = Part("the solvers", 4, (regret.iterate, best_response.best_responses))


class Engine(Protocol):
    """A method at work."""

    points_per_octave: int
    """How often the exploitability is looked at while the number of iterations doubles."""

    @property
    def iterations(self) -> int:
        """Iterations so far."""

    def run(self, count: int) -> None:
        """Do this many more iterations."""

    def evaluate(self) -> Evaluation | None:
        """How good the average policy is now; None where only an estimate is possible."""

    def estimate(self) -> Evaluation:
        """The same by playing, where it cannot be computed."""

    def policy(self) -> Policy:
        """The average policy."""

    def state(self) -> dict[str, Array]:
        """All that is needed to go on from here, exactly."""


def _update_of(method: Method) -> Update:
    """The numbers that make the method."""
    kind, parameters = method.kind, method.parameters
    return Update(
        _DISCOUNTS[kind.discount],
        float(parameters.get("alpha", 0.0)),
        float(parameters.get("beta", 0.0)),
        0.0 if kind.floor else -math.inf,
        float(kind.prediction),
        float(method.average),
    )


@native
def _behaviour(layout: Layout, averages: Any, probabilities: Any) -> None:
    """From sums of weights to probabilities of actions; uniform where an information set was never reached."""
    for player in range(len(layout.sequences) - 1):
        probabilities[layout.sequences[player]] = 1.0
        for s in range(layout.sets[player], layout.sets[player + 1] - 1):
            low, high = layout.first[s], layout.first[s + 1]
            total = 0.0
            for k in range(low, high):
                total += averages[k]
            for k in range(low, high):
                probabilities[k] = averages[k] / total if total > 0.0 else 1.0 / (high - low)


def policy_of(tree: Tree, layout: Layout, probabilities: Array) -> Policy:
    """The policy with these probabilities of the last action of each sequence."""
    plexes = tree.treeplexes
    begins = layout.sequences
    # without the empty sequences, which have no action
    rows = np.concatenate([np.arange(begins[p] + 1, begins[p + 1]) for p in range(tree.n_players)])
    widths = np.concatenate([np.diff(plex.first) for plex in plexes])
    first = np.zeros(len(widths) + 1, np.int64)
    first[1:] = np.cumsum(widths)
    return Policy(
        game=tree.game.spec,
        players=np.repeat(np.arange(tree.n_players, dtype=np.uint8), [plex.n_sets for plex in plexes]),
        views=np.concatenate([plex.views for plex in plexes]),
        first=first,
        actions=np.concatenate([plex.actions[1:] for plex in plexes]).astype(np.int32),
        probabilities=probabilities[rows],
    )


def digest_of(tree: Tree) -> str:
    """Sixteen hexadecimal digits that stand for a whole tree: another one has others."""
    digest = hashlib.blake2b(digest_size=8)
    for array in tree.arrays:
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


class PolicyJudge:
    """Evaluates policies that are tables of views, exactly, on a game's tree. What is not in a table is played uniformly."""

    def __init__(self, tree: Tree, layout: Layout | None = None):
        self.layout = layout or lay_out(tree)
        self._judge = Judge(self.layout)
        self._strategy, self._uniform = np.ones(self.layout.n_sequences), np.ones(self.layout.n_sequences)
        with compiling(KERNELS):
            make_uniform(self.layout, self._uniform)
            find_weights(self.layout, self._uniform, self._judge.weights)
            self._judge.evaluate(self._judge.weights)
        self._places = [
            {view.tobytes(): int(first) + int(begin) for view, first in zip(plex.views, plex.first[:-1], strict=True)}
            for plex, begin in zip(tree.treeplexes, self.layout.sequences[:-1], strict=True)
        ]

    def evaluate(self, policy: Policy) -> Evaluation:
        """Values and gains of a policy."""
        self._strategy[:] = self._uniform
        for number in range(policy.n_sets):
            place = self._places[policy.players[number]].get(policy.views[number].tobytes())
            if place is not None:
                _, probabilities = policy.row(number)
                self._strategy[place : place + len(probabilities)] = probabilities
        find_weights(self.layout, self._strategy, self._judge.weights)
        return self._judge.evaluate(self._judge.weights)


class TreeEngine:
    """A method that goes through the whole tree in each iteration."""

    points_per_octave = 8

    def __init__(self, tree: Tree, method: Method, alternating: bool, state: Mapping[str, Array] | None = None):
        self.tree, self.layout = tree, lay_out(tree)
        self._update, self._alternating = _update_of(method), alternating
        with compiling(KERNELS):
            self._tables, self._judge = new_tables(self.layout), Judge(self.layout)
            self.run(0)
            self.evaluate()
        if state is not None:
            self._restore(state)

    def _restore(self, state: Mapping[str, Array]) -> None:
        for name, table in self.state().items():
            if name not in state or state[name].shape != table.shape or state[name].dtype != table.dtype:
                raise UsageError(f"the solver's '{name}' is missing or of another size; begin anew, without the file")
            table[:] = state[name]
        find_weights(self.layout, self._tables.strategy, self._tables.weights)

    def run(self, count: int) -> None:
        """Do this many more iterations."""
        iterate(self.layout, self._tables, self._update, self._alternating, count)

    @property
    def iterations(self) -> int:
        """Iterations so far."""
        return int(self._tables.done[0])

    def evaluate(self) -> Evaluation:
        """How good the average policy is now."""
        if not self.iterations:
            return self._judge.evaluate(self._tables.weights)
        return self._judge.evaluate_average(self._tables.averages)

    def estimate(self) -> Evaluation:
        """The same: it is always exact here."""
        return self.evaluate()

    def policy(self) -> Policy:
        """The average policy."""
        probabilities = np.ones(self.layout.n_sequences)
        _behaviour(self.layout, self._tables.averages, probabilities)
        return policy_of(self.tree, self.layout, probabilities)

    def state(self) -> dict[str, Array]:
        """All that is needed to go on from here, exactly; weights follow from the strategy."""
        tables = self._tables
        return {
            "done": tables.done,
            "regrets": tables.regrets,
            "averages": tables.averages,
            "strategy": tables.strategy,
        }
