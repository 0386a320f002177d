"""Streams: 128 bits for every stream of every game of a run, derived one way from the seed by ChaCha8 (Bernstein 2008).

An agent holds the generator of its own draws, and whoever holds a generator knows its state. So nothing must follow from
one stream for another: neither the cards, nor the dice to come, nor what other seats draw. Each stream is a part of a
block of ChaCha whose key is the seed, and to get from some words of a block to its others, or to its key, one would have
to break the cipher (that a small seed can be guessed by trying is another matter: docs/threat-model.md).

    key      seed (2 words), purpose, zeros
    counter  the number of the game (2 words)
    nonce    the number of the block: it holds streams 4 * block to 4 * block + 3

Eight rounds are what the best known attacks leave a margin to (Aumasson 2020, Too much crypto), and cost a game less than
the cheaper mixing that this replaced: blocks of many games are made at once, which the compiler turns into vectors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.native.jit import COMPILED, native, native_inline

MATCHES, LEARNING, EVALUATION, AGREEMENT, REPLIES, CHECKS = 0, 1, 2, 3, 4, 5
"""What a stream is for: with the same seed, different purposes have nothing in common."""

STREAMS_A_BLOCK = 4
LANES = 32
"""Blocks of this many games are made at once."""

# "expand 32-byte k"
_C0, _C1, _C2, _C3 = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574

if COMPILED:  # pragma: compiled

    @native_inline
    def _word(z: Any) -> Any:
        """The low 32 bits."""
        return np.uint32(z)

    @native_inline
    def _pair(low: Any, high: Any) -> Any:
        """Two words as 64 bits."""
        return np.uint64(low) | (np.uint64(high) << np.uint64(32))

else:

    def _word(z: Any) -> Any:
        return int(z) & 0xFFFFFFFF  # Python's own integers: ten times as quick as NumPy's

    def _pair(low: Any, high: Any) -> Any:
        return np.uint64(low | (high << 32))


@native_inline
def _quarter_round(a: Any, b: Any, c: Any, d: Any) -> Any:
    a = _word(a + b)
    d ^= a
    d = _word((d << 16) | (d >> 16))
    c = _word(c + d)
    b ^= c
    b = _word((b << 12) | (b >> 20))
    a = _word(a + b)
    d ^= a
    d = _word((d << 8) | (d >> 24))
    c = _word(c + d)
    b ^= c
    b = _word((b << 7) | (b >> 25))
    return a, b, c, d


@native_inline
def _double_round(
    a0: Any,
    a1: Any,
    a2: Any,
    a3: Any,
    b0: Any,
    b1: Any,
    b2: Any,
    b3: Any,
    c0: Any,
    c1: Any,
    c2: Any,
    c3: Any,
    d0: Any,
    d1: Any,
    d2: Any,
    d3: Any,
) -> Any:
    """Columns, then diagonals."""
    a0, b0, c0, d0 = _quarter_round(a0, b0, c0, d0)
    a1, b1, c1, d1 = _quarter_round(a1, b1, c1, d1)
    a2, b2, c2, d2 = _quarter_round(a2, b2, c2, d2)
    a3, b3, c3, d3 = _quarter_round(a3, b3, c3, d3)
    a0, b1, c2, d3 = _quarter_round(a0, b1, c2, d3)
    a1, b2, c3, d0 = _quarter_round(a1, b2, c3, d0)
    a2, b3, c0, d1 = _quarter_round(a2, b3, c0, d1)
    a3, b0, c1, d2 = _quarter_round(a3, b0, c1, d2)
    return a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3


@native
def fill_streams(seed: int, purpose: int, first: int, block: int, n_games: int, streams: Any) -> None:
    """One block for each of `n_games` games from number `first` on.

    Stream 4 * block + i of game `first + lane` is in `streams[2 * i, lane]` and `streams[2 * i + 1, lane]`.
    """
    zero = _word(0)
    seed_low, seed_high = _word(seed), _word(seed >> 32)
    use, which = _word(purpose), _word(block)
    for lane in range(n_games):
        game = first + lane
        low, high = _word(game), _word(game >> 32)
        constants, key = (_word(_C0), _word(_C1), _word(_C2), _word(_C3)), (seed_low, seed_high, use, zero)
        mixed = _double_round(*constants, *key, zero, zero, zero, zero, low, high, which, zero)
        mixed = _double_round(*_double_round(*_double_round(*mixed)))
        # the words that it began with are added, or the rounds could be run backwards
        streams[0, lane] = _pair(_word(mixed[0] + _C0), _word(mixed[1] + _C1))
        streams[1, lane] = _pair(_word(mixed[2] + _C2), _word(mixed[3] + _C3))
        streams[2, lane] = _pair(_word(mixed[4] + seed_low), _word(mixed[5] + seed_high))
        streams[3, lane] = _pair(_word(mixed[6] + use), mixed[7])
        streams[4, lane] = _pair(mixed[8], mixed[9])
        streams[5, lane] = _pair(mixed[10], mixed[11])
        streams[6, lane] = _pair(_word(mixed[12] + low), _word(mixed[13] + high))
        streams[7, lane] = _pair(_word(mixed[14] + which), mixed[15])
