"""Start-up times: which processes are run, with which cache. A stand-in for the command line makes it quick."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from facedown.errors import FacedownError
from facedown_bench import startup

# writes down what it is asked for; like the compiler, it is slow where its cache is empty
STAND_IN = """
import os, sys, time
from pathlib import Path
cache = Path(os.environ["FACEDOWN_CACHE"])
if sys.argv[1] == "match":
    empty = not cache.exists()
    if empty:
        cache.mkdir()
        time.sleep(0.5)
with open(os.environ["STAND_IN_DIARY"], "a") as diary:
    print("empty" if sys.argv[1] == "match" and empty else "-", *sys.argv[1:], file=diary)
"""


def test_first_starts_have_empty_caches_and_later_ones_find_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STAND_IN_DIARY", str(tmp_path / "diary"))
    monkeypatch.setattr(startup, "_FACEDOWN", (sys.executable, "-c", STAND_IN))
    monkeypatch.setattr(startup, "_IMPORT_NUMBA", (sys.executable, "-c", "pass"))
    said: list[str] = []
    found = startup.measure([("kuhn", "kuhn", 2), ("mine", "/some/mine.py:GAME", 3)], 2, said.append)

    match = "uniform --games 1000 --seed 1"
    kuhn, mine = f"match kuhn uniform {match}", f"match /some/mine.py:GAME uniform uniform {match}"
    diary = (tmp_path / "diary").read_text().splitlines()
    assert diary == [f"empty {kuhn}", f"empty {mine}", *["- --help", f"- {kuhn}", f"- {mine}"] * 2]
    assert len(said) == startup.steps(2, 2)
    assert [start.game for start in found.games] == ["kuhn", "mine"]
    for start in found.games:
        assert len(start.again) == 2
        assert start.first >= 0.5
        assert start.compiling == pytest.approx(start.first - min(start.again))
    assert (len(found.import_numba), len(found.help)) == (2, 2)
    assert found.floor == min(found.import_numba) > 0


def test_the_real_commands_run() -> None:
    cache = Path(os.environ.get("FACEDOWN_CACHE", "off"))
    assert startup.wall_seconds((*startup._FACEDOWN, "--help"), cache) > 0
    assert startup.wall_seconds(startup._IMPORT_NUMBA, cache) > 0


def test_a_command_that_fails_is_not_a_time(tmp_path: Path) -> None:
    with pytest.raises(FacedownError, match=r"'facedown match kuhm .*' failed .* \(exit code 2\): .*kuhm"):
        startup.wall_seconds(startup.match_command("kuhm", 2), tmp_path)
