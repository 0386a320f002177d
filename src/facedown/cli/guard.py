"""Errors at the border between the program and its user: one sentence on stderr and an exit code, never a traceback."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec

import typer

from facedown.errors import FacedownError, Interrupted

Arguments = ParamSpec("Arguments")


def guarded(command: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """A command that turns errors meant for the user into words."""

    @functools.wraps(command)
    def run(*arguments: Arguments.args, **options: Arguments.kwargs) -> None:
        try:
            command(*arguments, **options)
            sys.stdout.flush()
        except FacedownError as problem:
            print(f"facedown: {problem}", file=sys.stderr)
            raise typer.Exit(problem.exit_code) from None
        except (Interrupted, KeyboardInterrupt) as stop:
            print(f"facedown: {str(stop) or 'interrupted'}", file=sys.stderr)  # an empty one is not false
            raise typer.Exit(Interrupted.exit_code) from None
        except BrokenPipeError:  # the reader of a pipe has gone, as in `facedown games | head -1`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(1) from None

    return run
