"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from facedown.files import place_for
from facedown.games.registry import names
from facedown.inputs import LARGEST_SEED, MAX_THREADS


def _games_beginning(typed: str) -> list[str]:
    """For completion: agents are not completed, since they would have to be loaded."""
    return [name for name in names() if name.startswith(typed)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A game: kuhn, 'kuhn(players=3)', or ./mygame.py:GAME.", autocompletion=_games_beginning
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
MaxNodes = Annotated[int | None, typer.Option(min=1, help="Give up where the tree has more nodes.")]
Threads = Annotated[
    int | None, typer.Option(min=1, max=MAX_THREADS, help="All cores if not given; results do not depend on it.")
]
Seed = Annotated[
    int | None, typer.Option(min=0, max=LARGEST_SEED, metavar="N", help="For repeating a run; drawn and printed if not given.")
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on the workers of this Dask scheduler: tcp://HOST:8786.")
]
Out = Annotated[str | None, typer.Option(metavar="FILE", help="Write a page with plots (.html), or rows (.csv).")]
Method = Annotated[str, typer.Option(metavar="M", help="lebr, ilebr, ilebr2, ilebr*1, ilebr*2, sprt, zone, duel or settle.")]
Epsilon = Annotated[
    float, typer.Option(metavar="E", help="Half the width of the zone around 1/2 in which agents count as equal.")
]
Delta = Annotated[float, typer.Option(metavar="D", help="How often the answer may be wrong outside the zone.")]


def check_directory(option: str, file: str | None) -> None:
    """Refuse a file that could not be written, before there is anything to write."""
    if file:
        place_for(file, f"{option} {file}")
