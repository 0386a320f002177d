"""Machine code in files: each is sealed with a digest, which is checked before anything in the file is looked at.

Numba keeps an index beside its files and unpickles everything as it comes: a torn file ends in a traceback, and a bit that
has flipped in machine code is run. Here a file is one entry, and there is no index: its name follows from the function,
the signature, the processor and all that the function reaches. So two processes that save at the same time cannot put the
code of one under the key of the other, and nothing can vanish between an index and what it points to.

What does not fit its digest is thrown away and compiled again, and one line says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import entrypoints
from numba.core.caching import NullCache
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from facedown.files import seal, unseal, write_whole
from facedown.native.cache import reached
from facedown.native.linked import is_in_a_circle, links, rebuilt

_said: set[str] = set()  # each remark is made once in a process


def _say(words: str) -> None:  # pragma: compiled
    if words not in _said:
        _said.add(words)
        print(f"facedown: {words}", file=sys.stderr, flush=True)


class Kept(NullCache):  # type: ignore[misc]  # pragma: compiled
    """The machine code of one function, for all signatures, as Numba asks for it."""

    def __init__(self, function: Callable[..., Any], directory: Path):
        self._function, self._directory = function, directory
        self._owner = f"{function.__module__}:{function.__qualname__}:{function.__code__.co_firstlineno}"

    def key(self, signature: Any, codegen: Any) -> Any:
        """What the code is made for, and from."""
        return self._owner, signature, codegen.magic_tuple(), reached(self._function), links()

    def path(self, key: Any) -> Path:
        """The file of an entry."""
        return self._directory / f"{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}.nbc"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The code for a signature, or None.

        Numba prepares its whole compiler first, a quarter of a warm start. Code that is there needs only the run-time
        system, and what extensions of Numba bring along.
        """
        rtsys.initialize(context)
        entrypoints.init_all()
        key = self.key(signature, context.codegen())
        path = self.path(key)
        try:
            content = unseal(path.read_bytes(), _place(path))
        except OSError:
            return None
        if content is not None:
            # the digest fits, so this is what was written; if it cannot be used all the same, it is as good as damaged
            with contextlib.suppress(Exception):
                found, reduced = pickle.loads(content)
                return rebuilt(context, reduced) if found == key else None
        _say(f"machine code in {self._directory.parent} is damaged; it is thrown away and compiled again")
        with contextlib.suppress(OSError):  # it may be gone already, or not ours to delete
            path.unlink()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the code for a signature, if it can be; a full disk costs time, not the run."""
        # Numba would keep circles, and they crash the process that loads them
        if result.lifted or result.library.has_dynamic_globals or is_in_a_circle(result.library):
            what = "it holds addresses or large global arrays, or functions that call each other in a circle"
            _say(f"the machine code of {result.fndesc.qualname} is not kept: {what}")
            return
        key = self.key(signature, result.codegen)
        path = self.path(key)
        content = seal(dumps((key, result._reduce())), _place(path))
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)  # pruned meanwhile
            write_whole(path, content)


def _place(path: Path) -> str:  # pragma: compiled
    """Where an entry belongs: a file that was moved to the place of another does not fit there."""
    return f"{path.parent.name}/{path.name}"
