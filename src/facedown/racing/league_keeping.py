"""A league kept in a file, so that it goes on where it was, whatever ended it.

The file holds all that the deals played so far have come to, and is written whole, with a digest in front that names the league
too. What does not fit it is passed over: a league that begins anew with its seed comes to the same figures.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from facedown.files import place_for, seal, unseal, write_whole

Array = np.ndarray[Any, Any]
Arrays = Mapping[str, Array]
SCHEMA = "facedown.league-file/1"
EVERY = 1.0
"""Seconds between two times that it is written."""


class Keeper:
    """The file of one league, which is named by all that its figures depend on."""

    def __init__(self, path: str | Path, owner: str):
        self._path, self._owner = place_for(path, f"keep {path}"), f"{SCHEMA} {owner}"
        self._written = time.monotonic()

    def read(self) -> Arrays:
        """What was kept of this very league; nothing where there is nothing of it."""
        try:
            content = unseal(self._path.read_bytes(), self._owner)
            if content is None:
                return {}
            with np.load(io.BytesIO(content), allow_pickle=False) as kept:
                return dict(kept)
        except (OSError, ValueError, EOFError, BadZipFile):
            return {}

    def write(self, arrays: Callable[[], Arrays], now: bool = False) -> None:
        """Keep what there is, if it is time to."""
        if now or time.monotonic() - self._written >= EVERY:
            content = io.BytesIO()
            np.savez(content, **arrays())  # type: ignore[arg-type]
            write_whole(self._path, seal(content.getvalue(), self._owner))
            self._written = time.monotonic()
