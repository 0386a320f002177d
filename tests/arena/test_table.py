"""Agents at the table: what they are asked, told and shown. Those that misbehave are in `test_misbehaviour.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.agents.seats import looks
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.arena.match import Task, run_task
from facedown.native import draw, field, native, record
from facedown.native.jit import COMPILED

PASS, BET = 0, 1


def agent(act: Any, **facts: Any) -> fd.Agent:
    return fd.Agent(name=act.__name__, meaning="", act=act, **facts)


def in_python(act: Any, **facts: Any) -> fd.Agent:
    return agent(act, compiled=False, **facts)


# --- what agents are asked, told and shown -------------------------------------------------------------------------------


def wants_a_choice(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return 99 if n < 2 else int(actions[draw(chance, n)])


@pytest.mark.parametrize("make", [agent, in_python])
def test_forced_moves_are_not_asked(make: Any) -> None:
    # in Rrrats! every turn begins with a forced throw
    result = fd.match("rrrats(tokens=7)", [make(wants_a_choice), "uniform"], games=20, seed=1)
    assert result.length_mean > 4


MEMORY = record(
    field("n_asked", np.int64, 0, 99, "decisions so far"),
    field("n_heard", np.int64, 0, 99, "moves heard of"),
    field("wrong", np.int64, 0, 99, "what should not happen"),
    field("digest", np.int64, 0, 2**40, "of all that was heard"),
)


@native
def remembers(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    mine = memory.view(MEMORY)[0]
    if mine.wrong > 0 or mine.n_heard != view.n_played or mine.n_asked > view.n_played:
        return 99
    mine.n_asked += 1
    return int((mine.digest + mine.n_asked) % 2)


@native
def listens(view: Any, mover: int, action: int, params: Any, memory: Any) -> None:
    mine = memory.view(MEMORY)[0]
    mine.n_heard += 1
    n_played = int(view.n_played)
    if mine.n_heard != n_played or view.played[n_played - 1] != action or (n_played - 1) % int(view.players) != mover:
        mine.wrong += 1
    mine.digest = (31 * mine.digest + 7 * mover + action + int(view.card) + int(view.player)) % 1_000_003


LISTENER = fd.Agent(name="listener", meaning="hears all", act=remembers, watch=listens, memory=MEMORY)


@pytest.mark.parametrize("players", [2, 4])
def test_memory_begins_empty_and_every_move_is_heard(players: int) -> None:
    # it plays an illegal move as soon as anything is not as it should be; what it hears decides what it plays
    games = 600 if COMPILED else 60
    lineup = Lineup(f"kuhn(players={players})", [LISTENER, *["uniform"] * (players - 2), LISTENER])
    batch = lineup.play(1, 0, games)
    followed = [Follower(lineup, 1, game) for game in range(games)]
    for follower in followed:
        for _ in follower:
            pass
    assert batch.scores.tolist() == [follower.agent_scores().tolist() for follower in followed]
    assert len({tuple(row) for row in batch.scores.tolist()}) > players


def test_a_watcher_gets_its_own_view_after_every_move() -> None:
    heard: list[tuple[int, int, int, int, int]] = []

    def watch(view: Any, mover: int, action: int, params: Any, memory: Any) -> None:
        heard.append((int(view.player), int(view.card), int(mover), int(action), int(view.n_played)))

    def act(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
        return BET

    lineup = Lineup(
        "kuhn(players=3)", ["uniform", fd.Agent(name="ear", meaning="", act=act, watch=watch, compiled=False), "uniform"]
    )
    for game in range(6):
        heard.clear()
        follower = Follower(lineup, 1, game)
        moves = list(follower)
        seat = follower.seating.index(1)
        card = int(follower.position.state.card[seat])
        assert heard == [(seat, card, move.player, move.action, move.number) for move in moves]


def always(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return BET


def peeker(state: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    mover = int(state.mover)
    return BET if state.card[mover] > state.card[1 - mover] else PASS


def vandal(state: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    mover = int(state.mover)
    action = BET if state.card[mover] > state.card[1 - mover] else PASS
    state.card[mover], state.card[1 - mover], state.card[2] = 2, 0, 1
    state.stake[1 - mover], state.first_bet, state.n_played = 100, 1, 0
    return action


@pytest.mark.parametrize("make", [agent, in_python])
def test_cheaters_are_given_the_state_and_cannot_change_it(make: Any) -> None:
    games = 400 if COMPILED else 60
    seeing, wrecking = (
        fd.match("kuhn", [make(act, cheats=True), agent(always)], games=games, seed=3, keep=True) for act in (peeker, vandal)
    )
    assert seeing.batch is not None and wrecking.batch is not None
    assert seeing.batch.scores.tolist() == wrecking.batch.scores.tolist()
    # against one that always bets it calls for 2 with the higher card and folds for 1 with the lower
    assert set(seeing.batch.scores[:, 0].tolist()) == {2.0, -1.0}


def scribbles_on_its_view(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    action = BET if view.card == 2 else PASS
    view.card, view.mover, view.first_bet = 0, -1, 1
    return action


def holds_the_king(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return BET if view.card == 2 else PASS


def test_scribbling_on_a_view_changes_nothing() -> None:
    one, other = (
        fd.match("kuhn", [agent(act), agent(always)], games=60, seed=3, keep=True)
        for act in (holds_the_king, scribbles_on_its_view)
    )
    assert one.batch is not None and other.batch is not None
    assert one.batch.scores.tolist() == other.batch.scores.tolist()


def test_an_agent_in_python_plays_the_same_games_as_its_compiled_twin() -> None:
    def coin(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
        return int(actions[draw(chance, n)])

    games = 100 if COMPILED else 40
    one = fd.match("kuhn", ["uniform", "uniform"], games=games, seed=3, keep=True)
    other = fd.match("kuhn", [in_python(coin), "uniform"], games=games, seed=3, keep=True)
    assert one.batch is not None and other.batch is not None
    assert one.batch.scores.tolist() == other.batch.scores.tolist()
    assert one.mean == other.mean


# --- agents that never look ----------------------------------------------------------------------------------------------


def looks_late(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    seen = (n, view)
    return int(seen[1].card > 0)


def looks_inside(sight: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return max([int(sight.card > other) for other in range(2)])


@native
def own_card(view: Any) -> int:
    return int(view.card)


def asks_another(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return own_card(view) % 2


def never_looks(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    seen = actions
    return int(seen[n - 1])


def overwrites(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    view = n
    return int(view - 1)


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (holds_the_king, True),
        (looks_late, True),
        (looks_inside, True),
        (asks_another, True),
        (always, False),
        (never_looks, False),
    ],
)
def test_blind_agents_are_known(act: Any, expected: bool) -> None:
    assert looks(agent(act).act) is expected


def test_in_doubt_an_agent_is_shown_its_view() -> None:
    assert looks(agent(overwrites).act)


@pytest.mark.parametrize("act", [looks_late, looks_inside])
def test_agents_that_look_are_shown_their_cards(act: Any) -> None:
    lineup = Lineup("kuhn", [agent(act), agent(never_looks)])
    games = 30
    played = lineup.play(2, 0, games).scores.tolist()
    assert len({tuple(scores) for scores in played}) > 1
    for game in range(games):
        follower = Follower(lineup, 2, game)
        for _ in follower:
            pass
        assert follower.agent_scores().tolist() == played[game]


# --- agents that look in roundabout ways -----------------------------------------------------------------------------------


def in_a_comprehension(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    cards = [view.card for _ in range(2)]
    return BET if cards[1] == 2 else PASS


def in_an_inner_function(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    def high() -> bool:
        return bool(view.card == 2)

    return BET if high() else PASS


def after_another_variable(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    number = 2  # newer Pythons store this and load the view in a single instruction
    return BET if view.card == number else PASS


def plainly(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return BET if view.card == 2 else PASS


@pytest.mark.parametrize("act", [in_a_comprehension, in_an_inner_function, after_another_variable])
def test_an_agent_sees_its_own_view_however_it_looks(act: Any) -> None:
    games = 200 if COMPILED else 12
    roundabout, plain = (fd.Agent(name="looks", meaning="", act=function) for function in (act, plainly))
    scores = [fd.match("kuhn", [agent, "uniform"], games=games, seed=4, keep=True).batch for agent in (roundabout, plain)]
    assert scores[0] is not None and scores[1] is not None
    assert scores[0].scores.tolist() == scores[1].scores.tolist()


def passes(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return PASS


def bets_on_anything(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return PASS if view.players == 0 and view.card == 0 else BET


by_the_empty_view = fd.Agent(name="taken_for_blind", meaning="", act=bets_on_anything)


def test_an_agent_that_is_taken_for_blind_sees_nothing_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if it were mistaken for one that never looks: an empty view, and never the last one that somebody was shown."""
    from facedown.agents import seats

    monkeypatch.setattr(seats, "looks", lambda function: function is not by_the_empty_view.act)
    result = fd.match("kuhn", [by_the_empty_view, "uniform"], games=40, seed=4)
    always_pass = fd.Agent(name="passes", meaning="", act=passes)
    assert result.mean == fd.match("kuhn", [always_pass, "uniform"], games=40, seed=4).mean


def test_arrays_of_games_that_nobody_wants_are_used_again_and_kept_ones_are_not() -> None:
    game, agents, n = "love_letter", ("uniform", "random"), 40 if COMPILED else 4
    lineup = Lineup(game, list(agents))
    kept = run_task(Task(game, agents, True, 1, 0, n, keep=True), lineup).batch
    assert kept is not None
    content = [array.tobytes() for array in (kept.scores, kept.lengths, kept.values)]
    for first in (n, 2 * n, 3 * n, 0):
        task = Task(game, agents, True, 1, first, n, keep=False)
        found, alone = run_task(task, lineup), run_task(task, Lineup(game, list(agents)))
        assert found.batch is None
        assert found.tally.sums.tobytes() == alone.tally.sums.tobytes()
        assert found.tally.counts.tobytes() == alone.tally.counts.tobytes()
    assert len(lineup._used) == 1, "one after the other, in the same arrays"
    assert lineup._used[0].scores is not kept.scores
    assert [array.tobytes() for array in (kept.scores, kept.lengths, kept.values)] == content
