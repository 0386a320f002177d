"""What can be measured: each entry is one piece of work, and those who do it.

To add a bench (a solver, a search), write a function that yields entries, as `matches.entries` does, and add it to
`SECTIONS`: the report, the tables and the JSON list it without further ado.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from facedown_bench.laps import Contestant, Lap

if TYPE_CHECKING:
    from facedown_bench.reference import Reference

SECTIONS = ("facedown_bench.matches", "facedown_bench.searches", "facedown_bench.solvers")
"""Modules with a function `entries(request)`; imported when a run begins, because they need the compiler."""


@dataclass(frozen=True)
class Request:
    """What a run is asked for; `everything`: the user has named no games."""

    games: tuple[str, ...]
    peers: bool
    reference: Reference
    everything: bool = False


@dataclass(frozen=True)
class Entry:
    """One piece of work and how to set up those who do it: ours first, then those it is compared with.

    section     under which name the JSON lists it; all entries of a section count the same unit
    unit        what is counted (game); `part` is what a unit is made of (move), if anything
    in_seconds  a unit is a whole task, and what counts is how many seconds it takes
    rounds      how many laps each contestant runs, if not as many as the run is asked for
    """

    section: str
    game: str
    what: str
    unit: str
    part: str
    contestants: Callable[[ExitStack], list[Contestant]]
    in_seconds: bool = False
    rounds: int | None = None


def alone(section: str, game: str, what: str, unit: str, prepare: Callable[[], Callable[[int], Lap]]) -> Entry:
    """An entry of which only our own figure is taken; `prepare()` sets up and gives what runs a lap of n units."""
    return Entry(section, game, what, unit, "", lambda stack: [Contestant("one thread", "ours", prepare())])


def entries(request: Request) -> Iterator[Entry]:
    """Everything that this run measures, in order."""
    for module in SECTIONS:
        yield from importlib.import_module(module).entries(request)
