"""Goofspiel: who takes a prize, what is scored, what players hear and are told, equilibria, and its agents."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.agents.registry import agent as find_agent
from facedown.games.contract import HIDDEN
from facedown.games.position import Position
from facedown.games.text import read_action
from facedown.native import draw, field, native, record
from facedown.native.chance import SAMPLE
from facedown.native.jit import COMPILED
from facedown.native.records import Record
from facedown.solving.exploit import exploit
from naive.exact import uniform_values
from naive.goofspiel import Goofspiel

STANDARD_ERRORS = 4  # false alarms: 6 in 100,000 for each figure
SMALL = "order=ascending,returns=difference"


def played(spec: str, *rounds: tuple[int, ...]) -> Position:
    """A game without chance after these rounds; a last one may be begun only."""
    position = Position(fd.game(spec))
    position.start([])
    for bid in itertools.chain(*rounds):
        position.step(bid, [])
    return position


# --- prizes and scores -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "rounds", "points"),
    [
        (f"goofspiel(cards=3,{SMALL})", [(3, 2), (1, 3), (2, 1)], (4, 2)),
        (f"goofspiel(cards=3,{SMALL})", [(3, 3), (1, 2), (2, 1)], (3, 2)),  # the tied prize is gone
        (f"goofspiel(cards=3,ties=carry,{SMALL})", [(3, 3), (1, 2), (2, 1)], (3, 3)),  # 1 + 2 in the second round
        (f"goofspiel(cards=3,ties=carry,{SMALL})", [(1, 2), (3, 3), (2, 1)], (5, 1)),
        (f"goofspiel(cards=3,ties=carry,{SMALL})", [(1, 2), (2, 1), (3, 3)], (2, 1)),  # nobody's after the last round
        (f"goofspiel(cards=3,ties=split,{SMALL})", [(3, 3), (1, 2), (2, 1)], (3.5, 2.5)),
        (f"goofspiel(players=3,cards=2,{SMALL})", [(2, 2, 1), (1, 1, 2)], (0, 0, 2)),
        (f"goofspiel(players=3,cards=2,{SMALL})", [(1, 1, 2), (2, 2, 1)], (0, 0, 1)),
        (f"goofspiel(players=3,cards=2,ties=split,{SMALL})", [(2, 2, 2), (1, 1, 1)], (1, 1, 1)),
        (f"goofspiel(players=4,cards=2,ties=split,{SMALL})", [(2, 2, 2, 1), (1, 1, 1, 2)], (1 / 3, 1 / 3, 1 / 3, 2)),
    ],
)
def test_who_takes_the_prizes(spec: str, rounds: list[tuple[int, ...]], points: tuple[float, ...]) -> None:
    position = played(spec, *rounds)
    assert position.over
    assert (position.state.points[: len(points)] / 12).tolist() == list(points)
    average = sum(points) / len(points)
    assert position.scores().tolist() == pytest.approx([own - average for own in points], abs=1e-12)


@pytest.mark.parametrize(
    ("spec", "rounds", "scores"),
    [
        ("goofspiel(cards=2,order=descending)", [(2, 1), (1, 2)], (1, -1)),
        ("goofspiel(cards=2,order=descending)", [(2, 2), (1, 1)], (0, 0)),
        ("goofspiel(players=3,cards=2,order=descending)", [(2, 1, 1), (1, 2, 2)], (1, -0.5, -0.5)),
        # two share the 2, the third takes the 1: all are equal
        ("goofspiel(players=3,cards=2,order=descending,ties=split)", [(2, 2, 1), (1, 1, 2)], (0, 0, 0)),
        ("goofspiel(players=4,cards=2,order=descending)", [(2, 2, 2, 2), (1, 1, 1, 1)], (0, 0, 0, 0)),
        ("goofspiel(players=4,cards=2,order=descending,ties=split)", [(2, 2, 1, 1), (1, 1, 2, 2)], (0.5, 0.5, -0.5, -0.5)),
    ],
)
def test_winners_share_one_and_losers_share_minus_one(
    spec: str, rounds: list[tuple[int, ...]], scores: tuple[float, ...]
) -> None:
    assert played(spec, *rounds).scores().tolist() == list(scores)


@pytest.mark.parametrize(
    ("order", "prizes"), [("descending", [4, 3, 2, 1]), ("ascending", [1, 2, 3, 4]), ("shuffled", [3, 1, 4, 2])]
)
def test_prizes_come_up_in_their_order(order: str, prizes: list[int]) -> None:
    position = Position(fd.game("goofspiel", cards=4, order=order))
    draws = [[(2, 4)], [(0, 3)], [(1, 2)], []] if order == "shuffled" else [[]] * 4
    position.start(draws[0])
    for turn in range(4):
        assert position.state.prizes[: turn + 1].tolist() == prizes[: turn + 1]
        bid = position.legal()[0]
        position.step(bid, [])
        position.step(bid, draws[turn + 1] if turn < 3 else [])
    assert position.over


@pytest.mark.parametrize("ties", ["discard", "carry", "split"])
@pytest.mark.parametrize("players", [2, 3])
def test_the_range_of_scores_is_reached(players: int, ties: str) -> None:
    """By all ways to play three cards of ascending prizes, which reach the highest score of any order."""
    game = fd.game("goofspiel", players=players, cards=3, ties=ties, returns="difference")
    orders = list(itertools.permutations((1, 2, 3)))
    found = []
    for first, *others in itertools.product(*[orders[:] for _ in range(players)]):
        twin = Goofspiel(None, **{**game.values, "order": 2})  # type: ignore[arg-type]
        for bids in zip(first, *others, strict=True):
            for bid in bids:
                twin.step(bid)
        found += twin.scores()
    assert max(found) == pytest.approx(game.score_range[1], abs=1e-12)
    assert min(found) >= game.score_range[0]
    if players == 2:
        assert min(found) == game.score_range[0]


# --- what players know -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bids", ["shown", "winner"])
def test_sealed_bids_are_in_nobody_elses_view(bids: str) -> None:
    spec = f"goofspiel(players=3,cards=4,order=descending,bids={bids})"
    views = set()
    for bid in (1, 2, 3, 4):
        position = played(spec, (bid,))
        views.add((position.view(1).tobytes(), position.view(2).tobytes()))
        assert position.view(0).played[0, 0] == bid
        assert f"You have bid {bid}" in position.describe(0)
    assert len(views) == 1


def test_with_winners_shown_only_the_order_of_bids_is_all_that_is_told() -> None:
    one = played("goofspiel(cards=4,order=descending,bids=winner)", (4, 1), (2, 3))
    other = played("goofspiel(cards=4,order=descending,bids=winner)", (4, 2), (2, 3))
    assert one.view(0).tobytes() == other.view(0).tobytes()
    assert one.view(1).tobytes() != other.view(1).tobytes()
    tied = played("goofspiel(cards=4,order=descending,bids=winner)", (4, 4), (2, 3))
    assert tied.view(0).tobytes() != one.view(0).tobytes()


@pytest.mark.parametrize(("bids", "last"), [("shown", 3), ("winner", HIDDEN)])
def test_what_is_heard_of_a_bid(bids: str, last: int) -> None:
    spec = f"goofspiel(players=3,cards=4,order=descending,bids={bids})"
    begun, ended = played(spec, (2,)), played(spec, (2, 1, 3))
    hears = begun.game.hears
    assert [hears(begun.state, player, 0, 2) for player in range(3)] == [2, HIDDEN, HIDDEN]
    assert [hears(ended.state, player, 2, 3) for player in range(3)] == [last, last, 3]


def test_what_is_heard_and_told_is_the_same_behind_equal_views() -> None:
    """All pairs of plays of the first two rounds that a player cannot tell apart, move by move."""
    for bids, ties in itertools.product(("shown", "winner"), ("discard", "split")):
        spec = f"goofspiel(cards=3,order=descending,bids={bids},ties={ties})"
        told: dict[tuple[Any, ...], set[Any]] = {}
        for first, second in itertools.product(itertools.permutations((1, 2, 3), 2), repeat=2):
            position = played(spec)
            hears = position.game.hears
            for turn, player in itertools.product(range(2), range(2)):
                before = [position.view(seat) for seat in range(2)]
                action = (first, second)[player][turn]
                position.step(action, [])
                for seat in range(2):
                    after = position.view(seat)
                    words = position.game.narrate(before[seat], after)  # type: ignore[misc]
                    key = (seat, turn, player, before[seat].tobytes(), after.tobytes())
                    told.setdefault(key, set()).add((words, hears(position.state, seat, player, action)))
        assert all(len(what) == 1 for what in told.values())
        assert len(told) > 20


def test_narration_of_a_round() -> None:
    spec = "goofspiel(cards=4,order=descending)"
    views = [played(spec, (4, 2)[:n]) for n in (0, 1, 2)]
    narrate: Any = views[0].game.narrate

    def told(player: int, first: int, last: int) -> str:
        return str(narrate(views[first].view(player), views[last].view(player)))

    assert told(0, 0, 1) == "You bid 4."
    assert told(1, 0, 1) == "Player 0 has bid."
    assert told(0, 1, 2) == "Bids: player 0: 4, player 1: 2. You win the prize 4. The next prize is 3."
    assert told(1, 1, 2) == told(1, 0, 2) == "Bids: player 0: 4, player 1: 2. Player 0 wins the prize 4. The next prize is 3."


@pytest.mark.parametrize(
    ("options", "rounds", "ending"),
    [
        ("bids=winner", [(1, 3)], "You bid 3. You win the prize 3. The next prize is 2."),
        ("bids=winner", [(3, 3)], "You bid 3. A tie: the prize 3 is discarded. The next prize is 2."),
        ("ties=carry", [(3, 3)], "Bids: player 0: 3, player 1: 3. A tie: the prize 3 is carried over. The next prize is 2."),
        ("ties=carry", [(3, 3), (2, 1)], "Player 0 wins the prizes 3 and 2. The next prize is 1."),
        ("ties=split", [(3, 3)], "Player 0 and you share the prize 3. The next prize is 2."),
        (
            "ties=split",
            [(3, 3), (2, 1), (1, 2)],
            "You win the prize 1. The game is over. Points: player 0: 3 1/2, player 1: 2 1/2.",
        ),
    ],
)
def test_narration_of_results(options: str, rounds: list[tuple[int, int]], ending: str) -> None:
    spec = f"goofspiel(cards=3,order=descending,{options})"
    before, after = played(spec, *rounds[:-1], rounds[-1][:1]), played(spec, *rounds)
    assert after.game.narrate(before.view(1), after.view(1)).endswith(ending)  # type: ignore[misc]


def test_words() -> None:
    position = played("goofspiel(players=3,cards=3,order=descending,ties=split)", (3, 3, 3), (2, 1))
    assert position.describe(1) == (
        "You are player 1 of 3 and hold 2. Prize 3: bids 3, 3, 3; to player 0, player 2 and you. Points: player 0: 1, "
        "player 1: 1, player 2: 1. Now the prize 2. You have bid 1. Player 0 has bid."
    )
    assert position.describe(2).endswith("Now the prize 2. Player 0 and player 1 have bid.")
    position = played("goofspiel(cards=3,order=descending,bids=winner,ties=carry)", (3, 3), (1, 2))
    assert position.describe(0) == (
        "You are player 0 of 2 and hold 2. Prize 3: you bid 3; a tie. Prize 2: you bid 1; to player 1. Points: player 0: 0, "
        "player 1: 5. Now the prize 1."
    )


def test_bids_are_read_as_people_write_them() -> None:
    position = played("goofspiel(cards=3,order=descending)", (3, 3))
    for text, action in (("2", 2), ("bid 2", 2), (" bid 1", 1)):
        assert read_action(position.game, position.view(0), position.legal(), text) == action
    with pytest.raises(fd.UsageError, match="cannot play '3'; legal: bid 1"):
        read_action(position.game, position.view(0), position.legal(), "3")


@pytest.mark.parametrize("text", ["goofspiel(cards=1)", "goofspiel(cards=14)", "goofspiel(players=5)", "goofspiel(ties=win)"])
def test_options_that_are_not_possible(text: str) -> None:
    with pytest.raises(fd.UsageError, match=r"possible|bounds"):
        fd.game(text)


NOTES = record(field("heard", np.int8, 0, 13, "the highest bid of somebody else that was heard in this round; 0 none"))


@native
def eavesdrop(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    notes = memory.view(NOTES)[0]
    notes.heard = 0 if view.mover <= 0 else (max(int(notes.heard), action) if mover != view.player else int(notes.heard))


@native
def outbid(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """The lowest card above what was heard, else the lowest; without anything heard, any."""
    heard = int(memory.view(NOTES)[0].heard)
    for index in range(n):
        if heard > 0 and actions[index] > heard:
            return int(actions[index])
    return int(actions[0] if heard > 0 else actions[draw(chance, n)])


@pytest.mark.parametrize("bids", ["shown", "winner"])
def test_who_listens_to_sealed_bids_plays_like_the_deaf(bids: str) -> None:
    """Were a bid heard before the last one is in, the second seat would win: the same games come out, bit for bit."""
    spy = fd.Agent(name="spy", meaning="outbids what it hears", act=outbid, watch=eavesdrop, memory=NOTES)
    deaf = fd.Agent(name="spy", meaning="would outbid what it hears", act=outbid, memory=NOTES)
    n_games = 100_000 if COMPILED else 100
    game = fd.game("goofspiel", cards=4, bids=bids)
    heard, unheard = (fd.match(game, [agent, "near_prize"], games=n_games, seed=6) for agent in (spy, deaf))
    assert (heard.mean, heard.wins) == (unheard.mean, unheard.wins)
    assert heard.mean[0] < 0


# --- values ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["goofspiel(cards=3,bids=winner,ties=carry)", "goofspiel(cards=3,ties=split,returns=difference)"]
)
def test_equal_hands_are_worth_nothing(spec: str) -> None:
    """The game is symmetric; each player's choice is made before anything is known of the other's."""
    solution = fd.solve(spec, exploitability=1e-7 if COMPILED else 1e-3, iterations=20_000)
    assert abs(solution.value) < solution.nash_conv + 1e-12
    assert solution.nash_conv < (1e-6 if COMPILED else 1e-2)


@pytest.mark.parametrize("cards", [2, 3, pytest.param(4, marks=pytest.mark.compiled)])
def test_the_best_reply_to_random_bids_is_to_bid_the_prize(cards: int) -> None:
    """Ross 1971. Prize v is won with probability (v - 1) / n and lost with (n - v) / n: (n^2 - 1) / 6 more points in all."""
    game = fd.game("goofspiel", cards=cards, returns="difference")
    expected = Fraction(cards**2 - 1, 12)  # the difference to the average is half the difference
    assert exploit(game, "uniform").values == pytest.approx([float(expected)] * 2, abs=1e-12)
    n_games = 20_000 if COMPILED else 300
    result = fd.match(game, ["match_prize", "uniform"], games=n_games, seed=1)
    assert abs(result.mean[0] - float(expected)) < STANDARD_ERRORS * result.stderr[0]


def test_uniform_bids_of_three_players_are_scored_as_in_exact_enumeration() -> None:
    game = fd.game("goofspiel(players=3,cards=2,ties=carry,returns=difference,order=ascending)")
    values = uniform_values(lambda draws: Goofspiel(draws, **game.values))
    assert sum(values) == 0
    result = fd.match(game, ["uniform"] * 3, games=60_000 if COMPILED else 600, seed=2, swap=False)
    for value, mean, error in zip(values, result.mean, result.stderr, strict=True):
        assert abs(float(value) - mean) < STANDARD_ERRORS * error


# --- agents ----------------------------------------------------------------------------------------------------------------


def bids_of(name: str, position: Position, count: int = 1) -> list[int]:
    """What an agent bids, asked again and again."""
    agent, legal = find_agent(name, position.game), position.legal()
    actions, memory = np.array(legal, np.int64), np.zeros(0, np.uint8)
    luck = Position(position.game)
    luck.sample(7, 0)
    luck.chance.mode = SAMPLE
    view = position.view(position.turn())
    return [int(agent.act(view, actions, len(legal), agent.params, memory, luck.chance)) for _ in range(count)]


def test_agents_bid_by_the_prize() -> None:
    """The prizes are 5, 4, 3, 2, 1."""
    position = played("goofspiel(cards=5,order=descending)")
    assert bids_of("match_prize", position) == [5]
    assert bids_of("one_up", position) == bids_of("one_up(by=1)", position) == [1]  # beyond the highest card
    assert bids_of("one_up(by=3)", position) == [3]
    assert set(bids_of("near_prize(spread=1)", position, 200)) == {4, 5}
    assert set(bids_of("near_prize(spread=0)", position, 20)) == {5}
    position = played("goofspiel(cards=5,order=descending)", (4, 1))
    assert bids_of("match_prize", position) == [5]  # the 4 is gone: of 3 and 5, the higher
    assert bids_of("one_up", position) == [5]
    assert set(bids_of("near_prize(spread=1)", position, 200)) == {3, 5}
    assert bids_of("near_prize(spread=0)", position) == [5]


@pytest.mark.parametrize("cards", [3, 13])
def test_one_up_takes_all_but_the_highest_prize(cards: int) -> None:
    game = fd.game("goofspiel", cards=cards, returns="difference")
    result = fd.match(game, ["one_up", "match_prize"], games=40 if COMPILED else 10, seed=3)
    total = cards * (cards + 1) / 2
    assert result.mean[0] == pytest.approx((total - 2 * cards) / 2)
    assert result.stderr[0] == 0


@pytest.mark.compiled
def test_near_prize_bids_its_cards_equally_often() -> None:
    position = played("goofspiel(cards=5,order=ascending)")
    found = bids_of("near_prize(spread=2)", position, 3_000)
    counts = [found.count(card) for card in (1, 2, 3)]
    assert sum(counts) == 3_000
    # five standard deviations of 3,000 throws with probability 1/3: false alarms below 2e-6
    assert all(abs(count - 1_000) < 5 * 25.9 for count in counts)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("options", ["cards=5", "cards=5,bids=winner", "players=3,cards=4,bids=winner"])
def test_searching_beats_random_bids(options: str) -> None:
    game = fd.game(f"goofspiel({options})")
    others = ["uniform"] * (game.n_players - 1)
    result = fd.match(game, ["mcts(simulations=300)", *others], games=600, seed=4)
    assert result.mean[0] > 0.2 + STANDARD_ERRORS * result.stderr[0]


def test_random_games_need_no_luck_beyond_the_prizes() -> None:
    """The same prizes come up, whatever is bid: all orders of seats meet the same deal."""
    position, seen = Position(fd.game("goofspiel(cards=6)")), set()
    for choice in range(8):
        generator = random.Random(choice)
        position.sample(5, 0)
        position.start()
        while not position.over:
            position.step(generator.choice(position.legal()))
        seen.add(tuple(position.state.prizes.tolist()))
    assert len(seen) == 1
