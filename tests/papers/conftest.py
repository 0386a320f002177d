"""A run of all papers, and a paper made for tests: a claim for each verdict."""

from __future__ import annotations

from functools import partial

import pytest
from matplotlib.figure import Figure as Canvas

from facedown import papers
from facedown.papers.claims import Claim, Correction, Figure, Published, Reading
from facedown.papers.documents import Drawing, Paper, Plot
from facedown.papers.laboratory import Laboratory
from facedown.papers.runs import PaperRun


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever reads the run of all papers may be the one who waits for it."""
    for item in items:
        if "tiny_run" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def tiny_run() -> PaperRun:
    """Every paper, with a handful of games each."""
    return papers.run("all", profile="tiny", seed=5)


def measured(laboratory: Laboratory, value: float, stderr: float = 0.01) -> Figure:
    """A figure as if it had been measured."""
    return Figure(
        value, stderr, 1_000, laboratory.seed, f"facedown match kuhn uniform uniform --games 1000 --seed {laboratory.seed}"
    )


def claim(name: str, value: float, correction: Correction | None = None, **more: object) -> Claim:
    """A claim that 70 % is published for what we measure as `value`."""
    facts: dict[str, object] = {
        "where": "Chapter <1> & 'so on'",
        "says": "It is <b>said</b> that 70 % & more win.",
        "published": Published.printed("70 %"),
        "measure": partial(measured, value=value),
        "correction": correction,
    }
    return Claim(id=name, paper="made-up", **{**facts, **more})  # type: ignore[arg-type]


def draw_line(canvas: Canvas) -> None:
    canvas.subplots().plot([1, 2], [3, 4])


def drawing(laboratory: Laboratory) -> Drawing:
    """A line."""
    return Drawing('A "line" & <nothing> else.', 'A "line"', draw_line)


@pytest.fixture
def made_up() -> Paper:
    """A paper with one claim for each verdict, and marks in its texts that mean something in HTML."""
    wrong = Correction("It is a slip, since the other is {other} and not this.", right=Published.exact("1/2"))
    return Paper(
        name="made-up",
        title="Made <up>",
        citation="Nobody & Co., 1999.",
        about="It is about nothing. See <nowhere>.",
        claims=(
            claim("that-agrees", 0.69),
            claim("that-is-corrected", 0.51, wrong, readings=(Reading("other", "the other", partial(measured, value=0.702)),)),
            claim("that-differs", 0.5, note="Nobody knows why."),
            claim(
                "that-differs-from-the-correction", 0.9, wrong, readings=(Reading("other", "x", partial(measured, value=0.7)),)
            ),
        ),
        plots=(Plot("a-line", "A line", 2.0, drawing), Plot("another-line", "Another line", 2.0, drawing)),
    )
