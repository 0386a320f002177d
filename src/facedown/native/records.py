"""Records: what a game's state, a view or a memory is made of.

A field carries its meaning and its range in the title that NumPy gives every field of a structured type, so the
record type alone is enough to document it and to check it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

Shape = int | tuple[int, ...]
_TITLE = re.compile(r"^(-?\d+)\.\.(-?\d+): (.*)$", re.DOTALL)


if TYPE_CHECKING:
    Record = np.record
else:

    class Record(np.void):
        """A record whose fields are its attributes, like `np.record`, but found in a third of the time.

        Rules that run as plain Python, as in the conformance suite, do little else than look up fields.
        """

        __slots__ = ()

        def __getattr__(self, name):
            try:
                found = self[name]
            except (ValueError, IndexError):  # no such field, no fields at all
                raise AttributeError(f"'record' object has no attribute '{name}'") from None
            if type(found) is np.void:  # a record in this one, declared without a kind of its own
                return found.view((Record, found.dtype))
            return found

        def __setattr__(self, name, value):
            try:
                self[name] = value
            except (ValueError, IndexError):
                if name in (self.dtype.names or ()):
                    raise
                raise AttributeError(f"'record' object has no attribute '{name}'") from None


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
    return np.dtype((Record, columns))


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


# --- what a view shares with the state ---------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def shared_fields(source: np.dtype[Any], target: np.dtype[Any]) -> tuple[str, ...]:
    """The names of the fields that two record types declare alike: name, type, shape, range and meaning."""
    declared = set(fields_of(target))
    return tuple(f.name for f in fields_of(source) if f in declared)


@lru_cache(maxsize=256)
def only_fields(kind: np.dtype[Any], names: tuple[str, ...]) -> np.dtype[Any]:
    """A record type with these fields of another, declared alike; what is left out does not exist for whoever is given it."""
    kept = [f for f in fields_of(kind) if f.name in names]
    columns: list[Any] = [((f"{f.low}..{f.high}: {f.meaning}", f.name), f.kind, f.shape) for f in kept]
    # with other offsets, or Numba would take the longer record for a kind of the shorter one where fields begin alike
    return np.dtype((Record, [("shortened", np.int64), *columns]))


def copy_shared(source: Record, target: Record) -> None:
    """Copy all fields that both records declare alike, in native code and as plain Python; a meaning of its own keeps one out.

    What a view has to hide, or to show otherwise, is declared with other words than in the state, or written afterwards.
    """
    for name in shared_fields(source.dtype, target.dtype):
        target[name] = source[name]


@type_callable(copy_shared)  # type: ignore[untyped-decorator]
def _type_copy_shared(context: Any) -> Any:
    def result(source: Any, target: Any) -> Any:
        return types.none if isinstance(source, types.Record) and isinstance(target, types.Record) else None

    return result


@lower_builtin(copy_shared, types.Record, types.Record)  # type: ignore[untyped-decorator]
def _generate_copy_shared(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # pragma: compiled
    for source_at, target_at, size in _runs(*(kind.dtype for kind in signature.args)):
        source, target = cgutils.pointer_add(builder, values[0], source_at), cgutils.pointer_add(builder, values[1], target_at)
        cgutils.raw_memcpy(builder, target, source, cgutils.intp_t(size), 1)
    return context.get_dummy_value()


def _runs(source: np.dtype[Any], target: np.dtype[Any]) -> list[tuple[int, int, int]]:  # pragma: compiled
    """Where shared fields lie in both records, in bytes, and their size; neighbours in both are one run."""
    runs: list[tuple[int, int, int]] = []
    for name in shared_fields(source, target):
        here, there, size = source.fields[name][1], target.fields[name][1], source[name].itemsize  # type: ignore[index]
        before = runs[-1] if runs else (-1, -1, 0)
        if (here, there) == (before[0] + before[2], before[1] + before[2]):
            here, there, size = before[0], before[1], before[2] + size
            runs.pop()
        runs.append((here, there, size))
    return runs


def copy_field(source: Record, target: Record, name: str) -> None:
    """Copy one field of the same name, type and shape, whatever it is declared to mean; `name` is written out at the call."""
    target[name] = source[name]


@type_callable(copy_field)  # type: ignore[untyped-decorator]
def _type_copy_field(context: Any) -> Any:
    def result(source: Any, target: Any, name: Any) -> Any:
        if not (
            isinstance(source, types.Record) and isinstance(target, types.Record) and isinstance(name, types.StringLiteral)
        ):
            return None
        kinds = [record.fields.get(name.literal_value) for record in (source, target)]
        return types.none if kinds[0] and kinds[1] and kinds[0].type == kinds[1].type else None

    return result


@lower_builtin(copy_field, types.Record, types.Record, types.StringLiteral)  # type: ignore[untyped-decorator]
def _generate_copy_field(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # pragma: compiled
    name = signature.args[2].literal_value
    places = [kind.fields[name].offset for kind in signature.args[:2]]
    source, target = (cgutils.pointer_add(builder, *place) for place in zip(values, places, strict=False))
    size = signature.args[0].dtype[name].itemsize
    cgutils.raw_memcpy(builder, target, source, cgutils.intp_t(size), 1)
    return context.get_dummy_value()


CACHE_LINE = 64


def blank(kind: Any, count: int = 1) -> np.ndarray[Any, Any]:
    """An array of zeroed records, or numbers, that begins with a cache line; index it to get the records themselves.

    A record across two lines costs a tenth of the speed of short games, and NumPy puts small arrays anywhere.
    """
    kind = np.dtype(kind)
    room = np.zeros(count * kind.itemsize + CACHE_LINE, np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    return room[start : start + count * kind.itemsize].view(kind)
