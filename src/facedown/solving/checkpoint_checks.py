"""What the numbers of a kept solution can be: a digest says that nobody changed them by accident, and not that they make sense.

Figures are held to the range of the game's scores, counts to each other, and the solver's tables to the policy that was
made from them: whatever is gone on from has the averages of this very policy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from facedown.games.contract import Game
from facedown.inputs import LARGEST_SEED, MAX_ITERATIONS
from facedown.policies.policy import TOLERANCE, PolicyFileError, text_in
from facedown.solving.methods import KINDS, Method, find_method
from facedown.solving.solution import Solution
from facedown.trees.tree import Array


def check_solution(solution: Solution, owner: str, game: Game) -> None:
    """Refuse a solution whose numbers cannot be."""
    check = _Check(solution, owner, game)
    check.settings()
    check.figures()
    check.curve()
    check.counts()
    if check.method.kind.sampled:
        check.sampled_state()
    else:
        check.tree_state()


def _range(low: float, high: float) -> str:
    below, above = math.isfinite(low), math.isfinite(high)
    return f"from {low:g} to {high:g}" if below and above else f"finite and at least {low:g}" if below else "finite"


class _Check:
    def __init__(self, solution: Solution, owner: str, game: Game):
        self.solution, self._owner, self._game = solution, owner, game
        self.method: Method = find_method(solution.method, solution.average)
        low, high = game.score_range
        slack = TOLERANCE * max(abs(low), abs(high), 1.0)
        self._scores = low - slack, high + slack
        self._gains = -slack, high - low + slack

    def _wrong(self, what: str) -> PolicyFileError:
        return PolicyFileError(f"'{self._owner}' is damaged: {what}; make it again")

    def _within(self, name: str, found: Iterable[float], low: float, high: float, unknown: bool = False) -> None:
        """Every number from `low` to `high`, both finite or not; nan only where it stands for what nobody knows."""
        for number in found:
            if not (low <= number <= high or (unknown and math.isnan(number))):
                raise self._wrong(f"its {name} is {number}, and should be {_range(low, high)}")

    def settings(self) -> None:
        solution = self.solution
        self._within("number of iterations", [solution.iterations], 0, MAX_ITERATIONS)
        if (solution.seed is None) == self.method.kind.sampled:
            raise self._wrong(f"its method is {solution.method}, and its seed {solution.seed}")
        self._within("seed", [solution.seed or 0], 0, LARGEST_SEED)
        largest = math.nextafter(math.inf, 0)
        self._within("time in seconds", [solution.seconds, solution.seconds_evaluating], 0, largest)

    def figures(self) -> None:
        solution, n_players = self.solution, self._game.n_players
        for name, figures in {"values": solution.values, "gains": solution.gains, "stderr": solution.stderr}.items():
            if len(figures) != n_players and (figures or name != "stderr"):
                raise self._wrong(f"it has {len(figures)} {name} for {n_players} players")
        self._within("value", solution.values, *self._scores, unknown=not solution.exact)
        self._within("gain", solution.gains, *self._gains, unknown=not solution.exact)
        self._within("standard error", solution.stderr, 0, self._gains[1], unknown=True)

    def curve(self) -> None:
        points = self.solution.curve
        self._ascending("iterations of its curve", [point.iterations for point in points], self.solution.iterations)
        self._within("time in seconds", [point.seconds for point in points], 0, self.solution.seconds)
        self._within("exploitability", [point.exploitability for point in points], *self._gains)

    def _ascending(self, name: str, found: Sequence[int], most: int) -> None:
        for before, number in zip([0, *found], found, strict=False):
            self._within(name, [number], before + 1, most)

    def counts(self) -> None:
        tree = self.solution.tree
        if tree is None:
            return
        most = 2**63
        counts = (tree.chance, tree.decisions, tree.ends, tree.rows, tree.longest, tree.bytes)
        self._within("count of the tree", [*counts, *tree.information_sets, *tree.sequences], 0, most)
        self._within("time in seconds", [tree.seconds], 0, most)
        if len(tree.information_sets) != self._game.n_players or len(tree.sequences) != self._game.n_players:
            raise self._wrong(f"its tree is not one of {self._game.n_players} players")

    # --- the solver's tables --------------------------------------------------------------------------------------------

    def _table(self, name: str, shape: tuple[int, ...], low: float, high: float) -> Array:
        """A table of the solver with numbers in a range."""
        table = self.solution.state.get(name)
        if table is None or table.dtype != np.float64 or table.shape != shape:
            found = "missing" if table is None else f"{table.dtype} {table.shape}"
            raise self._wrong(f"the solver's table '{name}' is {found}, and should be float64 {shape}")
        possible = np.isfinite(table) & (table >= low) & (table <= high)
        if not possible.all():
            at = int(np.flatnonzero(~possible)[0])
            raise self._wrong(f"number {at} of the solver's '{name}' is {table[at]}, and should be {_range(low, high)}")
        return table

    def _made_from(self, weights: Array) -> None:
        """Make sure that the policy is what these weights of its rows add up to."""
        policy = self.solution.policy
        if not policy.n_sets:
            return
        widths = np.diff(policy.first)
        totals = np.repeat(np.add.reduceat(weights, policy.first[:-1]), widths)
        shares = np.divide(weights, totals, out=np.repeat(1.0 / widths, widths), where=totals > 0)
        off = np.flatnonzero(np.abs(shares - policy.probabilities) > TOLERANCE)
        if len(off):
            at = int(off[0])
            raise self._wrong(
                f"row {at} of its policy has the probability {policy.probabilities[at]:.9g}, but the solver's tables make "
                f"it {shares[at]:.9g}"
            )

    def tree_state(self) -> None:
        policy, method, n_players = self.solution.policy, self.method, self._game.n_players
        done = self.solution.state.get("done")
        if done is None or done.dtype != np.int64 or done.tolist() != [self.solution.iterations]:
            raise self._wrong(f"its solver has not done the {self.solution.iterations} iterations that it tells of")
        if (np.diff(policy.players.astype(np.int64)) < 0).any():
            raise self._wrong("its information sets are not in the order of the players")
        shape = (len(policy.actions) + n_players,)
        # an iteration changes a regret by less than twice the largest score, and nothing makes old ones larger
        most = 2 * max(map(abs, self._scores)) * self.solution.iterations
        self._table("regrets", shape, 0.0 if method.kind.floor else -most, most)
        averages = self._table("averages", shape, 0.0, math.inf)
        strategy = self._table("strategy", shape, 0.0, 1.0 + TOLERANCE)
        rows_before = policy.first[np.searchsorted(policy.players, np.arange(n_players))]
        empty = rows_before + np.arange(n_players)  # each player has one sequence more than rows: the one before any move
        self._made_from(np.delete(averages, empty))
        if policy.n_sets:
            totals = np.add.reduceat(np.delete(strategy, empty), policy.first[:-1])
            off = np.flatnonzero(np.abs(totals - 1.0) > TOLERANCE)
            if len(off):
                raise self._wrong(
                    f"the solver's strategy in information set {off[0]} adds up to {totals[off[0]]:.9g}, not to 1"
                )

    def sampled_state(self) -> None:
        policy, state = self.solution.policy, self.solution.state
        for name in ("players", "views", "first", "actions"):
            if name not in state or not np.array_equal(state[name], getattr(policy, name)):
                raise self._wrong(f"'{name}' is not the same in its policy and in the solver's tables")
        for name, value in self._facts().items():
            if name not in state or not _holds(state[name], value):
                raise self._wrong(f"its solver has another '{name}' than {value}, which it tells of")
        shape = policy.probabilities.shape
        self._table("regrets", shape, -math.inf, math.inf)
        self._made_from(self._table("totals", shape, 0.0, math.inf))

    def _facts(self) -> dict[str, Any]:
        """What the state of a sampling method says of itself, and should."""
        from facedown.solving.mccfr.engine import AVERAGES

        solution, parameters = self.solution, self.method.parameters
        epsilon = parameters.get("epsilon", KINDS["outcome-sampling"].parameters["epsilon"].default)
        return {
            "game": solution.game,
            "method": self.method.kind.name,
            "average": AVERAGES.get(solution.average, solution.average),
            "epsilon": epsilon,
            "plus": bool(parameters["plus"]),
            "alternating": solution.alternating,
            "iterations": solution.iterations,
            "seed": solution.seed,
        }


def _holds(array: Array, value: object) -> bool:
    """Whether an array is this one number or text."""
    if isinstance(value, str):
        return text_in(array) == value
    return array.ndim == 0 and array.dtype.kind in "biuf" and bool(array.item() == value)
