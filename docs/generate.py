"""Write the parts of the documentation that the code knows better: tables, the tree, sessions, pictures.

    python docs/generate.py            rewrites what is stale
    python docs/generate.py --check    says what is stale and changes nothing; exit code 1 if something is

A generated part of a page stands between two markers and must not be edited by hand:

    <!-- begin: options kuhn -->
    <!-- end -->

`options` names a function in one of the modules beside this one, `kuhn` is its argument. What is measured with many
games needs the compiler; with NUMBA_DISABLE_JIT=1 such parts are left alone.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import league
import measured
import races
import sessions
import solutions
import tables
import tree
from picture import Picture

os.environ.pop("COLUMNS", None)  # pages are as wide as a pipe, whoever runs this
ROOT = Path(__file__).resolve().parents[1]
COMMAND = "python docs/generate.py"
_BLOCK = re.compile(r"(<!-- begin: (?P<call>[^\n]+?) -->\n).*?(<!-- end -->)", re.DOTALL)

BLOCKS: dict[str, Callable[..., str]] = {
    "actions": tables.actions,
    "agents": tables.agents,
    "benchmark": tables.benchmark,
    "commands": tables.commands,
    "conformance": measured.conformance,
    "convergence": solutions.convergence_table,
    "exploitable": solutions.exploitable,
    "facts": tables.facts,
    "games": tables.games,
    "hanabi_league": league.hanabi_league,
    "interval": measured.interval_table,
    "interval_misses": measured.interval_misses,
    "interval_widths": measured.interval_widths,
    "methods": solutions.methods_table,
    "optimal_value": solutions.optimal_value,
    "options": tables.options,
    "partner_races": league.partner_races,
    "passage": league.passage,
    "python": sessions.python,
    "race": races.terminal,
    "race_python": sessions.python,
    "race_table": races.race_table,
    "results": measured.results,
    "session": sessions.session,
    "setting_table": races.setting_table,
    "solve": solutions.solve_session,
    "source": tables.source,
    "state": tables.state,
    "transcript": sessions.transcript,
    "tree": tree.tree,
    "view": tables.view,
}
MEASURED = {
    "conformance",
    "convergence",
    "exploitable",
    "interval_misses",
    "interval_widths",
    "optimal_value",
    "race",
    "race_python",
    "race_table",
    "results",
    "setting_table",
    "solve",
}
_DRAWN = ROOT / "docs" / "pictures"
PICTURES: dict[Path, type[Picture]] = {
    _DRAWN / "race-error.svg": races.ErrorPicture,
    _DRAWN / "race-games.svg": races.GamesPicture,
    _DRAWN / "rrrats-optimal.svg": solutions.RrratsPicture,
    _DRAWN / "war.svg": measured.WarPicture,
}


def pages() -> list[Path]:
    """The pages that may hold generated parts."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def rewritten(text: str, page: str) -> str:
    """A page with all its generated parts made anew."""

    def make(match: re.Match[str]) -> str:
        name, *arguments = shlex.split(match["call"])
        if name not in BLOCKS:
            raise SystemExit(f"{page}: unknown block '{name}'; known: {', '.join(sorted(BLOCKS))}")
        if name in MEASURED and not measured.COMPILED:
            return match[0]
        return f"{match[1]}{BLOCKS[name](*arguments)}\n{match[3]}"

    return _BLOCK.sub(make, text)


def stale() -> Iterator[tuple[Path, Callable[[], object]]]:
    """What is not as the code would write it, each with the function that writes it."""
    for page in pages():
        before = page.read_text(encoding="utf-8")
        after = rewritten(before, page.name)
        if after != before:
            yield page, lambda page=page, after=after: page.write_text(after, encoding="utf-8")  # type: ignore[misc]
    if measured.COMPILED:
        for path, kind in PICTURES.items():
            picture = kind()
            if not picture.is_in(path):
                yield path, lambda picture=picture, path=path: picture.draw(path)  # type: ignore[misc]


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print(f"usage: {COMMAND} [--check]", file=sys.stderr)
        return 2
    found = list(stale())
    for path, write in found:
        name = path.relative_to(ROOT)
        if arguments:
            print(f"{name} is stale; run: {COMMAND}", file=sys.stderr)
        else:
            write()
            print(f"wrote {name}")
    return 1 if arguments and found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
