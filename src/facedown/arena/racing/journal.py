"""Journals: a race kept on disk, so that it goes on where it was, whatever ended it.

The first line describes the race; each further line is the race after a batch, with a digest. Lines are appended, so a
crash can only leave the last one torn; it is passed over, and the batch is played again.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from facedown.arena.racing.methods import RACE
from facedown.errors import UsageError

SCHEMA = "facedown.race-journal/1"


class Journal:
    """An open journal. `saved` is the race as it was last written, or None for a new one."""

    def __init__(self, path: Path, description: dict[str, Any]):
        self._path = path
        self._header = json.dumps({"schema": SCHEMA, **description, "record": digest(str(RACE.descr).encode())}, sort_keys=True)
        self.saved: np.ndarray[Any, Any] | None = None
        if not path.absolute().parent.is_dir():
            raise UsageError(f"journal {path}: there is no directory '{path.parent}'")
        if path.exists() and path.stat().st_size:
            self._read()
        else:
            self._append(self._header)

    def _read(self) -> None:
        content = self._path.read_bytes()
        whole, _, torn = content.rpartition(b"\n")
        lines = whole.split(b"\n") if whole else []
        if not lines:
            raise UsageError(
                f"journal {self._path} is cut off in its first line: delete it to begin anew, or name another file"
            )
        self._check_header(lines[0])
        for number, line in enumerate(lines[1:], start=2):
            words = line.split(b" ")
            try:
                race = np.frombuffer(bytes.fromhex(words[0].decode()), RACE)
            except ValueError:
                race = np.zeros(0, RACE)
            if len(words) != 2 or len(race) != 1 or digest(words[0]).encode() != words[1]:
                raise UsageError(
                    f"journal {self._path}, line {number} is damaged; nothing was changed. Lines before it are good"
                )
            self.saved = race.copy()
        if torn:  # a crash in the middle of a line: play that batch again, in its place
            with self._path.open("r+b") as stream:
                stream.truncate(len(whole) + 1)

    def _check_header(self, line: bytes) -> None:
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise UsageError(f"{self._path} is not the journal of a race; nothing was changed")
        wanted = json.loads(self._header)
        for key in sorted(wanted):
            if found.get(key) != wanted[key]:
                raise UsageError(
                    f"journal {self._path} belongs to another race: its {key} is {found.get(key)}, not {wanted[key]}; "
                    "nothing was changed. Name another file, or ask for that race"
                )

    def save(self, race: np.ndarray[Any, Any]) -> None:
        """Write the race down; it is on disk when this returns."""
        line = race.tobytes().hex().encode()
        self._append(f"{line.decode()} {digest(line)}")

    def _append(self, line: str) -> None:
        with self._path.open("ab") as stream:
            stream.write(line.encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())


def digest(content: bytes) -> str:
    """Sixteen hexadecimal digits that stand for some bytes."""
    return hashlib.sha256(content).hexdigest()[:16]
