"""Regret minimisation on flat arrays: counterfactual regret (Zinkevich et al. 2007) and what became of it.

In an iteration, each player in turn, against what the others play now:

1. gradient: what each own sequence earns, over the ends behind it; sequences of others that are never played cost nothing;
2. bottom up through the information sets: v = sum of strategy times gradient, r = gradient - v is the instant regret, and v
   goes to the sequence above; regrets are discounted, r is added, and in the methods with a plus nothing stays negative;
3. the next strategy is proportional to the positive regrets (with prediction, r is counted once more), uniform if none is;
4. top down: the average takes the weight of every sequence under the strategy of this iteration, then the weights are
   those of the next strategy.

All methods are this loop with other numbers in `Update`. A factor of 1 and a floor of minus infinity change no bit, so
there is nothing to choose between inside the loop.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from facedown.native.jit import native, native_inline
from facedown.solving.cfr.sequence_form import Layout
from facedown.trees.tree import Array

NONE, LINEAR, POWER = 0, 1, 2
"""How old regrets are discounted: not at all, by (t - 1) / t, or by a power of t - 1."""


class Update(NamedTuple):
    """What makes a method."""

    discount: int
    alpha: float
    """POWER: regrets above 0 are multiplied with (t - 1)^alpha / ((t - 1)^alpha + 1)."""
    beta: float
    """POWER: the same for the others."""
    floor: float
    """Regrets below it are raised to it: 0 or minus infinity."""
    prediction: float
    """How often the last instant regret is counted once more for the next strategy: 0 or 1."""
    gamma: float
    """The strategy of iteration t has the weight t^gamma in the average."""


class Tables(NamedTuple):
    """What a solver knows, a number for each sequence of all players."""

    regrets: Array
    averages: Array
    """Sums of weights, over the iterations."""
    strategy: Array
    """How likely the last action of the sequence is; 1 for the empty one."""
    weights: Array
    """How likely the player plays the whole sequence, if the others let it happen."""
    gradient: Array
    """Zero between iterations."""
    done: Array
    """int64, one number: iterations so far. Kept here, so that an interruption always finds it in step with the rest."""


def new_tables(layout: Layout) -> Tables:
    """Before the first iteration: no regrets, and every action equally likely."""
    n = layout.n_sequences
    tables = Tables(np.zeros(n), np.zeros(n), np.ones(n), np.ones(n), np.zeros(n), np.zeros(1, np.int64))
    make_uniform(layout, tables.strategy)
    find_weights(layout, tables.strategy, tables.weights)
    return tables


@native
def make_uniform(layout: Layout, strategy: Any) -> None:
    """Every action of an information set equally likely."""
    for player in range(len(layout.sequences) - 1):
        strategy[layout.sequences[player]] = 1.0
        for s in range(layout.sets[player], layout.sets[player + 1] - 1):
            low, high = layout.first[s], layout.first[s + 1]
            for k in range(low, high):
                strategy[k] = 1.0 / (high - low)


@native
def find_weights(layout: Layout, strategy: Any, weights: Any) -> None:
    """The weights of all sequences under a strategy."""
    for player in range(len(layout.sequences) - 1):
        weights[layout.sequences[player]] = 1.0
        for s in range(layout.sets[player], layout.sets[player + 1] - 1):
            above = weights[layout.parent[s]]
            for k in range(layout.first[s], layout.first[s + 1]):
                weights[k] = above * strategy[k]


@native_inline
def add_gradient(layout: Layout, player: int, weights: Any, gradient: Any) -> None:
    """Add what every sequence of a player earns at the ends right behind it, the others playing with these weights."""
    n_players = len(layout.sequences) - 1
    if n_players == 2:
        entry, other, gain = layout.entry, layout.other, layout.gain
        for j in range(layout.sequences[1 - player], layout.sequences[2 - player]):
            weight = weights[j]
            if weight != 0.0:
                for k in range(entry[j], entry[j + 1]):
                    gradient[other[k]] += gain[k] * weight
        return
    lasts, payoffs = layout.lasts, layout.payoffs
    for row in range(len(lasts)):
        value = payoffs[row, player]
        for other_player in range(n_players):
            if other_player != player:
                value *= weights[lasts[row, other_player]]
        if value != 0.0:
            gradient[lasts[row, player]] += value


@native_inline
def _update_regrets(layout: Layout, player: int, tables: Tables, update: Update, up: float, down: float, ahead: float) -> None:
    """Bottom up: regrets and the next strategy. Old regrets are multiplied with `up` or `down`, by their sign."""
    first, parent = layout.first, layout.parent
    regrets, strategy, gradient = tables.regrets, tables.strategy, tables.gradient
    begin, end = layout.sets[player], layout.sets[player + 1] - 1
    floor, prediction = update.floor, update.prediction
    for step in range(end - begin):
        s = end - 1 - step
        low, high = first[s], first[s + 1]
        value = 0.0
        for k in range(low, high):
            value += strategy[k] * gradient[k]
        total = 0.0
        for k in range(low, high):
            regret, old = gradient[k] - value, regrets[k]
            gradient[k] = 0.0
            new = max(old * (up if old > 0.0 else down) + regret, floor)
            regrets[k] = new
            share = max(new * ahead + prediction * regret, 0.0)
            strategy[k] = share
            total += share
        # without branches: whether an information set has a positive regret is what a processor cannot predict
        scale = 1.0 / total if total > 0.0 else 0.0
        rest = 0.0 if total > 0.0 else 1.0 / (high - low)
        for k in range(low, high):
            strategy[k] = strategy[k] * scale + rest
        gradient[parent[s]] += value
    gradient[layout.sequences[player]] = 0.0


@native_inline
def _add_to_average(layout: Layout, player: int, tables: Tables, weight: float) -> None:
    """Top down: count the strategy of this iteration, then turn to the weights of the next one."""
    first, parent = layout.first, layout.parent
    strategy, weights, averages = tables.strategy, tables.weights, tables.averages
    averages[layout.sequences[player]] += weight
    for s in range(layout.sets[player], layout.sets[player + 1] - 1):
        above = weights[parent[s]]
        for k in range(first[s], first[s + 1]):
            averages[k] += weight * weights[k]
            weights[k] = above * strategy[k]


@native_inline
def kept(power: float, iteration: int) -> float:
    """How much of a regret is kept: n^power / (n^power + 1), written so that infinite powers have their limits."""
    return 1.0 / (1.0 + float(iteration) ** -power) if iteration > 0 else 1.0


@native_inline
def _weight_of(gamma: float, iteration: int) -> float:
    """The iteration's weight in the average; powers that are often used, without a call."""
    t = float(iteration)
    if gamma == 0.0:
        return 1.0
    if gamma == 1.0:
        return t
    return t * t if gamma == 2.0 else t**gamma


@native
def iterate(layout: Layout, tables: Tables, update: Update, alternating: bool, count: int) -> None:
    """Run this many iterations. Nothing is allocated; how they are cut into batches changes nothing."""
    n_players = len(layout.sequences) - 1
    done = tables.done[0]
    for t in range(done + 1, done + count + 1):
        up, down, ahead = 1.0, 1.0, 1.0
        if update.discount == LINEAR:
            up = down = (t - 1.0) / t
        elif update.discount == POWER:
            up, down, ahead = kept(update.alpha, t - 1), kept(update.beta, t - 1), kept(update.alpha, t)
        weight = _weight_of(update.gamma, t)
        if not alternating:  # everybody meets the strategies that all had before
            for player in range(n_players):
                add_gradient(layout, player, tables.weights, tables.gradient)
        for player in range(n_players):
            if alternating:
                add_gradient(layout, player, tables.weights, tables.gradient)
            _update_regrets(layout, player, tables, update, up, down, ahead)
            _add_to_average(layout, player, tables, weight)
    tables.done[0] = done + count
