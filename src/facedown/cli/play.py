"""`facedown play`: the command; what happens then is in `playing.py`, which loads the compiler."""

from __future__ import annotations

from typing import Annotated

import typer

from facedown.cli.options import GameName, Seed
from facedown.games.registry import check_name


def play(
    game: GameName,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", "--with", metavar="AGENT", help="Repeat it for several; uniform if not given."),
    ] = None,
    seat: Annotated[int, typer.Option(min=0, help="Where you sit; seat 0 begins.")] = 0,
    seed: Seed = None,
    save: Annotated[str | None, typer.Option(metavar="FILE", help="Where to write the transcript.")] = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Go on with the game in this transcript.")] = None,
) -> None:
    """Play a game yourself, in the terminal."""
    check_name(game)
    from facedown.cli import playing

    playing.run(game, against or [], seat, seed, save, resume)
