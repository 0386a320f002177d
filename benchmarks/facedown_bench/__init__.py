"""Speed: our loops beside plain Python and beside the peers that are installed, all in one run."""

from facedown_bench.report import BenchReport
from facedown_bench.show import markdown, tables
from facedown_bench.suite import run

__all__ = ["BenchReport", "markdown", "run", "tables"]
