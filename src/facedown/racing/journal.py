"""Journals: a race kept on disk, so that it goes on where it was, whatever ended it.

The first line describes the race; each further line is the race after a batch, with a digest of this line and of all lines
before it. Lines are appended, so a crash can only leave the last one torn; it is passed over, and the batch is played
again. Anything else that does not fit is refused, and so are numbers that no race can come to.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from facedown.errors import UsageError
from facedown.files import append_synced, digest, place_for, printable
from facedown.native.records import Record
from facedown.racing.methods import RACE, UNDECIDED, VERDICTS

SCHEMA = "facedown.race-journal/2"

# what scores change in a race; the rest stays as it was at the start
_CHANGES = {
    *("n_scores", "total", "squares", "test", "next_test", "lower", "upper"),
    *("proofs", "stakes", "naming_stakes", "wealth_above", "wealth_below", "wealth_first", "wealth_second", "verdict"),
}
_MAX_SCORES = 2**62


class Journal:
    """An open journal. `saved` is the race as it was last written, or None for a new one.

    start  the race before its first game, an array of one record
    """

    def __init__(self, path: str | Path, description: dict[str, Any], start: np.ndarray[Any, Any]):
        self._path, self._start = place_for(path, f"journal {path}"), start
        record = digest(str(RACE.descr).encode())
        self._header = json.dumps({"schema": SCHEMA, **description, "record": record}, sort_keys=True)
        self.saved: np.ndarray[Any, Any] | None = None
        try:
            content = self._path.read_bytes() if self._path.exists() else b""
            if content:
                self._read(content)
            else:
                self._chain = digest(self._header.encode())
                self._append(self._header)
        except OSError as problem:
            raise UsageError(f"journal {self._path} cannot be read: {problem.strerror}; name another file") from None

    def _read(self, content: bytes) -> None:
        whole, _, torn = content.rpartition(b"\n")
        lines = whole.split(b"\n") if whole else []
        if not lines:
            raise UsageError(
                f"journal {self._path} is cut off in its first line: delete it to begin anew, or name another file"
            )
        self._check_header(lines[0])
        self._chain = digest(lines[0])
        for number, line in enumerate(lines[1:], start=2):
            kept, _, found = line.partition(b" ")
            chain = digest(self._chain.encode(), kept)
            if chain.encode() != found:
                raise self._damaged(number, "it does not match its digest")
            self._chain = chain
            self._take(number, kept)
        if torn:  # a crash in the middle of a line: play that batch again, in its place
            with self._path.open("r+b") as stream:
                stream.truncate(len(whole) + 1)

    def _damaged(self, number: int, why: str) -> UsageError:
        return UsageError(
            f"journal {self._path}, line {number} is damaged or was changed: {why}; nothing was changed. Delete it and what "
            f"follows to go on from the line before, or name another file"
        )

    def _take(self, number: int, kept: bytes) -> None:
        """Take over the race in a line, if it can be one."""
        try:
            race = np.frombuffer(bytes.fromhex(kept.decode()), RACE)
        except ValueError:
            race = np.zeros(0, RACE)
        if len(race) != 1:
            raise self._damaged(number, f"it is not a record of {RACE.itemsize} bytes")
        before = self._start if self.saved is None else self.saved
        if why := impossible(race[0], self._start[0], before[0]):
            raise self._damaged(number, why)
        self.saved = race.copy()

    def _check_header(self, line: bytes) -> None:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise UsageError(f"{self._path} is not the journal of a race; nothing was changed")
        wanted = json.loads(self._header)
        # partners are written down only where there are some
        for key in sorted({*wanted, *found}):
            if found.get(key) != wanted.get(key):
                there = printable(str(found.get(key)))
                raise UsageError(
                    f"journal {self._path} belongs to another race: its {printable(key)} is {there}, not {wanted.get(key)}; "
                    "nothing was changed. Name another file, or ask for that race"
                )

    def save(self, race: np.ndarray[Any, Any]) -> None:
        """Write the race down; it is on disk when this returns."""
        kept = race.tobytes().hex()
        self._chain = digest(self._chain.encode(), kept.encode())
        self._append(f"{kept} {self._chain}")

    def _append(self, line: str) -> None:
        try:
            append_synced(self._path, line + "\n")
        except OSError as problem:
            raise UsageError(
                f"journal {self._path} cannot be written: {problem.strerror}; the race can go on from what it holds"
            ) from None


def impossible(race: Record, start: Record, before: Record) -> str:
    """Why scores cannot have made this race from an earlier one; empty if they can."""
    for name in RACE.names or ():
        if name not in _CHANGES and not np.array_equal(race[name], start[name]):
            return f"its {name} is {race[name]}, and not {start[name]} as at the beginning"
        if not np.isfinite(race[name]).all():
            return f"its {name} is {race[name]}, which is not finite"
        if np.any(race[name] < 0):
            return f"its {name} is {race[name]}, below 0"
    n, total, squares = int(race.n_scores), float(race.total), float(race.squares)
    if not before.n_scores < n <= _MAX_SCORES:
        return f"it has {n} scores, but follows on {before.n_scores}"
    if before.verdict != UNDECIDED:
        return "it goes on after the verdict"
    if int(race.verdict) not in VERDICTS:
        return f"its verdict is {race.verdict}, and there are 0 to {max(VERDICTS)}"
    rounding = 1e-9 * n
    if not (before.total - rounding <= total <= before.total + (n - before.n_scores) + rounding):
        return f"its scores from 0 to 1 sum up to {total}, after {before.total} by {n - before.n_scores} scores less"
    # scores from 0 to 1 are not below their squares, and these have the least sum when all are the same
    if squares > total + rounding or squares < total * total / n - rounding or squares < before.squares - rounding:
        return f"the squares of its {n} scores sum up to {squares}, the scores to {total}"
    if race.lower > 1.0 or race.upper > 1.0 or not math.isfinite(total):
        return f"its bounds are {race.lower} and {race.upper}, and should be from 0 to 1"
    return ""
