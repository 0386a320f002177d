"""Every outcome of a piece of rules: none is missing, none is there twice, and the probabilities are exact."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.errors import RulesError
from facedown.native import CHANCE, draw, draw_from, field, native, record, shuffle
from facedown.native.chance import REPLAY, draw_real
from facedown.native.jit import COMPILED
from facedown.native.outcomes import Odometer, TooManyOutcomesError, every_outcome
from facedown.native.records import Record

STATE = record(field("drawn", np.int8, -1, 99, "what was drawn; -1 nothing", 6), field("total", np.int64, 0, 999, "their sum"))
Run = Callable[[Record, Record], object]


def outcomes_of(run: Run, **limits: int) -> Any:
    return every_outcome(run, np.zeros(1, STATE), "the test", **limits)


def drawn(outcome: Any, n: int) -> tuple[int, ...]:
    return tuple(np.frombuffer(outcome.state, STATE)[0].drawn[:n].tolist())


@native
def two_cards(state: Record, chance: Record) -> None:
    first = draw(chance, 3)
    second = draw(chance, 2)
    state.drawn[0] = first
    state.drawn[1] = second + 1 if second >= first else second


@native
def sum_of_dice(state: Record, chance: Record) -> None:
    state.total = draw(chance, 6) + draw(chance, 6) + 2


WEIGHTS = np.array([0, 3, 0, 2, 1, 0], np.int64)


@native
def weighted(state: Record, chance: Record) -> None:
    state.drawn[0] = draw_from(chance, WEIGHTS)


@native
def shuffled(state: Record, chance: Record) -> None:
    for place in range(4):
        state.drawn[place] = place
    shuffle(chance, state.drawn[:4])


@native
def until_six(state: Record, chance: Record) -> None:
    for throw in range(3):
        state.drawn[throw] = draw(chance, 6)
        if state.drawn[throw] == 5:
            return


def test_two_cards_from_three_are_six_deals_of_one_sixth() -> None:
    found = outcomes_of(two_cards)
    assert {drawn(outcome, 2): outcome.probability for outcome in found.outcomes} == {
        (first, second): Fraction(1, 6) for first in range(3) for second in range(3) if first != second
    }
    assert (found.n_chance, found.n_tapes) == (1 + 3, 6)
    assert all(outcome.n_tapes == 1 and outcome.p == pytest.approx(1 / 6) for outcome in found.outcomes)


def test_the_same_state_by_different_draws_is_one_outcome() -> None:
    found = outcomes_of(sum_of_dice)
    totals = {int(np.frombuffer(o.state, STATE)[0].total): (o.probability, o.n_tapes) for o in found.outcomes}
    assert totals == {total: (Fraction(6 - abs(total - 7), 36), 6 - abs(total - 7)) for total in range(2, 13)}
    assert (found.n_chance, found.n_tapes) == (1 + 6, 36)


def test_weights_are_probabilities_and_impossible_answers_are_left_out() -> None:
    found = outcomes_of(weighted)
    assert [(drawn(outcome, 1)[0], outcome.probability) for outcome in found.outcomes] == [
        (1, Fraction(3, 6)),
        (3, Fraction(2, 6)),
        (4, Fraction(1, 6)),
    ]
    assert (found.n_chance, found.n_tapes) == (1, 3)


def test_a_shuffle_gives_every_order_equally_often() -> None:
    found = outcomes_of(shuffled)
    assert {outcome.probability for outcome in found.outcomes} == {Fraction(1, 24)}
    assert len({drawn(outcome, 4) for outcome in found.outcomes}) == 24
    assert found.n_chance == 1 + 4 + 12


def test_tapes_may_have_different_lengths() -> None:
    found = outcomes_of(until_six)
    assert sum(outcome.probability for outcome in found.outcomes) == 1
    by_length = {n: [o for o in found.outcomes if len(o.tape) == n] for n in (1, 2, 3)}
    assert [len(by_length[n]) for n in (1, 2, 3)] == [1, 5, 150]
    assert (found.n_chance, found.n_tapes) == (1 + 5 + 25, 156)


def test_rules_that_draw_nothing_have_one_outcome() -> None:
    found = outcomes_of(lambda state, chance: None)
    assert [(o.probability, o.tape) for o in found.outcomes] == [(Fraction(1), ())]
    assert (found.n_chance, found.n_tapes) == (0, 1)


def test_every_tape_replays_to_its_state() -> None:
    for run in (two_cards, weighted, shuffled, until_six):
        for outcome in outcomes_of(run).outcomes:
            states, chances = np.zeros(1, STATE), np.zeros(1, CHANCE)
            chances["mode"], chances["n_taped"] = REPLAY, len(outcome.draws)
            for at, (answer, size) in enumerate(outcome.draws):
                chances["answers"][0, at], chances["sizes"][0, at] = answer, size
            run(states[0], chances[0])
            assert states.tobytes() == outcome.state
            assert not chances["fault"][0]


def test_the_state_before_stays_as_it_is_and_is_where_all_outcomes_begin() -> None:
    before = np.zeros(1, STATE)
    before[0].drawn[5] = 42
    odometer = Odometer(STATE)
    for _ in range(2):  # room is used again
        found = odometer.every_outcome(two_cards, before, "the test")
        assert before[0].drawn.tolist() == [0, 0, 0, 0, 0, 42]
        assert {np.frombuffer(outcome.state, STATE)[0].drawn[5] for outcome in found.outcomes} == {42}
        assert len(found.outcomes) == 6


# --- against a slow twin ------------------------------------------------------------------------------------------------


def twin(sizes: Callable[[tuple[int, ...]], int]) -> tuple[dict[tuple[int, ...], Fraction], int]:
    """All sequences of answers by recursion, each with its probability, and the number of draws in the tree."""
    ends: dict[tuple[int, ...], Fraction] = {}

    def go(answers: tuple[int, ...], probability: Fraction) -> int:
        size = sizes(answers)
        if size == 0:
            ends[answers] = probability
            return 0
        return 1 + sum(go((*answers, answer), probability / size) for answer in range(size))

    return ends, go((), Fraction(1))


@given(st.lists(st.integers(1, 4), max_size=4 if COMPILED else 3), st.integers(0, 5))
def test_any_tree_of_draws_agrees_with_recursion(tree: list[int], twist: int) -> None:
    def size_after(answers: tuple[int, ...]) -> int:
        """How many answers the next draw has: it depends on the answers so far; 0 at the end."""
        if len(answers) == len(tree) or sum(answers) > 5:
            return 0
        return tree[len(answers)] + (sum(answers) + twist) % 2

    def run(state: Record, chance: Record) -> None:
        answers: tuple[int, ...] = ()
        while size := size_after(answers):
            answers += (draw(chance, size),)
        for place in range(6):
            state.drawn[place] = answers[place] if place < len(answers) else -1

    expected, n_chance = twin(size_after)
    found = outcomes_of(run)
    assert {drawn(outcome, len(outcome.tape)): outcome.probability for outcome in found.outcomes} == expected
    assert found.n_chance == n_chance
    assert sum(outcome.probability for outcome in found.outcomes) == 1


# --- what rules must not do -----------------------------------------------------------------------------------------------


def draw_often(state: Record, chance: Record) -> None:
    for _ in range(300):
        draw(chance, 1)


def draw_a_real(state: Record, chance: Record) -> None:
    draw_real(chance)


def draw_from_nothing(state: Record, chance: Record) -> None:
    draw_from(chance, np.zeros(3, np.int64))


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        (draw_often, "the test: the rules draw more than 256 times in one move"),
        (draw_a_real, "the test: the rules call draw_real, which cannot be recorded"),
        (draw_from_nothing, "the test: the rules draw from no possibilities at all"),
    ],
)
def test_a_fault_of_the_tape_is_a_sentence(run: Run, sentence: str) -> None:
    with pytest.raises(RulesError, match=sentence):
        outcomes_of(run)


def test_rules_that_follow_something_else_than_the_tape_are_found_out() -> None:
    calls = [0]

    def fickle(state: Record, chance: Record) -> None:
        calls[0] += 1
        draw(chance, 2)
        draw(chance, 2 + calls[0] // 2)

    with pytest.raises(RulesError, match=r"not determined by their draws: .* draw 2 was made from 2 .* 3 possibilities"):
        outcomes_of(fickle)

    def stops(state: Record, chance: Record) -> None:
        calls[0] += 1
        if calls[0] < 10:
            draw(chance, 20)

    calls[0] = 0
    with pytest.raises(RulesError, match=r"draw 1 was made from 20 possibilities in one run, and no more in another"):
        outcomes_of(stops)


def test_too_many_outcomes_are_an_error_that_says_how_many() -> None:
    assert len(outcomes_of(shuffled, limit=24).outcomes) == 24
    with pytest.raises(TooManyOutcomesError, match=r"more than 23 combinations of draws \(3 draws in a row from 24"):
        outcomes_of(shuffled, limit=23)

    def deck(state: Record, chance: Record) -> None:
        for size in range(52, 1, -1):
            draw(chance, size)

    with pytest.raises(TooManyOutcomesError, match=r"more than 10 combinations of draws \(about 10\^67\)"):
        outcomes_of(deck, limit=10)
