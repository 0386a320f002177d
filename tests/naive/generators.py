"""ChaCha (Bernstein 2008) and xoroshiro128++ (Blackman & Vigna 2021) in Python's own integers, as their papers write them."""

from __future__ import annotations

import struct
from collections.abc import Iterator

WORD = 2**32
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def rotate(word: int, by: int, bits: int = 32) -> int:
    """To the left."""
    return ((word << by) | (word >> (bits - by))) % 2**bits


def block(rounds: int, key: list[int], last: list[int]) -> list[int]:
    """The 16 words of a block: `key` has 8 words, `last` the 4 of counter and nonce, however they are divided."""
    before = [*struct.unpack("<4I", b"expand 32-byte k"), *key, *last]
    words = list(before)
    for number in range(rounds):
        for a, b, c, d in COLUMNS if number % 2 == 0 else DIAGONALS:
            for first, second, third, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                words[first] = (words[first] + words[second]) % WORD
                words[third] = rotate(words[third] ^ words[first], by)
    return [(word + start) % WORD for word, start in zip(words, before, strict=True)]


def stream_words(seed: int, purpose: int, game: int, stream: int) -> tuple[int, int]:
    """The two 64-bit words that a stream begins with."""
    key = [seed % WORD, seed // WORD, purpose, 0, 0, 0, 0, 0]
    words = block(8, key, [game % WORD, game // WORD, stream // 4, 0])[4 * (stream % 4) : 4 * (stream % 4) + 4]
    return words[0] + words[1] * WORD, words[2] + words[3] * WORD


def xoroshiro(s0: int, s1: int) -> Iterator[int]:
    """The words of xoroshiro128++ from a state on."""
    while True:
        yield (rotate((s0 + s1) % 2**64, 17, 64) + s0) % 2**64
        s1 ^= s0
        s0, s1 = rotate(s0, 49, 64) ^ s1 ^ (s1 << 21) % 2**64, rotate(s1, 28, 64)
