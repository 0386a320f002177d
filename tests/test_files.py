"""Names that users give to files, digests, and seals."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.arena.transcript import read_transcript
from facedown.errors import UsageError
from facedown.files import digest, digest_of_arrays, printable, seal, unseal, user_path, write_whole
from facedown.policies.policy import read_policy
from facedown.racing.race import race
from facedown.solving.checkpoint import load_solution
from facedown.solving.solver import solve
from facedown.solving.train import train

# --- names ---------------------------------------------------------------------------------------------------------------


def test_a_path_is_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    assert user_path("a/b.npz") == Path("a/b.npz")
    assert user_path(Path("/a/b")) == Path("/a/b")
    assert user_path("~/b") == Path("/home/somebody/b")
    assert user_path("") == Path()
    assert user_path(os.fsdecode(b"\xff")) == Path(os.fsdecode(b"\xff"))  # names on disk need not be text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a\0b", r"'a\\x00b' cannot be the name of a file: there is a NUL byte in it; leave it out"),
        ("a\ud800b", r"'a\\ud800b' cannot be the name of a file"),
        ("~nobody-of-this-name/x", "there is no home directory ~nobody-of-this-name here; write the whole path"),
        ("x" * 256, "'x{40}...' cannot be the name of a file: it has 256 bytes, and a file's name has at most 255"),
        ("é" * 128, "it has 256 bytes"),
        ("a/" * 3000, "with its directories 4,095"),
    ],
)
def test_what_no_file_can_be_called_is_a_sentence(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        user_path(name)
    assert printable(str(caught.value)) == str(caught.value)


USES: dict[str, Callable[[str], Any]] = {
    "table": lambda name: fd.match("kuhn", [f"table({name})", "uniform"], games=2),
    "table of summaries": lambda name: fd.match("love_letter", [f"table({name})", "uniform"], games=2),
    "read_policy": read_policy,
    "load_solution": load_solution,
    "solve, to go on": lambda name: solve("kuhn", start=name),
    "solve, to save": lambda name: solve("kuhn", save=name),
    "train": lambda name: train("kuhn", iterations=1, save=name),
    "replay": read_transcript,
    "a game in a file": lambda name: fd.game(f"./{name}.efg"),
    "a game in a module": lambda name: fd.game(f"./{name}.py:GAME"),
    "a journal": lambda name: race("kuhn", "uniform", "first", journal=name),
    "write_whole": lambda name: write_whole(name, "text"),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", ["\0", "a\0b", "x" * 5000, "a\ud800b"], ids=["NUL", "with NUL", "long", "surrogate"])
def test_every_use_of_such_a_name_is_a_sentence(use: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"cannot be the name of a file|there is a NUL character in it"):
        USES[use](name)
    assert list(tmp_path.iterdir()) == []


# --- digests -------------------------------------------------------------------------------------------------------------


def test_digests_are_sha256_of_parts_and_their_lengths() -> None:
    assert digest() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # FIPS 180-4, of nothing
    assert len({digest(b"ab", b"c"), digest(b"a", b"bc"), digest(b"abc"), digest(b"abc", b"")}) == 4


def test_the_digest_of_arrays_stands_for_all_of_them() -> None:
    arrays = {"a": np.arange(6), "b": np.array("text"), "c": np.zeros((2, 0))}
    same = {"c": np.zeros((2, 0)), "b": np.array("text"), "a": np.arange(12)[::2] // 2}
    assert digest_of_arrays(arrays) == digest_of_arrays(same)
    others: list[dict[str, Any]] = [
        {**arrays, "a": np.arange(6) + 1},
        {**arrays, "a": np.arange(6).reshape(2, 3)},
        {**arrays, "a": np.arange(6).astype(np.uint64)},
        {**arrays, "a": np.arange(6).astype(">i8")},
        {**arrays, "b": np.array("texts")},
        {**arrays, "c": np.zeros((0, 2))},
        {**arrays, "d": np.zeros(0)},
        {"aa" if name == "a" else name: array for name, array in arrays.items()},
        {"a": arrays["a"], "b": arrays["b"]},
    ]
    assert len({digest_of_arrays(one) for one in [arrays, *others]}) == len(others) + 1


def test_seals_break_at_every_change() -> None:
    whole = seal(b"content", "owner")
    assert unseal(whole, "owner") == b"content"
    assert unseal(whole, "another") is None
    assert unseal(seal(b"", "owner"), "owner") == b""
    chance = random.Random(1)
    changed = [whole[:size] for size in range(len(whole))] + [whole + b"x"]
    for at in range(len(whole)):
        changed.append(whole[:at] + bytes([whole[at] ^ (1 << chance.randrange(8))]) + whole[at + 1 :])
    assert all(unseal(one, "owner") is None for one in changed)
