"""Worlds that fit a view: counted against an exhaustive reckoning by hand, and told from the view alone."""

from __future__ import annotations

import pytest

import facedown as fd
from facedown.arena.worlds import believe, view_seed
from facedown.native.jit import COMPILED


def test_kuhn_is_counted_as_it_is_dealt() -> None:
    session = fd.session("kuhn", ["human", "human"], seed=1)
    own = int(session.view(0).card)
    n_worlds = 400 if COMPILED else 100
    belief = believe(session.game, session.view(0), 0, n_worlds)
    assert belief.deduced == () and belief.n_worlds == n_worlds
    names = ["jack", "queen", "king"]
    for fact in belief.facts:
        assert {value for value, _ in fact.counts} == set(names) - {names[own]}
        assert sum(count for _, count in fact.counts) == n_worlds
        # each of two cards with probability 1/2: five standard deviations, 6 in ten million by chance
        assert abs(fact.counts[0][1] - n_worlds / 2) < 5 * (n_worlds / 4) ** 0.5


def test_what_must_be_so_is_deduced() -> None:
    session = fd.session("goofspiel(cards=3)", ["human", "human"], seed=2)
    session.play(0, 1)
    session.play(1, 3)
    belief = believe(session.game, session.view(0), 0, 5)
    (fact,) = belief.deduced  # all bids are shown: what is left of the other hand is known
    assert (fact.name, fact.counts) == ("highest card of player 1", (("2", 5),))


def test_nothing_is_hidden_in_rrrats_and_fields_are_told_where_a_game_has_no_words() -> None:
    session = fd.session("rrrats", ["human", "human"], seed=2)
    assert believe(session.game, session.view(0), 0, 3).facts == ()
    import dataclasses

    plain = dataclasses.replace(fd.game("kuhn"), hidden=None)
    session = fd.session("kuhn", ["human", "human"], seed=1)
    told = believe(plain, session.view(0), 0, 60)
    assert told.facts and all("card of each player" in fact.name for fact in told.facts)


def test_it_follows_from_the_view_alone() -> None:
    session = fd.session("leduc", ["human", "human"], seed=3)
    other = session.branch(0, redeal=True, seat=0, seed=9)
    assert session.view(0).tobytes() == other.view(0).tobytes()
    assert believe(session.game, session.view(0), 0, 20) == believe(other.game, other.view(0), 0, 20)
    assert view_seed(session.game, session.view(0).tobytes()) != view_seed(session.game, session.view(1).tobytes())


def test_the_number_of_worlds_is_checked() -> None:
    session = fd.session("kuhn", ["human", "human"], seed=1)
    with pytest.raises(fd.UsageError, match="n_worlds=0"):
        believe(session.game, session.view(0), 0, 0)
