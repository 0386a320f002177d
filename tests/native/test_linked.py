"""What only native code calls is linked into its callers; what Python calls has machine code of its own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.compiled

SOURCE = """
import numpy as np
from facedown.native import native
from facedown.native.jit import native_inline, native_sums

@native
def innermost(x):
    if x > 100:
        raise ValueError("more than a hundred")
    return x + 1

@native_inline
def inlined(x):
    return innermost(x) * 2

@native
def middle(x):
    return inlined(x) + innermost(x)

@native
def total(values):
    return product(values, values)

@native_sums
def product(left, right):
    result = 0.0
    for at in range(len(left)):
        result += left[at] * right[at]
    return result

@native
def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)

@native
def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)

@native
def count_even(n):
    count = 0
    for number in range(n):
        if is_even(number):
            count += 1
    return count
"""

PROGRAM = """
import layers, numpy
print(layers.middle(3), layers.innermost(3), layers.inlined(4), layers.count_even(11), layers.is_odd(7))
print(layers.total(numpy.arange(5.0)))
try:
    layers.middle(101)
except ValueError as problem:
    print(problem)
"""
ANSWERS = ["12 4 10 6 True", "30.0", "more than a hundred"]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean_imports: None) -> ModuleType:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path / "cache"))
    return loaded(tmp_path, write=True)


def loaded(folder: Path, write: bool = False) -> ModuleType:
    """The module, as a process that starts now would have it."""
    if write:
        (folder / "layers.py").write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("layers", folder / "layers.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules["layers"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answers(program: str, folder: Path) -> list[str]:
    """What a program in a new process prints."""
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, cwd=folder, env=dict(os.environ), capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stderr
    return found.stdout.splitlines()


def library(function: Any) -> Any:
    (result,) = function.overloads.values()
    return result.library


def test_only_what_is_entered_has_machine_code(module: ModuleType) -> None:
    assert module.middle(3) == 12
    assert library(module.middle)._loaded
    assert not library(module.inlined)._loaded
    assert not library(module.innermost)._loaded


def test_a_linked_function_can_be_called_from_python_afterwards(module: ModuleType) -> None:
    assert module.middle(3) == 12
    assert module.innermost(3) == 4
    assert library(module.innermost)._loaded
    assert module.inlined(3) == 8
    assert module.middle(4) == 15


def test_a_function_that_was_called_from_python_is_linked_as_it_is(module: ModuleType) -> None:
    assert module.innermost(3) == 4
    entered = library(module.innermost)
    assert module.middle(3) == 12
    assert library(module.innermost) is entered


def test_errors_come_through_what_is_linked(module: ModuleType) -> None:
    with pytest.raises(ValueError, match="more than a hundred"):
        module.middle(101)


def test_sums_in_any_order_are_the_same_bits_for_all_callers(module: ModuleType) -> None:
    values = np.random.default_rng(1).normal(size=1001)
    assert module.total(values) == module.product(values, values)
    assert library(module.product)._loaded


def test_functions_that_call_each_other_in_a_circle(module: ModuleType) -> None:
    assert module.count_even(11) == 6
    assert module.is_odd(7) is True
    assert module.is_even(7) is False


@pytest.mark.parametrize("first", ["middle", "innermost", "count_even", "total"])
def test_what_is_kept_serves_other_callers(module: ModuleType, tmp_path: Path, first: str) -> None:
    """Whatever is compiled first, a later process gets the same answers from what it finds and what it adds."""
    arguments = {"total": (np.arange(5.0),)}
    getattr(module, first)(*arguments.get(first, (3,)))
    for _ in range(2):  # the second one finds everything
        assert answers(PROGRAM, tmp_path) == ANSWERS
    again = loaded(tmp_path)
    assert again.middle(3) == 12
    assert not again.middle.stats.cache_misses


def test_a_release_of_numba_that_nobody_has_tested_compiles_as_it_does(module: ModuleType, tmp_path: Path) -> None:
    """Its insides may be others, so nothing is linked, and all answers are the same."""
    another = "import numba\nnumba.__version__ = '1234.5.0'\n"
    libraries = "print({type(f.library).__name__ for g in vars(layers).values() for f in getattr(g, 'overloads', {}).values()})"
    for _ in range(2):  # the second one finds what the first one has kept
        assert answers(another + PROGRAM + libraries, tmp_path) == [*ANSWERS, "{'JITCodeLibrary'}"]
    assert answers(PROGRAM + libraries, tmp_path) == [*ANSWERS, "{'LinkedLibrary'}"]
