"""Damaged machine code is never run: it is thrown away, compiled again, and one line says so."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from facedown.files import seal
from facedown.native import cache, kept

pytestmark = pytest.mark.compiled

SOURCE = """
from facedown.native import native
@native
def one(x):
    return x + 1
@native
def two(x):
    return 3 * x
def results():
    return one(10), two(10)
"""
RESULTS = (11, 30)
LINE = "facedown: machine code in {} is damaged; it is thrown away and compiled again\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path / "cache"))
    (tmp_path / "small.py").write_text(SOURCE)
    return tmp_path


def ask(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Any, str]:
    """What a process that starts now would compute, and say."""
    kept._said.clear()
    spec = importlib.util.spec_from_file_location("small", folder / "small.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.results(), capsys.readouterr().err


def entries(folder: Path) -> list[Path]:
    return sorted((folder / "cache").glob("small-*/*.nbc"))


def stamps(folder: Path) -> dict[Path, tuple[int, int]]:
    return {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in entries(folder)}


# --- in this process, often ----------------------------------------------------------------------------------------------


def cut(chance: random.Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content))]


def flip(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :]


def fill(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    n_bytes = chance.choice([1, 16, 512, len(content)])
    return content[:at] + bytes(min(n_bytes, len(content) - at)) + content[at + n_bytes :]


def lengthen(chance: random.Random, content: bytes) -> bytes:
    return content + chance.randbytes(chance.choice([1, 100]))


def empty(chance: random.Random, content: bytes) -> bytes:
    return b""


DAMAGES: list[Callable[[random.Random, bytes], bytes]] = [cut, flip, flip, flip, fill, lengthen, empty]


@pytest.mark.slow
def test_every_damage_is_found_and_mended(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(folder, capsys) == (RESULTS, "")
    whole = {path: path.read_bytes() for path in entries(folder)}
    assert len(whole) == 2
    chance, n_damaged = random.Random(5), 0
    for number in range(210):
        path = chance.choice(sorted(whole))
        content = path.read_bytes()
        damaged = DAMAGES[number % len(DAMAGES)](chance, content)
        path.write_bytes(damaged)
        n_damaged += damaged != content
        said = LINE.format(folder / "cache") if damaged != content else ""
        assert ask(folder, capsys) == (RESULTS, said), f"damage {number}"
        before = stamps(folder)
        assert before.keys() == whole.keys()
        if number % 10 == 0:
            assert ask(folder, capsys) == (RESULTS, "")  # the cache is good again, and used
            assert stamps(folder) == before
    assert n_damaged > 200


def test_files_that_changed_places_are_not_mixed_up(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(folder, capsys)
    one, two = entries(folder)
    contents = one.read_bytes(), two.read_bytes()
    two.write_bytes(contents[0])
    one.write_bytes(contents[1])
    assert ask(folder, capsys) == (RESULTS, LINE.format(folder / "cache"))  # one line for both
    assert ask(folder, capsys) == (RESULTS, "")
    two.write_bytes(one.read_bytes())
    assert ask(folder, capsys) == (RESULTS, LINE.format(folder / "cache"))


def test_an_entry_that_vanishes_is_made_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(folder, capsys)
    whole = stamps(folder)
    for path in whole:
        path.unlink()
        assert ask(folder, capsys) == (RESULTS, "")
    assert stamps(folder).keys() == whole.keys()


def test_the_folder_may_be_pruned_at_any_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(folder, capsys)
    (directory,) = (folder / "cache").iterdir()
    for path in directory.iterdir():
        path.unlink()
    directory.rmdir()  # this process believes that it is there
    assert ask(folder, capsys) == (RESULTS, "")
    assert len(entries(folder)) == 2


def test_what_fits_its_digest_and_cannot_be_read_is_made_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(folder, capsys)
    path = entries(folder)[0]
    path.write_bytes(seal(b"no pickle", f"{path.parent.name}/{path.name}"))
    assert ask(folder, capsys) == (RESULTS, LINE.format(folder / "cache"))
    assert ask(folder, capsys) == (RESULTS, "")


def test_nothing_is_unpickled_before_its_digest_fits(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(folder, capsys)
    for path in entries(folder):
        path.write_bytes(flip(random.Random(1), path.read_bytes()))

    def loads(content: bytes) -> Any:
        raise AssertionError("unpickled")

    monkeypatch.setattr(kept.pickle, "loads", loads)
    assert ask(folder, capsys) == (RESULTS, LINE.format(folder / "cache"))


def full(*_: Any, **__: Any) -> Path:
    raise OSError(28, "No space left on device")


def test_a_full_disk_costs_time_and_not_the_run(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "write_whole", full)
    assert ask(folder, capsys) == (RESULTS, "")
    assert not entries(folder)


def test_a_cache_that_can_only_be_read_is_used(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(folder, capsys)
    before = stamps(folder)

    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    # as an owner of the machine who runs tests may write everywhere, permissions alone would show nothing
    monkeypatch.setattr(cache.tempfile, "TemporaryFile", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    monkeypatch.setattr(Path, "mkdir", refuse)
    monkeypatch.setattr(kept, "write_whole", refuse)
    cache._usable.cache_clear()
    cache._claim.cache_clear()
    assert ask(folder, capsys) == (RESULTS, "")
    assert stamps(folder) == before
    entries(folder)[0].write_bytes(b"damaged")
    assert ask(folder, capsys) == (RESULTS, LINE.format(folder / "cache"))
    assert entries(folder)[0].read_bytes() == b"damaged"
    (folder / "small.py").write_text(SOURCE.replace("3 * x", "4 * x"))  # another source has no folder there yet
    cache._source.cache_clear()
    cache._key.cache_clear()
    assert ask(folder, capsys) == ((11, 40), "")


def test_code_that_holds_addresses_is_not_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "small.py").write_text(
        "import numpy as np\nfrom facedown.native import native\nTABLE = np.arange(300_000)\n"
        "@native\ndef one(x):\n    return TABLE[x]\ndef results():\n    return one(10)\n"
    )
    result, said = ask(folder, capsys)
    assert result == 10
    assert not entries(folder) and said.startswith("facedown: the machine code of ") and said.count("\n") == 1


# --- in processes of their own -------------------------------------------------------------------------------------------

ASK = "import small; print(*small.results())"
Runner = Callable[..., subprocess.CompletedProcess[str]]


def test_processes_that_write_at_once_leave_whole_files(folder: Path, run_python: Runner) -> None:
    command = [sys.executable, "-c", ASK]
    started = [
        subprocess.Popen(command, cwd=folder, env=dict(os.environ), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [process.communicate(timeout=300) for process in started] == [("11 30\n", "")] * 3
    before = stamps(folder)
    assert len(before) == 2
    done = run_python(ASK)
    assert (done.stdout, done.stderr) == ("11 30\n", "")
    assert stamps(folder) == before
    assert not list((folder / "cache").rglob("*.part"))


@pytest.mark.slow
def test_a_match_mends_a_wholly_damaged_cache(tmp_path: Path, run_python: Runner) -> None:
    program = "from facedown.cli.main import main; main()"
    words = ["match", "kuhn", "uniform", "first", "--games", "100", "--seed", "1", "--json"]
    first = run_python(program, *words, FACEDOWN_CACHE=str(tmp_path / "cache"))
    assert first.returncode == 0, first.stderr
    chance = random.Random(3)
    for number, path in enumerate(path for path in sorted((tmp_path / "cache").rglob("*")) if path.is_file()):
        path.write_bytes([cut, flip, empty][number % 3](chance, path.read_bytes()))
    again, later = (run_python(program, *words, FACEDOWN_CACHE=str(tmp_path / "cache")) for _ in range(2))

    found = [json.loads(run.stdout) for run in (first, again, later)]
    assert [one.pop("seconds") > 0 for one in found] == [True] * 3
    assert found[0] == found[1] == found[2]
    assert again.stderr == LINE.format(tmp_path / "cache")
    assert later.stderr == ""
