"""`facedown check`: the conformance suite."""

from __future__ import annotations

import typer

from facedown import check
from facedown.cli.output import console, print_json, progress_bar

NOT_MET = 3


def run(spec: str, games: int | None, seed: int, json: bool) -> None:
    """Run all checks; exit code 3 if one fails."""
    settings = {"seed": seed} if games is None else {"seed": seed, "games": games}
    with progress_bar(f"checking {spec}") as advance:
        report = check.game(spec, progress=advance, **settings)
    if json:
        print_json(report.to_dict())
    else:
        console().print(str(report), markup=False)
    if not report.ok:
        raise typer.Exit(NOT_MET)
