"""Docstrings keep the shape of their lists: a line that goes on with an item is indented below it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "facedown"
_ITEM = re.compile(r"(?P<indent> *)(?:-|\d+\.) \S")


def broken_lists(text: str) -> list[str]:
    """Lines that go on with an item of a list without being indented, and items that begin at the end of a line."""
    found = []
    for line, following in pairwise([*text.splitlines(), ""]):
        item = _ITEM.match(line)
        goes_on = bool(following.strip()) and not _ITEM.match(following)
        if item and goes_on and len(following) - len(following.lstrip()) <= len(item["indent"]):
            found.append(following)
        if re.search(r"[.;] \d\.$", line):
            found.append(line)
    return found


def docstrings() -> Iterator[tuple[str, str]]:
    """Every docstring of the package and where it is; what is indented as a whole is quoted (a table, a file) and left out."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield f"{path}: {getattr(node, 'name', '')}", re.sub(r"(?m)^    .*\n?", "", ast.get_docstring(node) or "")


def test_lists_in_docstrings_are_indented() -> None:
    assert {where: found for where, text in docstrings() if (found := broken_lists(text))} == {}


def test_a_broken_list_is_found() -> None:
    assert broken_lists("1. one\ngoes on\n2. two") == ["goes on"]
    assert broken_lists("Ways:\n- one. 3.\n  more") == ["- one. 3."]
    assert broken_lists("1. one\n   goes on\n2. two\n\nText") == []
