"""Record types: names that cannot be, ranges, and the round trip of what a field declares through NumPy's titles."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from facedown.native import native
from facedown.native.records import (
    Field,
    Record,
    blank,
    copy_field,
    copy_shared,
    field,
    fields_of,
    out_of_range,
    record,
    shared_fields,
)

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


def test_fields_are_attributes_as_in_a_record_of_numpy() -> None:
    inner = np.dtype([("eye", np.int8), ("eyes", np.int8, (2,))])
    columns = [(("0..9: what it is", "n"), np.int64), ("share", np.float64), ("inner", inner), ("pair", inner, (2,))]
    ours, theirs = (np.zeros(2, np.dtype((kind, columns)))[1] for kind in (Record, np.record))
    for one in (ours, theirs):
        one.n, one.share = 3, 0.5
        one.n += 4
        one.inner.eye, one.inner.eyes[1] = 5, 6
        one.inner.eyes = (7, one.inner.eyes[1])
        one.pair[1]["eye"] = 8
        with pytest.raises(AttributeError, match=r"attribute '?m"):
            _ = one.m
        with pytest.raises(AttributeError, match=r"attribute '?m"):
            one.m = 1
        with pytest.raises(ValueError, match="could not convert string to float"):
            one.share = "half"
    assert ours.tobytes() == theirs.tobytes() and ours.dtype == theirs.dtype and type(ours.n) is type(theirs.n)
    assert pickle.loads(pickle.dumps(ours)).inner.eyes.tolist() == [7, 6]


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


# --- what a view shares with the state ---

_OPEN = (
    field("mover", np.int8, -1, 1, "player to move; -1 the game is over"),
    field("rounds", np.int32, 0, 99, "rounds so far"),
)
_LINE = (field("line", np.int16, -1, 9, "tiles in the line; -1 none", (2, 3)), field("pot", np.int8, 0, 99, "chips in the pot"))
WHOLE = record(
    field("card", np.int8, 0, 9, "card of each player", 2),
    *_OPEN,
    field("deck", np.uint64, 0, 9, "cards that nobody has"),
    *_LINE,
    field("known", np.int8, 0, 9, "cards that somebody knows", 2),
    field("mark", np.int8, 0, 9, "a mark"),
    field("level", np.int8, 0, 9, "a level"),
)
SEEN = record(
    *_OPEN[::-1],  # in another order, so that its offsets differ
    field("card", np.int8, 0, 9, "card of each player"),  # same words, another shape
    *_LINE,
    field("known", np.int8, 0, 9, "cards that you know", 2),  # other words
    field("mark", np.int16, 0, 9, "a mark"),  # another type
    field("level", np.int8, 0, 8, "a level"),  # another range
)
SHARED = {"mover", "rounds", "line", "pot"}


@native
def copied(source: Any, target: Any) -> None:
    copy_shared(source, target)


def noise(kind: np.dtype[Any], seed: int) -> Any:
    """A record of bytes that were drawn."""
    one = blank(kind)
    one.view(np.uint8)[:] = np.random.default_rng(seed).integers(0, 256, kind.itemsize)
    return one[0]


def test_fields_are_shared_that_are_declared_alike() -> None:
    assert set(shared_fields(WHOLE, SEEN)) == set(shared_fields(SEEN, WHOLE)) == SHARED


@pytest.mark.parametrize(("source_kind", "target_kind"), [(WHOLE, SEEN), (SEEN, WHOLE)])
@pytest.mark.parametrize("copy", [copied, copy_shared], ids=["native", "plain"])
def test_what_is_shared_is_copied_and_nothing_else_is_touched(copy: Any, source_kind: Any, target_kind: Any) -> None:
    source, target = noise(source_kind, 1), noise(target_kind, 2)
    sent, before = source.tobytes(), target.copy()
    copy(source, target)
    assert source.tobytes() == sent
    for name in target_kind.names:
        wanted = source[name] if name in SHARED else before[name]
        assert np.asarray(target[name]).tobytes() == np.asarray(wanted).tobytes(), name


def test_records_that_share_nothing_are_left_alone() -> None:
    source, target = noise(POT, 1), noise(SEEN, 2)
    before = target.tobytes()
    copied(source, target)
    assert target.tobytes() == before


# --- one field ------------------------------------------------------------------------------------------------------------


@native
def copied_hands(source: Any, target: Any) -> None:
    copy_field(source, target, "hands")


@pytest.mark.parametrize("copy", [copied_hands, lambda *both: copy_field(*both, "hands")], ids=["native", "plain"])
def test_one_field_is_copied_whatever_it_means(copy: Any) -> None:
    own = record(field("pot", np.int8, 0, 9, "chips"), field("hands", np.int8, 0, 9, "all cards", (2, 3)))
    other = record(field("hands", np.int8, 0, 9, "cards of others", (2, 3)), field("pot", np.int8, 0, 9, "chips"))
    source, target = blank(own), blank(other)
    source["hands"], source["pot"] = [[1, 2, 3], [4, 5, 6]], 7
    copy(source[0], target[0])
    assert target["hands"][0].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert target["pot"][0] == 0


SHORT = record(field("first", np.int64, 0, 9, "a number"))
LONG = record(field("first", np.int64, 0, 9, "a number"), field("second", np.int64, 0, 9, "another"))


@native
def add_one(numbers: Any) -> None:
    numbers.first += 1


@native
def add_one_to_each(short: Any, long: Any) -> None:
    add_one(short)
    add_one(long)


@pytest.mark.compiled
def test_a_longer_record_is_not_taken_for_the_shorter_one_it_begins_with() -> None:
    """Numba would, with a warning, which is an error here; and only if the shorter one came first."""
    short, long = np.zeros(1, SHORT), np.zeros(1, LONG)
    add_one_to_each(short[0], long[0])
    assert (short["first"], long["first"]) == (1, 1)
