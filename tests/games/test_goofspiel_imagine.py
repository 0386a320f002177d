"""What players of Goofspiel imagine behind sealed bids, against all pasts that fit, listed one by one."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.games.goofspiel.beliefs import LOST, ROOM, TIED, WON, count_pasts
from facedown.games.position import Position
from facedown.native.jit import COMPILED
from facedown.native.outcomes import every_outcome
from naive.draws import Recorded
from naive.goofspiel import Goofspiel

Past = tuple[tuple[int, ...], ...]


def begun(spec: str, n_moves: int, seed: int) -> Position:
    """A random game after so many bids, with prizes that need no luck."""
    position, generator = Position(fd.game(spec)), random.Random(seed)
    position.start([])
    for _ in range(n_moves):
        position.step(generator.choice(position.legal()), [])
    return position


def bids_in(state: Any) -> Past:
    """All bids of a state, by player."""
    rows = state.played[: state.players].tolist()
    return tuple(tuple(card for card in row if card) for row in rows)


def pasts_behind(position: Position, player: int) -> dict[Past, Fraction]:
    """All bids that the others may have made, each as likely as in uniform play: every order of everybody's cards is tried."""
    game, n_cards = position.game, position.game.values["cards"]
    seen = bids_in(position.state)
    view = {name: np.asarray(position.view(player)[name]).tolist() for name in game.view.names or ()}
    choices = [
        [bids] if seat == player else list(itertools.permutations(range(1, n_cards + 1), len(bids)))
        for seat, bids in enumerate(seen)
    ]
    fitting = []
    for past in itertools.product(*choices):
        twin = Goofspiel(Recorded(), **game.values)
        for turn in range(max(map(len, past))):
            for bids in past:
                if turn < len(bids):
                    twin.step(bids[turn])
        if twin.view(player) == view:
            fitting.append(past)
    # a bid is one of those that are held: the same number of them in all pasts
    return {past: Fraction(1, len(fitting)) for past in fitting}


@pytest.mark.parametrize("bids", ["winner", "shown"])
@pytest.mark.parametrize("order", ["descending", "ascending"])
@pytest.mark.parametrize("player", [0, 1])
def test_two_players_imagine_all_pasts_equally_often_exactly(bids: str, order: str, player: int) -> None:
    n_cards = 5 if COMPILED else 4
    n_different = 0
    for seed, n_moves in itertools.product(range(4), range(2 * n_cards + 1)):
        position = begun(f"goofspiel(cards={n_cards},order={order},bids={bids})", n_moves, seed)
        view = position.view(player)

        def imagine(state: Any, chance: Any, view: Any = view, game: Any = position.game) -> None:
            game.imagine(view, np.int64(player), chance, state)

        found: Counter[Past] = Counter()
        for outcome in every_outcome(imagine, position.game.blank(), "imagine").outcomes:
            found[bids_in(np.frombuffer(outcome.state, position.game.state)[0])] += outcome.probability  # type: ignore[assignment]
        assert dict(found) == pasts_behind(position, player)
        n_different += len(found) > 1
    assert n_different > 5 if (bids, player) != ("shown", 0) else n_different == 0  # player 0 bids first: nothing is sealed


def test_pasts_are_counted_as_by_listing_them() -> None:
    """All ways in which rounds with each own card can have ended, for four cards."""
    n_cards = 4
    n_counted = 0
    for ends in itertools.product((None, LOST, WON, TIED), repeat=n_cards):
        turns = np.full((3, ROOM), -1, np.int64)
        rounds = [(own, end) for own, end in enumerate(ends, start=1) if end is not None]
        for turn, (own, end) in enumerate(rounds):
            turns[end, own] = turn
        listed = 0
        for others in itertools.permutations(range(1, n_cards + 1), len(rounds)):
            signs = [
                WON if other > own else LOST if other < own else TIED for other, (own, _) in zip(others, rounds, strict=True)
            ]
            listed += signs == [end for _, end in rounds]
        assert count_pasts(turns, n_cards)[0, 0, 0] == listed
        n_counted += listed
    assert n_counted == 1 + 16 + 72 + 96 + 24  # every choice of k own cards with every order of k others ends in one way


def test_the_largest_number_of_pasts_can_be_drawn_from() -> None:
    """Of all 3^13 ways to have won and lost rounds with 13 cards this one has most pasts; 2^31 is what `draw_from` takes."""
    turns = np.full((3, ROOM), -1, np.int64)
    code, n_rounds = 796_796, 0
    for own in range(1, 14):
        code, end = divmod(code, 3)
        if end:
            turns[end - 1, own] = n_rounds
            n_rounds += 1
    assert count_pasts(turns, 13)[0, 0, 0] == 116_914_351 < 2**31


# --- three and four players --------------------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("ties", ["discard", "split"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_three_players_imagine_every_past_nearly_as_often_as_it_is(seed: int, ties: str) -> None:
    """Total variation: with 4,000 draws from the exact distribution over k pasts it is about sqrt(k / 4,000) / 2.5."""
    position = begun(f"goofspiel(players=3,cards=4,order=descending,bids=winner,ties={ties})", 8, seed)
    assert not position.game.exact_imagine
    for player in range(3):
        exact = pasts_behind(position, player)
        position.sample(9, seed)
        view, n_draws = position.view(player), 4_000
        found = Counter(bids_in(position.imagine(view, player)) for _ in range(n_draws))
        assert set(found) <= set(exact)
        if len(exact) <= 200:
            assert len(found) > 0.95 * len(exact)
        distance = sum(abs(found[past] / n_draws - float(p)) for past, p in exact.items()) / 2
        assert distance < (len(exact) / n_draws) ** 0.5 / 2.5 + 0.03


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("ties", ["discard", "split"])
def test_pasts_that_hardly_anything_fits_are_found(players: int, ties: str) -> None:
    """Everybody bids alike; one is always one ahead of the others; all go different ways."""
    n_cards = 13 if COMPILED else 4
    up = list(range(1, n_cards + 1))
    for orders in (
        [up] * players,
        [[*up[1:], 1], *[up] * (players - 1)],
        [up[place:] + up[:place] for place in range(players)],
    ):
        position = Position(fd.game("goofspiel", players=players, cards=n_cards, order="descending", bids="winner", ties=ties))
        position.start([])
        imagined = Position(position.game)
        imagined.sample(1, 0)
        while not position.over:
            position.step(orders[position.turn()][int(position.state.n_rounds)], [])
            for player in range(players if COMPILED or position.turn() <= 0 else 0):
                view = position.view(player)
                imagined.state = imagined.imagine(view, player)
                assert imagined.view(player).tobytes() == view.tobytes()


def test_whether_imagine_is_exact_depends_on_the_options() -> None:
    game = fd.game("goofspiel")
    assert game.exact_imagine and game(bids="winner").exact_imagine and game(players=4).exact_imagine
    assert not game(players=3, bids="winner").exact_imagine
    assert game(players=3, bids="winner")(players=2).exact_imagine
