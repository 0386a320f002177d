"""Luck and play apart: values against exact ones, and accounts that add up."""

from __future__ import annotations

import pytest

import facedown as fd
from facedown.arena.hindsight import advise, judge_for, look_back
from facedown.native.jit import COMPILED

N_WORLDS = 600 if COMPILED else 150


def kuhn_with_the_king() -> fd.Session:
    """Player 0 holds the king and is to move."""
    for seed in range(100):
        session = fd.session("kuhn", ["human", "human"], seed=seed)
        if session.view(0).card == 2:
            return session
    raise AssertionError


def test_a_king_is_worth_what_it_is_worth() -> None:
    session = kuhn_with_the_king()
    options = {option.name: option.value for option in advise(session.game, session.view(0), [0, 1], 0, "uniform", N_WORLDS)}
    # bet: the other calls or folds, 1/2 each: 1.5. pass: it passes (1), or bets and uniform answers with fold (-1) or call (2)
    exact = {"bet": 1.5, "pass": 0.5 * 1 + 0.25 * -1 + 0.25 * 2}
    for name, value in exact.items():
        # scores lie within 3 of each other, so the deviation is at most 1.5; five standard errors
        assert options[name] == pytest.approx(value, abs=5 * 1.5 / N_WORLDS**0.5)


def test_the_account_adds_up_and_names_the_mistake() -> None:
    session = kuhn_with_the_king()
    session.play(0, "pass")
    session.play(1, "bet")
    session.play(0, "fold")  # the best hand, thrown away
    found = look_back(session.transcript(), 0, n_worlds=N_WORLDS)
    assert found.score == -1.0 and found.expected + found.play + found.luck == pytest.approx(found.score)
    worst = found.costliest
    assert worst is not None and (worst.chosen.name, worst.best.name) == ("fold", "call")
    assert worst.cost == pytest.approx(3.0) and worst.move == 3 and worst.stderr == 0.0
    assert found.n_left_out == 0 and len(found.decisions) == 2
    # the other seat bet once with less than the king: no decision of a person who was not asked is judged
    assert [decision.move for decision in look_back(session.transcript(), 1, n_worlds=10).decisions] == [2]


def test_time_limits_and_judges() -> None:
    session = kuhn_with_the_king()
    with pytest.raises(fd.UsageError, match="not over"):
        look_back(session.transcript(), 0)
    session.play(0, "bet")
    session.play(1, "fold")
    assert look_back(session.transcript(), 0, seconds=-1.0).n_left_out == 1
    assert look_back(session.transcript(), 0, seconds=-1.0).costliest is None
    assert judge_for(fd.game("love_letter"), ["careful"]) in {"careful", "uniform"}
    assert judge_for(fd.game("kuhn"), ["human", "nobody"]) == "uniform"
    with pytest.raises(fd.UsageError, match="cannot judge"):
        look_back(session.transcript(), 0, "human")
