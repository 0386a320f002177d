"""What all tests share: tests that need the compiler, a hypothesis profile that repeats itself, commands, new processes."""

from __future__ import annotations

import io
import json
import os
import shlex
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
