"""Which documents there are. Their modules are imported when they are asked for."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from facedown.errors import UsageError, unknown
from facedown.papers.documents import Paper

_MODULES = {
    "racing": "facedown.papers.racing_2023.document",
    "equilibrium": "facedown.papers.equilibrium_2021.document",
    "love_letter": "facedown.papers.love_letter_2016.document",
    "cant_stop": "facedown.papers.cant_stop.document",
    "hanabi": "facedown.papers.hanabi_2020.document",
}
ALL = "all"


def names() -> tuple[str, ...]:
    """The names of all documents, in the order of reports."""
    return tuple(_MODULES)


def paper(name: str) -> Paper:
    """The document with this name."""
    if name not in _MODULES:
        raise unknown("paper", name, [*_MODULES, ALL])
    found = importlib.import_module(_MODULES[name]).PAPER
    if not isinstance(found, Paper) or found.name != name:
        raise UsageError(f"{_MODULES[name]} must end in PAPER = Paper(name='{name}', ...); it has {found!r}")
    return found


def papers(wanted: str | Sequence[str]) -> tuple[Paper, ...]:
    """The documents with these names, each once and in the order of reports; `all` means all of them."""
    listed = [wanted] if isinstance(wanted, str) else list(wanted)
    if not listed:
        raise UsageError(f"no paper is named; name some of {', '.join(_MODULES)}, or {ALL}")
    known = {paper(name).name for name in listed if name != ALL}  # a wrong name beside "all" is an error too
    chosen = names() if ALL in listed else known
    return tuple(paper(name) for name in names() if name in chosen)
