"""Strong components of positions, those first that lead nowhere else; and whether all returns of one go to a single position.

Tarjan 1972 (Depth-first search and linear graph algorithms), without recursion. A component whose positions can all be put in
order when one of them is cut out has one unknown only: what that one is worth. Which one? It lies on every cycle:

1. Cut out a candidate, the position by which the component was entered first, and search depth first. Without a cycle, the
   order in which the search leaves positions is the one that was looked for.
2. Otherwise only positions on the cycle that was found, and on all found before, can be the one: try the next of these.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from facedown.native.jit import native
from facedown.solving.dynamic.arrays import Array, Graph

NO_CUT = -1
MAX_TRIES = 64
"""Candidates, beyond which a component counts as one with many unknowns."""

_NEW, _OPEN, _CLOSED = 0, 1, 2


class Components(NamedTuple):
    """Positions by component."""

    members: Array
    """int32: all positions, component by component; within one, mostly those first that are reached later."""
    first: Array
    """int64: where each component begins in `members`, and the end."""
    of: Array
    """int32: the component of each position."""

    @property
    def n(self) -> int:
        """How many there are."""
        return len(self.first) - 1


class Workspace(NamedTuple):
    """What searches within components need, for all positions."""

    colour: Array
    """int8"""
    stack: Array
    """int32"""
    next_leaf: Array
    """int64"""
    marks: Array
    """int32: on how many of the cycles that were found, one after the other, a position lies."""
    order: Array
    """int32: a component without its cut, each position behind those that it leads to."""


def components_of(graph: Graph) -> Components:
    """All strong components."""
    n = len(graph.movers)
    members, of, first = np.empty(n, np.int32), np.full(n, -1, np.int32), np.zeros(n + 1, np.int64)
    low, number, stack, path = (np.zeros(n, np.int32) for _ in range(4))
    n_found = _tarjan(graph.first, graph.leaf_position, members, of, first, low, number, stack, path, np.zeros(n, np.int64))
    return Components(members, first[: n_found + 1].copy(), of)


def workspace_for(graph: Graph) -> Workspace:
    """Room to work in."""
    n = len(graph.movers)
    return Workspace(
        np.zeros(n, np.int8), np.zeros(n, np.int32), np.zeros(n, np.int64), np.zeros(n, np.int32), np.zeros(n, np.int32)
    )


@native
def _tarjan(
    first: Any, leaves: Any, members: Any, of: Any, begins: Any, low: Any, number: Any, stack: Any, path: Any, next_leaf: Any
) -> int:
    """Fill in members, components and where they begin; how many components there are."""
    n = len(of)
    n_visited, n_stack, n_members, n_components = 0, 0, 0, 0
    for root in range(n):
        if number[root] != 0:
            continue
        depth = 0
        path[0] = root
        n_visited += 1
        number[root] = low[root] = n_visited
        next_leaf[root] = first[root, 2]
        stack[n_stack] = root
        n_stack += 1
        while depth >= 0:
            here = int(path[depth])
            at = next_leaf[here]
            if at < first[here + 1, 2]:
                next_leaf[here] = at + 1
                there = int(leaves[at])
                if there < 0:
                    continue
                if number[there] == 0:
                    n_visited += 1
                    number[there] = low[there] = n_visited
                    next_leaf[there] = first[there, 2]
                    stack[n_stack] = there
                    n_stack += 1
                    depth += 1
                    path[depth] = there
                elif of[there] < 0:
                    low[here] = min(low[here], number[there])
                continue
            depth -= 1
            if depth >= 0:
                above = int(path[depth])
                low[above] = min(low[above], low[here])
            if low[here] == number[here]:
                there = -1
                while there != here:
                    n_stack -= 1
                    there = int(stack[n_stack])
                    of[there] = n_components
                    members[n_members] = there
                    n_members += 1
                n_components += 1
                begins[n_components] = n_members
    return n_components


@native
def find_cut(component: int, graph: Graph, components: Components, work: Workspace) -> int:
    """The position that all cycles of a component go through, with the others in `work.order`; NO_CUT if there is none."""
    begin, end = components.first[component], components.first[component + 1]
    for at in range(begin, end):
        work.marks[components.members[at]] = 0
    candidate = int(components.members[end - 1])
    for n_cycles in range(MAX_TRIES):
        top, bottom = _order_without(candidate, component, graph, components, work)
        if top < 0:
            return candidate
        candidate = NO_CUT
        for at in range(bottom, top + 1):
            position = work.stack[at]
            if work.marks[position] == n_cycles:
                work.marks[position] = n_cycles + 1
                candidate = int(position)
        if candidate == NO_CUT:
            return NO_CUT
    return NO_CUT


@native
def _order_without(cut: int, component: int, graph: Graph, components: Components, work: Workspace) -> Any:
    """Put a component without one position in order: (-1, -1), or where a cycle lies on the stack: its last, its first."""
    begin, end = components.first[component], components.first[component + 1]
    first, leaves, of, members = graph.first, graph.leaf_position, components.of, components.members
    colour, stack, next_leaf, order = work.colour, work.stack, work.next_leaf, work.order
    for at in range(begin, end):
        colour[members[at]] = _NEW
    colour[cut] = _CLOSED
    n_ordered = begin
    for start in range(begin, end):
        if colour[members[start]] != _NEW:
            continue
        top = 0
        stack[0] = members[start]
        colour[members[start]] = _OPEN
        next_leaf[members[start]] = first[members[start], 2]
        while top >= 0:
            here = int(stack[top])
            at = next_leaf[here]
            if at == first[here + 1, 2]:
                colour[here] = _CLOSED
                order[n_ordered] = here
                n_ordered += 1
                top -= 1
                continue
            next_leaf[here] = at + 1
            there = int(leaves[at])
            if there < 0 or of[there] != component:
                continue
            if colour[there] == _OPEN:
                bottom = top
                while stack[bottom] != there:
                    bottom -= 1
                return top, bottom
            if colour[there] == _NEW:
                top += 1
                stack[top] = there
                colour[there] = _OPEN
                next_leaf[there] = first[there, 2]
    return -1, -1
