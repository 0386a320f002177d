"""Run the suite and write `benchmarks/results.md`: ratios only, with the machine that they were taken on.

python benchmarks/run.py                  everything, about four minutes on an idle machine
python benchmarks/run.py kuhn war         some games
python benchmarks/run.py --no-peers       without OpenSpiel
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import facedown_bench as bench
from facedown.errors import FacedownError
from facedown.progress import Progress
from facedown_bench.suite import SECONDS

RESULTS = Path(__file__).with_name("results.md")

HEAD = """\
# Results

Written by `python benchmarks/run.py`; [how to read it](README.md).

"""


def page(report: bench.BenchReport) -> str:
    """The whole of `results.md`."""
    return HEAD + bench.markdown(report)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Run the benchmarks and write a page of ratios.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="which games; all that are built in if none is named")
    parser.add_argument("--no-peers", action="store_true", help="do not measure other libraries beside")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each contestant plays each game")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the page to write")
    given = parser.parse_args(arguments)
    try:
        report = bench.run(given.games, not given.no_peers, given.seconds, progress=_say)
    except FacedownError as problem:
        print(f"benchmarks: {problem}", file=sys.stderr)
        return problem.exit_code
    print(report)
    given.out.write_text(page(report), encoding="utf-8")
    print(f"written to {given.out}", file=sys.stderr)
    return 0


def _say(now: Progress) -> None:
    print(f"[{now.done + 1:.0f}/{now.total:.0f}] {now}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
