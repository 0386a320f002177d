"""With an empty cache: what is compiled is told first, and the clock of a match runs when all of it is ready."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.compiled

# how many versions of each native function are compiled, of the rules, the agents and what makes figures
PROGRAM = """
import json, sys
import facedown as fd
from facedown.arena import loop, score_counts
from facedown.arena.agreement import agreement
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup

def ready(lineup):
    rules = [getattr(lineup.game, name) for name in ("start", "turn", "legal", "step", "score", "observe", "hears", "report")]
    acts = [agent.act for agent in lineup.agents]
    return [len(function.signatures) for function in (*rules, *acts, loop.summarise, *score_counts.NATIVE)]

seconds = [fd.match("kuhn", ["uniform", "uniform"], games=100, seed=1).seconds]
print("followed", file=sys.stderr)
lineup = Lineup("kuhn(players=3)", ["first", "uniform", "first"])
follower = Follower(lineup, 1, 0)
before = ready(lineup)
for _ in follower:
    pass
follower.agent_scores(), follower.position.heard(0, 1, 0)
after = ready(lineup)
print("agreement", file=sys.stderr)
seconds.append(agreement("kuhn(players=3)", ["first", "uniform"], games=3, seed=1).seconds)
print("more players", file=sys.stderr)
seconds.append(fd.match("kuhn(players=3)", ["uniform"] * 3, games=99, seed=1).seconds)
print(json.dumps({"seconds": seconds, "before": before, "after": after, "last": ready(lineup)[-5:]}))
"""


@pytest.mark.slow
def test_an_empty_cache(run_python: Any, tmp_path: Path) -> None:
    ran = run_python(PROGRAM, FACEDOWN_CACHE=str(tmp_path / "cache"))
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert max(found["seconds"]) < 1.5  # compiling takes several seconds; playing these games, milliseconds on an idle machine
    assert found["before"] == found["after"] and min(found["before"]) >= 1
    assert found["last"] == found["before"][-5:]
    assert [line.partition(" once, about")[0] for line in ran.stderr.splitlines()] == [
        "compiling kuhn",
        "compiling the figures of matches",
        "followed",
        "compiling kuhn move by move, first for kuhn, asked one by one, uniform for kuhn, asked one by one",
        "agreement",
        "more players",
    ]


@pytest.mark.slow
def test_plain_python_among_the_agents_is_no_exception(run_python: Any, tmp_path: Path) -> None:
    program = """
import facedown as fd
def last(view, actions, n, params, memory, chance): return int(actions[n - 1])
agent = fd.Agent(name="last", meaning="", act=last, compiled=False)
print(fd.match("kuhn", [agent, "first"], games=10, seed=1).seconds)
"""
    ran = run_python(program, FACEDOWN_CACHE=str(tmp_path / "cache"))
    assert float(ran.stdout) < 1.5
    assert ran.stderr.startswith("compiling kuhn move by move, first for kuhn, asked one by one once, about ")
