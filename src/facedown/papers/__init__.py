"""Published figures beside ours: one module a document, with claims that are measured when they are run."""

from facedown.papers.claims import Claim, Correction, Figure, Published, Reading, Verdict
from facedown.papers.documents import Drawing, Paper, Plot
from facedown.papers.registry import names, paper
from facedown.papers.runs import PaperRun, run
from facedown.papers.terminal import tables

__all__ = [
    "Claim",
    "Correction",
    "Drawing",
    "Figure",
    "Paper",
    "PaperRun",
    "Plot",
    "Published",
    "Reading",
    "Verdict",
    "names",
    "paper",
    "run",
    "tables",
]
