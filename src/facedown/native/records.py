"""Records: what a game's state, a view or a memory is made of.

A field carries its meaning and its range in the title that NumPy gives every field of a structured type, so the
record type alone is enough to document it and to check it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

Record = np.record
Shape = int | tuple[int, ...]
_TITLE = re.compile(r"^(-?\d+)\.\.(-?\d+): (.*)$", re.DOTALL)


class Field(NamedTuple):
    """One field of a record type, as declared with `field`."""

    name: str
    kind: np.dtype[Any]
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str


def field(name: str, kind: Any, low: int, high: int, meaning: str, shape: Shape = ()) -> Field:
    """Declare a field: its name, its NumPy type, the smallest and largest value it ever holds, and what it means.

    The meaning says which value stands for "empty".
    """
    if hasattr(np.record, name):
        # uncompiled code would read NumPy's attribute of that name instead of the field
        raise ValueError(f"a field cannot be called '{name}': np.record has an attribute of that name; rename it")
    kind = np.dtype(kind)
    if kind.kind in "iu" and not (np.iinfo(kind).min <= low <= high <= np.iinfo(kind).max):
        raise ValueError(f"field '{name}': the range {low}..{high} does not fit into {kind}")
    return Field(name, kind, (shape,) if isinstance(shape, int) else tuple(shape), low, high, meaning)


def record(*fields: Field) -> np.dtype[Any]:
    """The record type with these fields, in this order.

    >>> record(field("pot", np.int16, 0, 99, "chips on the table; 0 before the ante")).names
    ('pot',)
    """
    for index, one in enumerate(fields):
        for other in fields[:index]:
            if one.name == other.name:
                raise ValueError(f"field '{one.name}' is declared twice")
            if one[3:] == other[3:]:  # NumPy takes titles for names
                raise ValueError(f"fields '{other.name}' and '{one.name}' have the same range and meaning; say how they differ")
    columns = [((f"{f.low}..{f.high}: {f.meaning}", f.name), f.kind, f.shape) for f in fields]
    return np.dtype((np.record, columns))


def fields_of(kind: np.dtype[Any]) -> Iterator[Field]:
    """The declared fields of a record type, in order. Fields without a declared range are passed over."""
    for name in kind.names or ():
        column: Any = kind.fields[name]  # type: ignore[index]
        match = _TITLE.match(column[2]) if len(column) > 2 else None
        if match:
            base = column[0].base
            yield Field(name, base, column[0].shape, int(match[1]), int(match[2]), match[3])


def out_of_range(kind: np.dtype[Any], value: Any) -> str | None:
    """A sentence on the first field of a record that is outside its declared range, or None."""
    for f in fields_of(kind):
        content = np.asarray(value[f.name])
        low, high = (content.min(), content.max()) if content.size else (f.low, f.high)
        if not (low >= f.low and high <= f.high):  # put this way, nan is outside too
            worst = high if low >= f.low else low
            return f"'{f.name}' holds {worst}, declared {f.low}..{f.high} ({f.meaning})"
    return None


CACHE_LINE = 64


def blank(kind: Any, count: int = 1) -> np.ndarray[Any, Any]:
    """An array of zeroed records, or numbers, that begins with a cache line; index it to get the records themselves.

    A record across two lines costs a tenth of the speed of short games, and NumPy puts small arrays anywhere.
    """
    kind = np.dtype(kind)
    room = np.zeros(count * kind.itemsize + CACHE_LINE, np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    return room[start : start + count * kind.itemsize].view(kind)
