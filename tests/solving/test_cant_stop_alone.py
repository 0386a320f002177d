"""What agents need alone, exactly: beside the solver for positions, beside a reckoning in plain Python, beside games."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import facedown as fd
from facedown.errors import UsageError
from facedown.native.jit import COMPILED
from facedown.solving.cant_stop_alone import distances, turns_alone
from facedown.solving.dynamic.evaluate import Evaluator


def solitaire(sides: int, shortest: int) -> str:
    return f"cant_stop(players=1,sides={sides},shortest={shortest})"


@pytest.mark.parametrize("shortest", [1, 2, 3] if COMPILED else [1])
def test_an_agent_that_plays_by_the_position_needs_what_the_solver_for_positions_says(shortest: int) -> None:
    evaluator = Evaluator(solitaire(2, shortest))
    for agent in ("rule28", "glenn_aloi", "rule28(threshold=6)"):
        assert turns_alone(evaluator.game, agent).turns == pytest.approx(-evaluator.alone(agent)[0], abs=1e-9)


def slow_first(sides: int, shortest: int) -> Fraction:
    """Turns of `first`: of sorted dice the first way to make pairs that can be played, both sums or the lower; two throws."""
    height = {total: shortest + 2 * min(total - 2, 2 * sides - total) for total in range(2, 2 * sides + 1)}
    throws = [tuple(sorted(dice)) for dice in product(range(1, sides + 1), repeat=4)]

    @cache
    def turns(board: tuple[int, ...]) -> Fraction:
        markers = dict(zip(height, board, strict=True))
        if sum(markers[total] == height[total] for total in height) >= 3:
            return Fraction(0)

        def climb(out: dict[int, int], total: int) -> dict[int, int]:
            at = out.get(total, markers[total])
            free = total in out or len(out) < 3
            return {**out, total: at + 1} if free and at < height[total] else out

        def play(out: dict[int, int], dice: tuple[int, ...]) -> dict[int, int]:
            for one, two, three, four in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):
                low, high = sorted((dice[one] + dice[two], dice[three] + dice[four]))
                after = climb(climb(out, low), high)
                if after != out:
                    return after
            return out

        def follow(out: dict[int, int], n_throws: int) -> tuple[Fraction, Fraction]:
            """The probability that the turn is lost, and the turns that come behind it where it is not."""
            played = [play(out, dice) for dice in throws]
            if out and (n_throws == 2 or all(after == out for after in played)):
                return Fraction(0), turns(tuple(out.get(total, markers[total]) for total in height))
            ends = [(Fraction(1), Fraction(0)) if after == out else follow(after, n_throws + 1) for after in played]
            return sum(lost for lost, _ in ends) / Fraction(len(ends)), sum(more for _, more in ends) / Fraction(len(ends))

        lost, more = follow({}, 0)
        return (1 + more) / (1 - lost)

    return turns((0,) * len(height))


def test_first_needs_what_a_slow_reckoning_says() -> None:
    for shortest in (1, 2):
        exact = float(slow_first(2, shortest))
        assert turns_alone(solitaire(2, shortest), "first").turns == pytest.approx(exact, abs=1e-9)


@pytest.mark.compiled
def test_agents_that_count_throws_need_as_many_turns_in_games() -> None:
    for agent in ("first", "q5"):
        exact = turns_alone(solitaire(3, 1), agent)
        found = fd.match(solitaire(3, 1), [agent], 40_000, seed=8)
        # 4 standard errors: a false alarm once in 16,000, and the seed is fixed
        assert abs(-found.mean[0] - exact.turns) < 4 * found.stderr[0], agent
        assert exact.boards > 100 and 0 < exact.p_failed < 0.5


def test_nobody_needs_fewer_turns_than_the_best_play() -> None:
    found = distances(solitaire(2, 2 if COMPILED else 1), ("first", "q5", "q6a", "q6b", "rule28", "glenn_aloi"))
    assert all(0 < distance.excess < 2 for distance in found)
    assert "turns" in repr(found[0].alone) and found[0].alone.to_dict()["schema"] == "facedown.cant_stop_alone/1"


@pytest.mark.parametrize(
    ("game", "agent", "words"),
    [
        ("cant_stop", "first", "only solitaire"),
        ("war", "first", "only solitaire"),
        (solitaire(2, 1), "uniform", "without draws"),
        (solitaire(2, 1), "first(sorted=0)", "draws"),
        (solitaire(2, 1), "turn_exact", "real board only" if COMPILED else "turn_exact"),
    ],
)
def test_others_are_refused(game: str, agent: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        turns_alone(game, agent)
