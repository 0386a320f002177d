"""What several listeners have heard of a move alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import HIDDEN, UNNOTICED
from facedown.native.jit import native_inline


@native_inline
def heard_by_both(one: Any, other: Any) -> Any:
    """What two listeners have heard alike: the action, only that somebody has moved, or nothing."""
    heard = one if one == other else np.int64(HIDDEN)
    return np.int64(UNNOTICED) if min(one, other) == UNNOTICED else heard
