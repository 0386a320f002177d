"""A lens: a view that lies over the state, and of which only what a player sees otherwise is made.

To fill in a large view costs more than a quick agent takes to decide: the copy has to wait until what the last move has
written is in memory, and the agent then reads three numbers of it. A lens is a record type with the fields of the view.
Those that state and view declare alike lie where the state has them, all others behind it; what is hidden has no name in
it. `observe` fills in a lens as it would a view, and what it copies is in its place already.

Plain Python knows no lenses; there the view is filled in.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np
from numba.extending import intrinsic

from facedown.native.jit import COMPILED
from facedown.native.records import Record, copy_field, copy_shared, fields_of, shared_fields

ROOM = 2
"""The fields that lie behind the state begin after this many states, and take the room of one more at most."""


def lens_type(observe: Callable[..., Any], state: np.dtype[Any], view: np.dtype[Any]) -> np.dtype[Any] | None:
    """The type of lenses on a state, or None if `observe` may write to what lies in the state.

    It does not if it calls `copy_shared`, if nothing in its code has the name of a field that is copied, and if it hands its
    view to nobody else.
    """
    python = getattr(observe, "py_func", observe)
    code = python.__code__
    called = {python.__globals__[name] for name in code.co_names if callable(python.__globals__.get(name))}
    if code.co_freevars or copy_shared not in called or not called <= {copy_shared, copy_field}:
        return None
    if any(isinstance(constant, CodeType) for constant in code.co_consts):
        return None
    mentioned = {*code.co_names, *(constant for constant in code.co_consts if isinstance(constant, str))}
    copied = set(shared_fields(state, view)) - mentioned
    end, columns = ROOM * state.itemsize, []
    for f in fields_of(view):
        place: int = state.fields[f.name][1] if f.name in copied else end  # type: ignore[index]
        kind = np.dtype((f.kind, f.shape))
        end += 0 if f.name in copied else kind.itemsize
        columns.append((f.name, kind, place, f"{f.low}..{f.high}: {f.meaning}"))
    if end > (ROOM + 1) * state.itemsize or len(columns) < len(view.names or ()):
        return None
    names, kinds, places, titles = (list(column) for column in zip(*columns, strict=True))
    size = (ROOM + 1) * state.itemsize
    layout: Any = {"names": names, "formats": kinds, "offsets": places, "titles": titles, "itemsize": size}
    return np.dtype((Record, np.dtype(layout)))


@intrinsic  # type: ignore[untyped-decorator]  # pragma: compiled
def laid_over(typing_context: Any, state: Any, lens: Any) -> Any:
    """A lens on a state. The second argument only tells its type: nobody looks at what is there."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(values[0], context.get_value_type(lens))

    return lens(state, lens), generate


def _view_like(state: Record, view: Record) -> Record:
    return np.zeros(1, view.dtype)[0]  # type: ignore[no-any-return]


if not COMPILED:
    laid_over = _view_like
