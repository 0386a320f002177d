"""`facedown check`: the conformance suite."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from facedown.cli.options import GameName, Json
from facedown.cli.output import console, print_json, progress_bar
from facedown.games.registry import check_name
from facedown.inputs import LARGEST_SEED

_NOT_MET = 3


def check(
    game: GameName,
    games: Annotated[int | None, typer.Option(min=1, help="How many games to look at.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Which games to look at.")] = 1,
    max_nodes: Annotated[int | None, typer.Option(min=1, help="Look at whole trees of at most this many nodes.")] = None,
    agent: Annotated[
        list[str] | None, typer.Option(metavar="AGENT", help="An agent to examine too, ./myagent.py:AGENT; may be repeated.")
    ] = None,
    json: Json = False,
) -> None:
    """Check that a game keeps the contract: facts, chance, scores, no peeking. Exit code 3 if it does not."""
    check_name(game)
    from facedown import check as suite

    asked = {"games": games, "max_nodes": max_nodes}
    settings: dict[str, Any] = {"seed": seed} | {name: value for name, value in asked.items() if value is not None}
    with progress_bar(f"checking {game}") as show:
        report = suite.game(game, agents=agent or [], progress=show, **settings)
    if json:
        print_json(report.to_dict())
    else:
        console().print(str(report), markup=False)
    if not report.ok:
        raise typer.Exit(_NOT_MET)
