"""The example script runs as a user runs it, and tells the truth."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from facedown.native.jit import COMPILED

ROOT = Path(__file__).parents[2]


def test_the_script_runs() -> None:
    games = 20_000 if COMPILED else 60
    command = [sys.executable, str(ROOT / "examples" / "compare_agents.py"), str(games)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    assert f"rrrats: {games:,} games, seed 1" in run.stdout
    assert "two processes give the same figures, bit for bit" in run.stdout
    assert f"--games {games} --seed 1" in run.stdout
    assert f"{games:,} of {games:,} games" in run.stderr
