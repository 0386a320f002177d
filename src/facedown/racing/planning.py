"""What a race will do, exactly: its error and its expected number of games, for games that are won or lost.

The decision of every method depends on the number of games t and the number of wins w alone (for races by betting, also
on what has been proved: `planning_bets`). So the distribution of w over the races that still run, moved on game by
game, tells everything without simulation:

1. after a game: p(w) <- p(w) (1 - mu) + p(w - 1) mu;
2. at a test: the probability of all w that decide is taken out and booked under the verdict, with t games.

Probabilities below 1e-22 at the edges are dropped; what is lost in total is reported. What is left are at most some
10 sqrt(t) numbers of wins. They are kept in a window that moves along; a window that has become too small is handed back
for a larger one, so a plan takes as much memory as it needs, whatever the largest number of games is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.native import native
from facedown.native.records import Record
from facedown.racing.feed import following_test, judge_bernstein, judge_sprt
from facedown.racing.methods import SPRT, UNDECIDED

NEGLIGIBLE = 1e-22
ENOUGH = 1e-13
"""A plan is finished when races that still run have less probability than this."""

LAYERS = 16
"""Races by betting are kept apart by what they have proved: four proofs can be there or not. The others need one layer."""

WINDOW = np.dtype(
    (
        Record,
        [
            ("n_games", np.int64),  # so far
            ("offset", np.int64),  # the number of wins that the first entry stands for
            ("low", np.int64, (LAYERS,)),  # the entries in use, layer by layer; none if low > high
            ("high", np.int64, (LAYERS,)),
            ("dropped", np.float64),
            ("finished", np.int64),
            ("test", np.int64),
            ("next_test", np.int64),
            ("above_from", np.int64),  # races by betting: the fewest wins that prove mu > 1/2 - epsilon
            ("first_from", np.int64),  # settle: the fewest wins that prove mu > 1/2
        ],
    )
)


@native
def _move_on(p: Any, moved: Any, low: int, high: int, mean: float) -> None:
    """One game for all races with `low` to `high` wins. Into another array: in place it would run at a quarter of the speed."""
    moved[low] = p[low] * (1.0 - mean)
    for wins in range(low + 1, high + 1):
        moved[wins] = p[wins] * (1.0 - mean) + p[wins - 1] * mean
    moved[high + 1] = p[high] * mean


@native
def move_layers(window: Record, before: Any, layers: Any, mean: float) -> None:
    """One game for all races of all layers; what is negligible at their ends is dropped."""
    for layer in range(len(layers)):
        if window.low[layer] > window.high[layer]:
            continue
        p = layers[layer]
        _move_on(before[layer], p, window.low[layer], window.high[layer], mean)
        window.high[layer] += 1
        while window.low[layer] <= window.high[layer] and p[window.low[layer]] < NEGLIGIBLE:
            window.dropped += p[window.low[layer]]
            window.low[layer] += 1
        while window.high[layer] >= window.low[layer] and p[window.high[layer]] < NEGLIGIBLE:
            window.dropped += p[window.high[layer]]
            window.high[layer] -= 1


@native
def move_window(window: Record, layers: Any) -> bool:
    """Make room for one more win; False if the window is too small."""
    low, high = layers.shape[1], -1
    for layer in range(len(layers)):
        if window.low[layer] <= window.high[layer]:
            low, high = min(low, int(window.low[layer])), max(high, int(window.high[layer]))
    if high + 1 < layers.shape[1]:
        return True
    if 2 * (high - low + 2) > layers.shape[1]:
        return False
    for layer in range(len(layers)):
        for place in range(window.low[layer], window.high[layer] + 1):
            layers[layer, place - low] = layers[layer, place]
        window.low[layer] -= low
        window.high[layer] -= low
    window.offset += low
    return True


@native
def book(booked: Any, verdict: int, n: int, p: float) -> None:
    """Probability and games of a verdict."""
    booked[0, verdict] += p
    booked[1, verdict] += p * n


@native
def _verdict_at(race: Record, test: int, n: int, wins: int) -> int:
    """What a test says, for the races of the source and `sprt`."""
    if race.method == SPRT:
        return int(judge_sprt(race, n, wins))
    return int(judge_bernstein(race, test, n, wins, wins))


@native
def plan_tests(race: Record, mean: float, max_games: int, window: Record, buffers: Any, booked: Any) -> None:
    """Book the verdicts of a race whose tests look at (t, w), until it is over or the window too small."""
    for n in range(int(window.n_games) + 1, max_games + 1):
        before, layers = buffers[1 - n % 2], buffers[n % 2]
        if not move_window(window, before):
            return
        window.n_games = n
        move_layers(window, before, layers, mean)
        if n == window.next_test:
            test = int(window.test) + 1
            window.test, window.next_test = test, n + 1 if race.method == SPRT else following_test(race, test)
            _take_out(race, window, n, layers[0], booked)
            if has_ended(window, layers):
                return
    close(max_games, window, booked)


@native
def _take_out(race: Record, window: Record, n: int, p: Any, booked: Any) -> None:
    """What a test decides, it decides from the ends."""
    low, high, test, offset = int(window.low[0]), int(window.high[0]), int(window.test), int(window.offset)
    while low <= high:
        verdict = _verdict_at(race, test, n, offset + low)
        if verdict == UNDECIDED:
            break
        book(booked, verdict, n, p[low])
        low += 1
    while high >= low:
        verdict = _verdict_at(race, test, n, offset + high)
        if verdict == UNDECIDED:
            break
        book(booked, verdict, n, p[high])
        high -= 1
    window.low[0], window.high[0] = low, high


@native
def has_ended(window: Record, layers: Any) -> bool:
    """Whether next to no race still runs; then the plan is finished."""
    running = 0.0
    for layer in range(len(layers)):
        for place in range(window.low[layer], window.high[layer] + 1):
            running += layers[layer, place]
    if running >= ENOUGH:
        return False
    window.dropped += running
    window.finished = 1
    return True


@native
def close(max_games: int, window: Record, booked: Any) -> None:
    """Races that have not ended after all games are undecided."""
    book(booked, UNDECIDED, max_games, 1.0 - booked[0].sum() - window.dropped)
    window.finished = 1
