"""Questions 1 to 4 of Beating Can't Stop against slow reckonings: trying all numbers, iterating values, fractions."""

from __future__ import annotations

import itertools
import time
from fractions import Fraction
from functools import lru_cache

import pytest

from facedown.errors import UsageError
from facedown.native.jit import COMPILED
from facedown.solving.cant_stop_questions import TRIPLES, all_triples, best_throws, close, p_playable, reach_goal


@pytest.mark.parametrize("p", ["0.25", "0.5", "0.7", "0.75", "0.9", "149/162"])
def test_no_other_number_of_throws_gains_more(p: str) -> None:
    gains = {n: n * Fraction(p) ** n for n in range(1, 60)}
    best = max(gains.values())
    found = best_throws(p)
    assert found.gain == best
    assert found.best == tuple(n for n, gain in gains.items() if gain == best)


def test_published_values_of_question_1() -> None:
    assert [best_throws(p).number for p in ("0.25", "0.5", "0.75", "0.9")] == [1, 1, 3, 9]


@pytest.mark.parametrize(("goal", "p"), [(1, "1/2"), (7, "1/2"), (10, "0.7"), (50, "0.7"), (23, "0.9"), (30, "0.99")])
def test_goals_are_solved_by_iterating_the_equation_of_the_question(goal: int, p: str) -> None:
    """V(G) = min_k 1 + p^k V(G+k) + (1 - p^k) V(G), from above, with every k."""
    values = [0.0] * (goal + 1)
    number = float(Fraction(p))
    for gain in range(goal - 1, -1, -1):
        value = 1e6
        while True:
            tried = [1 + number**k * values[gain + k] + (1 - number**k) * value for k in range(1, goal - gain + 1)]
            if value - min(tried) < 1e-10 * value:
                break
            value = min(tried)
            # the best k, solved exactly for the present choice
            k = 1 + tried.index(min(tried))
            value = 1 / number**k + values[gain + k]
        values[gain] = value
    found = reach_goal(goal, p)
    assert [float(value) for value in found.values] == pytest.approx(values, rel=1e-9)
    for gain, numbers in enumerate(found.best):
        costs = [1 / Fraction(p) ** k + found.values[gain + k] for k in range(1, goal - gain + 1)]
        assert numbers == tuple(k for k, cost in enumerate(costs, start=1) if cost == min(costs))


def test_the_documents_policy_is_optimal_and_one_of_many() -> None:
    found = reach_goal(50, "0.7")
    assert all(3 in numbers for numbers in found.best[:46])
    assert found.best[46:] == ((2,), (3,), (2,), (1,))
    assert found.value == Fraction(16700, 343) * 1
    assert found.n_policies == 2**31


def test_all_triples_take_less_than_a_second() -> None:
    started = time.perf_counter()
    found = all_triples()
    assert len(found) == len(TRIPLES) == 165
    assert time.perf_counter() - started < 1.0
    for dice in ((6, 7, 8), (2, 3, 12)):
        ways = sum(
            any(roll[a] + roll[b] in dice for a, b in itertools.combinations(range(4), 2))
            for roll in itertools.product(range(1, 7), repeat=4)
        )
        assert found[dice].p == p_playable(*dice) == Fraction(ways, 1296)


# --- question 4, slowly -------------------------------------------------------------------------------------------------


def slow_turns(columns: tuple[int, ...], lengths: tuple[int, ...]) -> Fraction:
    """Policy iteration in fractions: dictionaries of positions, all 1296 throws, no classes."""
    throws = [
        {tuple(sorted((roll[0] + roll[other], sum(roll) - roll[0] - roll[other]))) for other in (1, 2, 3)}
        for roll in itertools.product(range(1, 7), repeat=4)
    ]
    offers: dict[frozenset[tuple[int, ...]], int] = {}
    for splits in throws:
        steps = frozenset(tuple(pair.count(column) for column in columns) for pair in splits)
        offers[steps] = offers.get(steps, 0) + 1

    def moved(place: tuple[int, ...], steps: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(min(at + by, top) for at, by, top in zip(place, steps, lengths, strict=True))

    worth: dict[tuple[int, ...], Fraction] = {lengths: Fraction(0)}
    for start in sorted(itertools.product(*(range(top + 1) for top in lengths)), reverse=True):
        if start == lengths:
            continue
        value = Fraction(1000)
        while True:

            @lru_cache(None)
            def cost(place: tuple[int, ...], value: Fraction, start: tuple[int, ...]) -> tuple[Fraction, Fraction]:
                """What the rest of the turn costs apart from lost turns, and how likely the turn is lost."""
                total, p_lost = Fraction(0), Fraction(0)
                for steps, weight in offers.items():
                    after = {moved(place, step) for step in steps} - {place}
                    options = [cost(there, value, start) for there in after]
                    fixed, lost = (
                        min(options, key=lambda option: option[0] + option[1] * (1 + value))
                        if options
                        else (Fraction(0), Fraction(1))
                    )
                    total += Fraction(weight, 1296) * fixed
                    p_lost += Fraction(weight, 1296) * lost
                if place != start and 1 + worth[place] <= total + p_lost * (1 + value):
                    return 1 + worth[place], Fraction(0)
                return total, p_lost

            fixed, lost = cost(start, value, start)
            found = (fixed + lost) / (1 - lost)
            if found == value:
                break
            value = found
        worth[start] = value
    return worth[tuple(0 for _ in lengths)]


@pytest.mark.parametrize("columns", [(2, 3, 12), (2, 11, 12)] if COMPILED else [(2, 3, 12)])
def test_question_4_agrees_with_fractions(columns: tuple[int, int, int]) -> None:
    lengths = {2: 3, 3: 5, 11: 5, 12: 3}
    exact = slow_turns(columns, tuple(lengths[column] for column in columns))
    assert close(*columns).value == pytest.approx(float(exact), rel=1e-10)


@pytest.mark.slow
@pytest.mark.indices
@pytest.mark.compiled
def test_question_4_for_all_triples_is_symmetric_and_the_middle_is_quickest() -> None:
    found = {triple: close(*triple).value for triple in TRIPLES}
    for triple, value in found.items():
        mirrored = tuple(sorted(14 - column for column in triple))
        assert value == pytest.approx(found[mirrored], rel=1e-9)  # type: ignore[index]
    assert min(found, key=lambda triple: found[triple]) == (6, 7, 8)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: best_throws("1"), "out of bounds"),
        (lambda: best_throws(0.9), "is a float"),
        (lambda: best_throws("often"), "cannot read"),
        (lambda: reach_goal(0, "0.5"), "goal=0: a whole number from 1 to 10000 is needed"),
        (lambda: p_playable(1, 2, 3), "name different ones from 2 to 12"),
        (lambda: close(6, 7), "three columns are to be closed, not 2"),
        (lambda: close(6, 6, 7), "are not possible"),
    ],
)
def test_what_cannot_be_asked(ask: object, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        ask()  # type: ignore[operator]
