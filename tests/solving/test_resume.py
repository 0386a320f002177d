"""Going on: a run that was stopped, or killed, is the same as one that was not, to the last bit."""

from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facedown.errors import Interrupted, UsageError
from facedown.native.jit import COMPILED
from facedown.progress import Progress
from facedown.solving.checkpoint import load_solution
from facedown.solving.methods import KINDS
from facedown.solving.solution import Solution
from facedown.solving.solver import solve


def assert_same(one: Solution, other: Solution) -> None:
    """All but the seconds."""
    assert one.iterations == other.iterations
    for name, table in one.state.items():
        assert np.array_equal(table, other.state[name]), name
    assert np.array_equal(one.policy.probabilities, other.policy.probabilities)
    assert (one.values, one.gains, one.repeat) == (other.values, other.gains, other.repeat)
    assert [point[::2] for point in one.curve] == [point[::2] for point in other.curve]


@pytest.mark.parametrize("method", KINDS)
def test_a_run_in_parts_is_the_same_run(method: str, tmp_path: Path) -> None:
    seed = 7 if KINDS[method].sampled else None
    whole = solve("kuhn", method, iterations=30, seed=seed)
    part = solve("kuhn", method, iterations=14, seed=seed)  # no point of the curve: it must not stay in it
    part.save(tmp_path / "part.npz")
    assert_same(solve("kuhn", start=tmp_path / "part.npz", iterations=30), whole)
    assert_same(solve("kuhn", start=part, iterations=30), whole)


def test_settings_are_those_of_before() -> None:
    whole = solve("kuhn", "dcfr", iterations=9, alternating=False, average=1, beta=-1)
    part = solve("kuhn", "dcfr(beta=-1)", iterations=4, alternating=False, average=1)
    assert_same(solve("kuhn", start=part, iterations=9), whole)
    assert whole.repeat == "facedown solve kuhn --method 'dcfr(beta=-1)' --iterations 9 --average 1 --simultaneous"


def test_the_earlier_solution_is_not_changed() -> None:
    part = solve("kuhn", iterations=4)
    before = {name: table.copy() for name, table in part.state.items()}
    solve("kuhn", start=part, iterations=9)
    assert all(np.array_equal(part.state[name], table) for name, table in before.items())


@pytest.mark.parametrize(
    ("game", "settings", "words"),
    [
        ("kuhn(players=3)", {}, "one of kuhn, not of"),
        ("kuhn", {"method": "cfr"}, r"cannot go on with method cfr: the solution was made with pcfr\+; nothing was changed"),
        ("kuhn", {"alternating": False}, "cannot go on with alternating False"),
        ("kuhn", {"average": 1}, "cannot go on with average 1"),
        ("kuhn", {"seed": 3}, "cannot go on with seed 3"),
        ("kuhn", {"iterations": 3}, "has 8 already, and they are counted; ask for more"),
    ],
)
def test_what_does_not_go_on_is_a_sentence(game: str, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        solve(game, start=solve("kuhn", "pcfr+", iterations=8), **settings)


def test_a_file_of_another_game_is_a_sentence_and_stays(tmp_path: Path) -> None:
    path = solve("kuhn", iterations=8).save(tmp_path / "kuhn.npz")
    before = path.read_bytes()
    with pytest.raises(UsageError, match="is a policy for kuhn, not for"):
        solve("kuhn(players=3)", start=path, save=path)
    assert path.read_bytes() == before


def test_other_rules_under_the_same_name_are_noticed() -> None:
    part = solve("kuhn", iterations=4)
    object.__setattr__(part, "digest", "0" * 16)
    with pytest.raises(UsageError, match="its tree differs; nothing was changed"):
        solve("kuhn", start=part, iterations=9)


@pytest.mark.compiled
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an alarm clock")
@pytest.mark.parametrize("delay", [0.003, 0.02, 0.07])
def test_an_interruption_at_any_moment_leaves_everything_in_step(delay: float) -> None:
    def ring(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    def wind_up(now: Progress) -> None:
        if now.details["iterations"] == 1:
            signal.setitimer(signal.ITIMER_REAL, delay)

    before = signal.signal(signal.SIGALRM, ring)
    gc.disable()  # an interruption that lands in a callback of the collector (Hypothesis has one) is swallowed there
    try:
        with pytest.raises(Interrupted) as caught:
            solve("kuhn", "pdcfr+", seconds=60, progress=wind_up)
    finally:
        gc.enable()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    part = caught.value.result
    assert_same(part, solve("kuhn", "pdcfr+", iterations=part.iterations))


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "facedown.cli.main", "solve", *words]


@pytest.mark.slow
@pytest.mark.compiled
def test_a_killed_run_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    assert COMPILED
    n, path = 12_000, tmp_path / "leduc.npz"
    whole = solve("leduc", "pdcfr+", iterations=n)
    words = ["leduc", "--method", "pdcfr+", "--iterations", str(n), "--save", str(path), "--every", "0.005"]
    patience, kills = random.Random(4), 0
    for _ in range(60):
        going_on = ["--resume", str(path)] if path.exists() else []
        run = subprocess.Popen(command(*words, *going_on), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if kills < 3:
            until = time.monotonic() + 60
            seen = path.stat().st_mtime_ns if path.exists() else 0
            while run.poll() is None and time.monotonic() < until and not (path.exists() and path.stat().st_mtime_ns != seen):
                time.sleep(0.001)
            time.sleep(patience.uniform(0, 0.02))
            if run.poll() is None:
                os.kill(run.pid, signal.SIGKILL)
                kills += 1
        _, errors = run.communicate(timeout=120)
        assert run.returncode in (0, -signal.SIGKILL), errors
        if run.returncode == 0:
            break
        assert load_solution(path).iterations <= n  # whole, whenever it was killed
    assert kills >= 1
    assert_same(load_solution(path), whole)
