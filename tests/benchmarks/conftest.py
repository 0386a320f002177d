"""A report with made-up figures, whose ratios are known."""

from __future__ import annotations

import pytest

from facedown_bench.laps import Lap, Ratio, Speed
from facedown_bench.report import BenchReport, GameStart, Machine, Measurement, Rival, StartUp


@pytest.fixture
def report() -> BenchReport:
    ours = Speed((Lap(1000, 0.001, 2250), Lap(1000, 0.002, 2250)))  # 1 million and 500,000 games a second
    threads = Speed((Lap(1000, 0.0008, 2250), Lap(1000, 0.0005, 2250)))
    plain = Speed((Lap(10, 0.02, 20), Lap(10, 0.02, 25)))  # 1000 and 1250 moves a second
    theirs = Speed((Lap(1000, 0.05), Lap(1000, 0.04)))  # 20,000 and 25,000 games a second
    rivals = (
        Rival("all threads", "all_threads", "", 2, threads, Ratio.of(threads, ours)),
        Rival("plain Python", "reference", "", 1, plain, Ratio.of(ours, plain)),
        Rival("open_spiel", "peer", "9.9", 1, theirs, Ratio.of(ours, theirs)),
    )
    alone = Speed((Lap(100, 0.01, 40_000), Lap(100, 0.01, 40_000)))
    return BenchReport(
        machine=Machine("A Processor", 2, "3.11.7", "2.4.6", "0.68.1", "0.1.0", "compiled"),
        lap_seconds=0.1,
        rounds=2,
        measurements=(
            Measurement("games", "kuhn", "uniform against uniform", "game", "move", ours, rivals),
            Measurement("games", "war", "uniform against uniform", "game", "move", alone, ()),
        ),
        startup=StartUp((0.5, 0.4), (0.1, 0.2), (GameStart("kuhn", 7.0, (1.0, 1.2)), GameStart("war", 9.0, (1.1, 1.3)))),
        peers=("OpenSpiel 9.9",),
        seconds=3.0,
    )
