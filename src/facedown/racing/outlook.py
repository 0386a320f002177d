"""How a race stands: how far each side is from winning, and how many games may still be needed."""

from __future__ import annotations

import math
from typing import Any

from facedown.native.records import Record
from facedown.progress import Progress
from facedown.racing.feed import bernstein_radius
from facedown.racing.methods import ABOVE, BELOW, FIRST_BETTER, ILEBR2, SECOND_BETTER, SETTLE, SPRT, ZONE


def outlook(race: Record, games_per_deal: int, seconds: float) -> Progress:
    """Look at a race between two batches.

    Details: the `mean` score of the first agent; how much of what they need the `first` and the `second` agent have (1 is
    enough); games that are `remaining` if it goes on as it did, infinite if that leads nowhere.
    """
    n, total = int(race.n_scores), float(race.total)
    mean = total / n if n else 0.5
    first, second, equal = (min(max(share, 0.0), 1.0) for share in _shares(race, n, total))
    furthest = max(first, second, equal)
    remaining = n * (1 - furthest) / furthest if furthest > 0 else math.inf
    if race.last_test < 2**62:  # the races of the source end at a known number of games in any case
        last = int(race.last_test + race.skipped) ** 2 if race.method >= ILEBR2 else int(race.last_test)
        remaining = min(remaining, last - n)
    games, remaining, known = n * games_per_deal, remaining * games_per_deal, math.isfinite(remaining)
    left = f"about {remaining:,.0f} games to go" if known else "no end in sight yet"
    words = f"{games:,} games, mean {mean:.4f}, first {first:.0%}, second {second:.0%} of the proof; {left}"
    details = {"mean": mean, "first": first, "second": second, "remaining": remaining}
    return Progress(games, games + remaining if known else None, "games", seconds, words, details)


def _shares(race: Record, n: int, total: float) -> tuple[float, float, float]:
    """How much of what they need the two agents have, and "practically equal"."""
    if n == 0:
        return 0.0, 0.0, 0.0
    if race.method >= ZONE:
        return _shares_of_bets(race)
    if race.method == SPRT:
        lead = (2 * total - n) * math.log((0.5 + race.epsilon) / (0.5 - race.epsilon)) / -math.log(race.delta)
        return lead, -lead, 0.0
    lead = (total / n - 0.5) / bernstein_radius(race, float(n), total, float(race.squares))
    return lead, -lead, 0.0


def _shares_of_bets(race: Record) -> tuple[float, float, float]:
    """By the logarithm of the evidence; a name may need two proofs, "practically equal" always does."""

    def share(proof: int, wealth: Any, goal: float) -> float:
        return 1.0 if race.proofs & proof else math.log(max(float(wealth.sum()), 1e-300)) / math.log(goal)

    goal = 1 / float(race.delta)
    above, below = share(ABOVE, race.wealth_above, goal), share(BELOW, race.wealth_below, goal)
    if race.method != SETTLE:
        return above, below, min(above, below)
    first, second = share(FIRST_BETTER, race.wealth_first, 2 * goal), share(SECOND_BETTER, race.wealth_second, 2 * goal)
    return min(above, first), min(below, second), min(above, below)
