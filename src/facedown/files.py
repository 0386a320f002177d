"""Files that are written wholly or not at all, and believed only when they are whole.

Whatever is kept between runs carries a SHA-256 digest of its content. Damage and careless changes are found by it; who
recomputes it is not, so readers look at the range of what they have read as well.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from facedown.errors import UsageError

_DIGITS = 64
_LONGEST_NAME, _LONGEST_PATH = 255, 4095  # elsewhere more may be possible, but nobody needs it
_CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), 127)}


def user_path(text: str | Path) -> Path:
    """The path that a user has written; `~` is their home. What no file can be called is a sentence."""
    name = os.fspath(text)
    try:
        encoded = os.fsencode(name)
    except UnicodeEncodeError:
        raise UsageError(f"{name!r} cannot be the name of a file: it is not text that can be written down") from None
    if b"\0" in encoded:
        raise UsageError(f"'{printable(name)}' cannot be the name of a file: there is a NUL byte in it; leave it out")
    if len(encoded) > _LONGEST_PATH or max(map(len, encoded.split(b"/"))) > _LONGEST_NAME:
        raise UsageError(
            f"'{name[:40]}...' cannot be the name of a file: it has {len(encoded):,} bytes, and a file's name has at most "
            f"{_LONGEST_NAME}, with its directories {_LONGEST_PATH:,}"
        )
    try:
        return Path(name).expanduser()
    except RuntimeError:
        home = name.partition("/")[0]
        raise UsageError(f"'{name}': there is no home directory {home} here; write the whole path") from None


def place_for(file: str | Path, asked: str) -> Path:
    """The path of a file that will be written: refused before the work begins if it cannot lie there.

    `asked` begins the sentence, as in "cannot save to 'x.npz'" or "--out x.html".
    """
    path = user_path(file)
    try:
        has_directory, is_directory = path.absolute().parent.is_dir(), path.is_dir()
    except OSError as problem:
        raise UsageError(f"{asked}: {problem.strerror}; name another file") from None
    if not has_directory:
        raise UsageError(f"{asked}: there is no directory '{path.parent}'")
    if is_directory:
        raise UsageError(f"{asked}: that is a directory; name a file")
    return path


def printable(text: str) -> str:
    """A text that may be shown: control characters are spelt out."""
    return text.translate(_CONTROL)


def write_whole(path: str | Path, content: str | bytes) -> Path:
    """Write a file so that a reader never sees half of it, whatever happens meanwhile."""
    target = user_path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
        temporary.chmod(0o644)  # mkstemp makes files that only their owner can read
        return temporary.replace(target)
    except BaseException:
        temporary.unlink()
        raise


def append_synced(path: Path, content: str, sync: bool = True) -> None:
    """Add to the end of a file; it is on disk when this returns. Without `sync` it outlives this process, not the machine."""
    with path.open("ab") as stream:
        stream.write(content.encode())
        if sync:
            stream.flush()
            os.fsync(stream.fileno())


class Claim:
    """A file that one session at a time may go on with. It ends with its process, however that ends."""

    def __init__(self, path: Path):
        self._handle = os.open(path, os.O_RDONLY)
        try:
            import fcntl
        except ImportError:  # no such locks on this system: nobody is kept out
            return
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.release()
            raise UsageError(f"{path} is open in another session; close that one first, or name another file") from None

    def release(self) -> None:
        """Let others have it."""
        if self._handle >= 0:
            os.close(self._handle)
        self._handle = -1

    def __enter__(self) -> None:
        """Keep others out for a while."""

    def __exit__(self, *problem: object) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()


# --- digests --------------------------------------------------------------------------------------------------------------


def digest(*parts: bytes) -> str:
    """The SHA-256 of parts and of where each ends, in hexadecimal digits."""
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "little"))
        found.update(part)
    return found.hexdigest()


def digest_of_arrays(arrays: Mapping[str, Any]) -> str:
    """The digest of NumPy arrays: names, types, shapes and bytes, in the order of the names."""
    parts: list[bytes] = []
    for name in sorted(arrays):
        array = arrays[name]
        parts += [name.encode(), repr((array.dtype.descr, array.shape)).encode(), digest(array.tobytes()).encode()]
    return digest(*parts)


def seal(content: bytes, owner: str) -> bytes:
    """Content with its digest in front. The owner's name is part of it: what was sealed for one is broken for another."""
    return digest(owner.encode(), content).encode() + b"\n" + content


def unseal(sealed: bytes, owner: str) -> bytes | None:
    """The content, or None where it is not what was sealed."""
    found, content = sealed[: _DIGITS + 1], sealed[_DIGITS + 1 :]
    return content if found == digest(owner.encode(), content).encode() + b"\n" else None
