"""Plots as SVG inside the page: colours are the page's own, so they follow it into the dark."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from facedown.pages import svg_parts
from facedown.papers.documents import Drawing, Plot

WIDTH = 5.4  # inches; with letters of 10 points it can be read on a telephone

# stand-ins that Matplotlib can draw with; the page replaces them by its variables
INK, FAINT, OURS, PUBLISHED, OTHER = "#010203", "#010204", "#010205", "#010206", "#010207"
_VARIABLES = {INK: "--ink", FAINT: "--line", OURS: "--ours", PUBLISHED: "--published", OTHER: "--other"}

_STYLE: Any = {  # not a dict for type checkers: Matplotlib spells out all names it takes
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "font.family": "DejaVu Sans",  # comes with Matplotlib; letters are drawn as paths
    "font.size": 10,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "lines.linewidth": 1.8,
}


def svg(plot: Plot, drawing: Drawing) -> str:
    """The plot as an `svg` element for a page, which its alternative text describes."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        canvas = Figure(figsize=(WIDTH, plot.height), layout="constrained")
        FigureCanvasSVG(canvas)
        drawing.draw(canvas)
        attributes, body = svg_parts(canvas, plot.id)
    size = re.search(r'viewBox="([^"]+)"', attributes)
    assert size, "Matplotlib writes an svg element with a viewBox"
    label = escape(drawing.alt, quote=True)
    return f'<svg viewBox="{size[1]}" role="img" aria-label="{label}">{_for_page(body, plot.id).strip()}</svg>'


def _for_page(body: str, name: str) -> str:
    """The drawing with names that no other picture has, and in the page's colours."""
    body = body.replace("xlink:href", "href")
    body = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', body)
    body = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', body)
    body = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", body)
    for colour, variable in _VARIABLES.items():
        body = body.replace(colour, f"var({variable})")
    return body
