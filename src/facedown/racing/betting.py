"""Races by betting: `duel`, `settle` and `zone`, valid after every game (Ville's inequality).

Against the claim "mu <= m" somebody bets on high scores: a stake l turns wealth W into W (1 + l (x - m)). If the claim is
true, W cannot be expected to grow, for any independent scores in [0, 1], and reaches 1/delta with probability at most
delta, however long one looks. Several stakes share the wealth of the start. Against "mu >= m" one bets on 1 - x.

1. Before each score, stakes follow from what is known: v = (3/4 + sum of (x - 1/2)^2 so far) / (3 + their number) guesses how
   much scores vary, and l = d / max(v, d^2), capped, is close to the stake that grows fastest if mu = m + d.
   For coins v is 1/4 exactly, so that the evidence depends on wins and games alone, and plans are exact.
2. The score moves the wealth of all bets. A sum that reaches its goal is a proof, and stays one.
3. The proofs decide (`judge_bets`): what each answer claims, the proofs that it needs have shown.

Why `settle` is right at every mu with probability 1 - delta. mu <= 1/2 - epsilon: both "first" and "equal" need the proof of
mu > 1/2 - epsilon. 1/2 - epsilon < mu < 1/2: "first" needs the one of mu > 1/2, which has delta/2; "equal" is true. mu = 1/2:
either name needs one of two proofs of delta/2 each.
"""

from __future__ import annotations

from typing import Any

from facedown.native import native
from facedown.native.jit import native_inline
from facedown.native.records import Record
from facedown.racing.methods import (
    ABOVE,
    BELOW,
    BETS,
    DUEL,
    EQUAL,
    FIRST,
    FIRST_BETTER,
    MAX_STAKED,
    NAMING_BETS,
    SECOND,
    SECOND_BETTER,
    SETTLE,
    SETTLE_EDGE_DISTANCE,
    UNDECIDED,
    ZONE,
)

TINY = 1e-280  # wealth below this is lost: numbers much smaller are slow to compute with


@native_inline
def take(race: Record, score: float) -> None:
    """Count a score."""
    race.n_scores += 1
    race.total += score
    race.squares += score * score


@native_inline
def _second_moment(race: Record) -> float:
    """How far from 1/2 scores are, on average of the square, as far as is known: 1/4 at first, and for coins."""
    n = int(race.n_scores)
    return float((0.75 + max(race.squares - race.total + 0.25 * n, 0.0)) / (3.0 + n))


@native_inline
def set_stakes(race: Record, moment: float) -> None:
    """The stakes of the next score."""
    for bet in range(NAMING_BETS):
        distance = race.distances[bet]
        if race.method == ZONE:
            race.stakes[bet] = min(distance / moment, race.cap)
        elif race.method == DUEL:
            race.stakes[bet] = min(distance / max(moment, distance * distance), race.cap)
        else:
            stake = min(distance / max(moment, distance * distance), 2.0 * MAX_STAKED)
            race.naming_stakes[bet] = stake
            # the stake against the edge that moves wealth by the same ratios as this one moves it against 1/2
            race.stakes[bet + 1] = min(stake / (1.0 - race.epsilon * stake), race.cap)
    if race.method == SETTLE:
        race.stakes[0] = min(SETTLE_EDGE_DISTANCE * race.epsilon / moment, race.cap)


@native
def feed_bets(race: Record, scores: Any) -> int:
    """Take in scores until the verdict is there; returns how many were taken in."""
    goal = 1.0 / race.delta
    for index in range(len(scores)):
        if race.verdict != UNDECIDED:
            return index
        set_stakes(race, _second_moment(race))
        take(race, scores[index])
        lead = scores[index] - 0.5  # from 1/2, so that mirrored scores give mirrored wealth to the last bit
        _bet_on_edges(race, lead, goal)
        if race.method == SETTLE:
            _bet_on_names(race, lead, 2.0 * goal)
        if race.proofs:
            race.verdict = judge_bets(race, race.proofs, race.n_scores, race.total)
        if race.n_scores % 1024 == 0:
            _drop_lost_stakes(race)
    return len(scores)


@native_inline
def _bet_on_edges(race: Record, lead: float, goal: float) -> None:
    """Against mu <= 1/2 - epsilon, and against mu >= 1/2 + epsilon."""
    above, below = 0.0, 0.0
    for bet in range(BETS):
        stake = race.stakes[bet]
        race.wealth_above[bet] *= 1.0 + stake * (race.epsilon + lead)
        race.wealth_below[bet] *= 1.0 + stake * (race.epsilon - lead)
        above += race.wealth_above[bet]
        below += race.wealth_below[bet]
    if above >= goal:
        race.proofs |= ABOVE
    if below >= goal:
        race.proofs |= BELOW


@native_inline
def _bet_on_names(race: Record, lead: float, goal: float) -> None:
    """Against mu <= 1/2, and against mu >= 1/2."""
    first, second = 0.0, 0.0
    for bet in range(NAMING_BETS):
        stake = race.naming_stakes[bet]
        race.wealth_first[bet] *= 1.0 + stake * lead
        race.wealth_second[bet] *= 1.0 - stake * lead
        first += race.wealth_first[bet]
        second += race.wealth_second[bet]
    if first >= goal:
        race.proofs |= FIRST_BETTER
    if second >= goal:
        race.proofs |= SECOND_BETTER


@native
def judge_bets(race: Record, proofs: int, n: int, total: float) -> int:
    """What follows from the proofs; for `zone` the mean has to agree, or patience to be at its end."""
    if proofs & ABOVE and proofs & BELOW:
        return EQUAL
    may_name_first, may_name_second = True, True
    if race.method == ZONE and n < race.patience:
        lead, margin = total - 0.5 * n, race.margin * n
        may_name_first, may_name_second = lead >= margin, -lead >= margin
    elif race.method == SETTLE:
        may_name_first, may_name_second = proofs & FIRST_BETTER != 0, proofs & SECOND_BETTER != 0
    if proofs & ABOVE and may_name_first:
        return FIRST
    if proofs & BELOW and may_name_second:
        return SECOND
    return UNDECIDED


@native
def _drop_lost_stakes(race: Record) -> None:
    """Wealth that is next to nothing is nothing."""
    for bet in range(BETS):
        if race.wealth_above[bet] < TINY:
            race.wealth_above[bet] = 0.0
        if race.wealth_below[bet] < TINY:
            race.wealth_below[bet] = 0.0
    for bet in range(NAMING_BETS):
        if race.wealth_first[bet] < TINY:
            race.wealth_first[bet] = 0.0
        if race.wealth_second[bet] < TINY:
            race.wealth_second[bet] = 0.0
