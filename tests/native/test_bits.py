"""Sets as bits: counted and searched natively as Python does it."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.native import native
from facedown.native.bits import count_bits, first_bit, pick_bit, pick_by_bytes
from facedown.native.jit import COMPILED


@native
def look_at(numbers: Any, found: Any) -> None:
    for at in range(len(numbers)):
        found[at, 0] = count_bits(numbers[at])
        found[at, 1] = first_bit(numbers[at])


def test_bits_are_counted_and_found() -> None:
    numbers = np.random.default_rng(1).integers(-(2**63), 2**63 - 1, 200)
    numbers[:5] = 0, 1, -1, 2**62, -(2**63)
    numbers[5:60] >>= np.arange(5, 60)
    found = np.zeros((len(numbers), 2), np.int64)
    look_at(numbers, found)
    for number, (n_bits, place) in zip(numbers.tolist(), found.tolist(), strict=True):
        bits = f"{number & (2**64 - 1):064b}"
        assert n_bits == bits.count("1")
        assert place == (64 if number == 0 else len(bits) - 1 - bits.rindex("1"))


def test_small_integers_are_taken_as_they_are() -> None:
    numbers = np.array([0, 1, 6, 127, -1], np.int8)
    found = np.zeros((len(numbers), 2), np.int64)
    look_at(numbers, found)
    assert found.tolist() == [[0, 64], [1, 0], [2, 1], [7, 0], [64, 0]]


@native
def pick_from(sets: Any, numbers: Any, found: Any) -> None:
    for at in range(len(sets)):
        found[at] = pick_bit(sets[at], numbers[at])


def test_the_bit_of_a_number_is_picked_with_and_without_an_instruction_for_it() -> None:
    random = np.random.default_rng(2)
    sets = random.integers(1, 2**64 - 1, 300, np.uint64) >> random.integers(0, 63, 300, np.uint64)
    sets = np.append(sets[sets > 0], [np.uint64(2**64 - 1), np.uint64(2**63)])
    numbers = np.array([random.integers(0, int(bits).bit_count()) for bits in sets])
    found = np.zeros(len(sets), np.uint64)
    pick_from(sets, numbers, found)
    by_bytes = native(pick_by_bytes) if COMPILED else pick_by_bytes
    for bits, number, picked in zip(sets, numbers.tolist(), found.tolist(), strict=True):
        places = [place for place in range(64) if int(bits) >> place & 1]
        assert picked == 1 << places[number] == int(by_bytes(bits, np.uint64(number)))
