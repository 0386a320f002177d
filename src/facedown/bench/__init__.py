"""Speed: our loops beside plain Python and beside the peers that are installed, all in one run."""

from facedown.bench.report import BenchReport
from facedown.bench.show import markdown, tables
from facedown.bench.suite import run

__all__ = ["BenchReport", "markdown", "run", "tables"]
