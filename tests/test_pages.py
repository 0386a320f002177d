"""Results as files: pages that need nothing else, rows that are read back exactly, and files that cannot be written."""

from __future__ import annotations

import csv
import io
import json
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown import pages
from facedown.cli import main as cli
from facedown.errors import FacedownError, UsageError


class Balanced(HTMLParser):
    """Sees whether every element is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(text: str) -> Balanced:
    found = Balanced()
    found.feed(text)
    assert found.open == []
    return found


@pytest.fixture(scope="module")
def result() -> fd.MatchResult:
    return fd.match("kuhn", ["uniform", "first"], games=60, seed=1, keep=True)


def test_a_match_as_a_page(result: fd.MatchResult, tmp_path: Path) -> None:
    page = result.write(tmp_path / "match.html").read_text()
    found = parsed(page)
    assert result.repeat in found.text
    assert f"{result.mean[0]:.6g}" in found.text
    assert page.count("<svg") == 1 and 'role="img" aria-label="Average scores' in page
    assert "<script" not in page and page.count("http") == page.count("http://www.w3.org/")
    assert result.write(tmp_path / "again.htm").read_text() == page
    assert parsed(result._repr_html_()).text.count("uniform") == 1


def test_a_match_as_rows(result: fd.MatchResult, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(result.write(tmp_path / "match.CSV").read_text())))
    assert [row["agent"] for row in rows] == ["uniform", "first"]
    assert [float(row["mean"]) for row in rows] == list(result.mean)
    assert [(float(row["low"]), float(row["high"])) for row in rows] == list(result.interval)
    assert [row["mean"] for row in result.rows()] == list(result.mean)


def test_a_plot_shows_what_was_kept(result: fd.MatchResult) -> None:
    assert len(result.plot().axes) == 2
    assert len(fd.match("kuhn", ["uniform", "first"], games=60, seed=1).plot().axes) == 1


def test_files_that_cannot_be_written(result: fd.MatchResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "taken.html").mkdir()
    for name, words in (
        ("match", "a page ends in .html"),
        ("match.png", "a page ends in .html"),
        ("nowhere/match.html", "there is no directory"),
        ("taken.html", "that is a directory; name a file"),
    ):
        with pytest.raises(UsageError, match=words):
            result.write(tmp_path / name)

    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pages, "write_whole", full)
    with pytest.raises(FacedownError, match=r"cannot write .*No space left on device; name a place that can be written"):
        result.write(tmp_path / "match.html")
    assert [path.name for path in tmp_path.iterdir()] == ["taken.html"]


def test_cells_are_no_markup() -> None:
    table = pages.Table("<caption>", ("<a>", "b"), [("<b>", "&")], ("b",))
    found = parsed(table.html())
    assert "<caption>" in found.text and "<b>" in found.text and "&" in found.text


def test_the_command_refuses_before_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["facedown", "match", "kuhn", "uniform", "first", "--games", "60", "--seed", "1", "--json"]
    for more, code in ((["--out", "match.pdf"], 2), (["--out", "match.csv"], 0)):
        monkeypatch.setattr(sys, "argv", [*words, *more])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        assert (stop.value.code or 0) == code
    printed = capsys.readouterr()
    assert "a page ends in .html, rows for a spreadsheet in .csv" in printed.err
    assert json.loads(printed.out)["schema"] == "facedown.match/1"  # once: the first was refused at the door
    assert [path.name for path in tmp_path.iterdir()] == ["match.csv"]
