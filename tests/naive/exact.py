"""Exact values from the slow twins: every deal and every action, in fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from naive.draws import Draws, outcomes
from naive.twin import OVER, Twin


def uniform_values(deal: Callable[[Draws], Twin]) -> list[Fraction]:
    """What each player gets on average when everybody plays every legal action equally often."""

    def play(draws: Draws) -> list[float]:
        twin = deal(draws)
        while twin.mover() != OVER:
            legal = twin.legal()
            twin.step(legal[draws.draw(len(legal))])
        return twin.scores()

    values: list[Fraction] = []
    total = Fraction(0)
    for probability, scores in outcomes(play):
        values = values or [Fraction(0)] * len(scores)
        values = [value + probability * Fraction(score) for value, score in zip(values, scores, strict=True)]
        total += probability
    if total != 1:
        raise AssertionError(f"the probabilities of all games sum up to {total}, not to 1")
    return values
