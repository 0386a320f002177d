"""Papers on the terminal: a table for each document, and the commands that repeat its figures."""

from __future__ import annotations

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from facedown.papers.claims import Judged, JudgedReading, Verdict
from facedown.papers.documents import Passage
from facedown.papers.runs import JudgedPaper, PaperRun

_STYLES = {Verdict.AGREES: "green", Verdict.CORRECTED: "yellow", Verdict.DIFFERS: "red bold"}


def tables(run: PaperRun) -> list[RenderableType]:
    """What to print, one thing after the other."""
    shown: list[RenderableType] = []
    for judged in run.papers:
        shown += [_table(judged), *(_passage(*passage) for passage in judged.passages), _commands(judged)]
    return [*shown, _summary(run)]


def _table(judged: JudgedPaper) -> Table:
    paper = judged.paper
    table = Table(
        title=Text.assemble((f"{paper.name}: {paper.title}\n", "bold"), (paper.citation, "dim")),
        title_justify="left",
        title_style="",
        header_style="bold",
        box=None,
        pad_edge=False,
        padding=(0, 2, 1, 0),
    )
    table.add_column("claim", overflow="fold", ratio=3)
    table.add_column("published", justify="right", overflow="fold")
    table.add_column("ours", justify="right", overflow="fold")
    table.add_column("verdict", overflow="fold")
    table.add_column("what it says, and why", overflow="fold", ratio=6)
    for claim in judged.claims:
        table.add_row(*_row(claim), end_section=not claim.readings)
        for place, reading in enumerate(claim.readings, 1):
            table.add_row(*_reading_row(reading, claim), end_section=place == len(claim.readings))
    return table


def _row(judged: Judged) -> list[Text]:
    claim, percent = judged.claim, judged.claim.published.percent
    what = Text(claim.says)
    if judged.sentence:
        what.append(f"\n{judged.sentence}", "" if judged.verdict is Verdict.AGREES else _STYLES[judged.verdict])
    return [
        Text.assemble(claim.id, (f"\n{claim.where}", "dim")),
        Text(claim.published.text),
        Text.assemble(judged.figure.with_error(percent), (f"\n{judged.figure.effort}", "dim")),
        Text(str(judged.verdict), _STYLES[judged.verdict]),
        what,
    ]


def _reading_row(judged: JudgedReading, claim: Judged) -> list[Text]:
    """Another reading of a claim, below it."""
    fit = "" if not judged.reading.rival else "fits" if judged.fits else "does not"
    figure = Text.assemble(judged.figure.with_error(claim.claim.published.percent), (f"\n{judged.figure.effort}", "dim"))
    return [Text(""), Text(""), figure, Text(fit, "dim"), Text(f"· {judged.reading.text}", "dim")]


def _passage(passage: Passage, text: str) -> RenderableType:
    return Padding(Text.assemble((f"{passage.title}\n", "bold"), text), (0, 0, 1, 0))


def _commands(judged: JudgedPaper) -> RenderableType:
    """The commands behind the figures, each once; on lines of their own, so that they can be copied."""
    lines = dict.fromkeys(line for claim in judged.claims for line in commands(claim))
    return Padding(Text.assemble(("Again:\n", "bold"), "\n".join(lines)), (0, 0, 0, 0))


def commands(judged: Judged) -> list[str]:
    """The command lines that repeat the figures of a claim."""
    return list(dict.fromkeys([judged.figure.repeat, *(reading.figure.repeat for reading in judged.readings)]))


def _summary(run: PaperRun) -> Text:
    text = Text(f"{len(run.claims)} claims: ")
    for place, (verdict, count) in enumerate(run.summary.items()):
        text.append(", " if place else "").append(f"{count} {verdict}", _STYLES[Verdict(verdict)] if count else "")
    return text.append(f". {run.profile.capitalize()} profile, {run.seconds:.1f} s. The whole again: {run.repeat}")
