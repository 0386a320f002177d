"""What all commands print alike: JSON, tables, numbers with their errors, progress bars."""

from __future__ import annotations

import contextlib
import json as json_module
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from facedown.errors import Interrupted
from facedown.progress import Callback, Progress

if TYPE_CHECKING:  # help does not wait for rich
    from rich.console import Console

PIPE_WIDTH = 160
NARROWEST = 20
"""A narrower table would be a column of letters."""


def console() -> Console:
    """Where results go. A pipe is as wide as COLUMNS says; else it is given room, so that tables are not squeezed."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else piped_width(), highlight=False)


def piped_width() -> int:
    """The width of output that nobody's terminal limits."""
    try:
        wanted = int(os.environ.get("COLUMNS", ""))
    except ValueError:
        wanted = 0
    return max(wanted, NARROWEST) if wanted > 0 else PIPE_WIDTH


def print_json(content: dict[str, Any]) -> None:
    """One object, on one line."""
    print(json_module.dumps(content, ensure_ascii=False))


def escape(text: str) -> str:
    """Text that tables and consoles print as it is, brackets included."""
    from rich.markup import escape as escaped

    return escaped(text)


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[str] = ()) -> None:
    """Print a table; the columns named in `right` are numbers."""
    from rich.table import Table

    made = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        made.add_row(*map(escape, row))
    console().print(made)


def with_error(value: float, error: float) -> str:
    """A number with its standard error, to two digits of the error: 0.12641 ± 0.0015."""
    if not error > 0:
        return f"{value:.6g}"
    from math import floor, log10

    digits = max(0, 1 - floor(log10(error)))
    return f"{value:.{digits}f} ± {error:.{digits}f}"


@contextlib.contextmanager
def progress_bar(title: str) -> Iterator[Callback]:
    """A bar on stderr while the work lasts; nothing where stderr is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield lambda now: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[words]}"), TimeRemainingColumn())
    with Bar(*columns, console=screen, transient=True) as bar:
        work = bar.add_task(title, total=None, words="")

        def show(now: Progress) -> None:
            # unknown work: a bar that moves, and never comes to its end
            total = 10 * max(now.done, 1) if now.total is None else now.total
            bar.update(work, completed=now.done, total=total, words=now.words)

        yield show


def finish(found: Any, stopped: Interrupted | None, json: bool, show: Callable[[Any], None]) -> None:
    """Print a result, as JSON or by `show`; what stopped it is raised then."""
    if json:
        print_json(found.to_dict())
    else:
        show(found)
    if stopped is not None:
        raise stopped


def with_progress(title: str, work: Callable[[Callback], Any]) -> tuple[Any, Interrupted | None]:
    """What the work gives, behind a bar; after Ctrl-C what is known so far, with the interruption to raise in the end."""
    with progress_bar(title) as show:
        try:
            return work(show), None
        except Interrupted as stop:
            if stop.result is None:
                raise
            return stop.result, stop
