"""How many games tuning needs, measured where the truth is known: Rrrats, whose best replies can be worked out exactly.

python benchmarks/tuning.py                      20 seeds of every contestant; writes tuning.md (some five minutes of one core)
python benchmarks/tuning.py source default       some contestants
python benchmarks/tuning.py --seeds 5

Each run begins at `stationary`, which rolls with probability 1/2, and is stopped as soon as what it recommends is within all of
TARGETS of the best stationary strategy, by the win probability of a best reply. The settings of the contestants were chosen
on seeds from 1000 on; those reported are from 1 on.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # the slow twin, which shares no code with the package

import facedown
from facedown.errors import Interrupted
from facedown.progress import Progress
from naive.rrrats_values import chances, exploitability  # type: ignore[import-not-found]

TARGETS = (0.05, 0.02, 0.01)
BEST: float = exploitability((1.0, 1.0, 1.0))
"""Always to roll: the best of all strategies that look at nothing but their hand (`tests/tuning`)."""
GAMES = 1_000_000
RESULTS = Path(__file__).with_name("tuning.md")
SEEN = (
    "Settings were chosen on seeds from 1000 on, but runs with seeds 1 to 20 were looked at on the way; for seeds that had no "
    "say in anything, see docs/tuning.md."
)

SOURCE: dict[str, Any] = {"race": "ilebr*2", "epsilon": 0.01, "delta": 0.05, "rule": "1.25/.84", "recommend": "last"}
CONTESTANTS: dict[str, dict[str, Any]] = {
    "source": {"method": "approximate", **SOURCE},
    "default": {"method": "approximate"},
    "iterative": {"method": "iterative"},
    "coevolution": {"method": "coevolution"},
    "approximate2": {"method": "approximate2"},
    "spsa": {"method": "spsa"},
    "cma": {"method": "cma"},
    "gp": {"method": "gp"},
}
WORDS = {
    "source": "(a) approximate, `ilebr*2` .01 .05, 1.25/.84",
    "default": "(b) approximate, our default race and step",
    "iterative": "iterative, our default race and step",
    "coevolution": "coevolution, our default race and step",
    "approximate2": "approximate2, our default race and step",
}


@cache
def distance(best: tuple[float, ...]) -> float:
    """How much more a best reply wins against it than against the best stationary strategy."""
    return float(exploitability(chances(list(best)))) - BEST


def run(settings: dict[str, Any], seed: int, games: int) -> list[int | None]:
    """Games until each target was reached; None if they did not suffice."""
    reached: list[int | None] = [None] * len(TARGETS)

    def look(now: Progress) -> None:
        far = distance(now.details["best"])
        for number, target in enumerate(TARGETS):
            if reached[number] is None and far <= target:
                reached[number] = now.details["games"]
        if None not in reached:
            raise KeyboardInterrupt

    with contextlib.suppress(Interrupted):
        facedown.tune("rrrats", "stationary", games=games, seed=seed, threads=1, progress=look, **settings)
    return reached


def row(name: str, seeds: Sequence[int], games: int, say: Callable[[str], None]) -> str:
    """A line of the table: medians, and means in which a run that did not arrive counts as all its games."""
    started, found = time.process_time(), []
    for seed in seeds:
        found.append(run(CONTESTANTS[name], seed, games))
        say(f"{name}, seed {seed}: {found[-1]}")
    cells = []
    for number in range(len(TARGETS)):
        reached = sorted(games if one[number] is None else one[number] or 0 for one in found)
        missed = sum(one[number] is None for one in found)
        late = f", {missed} not" if missed else ""
        cells.append(f"{statistics.median(reached):,.0f} ({statistics.mean(reached):,.0f}{late})")
    say(f"{name}: {time.process_time() - started:.0f} s of processor time")
    return f"| {WORDS.get(name, name)} | {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Games that tuning needs, where the truth is known.")
    parser.add_argument("contestants", nargs="*", metavar="NAME", help="which of them; all if none is named")
    parser.add_argument("--seeds", type=int, default=20, help="how many runs of each")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=GAMES, help="budget of a run")
    parser.add_argument("--out", type=Path, help=f"where the table goes; {RESULTS.name} if all take part")
    given = parser.parse_args(arguments)
    names = given.contestants or list(CONTESTANTS)
    if stray := [name for name in names if name not in CONTESTANTS]:
        parser.error(f"there is no contestant {', '.join(stray)}; choose from {', '.join(CONTESTANTS)}")
    seeds = range(given.first_seed, given.first_seed + given.seeds)
    heads = " | ".join(f"within {target:g}" for target in TARGETS)
    lines = [
        f"Games until what is recommended is this close to the best stationary strategy of Rrrats: median (mean) of "
        f"{given.seeds} runs, seeds from {given.first_seed} on, at most {given.games:,} games each.",
        "",
        f"| method | {heads} |",
        f"| --- |{' ---: |' * len(TARGETS)}",
    ]
    for name in names:
        lines.append(row(name, seeds, given.games, lambda words: print(words, file=sys.stderr, flush=True)))
        print(lines[-1], flush=True)
    target = given.out or (RESULTS if not given.contestants else None)
    if target is not None:
        target.write_text(
            f"# Tuning\n\nWritten by `python benchmarks/tuning.py`. {SEEN}\n\n" + "\n".join(lines) + "\n", encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
