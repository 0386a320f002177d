"""`facedown bench`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from facedown.cli.options import Json
from facedown.cli.output import console, print_json, progress_bar
from facedown.errors import UsageError
from facedown.games.registry import check_name

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME...]", help="Which games; all if not given.")] = None,
    peers: Annotated[bool, typer.Option("--peers", help="Beside OpenSpiel and LiteEFG, in the same run.")] = False,
    json: Json = False,
) -> None:
    """Measure speed: games and moves a second, solvers, compile time, start-up."""
    for name in games or []:
        check_name(name)
    benchmarks = _suite()

    with progress_bar("bench") as show:
        report = benchmarks.run(games or None, peers=peers, progress=show)
    if json:
        print_json(report.to_dict())
        return
    screen = console()
    for listing in benchmarks.tables(report):
        screen.print(listing)
        screen.print()


def _suite() -> ModuleType:
    """The benchmarks, which lie beside the package in the sources: they need peers and the examples."""
    if not (BENCHMARKS / "facedown_bench").is_dir():
        raise UsageError(
            "'facedown bench' works in a checkout of the sources only, since an installed package holds no benchmarks; "
            "clone the sources, and run 'make bench' there"
        )
    if str(BENCHMARKS) not in sys.path:
        sys.path.insert(0, str(BENCHMARKS))
    return importlib.import_module("facedown_bench")
