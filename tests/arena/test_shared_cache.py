"""Machine code from different processes, met in one: each agent still plays as itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.compiled

PROGRAM = """
import json, sys
import facedown as fd
agents = sys.argv[1:]
print(json.dumps(fd.match("war(ranks=6,suits=2)", agents, games=400, seed=1).mean))
"""


@pytest.mark.slow
def test_agents_compiled_apart_are_told_apart(run_python: Any, tmp_path: Path) -> None:
    """Code from the cache is linked by its name, and names are numbered by each process anew."""
    cache = str(tmp_path / "cache")
    alone = run_python(PROGRAM, "descending", "ascending", FACEDOWN_CACHE=str(tmp_path / "other"))
    assert alone.returncode == 0, alone.stderr
    for agent in ("descending", "ascending"):  # each by a process of its own, so that both get the same number
        assert run_python(PROGRAM, agent, agent, FACEDOWN_CACHE=cache).returncode == 0
    together = run_python(PROGRAM, "descending", "ascending", FACEDOWN_CACHE=cache)
    assert "compiling" not in together.stderr
    assert json.loads(together.stdout) == json.loads(alone.stdout) != [0.5, 0.5]
