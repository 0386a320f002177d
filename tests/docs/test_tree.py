"""The annotated tree in the architecture is the tree on disk."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
LINE = re.compile(r"^((?:    )*)(\S+?)(/?)(?:\s{1,}(.*))?$")


def listed() -> dict[PurePosixPath, str]:
    """The paths in the tree, each with its annotation; directories end in a part of their own."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    block = text.partition("<!-- begin: tree -->\n```text\n")[2].partition("\n```")[0]
    assert block, "docs/architecture.md has no tree"
    found: dict[PurePosixPath, str] = {}
    above: list[str] = []
    for line in block.splitlines():
        match = LINE.match(line)
        assert match is not None, f"cannot read the line '{line}' of the tree"
        depth = len(match[1]) // 4
        above = [*above[:depth], match[2]]
        assert len(above) == depth + 1, f"'{line}' is indented too far"
        found[PurePosixPath(*above)] = match[4] or ""
    return found


@pytest.fixture(scope="module")
def on_disk() -> list[PurePosixPath]:
    """The files that git keeps or would keep."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout: which files belong to the project is not known")
    return [PurePosixPath(line) for line in run.stdout.splitlines() if (ROOT / line).is_file()]


HOW = "run: python docs/generate.py"


def test_every_directory_is_listed(on_disk: list[PurePosixPath]) -> None:
    directories = {parent for path in on_disk for parent in path.parents if parent != PurePosixPath()}
    assert directories - set(listed()) == set(), HOW


def test_every_module_of_the_package_is_listed(on_disk: list[PurePosixPath]) -> None:
    package = PurePosixPath("src/facedown")
    # of the pages' own files, their folders are enough
    pages = (package / "web" / "static", package / "web" / "templates")
    modules = {path for path in on_disk if path.is_relative_to(package) and path.name != "__init__.py"}
    modules -= {path for path in modules if any(path.is_relative_to(folder) for folder in pages)}
    assert len(modules) > 20
    assert modules - set(listed()) == set(), HOW


def test_everything_that_is_listed_is_there(on_disk: list[PurePosixPath]) -> None:
    known = {*on_disk, *(parent for path in on_disk for parent in path.parents)}
    assert set(listed()) - known == set(), HOW


def test_everything_in_the_package_is_annotated() -> None:
    silent = [str(path) for path, words in listed().items() if path.is_relative_to("src") and not words]
    assert silent == [], "give the module a docstring, or its directory a line in WORDS of docs/tree.py"
