"""Compiling: templates, calls through addresses, errors that cross them, and the words about it all."""

from __future__ import annotations

import gc
import math
import re
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from facedown.errors import CompileError
from facedown.native import jit
from facedown.native.jit import (
    COMPILE_PROBLEMS,
    Part,
    address,
    bind,
    call_int,
    call_none,
    explain,
    float_room,
    integer_room,
    native,
    native_inline,
)
from facedown.native.records import blank, field, record

BOX = record(field("filled", np.int64, -99, 99, "what is in it"))
compiled = pytest.mark.compiled


@native
def plus_one(x: int) -> int:
    return x + 1


@native
def twice(x: int) -> int:
    return 2 * x


@native_inline
def negative(x: int) -> int:
    return -x


@native
def put(box: Any, x: int) -> None:
    box.filled = negative(x)


@native
def strict(x: int) -> int:
    if x < 0:
        raise ValueError("below zero")
    return x


@native
def strict_put(box: Any, x: int) -> None:
    if x < 0:
        raise ZeroDivisionError
    box.filled = x


@native
def ask(at: int, x: int) -> int:
    return 10 * call_int(at, (x,))


@native
def tell(at: int, boxes: Any, x: int) -> int:
    call_none(at, (boxes[0], x))
    return int(boxes[0].filled)


def template(x: int) -> int:
    return inner(x) + outer(x)  # noqa: F821 - bound below


# --- modes and templates -------------------------------------------------------------------------------------------------


def test_the_two_modes() -> None:
    assert bool(numba.config.DISABLE_JIT) != jit.COMPILED
    assert hasattr(plus_one, "py_func") == jit.COMPILED
    assert native(plus_one) is plus_one  # twice does no harm
    assert plus_one(1) == 2


def test_bind_gives_names_a_meaning() -> None:
    one, other = bind(template, inner=plus_one, outer=twice), bind(template, inner=twice, outer=plus_one)
    assert (one(10), other(10)) == (31, 31)
    squares = bind(template, inner=plus_one, outer=plus_one)
    assert (squares(10), one(10)) == (22, 31)
    with pytest.raises(NameError):
        template(10)  # the template itself stays as it is


def test_bind_keeps_the_name_for_error_messages() -> None:
    bound: Any = bind(template, inner=plus_one, outer=plus_one)
    assert (bound.__name__, bound.__module__) == ("template", __name__)


@pytest.mark.compiled
def test_numbers_in_calls_share_one_machine_code() -> None:
    @native  # inside, so that nothing is kept that a later run would find
    def shifted(x: int, by: int) -> int:
        return x + by

    @native
    def shifted_thrice(x: int) -> int:
        return shifted(x, 1) + shifted(x, 2) + shifted(x, by=3)

    function: Any = shifted
    assert shifted_thrice(10) == 36
    assert len(function.overloads) == 1


# --- addresses -----------------------------------------------------------------------------------------------------------


def test_call_int_through_an_address() -> None:
    assert ask(address(plus_one, 0), 4) == 50
    assert ask(address(twice, 0), 4) == 80  # the same machine code, another function


def test_call_none_through_an_address() -> None:
    boxes = blank(BOX)
    assert tell(address(put, BOX, 0, returns=False), boxes, 7) == -7


def test_exceptions_come_back_through_addresses() -> None:
    at = address(strict, 0)
    assert ask(at, 3) == 30
    with pytest.raises(ValueError, match="below zero"):
        ask(at, -3)
    assert ask(at, 4) == 40
    with pytest.raises(ZeroDivisionError):
        tell(address(strict_put, BOX, 0, returns=False), blank(BOX), -1)


def test_an_address_outlives_the_function() -> None:
    at = address(bind(template, inner=twice, outer=twice), 0)
    for _ in range(3):
        gc.collect()
        bind(template, inner=plus_one, outer=twice)(1)
    assert ask(at, 5) == 200


def test_arrays_at_addresses_are_the_arrays_themselves() -> None:
    numbers, counts, letters = np.array([0.5, 1.5]), np.array([3, 4, 5]), np.array([1, 255], np.uint8)
    assert fill(numbers.ctypes.data, counts.ctypes.data, letters.ctypes.data) == 2.0 + 12 + 256
    assert (numbers[1], counts[2], letters[0]) == (-1.0, -2, 7)


@native
def fill(numbers_at: int, counts_at: int, letters_at: int) -> float:
    numbers, counts, letters = jit.floats_at(numbers_at, 2), jit.integers_at(counts_at, 3), jit.bytes_at(letters_at, 2)
    total = 0.0
    for number in numbers:
        total += number
    for count in counts:
        total += count
    for letter in letters:
        total += letter
    numbers[1], counts[2], letters[0] = -1.0, -2, 7
    return total


@native
def returns_float(x: int) -> float:
    return x / 2


@native
def returns_nothing(x: int) -> None:
    pass


@native
def returns_small(x: int) -> Any:
    return np.int8(x)


@native
def returns_truth(x: int) -> bool:
    return x > 0


@compiled
@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (returns_float, "returns_float must return an integer on every path; compiled, it returns float64"),
        (returns_nothing, "returns_nothing must return an integer on every path; compiled, it returns none"),
        (returns_small, r"returns_small must return int64 on every path, not int8: write int\(...\)"),
        (returns_truth, r"returns_truth must return int64 on every path, not bool: write int\(...\)"),
    ],
)
def test_an_address_checks_the_result(function: Any, sentence: str) -> None:
    with pytest.raises(CompileError, match=sentence):
        address(function, 0)


@compiled
def test_an_address_without_result_checks_that_there_is_none() -> None:
    with pytest.raises(CompileError, match="plus_one must return nothing; compiled, it returns int64"):
        address(plus_one, 0, returns=False)


# --- words about problems ------------------------------------------------------------------------------------------------


@native
def peek(box: Any) -> int:
    return int(box.hand_of_others)


@native
def peek_further(box: Any) -> int:
    return peek(box) + 1


@native
def misspelt(box: Any) -> int:
    return int(np.no_such_function(box.filled))


@native
def other_trouble(box: Any) -> int:
    return int(math.floor("word") + box.filled)  # type: ignore[arg-type]


def problem_of(function: Any) -> Exception:
    with pytest.raises((*COMPILE_PROBLEMS, AttributeError, TypeError)) as caught:
        function(blank(BOX)[0])
    return caught.value


@pytest.mark.parametrize("function", [peek, peek_further])
def test_a_hidden_field_is_named(function: Any) -> None:
    said = explain(problem_of(function), "agent spy", sees="players cannot see")
    assert isinstance(said, CompileError)
    assert str(said) == "agent spy reads 'hand_of_others', which players cannot see"


def test_a_missing_field_of_rules_is_no_secret() -> None:
    said = str(explain(problem_of(peek), "'step' of kuhn"))
    assert said == "'step' of kuhn reads 'hand_of_others', which is not a field of what it is given"


@pytest.mark.parametrize(("function", "word"), [(misspelt, "no_such_function"), (other_trouble, "")])
def test_other_problems_are_not_taken_for_peeking(function: Any, word: str) -> None:
    said = str(explain(problem_of(function), "agent clumsy", sees="players cannot see"))
    assert said.startswith("agent clumsy cannot be compiled: ")
    assert word in said
    assert "cannot see" not in said
    assert "\n" not in said


@compiled
def test_a_problem_has_a_place() -> None:
    assert re.search(r'File ".*test_jit.py", line \d+', str(explain(problem_of(other_trouble), "agent clumsy")))


def test_a_problem_without_words_still_has_a_name() -> None:
    assert str(explain(KeyError(), "agent mute")) == "agent mute cannot be compiled: KeyError"


# --- words about compiling -----------------------------------------------------------------------------------------------


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    monkeypatch.setattr(jit, "COMPILED", True)  # the words are the same whether or not anything is compiled
    monkeypatch.setattr(jit, "_said", set())
    return tmp_path


KUHN, LEDUC = Part("Kuhn: 2 players", 4.6, (plus_one, twice)), Part("leduc", 2, (twice,))


def said_for(capsys: pytest.CaptureFixture[str], *parts: Part) -> str:
    with jit.compiling(*parts):
        pass
    return capsys.readouterr().err


def test_compiling_is_told_once(own_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said_for(capsys, KUHN) == "compiling Kuhn: 2 players once, about 5 s\n"
    assert said_for(capsys, KUHN) == ""
    marks = list(own_cache.rglob("*.seconds"))
    assert len(marks) == 1
    assert 0 <= float(marks[0].read_text()) < 10
    jit._said.clear()
    assert said_for(capsys, KUHN) == ""  # what counts is what is kept: another process does not know what was said here


@pytest.mark.usefixtures("own_cache")
def test_compiling_tells_what_is_new(capsys: pytest.CaptureFixture[str]) -> None:
    assert said_for(capsys, LEDUC) == "compiling leduc once, about 2 s\n"
    third = Part("war", 3, (plus_one,))
    assert said_for(capsys, KUHN, LEDUC, third) == "compiling Kuhn: 2 players, war once, about 8 s\n"
    assert said_for(capsys) == ""


@pytest.mark.usefixtures("own_cache")
def test_in_a_terminal_it_is_folded_between_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert said_for(capsys, KUHN) == "compiling Kuhn: 2\nplayers once, about\n5 s\n"


@pytest.mark.usefixtures("own_cache")
def test_compiling_that_fails_is_told_again(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        with pytest.raises(CompileError), jit.compiling(KUHN):
            raise CompileError("no")
    assert capsys.readouterr().err.count("compiling Kuhn") == 2


@pytest.mark.usefixtures("own_cache")
def test_compiling_without_a_cache_is_told_once_a_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", "off")
    assert said_for(capsys, KUHN).startswith("compiling Kuhn: 2 players")
    assert said_for(capsys, KUHN) == ""


@pytest.mark.usefixtures("own_cache")
def test_compiling_can_be_silent(capsys: pytest.CaptureFixture[str]) -> None:
    with jit.without_notices():
        assert said_for(capsys, KUHN) == ""
    with pytest.raises(RuntimeError), jit.without_notices():
        raise RuntimeError
    assert jit._notices == [True]


def test_plain_python_compiles_nothing(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jit, "COMPILED", False)
    assert said_for(capsys, KUHN) == ""
    assert list(own_cache.iterdir()) == []


def test_the_generator_may_overflow_in_any_thread() -> None:
    """Counting modulo 2**64 is meant; plain Python must not warn of it, in no thread."""
    from concurrent.futures import ThreadPoolExecutor

    import facedown as fd

    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(fd.match, "kuhn", ["uniform", "uniform"], games=20, seed=1).result()
    assert result.mean == fd.match("kuhn", ["uniform", "uniform"], games=20, seed=1).mean


# --- room on the stack --------------------------------------------------------------------------------------------------------

N_PLACES = 7


@native
def _fill(numbers: Any, first: int) -> None:
    for place in range(len(numbers)):
        numbers[place] = first + place


@native
def _sum_in_rooms(depth: int) -> float:
    """Every call has room of its own, which calls inside it leave alone."""
    whole, real = integer_room(N_PLACES), float_room(2)
    _fill(whole, 100 * depth)
    _fill(real, 0.5)
    deeper = 0.0
    if depth > 0:
        deeper = _sum_in_rooms(depth - 1)
    total = deeper
    for place in range(N_PLACES):
        total += whole[place]
    return total + real[0] + real[1]


def test_room_to_work_in_is_nobody_elses() -> None:
    wanted = sum(sum(100 * depth + place for place in range(N_PLACES)) + 2.0 for depth in range(4))
    assert _sum_in_rooms(3) == wanted
    assert [_sum_in_rooms(0) for _ in range(3)] == [23.0] * 3
