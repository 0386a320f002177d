"""Do counts fit exact probabilities? Pearson's chi-square test, with rare outcomes taken together."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

FALSE_ALARM = 1e-6
"""How often a whole check may fail although all is well; divided among the tests that it makes."""

_MIN_EXPECTED = 10.0


def misfit(
    counts: Mapping[bytes, int], probabilities: Mapping[bytes, Fraction], false_alarm: float
) -> tuple[str, bytes] | None:
    """A sentence on counts that do not fit, and the outcome that fits worst; None if they fit.

    Outcomes that cannot be are a misfit at once. The others are tested by chi-square; outcomes that are expected less
    than ten times are put together until they are expected that often.
    """
    n_samples = sum(counts.values())
    for outcome, count in counts.items():
        if outcome not in probabilities:
            return f"an outcome that cannot be was drawn {count} times in {n_samples:,}", outcome
    cells = _cells(probabilities, n_samples)
    if len(cells) < 2:
        return None
    from scipy.special import chdtrc  # what scipy.stats.chisquare asks in the end; importing that takes a second

    observed = [sum(counts.get(outcome, 0) for outcome in cell) for cell in cells]
    expected = [float(sum(probabilities[outcome] for outcome in cell)) * n_samples for cell in cells]
    statistic = sum((count - wanted) ** 2 / wanted for count, wanted in zip(observed, expected, strict=True))
    p_value = float(chdtrc(len(cells) - 1, statistic))
    if p_value >= false_alarm:
        return None
    worst = max(range(len(cells)), key=lambda cell: (observed[cell] - expected[cell]) ** 2 / expected[cell])
    alike = "an outcome" if len(cells[worst]) == 1 else f"{len(cells[worst])} rare outcomes together"
    share = float(sum(probabilities[outcome] for outcome in cells[worst]))
    return (
        f"{alike} with probability {share:.4g} came {observed[worst]} times in {n_samples:,}, not about "
        f"{expected[worst]:.0f} times (chi-square over {len(cells)} kinds of outcomes: p = {p_value:.1g})"
    ), cells[worst][0]


def _cells(probabilities: Mapping[bytes, Fraction], n_samples: int) -> list[list[bytes]]:
    """Groups of outcomes, rare ones together, so that each group is expected often enough; what is left joins the last."""
    cells: list[list[bytes]] = []
    cell: list[bytes] = []
    expected = 0.0
    for outcome in sorted(probabilities, key=lambda outcome: (probabilities[outcome], outcome)):
        cell.append(outcome)
        expected += float(probabilities[outcome]) * n_samples
        if expected >= _MIN_EXPECTED:
            cells.append(cell)
            cell, expected = [], 0.0
    if cell and cells:
        cells[-1] += cell
    return cells
