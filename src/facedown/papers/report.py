"""The page: claims, verdicts and plots in one HTML file that needs nothing else."""

from __future__ import annotations

from html import escape
from pathlib import Path
from textwrap import fill

import facedown
from facedown.errors import FacedownError
from facedown.files import write_whole
from facedown.papers.claims import RULE, Judged, JudgedReading, Verdict
from facedown.papers.pictures import svg
from facedown.papers.runs import JudgedPaper, PaperRun
from facedown.papers.terminal import commands

PAGE = "index.html"
WIDEST = 100
SIGNS = {Verdict.AGREES: "✓", Verdict.CORRECTED: "✎", Verdict.DIFFERS: "?"}
MEANINGS = {
    Verdict.AGREES: "within the joint statistical error",
    Verdict.CORRECTED: "the document is wrong or inconsistent: the reason, and the right figure",
    Verdict.DIFFERS: "neither; open",
}
_COLUMNS = ("Claim", "Published", "Ours", "Verdict")


def write_page(run: PaperRun, directory: Path) -> Path:
    """Write `index.html` into a directory; a page that is there stays whole until the new one is complete."""
    text = page(run)
    target = directory / PAGE
    try:
        directory.mkdir(parents=True, exist_ok=True)
        return write_whole(target, text)
    except OSError as problem:
        raise FacedownError(
            f"cannot write the page to {target}: {problem.strerror}; name a directory that can be written"
        ) from None


def page(run: PaperRun) -> str:
    """The whole page."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    contents = "".join(f'<li><a href="#{p.paper.name}">{escape(p.paper.title)}</a></li>' for p in run.papers)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Facedown: published figures beside ours</title>
<style>
{style}</style>
</head>
<body>
<header>
<p class="over">Facedown {escape(facedown.__version__)}</p>
<h1>Published figures beside ours</h1>
<p>Numbers that documents about games have printed, each measured again with the rules of this package or counted exactly.
Every figure carries its standard error, the number of games, the seed, and the command that repeats it.</p>
{_summary(run)}
<p class="rule">{_words(RULE)}</p>
<nav aria-label="Documents"><ul>{contents}</ul></nav>
</header>
<main>
{"".join(_paper(judged) for judged in run.papers)}</main>
<footer>
<p>Profile <em>{escape(run.profile)}</em>, seed {run.seed}. The whole page again:</p>
<pre><code>{escape(run.repeat)} --out DIR</code></pre>
</footer>
</body>
</html>
"""


def _summary(run: PaperRun) -> str:
    cards = "".join(
        f'<div class="{verdict}"><dt><span aria-hidden="true">{SIGNS[verdict]}</span> {verdict}</dt>'
        f"<dd><strong>{run.summary[verdict]}</strong><span>{_words(MEANINGS[verdict])}</span></dd></div>"
        for verdict in Verdict
    )
    return f'<dl class="summary" aria-label="{len(run.claims)} claims by verdict">{cards}</dl>'


def _paper(judged: JudgedPaper) -> str:
    paper = judged.paper
    heads = "".join(f'<th scope="col">{name}</th>' for name in _COLUMNS)
    rows = "".join(_rows(claim) for claim in judged.claims)
    figures = "".join(
        f'<figure id="{plot.id}"><h3>{escape(plot.title)}</h3>{svg(plot, drawing)}'
        f"<figcaption>{_words(drawing.caption)}</figcaption></figure>\n"
        for plot, drawing in judged.drawings
    )
    passages = "".join(
        f'<div class="passage" id="{passage.id}"><h3>{escape(passage.title)}</h3>'
        f'<pre tabindex="0">{escape(_folded(text))}</pre></div>\n'
        for passage, text in judged.passages
    )
    return f"""<section id="{paper.name}" aria-labelledby="{paper.name}-title">
<h2 id="{paper.name}-title">{escape(paper.title)}</h2>
<p class="citation">{_words(paper.citation)}</p>
<p>{_words(paper.about)}</p>
<table>
<caption>Claims of {escape(paper.title.lower())}</caption>
<thead><tr>{heads}</tr></thead>
{rows}</table>
<div class="figures">
{figures}</div>
{passages}</section>
"""


def _folded(text: str) -> str:
    """Long sentences on several lines; lines of a table, which have their columns apart, stay as they are."""
    lines = [line if "  " in line.strip() or line.startswith("facedown ") else fill(line, WIDEST) for line in text.split("\n")]
    return "\n".join(lines)


def _rows(judged: Judged) -> str:
    """A group of rows: the numbers, then where the claim stands, why the verdict, and other readings."""
    claim, figure, verdict = judged.claim, judged.figure, judged.verdict
    percent = claim.published.percent
    parts = []
    if judged.sentence:
        parts.append(f'<p class="why">{_words(judged.sentence)}</p>')
    if judged.readings:
        parts.append(f'<ul class="readings">{"".join(_reading(reading, percent) for reading in judged.readings)}</ul>')
    lines = "\n".join(commands(judged))
    parts.append(f"<details><summary>{_words(claim.where)}</summary><pre><code>{escape(lines)}</code></pre></details>")
    return f"""<tbody id="{claim.id}" class="{verdict}">
<tr><th scope="row"><span class="id">{claim.id}</span> {_words(claim.says)}</th>
<td data-label="Published">{_words(claim.published.text)}</td>
<td data-label="Ours">{_words(figure.with_error(percent))}<small>{escape(figure.effort)}</small></td>
<td data-label="Verdict"><span class="verdict"><span aria-hidden="true">{SIGNS[verdict]}</span> {verdict}</span></td></tr>
<tr class="more"><td colspan="{len(_COLUMNS)}">{"".join(parts)}</td></tr>
</tbody>
"""


def _reading(judged: JudgedReading, percent: bool) -> str:
    fit = ""
    if judged.reading.rival:
        fit = ' <span class="fit">fits</span>' if judged.fits else ' <span class="fit">does not fit</span>'
    text = judged.reading.text[:1].upper() + judged.reading.text[1:]
    figure = f"<b>{_words(judged.figure.with_error(percent))}</b>{fit} <small>({escape(judged.figure.effort)})</small>"
    return f"<li>{_words(text)}: {figure}</li>"


def _words(text: str) -> str:
    """Text for the page; a number stays on one line with its sign and its error."""
    return escape(text).replace(" %", "&nbsp;%").replace(" ± ", "&nbsp;±&nbsp;")
