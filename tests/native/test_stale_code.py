"""The cache never gives old machine code: change what a function calls, run again in a new process, get the new result.

Numba alone looks only at the file of the function itself. Each case below has files of its own, so that the change of
one is not noticed thanks to another; all cases share three processes: before, again without a change, and after.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

NATIVE = "from facedown.native import native\n"
ONE = f"{NATIVE}@native\ndef one(x):\n    return x + 1\n"

# name of the case -> files; `report(x)` of the first is asked
CASES: dict[str, dict[str, str]] = {
    "one import away": {
        "near.py": f"{NATIVE}from near_helper import one\n@native\ndef report(x):\n    return one(x)\n",
        "near_helper.py": ONE,
    },
    "two imports away": {
        "far.py": f"{NATIVE}from far_middle import two\n@native\ndef report(x):\n    return two(x)\n",
        "far_middle.py": f"{NATIVE}import far_helper\n@native\ndef two(x):\n    return far_helper.one(x)\n",
        "far_helper.py": ONE,
    },
    "a relative import inside a package": {
        "inside/__init__.py": "from .rules import report\n",
        "inside/rules.py": f"{NATIVE}from . import helper\n@native\ndef report(x):\n    return helper.one(x)\n",
        "inside/helper.py": ONE,
    },
    "the package above an imported module": {
        "above.py": f"{NATIVE}import parent.child\n@native\ndef report(x):\n    return parent.one(x)\n",
        "parent/__init__.py": ONE,
        "parent/child.py": "",
    },
    "a module that is imported by a computed name": {
        "computed.py": f"{NATIVE}import importlib\none = importlib.import_module('computed' + '_helper').one\n"
        "@native\ndef report(x):\n    return one(x)\n",
        "computed_helper.py": ONE,
    },
    "an imported constant": {
        "constant.py": f"{NATIVE}from constant_helper import STEP\n@native\ndef report(x):\n    return x + STEP\n",
        "constant_helper.py": "STEP = 1\n",
    },
    "a table read from a file": {
        "table.py": f"{NATIVE}import numpy as np\nfrom pathlib import Path\n"
        "TABLE = np.array(list(map(int, Path(__file__).with_name('table.txt').read_text().split())))\n"
        "@native\ndef report(x):\n    return x + TABLE[0]\n",
        "table.txt": "1 0\n",
    },
    "a function bound to a template": {
        "bound.py": "from facedown.native.jit import bind\nfrom bound_template import ask\nfrom bound_helper import one\n"
        "report = bind(ask, answer=one)\n",
        "bound_template.py": "answer = None\ndef ask(x):\n    return answer(x)\n",
        "bound_helper.py": ONE,
    },
    "what a bound function calls": {
        "deep.py": f"{NATIVE}from facedown.native.jit import bind\nfrom deep_template import ask\nimport deep_helper\n"
        "@native\ndef middle(x):\n    return deep_helper.one(x)\nreport = bind(ask, answer=middle)\n",
        "deep_template.py": "answer = None\ndef ask(x):\n    return answer(x)\n",
        "deep_helper.py": ONE,
    },
}
CHANGED = {  # file -> text that takes the place of another
    "near_helper.py": ("x + 1", "x + 2"),
    "far_helper.py": ("x + 1", "x + 2"),
    "inside/helper.py": ("x + 1", "x + 2"),
    "parent/__init__.py": ("x + 1", "x + 2"),
    "computed_helper.py": ("x + 1", "x + 2"),
    "constant_helper.py": ("STEP = 1", "STEP = 2"),
    "table.txt": ("1", "2"),
    "bound_helper.py": ("x + 1", "x + 2"),
    "deep_helper.py": ("x + 1", "x + 2"),
    "prizes.py": ("x + 1", "x + 2"),
}

GAME = """
import numpy as np
import facedown as fd
from facedown.native import field, native, record
from prizes import one

STATE = record(field("mover", np.int8, -1, 0, "player to move; -1 the end"), field("pick", np.int8, 0, 1, "what was picked"))

@native
def start(state, chance): pass
@native
def turn(state): return int(state.mover)
@native
def legal(state, actions):
    actions[0], actions[1] = 0, 1
    return 2
@native
def step(state, action, chance):
    state.pick, state.mover = action, -1
@native
def score(state, scores): scores[0] = one(10 * int(state.pick))
@native
def observe(state, player, view):
    view.mover, view.pick = state.mover, state.pick
@native
def imagine(view, player, chance, state): observe(view, player, state)

GAME = fd.Game(
    name="picks", title="", source="", state=STATE, view=STATE, start=start, turn=turn, legal=legal, step=step, score=score,
    observe=observe, imagine=imagine, describe=str, action_name=lambda view, action: str(action),
    players=1, actions=2, longest=1, kind="general", scores=(0.0, 20.0),
)

def act(view, actions, n, params, memory, chance): return 0
NOUGHT = fd.Agent(name="nought", meaning="", act=act)
def act(view, actions, n, params, memory, chance): return 1
UNIT = fd.Agent(name="unit", meaning="", act=act)
LEFT = fd.Agent(name="left", meaning="", act=lambda view, actions, n, params, memory, chance: 0)
RIGHT = fd.Agent(name="right", meaning="", act=lambda view, actions, n, params, memory, chance: 1)
SAME_LINE = [lambda view, actions, n, params, memory, chance: 0, lambda view, actions, n, params, memory, chance: 1]
NO = fd.Agent(name="no", meaning="", act=SAME_LINE[0])
YES = fd.Agent(name="yes", meaning="", act=SAME_LINE[1])
AGENTS = (NOUGHT, UNIT, LEFT, RIGHT, NO, YES)
"""

PROGRAM = """
import importlib, json, sys
import facedown as fd
modules = {case: importlib.import_module(name) for case, name in json.loads(sys.argv[1]).items()}
results = {case: module.report(10) for case, module in modules.items()}
for agent in ("nought", "unit", "left", "right", "no", "yes"):
    results[agent] = fd.match("./picks.py:GAME", [agent], games=3, seed=1).mean[0]
print(json.dumps(results))
"""

MODULES = {case: next(iter(files)).partition(".py")[0].partition("/")[0] for case, files in CASES.items()}


@dataclass(frozen=True)
class Run:
    """What one process printed, and the files of the cache after it."""

    results: dict[str, float]
    stderr: str
    files: dict[str, int]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """Before a change, again, and after it."""
    folder = tmp_path_factory.mktemp("stale")
    for files in [*CASES.values(), {"picks.py": GAME, "prizes.py": ONE}]:
        for name, text in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
    before, again = run(folder), run(folder)
    for name, (old, new) in CHANGED.items():
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))
    return [before, again, run(folder)]


def run(folder: Path) -> Run:
    surroundings = {**os.environ, "FACEDOWN_CACHE": str(folder / "cache")}
    command = [sys.executable, "-c", PROGRAM, json.dumps(MODULES)]
    done = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    files = {str(path): path.stat().st_mtime_ns for path in (folder / "cache").rglob("*") if path.is_file()}
    return Run(json.loads(done.stdout), done.stderr, files)


@pytest.mark.parametrize("case", CASES)
def test_new_result_after_a_change_of(runs: list[Run], case: str) -> None:
    before, again, after = runs
    assert before.results[case] == again.results[case] == 11
    assert after.results[case] == 12


def test_new_result_of_a_match_after_a_change_of_what_its_game_imports(runs: list[Run]) -> None:
    before, again, after = runs
    assert before.results["unit"] == again.results["unit"] == 11
    assert after.results["unit"] == 12


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("nought", "unit", id="a name that is defined twice"),
        pytest.param("left", "right", id="lambdas"),
        pytest.param("no", "yes", id="lambdas in one line"),
    ],
)
def test_functions_of_one_name_do_not_share_machine_code(runs: list[Run], one: str, other: str) -> None:
    for run in runs[:2]:
        assert (run.results[one], run.results[other]) == (1, 11)


def test_unchanged_sources_are_found_in_the_cache(runs: list[Run]) -> None:
    before, again, _ = runs
    assert before.files
    assert again.files == before.files


def test_compiling_is_announced_only_when_it_happens(runs: list[Run]) -> None:
    before, again, after = runs
    lines = before.stderr.splitlines()
    assert lines.pop(1).startswith("compiling the figures of matches once, about ")  # the same for any game
    assert lines[0].startswith("compiling picks, nought for picks once, about ")
    assert lines[1].startswith("compiling unit for picks once, about ")
    assert len(lines) == 6  # once for each agent that is new
    assert again.stderr == ""
    assert after.stderr.splitlines() == lines


def test_war_agents_of_one_file_do_not_share_machine_code() -> None:
    import facedown as fd

    # won cards go under the pile in another order, so other games follow from the same deals
    descending, ascending = (
        fd.match("war(max_rounds=200)", [agent, "loser_first"], games=40, seed=1, keep=True).batch
        for agent in ("descending", "ascending")
    )
    assert descending is not None and ascending is not None
    assert descending.lengths.tolist() != ascending.lengths.tolist()


Runner = Callable[..., subprocess.CompletedProcess[str]]
ASK = "import near; print(near.report(10))"


@pytest.fixture
def near(tmp_path: Path) -> Path:
    for name, text in CASES["one import away"].items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_switched_off_it_writes_nothing(near: Path, run_python: Runner) -> None:
    home = near / "home"
    home.mkdir()
    done = run_python(ASK, FACEDOWN_CACHE="off", HOME=str(home), XDG_CACHE_HOME=str(home / "cache"), NUMBA_CACHE_DIR=None)
    assert (done.stdout, done.stderr) == ("11\n", "")
    assert list(home.rglob("*")) == []
    assert not list(near.rglob("*.nb?"))


def test_a_directory_that_cannot_be_written_costs_one_sentence(near: Path, run_python: Runner) -> None:
    (near / "taken").write_text("a file, not a directory")
    done = run_python(ASK, FACEDOWN_CACHE=str(near / "taken" / "cache"))
    assert done.stdout == "11\n"
    expected = f"facedown: machine code is not kept: {near / 'taken' / 'cache'} cannot be written (Not a directory)\n"
    assert done.stderr == expected
    assert not list(near.rglob("*.nb?"))


def test_the_default_directory_is_the_users_own(near: Path, run_python: Runner) -> None:
    done = run_python(ASK, FACEDOWN_CACHE=None, HOME=str(near), XDG_CACHE_HOME=str(near / "own"))
    assert (done.stdout, done.stderr) == ("11\n", "")
    assert any(path.suffix == ".nbc" for path in near.rglob("facedown/near-*/**/*"))
