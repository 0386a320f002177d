"""The goldens come out as they are kept; a failure names the first line that differs."""

from __future__ import annotations

import pytest

from facedown.games import registry
from goldens.write import COMMAND, LINEUPS, first_difference, golden, transcript


@pytest.mark.parametrize("name", LINEUPS)
def test_golden(name: str) -> None:
    kept = golden(name).read_text(encoding="utf-8").splitlines()
    difference = first_difference(kept, list(transcript(name)))
    if difference:
        pytest.fail(f"{golden(name).name}: {difference}. If this is meant, run: {COMMAND}", pytrace=False)


def test_every_game_has_a_golden() -> None:
    assert {name.partition("-")[0] for name in LINEUPS} == set(registry.BUILT_IN)
    assert sorted(LINEUPS) == sorted(path.stem for path in golden("kuhn").parent.glob("*.txt"))


def test_difference_is_seen_in_every_place() -> None:
    lines = list(transcript("kuhn"))
    assert first_difference(lines, lines) is None
    for number in range(len(lines)):
        changed = [*lines[:number], lines[number] + "!", *lines[number + 1 :]]
        assert str(first_difference(lines, changed)).startswith(f"line {number + 1} is ")
    assert first_difference(lines, lines[:-1]) == f"line {len(lines)} is missing, the golden has {lines[-1]!r}"
