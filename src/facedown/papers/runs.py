"""Running papers: every claim measured and judged, every plot's numbers gathered."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facedown.errors import unknown
from facedown.pages import facts
from facedown.papers.claims import RULE, Judged, Verdict
from facedown.papers.documents import Drawing, Paper, Passage, Plot
from facedown.papers.registry import papers
from facedown.progress import Callback

if TYPE_CHECKING:
    from facedown.papers.laboratory import Laboratory

_DEFAULT_SEED = 1


@dataclass(frozen=True)
class JudgedPaper:
    """A document with what we found."""

    paper: Paper
    claims: tuple[Judged, ...]
    drawings: tuple[tuple[Plot, Drawing], ...]
    passages: tuple[tuple[Passage, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            **facts(self.paper, "name title citation about"),
            **facts(self, "claims"),
            "plots": [{"id": plot.id, "title": plot.title, "caption": made.caption} for plot, made in self.drawings],
            "passages": [{"id": passage.id, "title": passage.title, "text": text} for passage, text in self.passages],
        }


@dataclass(frozen=True)
class PaperRun:
    """Some documents with all their claims judged."""

    papers: tuple[JudgedPaper, ...]
    profile: str
    seed: int
    seconds: float

    @property
    def claims(self) -> tuple[Judged, ...]:
        """The claims of all documents."""
        return tuple(judged for paper in self.papers for judged in paper.claims)

    @property
    def summary(self) -> dict[str, int]:
        """How many claims have each verdict."""
        counts = Counter(judged.verdict for judged in self.claims)
        return {str(verdict): counts[verdict] for verdict in Verdict}

    @property
    def repeat(self) -> str:
        """The command that repeats this run."""
        words = ["facedown", "paper", *(judged.paper.name for judged in self.papers)]
        words += ["--full"] if self.profile == "full" else []
        return " ".join([*words, "--seed", str(self.seed)])

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "schema": "facedown.paper/1",
            **facts(self, "profile seed"),
            "rule": RULE,
            **facts(self, "summary papers repeat seconds"),
        }

    def write(self, directory: str | Path) -> Path:
        """Write the page with tables and plots into a directory, which is made if need be; where the page is."""
        from facedown.papers.report import write_page

        return write_page(self, Path(directory))

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {verdict}" for verdict, count in self.summary.items())
        names = ", ".join(judged.paper.name for judged in self.papers)
        return f"{names}: {len(self.claims)} claims, {counts} ({self.profile}, seed {self.seed}, {self.seconds:.1f} s)"


def run(
    names: str | Sequence[str] = "all",
    full: bool = False,
    seed: int = _DEFAULT_SEED,
    progress: Callback | None = None,
    *,
    profile: str | None = None,
    executor: Executor | None = None,
) -> PaperRun:
    """Measure the claims of some documents, and judge them.

    names      one name, some, or "all"
    full       the documents' own sample sizes or more, instead of some seconds for everything
    progress   called before, during and after each step
    executor   where matches are played, such as Dask's, instead of threads; everything else is done here
    profile    "tiny", "quick" or "full" by name, instead of `full`; tiny is for tests
    """
    chosen = papers(names)
    from facedown.papers import laboratory as laboratories

    wanted = profile or ("full" if full else "quick")
    if wanted not in list(laboratories.Profile):
        raise unknown("profile", wanted, list(laboratories.Profile))
    started = time.perf_counter()
    n_steps = sum(paper.steps for paper in chosen)
    laboratory = laboratories.Laboratory(laboratories.Profile(wanted), seed, n_steps, progress, executor)
    judged = tuple(_judge(paper, laboratory) for paper in chosen)
    return PaperRun(judged, wanted, laboratory.seed, time.perf_counter() - started)


def _judge(paper: Paper, laboratory: Laboratory) -> JudgedPaper:
    claims = tuple(claim.judge(laboratory) for claim in paper.claims)
    drawings = tuple((plot, laboratory.measure(plot.title, plot.gather)) for plot in paper.plots)
    passages = tuple((passage, laboratory.measure(passage.title, passage.gather)) for passage in paper.passages)
    return JudgedPaper(paper, claims, drawings, passages)
