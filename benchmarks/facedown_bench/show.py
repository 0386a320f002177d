"""A report in words: for the terminal, as plain text, and as a page of ratios."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from facedown_bench.laps import Ratio, Speed
from facedown_bench.report import METHOD, BenchReport, Measurement

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


@dataclass(frozen=True)
class Sheet:
    """A table: the first column holds words, all others hold figures."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


# --- figures --------------------------------------------------------------------------------------------------------------


def figure(value: float) -> str:
    """Three digits that count, in the words of large numbers.

    >>> figure(12_345_678), figure(218_400), figure(999.7), figure(0.4567)
    ('12.3 million', '218 thousand', '1,000', '0.457')
    """
    for size, word in ((1e9, " billion"), (1e6, " million"), (1e4, " thousand")):
        if abs(_rounded(value)) >= size:
            scale = 1e3 if word == " thousand" else size
            return _digits(value / scale) + word
    return _digits(value)


def _rounded(value: float) -> float:
    return float(f"{value:.2e}")


def _digits(value: float) -> str:
    """Three digits that count, and no exponent."""
    value = _rounded(value)
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    return f"{value:,.{max(2 - math.floor(math.log10(abs(value))), 0)}f}"


def times(ratio: float) -> str:
    """A ratio, as a factor.

    >>> times(53.14), times(20_444.0), times(0.271)
    ('×53.1', '×20,400', '×0.271')
    """
    return f"×{_digits(ratio)}"


def extremes(ratio: Ratio) -> str:
    """The smallest and the largest ratio within a round."""
    return f"{_digits(ratio.low)} to {_digits(ratio.high)}"


# --- tables ---------------------------------------------------------------------------------------------------------------


def sheets(report: BenchReport) -> list[Sheet]:
    """All tables of a report, with absolute figures and ratios."""
    found = [_speed_sheet(report, section) for section in dict.fromkeys(m.section for m in report.measurements)]
    if report.peers:
        found.append(_peer_sheet(report))
    if report.startup is not None:
        found.append(_start_sheet(report))
    return found


def _speed_sheet(report: BenchReport, section: str) -> Sheet:
    measured = [m for m in report.measurements if m.section == section]
    if measured[0].in_seconds:
        return _seconds_sheet(measured)
    unit, part = measured[0].unit, measured[0].part
    whats = " or ".join(dict.fromkeys(m.what for m in measured))
    title = f"{section.capitalize()}: {whats}, one thread, best of {report.rounds} laps of {_digits(report.lap_seconds)} s"
    threads = max((rival.threads for m in measured for rival in m.rivals), default=1)
    header = ("game", f"{unit}s/s", "spread", f"{part}s/s", f"{part}s/{unit}", f"{threads} threads", "over plain Python")
    rows = []
    for m in measured:
        parts = (figure(max(m.speed.parts_per_second)), _digits(m.speed.parts_per_unit)) if m.speed.counts_parts else ("", "")
        ratios = (_ratio_of(m, "all_threads"), _ratio_of(m, "reference"))
        rows.append((m.game, figure(m.speed.best), f"{100 * m.speed.spread:.0f} %", *parts, *ratios))
    return _without_empty_columns(Sheet(title, header, tuple(rows)))


def _seconds_sheet(measured: list[Measurement]) -> Sheet:
    """Whole tasks: how long each of those who did them took."""
    title = f"{measured[0].section.capitalize()}: {measured[0].what}, one thread"
    rows = []
    for m in measured:
        rows.append((m.game, "Facedown", m.method, *_task(m.speed), ""))
        for rival in m.rivals_in("peer"):
            rows.append((m.game, f"{rival.name} {rival.version}", rival.method, *_task(rival.speed), times(rival.ratio.best)))
    header = ("game", "who", "method", f"{measured[0].part}s", "seconds", "times as long")
    return _without_empty_columns(Sheet(title, header, tuple(rows)))


def _task(speed: Speed) -> tuple[str, str]:
    parts = f"{speed.parts_per_unit:,.0f}" if speed.counts_parts else ""
    return parts, f"{1 / speed.best:,.3g}"


def _without_empty_columns(sheet: Sheet) -> Sheet:
    kept = [at for at in range(len(sheet.header)) if not sheet.rows or any(row[at] for row in sheet.rows)]
    rows = tuple(tuple(row[at] for at in kept) for row in sheet.rows)
    return Sheet(sheet.title, tuple(sheet.header[at] for at in kept), rows)


def _ratio_of(measurement: Measurement, role: str) -> str:
    found = [rival for rival in measurement.rivals if rival.role == role]
    return times(found[0].ratio.best) if found else ""


def _peer_sheet(report: BenchReport) -> Sheet:
    rows = [
        (
            m.game,
            f"{m.unit}s",
            f"{rival.name} {rival.version}",
            figure(rival.speed.best),
            figure(m.speed.best),
            times(rival.ratio.best),
            extremes(rival.ratio),
        )
        for m in report.measurements
        for rival in m.rivals_in("peer")
        if not m.in_seconds  # they have a table of their own
    ]
    title = f"Beside {', '.join(report.peers)}: one thread each, in the same rounds"
    if not rows:
        title += ": none of these games is among theirs"
    title += "".join(f"; {peer} is not installed: {command}" for peer, command in report.missing)
    return Sheet(title, ("game", "counted", "peer", "theirs/s", "ours/s", "ratio", "in single rounds"), tuple(rows))


def _start_sheet(report: BenchReport) -> Sheet:
    assert report.startup is not None
    startup, floor = report.startup, report.startup.floor
    rows = [
        ('python -c "import numba"', f"{floor:.2f}", times(1.0)),
        ("facedown --help", f"{min(startup.help):.2f}", times(min(startup.help) / floor)),
    ]
    rows += [(f"a short match of {s.game}, from the cache", f"{s.warm:.2f}", times(s.warm / floor)) for s in startup.games]
    rows += [(f"compiling {s.game}, once", f"{s.compiling:.2f}", times(s.compiling / floor)) for s in startup.games]
    title = f"Start-up: whole processes, best of {len(startup.help)} runs (compiling: one run)"
    return Sheet(title, ("what", "seconds", "over import numba"), tuple(rows))


def ratio_sheets(report: BenchReport) -> list[Sheet]:
    """The ratios alone: what can be compared between machines."""
    found = []
    for section in dict.fromkeys(m.section for m in report.measurements):
        measured = [m for m in report.measurements if m.section == section]
        names = list(dict.fromkeys(r.name for m in measured for r in m.rivals if r.role in {"reference", "peer"}))
        header = ["game", f"{measured[0].part}s in a {measured[0].unit}"]
        header += [f"over {name}" for name in names] + ["all threads over one"]
        title = measured[0].what if measured[0].in_seconds else f"{measured[0].unit}s a second"
        rows = []
        for m in measured:
            by_name = {rival.name: f"{times(rival.ratio.best)} ({extremes(rival.ratio)})" for rival in m.rivals}
            size = _digits(m.speed.parts_per_unit) if m.speed.counts_parts else ""
            rows.append((m.game, size, *(by_name.get(name, "") for name in names), _ratio_of(m, "all_threads")))
        sheet = Sheet(f"{title[0].upper()}{title[1:]}, one thread", tuple(header), tuple(rows))
        found.append(_without_empty_columns(sheet) if section != "games" else sheet)
    if report.startup is not None:
        start = _start_sheet(report)
        found.append(Sheet(start.title, (start.header[0], start.header[2]), tuple((row[0], row[2]) for row in start.rows)))
    return found


# --- three ways to print them ---------------------------------------------------------------------------------------------


def text(report: BenchReport) -> str:
    """The whole report as plain text."""
    blocks = [str(report.machine), *(_aligned(sheet) for sheet in sheets(report)), METHOD]
    return "\n\n".join(blocks)


def _aligned(sheet: Sheet) -> str:
    if not sheet.rows:
        return sheet.title
    lines = [sheet.header, *sheet.rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(sheet.header))]
    return "\n".join([sheet.title, *(_padded(line, widths) for line in lines)])


def _padded(line: Sequence[str], widths: Sequence[int]) -> str:
    """Words to the left, figures to the right."""
    words, *figures = line
    cells = [words.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(figures, widths[1:], strict=True))]
    return f"  {'  '.join(cells)}".rstrip()


def tables(report: BenchReport) -> list[Table | Text]:
    """The whole report for a rich console, to be printed one below the other."""
    from rich.table import Table
    from rich.text import Text

    parts: list[Table | Text] = [Text(str(report.machine))]
    for sheet in sheets(report):
        if not sheet.rows:
            parts.append(Text(sheet.title, style="bold"))
            continue
        table = Table(
            title=Text(sheet.title, style="bold"), title_justify="left", header_style="bold", box=None, pad_edge=False
        )
        for column, name in enumerate(sheet.header):
            table.add_column(name, justify="right" if column else "left", overflow="fold")
        for row in sheet.rows:
            table.add_row(*(Text(cell) for cell in row))  # as it is: brackets in a game's options are not markup
        parts.append(table)
    return [*parts, Text(METHOD, style="dim")]


def markdown(report: BenchReport) -> str:
    """A page of ratios; the same figures on the same machine, whenever it is written."""
    lines = [f"Taken on: {report.machine}{''.join(f', {peer}' for peer in report.peers)}.", "", METHOD]
    for sheet in ratio_sheets(report):
        if len(sheet.header) == 1:
            continue  # nobody to compare with
        lines += ["", f"## {sheet.title}", ""]
        lines.append(f"| {' | '.join(sheet.header)} |")
        lines.append(f"| {' | '.join('---:' if column else '---' for column in range(len(sheet.header)))} |")
        lines += [f"| {' | '.join(row)} |" for row in sheet.rows]
    return "\n".join(lines) + "\n"
