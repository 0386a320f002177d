"""What the machine code of a function is made from: constants, values of globals, callees; code is filed under all of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facedown.native import cache
from facedown.native.kept import Kept

REACHING = """
import types
import numpy as np
K = {k}
TABLE = np.array([1, {table}])
PAIR = (1, ({pair}, "a"))
tools = types.ModuleType("tools")
tools.used, tools.unused = {used}, {unused}
def one(x): return x + {deep}
def two(x): return one(x)
def itself(x): return itself(x) + {k}
def f(x):
    total = [K + y for y in range({constant})]
    return two(x) + TABLE[1] + PAIR[0] + tools.used + itself(x) + sum(total)
"""
PLAIN = {"k": 1, "table": 2, "pair": 3, "used": 4, "unused": 5, "deep": 6, "constant": 7}


def digest(**changes: Any) -> str:
    space: dict[str, Any] = {"__name__": "reaching"}
    exec(REACHING.format(**PLAIN | changes), space)
    return cache.reached(space["f"])


def test_what_is_reached_is_the_same_in_every_run() -> None:
    assert digest() == digest()


@pytest.mark.parametrize("place", ["k", "table", "pair", "used", "deep", "constant"])
def test_what_is_reached_counts(place: str) -> None:
    assert digest(**{place: 70}) != digest()


def test_values_of_another_type_count() -> None:
    assert digest(k=1.0) != digest() != digest(table="2.0")


def test_what_is_not_reached_does_not_count() -> None:
    assert digest(unused=70) == digest()


def test_caught_values_defaults_and_sets_count() -> None:
    def make(caught: int, default: int) -> Callable[..., Any]:
        def f(x: int, y: int = default) -> bool:
            return x in {1, 2, 3} and y == caught

        return f

    assert cache.reached(make(1, 2)) == cache.reached(make(1, 2))
    assert len({cache.reached(make(1, 2)), cache.reached(make(2, 2)), cache.reached(make(1, 1))}) == 3


def test_arrays_count_by_content_type_and_shape() -> None:
    def reached_with(table: Any) -> str:
        space: dict[str, Any] = {"__name__": "arrays", "TABLE": table}
        exec("def f(x): return TABLE[x]", space)
        return cache.reached(space["f"])

    flat = np.arange(6)
    variants = [flat, flat.reshape(2, 3), flat.astype(np.int32), flat[::-1], np.arange(12)[::2]]
    assert len({reached_with(table) for table in variants}) == 5
    assert reached_with(np.arange(12)[::2]) == reached_with(np.arange(12)[::2].copy())


class Machine:
    """What Numba says of the machine that it compiles for."""

    def magic_tuple(self) -> tuple[str, ...]:
        return ("x86_64", "some processor")


@pytest.fixture
def kept(tmp_path: Path) -> Any:
    source = tmp_path / "keeps.py"
    source.write_text("K = 1\ndef f(x): return x + K\n")
    space: dict[str, Any] = {"__name__": "keeps"}
    exec(compile(source.read_text(), str(source), "exec"), space)
    return Kept(space["f"], tmp_path / "code")


def test_code_is_filed_under_what_it_reaches(kept: Any) -> None:
    first, again = kept.key(("int64",), Machine()), kept.key(("int64",), Machine())
    assert first == again and kept.path(first) == kept.path(again)
    kept._function.__globals__["K"] = 2
    assert kept.path(kept.key(("int64",), Machine())) != kept.path(first)
    assert kept.path(kept.key(("float64",), Machine())) != kept.path(first)


def test_equal_functions_of_two_names_are_filed_apart(tmp_path: Path) -> None:
    space: dict[str, Any] = {"__name__": "twins"}
    exec("def f(x): return x + 1\ndef g(x): return x + 1\n", space)
    one, other = (Kept(space[name], tmp_path) for name in "fg")
    assert one.path(one.key(("int64",), Machine())) != other.path(other.key(("int64",), Machine()))
