"""Command lines run in this process, in an empty directory."""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from facedown.cli import main as cli


@dataclass
class Outcome:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Outcome]:
    """Run a command line; `typed` is what its user types."""
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
