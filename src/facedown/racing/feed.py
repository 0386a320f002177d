"""Feeding scores to a race, in native code; the tests of the source's five races, and Wald's."""

from __future__ import annotations

import math
from typing import Any

from facedown.native import native
from facedown.native.records import Record
from facedown.racing.betting import feed_bets, take
from facedown.racing.methods import (
    EQUAL,
    FIRST,
    ILEBR,
    ILEBR_STAR_1,
    LEBR,
    SECOND,
    SPARE,
    SPRT,
    UNDECIDED,
    ZONE,
)


@native
def feed(race: Record, scores: Any) -> int:
    """Take in scores in order until the verdict is there; returns how many were taken in."""
    if race.method >= ZONE:
        return int(feed_bets(race, scores))
    for index in range(len(scores)):
        if race.verdict != UNDECIDED:
            return index
        take(race, scores[index])
        if race.n_scores == race.next_test:
            look(race)
    return len(scores)


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
    In the source a mean of exactly 1/2 at the end goes to the second player; here it prefers nobody.
    """
    mean, radius = total / n, bernstein_radius(race, n, total, squares)
    if race.method >= ILEBR_STAR_1 and mean - radius > 0.5:
        return FIRST
    if race.method >= ILEBR_STAR_1 and mean + radius < 0.5:
        return SECOND
    if radius <= race.epsilon or test == race.last_test:
        return FIRST if mean > 0.5 else SECOND if mean < 0.5 else EQUAL
    return UNDECIDED


@native
def judge_sprt(race: Record, n: float, total: float) -> int:
    """Wald's test, its bounds taken from Ville's inequality: the lead that a likelihood ratio of 1/delta needs."""
    step = math.log((0.5 + race.epsilon) / (0.5 - race.epsilon))
    lead, needed = (2.0 * total - n) * step, -math.log(race.delta * (1.0 - SPARE))
    return FIRST if lead >= needed else SECOND if -lead >= needed else UNDECIDED


@native
def look(race: Record) -> None:
    """Test a race, and say when the next test is."""
    n, total, test = int(race.n_scores), race.total, int(race.test) + 1
    race.test = test
    if race.method == SPRT:
        race.verdict = judge_sprt(race, n, total)
        if n == race.patience and total == 0.5 * n and race.squares == 0.25 * n:
            race.verdict = EQUAL  # draws alone would never end it
        race.next_test = n + 1
    else:
        radius, mean = bernstein_radius(race, n, total, race.squares), total / n
        race.lower, race.upper = max(race.lower, mean - radius), min(race.upper, mean + radius)
        race.verdict = judge_bernstein(race, test, n, total, race.squares)
        race.next_test = following_test(race, test)


@native
def following_test(race: Record, test: int) -> int:
    """After how many games the test after this one is."""
    if race.method in (LEBR, ILEBR):
        return test + 1
    return int((test + 1 + race.skipped) ** 2)
