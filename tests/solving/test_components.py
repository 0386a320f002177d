"""Strong components and policy iteration on random graphs, beside scipy and a value iteration with plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from facedown.native.jit import COMPILED
from facedown.solving.dynamic import backup
from facedown.solving.dynamic.arrays import Graph
from facedown.solving.dynamic.components import NO_CUT, components_of, find_cut, workspace_for
from facedown.solving.dynamic.policy_iteration import ManyUnknowns
from facedown.solving.dynamic.values import nobody_fixed

SEEDS = range(60 if COMPILED else 12)


def random_graph(seed: int) -> Graph:
    """A few positions that lead anywhere; each comes to an end with some probability."""
    draws = np.random.default_rng(seed)
    n = int(draws.integers(3, 14))
    first, movers, n_outcomes, p, n_leaves, leaves, gains = [[0, 0, 0]], [], [], [], [], [], []
    for _ in range(n):
        movers.append(int(draws.integers(2)))
        n_actions = int(draws.integers(1, 4))
        for _ in range(n_actions):
            n_out = int(draws.integers(1, 4))
            n_outcomes.append(n_out + 1)
            shares = draws.dirichlet(np.ones(n_out)) * 0.9
            p += [*shares.tolist(), 1 - float(shares.sum())]
            for outcome in range(n_out + 1):
                width = 1 if outcome == n_out else int(draws.integers(1, 4))
                n_leaves.append(width)
                leaves += [-1] if outcome == n_out else draws.integers(n, size=width).tolist()
                gains += draws.integers(0, 5, size=width).tolist()
        first.append([len(n_outcomes), len(p), len(leaves)])
    return Graph(
        first=np.array(first, np.int64),
        movers=np.array(movers, np.int8),
        actions=np.zeros(len(n_outcomes), np.int32),
        n_outcomes=np.array(n_outcomes, np.int32),
        p=np.array(p),
        n_leaves=np.array(n_leaves, np.uint16),
        leaf_position=np.array(leaves, np.int32),
        leaf_gain=np.array(gains, np.uint16),
        gains=np.array([0.0, 1.0, -1.0, 2.5, -0.5]),
    )


def slow_backups(graph: Graph, n_rounds: int = 600) -> np.ndarray[Any, Any]:
    """Value iteration with loops over slices."""
    values = np.zeros(len(graph.movers))
    outcome_first = np.concatenate([[0], np.cumsum(graph.n_outcomes)])
    leaf_first = np.concatenate([[0], np.cumsum(graph.n_leaves.astype(np.int64))])
    for _ in range(n_rounds):
        new = values.copy()
        for position, mover in enumerate(graph.movers):
            best = max if mover == 0 else min
            worth = []
            for action in range(int(graph.first[position, 0]), int(graph.first[position + 1, 0])):
                total = 0.0
                for outcome in range(int(outcome_first[action]), int(outcome_first[action + 1])):
                    total += graph.p[outcome] * best(
                        graph.gains[graph.leaf_gain[leaf]]
                        + (values[graph.leaf_position[leaf]] if graph.leaf_position[leaf] >= 0 else 0.0)
                        for leaf in range(int(leaf_first[outcome]), int(leaf_first[outcome + 1]))
                    )
                worth.append(total)
            new[position] = best(worth)
        if np.abs(new - values).max() < 1e-15:
            break
        values = new
    return values


@pytest.mark.parametrize("seed", SEEDS)
def test_random_graphs_have_the_components_and_values_that_others_find(seed: int) -> None:
    graph = random_graph(seed)
    n = len(graph.movers)
    edges = [
        (position, int(there))
        for position in range(n)
        for there in graph.leaf_position[int(graph.first[position, 2]) : int(graph.first[position + 1, 2])]
        if there >= 0
    ]
    found = components_of(graph)
    rows, columns = zip(*edges, strict=True)
    whole = coo_array((np.ones(len(edges)), (rows, columns)), shape=(n, n))
    n_expected, labels = connected_components(whole, directed=True, connection="strong")
    assert found.n == n_expected
    assert len({(int(a), int(b)) for a, b in zip(labels, found.of, strict=True)}) == n_expected
    assert all(found.of[there] <= found.of[here] for here, there in edges)
    values, slopes, tally = np.zeros(n), np.zeros(n), np.zeros(5, np.int64)
    fixed, mix, work = nobody_fixed(), np.zeros(1), workspace_for(graph)
    expected = slow_backups(graph)
    for component in range(found.n):
        members = set(found.members[int(found.first[component]) : int(found.first[component + 1])].tolist())
        inside = [(here, there) for here, there in edges if here in members and there in members]
        cuts = {cut for cut in members if is_acyclic([edge for edge in inside if cut not in edge])}
        if inside:
            cut = int(find_cut(component, graph, found, work))
            assert cut in cuts if cuts else cut == NO_CUT
        many = values.copy()
        ManyUnknowns(graph, found, fixed, mix, many, slopes).solve(component)
        status = int(backup.solve_component(component, graph, found, work, fixed, mix, values, slopes, tally))
        assert (status == backup.MANY_UNKNOWNS) == (bool(inside) and not cuts)
        if status == backup.MANY_UNKNOWNS:
            values[:] = many
        chosen = sorted(members)
        assert many[chosen] == pytest.approx(expected[chosen], abs=1e-11)
        assert values[chosen] == pytest.approx(expected[chosen], abs=1e-11)


def is_acyclic(edges: list[tuple[int, int]]) -> bool:
    """Whether nothing is left when positions without a way out are taken away, again and again."""
    while edges:
        leaving = {here for here, _ in edges}
        kept = [(here, there) for here, there in edges if there in leaving]
        if len(kept) == len(edges):
            return False
        edges = kept
    return True
