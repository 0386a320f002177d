"""What the program says, as a user sees it: Python prompts, sessions at the terminal, transcripts."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import shlex
import tempfile
import textwrap
from typing import Any

import facedown as fd

WIDTH = 110
_SECONDS = re.compile(r"\b\d+\.\d\d s$", re.MULTILINE)


def python(*statements: str) -> str:
    """What the interpreter answers to these statements; times are left out."""
    names: dict[str, Any] = {}
    lines = []
    for statement in statements:
        lines.append(f">>> {statement}")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            if isinstance(ast.parse(statement).body[0], ast.Expr):
                value = eval(statement, names)
                print(repr(value)) if value is not None else None
            else:
                exec(statement, names)
        lines += output.getvalue().rstrip("\n").splitlines()
    return "\n".join(["```python", _SECONDS.sub("... s", "\n".join(lines)), "```"])


def session(command: str, *lines: str) -> str:
    """What a command prints when somebody types these lines."""
    from typer.testing import CliRunner

    from facedown.cli.main import app

    program, *arguments = shlex.split(command)
    if program != "facedown":
        raise SystemExit(f"a session begins with facedown, not with {program}")
    with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
        result = CliRunner().invoke(app, arguments, input="".join(f"{line}\n" for line in lines))
    if result.exit_code != 0:
        raise SystemExit(f"'{command}' ended with exit code {result.exit_code}: {result.output}")
    shown = "\n".join(_wrapped(line) for line in result.stdout.rstrip().splitlines())
    return f"```text\n$ {command}\n{shown}\n```"


def _wrapped(line: str) -> str:
    """A line as a terminal of this width shows it."""
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(line, WIDTH, subsequent_indent=indent, replace_whitespace=False)


def transcript(game: str, *agents: str) -> str:
    """Game 0 of seed 1, written down."""
    return f"```text\n{str(fd.transcribe(game, list(agents), seed=1)).rstrip()}\n```"
