"""Bytes of records, their hash, and the table that finds rows by it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from facedown.native import field, native, record
from facedown.native.hashing import (
    FREE,
    bytes_of,
    clear_from,
    crowded,
    enter,
    fill,
    find,
    hash_bytes,
    n_slots_for,
    refill,
    same_bytes,
    seek,
    slot_with,
    tag_of,
    word_at,
)
from facedown.native.jit import COMPILED

KIND = record(
    field("small", np.int8, -1, 9, "a byte"),
    field("wide", np.int64, 0, 99, "eight bytes, at an odd address"),
    field("many", np.int16, 0, 999, "five times two bytes", 5),
)
N_ROWS = 3000 if COMPILED else 200
WIDTHS = (0, 1, 7, 8, 9, 30, 64)


@native
def bytes_of_second(records: Any, into: Any) -> int:
    found = bytes_of(records[1])
    into[:] = found
    return len(found)


@native
def words(data: Any, at: int) -> Any:
    return word_at(data, at)


@native
def insert_all(slots: Any, rows: Any) -> int:
    """Put rows into a table, as far as they are not there yet; how many there are."""
    n_found = 0
    for index in range(len(rows)):
        tag = tag_of(hash_bytes(rows[index]))
        known = find(slots, rows, rows[index], tag)
        if known <= FREE:
            fill(slots, known, tag, index)
            n_found += 1
    return n_found


@native
def look_up(slots: Any, rows: Any, wanted: Any, answers: Any) -> None:
    for index in range(len(wanted)):
        answers[index] = find(slots, rows, wanted[index], tag_of(hash_bytes(wanted[index])))


def random_rows(n_rows: int, width: int, seed: int = 1, n_values: int = 256) -> Any:
    return np.random.default_rng(seed).integers(0, n_values, (n_rows, width), np.uint8)


def test_the_bytes_of_a_record_are_those_in_memory() -> None:
    records = np.zeros(3, KIND)
    records[1] = (-1, 2**40 + 5, (1, 2, 3, 4, 999))
    into = np.zeros(KIND.itemsize, np.uint8)
    assert bytes_of_second(records, into) == KIND.itemsize == 19
    assert into.tobytes() == records[1:2].tobytes()


def test_words_are_read_from_any_address() -> None:
    data = random_rows(1, 40)[0]
    for at in range(33):
        assert int(words(data, at)) == int.from_bytes(data[at : at + 8].tobytes(), "little")


@pytest.mark.parametrize("width", WIDTHS)
def test_bytes_are_the_same_only_if_all_are(width: int) -> None:
    one = random_rows(1, width)[0]
    assert same_bytes(one, one.copy())
    for at in range(width):
        other = one.copy()
        other[at] ^= 1
        assert not same_bytes(one, other)
        assert hash_bytes(one) != hash_bytes(other)


def slow_hash(data: bytes) -> int:
    """The same with Python's integers: each word is mixed in by the finaliser of splitmix64 (Steele et al. 2014)."""

    def mixed(z: int) -> int:
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    golden, whole = 0x9E3779B97F4A7C15, len(data) // 8 * 8
    found = mixed((golden + len(data)) % 2**64)
    for at in range(0, whole, 8):
        found = (mixed(found ^ int.from_bytes(data[at : at + 8], "little")) + golden) % 2**64
    return mixed(found ^ int.from_bytes(data[whole:], "little"))


@pytest.mark.parametrize("width", WIDTHS)
def test_hashes_are_those_of_the_slow_twin(width: int) -> None:
    for row in random_rows(20, width):
        assert int(hash_bytes(row)) == slow_hash(row.tobytes())


def test_lengths_count() -> None:
    hashes = {int(hash_bytes(np.zeros(width, np.uint8))) for width in range(40)}
    assert len(hashes) == 40


def test_tags_spread_over_a_table() -> None:
    # rows that differ in few bits, as views do; Poisson: 2000 rows in 256 places, a place with more than 30 of them has
    # probability 2e-9, any of them 5e-7 (fixed rows, so no false alarms later)
    rows = np.zeros((2000, 12), np.uint8)
    rows[:, 3], rows[:, 9] = np.arange(2000) % 50, np.arange(2000) // 50
    places = [int(tag_of(np.uint64(hash_bytes(row)))) & 255 for row in rows]
    assert np.bincount(places, minlength=256).max() <= 30


@pytest.mark.parametrize("width", WIDTHS[1:])
def test_a_table_finds_what_is_in_it_and_nothing_else(width: int) -> None:
    rows = random_rows(N_ROWS, width, n_values=4)  # narrow ones come again and again
    slots = np.zeros(1 << int(np.ceil(np.log2(2 * N_ROWS))), np.int64)
    first = {row.tobytes(): index for index, row in reversed(list(enumerate(rows)))}
    assert insert_all(slots, rows) == len(first) == np.count_nonzero(slots)
    answers = np.zeros(N_ROWS, np.int64)
    look_up(slots, rows, rows, answers)
    assert answers.tolist() == [first[row.tobytes()] for row in rows]
    strangers = random_rows(N_ROWS, width, seed=2) | 128
    look_up(slots, rows, strangers, answers)
    assert (answers <= FREE).all()
    assert (slots[-1 - answers] == 0).all()


def test_rows_with_the_same_tag_are_told_apart() -> None:
    rows = random_rows(5, 8)
    slots = np.zeros(8, np.int64)
    for index in range(4):
        free = find(slots, rows, rows[index], 6)
        assert free <= FREE
        fill(slots, free, 6, index)
    assert [int(find(slots, rows, rows[index], 6)) for index in range(4)] == [0, 1, 2, 3]
    assert np.flatnonzero(slots).tolist() == [0, 1, 6, 7]  # past the end it goes on at the beginning
    assert find(slots, rows, rows[4], 6) == -1 - 2
    assert find(slots, rows, rows[0], 7) == -1 - 2  # the same row, looked for under another tag, is not compared


def test_a_larger_table_holds_the_same() -> None:
    rows = random_rows(N_ROWS, 16)
    slots = np.zeros(1 << int(np.ceil(np.log2(1.5 * N_ROWS))), np.int64)
    insert_all(slots, rows)
    larger = np.zeros(4 * len(slots), np.int64)
    refill(slots, larger)
    answers = np.zeros(N_ROWS, np.int64)
    look_up(larger, rows, rows, answers)
    assert answers.tolist() == list(range(N_ROWS))
    assert sorted(larger[larger != 0]) == sorted(slots[slots != 0])


def test_a_table_is_crowded_beyond_two_thirds() -> None:
    slots = np.zeros(8, np.int64)
    assert [crowded(n_rows, slots) for n_rows in range(8)] == [False] * 5 + [True] * 3


@native
def seek_all(slots: Any, tag: int, places: Any, rows: Any) -> int:
    """Every row with this tag, in the order of probing, and the free slot behind them; how many rows."""
    count = 0
    at, row = seek(slots, tag, tag)
    while row >= 0:
        places[count], rows[count] = at, row
        count += 1
        at, row = seek(slots, tag, at + 1)
    places[count], rows[count] = at, row
    return count


@native
def enter_one(slots: Any, tag: int, index: int) -> None:
    enter(slots, slot_with(tag, index))


@native
def clear_one(slots: Any, tag: int) -> None:
    clear_from(slots, tag)


def test_seeking_passes_over_other_tags_and_goes_round_the_end() -> None:
    slots, places, rows = np.zeros(8, np.int64), np.zeros(8, np.int64), np.zeros(8, np.int64)
    for index, tag in enumerate((6, 14, 6, 5, 6)):  # 14 & 7 == 6: another tag that begins in the same place
        enter_one(slots, tag, index)
    assert [seek_all(slots, 6, places, rows), places[:4].tolist(), rows[:4].tolist()] == [3, [6, 0, 1, 2], [0, 2, 4, -1]]
    assert [seek_all(slots, 14, places, rows), places[:2].tolist(), rows[:2].tolist()] == [1, [7, 2], [1, -1]]
    assert [seek_all(slots, 3, places, rows), places[0], rows[0]] == [0, 3, -1]


def test_clearing_from_every_tag_forgets_all() -> None:
    slots = np.zeros(16, np.int64)
    tags = [3, 3, 19, 4, 15, 31, 9]
    for index, tag in enumerate(tags):
        enter_one(slots, tag, index)
    clear_one(slots, 4)  # its run goes on to the next free slot
    assert np.flatnonzero(slots).tolist() == [0, 3, 9, 15]
    for tag in tags:
        clear_one(slots, tag)
    assert not slots.any()


@pytest.mark.parametrize(("n_rows", "n_slots"), [(0, 8), (1, 8), (4, 8), (5, 16), (8, 16), (9, 32), (1 << 20, 1 << 21)])
def test_a_new_table_is_at_least_half_empty(n_rows: int, n_slots: int) -> None:
    assert n_slots_for(n_rows) == n_slots
