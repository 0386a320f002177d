"""Compiling: the flags, the disk cache, and calls through addresses. Only this package imports Numba.

Three ways for one function to reach another:

1. `native` functions call each other by name, as in Python.
2. `bind(template, start=..., step=...)` gives a copy of a function in which some global names mean other functions.
So the loop that plays a game is written once, and compiled once for each game with the rules inlined. 3.
`call_int(address, (arguments...))` calls a function that is known only by its address. So one compiled loop serves
every line-up of agents, and entering it costs microseconds.

Numba's own first-class functions would serve for 3, but cost 70 µs each to pass from Python and call themselves
experimental. With `NUMBA_DISABLE_JIT=1` everything here turns into plain Python.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import re
import sys
import time
import types as python_types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaError
from numba.extending import intrinsic

from facedown.errors import CompileError
from facedown.native import cache

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT
_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def _load_numba_without_scipy() -> None:
    """Numba imports scipy.linalg just to see whether it is there, which is a sixth of a warm start; let it not look."""
    if not COMPILED or "scipy.linalg" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]  # an import of None fails
    try:
        from numba.np import arraymath
    finally:
        del sys.modules["scipy.linalg"]
    arraymath._HAVE_BLAS = True  # where linear algebra is compiled, Numba looks for it again


_load_numba_without_scipy()


def prepare_thread() -> None:
    """Settings of NumPy that belong to a thread; every thread that runs rules or agents calls it once."""
    if not COMPILED:
        np.seterr(over="ignore")  # the generator counts modulo 2**64; compiled code does so silently


prepare_thread()


def native(function: Function) -> Function:
    """Compile a function at its first call; it may call other native functions."""
    if not COMPILED or isinstance(function, numba.core.dispatcher.Dispatcher):
        return function
    return cast(Function, _jit(function, cache.directory_for(function)))


def native_inline(function: Function) -> Function:
    """As `native`, for a few lines that are called everywhere: their code is copied to where they are called."""
    if not COMPILED:
        return function
    return cast(Function, _jit(function, cache.directory_for(function, flags=".inline"), forceinline=True))


def bind(template: Function, **functions: Callable[..., Any]) -> Function:
    """A native copy of `template` in which the given global names mean these native functions.

    The machine code lies in a directory that is keyed on all the sources, so binding other functions to the same
    template cannot find the wrong code.
    """
    python = getattr(template, "py_func", template)
    if COMPILED:  # they are called from this one place: inlining them is worth a quarter of the speed of short games
        functions = {
            name: _jit(cast(Any, function).py_func, cache.directory_for(function, flags=".inline"), forceinline=True)
            for name, function in functions.items()
        }
    names = {**python.__globals__, **functions}
    copy: Any = python_types.FunctionType(python.__code__, names, python.__name__, python.__defaults__)
    copy.__qualname__ = python.__qualname__
    copy.__module__ = python.__module__
    if COMPILED:
        copy = _jit(copy, cache.directory_for(template, *functions.values()))
    return cast(Function, copy)


def _jit(function: Any, directory: Path | None, **flags: bool) -> Any:
    flags |= _FLAGS
    if directory is None:
        return numba.njit(**flags)(function)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(directory)  # read by Numba while it decorates, and not again
    try:
        return numba.njit(cache=True, **flags)(function)
    finally:
        numba.config.CACHE_DIR = before


# --- calls through addresses -------------------------------------------------------------------------------------------


def _caller(result: Any) -> Any:
    """The intrinsic `call(address, arguments)` for functions with this result type."""

    @intrinsic  # type: ignore[untyped-decorator]
    def call(typing_context: Any, address: Any, arguments: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kinds = signature.args[1].types
            unpacked = [builder.extract_value(values[1], i) for i in range(len(kinds))]
            pointer = builder.inttoptr(values[0], context.call_conv.get_function_type(result, kinds).as_pointer())
            status, answer = context.call_conv.call_function(builder, pointer, result, kinds, unpacked)
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return context.get_dummy_value() if result is types.none else answer

        return result(address, arguments), generate

    return call


@intrinsic  # type: ignore[untyped-decorator]
def _pointer(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.inttoptr(values[0], context.get_value_type(types.voidptr))

    return types.voidptr(address), generate


_functions: dict[int, Callable[..., Any]] = {}


def _call(address: int, arguments: Any) -> Any:
    """Without the compiler an address is only a number under which the function is kept."""
    return _functions[int(address)](*arguments)


if COMPILED:
    call_int = _caller(types.int64)
    call_none = _caller(types.none)
else:
    call_int = call_none = _call

    def _pointer(address: int) -> ctypes.c_void_p:
        return ctypes.c_void_p(int(address))


@native_inline
def floats_at(address: int, count: int) -> Any:
    """The float64 array at an address. Someone else must keep it alive."""
    return numba.carray(_pointer(address), count, np.float64)


@native_inline
def integers_at(address: int, count: int) -> Any:
    """The int64 array at an address. Someone else must keep it alive."""
    return numba.carray(_pointer(address), count, np.int64)


@native_inline
def bytes_at(address: int, count: int) -> Any:
    """The bytes at an address, as uint8. Someone else must keep them alive."""
    return numba.carray(_pointer(address), count, np.uint8)


def kind_of(example: Any) -> Any:
    """The native type of a record type, an array or a number, for `address`."""
    return numba.from_dtype(example) if isinstance(example, np.dtype) else numba.typeof(example)


def address(function: Callable[..., Any], *arguments: Any, returns: bool = True) -> int:
    """The address of a native function for arguments of these types (record types or example values); it compiles if needed.

    `returns` tells whether the function returns an integer or nothing.
    """
    if not COMPILED:
        _functions[id(function)] = function
        return id(function)
    signature = (types.int64 if returns else types.none)(*map(kind_of, arguments))
    compiled: Any = function
    known = compiled.overloads.get(signature.args)
    if known is not None and known.signature.return_type != signature.return_type:
        # called from Python before, it was compiled with the type that Numba found, such as int8
        compiled = _jit(compiled.py_func, cache.directory_for(function, flags=".exact"))
    result = compiled.get_compile_result(signature)
    found = result.signature.return_type
    if found != signature.return_type and not (returns and isinstance(found, types.Integer | types.Boolean)):
        wanted = "an integer on every path" if returns else "nothing"
        raise CompileError(f"{function.__name__} must return {wanted}; compiled, it returns {found}")
    if found != signature.return_type:
        raise CompileError(f"{function.__name__} must return int64 on every path, not {found}: write int(...)")
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


# --- words about compiling ------------------------------------------------------------------------------------------------

_notices = [True]


@contextlib.contextmanager
def without_notices() -> Iterator[None]:
    """Compile silently: for callers that say it themselves."""
    before, _notices[0] = _notices[0], False
    try:
        yield
    finally:
        _notices[0] = before


@contextlib.contextmanager
def compiling(what: str, about_seconds: float, *functions: Callable[..., Any]) -> Iterator[None]:
    """Say once on stderr that native code is being made, unless it is in the cache already; remember how long it took."""
    directory = cache.directory_for(*functions) if COMPILED else None
    mark = directory / f"{re.sub(r'[^a-z0-9_]+', '_', what.lower())}.seconds" if directory else None
    if not COMPILED or (mark and mark.exists()):
        yield
        return
    if _notices[0]:
        once = "once" if mark else "(no cache)"
        print(f"compiling {what} {once}, about {about_seconds:.0f} s", file=sys.stderr, flush=True)
    started = time.perf_counter()
    yield
    if mark:
        with contextlib.suppress(OSError):  # the directory was pruned meanwhile
            mark.write_text(json.dumps(time.perf_counter() - started))


def explain(problem: Exception, owner: str, sees: str = "") -> CompileError:
    """Turn Numba's report into a sentence. `sees` names what the function is given, where fields may be missing on purpose."""
    if isinstance(problem, CompileError):
        return problem  # said already
    if isinstance(problem, KeyError):  # so Numba tells of a field that a record does not have
        return CompileError(f"{owner} reads '{problem.args[0]}', which {sees or 'is not a field of what it is given'}")
    text = str(problem)
    missing = re.search(r"Unknown attribute '(\w+)' of type Record|record has no attribute '(\w+)'", text) or re.search(
        r"has no attribute '(\w+)'", text
    )
    if missing and sees:
        field = next(group for group in missing.groups() if group)
        return CompileError(f"{owner} reads '{field}', which {sees}")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    wanted = ("Unknown attribute", "Untyped", "Cannot unify", "No implementation", "Invalid use", "NameError")
    telling = next((line for line in lines if line.startswith(wanted)), lines[0] if lines else type(problem).__name__)
    place = next((line for line in lines if line.startswith("File ")), "")
    return CompileError(f"{owner} cannot be compiled: {telling} {place}".strip())


COMPILE_PROBLEMS = (NumbaError, CompileError, KeyError)
