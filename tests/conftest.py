"""What all tests share: tests that need the compiler, a hypothesis profile that repeats itself, commands, new processes."""

from __future__ import annotations

import gc
import io
import itertools
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import hypothesis
import pytest

from facedown.cli import main as cli
from facedown.native.jit import COMPILED

sys.path.insert(0, str(Path(__file__).parent))  # the slow twins are imported as `naive`

# the same examples in every run: a failure in one place is a failure everywhere
hypothesis.settings.register_profile("facedown", derandomize=True, deadline=None, database=None, print_blob=False)
hypothesis.settings.load_profile("facedown")

Run = Callable[..., subprocess.CompletedProcess[str]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without the compiler, tests of the compiler have nothing to test."""
    if COMPILED:
        return
    skip = pytest.mark.skip(reason="needs the compiler")
    for item in items:
        if item.get_closest_marker("compiled"):
            item.add_marker(skip)


def pytest_collection_finish() -> None:
    """From here on no bytecode is written: what a test writes twice within a second would be taken for what it wrote first."""
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


@pytest.fixture(autouse=True, scope="module")
def what_stays_is_not_searched_for_garbage() -> None:
    """The compiler keeps millions of objects; tests that collect garbage, and Python now and then, would walk them all."""
    gc.collect()
    gc.freeze()


class Outcome(NamedTuple):
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Outcome]:
    """Run a command line in this process, in the directory of the test; `typed` is what its user types."""
    monkeypatch.chdir(tmp_path)

    def run_line(line: str | list[str], typed: str = "") -> Outcome:
        words = shlex.split(line) if isinstance(line, str) else line
        monkeypatch.setattr(sys, "argv", ["facedown", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            cli.main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run_line


@pytest.fixture
def run_python(tmp_path: Path) -> Run:
    """Run a program in a new process, in the directory of the test; variables set to None are taken away."""

    def run(program: str, *arguments: str, **variables: str | None) -> subprocess.CompletedProcess[str]:
        surroundings = dict(os.environ)
        for name, value in variables.items():
            surroundings.pop(name, None)
            if value is not None:
                surroundings[name] = value
        command = [sys.executable, "-c", program, *arguments]
        return subprocess.run(command, cwd=tmp_path, env=surroundings, capture_output=True, text=True, timeout=300)

    return run


PLAYING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started in the background ignores it
from facedown.arena.workers import Workers
from facedown.cli.main import main

run, n_taken = Workers.run, [0]

def run_and_tell(self, function, tasks, take, here=None):
    def take_and_tell(found):
        take(found)
        n_taken[0] += 1
        if n_taken[0] == 10:
            print("playing", file=sys.stderr, flush=True)
    run(self, function, tasks, take_and_tell, here)

Workers.run = run_and_tell
main()
"""


@pytest.fixture
def interrupt(tmp_path: Path) -> Callable[[str], Outcome]:
    """Run a command line in a new process, and press Ctrl-C when some of its games have been played."""

    def run_until_it_plays(line: str) -> Outcome:
        command = [sys.executable, "-c", PLAYING, *shlex.split(line)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
            try:
                assert process.stderr is not None
                said = list(itertools.takewhile(lambda words: words != "playing\n", process.stderr))
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=120)
            finally:
                process.kill()
        return Outcome(process.returncode, out, "".join(said) + err)

    return run_until_it_plays


@pytest.fixture
def clean_imports() -> Iterator[None]:
    """Forget modules and search paths that a test adds: files of the same name follow in other tests."""
    modules, search = set(sys.modules), list(sys.path)
    yield
    for name in set(sys.modules) - modules:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if "pytest-" in file:  # a file of the test itself, in its temporary directory
            del sys.modules[name]
    sys.path[:] = search
