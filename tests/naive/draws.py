"""Where the slow twins get their luck from: a recorded list, Python's own generator, or every possibility in turn."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Protocol, TypeVar

Outcome = TypeVar("Outcome")


class WrongDrawError(AssertionError):
    """The twin draws otherwise than the game did."""


class Draws(Protocol):
    """What the rules need: a number, an index by weights, a random order."""

    def draw(self, n: int) -> int: ...

    def draw_from(self, counts: list[int]) -> int: ...


def shuffle(draws: Draws, cards: list[Any]) -> None:
    """Fisher & Yates, from the end: the order of questions is part of what is compared."""
    for last in range(len(cards) - 1, 0, -1):
        other = draws.draw(last + 1)
        cards[last], cards[other] = cards[other], cards[last]


class Recorded:
    """Answers what a game drew, and checks that the twin asks the same questions in the same order."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int]] = []

    def load(self, recorded: list[tuple[int, int]]) -> None:
        """The (answer, size) pairs of the next move."""
        self._waiting = list(recorded)

    def finish(self) -> None:
        """Make sure that the move used all of them."""
        if self._waiting:
            raise WrongDrawError(f"the game drew {len(self._waiting)} more (answer, size): {self._waiting}")

    def _next(self, size: int) -> int:
        if not self._waiting:
            raise WrongDrawError(f"the twin draws from {size}, but the game drew no more")
        answer, recorded_size = self._waiting.pop(0)
        if recorded_size != size:
            raise WrongDrawError(f"the twin draws from {size}, the game drew from {recorded_size}")
        return answer

    def draw(self, n: int) -> int:
        return self._next(n)

    def draw_from(self, counts: list[int]) -> int:
        last_possible = max(index for index, count in enumerate(counts) if count)
        answer = self._next(last_possible + 1)
        if not counts[answer]:
            raise WrongDrawError(f"the game drew {answer}, which has no weight in {counts}")
        return answer


class Generated:
    """Answers from Python's generator, for playing a twin on its own."""

    def __init__(self, generator: random.Random):
        self.generator = generator

    def draw(self, n: int) -> int:
        return self.generator.randrange(n)

    def draw_from(self, counts: list[int]) -> int:
        return self.generator.choices(range(len(counts)), counts)[0]


class Branching:
    """Answers from a list as far as it goes, then the first possibility; notes the weights of all it was asked."""

    def __init__(self, answers: list[int]):
        self.answers = answers
        self.n_asked = 0
        self.asked: list[list[int]] = []

    def draw(self, n: int) -> int:
        return self.draw_from([1] * n)

    def draw_from(self, counts: list[int]) -> int:
        if self.n_asked == len(self.answers):
            self.answers.append(next(index for index, count in enumerate(counts) if count))
        self.asked.append(counts)
        self.n_asked += 1
        return self.answers[self.n_asked - 1]


def outcomes(play: Callable[[Draws], Outcome]) -> Iterator[tuple[Fraction, Outcome]]:
    """Everything that `play` can lead to, each with its exact probability."""
    answers: list[int] = []
    while True:
        branch = Branching(answers)
        result = play(branch)
        probability = Fraction(1)
        for counts, answer in zip(branch.asked, branch.answers, strict=True):
            probability *= Fraction(counts[answer], sum(counts))
        yield probability, result
        while answers:
            counts, answer = branch.asked[len(answers) - 1], answers.pop()
            later = [index for index in range(answer + 1, len(counts)) if counts[index]]
            if later:
                answers.append(later[0])
                break
        else:
            return


def answers_for(deck: list[int], wanted: list[int]) -> list[tuple[int, int]]:
    """The (answer, size) pairs with which `shuffle` turns one order of cards into another.

    >>> cards = [1, 2, 3]
    >>> shuffle_with = Recorded()
    >>> shuffle_with.load(answers_for(cards, [3, 1, 2]))
    >>> shuffle(shuffle_with, cards)
    >>> cards
    [3, 1, 2]
    """
    cards, recorded = list(deck), []
    for last in range(len(cards) - 1, 0, -1):
        other = cards[: last + 1].index(wanted[last])
        cards[last], cards[other] = cards[other], cards[last]
        recorded.append((other, last + 1))
    if cards != wanted:
        raise ValueError(f"{deck} and {wanted} do not hold the same cards")
    return recorded
