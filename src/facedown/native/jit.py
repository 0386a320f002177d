"""Compiling: the flags, the disk cache, and calls through addresses. Only this package imports Numba.

Three ways for one function to reach another:

1. `native` functions call each other by name, as in Python.
2. `bind(template, start=..., step=...)` gives a copy of a function in which some global names mean other functions.
   So the loop that plays a game is written once, and compiled once for each game with the rules inlined.
3. `call_int(address, (arguments...))` calls a function that is known only by its address. So one compiled loop serves
   every line-up of agents, and entering it costs microseconds.

Numba's own first-class functions would serve for 3, but cost 70 µs each to pass from Python and call themselves
experimental. With `NUMBA_DISABLE_JIT=1` everything here turns into plain Python.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import re
import shutil
import sys
import textwrap
import time
import types as python_types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from facedown.errors import CompileError
from facedown.native import cache
from facedown.native.kept import Kept
from facedown.native.linked import compiling_to, link_only, stay_apart

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT
# a wrapper for C is made for every function unless one says no, and nobody calls it
_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
_INLINED = {"forceinline": True, "no_cpython_wrapper": True}  # called from native code only


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


def _tell_records_apart() -> None:
    """Numba takes a record that begins with all fields of another for that other one, an experiment that it warns of.

    Which code a call reaches would depend on what was compiled before it. Each record gets code of its own instead.
    """
    types.Record.can_convert_to = lambda record, context, other: None


_tell_records_apart()


def prepare_thread() -> None:
    """Settings of NumPy that belong to a thread; every thread that runs rules or agents calls it once."""
    if not COMPILED:
        np.seterr(over="ignore")  # the generator counts modulo 2**64; compiled code does so silently


prepare_thread()


def native(function: Function) -> Function:
    """Compile a function at its first call; it may call other native functions."""
    if not COMPILED or isinstance(function, numba.core.dispatcher.Dispatcher):
        return function
    return cast(Function, _jit(function, cache.directory_for(function)))  # pragma: compiled


def native_inline(function: Function) -> Function:
    """As `native`, for a few lines that are called everywhere: their code is copied to where they are called."""
    if not COMPILED:
        return function
    return cast(Function, _jit(function, cache.directory_for(function, flags=".inline"), forceinline=True))  # pragma: compiled


def native_sums(function: Function) -> Function:
    """As `native`, and sums of floats may be taken in any order: long scalar products come out several times as fast."""
    if not COMPILED:
        return function
    return cast(Function, _jit(function, cache.directory_for(function, flags=".sums"), fastmath=True))  # pragma: compiled


def bind(template: Function, **functions: Callable[..., Any]) -> Function:
    """A native copy of `template` in which the given global names mean these native functions.

    The machine code lies in a directory that is keyed on all the sources, so binding other functions to the same
    template cannot find the wrong code.
    """
    return cast(Function, _bound(template, tuple(functions.items()), True))


def bind_calls(template: Function, **functions: Callable[..., Any]) -> Function:
    """As `bind`, but the functions stay where they are and are called: for large ones, which take long to compile each time."""
    return cast(Function, _bound(template, tuple(functions.items()), False))


@lru_cache(maxsize=256)
def _bound(template: Any, named: tuple[tuple[str, Callable[..., Any]], ...], inlined: bool) -> Any:
    functions = dict(named)
    python = getattr(template, "py_func", template)
    if (
        COMPILED and inlined
    ):  # they are called from this one place: inlining them is worth a quarter of the speed of short games
        functions = {
            name: _jit(cast(Any, function).py_func, cache.directory_for(function, flags=".bound"), **_INLINED)
            for name, function in named
        }
    names = {**python.__globals__, **functions}
    copy: Any = python_types.FunctionType(python.__code__, names, python.__name__, python.__defaults__)
    copy.__qualname__ = python.__qualname__
    copy.__module__ = python.__module__
    if COMPILED:
        directory = cache.directory_for(template, *functions.values())
        if directory is not None:
            # code from the cache is linked by its name: copies of one template need different ones, whoever compiled them
            copy.__qualname__ += re.sub(r"\W", "_", f"_{directory.name}")
        copy = _jit(copy, directory)
    return copy


def bounds_checked(function: Function) -> Function:
    """A native copy of a function of somebody else's in which an index out of bounds is an error, and in those it calls."""
    if not COMPILED:
        return function  # Python checks by itself
    return cast(Function, _with_checks(function, {}))  # pragma: compiled


def _with_checks(function: Any, known: dict[Any, Any]) -> Any:  # pragma: compiled
    if not isinstance(function, numba.core.dispatcher.Dispatcher) or function.__module__.startswith("facedown."):
        return function
    python = function.py_func
    if python not in known:
        known[python] = function  # where functions call each other, the circle is cut here
        called = {name: python.__globals__[name] for name in python.__code__.co_names if name in python.__globals__}
        names = {**python.__globals__, **{name: _with_checks(value, known) for name, value in called.items()}}
        copy = python_types.FunctionType(python.__code__, names, python.__name__, python.__defaults__, python.__closure__)
        copy.__qualname__, copy.__module__ = python.__qualname__, python.__module__
        known[python] = numba.njit(boundscheck=True, **_FLAGS)(copy)
        known[python].compile = _in_words(known[python].compile)
    return known[python]


def _jit(function: Any, directory: Path | None, **flags: bool) -> Any:  # pragma: compiled
    dispatcher = numba.njit(**flags | _FLAGS)(function)
    if flags.get("fastmath"):
        stay_apart(dispatcher)  # sums that are taken in any order are taken in the same one by all callers
    else:
        link_only(dispatcher)
    dispatcher.compile = _in_words(dispatcher.compile)
    dispatcher.get_call_template = _for_any_number(dispatcher.get_call_template)
    if directory is not None:
        dispatcher._cache = Kept(function, directory)
    return dispatcher


def _for_any_number(template_for: Callable[..., Any]) -> Callable[..., Any]:  # pragma: compiled
    """Numba compiles a function again for each number that is written out in a call of it; one machine code serves them all.

    Up to an eighth of the time of compiling agents; what is inlined is made for its numbers all the same.
    """

    def template_for_any(arguments: Any, named: Any) -> Any:
        with compiling_to(link=True):
            return template_for(tuple(map(_any_number, arguments)), {name: _any_number(kind) for name, kind in named.items()})

    return template_for_any


def _any_number(kind: Any) -> Any:  # pragma: compiled
    return types.unliteral(kind) if isinstance(kind, types.IntegerLiteral) else kind


def _in_words(compile_for: Callable[[Any], Any]) -> Callable[[Any], Any]:  # pragma: compiled
    """Some checks of Numba end in a plain KeyError or AttributeError: for a field or a name that is not there."""

    def compile_in_words(signature: Any) -> Any:
        try:
            with _without_collecting():
                return compile_for(signature)
        except (NumbaError, CompileError):
            raise
        except KeyError as problem:
            raise _NotCompiledError(f"there is no field '{problem.args[0]}'") from problem
        except Exception as problem:
            raise _NotCompiledError(f"{type(problem).__name__}: {problem}") from problem

    return compile_in_words


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:  # pragma: compiled
    """The compiler makes millions of objects that stay; looking through them for garbage is up to a tenth of its time."""
    if not gc.isenabled():  # a caller of this function is being compiled: whoever turned it off turns it on
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class _NotCompiledError(NumbaError):
    """A problem of the compiler that its authors did not expect."""


# --- calls through addresses -------------------------------------------------------------------------------------------


def _caller(result: Any) -> Any:  # pragma: compiled
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


@intrinsic  # type: ignore[untyped-decorator]  # pragma: compiled
def pointer_at(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.inttoptr(values[0], context.get_value_type(types.voidptr))

    return types.voidptr(address), generate


@intrinsic  # type: ignore[untyped-decorator]
def read_only(typing_context: Any, array: Any) -> Any:
    """The same array, but code that writes to it does not compile."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return impl_ret_borrowed(context, builder, signature.return_type, values[0])

    return array.copy(readonly=True)(array), generate


@intrinsic  # type: ignore[untyped-decorator]  # pragma: compiled
def unlikely(typing_context: Any, condition: Any) -> Any:
    """The condition, with the remark that it is nearly always false: the code for it is kept out of the way."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        bit = values[0].type
        kind = ir.FunctionType(bit, [bit, bit])
        expect = builder.module.declare_intrinsic("llvm.expect", [bit], kind)
        return builder.call(expect, [values[0], bit(0)])

    return types.boolean(types.boolean), generate


@intrinsic  # type: ignore[untyped-decorator]  # pragma: compiled
def call_apart(typing_context: Any, function: Any, arguments: Any) -> Any:
    """Call a native function that must not be inlined, because it is hardly ever needed where speed is."""
    wanted = function.get_call_type(typing_context, arguments.types, {})

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = arguments.types
        unpacked = [builder.extract_value(values[1], i) for i in range(len(kinds))]
        unpacked = [context.cast(builder, *part) for part in zip(unpacked, kinds, wanted.args, strict=True)]
        block = builder.block
        answer = context.get_function(function, wanted)(builder, unpacked)
        calls = [instruction for instruction in block.instructions if instruction.opname == "call"]
        calls[-1].attributes.add("noinline")
        return answer

    return wanted.return_type(function, arguments), generate


def _room_for(number: Any) -> Any:  # pragma: compiled
    """The intrinsic `room(n)`, an array of n such numbers on the stack; n is a constant."""

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
    def room(typing_context: Any, n: Any) -> Any:
        count = n.literal_value
        array = types.Array(number, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = context.get_data_type(number)
            data = cgutils.alloca_once(builder, ir.ArrayType(kind, count))
            made = make_array(array)(context, builder)
            size, width = (context.get_constant(types.intp, part) for part in (count, number.bitwidth // 8))
            place = builder.bitcast(data, kind.as_pointer())
            populate_array(made, data=place, shape=[size], strides=[width], itemsize=width, meminfo=None)
            return made._getvalue()

        return array(n), generate

    return room


# Room to work in, filled with anything, as `np.empty(n)` makes it: for functions that are called a million times a second, and
# of which nobody keeps the array. Nothing is asked of the system, and nobody counts who still holds it.
integer_room, float_room = _room_for(types.int64), _room_for(types.float64)

_functions: dict[int, Callable[..., Any]] = {}


def _call(address: int, arguments: Any) -> Any:
    """Without the compiler an address is only a number under which the function is kept."""
    return _functions[int(address)](*arguments)


def read_only_array(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """As `read_only`, in Python."""
    view = array.view()
    view.flags.writeable = False
    return view


# what the hints to the compiler mean without one, for whoever runs native functions as plain Python
AS_PYTHON: dict[str, Callable[..., Any]] = {
    "unlikely": lambda condition: condition,
    "call_apart": lambda function, arguments: function(*arguments),
    "pointer_at": lambda address: ctypes.c_void_p(int(address)),
    "integer_room": lambda n: np.empty(n, np.int64),
    "float_room": np.empty,
}

if COMPILED:
    call_int = _caller(types.int64)
    call_none = _caller(types.none)
else:
    call_int = call_none = _call
    pointer_at, unlikely, call_apart = AS_PYTHON["pointer_at"], AS_PYTHON["unlikely"], AS_PYTHON["call_apart"]
    integer_room, float_room = AS_PYTHON["integer_room"], AS_PYTHON["float_room"]
    read_only = read_only_array


@native_inline
def floats_at(address: int, count: int) -> Any:
    """The float64 array at an address. Someone else must keep it alive."""
    return numba.carray(pointer_at(address), count, np.float64)


@native_inline
def integers_at(address: int, count: int) -> Any:
    """The int64 array at an address. Someone else must keep it alive."""
    return numba.carray(pointer_at(address), count, np.int64)


@native_inline
def bytes_at(address: int, count: int) -> Any:
    """The bytes at an address, as uint8. Someone else must keep them alive."""
    return numba.carray(pointer_at(address), count, np.uint8)


def _kind_of(example: Any) -> Any:
    """The native type of a record type, an array or a number, for `address`."""
    return numba.from_dtype(example) if isinstance(example, np.dtype) else numba.typeof(example)


def address(function: Callable[..., Any], *arguments: Any, returns: bool = True) -> int:
    """The address of a native function for arguments of these types (record types or example values); it compiles if needed.

    `returns` tells whether the function returns an integer or nothing.
    """
    if not COMPILED:
        _functions[id(function)] = function
        return id(function)
    return _compiled_address(function, tuple(map(_kind_of, arguments)), returns)  # pragma: compiled


def compile_now(function: Callable[..., Any], *arguments: Any, returns: bool = True) -> None:
    """Compile a function for arguments of these types; an error if it does not return a whole number, or nothing."""
    if COMPILED:
        _compiled(function, tuple(map(_kind_of, arguments)), returns)


def _compiled(function: Any, kinds: Any, returns: bool) -> Any:  # pragma: compiled
    function.compile(kinds)  # given the result too, Numba would convert to it, and cut 1.7 down to 1
    result = function.overloads[kinds]
    found = types.unliteral(result.signature.return_type)
    if not (isinstance(found, types.Integer | types.Boolean) if returns else found == types.none):
        words = "an integer on every path" if returns else "nothing"
        raise CompileError(f"{function.__name__} must return {words}; compiled, it returns {found}")
    return result


def _compiled_address(function: Any, kinds: Any, returns: bool) -> int:  # pragma: compiled
    result = _compiled(function, kinds, returns)
    found = types.unliteral(result.signature.return_type)
    if returns and found != types.int64:
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


@dataclass(frozen=True)
class Part:
    """Something that is compiled once: what to call it, how long it takes, and the functions that its code comes from."""

    name: str
    seconds: float
    functions: tuple[Callable[..., Any], ...]

    def mark(self) -> Path | None:
        """A file beside its machine code that says that it is there; None where nothing is kept."""
        directory = cache.directory_for(*self.functions)
        return directory / f"{re.sub(r'[^a-z0-9_]+', '_', self.name.lower())}.seconds" if directory else None


_said: set[Part] = set()  # what is not kept is compiled once in a process, and said once


@contextlib.contextmanager
def compiling(*parts: Part) -> Iterator[None]:
    """Say on stderr which of these parts must be compiled now, unless they are in the cache; remember how long it took."""
    marks = {part: part.mark() for part in parts} if COMPILED else {}
    missing = [part for part, mark in marks.items() if not (mark.exists() if mark else part in _said)]
    if not missing:
        yield
        return
    _said.update(missing)
    if _notices[0]:
        names, seconds = ", ".join(part.name for part in missing), sum(part.seconds for part in missing)
        words = f"compiling {names} once, about {seconds:.0f} s"
        if sys.stderr.isatty():  # no terminal folds between words
            words = textwrap.fill(words, shutil.get_terminal_size().columns, break_long_words=False)
        print(words, file=sys.stderr, flush=True)
    started = time.perf_counter()
    yield
    for part in missing:
        mark = marks[part]
        if mark:
            with contextlib.suppress(OSError):  # the directory was pruned meanwhile
                mark.write_text(json.dumps(time.perf_counter() - started))


# the words of NumPy, of Numba for names in brackets, and our own for its bare KeyError
_NO_FIELD = re.compile(r"(?:'record' object has no attribute|Field|there is no field) '(\w+)'")


def explain(problem: BaseException, owner: str, sees: str = "") -> CompileError:
    """Turn Numba's report into a sentence. `sees` names what the function is given, where fields may be missing on purpose."""
    if isinstance(problem, CompileError):
        return problem  # said already
    text = str(problem)
    missing = _NO_FIELD.search(text)
    if missing:
        return CompileError(f"{owner} reads '{missing[1]}', which {sees or 'is not a field of what it is given'}")
    if "setitem(readonly array" in text:
        return CompileError(f"{owner} writes to an array that can only be read")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    wanted = ("Unknown attribute", "Untyped", "Cannot unify", "No implementation", "Invalid use", "NameError")
    telling = next((line for line in lines if line.startswith(wanted)), lines[0] if lines else type(problem).__name__)
    place = next((line for line in lines if line.startswith("File ")), "")
    return CompileError(f"{owner} cannot be compiled: {telling} {place}".strip())


COMPILE_PROBLEMS = (NumbaError, CompileError)


@contextlib.contextmanager
def explained(owner: str, sees: str = "") -> Iterator[None]:
    """What cannot be compiled in here is told with `explain`."""
    try:
        yield
    except COMPILE_PROBLEMS as problem:
        raise explain(problem, owner, sees) from None
