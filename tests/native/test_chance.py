"""Chance: the generator against its published values, draws against their probabilities. Tapes: see `test_tapes.py`.

Every statistical test has a fixed seed and a false-alarm rate of one in a million (`RARE`): a correct generator with
another seed would fail it that rarely.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from facedown.native import chance as chances
from facedown.native.chance import (
    NOTHING_TO_DRAW,
    RECORD,
    SAMPLE,
    draw,
    draw_falling,
    draw_from,
    draw_real,
    mix,
    seed_stream,
    shuffle,
)
from facedown.native.jit import COMPILED, native
from facedown.native.records import Record, blank
from naive.generators import xoroshiro

RARE = 1e-6
MANY = 20_000 if COMPILED else 5_000
WORD = 2**64


def fresh(mode: int = SAMPLE, seed: int = 1, game: int = 0, stream: int = 0) -> Record:
    chance = blank(chances.CHANCE)[0]
    seed_stream(chance, seed, game, np.int64(stream))
    chance.mode = mode
    return chance


def assert_frequencies(seen: Counter[Any], probabilities: dict[Any, float]) -> None:
    """Chi-square against exact probabilities, with a false-alarm rate of RARE."""
    n_seen = sum(seen.values())
    assert not set(seen) - set(probabilities), "something came out that cannot"
    excess = sum((seen[key] - n_seen * p) ** 2 / (n_seen * p) for key, p in probabilities.items())
    assert stats.chi2.sf(excess, len(probabilities) - 1) > RARE, (seen, probabilities)


def assert_independent(pairs: list[tuple[int, int]], sides: int) -> None:
    """Every pair of two fair dice is equally likely; false-alarm rate RARE."""
    even = 1 / sides**2
    assert_frequencies(Counter(pairs), dict.fromkeys(itertools.product(range(sides), repeat=2), even))


# --- an independent generator, in Python's own integers ------------------------------------------------------------------


def scrambled(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return word ^ word >> 31


def words_of(chance: Record) -> Iterator[int]:
    return xoroshiro(int(chance.s0), int(chance.s1))


def below(words: Iterator[int], n: int) -> int:
    """Lemire 2019: the high half of a product, unless its low half falls into the part that does not divide evenly."""
    while True:
        high, low = divmod((next(words) >> 32) * n, 2**32)
        if low >= 2**32 % n:
            return high


def test_generator_gives_the_published_values() -> None:
    # state [1, 2]: computed with the authors' C program, printed in the tests of Rust's rand_xoshiro
    published = [
        393217,
        669327710093319,
        1732421326133921491,
        11394790081659126983,
        9555452776773192676,
        3586421180005889563,
        1691397964866707553,
        10735626796753111697,
        15216282715349408991,
        14247243556711267923,
    ]
    chance = fresh()
    chance.s0, chance.s1 = 1, 2
    assert [int(chances._bits(chance)) for _ in published] == published
    assert list(itertools.islice(xoroshiro(1, 2), len(published))) == published


def test_mix_is_the_finaliser_of_splitmix64() -> None:
    # seed 1234567: Rosetta Code, Pseudo-random numbers/Splitmix64
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    golden = 0x9E3779B97F4A7C15
    for at, value in enumerate(published, start=1):
        word = (1234567 + at * golden) % WORD
        assert int(mix(np.uint64(word))) == value == scrambled(word)


def test_generator_and_twin_agree_from_seeded_states() -> None:
    for seed, game, stream in [(0, 0, 0), (1, 5, 2), (2**63 - 1, 10**12, 4)]:
        chance = fresh(SAMPLE, seed, game, stream)
        assert chance.s0 or chance.s1
        assert [int(chances._bits(chance)) for _ in range(100)] == list(
            itertools.islice(words_of(fresh(SAMPLE, seed, game, stream)), 100)
        )


@pytest.mark.parametrize("n", [1, 2, 3, 6, 52, 1000, 2**20 + 1, 3 * 2**29, 2**31 - 1, 2**31])
def test_draw_is_lemires_method_with_rejection(n: int) -> None:
    chance = fresh(SAMPLE, seed=n)
    words = words_of(chance)
    assert [draw(chance, n) for _ in range(200)] == [below(words, n) for _ in range(200)]


# --- frequencies ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 6, 13, 52])
def test_draw_is_uniform(n: int) -> None:
    chance = fresh(SAMPLE, seed=n)
    assert_frequencies(Counter(draw(chance, n) for _ in range(MANY)), dict.fromkeys(range(n), 1 / n))


def test_draw_is_unbiased_where_a_multiplication_alone_is_not() -> None:
    # 3 * 2**29 answers from 2**32 words: without rejection the answers of each remainder by 3 get 3, 3 and 2 parts of 8
    chance = fresh(SAMPLE, seed=5)
    seen = Counter(draw(chance, 3 * 2**29) % 3 for _ in range(MANY))
    assert_frequencies(seen, dict.fromkeys(range(3), 1 / 3))
    words = words_of(fresh(SAMPLE, seed=5))
    biased = Counter(((next(words) >> 32) * 3 * 2**29 >> 32) % 3 for _ in range(MANY))
    with pytest.raises(AssertionError):  # the test has the power to see it
        assert_frequencies(biased, dict.fromkeys(range(3), 1 / 3))


def test_first_draws_of_successive_games_are_uniform() -> None:
    # short games live on the first draws of their streams
    seen = Counter(draw(fresh(SAMPLE, 1, game), 6) for game in range(MANY))
    assert_frequencies(seen, dict.fromkeys(range(6), 1 / 6))


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint8])
def test_draw_from_follows_the_counts(kind: Any) -> None:
    counts = np.array([0, 3, 0, 2, 1, 0], kind)
    chance = fresh(SAMPLE, seed=3)
    seen = Counter(draw_from(chance, counts) for _ in range(MANY))
    assert_frequencies(seen, {1: 3 / 6, 3: 2 / 6, 4: 1 / 6})


def test_draw_from_no_counts_at_all_is_a_fault_and_ends() -> None:
    chance = fresh(SAMPLE)
    assert draw_from(chance, np.zeros(3, np.int64)) == 0
    assert chance.fault == NOTHING_TO_DRAW


def test_draw_from_counts_that_overflow_their_own_type() -> None:
    counts = np.array([100, 100, 100], np.int8)  # 300 is no int8
    chance = fresh(SAMPLE, seed=4)
    assert_frequencies(Counter(draw_from(chance, counts) for _ in range(MANY)), dict.fromkeys(range(3), 1 / 3))


def test_shuffle_makes_all_24_orders_of_4_equally_likely() -> None:
    chance = fresh(SAMPLE, seed=6)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(MANY):
        cards = np.arange(4)
        shuffle(chance, cards)
        seen[tuple(cards.tolist())] += 1
    assert_frequencies(seen, dict.fromkeys(itertools.permutations(range(4)), 1 / 24))


@native
def draw_both_ways(chance: Record, twin: Record, n: int, n_draws: int, answers: Any) -> int:
    draw_falling(chance, n, n_draws, answers)
    n_alike = 0
    for at in range(n_draws):
        n_alike += 1 if draw(twin, n - at) == answers[at] else 0
    return n_alike


@pytest.mark.parametrize("mode", [SAMPLE, RECORD])
def test_falling_draws_are_single_draws(mode: int) -> None:
    chance, twin = fresh(mode, 3), fresh(mode, 3)
    assert draw_both_ways(chance, twin, 50, 25, np.zeros(25, np.int64)) == 25
    assert (chance.s0, chance.s1) == (twin.s0, twin.s1)
    assert chance.n_draws == twin.n_draws == (25 if mode == RECORD else 0)


def test_shuffle_of_one_or_none_draws_nothing() -> None:
    chance = fresh(RECORD)
    shuffle(chance, np.arange(1))
    shuffle(chance, np.arange(0))
    assert chance.n_draws == 0


def test_draw_real_is_uniform_in_53_bits() -> None:
    chance = fresh(SAMPLE, seed=8)
    numbers = [draw_real(chance) for _ in range(MANY)]
    assert all(0 <= number < 1 and (number * 2**53).is_integer() for number in numbers)
    assert_frequencies(Counter(int(number * 16) for number in numbers), dict.fromkeys(range(16), 1 / 16))
    words = words_of(fresh(SAMPLE, seed=8))
    assert numbers[:100] == [(next(words) >> 11) / 2**53 for _ in range(100)]


# --- streams -------------------------------------------------------------------------------------------------------------


def test_streams_of_games_and_agents_all_differ() -> None:
    starts = {int(chances._bits(fresh(SAMPLE, 1, game, stream))) for game in range(400) for stream in range(5)}
    assert len(starts) == 2000


Other = Callable[[int], Record]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda game: fresh(SAMPLE, 1, game + 1, 0), id="next game"),
        pytest.param(lambda game: fresh(SAMPLE, 1, game, 1), id="next agent"),
        pytest.param(lambda game: fresh(SAMPLE, 2, game, 0), id="next seed"),
        pytest.param(lambda game: fresh(SAMPLE, 1, game ^ 1, 0), id="other half of a pair of games"),
    ],
)
def test_neighbouring_streams_are_uncorrelated(other: Other) -> None:
    pairs = []
    for game in range(MANY // 4):
        mine, others = fresh(SAMPLE, 1, game, 0), other(game)
        pairs += [(draw(mine, 6), draw(others, 6)) for _ in range(4)]
    assert_independent(pairs, 6)


def test_successive_draws_of_a_stream_are_uncorrelated() -> None:
    chance = fresh(SAMPLE, seed=9)
    assert_independent([(draw(chance, 6), draw(chance, 6)) for _ in range(MANY)], 6)
