"""Results as files: a page of HTML that needs nothing else, with tables and plots, or rows for a spreadsheet (csv).

A page is made of parts: a paragraph, a `Table`, a `Picture`. The same tables show a result in a notebook.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from facedown.errors import FacedownError, UsageError
from facedown.files import place_for, user_path, write_whole

HTML, CSV = (".html", ".htm"), ".csv"

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --faint: #68707a; --line: #d4d9df; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --paper: #14171a; --faint: #9aa3ad; --line: #3a4048; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto; max-width: 62rem;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--faint); padding-bottom: .4rem; }
th, td { padding: .25rem .8rem .25rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; }
figure { margin: 1rem 0; background: #fff; padding: .5rem; border-radius: .4rem; max-width: 46rem; }
figure svg { width: 100%; height: auto; display: block; }
figcaption { color: #4a525b; font-size: .9rem; padding: .3rem .2rem; }
pre { overflow-x: auto; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .4rem; }
footer { color: var(--faint); margin-top: 2.5rem; font-size: .9rem; }
"""


@dataclass(frozen=True)
class Table:
    """Rows of texts; columns whose names are in `numbers` stand to the right."""

    caption: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    numbers: tuple[str, ...] = ()

    def html(self) -> str:
        """The table as an element of a page."""
        kinds = [' class="number"' if column in self.numbers else "" for column in self.columns]
        heads = "".join(f'<th scope="col"{kind}>{escape(name)}</th>' for name, kind in zip(self.columns, kinds, strict=True))
        lines = []
        for row in self.rows:
            first, *others = zip(row, kinds, strict=True)
            cells = "".join(f"<td{kind}>{escape(text)}</td>" for text, kind in others)
            lines.append(f'<tr><th scope="row"{first[1]}>{escape(first[0])}</th>{cells}</tr>')
        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        body = "\n".join(lines)
        return f'<div class="scroll"><table>{caption}<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>\n'


@dataclass(frozen=True)
class Picture:
    """A Matplotlib figure, what it shows in words for who cannot see it, and what stands below it."""

    figure: Any
    alt: str
    caption: str = ""

    def html(self) -> str:
        """The picture as an element of a page, drawn as SVG."""
        attributes, body = svg_parts(self.figure, "facedown")
        attributes = re.sub(r'\s(width|height)="[^"]*"', "", attributes)
        below = f"<figcaption>{escape(self.caption)}</figcaption>" if self.caption else ""
        label = escape(self.alt, quote=True)
        return f'<figure><svg{attributes} role="img" aria-label="{label}">{body}</svg>{below}</figure>\n'


Part = str | Table | Picture


def svg_parts(figure: Any, salt: str) -> tuple[str, str]:
    """A Matplotlib figure as SVG: the attributes of its element, and what is in it, without words that nobody sees.

    Letters are paths, and names inside depend on the salt and the picture alone: the same result writes the same page.
    """
    import matplotlib

    target = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "path", "svg.hashsalt": salt}):
        figure.savefig(target, format="svg", metadata={"Date": None})
    drawn = re.search(r"<svg\b([^>]*)>(.*)</svg>", target.getvalue(), re.DOTALL)
    assert drawn, "Matplotlib writes an svg element"
    return drawn[1], re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", drawn[2], flags=re.DOTALL)


def page(title: str, sections: Mapping[str, Sequence[Part]], repeat: str, version: str) -> str:
    """A whole page: sections with their headings, the first of which may be empty, and the command that repeats it."""
    body = "".join(
        (f"<h2>{escape(heading)}</h2>\n" if heading else "") + "".join(_element(part) for part in parts)
        for heading, parts in sections.items()
    )
    again = f"<h2>Again</h2>\n<pre><code>{escape(repeat)}</code></pre>\n" if repeat else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{escape(title)}</h1>
{body}{again}<footer>Facedown {escape(version)}</footer>
</body>
</html>
"""


def _element(part: Part) -> str:
    return f"<p>{escape(part)}</p>\n" if isinstance(part, str) else part.html()


def _rows_as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows for a spreadsheet, with the names of their columns; numbers are written so that they are read back exactly."""
    target = io.StringIO()
    writer = csv.DictWriter(target, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return target.getvalue()


def check_out(option: str, file: str | Path | None) -> None:
    """Refuse a file for a result that could not be written, before there is anything to write."""
    if file is None:
        return
    if user_path(file).suffix.lower() not in (*HTML, CSV):
        raise UsageError(f"{option} {file}: a page ends in .html, rows for a spreadsheet in .csv; choose one of them")
    place_for(file, f"{option} {file}")


def write_result(file: str | Path, result: Any) -> Path:
    """Write a result that has `to_html` and `rows` in the form that the file's name asks for."""
    check_out("file", file)
    path = user_path(file)
    text = _rows_as_csv(result.rows()) if path.suffix.lower() == CSV else result.to_html()
    try:
        return write_whole(path, text)
    except OSError as problem:
        raise FacedownError(f"cannot write {path}: {problem.strerror}; name a place that can be written") from None


def facts(result: object, names: str) -> dict[str, Any]:
    """What a result has under these names, which have spaces between them, as JSON has it.

    >>> facts(Table("Cards", ("name", "value"), []), "caption columns")
    {'caption': 'Cards', 'columns': ['name', 'value']}
    """
    return {name: _plain(getattr(result, name)) for name in names.split()}


def _plain(value: Any) -> Any:
    """Tuples as lists, results in them as they tell themselves, and nothing for nan, which JSON does not have."""
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and math.isnan(value):
        return None
    return value.to_dict() if hasattr(value, "to_dict") else value


def to_pandas(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as a DataFrame, where pandas is installed."""
    try:
        import pandas
    except ImportError:
        raise UsageError("pandas is not installed; install it (pip install pandas), or use rows()") from None
    return pandas.DataFrame(list(rows))
