"""Exact plans of races by betting: `duel`, `settle` and `zone`, for games that are won or lost.

With coins all stakes are constant, so the evidence depends on wins and games alone, and rises with the wins. A proof once made
stays: races that have proved the same form a layer, a distribution over the number of wins. After every game each layer
is moved on, and where the wins suffice for another proof, races go to the layer that has it, or end.
"""

from __future__ import annotations

import math
from typing import Any

from facedown.native import native
from facedown.native.records import Record
from facedown.racing.betting import judge_bets, set_stakes
from facedown.racing.methods import (
    ABOVE,
    BELOW,
    BETS,
    FIRST_BETTER,
    NAMING_BETS,
    SECOND_BETTER,
    SETTLE,
    UNDECIDED,
    ZONE,
)
from facedown.racing.planning import LAYERS, NEGLIGIBLE, book, close, has_ended, move_layers, move_window


@native
def set_odds(race: Record, odds: Any) -> None:
    """Logarithms of each bet's wealth at the start, and of what a win and a loss multiply it with.

    `odds[0]` is for bets against an edge of the zone, `odds[1]` for those that name an agent. The race has not begun.
    """
    set_stakes(race, 0.25)
    odds[:] = 0.0
    odds[:, 0] = -math.inf
    for bet in range(BETS):
        stake, weight = race.stakes[bet], race.wealth_above[bet]
        if weight > 0.0:
            odds[0, 0, bet] = math.log(weight)
            odds[0, 1, bet] = math.log(1.0 + stake * (race.epsilon + 0.5))
            odds[0, 2, bet] = math.log(1.0 + stake * (race.epsilon - 0.5))
    for bet in range(NAMING_BETS):
        stake, weight = race.naming_stakes[bet], race.wealth_first[bet]
        if weight > 0.0:
            odds[1, 0, bet] = math.log(weight)
            odds[1, 1, bet] = math.log(1.0 + 0.5 * stake)
            odds[1, 2, bet] = math.log(1.0 - 0.5 * stake)


@native
def log_evidence(odds: Any, n: int, wins: int) -> float:
    """The logarithm of the wealth of all bets together."""
    largest, total = -math.inf, 0.0
    for bet in range(odds.shape[1]):
        log = odds[0, bet] + wins * odds[1, bet] + (n - wins) * odds[2, bet]
        if log > largest:
            total = total * math.exp(largest - log) + 1.0
            largest = log
        elif log > -math.inf:
            total += math.exp(log - largest)
    return largest + math.log(total)


@native
def _fewest_wins(odds: Any, needed: float, n: int, wins: int) -> int:
    """The fewest wins in n games that are enough, searched from those that were after n - 1; n + 1 if there are none."""
    while wins > 0 and log_evidence(odds, n, wins - 1) >= needed:
        wins -= 1
    while wins <= n and log_evidence(odds, n, wins) < needed:
        wins += 1
    return wins


@native
def plan_bets(race: Record, mean: float, max_games: int, window: Record, buffers: Any, booked: Any, odds: Any) -> None:
    """Book the verdicts, until the race is over or the window too small."""
    needed = -math.log(race.delta)
    for n in range(int(window.n_games) + 1, max_games + 1):
        before, layers = buffers[1 - n % 2], buffers[n % 2]
        if not move_window(window, before):
            return
        window.n_games = n
        move_layers(window, before, layers, mean)
        window.above_from = _fewest_wins(odds[0], needed, n, window.above_from)
        if race.method == SETTLE:
            window.first_from = _fewest_wins(odds[1], needed + math.log(2.0), n, window.first_from)
        for proofs in range(LAYERS):
            _sort_out(race, window, n, layers, proofs, booked)
        if n % 64 == 0 and has_ended(window, layers):
            return
    close(max_games, window, booked)


@native
def _sort_out(race: Record, window: Record, n: int, layers: Any, proofs: int, booked: Any) -> None:
    """Move races of a layer that have proved more to another, and take out those that are decided."""
    least, most = int(window.offset + window.low[proofs]), int(window.offset + window.high[proofs])
    if least > most:
        return
    up, down = changing(race, window, n, proofs)
    for wins in range(max(least, up), most + 1):
        _sort_out_at(race, window, n, layers, proofs, wins, booked)
    for wins in range(least, min(most, down, up - 1) + 1):
        _sort_out_at(race, window, n, layers, proofs, wins, booked)


@native
def changing(race: Record, window: Record, n: int, proofs: int) -> tuple[int, int]:
    """From how many wins up, and from how many down, something can change for races that have proved this."""
    up, down = n + 1, -1
    if not proofs & ABOVE:
        up = min(up, int(window.above_from))
    if not proofs & FIRST_BETTER:
        up = min(up, int(window.first_from))
    if not proofs & BELOW:
        down = max(down, n - int(window.above_from))
    if not proofs & SECOND_BETTER:
        down = max(down, n - int(window.first_from))
    if race.method == ZONE and proofs:
        if n >= race.patience:
            return 0, n
        lead = math.ceil(0.5 * n + race.margin * n) - 1
        up = min(up, lead) if proofs & ABOVE else up
        down = max(down, n - lead) if proofs & BELOW else down
    return up, down


@native
def _sort_out_at(race: Record, window: Record, n: int, layers: Any, proofs: int, wins: int, booked: Any) -> None:
    """The same for one number of wins."""
    place = wins - int(window.offset)
    p = layers[proofs, place]
    if p == 0.0:
        return
    reached = proofs
    if wins >= window.above_from:
        reached |= ABOVE
    if wins >= window.first_from:
        reached |= FIRST_BETTER
    if n - wins >= window.above_from:
        reached |= BELOW
    if n - wins >= window.first_from:
        reached |= SECOND_BETTER
    verdict = judge_bets(race, reached, n, wins)
    if verdict != UNDECIDED:
        book(booked, verdict, n, p)
        layers[proofs, place] = 0.0
    elif reached != proofs:
        layers[proofs, place] = 0.0
        _add_to_layer(window, layers[reached], reached, place, p)


@native
def _add_to_layer(window: Record, layer: Any, proofs: int, place: int, p: float) -> None:
    """Add probability to a layer, whose entries beyond those in use are left from games before."""
    low, high = int(window.low[proofs]), int(window.high[proofs])
    if p < NEGLIGIBLE:
        window.dropped += p
        return
    if low > high:
        low, high = place, place
        layer[place] = 0.0
    while low > place:
        low -= 1
        layer[low] = 0.0
    while high < place:
        high += 1
        layer[high] = 0.0
    layer[place] += p
    window.low[proofs], window.high[proofs] = low, high
