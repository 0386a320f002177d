"""Libraries that only some methods need: imported when they are used, with a sentence where they are missing."""

from __future__ import annotations

import importlib
from typing import Any

from facedown.errors import UsageError


def needed(module: str, method: str) -> Any:
    """A library of the extra `tune`."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UsageError(
            f"method {method} needs the package '{module}', which is not installed: pip install 'facedown[tune]'; "
            f"spsa and the evolutionary methods need nothing more"
        ) from None
