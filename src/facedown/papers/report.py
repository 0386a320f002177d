"""The page: claims, verdicts and plots in one HTML file that needs nothing else."""

from __future__ import annotations

import re
from html import escape
from itertools import groupby
from pathlib import Path

import facedown
from facedown.errors import FacedownError
from facedown.files import write_whole
from facedown.papers.claims import RULE, Judged, JudgedReading, Verdict
from facedown.papers.documents import Drawing, Plot
from facedown.papers.pictures import svg
from facedown.papers.runs import JudgedPaper, PaperRun
from facedown.papers.terminal import commands

PAGE = "index.html"
_WIDEST = 120
"""Letters in a line that fits beside nothing else on a wide page."""
SIGNS = {Verdict.AGREES: "✓", Verdict.CORRECTED: "✎", Verdict.DIFFERS: "?"}
_MEANINGS = {
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
<nav id="contents" aria-label="Contents"><ul>
{"".join(_contents(judged) for judged in run.papers)}</ul></nav>
</header>
<main>
{"".join(_paper(judged) for judged in run.papers)}</main>
<footer>
<p>Profile <em>{escape(run.profile)}</em>, seed {run.seed}. The whole page again:</p>
<pre class="commands"><code>{escape(run.repeat)} --out DIR</code></pre>
</footer>
</body>
</html>
"""


def _contents(judged: JudgedPaper) -> str:
    """Links to a document and to all of its sections."""
    paper = judged.paper
    sections = [(f"{paper.name}-claims", f"{len(judged.claims)} claims")]
    sections += [(plot.id, plot.title) for plot in paper.plots]
    sections += [(passage.id, passage.title) for passage in paper.passages]
    links = "".join(f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title in sections)
    return f'<li><a href="#{paper.name}">{escape(paper.title)}</a>\n<ul>{links}</ul></li>\n'


def _summary(run: PaperRun) -> str:
    cards = "".join(
        f'<div class="{verdict}"><dt><span aria-hidden="true">{SIGNS[verdict]}</span> {verdict}</dt>'
        f"<dd><strong>{run.summary[verdict]}</strong><span>{_words(_MEANINGS[verdict])}</span></dd></div>"
        for verdict in Verdict
    )
    return f'<dl class="summary" aria-label="{len(run.claims)} claims by verdict">{cards}</dl>'


def _paper(judged: JudgedPaper) -> str:
    paper = judged.paper
    heads = "".join(f'<th scope="col">{name}</th>' for name in _COLUMNS)
    plots = {plot.id: _figure(plot, drawing) for plot, drawing in judged.drawings}
    placed = {place: [plots[plot] for plot, at in paper.beside.items() if at == place] for place in paper.beside.values()}
    rows = "".join(_rows(claim) + _row_of_figures(placed.get(claim.claim.id, [])) for claim in judged.claims)
    figures = "".join(text for plot, text in plots.items() if plot not in paper.beside)
    passages = "".join(
        f'<div class="passage" id="{passage.id}"><h3>{escape(passage.title)}</h3>'
        f"{_blocks(text)}{''.join(placed.get(passage.id, []))}</div>\n"
        for passage, text in judged.passages
    )
    return f"""<section id="{paper.name}" aria-labelledby="{paper.name}-title">
<h2 id="{paper.name}-title">{escape(paper.title)}</h2>
<p class="citation">{_words(paper.citation)}</p>
<p>{_words(paper.about)}</p>
<div class="scroll" tabindex="0">
<table id="{paper.name}-claims">
<caption>Claims of {escape(paper.title.lower())}</caption>
<thead><tr>{heads}</tr></thead>
{rows}</table>
</div>
<div class="figures">
{figures}</div>
{passages}<p class="back"><a href="#contents">Contents</a></p>
</section>
"""


def _figure(plot: Plot, drawing: Drawing) -> str:
    return (
        f'<figure id="{plot.id}"><h3>{escape(plot.title)}</h3>{svg(plot, drawing)}'
        f"<figcaption>{_words(drawing.caption)}</figcaption></figure>\n"
    )


def _row_of_figures(figures: list[str]) -> str:
    """Plots below the claim that they belong to."""
    if not figures:
        return ""
    return f'<tbody class="plots"><tr><td colspan="{len(_COLUMNS)}">{"".join(figures)}</td></tr></tbody>\n'


def _blocks(text: str) -> str:
    """The text of a passage: sentences as paragraphs, which the page folds, tables and commands line by line."""
    parts = []
    for kind, lines in groupby(text.split("\n"), _kind_of_line):
        block = list(lines)
        if kind == "prose":
            parts += [f"<p>{_words(line)}</p>" for line in block if line.strip()]
        elif kind == "rows" and max(map(len, block)) > _WIDEST:
            parts.append(f'<dl class="long">{"".join(map(_pair, block))}</dl>')
        else:
            parts.append(f'<pre class="{kind}" tabindex="0">{escape(chr(10).join(block))}</pre>')
    return "".join(parts)


def _pair(line: str) -> str:
    """A row that is wider than any page, such as a position and what is played there: the first cell above the others."""
    first, *others = re.split(" {2,}(?! *[0-9.]+%)", line.strip())  # a percentage belongs to what stands before it
    return f"<dt>{_words(first)}</dt><dd>{_words(', '.join(' '.join(other.split()) for other in others))}</dd>"


def _kind_of_line(line: str) -> str:
    if line.startswith("facedown "):
        return "commands"
    return "rows" if "  " in line.strip() else "prose"  # columns stand apart


def _rows(judged: Judged) -> str:
    """A group of rows: the numbers, then where the claim stands, why the verdict, and other readings."""
    claim, figure, verdict = judged.claim, judged.figure, judged.verdict
    percent = claim.published.percent
    parts = []
    if judged.sentence:
        parts.append(f'<p class="why">{_words(judged.sentence)}</p>')
    if judged.readings:
        parts.append(f'<ul class="readings">{"".join(_reading(reading, percent) for reading in judged.readings)}</ul>')
    lines = f'<pre class="commands"><code>{escape(chr(10).join(commands(judged)))}</code></pre>'
    parts.append(f"<details><summary>{_words(claim.where)}</summary>{lines}</details>")
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
