"""The native loop and the Python that follows a game: the same scores, lengths and columns, game by game."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.agents.contract import Agent
from facedown.arena.follow import Follower
from facedown.arena.lineup import Batch, Lineup
from facedown.native.jit import COMPILED
from naive.agents import CARD_CHEAT, LISTENER, PILE_CHEAT, SLOW_LISTENER
from naive.following import follow

WAR = "war(ranks=5,suits=2,max_rounds=40)"

LINEUPS: dict[str, tuple[str, list[str | Agent]]] = {
    "kuhn, one listens and one cheats": ("kuhn", [LISTENER, CARD_CHEAT]),
    "kuhn for three": ("kuhn(players=3)", ["uniform", LISTENER(salt=9), CARD_CHEAT]),
    "leduc, one listens and one cheats": ("leduc(ranks=4,raises=3)", [CARD_CHEAT, LISTENER]),
    "war with parameters": (WAR, ["mix(A=1,B=-0.5,C=0.3)", LISTENER]),
    "war with a cheat": (WAR, [PILE_CHEAT, "shuffled"]),
    "rrrats with parameters": ("rrrats(tokens=15)", ["stationary(A1=1,A2=-1,B1=0.5,C1=-0.25)", "hold(at=2)"]),
    "rrrats, both listen": ("rrrats(tokens=15,max_throws=30)", [LISTENER, LISTENER(5)]),
}


def followed(lineup: Lineup, seed: int, first: int, count: int) -> Batch:
    """What the native loop should give, by following every game in Python."""
    n_agents = len(lineup.agents)
    scores, lengths = np.zeros((count, n_agents)), np.zeros(count, np.int64)
    values = np.zeros((count, len(lineup.game.columns)))
    for row in range(count):
        follower = Follower(lineup, seed, first + row)
        lengths[row] = sum(1 for _ in follower)
        scores[row] = follower.agent_scores()
        lineup.game.report(follower.position.state, values[row])
    seats = np.array([lineup.seating(seed, first + row) for row in range(count)], np.int8)
    return Batch(first, scores, lengths, values, lineup.n_orders, seats)


def part_of(batch: Batch, row: int) -> Batch:
    """One game of a batch that begins with game 0."""
    one = slice(row, row + 1)
    return Batch(row, batch.scores[one], batch.lengths[one], batch.values[one], batch.n_orders, batch.drawn_seats[one])


def assert_same(native: Batch, python: Batch) -> None:
    for what in ("scores", "lengths", "values", "seats"):
        ours, theirs = getattr(native, what), getattr(python, what)
        differing = np.flatnonzero((ours != theirs).reshape(len(ours), -1).any(axis=1))
        if differing.size:
            game = int(differing[0])
            raise AssertionError(f"{what} of game {native.first + game}: native {ours[game]}, followed {theirs[game]}")


@pytest.mark.parametrize("swap", [True, False], ids=["swap", "no-swap"])
@pytest.mark.parametrize("name", LINEUPS)
def test_native_loop_plays_what_can_be_followed(name: str, swap: bool) -> None:
    game, agents = LINEUPS[name]
    lineup = Lineup(game, agents, swap=swap)
    count = 30 if COMPILED else 6
    native = lineup.play(12, 7, count)  # begins in the middle of a deal's orders
    assert_same(native, followed(lineup, 12, 7, count))
    assert len(np.unique(native.lengths)) > 1 or game.startswith("kuhn"), "all games are the same: nothing was compared"
    assert len(np.unique(native.scores[:, 0])) > 1


def test_games_do_not_depend_on_where_a_batch_begins() -> None:
    """What an agent remembers, or the loop keeps, from one game must not show in the next."""
    lineup = Lineup("rrrats(tokens=15,max_throws=30)", [LISTENER, LISTENER(5)])
    whole = lineup.play(3, 0, 12)
    for first in range(12):
        assert_same(lineup.play(3, first, 1), part_of(whole, first))


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**63 - 1])
def test_any_seed_can_be_followed(seed: int) -> None:
    lineup = Lineup("kuhn", ["uniform", "uniform"])
    first = 2**40
    native = lineup.play(seed, first, 20)
    assert_same(native, followed(lineup, seed, first, 20))
    assert not np.array_equal(native.scores, lineup.play(seed // 2 + 5, first, 20).scores)


@pytest.mark.compiled
def test_agents_in_ordinary_python_play_the_same() -> None:
    fast = Lineup("rrrats(tokens=15,max_throws=30)", [LISTENER, "hold"])
    slow = Lineup("rrrats(tokens=15,max_throws=30)", [SLOW_LISTENER, "hold"])
    assert fast.compiled and not slow.compiled
    assert_same(fast.play(4, 0, 10), slow.play(4, 0, 10))


def test_swapped_orders_share_the_deal() -> None:
    """Games 2k and 2k + 1 of a swapping match: the same cards, the agents in each other's seats."""
    lineup = Lineup("kuhn", ["first", CARD_CHEAT])
    for deal in range(5):
        cards = [follow(lineup, 6, 2 * deal + order).follower.position.state.card.tolist() for order in (0, 1)]
        assert cards[0] == cards[1]
    assert [lineup.seating(6, index)[0] for index in range(4)] == [0, 1, 0, 1]


def test_cheat_sees_the_cards_and_nobody_else_does() -> None:
    """The cheat bets exactly when its card is the higher one; the others' cards are not in any view."""
    lineup = Lineup("kuhn", ["uniform", CARD_CHEAT])
    for index in range(20):
        game = follow(lineup, 2, index)
        cards = game.follower.position.state.card
        seat = 1 if index % 2 == 0 else 0
        for player, action in game.actions:
            if player == seat:
                assert action == int(cards[seat] > cards[1 - seat])


def test_listener_hears_of_every_move() -> None:
    """Every move, its own ones and those without a choice too; and it starts each game with an empty memory."""
    lineup = Lineup("rrrats(tokens=9)", [LISTENER, "hold"])
    for index in range(6):
        follower = Follower(lineup, 1, index)
        n_asked = 0
        for move in follower:
            if move.reason:
                n_asked += 1
                assert str(move.reason) == f"heard {move.number - 1}, asked {n_asked}"
            assert bool(move.reason) == (follower.seating[move.player] == 0 and not move.forced)
        assert n_asked


@pytest.mark.parametrize("name", LINEUPS)
def test_followed_games_agree_with_the_twin(name: str) -> None:
    game, agents = LINEUPS[name]
    lineup = Lineup(game, agents)
    for index in range(4):
        result = follow(lineup, 21, index)
        assert result.twin.mover() == -1
        assert result.follower.position.scores().tolist() == result.twin.scores()
