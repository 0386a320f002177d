"""The check of small games as a whole: every history is walked, and the counts are compared with published ones."""

from __future__ import annotations

from facedown.check.case import Case
from facedown.check.known_counts import KNOWN
from facedown.check.report import Failure


def tree(case: Case) -> str:
    """Every history can be walked, ends have probability 1 together, and the counts are the published ones."""
    figures = case.tree.figures
    counted = (
        f"{figures.chance:,} chance nodes, {figures.decisions:,} decisions, {figures.ends:,} ends, "
        f"{sum(figures.information_sets):,} information sets"
    )
    # a user's game may have the name of a built-in one
    known = KNOWN.get(str(case.game)) if not case.game.origin else None
    if known is None:
        return f"walked in full: {counted}; no published counts to compare with"
    ours = {
        "chance nodes": (figures.chance, known.chance),
        "decisions": (figures.decisions, known.decisions),
        "ends": (figures.ends, known.ends),
        "information sets": (sum(figures.information_sets), known.information_sets),
        "value of seat 0 in uniform play": (figures.values[0], known.uniform_value),
    }
    for what, (found, published) in ours.items():
        if published is not None and found != published:
            raise Failure(
                f"{what}: {found}",
                expected=f"{published} ({known.source})",
                remedy="compare the rules with the source, draw by draw; and what players see, for information sets",
            )
    return f"walked in full: {counted}, as published ({known.source})"
