"""Sets as bits: counted and searched natively as Python does it."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.native import native
from facedown.native.bits import count_bits, first_bit


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
