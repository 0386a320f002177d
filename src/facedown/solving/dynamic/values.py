"""What every position is worth, exactly: component by component, those first that lead nowhere else.

1. A component of one position that does not lead to itself: one backup.
2. A component in which all returns go to one position (a turn that can be lost): one unknown, and Newton's method (`backup`).
3. Any other component: policy iteration (`policy_iteration`).

`value_iteration` solves all components by repeated backups alone, to compare; it shares only the backup with the others.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.errors import RulesError
from facedown.native.jit import COMPILED, Part, compiling, prepare_thread
from facedown.progress import Callback, Progress
from facedown.solving.dynamic import backup
from facedown.solving.dynamic.arrays import ROOT, Array, Graph
from facedown.solving.dynamic.backup import solve_components
from facedown.solving.dynamic.components import Components, components_of, workspace_for
from facedown.solving.dynamic.find import Positions
from facedown.solving.dynamic.policy_iteration import EndlessError, ManyUnknowns, fill_equations, improve

_FIRST_BUDGET = 20_000 if COMPILED else 500
SLICE_SECONDS = 0.3
_MAX_SWEEPS = 1_000_000
KERNELS = Part("the exact solver", 12.0, (solve_components, improve, fill_equations))


@dataclass(frozen=True, eq=False)
class Values:
    """The values of all positions, for player 0, and how they were found."""

    values: Array
    """float64: what player 0 still scores on average, by position."""
    components: int
    single: int
    """Components of one position that cannot return to itself."""
    one_unknown: int
    many_unknowns: int
    newton_steps: int
    linear_solutions: int
    residual: float
    """The largest difference between a value and its backup."""
    seconds: float

    @property
    def start(self) -> float:
        """What player 0 scores from the start."""
        return float(self.values[ROOT])


def nobody_fixed() -> Array:
    """Both players do the best they can."""
    return np.zeros(2, np.bool_)


@lru_cache(maxsize=1)
def compile_kernels() -> None:
    """Run all native functions once, on three positions that come back to each other, so that no clock counts compiling."""
    prepare_thread()
    graph = Graph(
        first=np.array([[0, 0, 0], [1, 1, 1], [2, 3, 3], [3, 6, 6]], np.int64),
        movers=np.array([0, 0, 1], np.int8),
        actions=np.zeros(3, np.int32),
        n_outcomes=np.array([1, 2, 3], np.int32),
        p=np.array([1, 1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3]),
        n_leaves=np.ones(6, np.uint16),
        leaf_position=np.array([1, 1, 2, 1, 2, -1], np.int32),
        leaf_gain=np.zeros(6, np.uint16),
        gains=np.ones(1),
    )
    with compiling(KERNELS):
        components, values, slopes = components_of(graph), np.zeros(3), np.zeros(3)
        fixed, mix, tally = nobody_fixed(), np.zeros(1), np.zeros(5, np.int64)
        solve_components(graph, components, workspace_for(graph), fixed, mix, values, slopes, tally, 1)
        for component in range(components.n):
            ManyUnknowns(graph, components, fixed, mix, values, slopes).solve(component)
        backup.residual(graph, fixed, mix, values, slopes)
        best_actions(graph, values)


class Solver:
    """The components of some positions, and room to solve them for any play that is given."""

    def __init__(self, positions: Positions):
        compile_kernels()
        self.positions, self.graph = positions, positions.graph
        self.components: Components = components_of(self.graph)
        self._work = workspace_for(self.graph)
        self._slopes = np.zeros(len(self.graph.movers))

    def solve(self, fixed: Array | None = None, mix: Array | None = None, progress: Callback | None = None) -> Values:
        """All values. `mix` is how likely each action is, for the players that are `fixed`; the others do their best."""
        started = time.perf_counter()
        fixed, mix = self._given(fixed, mix)
        values, tally = np.zeros(len(self.graph.movers)), np.zeros(5, np.int64)
        self._slopes[:] = 0.0
        many: ManyUnknowns | None = None
        budget, status = _FIRST_BUDGET, backup.PAUSED
        while status != backup.DONE:
            before = time.perf_counter()
            status = int(
                solve_components(self.graph, self.components, self._work, fixed, mix, values, self._slopes, tally, budget)
            )
            component = int(tally[backup.AT])
            if status == backup.MANY_UNKNOWNS:
                many = many or ManyUnknowns(self.graph, self.components, fixed, mix, values, self._slopes)
                try:
                    many.solve(component)
                except EndlessError:
                    raise self._endless(component) from None
                tally[backup.N_MANY] += 1
                tally[backup.AT] = component + 1
            elif status == backup.ENDLESS:
                raise self._endless(component)
            elif status == backup.PAUSED:
                budget = max(int(budget * min(SLICE_SECONDS / max(time.perf_counter() - before, 1e-6), 4.0)), 100)
            if progress is not None:
                n_done, n_all = int(self.components.first[tally[backup.AT]]), len(values)
                words = f"solving: {n_done:,} of {n_all:,} positions"
                progress(Progress(n_done, n_all, "positions", time.perf_counter() - started, words))
        return self._values(values, fixed, mix, tally, many.n_solutions if many else 0, started)

    def value_iteration(self, fixed: Array | None = None, mix: Array | None = None, progress: Callback | None = None) -> Values:
        """The same by repeated backups, until nothing changes any more but by rounding."""
        started = time.perf_counter()
        fixed, mix = self._given(fixed, mix)
        values, tally = np.zeros(len(self.graph.movers)), np.zeros(5, np.int64)
        self._slopes[:] = 0.0
        first = self.components.first
        for component in range(self.components.n):
            begin, end = int(first[component]), int(first[component + 1])
            alone = end - begin == 1 and not backup.returns(self.graph, int(self.components.members[begin]))
            tally[backup.N_SINGLE if alone else backup.N_MANY] += 1
            self._iterate(begin, end, 1 if alone else _MAX_SWEEPS, fixed, mix, values, progress)
        return self._values(values, fixed, mix, tally, 0, started)

    def _iterate(
        self, begin: int, end: int, most: int, fixed: Array, mix: Array, values: Array, progress: Callback | None
    ) -> None:
        """Sweeps over one component."""
        members, change, started = self.components.members, np.inf, time.perf_counter()
        for n_sweeps in range(most):
            change = float(backup.sweep(begin, end, members, self.graph, fixed, mix, values, self._slopes))
            if change <= 1e-16 * max(1.0, float(np.abs(values[members[begin:end]]).max())):
                return
            if progress is not None and n_sweeps % 100 == 99:
                words = f"value iteration: {n_sweeps + 1:,} sweeps over {end - begin:,} positions, change {change:.1e}"
                progress(Progress(n_sweeps + 1, None, "sweeps", time.perf_counter() - started, words))
        if most > 1:
            raise RulesError(
                f"value iteration for {self.positions.game} still changes values by {change:.1e} after {most:,} sweeps"
            )

    def _given(self, fixed: Array | None, mix: Array | None) -> tuple[Array, Array]:
        fixed = nobody_fixed() if fixed is None else fixed
        if mix is None:
            assert not fixed.any()
            mix = np.zeros(1)
        else:
            assert not self.positions.looks, "agents are asked in every state with a decision, so none may be looked through"
        return fixed, mix

    def _values(self, values: Array, fixed: Array, mix: Array, tally: Array, n_solutions: int, started: float) -> Values:
        left = float(backup.residual(self.graph, fixed, mix, values, self._slopes))
        return Values(
            values=values,
            components=self.components.n - 1,
            single=int(tally[backup.N_SINGLE]) - 1,
            one_unknown=int(tally[backup.N_ONE_UNKNOWN]),
            many_unknowns=int(tally[backup.N_MANY]),
            newton_steps=int(tally[backup.N_NEWTON]),
            linear_solutions=n_solutions,
            residual=left,
            seconds=time.perf_counter() - started,
        )

    def _endless(self, component: int) -> RulesError:
        position = int(self.components.members[int(self.components.first[component + 1]) - 1])
        return RulesError(
            f"{self.positions.game} can go on for ever: from '{self.positions.words(position)}' there is a way to play that "
            f"never comes to an end, and nothing is better than it; let the rules end such a game, and count towards "
            f"that in the state"
        )

    def best_actions(self, values: Values) -> Array:
        """int32: the best action of each position, the first of those that are as good but for rounding."""
        return best_actions(self.graph, values.values)


def best_actions(graph: Any, values: Array) -> Array:
    """int32: by position; what is better by less than rounding is not."""
    found = np.zeros(len(graph.movers), np.int32)
    backup.choose_actions(graph, values, found)
    return found
