"""Any executor: a match of Kuhn games on two Dask workers, beside the same match on as many threads.

    python benchmarks/executors.py [--games 100000000] [--repeats 3] [--json]

Both are warm: machine code is compiled and loaded, in each worker too. The figures must be the same bits. Runs alternate, and
the ratio is that of the best of each, since anything else that the machine does makes a run longer.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import Executor
from typing import Any

GAME, AGENTS = "kuhn", ("uniform", "uniform")
WORKERS = 2
MIN_RATIO = 0.8
"""What the executor is to reach at least, as a share of the speed of threads."""


def measure(games: int, repeats: int) -> dict[str, Any]:
    """Seconds of both ways, and how the speed of the executor compares."""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, Client(cluster) as client:
        elsewhere = client.get_executor(pure=False)
        for executor in (None, elsewhere):  # warm, with enough games for every worker to get some
            _play(2_000_000, executor)
        seconds: dict[str, list[float]] = {"threads": [], "executor": []}
        bits = set()
        for _ in range(repeats):
            for name, executor in (("threads", None), ("executor", elsewhere)):
                started = time.perf_counter()
                bits.add(_play(games, executor))
                seconds[name].append(time.perf_counter() - started)
    best = {name: min(times) for name, times in seconds.items()}
    return {
        "schema": "facedown.bench.executors/1",
        "game": GAME,
        "games": games,
        "workers": WORKERS,
        "seconds": seconds,
        "games_a_second": {name: games / least for name, least in best.items()},
        "ratio": best["threads"] / best["executor"],
        "least_ratio": MIN_RATIO,
        "same_bits": len(bits) == 1,
    }


def _play(games: int, executor: Executor | None) -> str:
    import facedown as fd

    result = fd.match(GAME, AGENTS, games, seed=1, threads=WORKERS, executor=executor).to_dict()
    del result["seconds"]
    return json.dumps(result, sort_keys=True)


def main() -> int:
    """Measure and print; 3 where the figures differ or the executor is slower than it should be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    found = measure(chosen.games, chosen.repeats)
    if chosen.json:
        print(json.dumps(found))
    else:
        for name, speed in found["games_a_second"].items():
            print(f"{name:10} {speed / 1e6:8.2f} million games a second on {WORKERS} workers")
        same = "the same bits" if found["same_bits"] else "OTHER FIGURES"
        print(f"executor / threads: {found['ratio']:.2f} (at least {MIN_RATIO}); {same}")
    return 0 if found["same_bits"] and found["ratio"] >= MIN_RATIO else 3


if __name__ == "__main__":
    sys.exit(main())
