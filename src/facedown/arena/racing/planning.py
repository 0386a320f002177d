"""What a race will do, exactly: its error and its expected number of games, for games that are won or lost.

The decision of every method depends on the number of games t and the number of wins w alone (for `zone`, also on which
side has been proved). So the distribution of w over the races that still run, moved on game by game, tells everything
without simulation:

1. after a game: p(w) <- p(w) (1 - mu) + p(w - 1) mu;
2. at a test: the probability of all w that decide is taken out and booked under the verdict, with t games.

Probabilities below 1e-22 at the edges are dropped; what is lost in total is reported.
"""

from __future__ import annotations

import math
from typing import Any

from facedown.arena.racing.feed import (
    following_look,
    following_test,
    judge_bernstein,
    judge_mixture,
    judge_sprt,
    judge_zone,
)
from facedown.arena.racing.methods import BETS, MIXTURE, SPRT, UNDECIDED
from facedown.native import native
from facedown.native.records import Record

NEGLIGIBLE = 1e-22
ENOUGH = 1e-13
"""A plan is finished when races that still run have less probability than this."""


@native
def zone_evidence(race: Record, above: bool, n: int, wins: int) -> float:
    """The logarithm of one bettor's wealth after so many wins in n games."""
    low = 0.5 - race.epsilon
    won, lost = (wins, n - wins) if above else (n - wins, wins)
    largest, total = -math.inf, 0.0
    for bet in range(BETS):
        stake, weight = race.bets[bet], race.wealth_above[bet]  # of a race that has not begun
        log = math.log(weight) + won * math.log(1.0 + stake * (1.0 - low)) + lost * math.log(1.0 - stake * low)
        if log > largest:
            total = total * math.exp(largest - log) + 1.0 if largest > -math.inf else 1.0
            largest = log
        else:
            total += math.exp(log - largest)
    return largest + math.log(total)


@native
def move_on(p: Any, moved: Any, low: int, high: int, mean: float) -> None:
    """One game for all races with `low` to `high` wins. Into another array: in place it would run at a quarter of the speed."""
    moved[low] = p[low] * (1.0 - mean)
    for wins in range(low + 1, high + 1):
        moved[wins] = p[wins] * (1.0 - mean) + p[wins - 1] * mean
    moved[high + 1] = p[high] * mean


@native
def verdict_at(race: Record, test: int, n: int, wins: int) -> int:
    """What a test says, for all methods but `zone`."""
    if race.method == SPRT:
        return int(judge_sprt(race, n, wins))
    if race.method == MIXTURE:
        return int(judge_mixture(race, n, wins))
    return int(judge_bernstein(race, test, n, wins, wins))


@native
def book(booked: Any, verdict: int, n: int, p: float) -> None:
    """Probability and games of a verdict."""
    booked[0, verdict] += p
    booked[1, verdict] += p * n


@native
def plan_tests(race: Record, mean: float, max_games: int, buffers: Any, booked: Any) -> float:
    """The distribution of verdicts of a method whose tests look at (t, w); returns what was dropped."""
    buffers[:] = 0.0
    buffers[0, 0] = 1.0
    low, high, dropped, running = 0, 0, 0.0, 1.0
    test, next_test = 0, int(race.next_test)
    for n in range(1, max_games + 1):
        p = buffers[n % 2]
        move_on(buffers[1 - n % 2], p, low, high, mean)
        high += 1
        while low < high and p[low] < NEGLIGIBLE:
            dropped += p[low]
            low += 1
        while high > low and p[high] < NEGLIGIBLE:
            dropped += p[high]
            high -= 1
        if n < next_test:
            continue
        test += 1
        next_test = (
            n + 1 if race.method == SPRT else following_look(n) if race.method == MIXTURE else following_test(race, test)
        )
        if race.method == MIXTURE:  # it can end in the middle too
            for wins in range(low, high + 1):
                verdict = verdict_at(race, test, n, wins) if p[wins] > 0.0 else UNDECIDED
                if verdict != UNDECIDED:
                    book(booked, verdict, n, p[wins])
                    p[wins] = 0.0
        else:
            while low <= high and verdict_at(race, test, n, low) != UNDECIDED:
                book(booked, verdict_at(race, test, n, low), n, p[low])
                low += 1
            while high >= low and verdict_at(race, test, n, high) != UNDECIDED:
                book(booked, verdict_at(race, test, n, high), n, p[high])
                high -= 1
        running = p[low : high + 1].sum() if low <= high else 0.0
        if running < ENOUGH:
            return dropped + running
    book(booked, UNDECIDED, max_games, 1.0 - booked[0].sum() - dropped)
    return dropped


@native
def zone_edges(race: Record, n: int, above_from: int, below_to: int) -> tuple[int, int]:
    """The fewest wins that prove "above" and the most that prove "below" after n games, from those after n - 1."""
    needed = -math.log(race.delta)
    while above_from > 0 and zone_evidence(race, True, n, above_from - 1) >= needed:
        above_from -= 1
    while above_from <= n and zone_evidence(race, True, n, above_from) < needed:
        above_from += 1
    while below_to < n and zone_evidence(race, False, n, below_to + 1) >= needed:
        below_to += 1
    while below_to >= 0 and zone_evidence(race, False, n, below_to) < needed:
        below_to -= 1
    return above_from, below_to


@native
def plan_zone(race: Record, mean: float, max_games: int, buffers: Any, booked: Any) -> float:
    """The same for `zone`: races with nothing proved (layer 0), with "above" proved (1), and with "below" proved (2)."""
    buffers[:] = 0.0
    buffers[0, 0, 0] = 1.0
    low, high, dropped = 0, 0, 0.0
    above_from, below_to = 1, -1
    for n in range(1, max_games + 1):
        layers = buffers[n % 2]
        for layer in range(3):
            move_on(buffers[1 - n % 2, layer], layers[layer], low, high, mean)
        high += 1
        above_from, below_to = zone_edges(race, n, above_from, below_to)
        # new proofs, then what they and the mean decide
        for wins in range(max(low, above_from), high + 1):
            layers[1, wins] += layers[0, wins]
            layers[0, wins] = 0.0
        for wins in range(low, min(high, below_to) + 1):
            layers[2, wins] += layers[0, wins]
            layers[0, wins] = 0.0
        settle(race, booked, layers[1], n, low, min(high, below_to), 1, 1)
        settle(race, booked, layers[2], n, max(low, above_from), high, 1, 1)
        lead_needed = math.ceil(0.5 * n + race.margin * n) - 1 if n < race.patience else 0
        settle(race, booked, layers[1], n, max(low, lead_needed), high, 1, 0)
        settle(race, booked, layers[2], n, low, min(high, n - lead_needed), 0, 1)
        while low < high and layers[0, low] + layers[1, low] + layers[2, low] < NEGLIGIBLE:
            dropped += layers[0, low] + layers[1, low] + layers[2, low]
            low += 1
        while high > low and layers[0, high] + layers[1, high] + layers[2, high] < NEGLIGIBLE:
            dropped += layers[0, high] + layers[1, high] + layers[2, high]
            high -= 1
        if 1.0 - booked[0].sum() - dropped < ENOUGH:
            return dropped + ENOUGH
    book(booked, UNDECIDED, max_games, 1.0 - booked[0].sum() - dropped)
    return dropped


@native
def settle(race: Record, booked: Any, p: Any, n: int, low: int, high: int, proved_above: int, proved_below: int) -> None:
    """Take out of a layer what is decided among these numbers of wins."""
    for wins in range(low, high + 1):
        verdict = judge_zone(race, proved_above, proved_below, n, wins)
        if verdict != UNDECIDED:
            book(booked, verdict, n, p[wins])
            p[wins] = 0.0
