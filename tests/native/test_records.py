"""Record types: names that cannot be, ranges, and the round trip of what a field declares through NumPy's titles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from facedown.native.records import Field, blank, field, fields_of, out_of_range, record

POT = record(
    field("pot", np.int16, 0, 99, "chips on the table; 0 before the ante"),
    field("hand", np.int8, -1, 12, "cards of each player: 0..12, best first; -1 none", (2, 3)),
    field("mark", np.uint8, 0, 255, "anything", 2),
)


@pytest.mark.parametrize(
    "name", ["size", "shape", "copy", "view", "data", "T", "item", "sum", "fill", "dtype", "pprint", "__class__"]
)
def test_a_field_cannot_take_the_name_of_an_attribute(name: str) -> None:
    with pytest.raises(ValueError, match=f"cannot be called '{name}'.*rename it"):
        field(name, np.int8, 0, 1, "")


def test_an_allowed_name_is_read_as_a_field() -> None:
    pot = blank(POT)[0]
    pot.pot = 7
    pot.hand[1, 2] = 5
    assert (pot.pot, pot["pot"], pot.hand[1, 2], pot["hand"].tolist()) == (7, 7, 5, [[0, 0, 0], [0, 0, 5]])


@pytest.mark.parametrize(
    ("kind", "low", "high"), [(np.int8, 0, 128), (np.int8, -129, 0), (np.uint8, -1, 3), (np.int16, 5, 4), (np.uint16, 0, 2**16)]
)
def test_a_range_must_fit_into_the_type(kind: Any, low: int, high: int) -> None:
    with pytest.raises(ValueError, match=rf"field 'pot': the range {low}\.\.{high} does not fit into"):
        field("pot", kind, low, high, "")


def test_fields_come_back_as_they_were_declared() -> None:
    declared = [
        field("pot", np.int16, 0, 99, "chips on the table; 0 before the ante"),
        field("hand", np.int8, -1, 12, "cards of each player: 0..12, best first; -1 none", (2, 3)),
        field("mark", np.uint8, 0, 255, "anything", 2),
    ]
    assert list(fields_of(POT)) == declared
    assert list(fields_of(record(*declared))) == declared


@pytest.mark.parametrize(
    "meaning", ["", "3..4: looks like a range", "two\nlines", "ends in a colon:", "Jakóbczyk's 'pile' ≤ 52"]
)
def test_any_meaning_survives(meaning: str) -> None:
    made = field("pot", np.int8, -5, 5, meaning)
    assert list(fields_of(record(made))) == [made]


def test_a_number_as_shape_is_a_row_of_that_length() -> None:
    assert field("pot", np.int8, 0, 1, "", 4) == Field("pot", np.dtype(np.int8), (4,), 0, 1, "")


def test_fields_without_a_declared_range_are_passed_over() -> None:
    kind = np.dtype((np.record, [("plain", np.int8), (("no range", "titled"), np.int8), (("0..1: yes", "declared"), np.int8)]))
    assert [f.name for f in fields_of(kind)] == ["declared"]


def test_nothing_is_out_of_range_in_a_fitting_record() -> None:
    pots = blank(POT, 3)
    assert len(pots) == 3
    assert out_of_range(POT, pots[1]) is None
    pots[1].hand[:] = [[-1, 12, 0], [0, 0, 0]]
    pots[1].mark[:] = 255
    assert out_of_range(POT, pots[1]) is None


@pytest.mark.parametrize(
    ("name", "place", "value", "sentence"),
    [
        ("pot", (), 100, "'pot' holds 100, declared 0..99 (chips on the table; 0 before the ante)"),
        ("pot", (), -1, "'pot' holds -1, declared 0..99 (chips on the table; 0 before the ante)"),
        ("hand", (0, 2), 13, "'hand' holds 13, declared -1..12 (cards of each player: 0..12, best first; -1 none)"),
        ("hand", (1, 0), -2, "'hand' holds -2, declared -1..12 (cards of each player: 0..12, best first; -1 none)"),
    ],
)
def test_out_of_range_names_field_value_and_range(name: str, place: tuple[int, ...], value: int, sentence: str) -> None:
    pot = blank(POT)[0]
    if place:
        pot[name][place] = value
    else:
        pot[name] = value
    assert out_of_range(POT, pot) == sentence


def test_out_of_range_tells_of_the_first_field_and_its_low_end_first() -> None:
    pot = blank(POT)[0]
    pot.hand[0, 0], pot.hand[0, 1] = 90, -7
    assert out_of_range(POT, pot) == "'hand' holds -7, declared -1..12 (cards of each player: 0..12, best first; -1 none)"
    pot.pot = 1000
    assert str(out_of_range(POT, pot)).startswith("'pot' holds 1000")


def test_a_blank_record_is_all_zero_bytes() -> None:
    assert not any(blank(POT, 2).tobytes())


def test_float_fields_have_ranges_too() -> None:
    kind = record(field("share", np.float64, 0, 1, "share of the pot"))
    shares = blank(kind)[0]
    shares.share = 1.5
    assert out_of_range(kind, shares) == "'share' holds 1.5, declared 0..1 (share of the pot)"
    shares.share = np.nan
    assert out_of_range(kind, shares) == "'share' holds nan, declared 0..1 (share of the pot)"


def test_a_name_is_used_once() -> None:
    with pytest.raises(ValueError, match=r"'pot'.*twice"):
        record(field("pot", np.int8, 0, 1, "one"), field("pot", np.int8, 0, 2, "other"))


def test_two_fields_of_one_meaning_are_told_apart() -> None:
    with pytest.raises(ValueError, match=r"'red' and 'blue'.*same"):  # NumPy takes titles for names
        record(field("red", np.int8, 0, 1, "tokens"), field("blue", np.int8, 0, 1, "tokens"))
