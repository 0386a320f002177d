"""A run of tuning kept in a file, so that it goes on where it was, whatever ended it.

The first line describes the run. Each further line is the answer to a question, with the digest of the question, and a digest
of this line and of all lines before it. Going on means to tell the optimiser all answers again: it asks the same questions,
or the file is refused. Lines are appended, so a crash can only leave the last one torn; it is passed over, and its games are
played again, on the same deals. Answers that no games can give are refused.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facedown.errors import UsageError
from facedown.files import append_synced, digest, place_for, printable
from facedown.pages import facts
from facedown.racing.methods import VERDICTS
from facedown.tuning.questions import Answer, Question

SCHEMA = "facedown.tune-journal/1"
_SYNC_SECONDS = 1.0
"""How often lines are forced to disk; a process that is killed loses none of them, a machine that stops loses those since."""
_FIELDS = {"question": str, "final": bool, "n": int, "total": float, "squares": float, "games": int, "verdict": str}
_VERDICTS = {*VERDICTS.values(), ""}


@dataclass(frozen=True)
class Saved:
    """A line: an answer, the question that it belongs to, and how long the run had taken by then."""

    question: str
    final: bool
    answer: Answer
    seconds: float
    line: int


def digest_of(question: Question) -> str:
    """A question in a few digits."""
    race = question.race
    told = [question.x, question.rivals, question.n_deals, question.luck]
    told += [[race.method, race.epsilon, race.delta]] if race else []
    return digest(json.dumps(told).encode())[:16]


class Journal:
    """An open journal. `saved` holds the answers that were in the file."""

    def __init__(self, path: str | Path, description: dict[str, Any], resume: bool):
        self.path = place_for(path, f"cannot save to '{path}'")
        self._header = json.dumps({"schema": SCHEMA, **description}, sort_keys=True)
        self.saved: list[Saved] = []
        self._synced = time.perf_counter()
        try:
            self._open(resume)
        except OSError as problem:
            raise UsageError(f"{self.path} cannot be read or written: {problem.strerror}; name another file") from None

    def _open(self, resume: bool) -> None:
        exists = self.path.exists()
        if resume and not exists:
            raise UsageError(f"cannot go on from '{self.path}': there is no such file; begin with save instead")
        if exists and not resume:
            raise UsageError(
                f"'{self.path}' exists, and is left alone: go on from it with --resume {self.path}, or name another file"
            )
        if exists:
            self._read(self.path.read_bytes())
        else:
            self._chain = digest(self._header.encode())
            append_synced(self.path, self._header + "\n")

    def _read(self, content: bytes) -> None:
        whole, newline, torn = content.rpartition(b"\n")
        if not newline:
            raise UsageError(f"{self.path} is not a run of tuning, or is cut off in its first line; nothing was changed")
        lines = whole.split(b"\n")
        self._check_header(lines[0])
        self._chain = digest(lines[0])
        for number, line in enumerate(lines[1:], start=2):
            kept, _, found = line.rpartition(b" ")
            chain = digest(self._chain.encode(), kept)
            if chain.encode() != found:
                raise self.damaged(number, "it does not match its digest")
            self._chain = chain
            self.saved.append(self._taken(number, kept))
        if torn:
            with self.path.open("r+b") as stream:
                stream.truncate(len(whole) + 1)

    def _check_header(self, line: bytes) -> None:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise UsageError(f"{self.path} is not a run of tuning that this version wrote ({SCHEMA}); nothing was changed")
        wanted = json.loads(self._header)
        for key in sorted(wanted):
            if found.get(key) != wanted[key]:
                there = printable(json.dumps(found.get(key)))
                raise UsageError(
                    f"{self.path} belongs to another run: its {key} is {there}, not {json.dumps(wanted[key])}; nothing was "
                    f"changed. Ask for that run, or name another file"
                )

    def damaged(self, number: int, why: str) -> UsageError:
        """The error for a line that cannot be believed."""
        return UsageError(
            f"{self.path}, line {number} is damaged or was changed: {why}; nothing was changed. Delete it and what follows to "
            f"go on from the line before, or name another file"
        )

    def _taken(self, number: int, kept: bytes) -> Saved:
        try:
            told = json.loads(kept)
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict) or {*told} != {*_FIELDS, "seconds"}:
            raise self.damaged(number, "it is not an answer")
        for name, kind in _FIELDS.items():
            if type(told[name]) is not kind:
                raise self.damaged(number, f"its {name} is {printable(str(told[name]))[:40]}, which is no {kind.__name__}")
        seconds = told["seconds"]
        before = self.saved[-1].seconds if self.saved else 0.0
        if type(seconds) is not float or not math.isfinite(seconds) or seconds < before:
            raise self.damaged(number, f"its seconds are {printable(str(seconds))[:40]}, after {before}")
        answer = Answer(told["n"], told["total"], told["squares"], told["games"], told["verdict"])
        if why := impossible(answer):
            raise self.damaged(number, why)
        if self.saved and self.saved[-1].final:
            raise self.damaged(number, "it goes on after the last race")
        return Saved(told["question"], told["final"], answer, seconds, number)

    def save(self, question: Question, answer: Answer, seconds: float, final: bool = False) -> None:
        """Write an answer down."""
        told = {
            "question": digest_of(question),
            "final": final,
            **facts(answer, "n total squares games verdict"),
            "seconds": float(seconds),
        }
        kept = json.dumps(told, separators=(",", ":"))
        self._chain = digest(self._chain.encode(), kept.encode())
        try:
            self._append(f"{kept} {self._chain}\n", final)
        except OSError as problem:
            raise UsageError(
                f"{self.path} cannot be written: {problem.strerror}; the run can go on from what it holds"
            ) from None

    def _append(self, line: str, final: bool) -> None:
        now = time.perf_counter()
        if final or now - self._synced >= _SYNC_SECONDS:
            append_synced(self.path, line)
            self._synced = now
        else:
            with self.path.open("ab") as stream:
                stream.write(line.encode())


def impossible(answer: Answer) -> str:
    """Why no games can have given this answer; empty if they can."""
    n, total, squares = answer.n, answer.total, answer.squares
    if not 0 <= n <= answer.games <= 2**62:
        return f"it counts {n} observations in {answer.games} games"
    if not (math.isfinite(total) and math.isfinite(squares)):
        return f"its sums are {total} and {squares}, which are not finite"
    rounding = 1e-9 * max(n, 1)
    if not -rounding <= total <= n + rounding:
        return f"its {n} scores from 0 to 1 sum up to {total}"
    # scores from 0 to 1 are not below their squares, and these have the least sum when all are the same
    if squares > total + rounding or squares < (total * total / n if n else 0.0) - rounding:
        return f"the squares of its {n} scores sum up to {squares}, the scores to {total}"
    if answer.verdict not in _VERDICTS:
        return f"its verdict is {printable(answer.verdict)[:40]}"
    return ""
