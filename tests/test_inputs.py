"""Arguments at the door: whole numbers, seeds, threads, names of files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facedown.errors import UsageError
from facedown.files import place_for, user_path, write_whole
from facedown.inputs import LARGEST_SEED, check_seed, check_threads, cores, whole_number


@pytest.mark.parametrize("value", [1, 10, np.int8(3), np.uint64(7)])
def test_whole_numbers(value: Any) -> None:
    found = whole_number("n", value, 1, 10)
    assert found == value and type(found) is int


@pytest.mark.parametrize("value", [0, 11, -1, True, False, 1.0, np.float64(3), "3", None, float("nan"), float("inf"), 2**64])
def test_others_are_refused_with_the_limits(value: Any) -> None:
    with pytest.raises(UsageError) as caught:
        whole_number("n", value, 1, 10)
    assert str(caught.value) == f"n={value}: a whole number from 1 to 10 is needed"


def test_numbers_without_an_upper_limit() -> None:
    assert whole_number("n", 10**30, 1) == 10**30
    with pytest.raises(UsageError, match="n=0: a whole number from 1 on is needed, bytes"):
        whole_number("n", 0, 1, why="bytes")


def test_numbers_that_nobody_can_read_are_told_by_their_length() -> None:
    with pytest.raises(UsageError, match=r"n=a number of about 5,000 digits: a whole number from 1 to 10 is needed, as we say"):
        whole_number("n", 10**5000, 1, 10, "as we say")


def test_seeds() -> None:
    assert check_seed(LARGEST_SEED) == LARGEST_SEED == 2**63 - 1
    assert len({check_seed(None) for _ in range(8)}) > 1  # all equal: 2**-224
    for seed in (-1, 2**63, 10**5000, 1.5, "1", True):
        with pytest.raises(UsageError, match="a seed is a whole number from 0 to 9223372036854775807"):
            check_seed(seed)  # type: ignore[arg-type]


def test_threads() -> None:
    assert check_threads(None) == cores() >= 1
    assert check_threads(4096) == 4096
    for threads in (0, 4097, 2**63 - 1, 10**5000, 1.5):
        with pytest.raises(UsageError, match="a whole number from 1 to 4096 is needed"):
            check_threads(threads)  # type: ignore[arg-type]


def test_names_of_files(tmp_path: Path) -> None:
    assert user_path("~/x") == Path.home() / "x"
    for use in (user_path, lambda name: write_whole(name, "text")):
        with pytest.raises(UsageError, match="there is a NUL"):
            use(str(tmp_path / "a\0b"))
    assert list(tmp_path.iterdir()) == []


def test_files_that_will_be_written(tmp_path: Path) -> None:
    assert place_for(str(tmp_path / "new"), "--out new") == tmp_path / "new"
    with pytest.raises(UsageError, match=r"--out x: there is no directory '.*nowhere'"):
        place_for(tmp_path / "nowhere" / "x", "--out x")
    with pytest.raises(UsageError, match="cannot save to 'x': that is a directory; name a file"):
        place_for(tmp_path, "cannot save to 'x'")
