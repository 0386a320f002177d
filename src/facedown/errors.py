"""The errors that Facedown raises on purpose: each is one sentence a user can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class FacedownError(Exception):
    """Something could not be done; the message says what, where and what to do next. Exit code 1."""

    exit_code = 1


class UsageError(FacedownError, ValueError):
    """The request itself is wrong: an unknown name, a value out of bounds. Exit code 2."""

    exit_code = 2


class CompileError(FacedownError):
    """A function of a game or an agent cannot be turned into native code."""


class RulesError(FacedownError):
    """A game's rules did something that they must not do."""


class AgentError(FacedownError):
    """An agent did something that it must not do, such as an illegal move."""


class TranscriptError(UsageError):
    """A transcript cannot be read or does not replay."""


class Interrupted(KeyboardInterrupt):
    """The user stopped the work; `result` holds what was finished by then, or None."""

    exit_code = 130

    def __init__(self, message: str, result: Any = None):
        super().__init__(message)
        self.result = result


def unknown(kind: str, name: str, known: Iterable[str], hint: str = "") -> UsageError:
    """The error for a name that nobody knows: the nearest known one, then the whole list."""
    names = sorted(known)
    plain = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name.lower(), plain, n=1, cutoff=0.5)
    guess = f" Did you mean '{plain[near[0]]}'?" if near else ""
    listing = f" Known: {', '.join(names)}." if names else " None is known."
    return UsageError(f"unknown {kind} '{name}'.{guess}{listing}{' ' + hint if hint else ''}")
