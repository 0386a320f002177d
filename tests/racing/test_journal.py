"""Journals that were changed are refused with a sentence, or go on from a place where the race has been."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facedown.cli import main as cli
from facedown.errors import UsageError
from facedown.files import digest
from facedown.racing.feed import feed
from facedown.racing.journal import SCHEMA, Journal
from facedown.racing.methods import METHODS, RACE, Setting
from facedown.racing.race import race

ABOUT = {"game": "coins", "seed": 1}
N_LINES, BATCH = 12, 20


def written(path: Path, method: str = "zone") -> list[bytes]:
    """Keep a race of coins in a journal; the race after each batch."""
    setting = Setting(method, 0.01, 0.05)
    races, scores = setting.start(), np.random.default_rng(3).integers(0, 3, N_LINES * BATCH) / 2
    journal = Journal(path, ABOUT, setting.start())
    found = []
    for batch in scores.reshape(N_LINES, BATCH):
        feed(races[0], batch)
        journal.save(races)
        found.append(races.tobytes())
    return found


def saved(path: Path, method: str = "zone") -> bytes:
    """The race that a journal goes on from; empty before the first game."""
    found = Journal(path, ABOUT, Setting(method, 0.01, 0.05).start()).saved
    return b"" if found is None else found.tobytes()


def sealed(lines: list[bytes]) -> bytes:
    """A journal with these lines, and digests that fit."""
    chain, content = digest(lines[0]), lines[0] + b"\n"
    for line in lines[1:]:
        chain = digest(chain.encode(), line)
        content += line + b" " + chain.encode() + b"\n"
    return content


def kept_lines(path: Path) -> list[bytes]:
    """The lines of a journal, without their digests."""
    header, *lines = path.read_bytes().splitlines()
    return [header, *(line.partition(b" ")[0] for line in lines)]


@pytest.mark.parametrize("method", METHODS)
def test_what_was_kept_comes_back(method: str, tmp_path: Path) -> None:
    found = written(tmp_path / "race", method)
    assert saved(tmp_path / "race", method) == found[-1]
    assert sealed(kept_lines(tmp_path / "race")) == (tmp_path / "race").read_bytes()


def flip(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :]


def cut(chance: random.Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content))]


def zero(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + bytes(len(content[at : at + 50])) + content[at + 50 :]


def leave_a_line_out(chance: random.Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    del lines[chance.randrange(len(lines))]
    return b"".join(lines)


def exchange_lines(chance: random.Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    one, two = chance.sample(range(1, len(lines)), 2)
    lines[one], lines[two] = lines[two], lines[one]
    return b"".join(lines)


def repeat_a_line(chance: random.Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    at = chance.randrange(1, len(lines))
    return b"".join([*lines[:at], lines[at], *lines[at:]])


def another_digit(chance: random.Random, content: bytes) -> bytes:
    at = chance.choice([at for at, letter in enumerate(content) if letter in b"0123456789abcdef"])
    return content[:at] + chance.choice("0123456789abcdef").encode() + content[at + 1 :]


def test_changed_journals_are_refused_or_go_on_where_the_race_was(tmp_path: Path) -> None:
    path = tmp_path / "race"
    states = {b"", *written(path)}
    whole, chance, n_refused = path.read_bytes(), random.Random(4), 0
    changes = (flip, flip, another_digit, cut, zero, leave_a_line_out, exchange_lines, repeat_a_line)
    for number in range(280):
        changed = changes[number % len(changes)](chance, whole)
        path.write_bytes(changed)
        try:
            found = saved(path)
        except UsageError as problem:
            n_refused += 1
            assert str(path) in str(problem) and "\n" not in str(problem)
            assert path.read_bytes() == changed  # nothing is lost by looking
        else:  # cut off, or its last line is torn: these batches are played again
            assert found in states
            assert path.read_bytes() == sealed(kept_lines(path))
            assert saved(path) == found
    assert n_refused > 200


def test_a_race_ends_the_same_from_every_journal_that_is_believed(tmp_path: Path) -> None:
    def kept(path: Path) -> tuple[Any, ...]:
        found = race("rrrats(tokens=9)", "stationary", "stationary(A1=0.5)", epsilon=0.05, seed=1, journal=path)
        return found.verdict, found.games, found.mean, found.interval

    path, chance, n_believed = tmp_path / "race", random.Random(6), 0
    wanted = kept(path)
    whole = path.read_bytes()
    for number in range(24):
        path.write_bytes((cut, flip, leave_a_line_out)[number % 3](chance, whole))
        try:
            assert kept(path) == wanted
            n_believed += 1
        except UsageError:
            pass
    assert n_believed >= 6


WRONG = [
    ("total", 1e176, r"its scores from 0 to 1 sum up to 1e\+176"),
    ("total", -1.0, r"its total is -1\.0, below 0"),
    ("total", np.nan, "its total is nan, which is not finite"),
    ("squares", 1e6, r"the squares of its \d+ scores sum up to 1000000"),
    ("squares", 0.0, r"the squares of its \d+ scores sum up to 0"),
    ("n_scores", 2**62 + 1, "scores, but follows on 100"),
    ("n_scores", 7, "it has 7 scores, but follows on 100"),
    ("wealth_above", np.inf, "its wealth_above is .*inf.*, which is not finite"),
    ("epsilon", 0.4, r"its epsilon is 0\.4, and not 0\.01 as at the beginning"),
    ("distances", 1.0, "its distances is .* as at the beginning"),
    ("verdict", 4, "its verdict is 4, and there are 0 to 3"),
    ("upper", 3.0, r"its bounds are 0\.0 and 3\.0"),
]


@pytest.mark.parametrize(("name", "value", "words"), WRONG)
def test_numbers_that_no_race_comes_to(name: str, value: float, words: str, tmp_path: Path) -> None:
    path = tmp_path / "race"
    written(path)
    lines = kept_lines(path)[:7]
    races = np.frombuffer(bytearray.fromhex(lines[-1].decode()), RACE)
    races[name] = value
    path.write_bytes(sealed([*lines[:-1], races.tobytes().hex().encode()]))
    with pytest.raises(UsageError, match=f"line 7 is damaged or was changed: .*{words}"):
        saved(path)


def test_nothing_follows_on_a_verdict(tmp_path: Path) -> None:
    path = tmp_path / "race"
    written(path)
    lines = kept_lines(path)
    races = np.frombuffer(bytearray.fromhex(lines[5].decode()), RACE)
    races["verdict"] = 1
    path.write_bytes(sealed([*lines[:5], races.tobytes().hex().encode(), *lines[6:]]))
    with pytest.raises(UsageError, match=r"line 7 .* it goes on after the verdict"):
        saved(path)


def test_journals_of_another_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "race"
    written(path)
    path.write_bytes(path.read_bytes().replace(SCHEMA.encode(), b"facedown.race-journal/1"))
    with pytest.raises(UsageError, match=r"is not the journal of a race; nothing was changed"):
        saved(path)


def test_a_full_disk_ends_a_race_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    states, start = written(tmp_path / "race"), Setting("zone", 0.01, 0.05).start()
    journal = Journal(tmp_path / "race", ABOUT, start)

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UsageError, match=r"cannot be written: No space left on device; the race can go on from what it holds"):
        journal.save(start)
    lines = (tmp_path / "race").read_bytes().splitlines(keepends=True)
    (tmp_path / "race").write_bytes(b"".join(lines[:-1]) + lines[-1][:30])  # what a disk has had room for
    assert saved(tmp_path / "race") == states[-1]


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 300, "~nobody-of-this-name/x"])
def test_places_where_no_journal_can_be(name: str, tmp_path: Path) -> None:
    place = name if name.startswith("~") else f"{tmp_path}/{name}"
    with pytest.raises(UsageError, match=r"that is a directory|cannot be the name of a file|no home directory"):
        race("rrrats(tokens=9)", "stationary", "stationary(A1=0.5)", epsilon=0.05, seed=1, journal=place)


def test_the_command_line_refuses_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["race", "rrrats(tokens=9)", "stationary", "stationary(A1=0.5)", "--epsilon", "0.05", "--seed", "1", "--journal"]
    path = tmp_path / "race"
    monkeypatch.setattr(sys, "argv", ["facedown", *words, str(path)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code in (0, None)
    lines = path.read_bytes().split(b"\n")
    lines[1] = b"00" + lines[1][2:] if lines[1][:2] != b"00" else b"01" + lines[1][2:]
    path.write_bytes(b"\n".join(lines))
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        cli.main()
    said = capsys.readouterr().err
    assert stop.value.code == 2
    assert said.startswith(f"facedown: journal {path}, line 2 is damaged") and said.count("\n") == 1
