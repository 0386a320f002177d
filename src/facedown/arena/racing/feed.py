"""Feeding scores to a race, in native code."""

from __future__ import annotations

import math
from typing import Any

from facedown.arena.racing.methods import (
    BETS,
    EQUAL,
    FIRST,
    ILEBR,
    ILEBR_STAR_1,
    LEBR,
    MIXTURE,
    SECOND,
    SPRT,
    UNDECIDED,
    ZONE,
)
from facedown.native import native
from facedown.native.jit import native_inline
from facedown.native.records import Record

TINY = 1e-280  # wealth below this is lost: numbers much smaller are slow to compute with


@native
def feed(race: Record, scores: Any) -> int:
    """Take in scores in order until the verdict is there; returns how many were taken in."""
    if race.method == ZONE:
        return int(feed_zone(race, scores))
    for index in range(len(scores)):
        if race.verdict != UNDECIDED:
            return index
        take(race, scores[index])
        if race.n_scores == race.next_test:
            look(race)
    return len(scores)


@native_inline
def take(race: Record, score: float) -> None:
    race.n_scores += 1
    race.total += score
    race.squares += score * score


# --- decisions: functions of the number of scores and their sums, so that `planning` can use them -----------------------


@native
def bernstein_radius(race: Record, n: float, total: float, squares: float) -> float:
    """Half the width of the interval of a test."""
    mean = total / n
    deviation = math.sqrt(max(squares / n - mean * mean, 0.0))
    level = float(race.log_level)
    if race.method == LEBR:
        level = math.log(3.0 * math.pi * math.pi * n * n / (6.0 * race.delta))
    return deviation * math.sqrt(2.0 * level / n) + 3.0 * level / n


@native
def judge_bernstein(race: Record, test: int, n: float, total: float, squares: float) -> int:
    """One test of the five races of the source (algorithms 1 to 5).

    Decisions are taken on the interval of this test. The source intersects it with all earlier ones, which would make the
    decision depend on more than the number of games and the score; the intersection is what `lower` and `upper` show.
    """
    mean, radius = total / n, bernstein_radius(race, n, total, squares)
    if race.method >= ILEBR_STAR_1 and mean - radius > 0.5:
        return FIRST
    if race.method >= ILEBR_STAR_1 and mean + radius < 0.5:
        return SECOND
    if radius <= race.epsilon or test == race.last_test:
        return FIRST if mean > 0.5 else SECOND
    return UNDECIDED


@native
def judge_sprt(race: Record, n: float, total: float) -> int:
    """Wald's test, its bounds taken from Ville's inequality: the lead that a likelihood ratio of 1/delta needs."""
    step = math.log((0.5 + race.epsilon) / (0.5 - race.epsilon))
    lead, needed = (2.0 * total - n) * step, -math.log(race.delta)
    return FIRST if lead >= needed else SECOND if -lead >= needed else UNDECIDED


@native
def log_coin_evidence(mean: float, total: float, n: float) -> float:
    """As `arena.intervals.log_evidence` without spread, for means strictly between 0 and 1."""
    mixed = math.lgamma(total + 1.0) + math.lgamma(n - total + 1.0) - math.lgamma(n + 2.0)
    return mixed - total * math.log(mean) - (n - total) * math.log(1.0 - mean)


@native
def judge_mixture(race: Record, n: float, total: float) -> int:
    """Whether the interval that holds at all times is clear of 1/2, or within the zone."""
    needed = -math.log(race.delta)
    if log_coin_evidence(0.5, total, n) >= needed:
        return FIRST if 2.0 * total > n else SECOND
    if abs(total / n - 0.5) >= race.epsilon or log_coin_evidence(0.5 - race.epsilon, total, n) < needed:
        return UNDECIDED
    return EQUAL if log_coin_evidence(0.5 + race.epsilon, total, n) >= needed else UNDECIDED


@native
def judge_zone(race: Record, proved_above: int, proved_below: int, n: float, total: float) -> int:
    """With one side proved, the mean tells which agent it is; with both, neither."""
    lead, margin = total - 0.5 * n, race.margin * n
    if proved_above and proved_below:
        return EQUAL
    if proved_above and (lead >= margin or n >= race.patience):
        return FIRST
    if proved_below and (lead <= -margin or n >= race.patience):
        return SECOND
    return UNDECIDED


@native
def look(race: Record) -> None:
    """Test a race, and say when the next test is."""
    n, total, test = int(race.n_scores), race.total, int(race.test) + 1
    race.test = test
    if race.method == SPRT:
        race.verdict = judge_sprt(race, n, total)
        race.next_test = n + 1
    elif race.method == MIXTURE:
        race.verdict = judge_mixture(race, n, total)
        race.next_test = following_look(n)
    else:
        radius, mean = bernstein_radius(race, n, total, race.squares), total / n
        race.lower, race.upper = max(race.lower, mean - radius), min(race.upper, mean + radius)
        race.verdict = judge_bernstein(race, test, n, total, race.squares)
        race.next_test = following_test(race, test)


@native
def following_look(n: int) -> int:
    """When `mixture` looks again: after one more game in a hundred, as a look costs as much as many games."""
    return n + 1 + n // 100


@native
def following_test(race: Record, test: int) -> int:
    """After how many games the test after this one is."""
    if race.method in (LEBR, ILEBR):
        return test + 1
    return int((test + 1 + race.skipped) ** 2)


@native
def feed_zone(race: Record, scores: Any) -> int:
    """Two bettors with a few stakes each: one against mu <= 1/2 - epsilon, one against mu >= 1/2 + epsilon."""
    low, high, goal = 0.5 - race.epsilon, 0.5 + race.epsilon, 1.0 / race.delta
    for index in range(len(scores)):
        if race.verdict != UNDECIDED:
            return index
        score = scores[index]
        take(race, score)
        above, below = 0.0, 0.0
        for bet in range(BETS):
            stake = race.bets[bet]
            race.wealth_above[bet] *= 1.0 + stake * (score - low)
            race.wealth_below[bet] *= 1.0 + stake * (high - score)
            above += race.wealth_above[bet]
            below += race.wealth_below[bet]
        if above >= goal:
            race.proved_above = 1
        if below >= goal:
            race.proved_below = 1
        if race.proved_above or race.proved_below:
            race.verdict = judge_zone(race, race.proved_above, race.proved_below, race.n_scores, race.total)
        if race.n_scores % 1024 == 0:
            drop_lost_stakes(race)
    return len(scores)


@native
def drop_lost_stakes(race: Record) -> None:
    for bet in range(BETS):
        if race.wealth_above[bet] < TINY:
            race.wealth_above[bet] = 0.0
        if race.wealth_below[bet] < TINY:
            race.wealth_below[bet] = 0.0
