"""A league as a cross table: what each agent scores against each other one, how sure that is, and a shade for the eye."""

from __future__ import annotations

from typing import Any

_SHADES = 9
"""Shades of a heat map, from cold to warm; the middle one is even. The style sheet has a class for each."""
TOLD = {"first": "beats", "second": "loses to", "practically equal": "equals", "undecided": "undecided", "": "with"}
_TURNED = {"first": "second", "second": "first"}


def cross_table(result: dict[str, Any]) -> dict[str, Any]:
    """Rows of cells in the order of the ranking, from a league's result as JSON has it; a league among rivals, or of teams."""
    order = [place["agent"] for place in result["ranking"]]
    cells = {(cell["first"], cell["second"]): cell for cell in result["pairings"]}
    together = result["kind"] != "versus"
    means = [cell["mean"] for cell in result["pairings"]]
    reach = max([abs(mean - 0.5) for mean in means] + [0.02])
    scale = (min(means), max(means)) if together else (0.5 - reach, 0.5 + reach)
    rows = []
    for place, row in enumerate(order):
        found = [_cell(cells, row, column, together, scale) for column in order]
        rows.append({"name": row, "place": result["ranking"][place], "cells": found})
    return {"names": order, "rows": rows, "together": together}


def _cell(
    cells: dict[tuple[str, str], dict[str, Any]], row: str, column: str, together: bool, scale: tuple[float, float]
) -> dict[str, Any] | None:
    cell, turned = cells.get((row, column)), False
    if cell is None:
        cell, turned = cells.get((column, row)), True
    if cell is None or not cell["games"]:
        return None
    turned = turned and not together
    low, high = cell["interval"]
    mean = 1.0 - cell["mean"] if turned else cell["mean"]
    verdict = cell.get("verdict", "")
    verdict = _TURNED.get(verdict, verdict) if turned else verdict
    return {
        "mean": mean,
        "low": 1.0 - high if turned else low,
        "high": 1.0 - low if turned else high,
        "games": cell["games"],
        "verdict": verdict,
        "told": TOLD[verdict],
        "shade": shade(mean, *scale),
    }


def shade(value: float, low: float, high: float) -> int:
    """Which of the shades a value between two others has.

    >>> [shade(value, 0.0, 1.0) for value in (0.0, 0.4, 0.5, 1.0)]
    [0, 3, 4, 8]
    """
    place = (value - low) / (high - low) if high > low else 0.5
    return min(max(int(place * _SHADES), 0), _SHADES - 1)
