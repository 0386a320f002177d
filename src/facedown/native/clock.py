"""The time, read in native code: for agents that think for a given time."""

from __future__ import annotations

import ctypes
import sys
import time
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from facedown.native.jit import COMPILED

# Machine code from the cache finds the system's clock by this name, wherever the system put it in this process.
_SYMBOL = "facedown_system_clock"
_ON_WINDOWS = sys.platform == "win32"


def _address_of_clock() -> int:
    """GetTickCount64() counts milliseconds; clock_gettime(which, &(seconds, nanoseconds)) is everywhere else."""
    library: Any = ctypes.WinDLL("kernel32") if _ON_WINDOWS else ctypes.CDLL(None)  # type: ignore[attr-defined,unused-ignore]
    function = library.GetTickCount64 if _ON_WINDOWS else library.clock_gettime
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


@intrinsic  # type: ignore[untyped-decorator]  # pragma: compiled
def _read_clock(typing_context: Any) -> Any:
    word, number = ir.IntType(64), ir.IntType(32)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        def declare(kind: Any) -> Any:
            return builder.module.globals.get(_SYMBOL) or ir.Function(builder.module, kind, _SYMBOL)

        if _ON_WINDOWS:
            return builder.uitofp(builder.call(declare(ir.FunctionType(word, [])), []), ir.DoubleType())
        room = builder.alloca(ir.ArrayType(word, 2))
        first = builder.bitcast(room, word.as_pointer())
        clock = declare(ir.FunctionType(number, [number, word.as_pointer()]))
        builder.call(clock, [number(time.CLOCK_MONOTONIC), first])
        seconds, nanoseconds = (builder.sitofp(builder.load(builder.gep(first, [word(at)])), ir.DoubleType()) for at in (0, 1))
        thousand, millionth = ir.DoubleType()(1e3), ir.DoubleType()(1e-6)
        return builder.fadd(builder.fmul(seconds, thousand), builder.fmul(nanoseconds, millionth))

    return types.float64(), generate


if COMPILED:
    llvmlite.binding.add_symbol(_SYMBOL, _address_of_clock())
    milliseconds_now = _read_clock
else:

    def milliseconds_now() -> float:
        """Milliseconds since some moment; only differences mean anything."""
        return time.monotonic() * 1e3
