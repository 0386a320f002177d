"""Chance: whatever the rules draw, answered by a generator, by a tape, or by every possibility in turn.

Rules call `draw`, `draw_from` and `shuffle` and never know who answers. The record that they hand over says it:

- SAMPLE: a generator, xoroshiro128++ (Blackman & Vigna 2021), which begins with the 128 bits of its stream (`streams.py`);
- RECORD: the same, and every draw is written down;
- REPLAY: the answers on the tape, each checked against the question;
- EXPLORE: the answers on the tape, and the first possible answer where it ends, so that running the same rules again
  and again with the last answer raised like an odometer visits every outcome (see `outcomes.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.native.jit import call_apart, native, native_inline, unlikely
from facedown.native.records import Record
from facedown.native.streams import MATCHES, STREAMS_A_BLOCK, fill_streams

SAMPLE, RECORD, REPLAY, EXPLORE = 0, 1, 2, 3

TAPE = 256
"""The most draws that one call of `start`, `step` or `imagine` can make where they are recorded, replayed or enumerated.
Matches and searches only sample, and have no such limit."""

NO_FAULT, TAPE_ENDED, OTHER_QUESTION, IMPOSSIBLE_ANSWER, TAPE_FULL, NOTHING_TO_DRAW, NOT_ON_TAPE = 0, 1, 2, 3, 4, 5, 6
FAULTS = {
    TAPE_ENDED: "the rules draw again, but the recorded draws are used up",
    OTHER_QUESTION: "the rules draw from another number of possibilities than was recorded",
    IMPOSSIBLE_ANSWER: "the recorded answer is not one of the possibilities",
    TAPE_FULL: f"the rules draw more than {TAPE} times in one move",
    NOTHING_TO_DRAW: "the rules draw from no possibilities at all",
    NOT_ON_TAPE: "the rules call draw_real, which cannot be recorded; use draw or draw_from",
}

CHANCE = np.dtype(
    (
        Record,
        [
            ("mode", np.int64),
            ("s0", np.uint64),
            ("s1", np.uint64),
            ("n_draws", np.int64),  # on the tape: made so far
            ("n_taped", np.int64),  # on the tape: answers that are given
            ("fault", np.int64),
            ("sizes", np.int64, (TAPE,)),  # one more than the largest possible answer
            ("answers", np.int64, (TAPE,)),
            ("weights", np.int64, (TAPE,)),  # probability of the answer: weights / totals
            ("totals", np.int64, (TAPE,)),
        ],
    )
)

_U = np.uint64
_MIX_1, _MIX_2 = _U(0xBF58476D1CE4E5B9), _U(0x94D049BB133111EB)
_27, _30, _31, _32 = _U(27), _U(30), _U(31), _U(32)
_LOW_32 = _U(0xFFFFFFFF)


@native_inline
def mix(z: Any) -> Any:
    """The finaliser of splitmix64: a bijection of 64 bits that scrambles them."""
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@native
def seed_stream(chance: Record, seed: int, game: int, stream: int, purpose: int = MATCHES) -> None:
    """Answer from the generator from now on: stream number `stream` of a game of the run with this seed."""
    block = np.empty((2 * STREAMS_A_BLOCK, 1), np.uint64)
    fill_streams(seed, purpose, game, stream // STREAMS_A_BLOCK, 1, block)
    take_stream(chance, block, stream % STREAMS_A_BLOCK, 0)


@native_inline
def take_stream(chance: Record, streams: Any, stream: Any, lane: Any) -> None:
    """Answer from the generator from now on, with a stream that `fill_streams` has made."""
    chance.mode = SAMPLE
    chance.s0 = streams[_U(2) * _U(stream), _U(lane)]  # both are zero once in 2**128 streams
    chance.s1 = streams[_U(2) * _U(stream) + _U(1), _U(lane)]


@native_inline
def _bits(chance: Record) -> Any:
    s0, s1 = chance.s0, chance.s1
    total = s0 + s1
    s1 ^= s0
    chance.s0 = ((s0 << _U(49)) | (s0 >> _U(15))) ^ s1 ^ (s1 << _U(21))
    chance.s1 = (s1 << _U(28)) | (s1 >> _U(36))
    return ((total << _U(17)) | (total >> _U(47))) + s0


@native_inline
def _below(chance: Record, n: Any) -> Any:
    """Lemire's multiplication, with his rejection step, so that all answers are exactly equally likely."""
    product = (_bits(chance) >> _32) * _U(n)
    if unlikely(product & _LOW_32 < _U(n)):
        least = (_U(1 << 32) - _U(n)) % _U(n)
        while product & _LOW_32 < least:
            product = (_bits(chance) >> _32) * _U(n)
    return np.int64(product >> _32)


@native
def _on_tape(chance: Record, size: int) -> int:
    """The answer of the tape to a question with answers below `size`, or -1 where the caller has to find one."""
    at = chance.n_draws
    if at >= TAPE:
        chance.fault = TAPE_FULL
        # scattered answers from here on: rules that wait for one of them ("until a six") must come to their end
        beyond = int(chance.n_taped) + 1
        chance.n_taped = beyond
        return np.int64(mix(_U(beyond)) % _U(size))  # type: ignore[return-value]  # int() of a uint64 stays one
    chance.n_draws = at + 1
    if at < chance.n_taped:
        if chance.mode == REPLAY and chance.sizes[at] != size:
            chance.fault = OTHER_QUESTION
        chance.sizes[at] = size
        if chance.answers[at] < 0:
            chance.fault = IMPOSSIBLE_ANSWER
        return max(int(chance.answers[at]), 0)
    chance.sizes[at] = size
    if chance.mode == REPLAY:
        chance.fault = TAPE_ENDED
        return np.int64(mix(_U(at + 1)) % _U(size))  # type: ignore[return-value]
    return -1


@native
def _note(chance: Record, answer: int, weight: int, total: int) -> int:
    """Write an answer down with its probability."""
    at = chance.n_draws - 1
    if at >= 0:
        chance.answers[at] = answer
        chance.weights[at] = weight
        chance.totals[at] = total
    return answer


@native
def _draw_on_tape(chance: Record, n: int) -> int:
    if n < 1:
        chance.fault = NOTHING_TO_DRAW
        return 0
    answer = _on_tape(chance, n)
    if answer < 0:
        answer = _below(chance, n) if chance.mode == RECORD else 0
    if answer >= n:
        chance.fault = IMPOSSIBLE_ANSWER
        answer = 0
    return int(_note(chance, answer, 1, n))


@native_inline
def draw(chance: Record, n: int) -> int:
    """An integer from 0 to n-1, all equally likely; n is at most 2**31."""
    if unlikely(chance.mode != SAMPLE):
        return int(call_apart(_draw_on_tape, (chance, n)))
    return int(_below(chance, n))


@native_inline
def draw_falling(chance: Record, n: int, n_draws: int, answers: Any) -> None:
    """Fill in what `draw(chance, n)`, `draw(chance, n - 1)` and so on would answer: for a deal of `n_draws` cards out of n.

    With nothing written between the draws but `answers`, in room of its own, the generator stays in registers. That is worth
    one or two hundredths of the time of short games of Hanabi.
    """
    if unlikely(chance.mode != SAMPLE):
        for at in range(n_draws):
            answers[at] = draw(chance, n - at)
    else:
        for at in range(n_draws):
            answers[_U(at)] = _below(chance, n - at)


@native
def _index_at(counts: Any, place: int) -> int:
    """Which pile of `counts` the item number `place` lies in."""
    index = 0
    while place >= counts[index]:
        place -= counts[index]
        index += 1
    return index


@native
def draw_from(chance: Record, counts: Any) -> int:
    """An index of `counts`, each as likely as its count (integers, not negative)."""
    total, size = 0, 0
    for index in range(len(counts)):
        total += int(counts[index])
        if counts[index] > 0:
            size = index + 1
    if total < 1:  # to look for an item that is not there would run past the end
        chance.fault = NOTHING_TO_DRAW
        return 0
    if chance.mode == SAMPLE:
        return int(_index_at(counts, _below(chance, total)))
    answer = _on_tape(chance, size)
    if answer < 0:
        answer = _index_at(counts, _below(chance, total)) if chance.mode == RECORD else 0
    if chance.mode == EXPLORE:
        while counts[answer] == 0:  # `size` makes sure that there is one
            answer += 1
    if answer >= size or counts[answer] == 0:
        chance.fault = IMPOSSIBLE_ANSWER
        answer = size - 1
    return int(_note(chance, answer, int(counts[answer]), total))


@native_inline
def draw_listed(chance: Record, listed: Any, counts: Any) -> int:
    """As `draw_from(chance, counts)`, where `listed` has each index as often as its count says, ascending: no search for it."""
    if unlikely(chance.mode != SAMPLE):
        return int(call_apart(draw_from, (chance, counts)))
    return int(listed[_U(_below(chance, len(listed)))])


@native
def shuffle(chance: Record, array: Any) -> None:
    """Put an array into a random order, all equally likely (Fisher & Yates, from the end)."""
    for last in range(len(array) - 1, 0, -1):
        other = draw(chance, last + 1)
        array[last], array[other] = array[other], array[last]


@native
def draw_real(chance: Record) -> float:
    """A number in [0, 1): for agents. Rules use the countable draws, so that they can be enumerated."""
    if chance.mode != SAMPLE:
        chance.fault = NOT_ON_TAPE
    return float(_bits(chance) >> _U(11)) * 1.1102230246251565e-16  # 2**-53
