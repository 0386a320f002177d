"""`facedown plan`."""

from __future__ import annotations

from typing import Annotated

import typer

from facedown.cli.options import Delta, Epsilon, Json, Method
from facedown.cli.output import print_json, show_table


def plan(
    method: Method = "duel",
    epsilon: Epsilon = 0.01,
    delta: Delta = 0.05,
    mean: Annotated[list[float] | None, typer.Option(metavar="P", help="True mean score; repeat it for a curve.")] = None,
    max_games: Annotated[int | None, typer.Option(min=1, help="Give up after this many games.")] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Draw the curve there (png, svg or pdf).")] = None,
    json: Json = False,
) -> None:
    """Compute the error and the expected number of games of a race, exactly."""
    from facedown.racing import plan as planning

    means = mean or [0.45, 0.48, 0.49, 0.495, 0.5]
    found = planning.plan(method, epsilon, delta, means, max_games or planning.MAX_GAMES)
    if out:
        found.plot().savefig(out)
    if json:
        print_json(found.to_dict())
        return
    title = f"{method}, epsilon {epsilon:g}, delta {delta:g}: computed exactly, for single games that are won or lost"
    names = ("mean", "error", "expected games", "no race needs fewer than", "first", "second", "practically equal", "undecided")
    rows = []
    for point in found.points:
        chances = (f"{share:.4f}" for share in (point.first, point.second, point.equal, point.undecided))
        rows.append((f"{point.mean:g}", f"{point.error:.3g}", f"{point.games:,.1f}", f"{point.fewest:,.1f}", *chances))
    show_table(title, names, rows, names)
