"""What the conformance suite has found: a list of named checks, each with a sentence."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any, Literal

from facedown.pages import facts

Status = Literal["passed", "failed", "skipped"]

WIDTH = 118


class Failure(Exception):  # noqa: N818 - not an error of the program, but a finding about a game
    """A check has found a fault: what, where, what was expected instead, and what to do about it."""

    def __init__(self, found: str, *, expected: str, remedy: str, where: str = ""):
        self.found, self.where, self.expected, self.remedy = found, where, expected, remedy
        super().__init__(self.sentence)

    @property
    def sentence(self) -> str:
        """All of it in words."""
        place = f" in {self.where}" if self.where else ""
        return f"{self.found}{place}. Expected: {self.expected}. What to do: {self.remedy}."


class Skip(Exception):  # noqa: N818 - the same
    """A check does not apply; the message says why."""


@dataclass(frozen=True)
class Check:
    """One check and what came of it."""

    name: str
    status: Status
    sentence: str
    seconds: float
    found: str = ""
    where: str = ""
    expected: str = ""
    remedy: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it; what was found, where, what was expected and what to do only where it failed."""
        return facts(self, "name status sentence seconds" + " found where expected remedy" * (self.status == "failed"))


@dataclass(frozen=True, repr=False)
class Report:
    """The outcome of the conformance suite for one game."""

    game: str
    checks: tuple[Check, ...]
    games: int
    seed: int
    nodes: int
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether no check failed."""
        return not self.failed

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the checks that failed."""
        return tuple(check.name for check in self.checks if check.status == "failed")

    def __getitem__(self, name: str) -> Check:
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(f"there is no check '{name}'; there are {', '.join(check.name for check in self.checks)}")

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {"schema": "facedown.check/1", **facts(self, "game ok games seed nodes checks seconds")}

    def __repr__(self) -> str:
        numbers = {status: sum(check.status == status for check in self.checks) for status in ("passed", "failed", "skipped")}
        summary = ", ".join(f"{count} {status}" for status, count in numbers.items() if count or status != "skipped")
        lines = [f"{self.game}: {summary} ({self.games} games, seed {self.seed}, {self.seconds:.1f} s)"]
        widest = max(len(check.name) for check in self.checks)
        for check in self.checks:
            status = "FAILED" if check.status == "failed" else check.status
            head = f"  {status:<8} {check.name:<{widest}}  "
            lines += textwrap.wrap(check.sentence, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))
        return "\n".join(lines)
