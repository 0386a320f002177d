"""Sets as the bits of a whole number: how many there are in one, and which is the first.

Native code makes single instructions of them; the functions themselves are what plain Python runs.
"""

from __future__ import annotations

from typing import Any, SupportsInt

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

_WORD = 0xFFFFFFFFFFFFFFFF


def count_bits(bits: SupportsInt) -> int:
    """How many bits of an int64 are set."""
    return (int(bits) & _WORD).bit_count()


def first_bit(bits: SupportsInt) -> int:
    """The place of the lowest bit of an int64 that is set; 64 if none is."""
    whole = int(bits) & _WORD
    return (whole & -whole).bit_length() - 1 if whole else 64


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
