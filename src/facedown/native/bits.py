"""Sets as the bits of a whole number: how many there are in one, which is the first, and which one has a given number.

Native code makes single instructions of them; the functions themselves are what plain Python runs.
"""

from __future__ import annotations

from typing import Any, SupportsInt

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

_WORD = 0xFFFFFFFFFFFFFFFF


def count_bits(bits: SupportsInt) -> int:
    """How many bits of an int64 are set."""
    return (int(bits) & _WORD).bit_count()


def first_bit(bits: SupportsInt) -> int:
    """The place of the lowest bit of an int64 that is set; 64 if none is."""
    whole = int(bits) & _WORD
    return (whole & -whole).bit_length() - 1 if whole else 64


def pick_bit(bits: SupportsInt, number: SupportsInt) -> Any:
    """The set bit of this number, from 0 on, as a set of its own; there must be as many.

    >>> bin(pick_bit(0b101100, 1))
    '0b1000'
    """
    left = int(bits) & _WORD
    for _ in range(int(number)):
        left &= left - 1
    return np.uint64(left & -left)


@type_callable(count_bits)  # type: ignore[untyped-decorator]
@type_callable(first_bit)  # type: ignore[untyped-decorator]
def _type_bits(context: Any) -> Any:
    def result(bits: Any) -> Any:
        return types.int64 if isinstance(bits, types.Integer | types.Boolean) else None

    return result


def _as_word(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # pragma: compiled
    return context.cast(builder, values[0], signature.args[0], types.int64)


@lower_builtin(count_bits, types.Integer)  # type: ignore[untyped-decorator]
@lower_builtin(count_bits, types.Boolean)  # type: ignore[untyped-decorator]
def _generate_count_bits(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # pragma: compiled
    return builder.ctpop(_as_word(context, builder, signature, values))


@lower_builtin(first_bit, types.Integer)  # type: ignore[untyped-decorator]
@lower_builtin(first_bit, types.Boolean)  # type: ignore[untyped-decorator]
def _generate_first_bit(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # pragma: compiled
    return builder.cttz(_as_word(context, builder, signature, values), ir.IntType(1)(0))


@type_callable(pick_bit)  # type: ignore[untyped-decorator]
def _type_pick_bit(context: Any) -> Any:
    def result(bits: Any, number: Any) -> Any:
        return types.uint64 if isinstance(bits, types.Integer) and isinstance(number, types.Integer) else None

    return result


@lower_builtin(pick_bit, types.Integer, types.Integer)  # type: ignore[untyped-decorator]
def _generate_pick_bit(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # pragma: compiled
    bits, number = (
        context.cast(builder, value, kind, types.uint64) for value, kind in zip(values, signature.args, strict=True)
    )
    if not _deposits(*context.codegen().magic_tuple()):
        return context.compile_internal(builder, pick_by_bytes, types.uint64(types.uint64, types.uint64), (bits, number))
    word = ir.IntType(64)
    deposit = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64")
    return builder.call(deposit, [builder.shl(word(1), number), bits])


def _deposits(triple: str, processor: str, features: str) -> bool:  # pragma: compiled
    """Whether the processor has a quick instruction for it; on early ones of AMD's it takes hundreds of steps."""
    return "+bmi2" in features.split(",") and processor not in ("znver1", "znver2")


_U = np.uint64
_1, _2, _3, _4, _8 = _U(1), _U(2), _U(3), _U(4), _U(8)
_ODD, _PAIRS, _NIBBLES = _U(0x5555555555555555), _U(0x3333333333333333), _U(0x0F0F0F0F0F0F0F0F)
_BYTES, _TOPS, _LOW = _U(0x0101010101010101), _U(0x8080808080808080), _U(0xFF)

# the set bit number `rank` of a byte
_PICKED = np.zeros((256, 8), np.uint64)
for _byte in range(256):
    for _rank, _place in enumerate(place for place in range(8) if _byte >> place & 1):
        _PICKED[_byte, _rank] = 1 << _place


def pick_by_bytes(bits: Any, number: Any) -> Any:
    """As `pick_bit`, of less than 128 bits, where the processor has no instruction for it."""
    sums = bits - ((bits >> _1) & _ODD)
    sums = (sums & _PAIRS) + ((sums >> _2) & _PAIRS)
    sums = ((sums + (sums >> _4)) & _NIBBLES) * _BYTES  # in each byte, how many are set in it and in those below
    # bytes with no more bits up to them than `number`: the wanted one lies behind them
    behind = (((number * _BYTES) | _TOPS) - sums) & _TOPS
    shift = _U(count_bits(behind)) << _3
    before = ((sums << _8) >> shift) & _LOW
    return _PICKED[(bits >> shift) & _LOW, number - before] << shift
