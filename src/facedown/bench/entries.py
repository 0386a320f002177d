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

from facedown.bench.laps import Contestant

if TYPE_CHECKING:
    from facedown.bench.reference import Reference

SECTIONS = ("facedown.bench.matches",)
"""Modules with a function `entries(request)`; imported when a run begins, because they need the compiler."""


@dataclass(frozen=True)
class Request:
    """What a run is asked for."""

    games: tuple[str, ...]
    peers: bool
    reference: Reference


@dataclass(frozen=True)
class Entry:
    """One piece of work and how to set up those who do it: ours first, then those it is compared with.

    section  under which name the JSON lists it
    unit     what is counted (game); `part` is what a unit is made of (move)
    """

    section: str
    game: str
    what: str
    unit: str
    part: str
    contestants: Callable[[ExitStack], list[Contestant]]


def entries(request: Request) -> Iterator[Entry]:
    """Everything that this run measures, in order."""
    for module in SECTIONS:
        yield from importlib.import_module(module).entries(request)
