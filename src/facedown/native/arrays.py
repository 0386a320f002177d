"""Arrays without reference counts, for native loops in which someone else keeps them alive.

An array that native code hands from function to function is counted, up and down, at each call; a walk that needs many
of them would do little else. An array that is found by its address, or that is borrowed, has nothing to count.
"""

from __future__ import annotations

from typing import Any

import numba
from numba.core import cgutils
from numba.extending import intrinsic

from facedown.native.jit import COMPILED, native_inline, pointer_at


@native_inline
def array_at(address: int, count: int, kind: Any) -> Any:
    """The array of `count` numbers or records of this kind at an address."""
    return numba.carray(pointer_at(address), count, kind)


@native_inline
def table_at(address: int, count: int, width: int, kind: Any) -> Any:
    """The array of `count` rows with `width` numbers each at an address."""
    return numba.carray(pointer_at(address), (count, width), kind)


if COMPILED:

    @intrinsic  # type: ignore[untyped-decorator]  # pragma: compiled
    def borrowed(typing_context: Any, array: Any) -> Any:
        """The same array, not counted. The caller's own argument keeps it alive as long as the loop runs."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            view = context.make_array(signature.args[0])(context, builder, values[0])
            view.meminfo = cgutils.get_null_value(view.meminfo.type)
            view.parent = cgutils.get_null_value(view.parent.type)
            return view._getvalue()

        return array(array), generate

else:

    def borrowed(array: Any) -> Any:
        """The same array."""
        return array
