"""Load on the web lab: many tables with four agents each, all moving at once, on loopback.

    python benchmarks/web_load.py [--tables 200] [--moves 3]

Starts a server of its own in a folder that is thrown away, plays some moves at one idle table, then some at all tables at once,
and stops by itself. Every table is then looked at: a move that was answered must be there.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

GAME, SEATS = "kuhn(players=5)", ["human", "uniform", "uniform", "uniform", "uniform"]
LIMIT = 5.0
"""99 of 100 moves are answered within this many times the median of an idle table."""


class Lab:
    """A server in a process of its own."""

    def __init__(self, folder: Path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        words = ["web", "--no-open", "--port", str(self.port), "--folder", str(folder)]
        program = "import sys; from facedown.cli.main import main; sys.argv[0] = 'facedown'; main()"
        self.process = subprocess.Popen([sys.executable, "-c", program, *words], stdout=subprocess.DEVNULL)
        for _ in range(600):
            try:
                self.ask("/api/games")
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the server does not start")

    def ask(self, path: str, content: dict[str, Any] | None = None) -> Any:
        """A request, and what comes back."""
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(self.base + path, data, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def new_table(self) -> str:
        """The link of a person's seat at a new table."""
        return str(self.ask("/api/tables", {"game": GAME, "seats": SEATS})["links"]["0"])

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)


def play(lab: Lab, link: str, n_moves: int, seconds: list[float]) -> int:
    """A number of moves, games begun anew as they end; how many were answered. What was answered must be there."""
    n_answered = 0
    for _ in range(n_moves):
        seen = lab.ask(f"/api/seats/{link}")
        if seen["over"]:
            link = lab.new_table()
            seen = lab.ask(f"/api/seats/{link}")
        started = time.perf_counter()
        after = lab.ask(f"/api/seats/{link}/moves", {"action": seen["legal"][0]["action"], "moment": seen["moment"]})
        seconds.append(time.perf_counter() - started)
        again = lab.ask(f"/api/seats/{link}")
        n_answered += int(len(after["log"]) > len(seen["log"]) and again["log"] == after["log"])
    return n_answered


def main() -> int:
    """Measure, and say whether it is within the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--moves", type=int, default=3)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(Path(folder))
        try:
            return _measure(lab, wanted.tables, wanted.moves)
        finally:
            lab.stop()


def _measure(lab: Lab, n_tables: int, n_moves: int) -> int:
    idle: list[float] = []
    play(lab, lab.new_table(), 30, idle)
    links = [lab.new_table() for _ in range(n_tables)]
    for link in links:
        lab.ask(f"/api/seats/{link}")
    busy: list[list[float]] = [[] for _ in links]
    answered = [0] * n_tables

    def person(at: int) -> None:
        answered[at] = play(lab, links[at], n_moves, busy[at])

    threads = [threading.Thread(target=person, args=(at,)) for at in range(n_tables)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    every = sorted(second for seconds in busy for second in seconds)
    late = every[min(int(0.99 * len(every)), len(every) - 1)]
    median = statistics.median(idle)
    n_lost = n_tables * n_moves - sum(answered)
    print(f"{n_tables} tables of {GAME} with 4 agents each, {n_moves} moves a table, {os.cpu_count()} cores")
    print(f"idle table: median {1000 * median:.0f} ms; all at once: median {1000 * statistics.median(every):.0f} ms,")
    print(f"99 of 100 within {1000 * late:.0f} ms, {late / median:.2f} times the idle median (limit {LIMIT:g});")
    print(f"{n_lost} moves lost")
    return int(late > LIMIT * median or n_lost > 0)


if __name__ == "__main__":
    sys.exit(main())
