"""Every outcome of a piece of rules, with its exact probability: the tape of draws run like an odometer.

1. Run the rules on a copy of the state with an empty tape; each draw past its end gets its first possible answer.
2. The probabilities that the tape noted, multiplied, are the probability of the state that comes out.
3. Raise the last answer that is not the largest yet, forget those behind it, and go back to 1; stop if there is none.

So the very rules that are played are the ones that are enumerated. Tapes that lead to byte-identical states are one
outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from facedown.errors import RulesError
from facedown.native.chance import CHANCE, EXPLORE, FAULTS
from facedown.native.jit import native
from facedown.native.records import Record

MAX_TAPES = 1_000_000


class TapedDraw(NamedTuple):
    """One draw: its answer, one more than the largest possible answer, and the answer's probability weight / total."""

    answer: int
    size: int
    weight: int
    total: int


Tape = tuple[TapedDraw, ...]


class TooManyOutcomesError(RulesError):
    """There are more combinations of draws than somebody was ready to wait for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A state that the rules can lead to."""

    state: bytes
    probability: Fraction
    tape: Tape
    """The first tape that leads here."""
    n_tapes: int
    """How many tapes lead here."""

    @property
    def p(self) -> float:
        """The probability as a float."""
        return float(self.probability)

    @property
    def draws(self) -> list[tuple[int, int]]:
        """The tape as transcripts have it: answers, and from how many possibilities."""
        return [(draw.answer, draw.size) for draw in self.tape]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """All that can come of one call of the rules, in the order of their first tapes."""

    outcomes: tuple[Outcome, ...]
    n_chance: int
    """Chance nodes: the different beginnings of tapes behind which the rules draw once more."""
    n_tapes: int


def every_outcome(
    run: Callable[[Record, Record], object], before: np.ndarray[Any, Any], what: str, limit: int = MAX_TAPES
) -> Outcomes:
    """All outcomes of `run(state, chance)` from the state in the array `before`, which stays as it is.

    `what` names the rules in errors. More than `limit` combinations of draws raise `TooManyOutcomesError`.
    """
    return Odometer(before.dtype).every_outcome(run, before, what, limit)


class Odometer:
    """Room to enumerate outcomes again and again; one run at a time."""

    def __init__(self, kind: np.dtype[Any]):
        self._states, self._chances = np.zeros(1, kind), np.zeros(1, CHANCE)
        self._state, self._chance = self._states[0], self._chances[0]
        self._chances["mode"] = EXPLORE
        # fields as arrays of their own: reading an attribute of a record takes longer than most rules
        self._n_draws, self._n_taped, self._fault = (self._chances[name] for name in ("n_draws", "n_taped", "fault"))
        self._columns = [self._chances[name][0] for name in ("answers", "sizes", "weights", "totals")]

    def every_outcome(
        self, run: Callable[[Record, Record], object], before: np.ndarray[Any, Any], what: str, limit: int = MAX_TAPES
    ) -> Outcomes:
        """As the function of this name."""
        found: dict[bytes, Outcome] = {}
        tape: Tape = ()
        n_given = n_chance = n_tapes = 0
        while n_given >= 0:
            self._states[0] = before[0]
            earlier, tape = tape, self._run(run, n_given, what)
            _check_same_questions(earlier, tape, n_given, what)
            n_tapes += 1
            n_chance += len(tape) - n_given
            _add(found, self._states.tobytes(), tape)
            n_given = _raise_last(tape, self._columns[0])
            if n_given >= 0 and n_tapes >= limit:
                raise TooManyOutcomesError(f"{what}: there are more than {limit:,} combinations of draws ({_size_of(tape)})")
        return Outcomes(tuple(found.values()), n_chance, n_tapes)

    def _run(self, run: Callable[[Record, Record], object], n_given: int, what: str) -> Tape:
        """Run the rules once, with the first answers given; the tape of this run."""
        self._n_draws[0], self._n_taped[0], self._fault[0] = 0, n_given, 0
        run(self._state, self._chance)
        if self._fault[0]:
            raise RulesError(f"{what}: {FAULTS[int(self._fault[0])]}")
        n_draws = int(self._n_draws[0])
        return tuple(map(TapedDraw, *(column[:n_draws].tolist() for column in self._columns))) if n_draws else ()


def _raise_last(tape: Tape, answers: np.ndarray[Any, Any]) -> int:
    """Turn the odometer on by one; how many answers are given then, or -1 when it has gone all the way round."""
    for at in range(len(tape) - 1, -1, -1):
        if tape[at].answer < tape[at].size - 1:
            answers[at] = tape[at].answer + 1
            return at + 1
    return -1


def _add(found: dict[bytes, Outcome], state: bytes, tape: Tape) -> None:
    """Note an outcome, or add it to the same one that another tape led to."""
    weight = total = 1
    for draw in tape:
        weight *= draw.weight
        total *= draw.total
    probability, known = Fraction(weight, total), found.get(state)
    if known is None:
        found[state] = Outcome(state, probability, tape, 1)
    else:
        found[state] = Outcome(state, known.probability + probability, known.tape, known.n_tapes + 1)


def _check_same_questions(before: Tape, now: Tape, n_given: int, what: str) -> None:
    """Rules that are given the same answers ask the same questions, or something else than the tape is deciding."""
    if n_given == 0:
        return
    last = n_given - 1  # whose answer was raised
    if now[:last] == before[:last] and len(now) > last and now[last].size == before[last].size:
        return
    at = next((i for i in range(min(n_given, len(now))) if now[i][1:] != before[i][1:]), min(last, len(now)))
    asked = f"from {now[at].size} possibilities" if at < len(now) else "no more"
    raise RulesError(
        f"{what}: the rules are not determined by their draws: after the same answers, draw {at + 1} was made from "
        f"{before[at].size} possibilities in one run, and {asked} in another. Draw with draw, draw_from and shuffle alone"
    )


def _size_of(tape: Tape) -> str:
    """How many tapes there would be if all were like this one."""
    n_tapes = 1
    for draw in tape:
        n_tapes *= draw.size
    return f"{len(tape)} draws in a row from {n_tapes:,} combinations" if n_tapes < 10**12 else f"about {_power(n_tapes)}"


def _power(number: int) -> str:
    return f"10^{len(str(number)) - 1}"


# --- the same odometer for native loops, which run the rules themselves ---------------------------------------------------


@native
def probability_of(chance: Record, n_draws: int) -> float:
    """Of the tape. Both products are exact for most games, so that there is one rounding only."""
    weight, total = 1.0, 1.0
    for at in range(n_draws):
        weight *= chance.weights[at]
        total *= chance.totals[at]
        if total > 1e200:  # long shuffles
            weight, total = weight / total, 1.0
    return weight / total


@native
def raise_last(chance: Record, n_draws: int) -> int:
    """Turn the odometer on by one; how many answers are given then, or -1 when it has gone all the way round."""
    for at in range(n_draws - 1, -1, -1):
        if chance.answers[at] < chance.sizes[at] - 1:
            chance.answers[at] += 1
            return at + 1
    return -1
