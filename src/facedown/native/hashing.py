"""Records as bytes, a hash of bytes, and a table that finds rows by it: how information sets are told apart in native code.

The table is open addressing with linear probing. A slot is one integer: 31 bits of the hash (the tag), and the row's
number plus 1; 0 is an empty slot. Where the tag fits, the row itself is compared, so two rows are never taken for one.
A larger table can be filled from the slots alone, since tags say where they go.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from facedown.native.chance import mix
from facedown.native.jit import COMPILED, native, native_inline
from facedown.native.records import Record

FREE = -1
"""What `find` returns for a row that is not there lies at or below this: -1 - (the slot where it would go)."""

_U = np.uint64
_START = _U(0x9E3779B97F4A7C15)
_LOW_32 = 0xFFFFFFFF


@intrinsic  # type: ignore[untyped-decorator]  # pragma: compiled
def _pointer_to(typing_context: Any, record: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(values[0], context.get_value_type(types.voidptr))

    return types.voidptr(record), generate


@intrinsic  # type: ignore[untyped-decorator]  # pragma: compiled
def _size_of(typing_context: Any, record: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return context.get_constant(types.intp, signature.args[0].size)

    return types.intp(record), generate


@intrinsic  # type: ignore[untyped-decorator]  # pragma: compiled
def _load_word(typing_context: Any, data: Any, at: Any) -> Any:
    """Eight bytes from anywhere in an array of bytes: rows of tables begin at any address."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, values[0])
        place = builder.gep(array.data, [values[1]])
        return builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(data, types.int64), generate


if COMPILED:

    @native_inline
    def bytes_of(record: Record) -> Any:
        """The bytes of a record, as uint8. Someone else must keep the record alive."""
        return numba.carray(_pointer_to(record), _size_of(record), np.uint8)

    @native_inline
    def word_at(data: Any, at: int) -> Any:
        """The eight bytes from `at` on as a number, the lowest first; `data` is contiguous."""
        return _load_word(data, np.int64(at))

    @native
    def same_bytes(one: Any, other: Any) -> bool:
        """Whether two contiguous arrays of bytes, of the same length, hold the same."""
        n = len(one)
        at = 0
        while at + 8 <= n:
            if word_at(one, at) != word_at(other, at):
                return False
            at += 8
        while at < n:
            if one[at] != other[at]:
                return False
            at += 1
        return True

else:

    def bytes_of(record: Record) -> Any:
        """The bytes of a record, as uint8. Someone else must keep the record alive."""
        return np.frombuffer(record, np.uint8)

    def word_at(data: Any, at: int) -> Any:
        """The eight bytes from `at` on as a number, the lowest first; `data` is contiguous."""
        return _U(int.from_bytes(data[at : at + 8].tobytes(), "little"))

    def same_bytes(one: Any, other: Any) -> bool:
        """Whether two contiguous arrays of bytes, of the same length, hold the same."""
        return bool(one.tobytes() == other.tobytes())


@native
def hash_bytes(data: Any) -> Any:
    """64 bits for any number of bytes, eight at a time; different enough for a table, so compare the bytes as well."""
    n = len(data)
    found = mix(_START + _U(n))
    at = 0
    while at + 8 <= n:
        found = mix(found ^ word_at(data, at)) + _START
        at += 8
    word = _U(0)
    for byte in range(n - at):
        word |= _U(data[at + byte]) << _U(8 * byte)
    return mix(found ^ word)


@native_inline
def tag_of(hashed: Any) -> Any:
    """The part of a hash that a slot keeps: 31 bits, so that slots are never negative."""
    return np.int64(hashed >> _U(33))


@native_inline
def seek(slots: Any, tag: Any, start: Any) -> Any:
    """The first slot, from `start` on and round the end, that has this tag or is empty: its place, and its row or -1."""
    mask = _U(len(slots) - 1)
    at = _U(start) & mask
    while slots[at] != 0 and slots[at] >> 32 != tag:
        at = (at + _U(1)) & mask
    return np.int64(at), np.int64(slots[at] & _LOW_32) - 1


@native
def find(slots: Any, rows: Any, row: Any, tag: int) -> int:
    """The number of the row that is the same as `row`, byte for byte, or -1 - (the free slot where it belongs).

    Whoever compares rows in another way writes these lines with another comparison.
    """
    at, index = seek(slots, tag, tag)
    while index >= 0 and not same_bytes(rows[index], row):
        at, index = seek(slots, tag, at + 1)
    return index if index >= 0 else -1 - at  # type: ignore[no-any-return]


@native_inline
def slot_with(tag: Any, index: Any) -> Any:
    """What a slot holds: the tag, so that other rows are mostly told apart without looking, and the row's number + 1."""
    return (tag << 32) | (index + 1)


@native_inline
def fill(slots: Any, free: Any, tag: Any, index: Any) -> None:
    """Put row number `index` into the free slot that `find` answered with."""
    slots[-1 - free] = slot_with(tag, index)


@native_inline
def enter(slots: Any, slot: Any) -> None:
    """Put in what `slot_with` made, for a row that is not there yet."""
    mask = len(slots) - 1
    at = (slot >> 32) & mask
    while slots[at] != 0:
        at = (at + 1) & mask
    slots[at] = slot


@native
def refill(slots: Any, larger: Any) -> None:
    """Put all that is in a table into a larger one, which is empty; both lengths are powers of 2."""
    for place in range(len(slots)):
        if slots[place] != 0:
            enter(larger, slots[place])


@native_inline
def clear_from(slots: Any, tag: Any) -> None:
    """Empty all slots up to the next free one, from where this tag belongs: to forget all rows, if they are few."""
    mask = len(slots) - 1
    at = tag & mask
    while slots[at] != 0:
        slots[at] = 0
        at = (at + 1) & mask


@native_inline
def crowded(n_rows: int, slots: Any) -> bool:
    """Whether one more row would fill more than two thirds of a table: beyond, looking for rows takes long."""
    return bool(3 * (n_rows + 1) > 2 * len(slots))


def n_slots_for(n_rows: int) -> int:
    """How many slots keep a table of this many rows half empty; a power of 2."""
    return int(max(8, 1 << (2 * n_rows - 1).bit_length()))
