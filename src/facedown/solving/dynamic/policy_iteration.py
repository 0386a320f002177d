"""Components with many unknowns: policy iteration, each policy evaluated by a sparse linear solution.

1. Begin with some rounds of value iteration, and the policies that are best for what comes out.
2. Evaluate both policies: v = g + P v, one equation for each position of the component (a sparse LU decomposition).
3. Improve the policy of player 0 where something is better by more than rounding, and go back to 2, until nothing is
   (Howard 1960). Then improve that of player 1 once and go back to 2, until nothing is better for either (Hoffman & Karp 1966).

Values of player 1's policies fall from one to the next, so this comes to an end, which improving both at once need not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from facedown.errors import RulesError
from facedown.native.jit import native
from facedown.solving.dynamic.arrays import Array, Graph
from facedown.solving.dynamic.backup import sweep
from facedown.solving.dynamic.components import Components

_MAX_FIRST_SWEEPS = 2_000
_FIRST_CHANGE = 1e-7
"""Value iteration ends when it changes no value by more: from there it is few policies to the best ones."""
_MAX_IMPROVEMENTS = 10_000
_BETTER = 1e-13
"""What is better by less than this, times the size of the values, is rounding."""


class Choices(NamedTuple):
    """A policy for all positions; there is one only while somebody needs it."""

    action: Array
    """int64: the row of the action that is played in each position."""
    leaf: Array
    """uint16: the leaf that is chosen after each outcome, counted from its first."""


class Equations(NamedTuple):
    """The values v of a component under a policy: v = P v + constants."""

    rows: Array
    columns: Array
    entries: Array
    """Of P; the two arrays above say where they stand."""
    constants: Array
    """What is gained at once, and what lies outside of the component."""
    place: Array
    """The row of each position, by its number."""


def _no_choices(graph: Graph) -> Choices:
    """Room for a policy."""
    return Choices(graph.first[:-1, 0].copy(), np.zeros(len(graph.p), np.uint16))


@native
def improve(
    who: int, margin: float, begin: int, end: int, members: Any, graph: Graph, fixed: Any, choices: Choices, values: Any
) -> int:
    """Change the choices of one player where others are better by more than `margin`; how many were changed."""
    n_changed, sign = 0, 1.0 if who == 0 else -1.0
    for at in range(begin, end):
        position = members[at]
        if graph.movers[position] != who or fixed[who]:
            continue
        outcome, leaf = graph.first[position, 1], graph.first[position, 2]
        best, best_total, own_total = choices.action[position], -np.inf, -np.inf
        for action in range(graph.first[position, 0], graph.first[position + 1, 0]):
            total = 0.0
            for _ in range(graph.n_outcomes[action]):
                own = sign * worth(leaf + int(choices.leaf[outcome]), graph, values)
                chosen, best_leaf = own, int(choices.leaf[outcome])
                for index in range(graph.n_leaves[outcome]):
                    value = sign * worth(leaf + index, graph, values)
                    if value > chosen and value > own + margin:
                        chosen, best_leaf = value, index
                if best_leaf != choices.leaf[outcome]:
                    choices.leaf[outcome] = best_leaf
                    n_changed += 1
                leaf += graph.n_leaves[outcome]
                total += graph.p[outcome] * chosen
                outcome += 1
            if action == choices.action[position]:
                own_total = total
            if total > best_total:
                best, best_total = action, total
        if best_total > own_total + margin:
            choices.action[position] = best
            n_changed += 1
    return n_changed


@native
def worth(leaf: int, graph: Graph, values: Any) -> float:
    """The value of a leaf."""
    there = graph.leaf_position[leaf]
    return float(graph.gains[graph.leaf_gain[leaf]] + (values[there] if there >= 0 else 0.0))


@native
def fill_equations(
    component: int, components: Components, graph: Graph, fixed: Any, mix: Any, choices: Choices, values: Any, into: Equations
) -> int:
    """Fill in the equations of the policies; how many entries of P there are."""
    begin, end = components.first[component], components.first[component + 1]
    n_entries = 0
    for at in range(begin, end):
        into.place[components.members[at]] = at - begin
    for at in range(begin, end):
        position, row = components.members[at], at - begin
        given = fixed[graph.movers[position]]
        outcome, leaf = graph.first[position, 1], graph.first[position, 2]
        into.constants[row] = 0.0
        for action in range(graph.first[position, 0], graph.first[position + 1, 0]):
            weight = mix[action] if given else 1.0 if action == choices.action[position] else 0.0
            for _ in range(graph.n_outcomes[action]):
                if weight > 0.0:
                    chosen = leaf + int(choices.leaf[outcome])
                    p, there = weight * graph.p[outcome], graph.leaf_position[chosen]
                    into.constants[row] += p * graph.gains[graph.leaf_gain[chosen]]
                    if there >= 0 and components.of[there] == component:
                        into.rows[n_entries], into.columns[n_entries], into.entries[n_entries] = row, into.place[there], p
                        n_entries += 1
                    elif there >= 0:
                        into.constants[row] += p * values[there]
                leaf += graph.n_leaves[outcome]
                outcome += 1
    return n_entries


class ManyUnknowns:
    """Solves one component after the other."""

    def __init__(self, graph: Graph, components: Components, fixed: Array, mix: Array, values: Array, slopes: Array):
        self.graph, self.components, self.fixed, self.mix = graph, components, fixed, mix
        self.values, self.slopes = values, slopes
        self.choices, self._place = _no_choices(graph), np.zeros(len(graph.movers), np.int32)
        self.n_solutions = 0
        """Linear solutions so far."""

    def solve(self, component: int) -> None:
        """The values of a component, when those of all that it leads to are known."""
        begin, end = (int(self.components.first[component + more]) for more in range(2))
        members = self.components.members
        for _ in range(_MAX_FIRST_SWEEPS if not self.fixed.all() else 1):
            if sweep(begin, end, members, self.graph, self.fixed, self.mix, self.values, self.slopes) < _FIRST_CHANGE:
                break
        for who in range(2):
            improve(who, 0.0, begin, end, members, self.graph, self.fixed, self.choices, self.values)
        for _ in range(_MAX_IMPROVEMENTS):
            self._evaluate(component, begin, end)
            # all that player 0 can do better comes before anything of player 1 is changed
            if self._improve(0, begin, end) == 0 and self._improve(1, begin, end) == 0:
                return
        raise RulesError(f"policy iteration did not come to an end within {_MAX_IMPROVEMENTS:,} policies")

    def _improve(self, who: int, begin: int, end: int) -> int:
        members = self.components.members
        margin = _BETTER * max(1.0, float(np.abs(self.values[members[begin:end]]).max()))
        return int(improve(who, margin, begin, end, members, self.graph, self.fixed, self.choices, self.values))

    def _evaluate(self, component: int, begin: int, end: int) -> None:
        """The values of the present policies."""
        from scipy.sparse import coo_array, identity
        from scipy.sparse.linalg import splu

        n = end - begin
        members = self.components.members[begin:end]
        most = int((self.graph.first[members + 1, 1] - self.graph.first[members, 1]).sum())
        rows, columns, entries = np.zeros(most, np.int32), np.zeros(most, np.int32), np.zeros(most)
        into = Equations(rows, columns, entries, np.zeros(n), self._place)
        n_entries = fill_equations(
            component, self.components, self.graph, self.fixed, self.mix, self.choices, self.values, into
        )
        moves = coo_array((entries[:n_entries], (rows[:n_entries], columns[:n_entries])), shape=(n, n)).tocsc()
        try:
            found = splu((identity(n, format="csc") - moves).tocsc()).solve(into.constants)
        except RuntimeError:  # how SuperLU says that there is no solution, or more than one
            found = np.full(n, np.nan)
        self.n_solutions += 1
        if not np.isfinite(found).all():
            raise EndlessError(component)
        self.values[members] = found


class EndlessError(Exception):
    """Some policies never leave a component."""

    def __init__(self, component: int):
        super().__init__(component)
        self.component = component
