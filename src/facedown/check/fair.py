"""The check of chance: rules draw through the tape alone, and draw in a match as they do when they are enumerated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import prod

from facedown.check.case import Case
from facedown.check.honest import differing_fields
from facedown.check.report import Failure
from facedown.check.sample import Moment
from facedown.check.statistics import FALSE_ALARM, misfit
from facedown.errors import RulesError
from facedown.games.stepper import Draw, DrawError
from facedown.native.chance import FAULTS, TAPE, TAPE_FULL
from facedown.native.outcomes import Outcomes, TooManyOutcomesError

MAX_TAPES = 2_000
_PLAINLY_TOO_MANY = 100  # times as many need not be tried
_MAX_SITUATIONS = 7
_MAX_REPLAYED = 400
SAMPLES_A_GAME = 25

_HONEST = "rules that draw with draw, draw_from and shuffle alone, and do the same with the answers whoever gives them"
_REMEDY = "use no other random numbers, no clock, and nothing of the 'chance' record itself"


@dataclass
class _Situation:
    """A start or a move after which the rules draw."""

    what: str
    where: str
    enumerate: Callable[[], Outcomes]
    sample: Callable[[], bytes]
    least_tapes: int
    """The least number of combinations of draws that its sampled tapes suggest."""


def chance(case: Case) -> str:
    """Rules draw through the tape alone, and outcomes are as frequent in play as their exact probabilities say."""
    if "chance" in case.sample.faults:
        raise case.sample.faults["chance"]
    _check_tape(case)
    situations = _situations(case)
    if not situations:
        return "the rules draw nothing"
    n_samples, n_tested, n_too_large = SAMPLES_A_GAME * case.games, 0, 0
    for situation in situations:
        if situation.least_tapes > _PLAINLY_TOO_MANY * MAX_TAPES:
            n_too_large += 1
            continue
        try:
            outcomes = situation.enumerate()
        except TooManyOutcomesError:
            n_too_large += 1
            continue
        except RulesError as problem:
            raise _cannot_enumerate(problem, situation) from None
        n_tested += 1
        _check_frequencies(case, situation, outcomes, n_samples, len(situations))
    large = f"; {n_too_large} with more than {MAX_TAPES:,} combinations of draws left out" if n_too_large else ""
    if not n_tested:
        return f"recorded draws decide everything{large}"
    return (
        f"recorded draws decide everything; after each of {n_tested} deals or moves with draws, {n_samples:,} samples came as "
        f"often as their exact probabilities say (chi-square; a false alarm has probability {FALSE_ALARM:g}){large}"
    )


def _cannot_enumerate(problem: RulesError, situation: _Situation) -> Failure:
    if FAULTS[TAPE_FULL] not in str(problem):
        return Failure(str(problem), where=situation.where, expected=_HONEST, remedy=_REMEDY)
    return Failure(
        str(problem),
        where=situation.where,
        expected=f"at most {TAPE} draws in a move, whatever is drawn",
        remedy="make every throw a move of its own, or end the throwing after a number of them",
    )


def _check_tape(case: Case) -> None:
    """Give recorded draws to the rules again, with another generator behind them."""
    rules, sample = case.rules, case.sample
    for played in sample.played:
        _check_again(case, "'start'", partial(rules.start, played.deal), played.start, partial(sample.where, played, 0))
    for moment in sample.some(_MAX_REPLAYED):
        again = partial(rules.step, moment.state, moment.action, moment.draws)
        _check_again(case, f"'step' with action {moment.action}", again, moment.after, partial(sample.place, moment))


def _check_again(case: Case, what: str, again: Callable[[], bytes], before: bytes, where: Callable[[], str]) -> None:
    try:
        now = again()
    except DrawError as problem:
        raise Failure(str(problem), where=where(), expected=_HONEST, remedy=_REMEDY) from None
    if now != before:
        difference = differing_fields(case.game.state, before, now)
        raise Failure(
            f"{what} with the same draws led to another state: {difference}", where=where(), expected=_HONEST, remedy=_REMEDY
        )


def _situations(case: Case) -> list[_Situation]:
    """The start, and some moves, where the rules draw."""
    rules, found = case.rules, []
    rules.sample(case.seed, 0, record=False)
    if any(played.deal for played in case.sample.played):
        least = min(_combinations(played.deal) for played in case.sample.played)
        starts = partial(rules.starts, MAX_TAPES)
        found.append(_Situation("'start'", f"the start of {case.game}", starts, rules.start, least))
    for moment in _moves_with_draws(case):
        what, state, action = f"'step' with action {moment.action}", moment.state, moment.action
        enumerate_all, sample = partial(rules.steps, state, action, MAX_TAPES), partial(rules.step, state, action)
        found.append(_Situation(what, case.sample.place(moment), enumerate_all, sample, _combinations(moment.draws)))
    return found


def _combinations(draws: list[Draw]) -> int:
    return prod(size for _, size in draws)


def _moves_with_draws(case: Case) -> list[Moment]:
    """Some different moves after which the rules drew, those with few possibilities first."""
    kinds: dict[tuple[int, ...], Moment] = {}
    for moment in case.sample:
        if moment.draws:
            kinds.setdefault((moment.action, *(size for _, size in moment.draws)), moment)
    return sorted(kinds.values(), key=lambda moment: _combinations(moment.draws))[:_MAX_SITUATIONS]


def _check_frequencies(case: Case, situation: _Situation, outcomes: Outcomes, n_samples: int, n_tests: int) -> None:
    probabilities = {outcome.state: outcome.probability for outcome in outcomes.outcomes}
    problem = misfit(Counter(situation.sample() for _ in range(n_samples)), probabilities, FALSE_ALARM / n_tests)
    if problem is None:
        return
    sentence, outcome = problem
    if outcome not in probabilities:
        known = outcomes.outcomes[0].state
        sentence += f" (compared with an outcome that can be, {differing_fields(case.game.state, known, outcome)})"
    raise Failure(
        f"{situation.what} comes out otherwise in play than its draws say: {sentence}",
        where=situation.where,
        expected=_HONEST,
        remedy=_REMEDY,
    )
