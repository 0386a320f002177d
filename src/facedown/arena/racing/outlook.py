"""How a race stands: how far each side is from winning, and how many games may still be needed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from facedown.arena.racing.feed import bernstein_radius, log_coin_evidence
from facedown.arena.racing.methods import MIXTURE, SPRT, ZONE
from facedown.native.records import Record


@dataclass(frozen=True)
class Outlook:
    """A race between two batches."""

    games: int
    mean: float
    first: float
    """How much of what it needs the first agent has: 1 is enough."""
    second: float
    remaining: float
    """Games that are still needed if it goes on as it did; infinite if that leads nowhere."""

    def __str__(self) -> str:
        left = f"about {self.remaining:,.0f} games to go" if math.isfinite(self.remaining) else "no end in sight yet"
        return (
            f"{self.games:,} games, mean {self.mean:.4f}, first {self.first:.0%}, second {self.second:.0%} of the proof; {left}"
        )


def outlook(race: Record, games_per_deal: int) -> Outlook:
    """Look at a race."""
    n, total = int(race.n_scores), float(race.total)
    mean = total / n if n else 0.5
    first, second = (min(max(share, 0.0), 1.0) for share in _shares(race, n, total))
    furthest = max(first, second)
    remaining = n * (1 - furthest) / furthest if furthest > 0 else math.inf
    if race.last_test < 2**62:  # the races of the source end at a known number of games in any case
        last = int(race.last_test + race.skipped) ** 2 if race.method >= 2 else int(race.last_test)
        remaining = min(remaining, last - n)
    return Outlook(n * games_per_deal, mean, first, second, remaining * games_per_deal)


def _shares(race: Record, n: int, total: float) -> tuple[float, float]:
    """Evidence in units of what is needed."""
    if n == 0:
        return 0.0, 0.0
    needed = -math.log(race.delta)
    if race.method == ZONE:
        above = math.log(max(float(race.wealth_above.sum()), 1e-300)) / needed
        below = math.log(max(float(race.wealth_below.sum()), 1e-300)) / needed
        return (1.0 if race.proved_above else above), (1.0 if race.proved_below else below)
    if race.method == SPRT:
        lead = (2 * total - n) * math.log((0.5 + race.epsilon) / (0.5 - race.epsilon)) / needed
        return lead, -lead
    if race.method == MIXTURE:
        evidence = log_coin_evidence(0.5, total, float(n)) / needed
        return (evidence, 0.0) if 2 * total > n else (0.0, evidence)
    radius = bernstein_radius(race, float(n), total, float(race.squares))
    lead = (total / n - 0.5) / radius
    return lead, -lead
