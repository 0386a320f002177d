"""Linked code: what only native code calls is linked into its callers, and gets no machine code of its own.

Numba optimises each function with all that it calls, makes machine code of it and a way in from Python, and then links
the result into the callers, where the same is done again: a function that is ten calls deep is optimised ten times. Yet most
functions are entered from native code only. Here

1. a function that another native function calls is compiled to be linked: optimised by itself, without what it calls, and
   without machine code; so it is kept on disk. If Python calls it later on, it is compiled once more, to be entered;
2. a function that is entered from outside is optimised with all that it calls, once, from the innermost calls outwards;
3. a library of code is made into machine code when somebody asks for an address in it.

Agents of Hanabi compile in a third to a half of the time, and run as fast.

All this reaches into Numba, so it is done with the releases that it was tested with; with any other, functions are compiled as
Numba does it, which takes longer and gives the same results.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import numba
from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen, RuntimeLinker
from numba.core.compiler import CompileResult, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.runtime import rtsys

_ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of environments begin: what a function needs of Python when it fails

TESTED_RELEASES = ("0.68",)
"""Of Numba. To add one, run the tests with it; tests/native/test_linked.py has those of this module."""

LINKING = numba.__version__.rpartition(".")[0] in TESTED_RELEASES
"""Whether anything is linked at all."""

_links: ContextVar[bool] = ContextVar("links", default=False)


def links() -> bool:
    """Whether what is compiled now is to be linked, and not to be entered."""
    return _links.get()


@contextlib.contextmanager
def compiling_to(link: bool) -> Iterator[None]:
    """What is compiled in here is to be linked, or to be entered."""
    before = _links.set(link and LINKING)
    try:
        yield
    finally:
        _links.reset(before)


def is_in_a_circle(library: Any) -> bool:  # pragma: compiled
    """Whether functions in it call each other: these find each other by name, among machine code."""
    return any(variable.name.startswith(RuntimeLinker.PREFIX) for variable in library._final_module.global_variables)


class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]  # pragma: compiled
    """A library of code that is made into machine code when an address in it is asked for."""

    def __init__(self, codegen: Any, name: str):
        super().__init__(codegen, name)
        self._is_linked, self._loaded = links(), False
        self._environments: list[Any] = []

    def _optimize_final_module(self) -> None:
        if not self._is_linked or is_in_a_circle(self):
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True
        if is_in_a_circle(self):
            self._load()

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        self._dynamic_globals.clear()  # they are looked for again
        if is_in_a_circle(self):  # what stands for a function that is not there yet must be there
            rtsys.library.get_pointer_to_function("nrt_unresolved_abort")
        super()._finalize_final_module()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(_ENVIRONMENT) else None
            if environment is not None:  # of a function that has no machine code where it would have been told
                self._codegen.set_env(variable.name, environment)
                self._environments.append(environment)

    def get_pointer_to_function(self, name: str) -> Any:
        self._ensure_finalized()
        self._load()
        return super().get_pointer_to_function(name)

    def serialize_using_object_code(self) -> Any:
        return super().serialize_using_object_code() if self._loaded else self.serialize_using_bitcode()

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        if kind != "bitcode":
            library = super()._unserialize(codegen, state)
            library._load()
            return library
        library = codegen.create_library(name)
        library._final_module = llvm.parse_bitcode(data)
        library._finalize_final_module()
        return library


if LINKING:
    JITCPUCodegen._library_class = LinkedLibrary


class LinkedFlags(Flags):  # type: ignore[misc]  # pragma: compiled
    """What the compiler is told of a function that is to be linked."""

    def __init__(self, flags: Any):
        super().__init__(flags)
        # functions that call each other find each other by name, entered or linked, and flags are part of a name
        self._mangled = flags.get_mangle_string()
        self.no_compile = self.no_cpython_wrapper = True

    def get_mangle_string(self) -> Any:
        return self._mangled


class NoWayIn:  # pragma: compiled
    """Stands where Numba keeps the way in from Python, for a function that has none."""


def link_only(dispatcher: Any) -> None:  # pragma: compiled
    """Let a dispatcher of Numba compile to be linked what only native code calls."""
    if not LINKING:
        return
    add_overload, compile_for = dispatcher.add_overload, dispatcher.compile

    def flags_for(flags: Any) -> Any:
        return LinkedFlags(flags) if links() else flags

    def add(result: Any) -> None:
        if result.entry_point is None:
            result = result._replace(entry_point=NoWayIn())
            result.target_context.insert_user_function(result.entry_point, result.fndesc, [result.library])
        if isinstance(result.entry_point, NoWayIn):
            dispatcher.overloads[tuple(result.signature.args)] = result
        else:
            add_overload(result)

    def compile_once_more(signature: Any) -> Any:
        kinds = signature if isinstance(signature, tuple) else signature.args
        with global_compiler_lock:  # a caller that another thread compiles may be about to link it
            known = dispatcher.overloads.get(kinds)
            if known is not None and isinstance(known.entry_point, NoWayIn) and not links():
                del dispatcher.overloads[kinds]
            return compile_for(signature)

    dispatcher._compiler._customize_flags = flags_for
    dispatcher.add_overload, dispatcher.compile = add, compile_once_more


def stay_apart(dispatcher: Any) -> None:  # pragma: compiled
    """Let a dispatcher of Numba compile what can be entered, whoever calls it: then it is optimised by itself."""
    if not LINKING:
        return
    compile_for = dispatcher.compile

    def compile_apart(signature: Any) -> Any:
        with compiling_to(link=False):
            return compile_for(signature)

    dispatcher.compile = compile_apart


def rebuilt(context: Any, parts: Any) -> Any:  # pragma: compiled
    """A function as it was compiled, from what was kept of it: `CompileResult._rebuild`, for what is to be linked."""
    if not links():
        return CompileResult._rebuild(context, *parts)
    library, description, environment, signature, object_mode, lifted, annotation, at_loading, environments = parts
    for prepare in at_loading:
        prepare()
    return CompileResult(
        target_context=context,
        typing_context=context.typing_context,
        library=context.codegen().unserialize_library(library),
        environment=environment,
        entry_point=NoWayIn(),
        fndesc=description,
        type_annotation=annotation,
        signature=signature,
        objectmode=object_mode,
        lifted=lifted,
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=at_loading,
        referenced_envs=environments,
    )
