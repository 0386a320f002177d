"""What a position is worth if the worth of what follows is known: one backup, and what is made of backups.

Values are what player 0 still scores on average, from the position on. Player 0 takes the largest of what an action leads to,
player 1 the smallest; a player whose play is given (`fixed`) takes the mean over its actions.

A sweep over a component without its cut, each position behind those that it leads to, gives f(x), what the cut is worth if it
is worth x, with its slope: f is piecewise linear, and Newton's method finds x = f(x). Between two players f does not bend in
one direction only, so the root is kept between bounds, and halving takes over where Newton would leave them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.native.jit import native, unlikely
from facedown.solving.dynamic.arrays import Graph
from facedown.solving.dynamic.components import NO_CUT, Components, Workspace, find_cut

ENDLESS, MANY_UNKNOWNS, PAUSED, DONE = -3, -2, -1, 0

MAX_STEPS = 200
ROUNDING = 1e-15
TIE = 1e-12
"""Actions whose values differ by less are equally good."""
_SURE_RETURN = 1e-13
"""A position that comes back to itself with probability 1, but for this much, has no end."""

# places in `tally`
N_SINGLE, N_ONE_UNKNOWN, N_MANY, N_NEWTON, AT = range(5)


@native
def _back_up(position: int, graph: Graph, fixed: Any, mix: Any, values: Any, slopes: Any) -> Any:
    """The value of a position, its slope, and which of its actions is the best."""
    first, gains = graph.first, graph.gains
    mover = int(graph.movers[position])
    sign = 1.0 if mover == 0 else -1.0
    outcome, leaf = first[position, 1], first[position, 2]
    best_value, best_slope, best = -np.inf, 0.0, first[position, 0]
    mean, mean_slope = 0.0, 0.0
    for action in range(first[position, 0], first[position + 1, 0]):
        total, slope = 0.0, 0.0
        for _ in range(graph.n_outcomes[action]):
            chosen, chosen_slope = -np.inf, 0.0
            for _ in range(graph.n_leaves[outcome]):
                value, leaf_slope = gains[graph.leaf_gain[leaf]], 0.0
                there = graph.leaf_position[leaf]
                if there >= 0:
                    value += values[there]
                    leaf_slope = slopes[there]
                # of two that are as good, the one that comes back less often
                if sign * value > chosen or (sign * value == chosen and leaf_slope < chosen_slope):
                    chosen, chosen_slope = sign * value, leaf_slope
                leaf += 1
            total += graph.p[outcome] * chosen
            slope += graph.p[outcome] * chosen_slope
            outcome += 1
        if fixed[mover]:
            mean += mix[action] * total
            mean_slope += mix[action] * slope
        if total > best_value or (total == best_value and slope < best_slope):
            best_value, best_slope, best = total, slope, action
    if fixed[mover]:
        return sign * mean, mean_slope, best
    return sign * best_value, best_slope, best


@native
def solve_component(
    component: int, graph: Graph, components: Components, work: Workspace, fixed: Any, mix: Any, values: Any, slopes: Any,
    tally: Any,
) -> int:  # fmt: skip
    """Solve a component of one position or with one unknown; what came of it."""
    begin, end = components.first[component], components.first[component + 1]
    if end - begin == 1 and not returns(graph, int(components.members[begin])):
        only = components.members[begin]
        values[only], _, _ = _back_up(only, graph, fixed, mix, values, slopes)
        tally[N_SINGLE] += 1
        return DONE
    cut = find_cut(component, graph, components, work)
    if cut == NO_CUT:
        return MANY_UNKNOWNS
    tally[N_ONE_UNKNOWN] += 1
    return _find_fixed_point(cut, begin, end, graph, work, fixed, mix, values, slopes, tally)


@native
def returns(graph: Graph, position: int) -> bool:
    """Whether a position can lead to itself at once."""
    found = False
    for leaf in range(graph.first[position, 2], graph.first[position + 1, 2]):
        found = found or graph.leaf_position[leaf] == position
    return found


@native
def _find_fixed_point(
    cut: int, begin: int, end: int, graph: Graph, work: Workspace, fixed: Any, mix: Any, values: Any, slopes: Any, tally: Any
) -> int:
    """The value x of the cut with x = f(x), and with it those of its component."""
    x, low, high, stride = 0.0, -np.inf, np.inf, 1.0
    status = ENDLESS
    for _ in range(MAX_STEPS):
        values[cut], slopes[cut] = x, 1.0
        for at in range(begin, end - 1):
            here = work.order[at]
            values[here], slopes[here], _ = _back_up(here, graph, fixed, mix, values, slopes)
        found, slope, _ = _back_up(cut, graph, fixed, mix, values, slopes)
        tally[N_NEWTON] += 1
        if unlikely(slope > 1.0 - _SURE_RETURN):
            status = ENDLESS
            if found == x:
                break
            x += stride if found > x else -stride  # perhaps nobody wants to come back any more when that is worth this much
            stride *= 4.0
            continue
        following = x + (found - x) / (1.0 - slope)
        if found > x:
            low = x
        else:
            high = x
        if abs(following - x) <= ROUNDING * max(1.0, abs(x)) / (1.0 - slope):
            x, status = following, DONE
            break
        if not low <= following <= high:
            following = 0.5 * (low + high)
        x = following
    values[cut] = x
    for at in range(begin, end - 1):
        values[work.order[at]], _, _ = _back_up(work.order[at], graph, fixed, mix, values, slopes)
    for at in range(begin, end - 1):
        slopes[work.order[at]] = 0.0
    slopes[cut] = 0.0
    return status


@native
def solve_components(
    graph: Graph, components: Components, work: Workspace, fixed: Any, mix: Any, values: Any, slopes: Any, tally: Any,
    budget: int,
) -> int:  # fmt: skip
    """Solve one component after the other, `budget` positions or a little more: DONE, PAUSED, or a component that cannot be."""
    n_done = 0
    while tally[AT] < len(components.first) - 1:
        component = tally[AT]
        status = solve_component(component, graph, components, work, fixed, mix, values, slopes, tally)
        if status != DONE:
            return status
        tally[AT] = component + 1
        n_done += components.first[component + 1] - components.first[component]
        if n_done >= budget:
            return PAUSED
    return DONE


@native
def sweep(begin: int, end: int, members: Any, graph: Graph, fixed: Any, mix: Any, values: Any, slopes: Any) -> float:
    """One round of value iteration over some positions, each from the newest values; the largest change."""
    largest = 0.0
    for at in range(begin, end):
        here = members[at]
        value, _, _ = _back_up(here, graph, fixed, mix, values, slopes)
        largest = max(largest, abs(value - values[here]))
        values[here] = value
    return largest


@native
def residual(graph: Graph, fixed: Any, mix: Any, values: Any, slopes: Any) -> float:
    """How far, at most, a position's value is from what one backup gives; nothing is changed."""
    largest = 0.0
    for position in range(len(values)):
        value, _, _ = _back_up(position, graph, fixed, mix, values, slopes)
        largest = max(largest, abs(value - values[position]))
    return largest


@native
def choose_actions(graph: Graph, values: Any, chosen: Any) -> None:
    """The best action of each position; of several that are as good but for rounding, the first."""
    for position in range(len(chosen)):
        sign = 1.0 if graph.movers[position] == 0 else -1.0
        outcome, leaf = graph.first[position, 1], graph.first[position, 2]
        best = -np.inf
        for action in range(graph.first[position, 0], graph.first[position + 1, 0]):
            total = 0.0
            for _ in range(graph.n_outcomes[action]):
                most = -np.inf
                for _ in range(graph.n_leaves[outcome]):
                    there = graph.leaf_position[leaf]
                    value = _gain_and_value(graph, leaf, there, values)
                    most = max(most, sign * value)
                    leaf += 1
                total += graph.p[outcome] * most
                outcome += 1
            if total > best + TIE * max(1.0, abs(total)):
                best = total
                chosen[position] = graph.actions[action]


@native
def _gain_and_value(graph: Graph, leaf: int, there: int, values: Any) -> float:
    """What a leaf is worth."""
    return float(graph.gains[graph.leaf_gain[leaf]] + (values[there] if there >= 0 else 0.0))
