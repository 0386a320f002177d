"""Tapes: draws that are recorded, replayed and explored, and every fault that a tape can have."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from facedown.native.chance import (
    CHANCE,
    EXPLORE,
    FAULTS,
    IMPOSSIBLE_ANSWER,
    NO_FAULT,
    NOT_ON_TAPE,
    NOTHING_TO_DRAW,
    OTHER_QUESTION,
    RECORD,
    REPLAY,
    SAMPLE,
    TAPE,
    TAPE_ENDED,
    TAPE_FULL,
    draw,
    draw_from,
    draw_real,
    seed_stream,
    shuffle,
)
from facedown.native.records import Record, blank

COUNTS = np.array([2, 0, 5, 1], np.int64)


def fresh(mode: int, seed: int = 1) -> Record:
    chance = blank(CHANCE)[0]
    seed_stream(chance, seed, 0, np.int64(0))
    chance.mode = mode
    return chance


def taped(*draws: tuple[int, int], mode: int = REPLAY) -> Record:
    """A tape with these (answer, size)."""
    chance = fresh(mode)
    chance.n_taped = len(draws)
    for at, (answer, size) in enumerate(draws):
        chance.answers[at], chance.sizes[at] = answer, size
    return chance


def questions(chance: Record) -> list[Any]:
    """Some of every kind of draw."""
    cards = np.arange(5)
    answers: list[Any] = [draw(chance, 6), draw_from(chance, COUNTS), draw(chance, 1), draw(chance, 2**31)]
    shuffle(chance, cards)
    return [*answers, cards.tolist(), draw_from(chance, COUNTS)]


def test_recorded_answers_are_the_sampled_ones() -> None:
    for seed in range(50):
        chance = fresh(RECORD, seed)
        assert questions(chance) == questions(fresh(SAMPLE, seed))
        assert chance.fault == NO_FAULT
        assert chance.n_draws == 9


def test_a_record_holds_the_question_and_the_probability_of_each_answer() -> None:
    chance = fresh(RECORD, seed=2)
    answers = questions(chance)
    assert chance.sizes[:9].tolist() == [6, 4, 1, 2**31, 5, 4, 3, 2, 4]
    assert chance.totals[:9].tolist() == [6, 8, 1, 2**31, 5, 4, 3, 2, 8]
    assert chance.weights[:9].tolist() == [1, COUNTS[answers[1]], 1, 1, 1, 1, 1, 1, COUNTS[answers[5]]]
    assert chance.answers[:4].tolist() == answers[:4]


def test_replay_repeats_a_record_without_the_generator() -> None:
    for seed in range(20):
        recorded = fresh(RECORD, seed)
        answers = questions(recorded)
        tape = [(int(recorded.answers[at]), int(recorded.sizes[at])) for at in range(recorded.n_draws)]
        replayed = taped(*tape)
        replayed.s0 = replayed.s1 = 0  # the generator would give nothing but zeros
        assert questions(replayed) == answers
        assert replayed.fault == NO_FAULT
        assert replayed.n_draws == replayed.n_taped


def test_sampling_leaves_the_tape_alone() -> None:
    chance = fresh(SAMPLE)
    questions(chance)
    assert chance.n_draws == 0
    assert not chance.answers.any()


@pytest.mark.parametrize(
    ("tape", "ask", "fault"),
    [
        pytest.param([(3, 6)], lambda chance: (draw(chance, 6), draw(chance, 6)), TAPE_ENDED, id="ended"),
        pytest.param([(3, 6)], lambda chance: draw(chance, 7), OTHER_QUESTION, id="another number of possibilities"),
        pytest.param([(0, 3)], lambda chance: draw_from(chance, COUNTS), OTHER_QUESTION, id="other counts"),
        pytest.param([(6, 6)], lambda chance: draw(chance, 6), IMPOSSIBLE_ANSWER, id="answer too large"),
        pytest.param([(-1, 6)], lambda chance: draw(chance, 6), IMPOSSIBLE_ANSWER, id="answer negative"),
        pytest.param([(4, 4)], lambda chance: draw_from(chance, COUNTS), IMPOSSIBLE_ANSWER, id="index too large"),
        pytest.param([(1, 4)], lambda chance: draw_from(chance, COUNTS), IMPOSSIBLE_ANSWER, id="index of no count"),
        pytest.param([(-1, 4)], lambda chance: draw_from(chance, COUNTS), IMPOSSIBLE_ANSWER, id="index negative"),
        pytest.param([], lambda chance: draw(chance, 0), NOTHING_TO_DRAW, id="no possibilities"),
        pytest.param([], lambda chance: draw(chance, -3), NOTHING_TO_DRAW, id="fewer than none"),
        pytest.param([], lambda chance: draw_from(chance, np.zeros(3, np.int64)), NOTHING_TO_DRAW, id="no counts"),
        pytest.param([], draw_real, NOT_ON_TAPE, id="real number"),
    ],
)
def test_replay_finds_faults(tape: list[tuple[int, int]], ask: Callable[[Record], Any], fault: int) -> None:
    chance = taped(*tape)
    ask(chance)
    assert chance.fault == fault
    assert FAULTS[fault]


@pytest.mark.parametrize("mode", [RECORD, REPLAY, EXPLORE])
def test_a_tape_has_an_end(mode: int) -> None:
    chance = taped(*[(1, 2)] * TAPE, mode=mode) if mode == REPLAY else fresh(mode)
    for _ in range(TAPE):
        draw(chance, 2)
    assert chance.fault == NO_FAULT
    assert 0 <= draw(chance, 2) < 2
    assert chance.fault == TAPE_FULL
    assert chance.n_draws == TAPE


@pytest.mark.parametrize("mode", [RECORD, EXPLORE])
def test_real_numbers_cannot_be_taped(mode: int) -> None:
    chance = fresh(mode)
    assert 0 <= draw_real(chance) < 1
    assert chance.fault == NOT_ON_TAPE


def test_exploring_begins_with_the_first_possible_answers() -> None:
    chance = fresh(EXPLORE)
    assert draw(chance, 6) == 0
    assert draw_from(chance, np.array([0, 0, 4, 2])) == 2
    assert draw_from(chance, COUNTS) == 0
    cards = np.arange(4)
    shuffle(chance, cards)
    assert cards.tolist() == [1, 2, 3, 0]  # every card changes places with the first
    assert chance.fault == NO_FAULT
    assert chance.answers[:3].tolist() == [0, 2, 0]
    assert [(int(chance.weights[at]), int(chance.totals[at])) for at in range(3)] == [(1, 6), (4, 6), (2, 8)]


def test_exploring_goes_on_from_what_is_taped() -> None:
    chance = taped((4, 6), (2, 4), mode=EXPLORE)
    assert (draw(chance, 6), draw_from(chance, COUNTS), draw(chance, 6)) == (4, 2, 0)
    assert chance.n_draws == 3
    assert chance.fault == NO_FAULT


def test_exploring_passes_over_indices_without_a_count() -> None:
    chance = taped((1, 4), mode=EXPLORE)  # an odometer that was raised from 0 to 1, where the count is 0
    assert draw_from(chance, COUNTS) == 2
    assert int(chance.answers[0]) == 2


def test_all_outcomes_of_an_odometer_have_probability_one_together() -> None:
    outcomes: dict[tuple[int, int], float] = defaultdict(float)
    tape: list[tuple[int, int]] = []
    while True:
        chance = taped(*tape, mode=EXPLORE)
        first = draw(chance, 3)
        second = draw_from(chance, COUNTS) if first else draw(chance, 2)
        drawn = [(int(chance.answers[at]), int(chance.sizes[at])) for at in range(2)]
        outcomes[first, second] += math.prod(int(chance.weights[at]) / int(chance.totals[at]) for at in range(2))
        while drawn and drawn[-1][0] + 1 >= drawn[-1][1]:
            drawn.pop()
        if not drawn:
            break
        tape = [*drawn[:-1], (drawn[-1][0] + 1, drawn[-1][1])]
    expected = {(0, 0): 1 / 6, (0, 1): 1 / 6}
    expected |= {(first, second): int(COUNTS[second]) / 24 for first in (1, 2) for second in (0, 2, 3)}
    assert outcomes == pytest.approx(expected)
