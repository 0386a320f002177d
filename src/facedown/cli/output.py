"""What all commands print alike: JSON, tables, numbers with their errors, progress bars."""

from __future__ import annotations

import contextlib
import json as json_module
import shutil
import sys
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

Advance = Callable[[float, float, str], None]
"""Tell how far the work is: done, of how much, and in words."""


def console() -> Console:
    """Where results go. A pipe is given room, so that tables are not squeezed into 80 columns."""
    width = None if sys.stdout.isatty() else max(shutil.get_terminal_size().columns, 160)
    return Console(width=width, highlight=False)


def print_json(content: dict[str, Any]) -> None:
    """One object, on one line."""
    print(json_module.dumps(content, ensure_ascii=False))


def table(title: str, *columns: str, right: tuple[str, ...] = ()) -> Table:
    """An empty table; the columns named in `right` are numbers."""
    made = Table(title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def with_error(value: float, error: float) -> str:
    """A number with its standard error, to two digits of the error: 0.12641 ± 0.0015."""
    if not error > 0:
        return f"{value:.6g}"
    from math import floor, log10

    digits = max(0, 1 - floor(log10(error)))
    return f"{value:.{digits}f} ± {error:.{digits}f}"


@contextlib.contextmanager
def progress_bar(title: str) -> Iterator[Advance]:
    """A bar on stderr while the work lasts; nothing where stderr is not a terminal."""
    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield lambda done, of, text: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[words]}"), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as bar:
        work = bar.add_task(title, total=None, words="")
        yield lambda done, of, text: bar.update(work, completed=done, total=of, words=text)
