"""Writing files wholly or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: str | Path, content: str | bytes) -> Path:
    """Write a file so that a reader never sees half of it, whatever happens meanwhile."""
    target = Path(path)
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
