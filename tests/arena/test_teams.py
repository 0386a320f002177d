"""Teams: one name for all seats, one row of results, one public record; solitaire; presets; races in points."""

from __future__ import annotations

import dataclasses
import json
import math
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.agents.contract import NOBODY
from facedown.agents.player import Company, Player
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.arena.spread import histogram_rows
from facedown.errors import AgentError, UsageError
from facedown.games.contract import HIDDEN, Preset
from facedown.games.position import Position
from facedown.native import native
from facedown.native.jit import COMPILED
from facedown.native.records import Record

HERE = Path(__file__).parent.parent / "games"
sys.path.insert(0, str(HERE))

import lamps  # noqa: E402  (it stands beside the tests of games)
from lamps import KEEPER, LAMPS, LUCKY, PARITY, SOLITAIRE  # noqa: E402

FILE = f"{HERE}/lamps.py:GAME"
GAMES = 600 if COMPILED else 40


def play_both_ways(lineup: Lineup, games: int) -> None:
    """The native loop and single steps must agree on everything."""
    batch = lineup.play(7, 0, games)
    for index in range(games):
        follower = Follower(lineup, 7, index)
        n_moves = len(list(follower))
        assert follower.agent_scores().tolist() == batch.scores[index].tolist()
        assert n_moves == batch.lengths[index]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_name_fills_all_seats_of_a_team(players: int) -> None:
    game = LAMPS(players=players)
    alone, everybody = (fd.match(game, names, GAMES, seed=3) for names in ([PARITY], [PARITY] * players))
    assert alone.agents == everybody.agents == ("parity",) * players
    assert alone.mean == everybody.mean == (float(players),) * players
    assert not alone.swap and alone.sides == (f"parity x {players}",)
    assert alone.perfect == (1.0,) and alone.sd == (0.0,) and alone.histogram == ({float(players): GAMES},)


def test_a_team_is_named_once_in_the_command_that_repeats_it() -> None:
    found = fd.match(FILE, ["parity"] * 3, 30, seed=1)
    command, match, game, agent, *rest = found.repeat.split()
    assert (command, match) == ("facedown", "match") and game.endswith("lamps.py:GAME") and agent.endswith("AGENTS.parity")
    assert rest == ["--games", "30", "--seed", "1"]
    mixed = fd.match(FILE, ["parity", "uniform", "parity"], 30, seed=1)
    assert mixed.swap and mixed.sides == ("parity x 2 + uniform",)


def test_one_name_is_not_enough_where_players_compete() -> None:
    with pytest.raises(UsageError, match="kuhn has 2 players, but 1 agent given"):
        fd.match("kuhn", ["uniform"], 10)
    with pytest.raises(UsageError, match="lamps has 3 players, but 2 agents given"):
        fd.match(LAMPS, ["uniform", "first"], 10)


def test_a_team_changes_seats_only_if_its_players_differ() -> None:
    assert Lineup(LAMPS, [PARITY]).n_orders == 1
    assert Lineup(LAMPS, ["uniform"] * 3).n_orders == 1
    assert Lineup(LAMPS, [PARITY, PARITY, LUCKY]).n_orders == 3
    assert Lineup(LAMPS, [PARITY, PARITY, LUCKY], swap=False).n_orders == 1
    assert Lineup("kuhn", ["uniform", "uniform"]).n_orders == 2


@pytest.mark.parametrize("agents", [[LUCKY], [PARITY, LUCKY, "uniform"], ["uniform"]], ids=["team", "mixed", "uniform"])
def test_spread_is_that_of_the_games(agents: list[Any]) -> None:
    found = fd.match(LAMPS, agents, GAMES, seed=5, keep=True)
    assert found.batch is not None
    scores = found.batch.scores[:, 0]
    assert found.sd == pytest.approx((scores.std(ddof=1),))
    assert found.perfect == ((scores == 3).mean(),)
    assert found.histogram == (dict(sorted(Counter(scores.tolist()).items())),)
    told = json.loads(json.dumps(found.to_dict()))
    assert told["histogram"] == [{f"{score:g}": n for score, n in found.histogram[0].items()}]
    assert told["sd"] == list(found.sd) and told["perfect"] == list(found.perfect) and told["sides"] == list(found.sides)
    assert f"sd {found.sd[0]:.4g}, {found.perfect[0]:.2%} perfect" in repr(found)
    assert "draws" not in repr(found) and "wins" not in repr(found)


def test_any_game_may_ask_for_the_spread() -> None:
    plain, found = (fd.match("leduc", ["uniform", "first"], GAMES, 5, keep=True, histogram=asked) for asked in (False, True))
    assert plain.sd == plain.perfect == plain.histogram == () and "sd" not in plain.to_dict()
    assert found.batch is not None and found.sides == found.names
    for agent in range(2):
        scores = found.batch.scores[:, agent]
        assert found.sd[agent] == pytest.approx(scores.std(ddof=1))
        assert found.histogram[agent] == dict(sorted(Counter(scores.tolist()).items()))
    assert "--histogram" in found.repeat and "--histogram" not in plain.repeat


def test_spread_does_not_depend_on_how_games_are_cut() -> None:
    one, other = (fd.match(LAMPS, [LUCKY], 4 * GAMES, 2, threads=threads) for threads in (1, 3))
    assert one.sd == other.sd and one.histogram == other.histogram


def test_of_one_game_the_spread_is_not_known() -> None:
    found = fd.match(LAMPS, [LUCKY], 1, seed=1)
    assert math.isnan(found.sd[0]) and found.to_dict()["sd"] == [None]


def test_many_scores_are_shown_in_bins() -> None:
    rows = histogram_rows({float(score): 2 for score in range(100)})
    assert len(rows) == 20 and sum(n for _, n, _ in rows) == 200 and rows[0][0] == "0 to 4.95"
    assert histogram_rows({1.0: 3, 2.0: 6}) == [("1", 3, "█" * 20), ("2", 6, "█" * 40)]


def test_solitaire() -> None:
    games = 20_000 if COMPILED else 400
    found = fd.match(SOLITAIRE, [KEEPER], games, seed=9)
    assert found.team and found.sides == ("keeper",)
    # keep 4, 5, 6 or throw once more: (5 + 3.5) / 2; a false alarm in 16,000
    assert abs(found.mean[0] - 4.25) < 4 * found.stderr[0]
    # 1, 2, 3 with 1/12 each, 4, 5, 6 with 1/4 each
    variance = sum(n * n for n in (1, 2, 3)) / 12 + sum(n * n for n in (4, 5, 6)) / 4 - 4.25**2
    assert abs(found.sd[0] - math.sqrt(variance)) < 0.05 * (1 if COMPILED else 6)
    assert abs(found.perfect[0] - 0.25) < 4 * math.sqrt(0.25 * 0.75 / games)


# --- presets --------------------------------------------------------------------------------------------------------------


def test_presets_set_options_and_options_go_before() -> None:
    assert str(fd.game(f"{FILE}(long)")) == str(LAMPS(rounds=3)) == "lamps(rounds=3)"
    assert str(fd.game(f"{FILE}(long,players=2)")) == "lamps(players=2,rounds=3)"
    assert str(fd.game(f"{FILE}(crowd,rounds=3)")) == "lamps(players=4,rounds=3)"
    assert str(fd.game(f"{FILE}(rules=crowd)")) == "lamps(players=4,rounds=2)"
    assert LAMPS("crowd", "long").values == {"players": 4, "rounds": 3}


def test_unknown_presets_are_refused() -> None:
    with pytest.raises(UsageError, match=r"preset of lamps.*'lang'.*long"):
        fd.game(f"{FILE}(lang)")
    with pytest.raises(UsageError, match="options have names"):
        fd.game("kuhn(3)")
    with pytest.raises(UsageError, match=r"preset of lamps.*'tiny'"):
        LAMPS(rules="tiny")


@pytest.mark.parametrize(
    ("preset", "words"),
    [
        (Preset("odd", {"size": 3}, "none"), "option of lamps in the preset 'odd'"),
        (Preset("odd", {"rounds": 9}, "none"), "lamps, preset odd: rounds=9 is out of bounds"),
        (Preset("rounds", {"rounds": 2}, "none"), "'rounds' is an option and cannot be a preset too"),
    ],
)
def test_presets_that_cannot_be_are_refused(preset: Preset, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        dataclasses.replace(LAMPS, presets=(preset,))


# --- begin, watch with chance, public records ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "agents",
    [[PARITY], [LUCKY], [PARITY, LUCKY, PARITY], [LUCKY, "uniform", "first"]],
    ids=["parity", "lucky", "mixed", "lucky among others"],
)
def test_the_native_loop_agrees_with_single_steps(agents: list[Any]) -> None:
    play_both_ways(Lineup(LAMPS(rounds=2), agents), 18 if COMPILED else 6)


def test_one_public_record_for_all_seats_is_what_each_seat_would_keep() -> None:
    lineup = Lineup(LAMPS(rounds=2), [PARITY])
    assert lineup.shares_public and not Lineup(LAMPS, [PARITY, PARITY, LUCKY]).shares_public
    follower = Follower(lineup, 1, 0)
    apart = Company([Player(PARITY, LAMPS) for _ in range(3)])
    assert not apart.shares
    follower.start()
    apart.begin(follower.position.view)
    while not follower.position.over:
        turn = follower.turn()
        move = follower.make(turn, *follower.decide(turn))
        apart.hear(
            follower.position.view, lambda seat, move=move: follower.position.heard(seat, move.player, move.action), move.player
        )
        for player in (*apart.players, *follower.players):
            assert player.public.tobytes() == follower.players[0].public.tobytes()
    assert follower.players[1].public is follower.players[0].public
    assert int(follower.players[0].public.view(lamps.PUBLIC)[0].n_heard) == 9


@native
def greedy_watch_all(common: Record, mover: int, action: int, params: Any, public: Any) -> None:
    public.view(lamps.PUBLIC)[0].n_heard = common.lamp[0]


def test_watch_all_is_given_what_everybody_sees_and_no_more() -> None:
    spy = dataclasses.replace(PARITY, name="spy", watch_all=greedy_watch_all)
    with pytest.raises(fd.FacedownError, match="agent spy reads 'lamp', which players cannot see"):
        fd.match(LAMPS, [spy], 1, seed=1)
    assert set(LAMPS.common_view.names or ()) == {"shortened", "players", "rounds", "n_moves", "flashed", "said"}


@native
def writing_act(view: Record, actions: Any, n: int, params: Any, memory: Any, public: Any, chance: Record) -> int:
    public[0] = 1
    return 0


def test_nobody_tells_others_anything_by_the_public_record() -> None:
    writer = dataclasses.replace(PARITY, name="writer", act=writing_act)
    with pytest.raises(fd.FacedownError, match=r"agent writer (writes to an array that can only be read|failed.*read-only)"):
        fd.match(LAMPS, [writer], 1, seed=1)


def test_what_an_agent_declares_must_fit_together() -> None:
    with pytest.raises(UsageError, match="a public record needs 'watch'"):
        dataclasses.replace(PARITY, watch=None, watch_all=None)
    with pytest.raises(UsageError, match="'watch_all' keeps up a public record"):
        dataclasses.replace(PARITY, public=None)
    with pytest.raises(UsageError, match="'watch' takes 6 arguments; it should take 5, the last of them the public record"):
        dataclasses.replace(PARITY, watch=LUCKY.watch)


def test_begin_is_called_once_after_the_deal_with_the_own_view() -> None:
    follower = Follower(Lineup(LAMPS, [LUCKY]), 4, 0)
    follower.start()
    for seat, player in enumerate(follower.players):
        kept = player.memory.view(lamps.SECRET)[0]
        assert int(kept.odd) == lamps.count_odd(follower.position.view(seat))
        assert int(kept.n_lucky) == 0


@native
def deaf_count(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    memory.view(lamps.SECRET)[0].n_lucky += 1


def test_a_watch_that_never_looks_is_not_given_a_view() -> None:
    from facedown.agents.seats import HEARS, HEARS_AND_LOOKS, seat_for

    blind = dataclasses.replace(LUCKY, watch=deaf_count)
    assert seat_for(blind, LAMPS)["watches"] == HEARS
    assert seat_for(PARITY, LAMPS)["watches"] == HEARS_AND_LOOKS
    play_both_ways(Lineup(LAMPS, [blind]), 6)


# --- beliefs ----------------------------------------------------------------------------------------------------------------


def test_search_from_beliefs() -> None:
    """When its partners have flashed, the search that takes over a belief knows the own lamp; the one that does not guesses."""
    games = 120 if COMPILED else 3
    search = "mcts(simulations=60,belief={})".format(f"{HERE}/lamps.py:AGENTS.parity")
    code = [f"{HERE}/lamps.py:AGENTS.parity"] * 2
    knowing = fd.match(FILE, [search, *code], games, seed=3, swap=False)
    assert "belief=" in knowing.agents[0]
    # it flashes anything itself, so the player before it guesses, and is right in every other game
    assert min(knowing.histogram[0]) >= 2
    if COMPILED:
        guessing = fd.match(FILE, ["mcts(simulations=60)", *code], games, seed=3, swap=False)
        assert guessing.mean[0] < knowing.mean[0] - 3 * math.hypot(guessing.stderr[0], knowing.stderr[0])


def test_beliefs_need_somebody_who_has_some() -> None:
    with pytest.raises(UsageError, match=r"belief=.*lucky cannot say what to imagine: agent lucky says nothing of what it"):
        fd.match(FILE, ["mcts(belief=lucky)"], 1)
    with pytest.raises(UsageError, match=r"opponent=.*parity.* cannot play in simulations: agent parity must hear every move"):
        fd.match(FILE, ["mcts(opponent=parity)"], 1)


# --- races in points ----------------------------------------------------------------------------------------------------------


def test_races_of_teams_speak_in_points() -> None:
    found = fd.race(LAMPS, PARITY, LUCKY, points=0.3, seed=1)
    assert found.verdict == "first" and found.team and found.points == 0.3
    assert found.epsilon == pytest.approx(0.3 / (2 * 3))
    assert found.meaning == "parity is better than lucky, or less than 0.3 points a game worse"
    parity, lucky = (fd.match(LAMPS, [agent], found.games // 2, seed=1) for agent in (PARITY, LUCKY))
    assert found.difference == pytest.approx(parity.mean[0] - lucky.mean[0])  # on the same deals
    low, high = found.difference_interval
    assert low < found.difference < high
    assert found.to_dict()["difference"] == found.difference
    assert "points" in repr(found) and "--points 0.3" in fd.race(FILE, "parity", "lucky", points=0.3, seed=1).repeat


def test_points_and_epsilon_say_the_same() -> None:
    one = fd.race("kuhn", "uniform", "first", points=0.8, seed=1)
    other = fd.race("kuhn", "uniform", "first", epsilon=0.1, seed=1)  # scores from -2 to 2
    assert (one.games, one.mean, one.verdict) == (other.games, other.mean, other.verdict)


@pytest.mark.parametrize("points", [0, -1, 3, math.nan, "many"])
def test_points_out_of_bounds(points: Any) -> None:
    with pytest.raises(UsageError, match=r"points=.* is out of bounds; scores go from 0 to 3"):
        fd.race(LAMPS, PARITY, LUCKY, points=points)
    with pytest.raises(UsageError, match="give one of them"):
        fd.race(LAMPS, PARITY, LUCKY, points=0.1, epsilon=0.1)


# --- reasons ------------------------------------------------------------------------------------------------------------------


def test_reasons_are_objects_with_words() -> None:
    moves = list(Follower(Lineup(LAMPS, [PARITY]), 1, 0))
    assert [str(move.reason) for move in moves][:2] == [f"heard {n} moves {move.name} 1" for n, move in enumerate(moves[:2])]
    reason = moves[0].reason
    assert reason is not None and reason.kind == "rule" and reason.options[0].action == moves[0].action
    assert reason.to_dict()["options"][0]["value"] == 1.0
    with pytest.raises(UsageError, match="a reason is of the kind forced, rule, value, mixed, not 'whim'"):
        fd.Reason("whim", "why not")  # type: ignore[arg-type]


def test_words_alone_are_no_reason() -> None:
    chatty = dataclasses.replace(LUCKY, explain=lambda *given: "because")
    with pytest.raises(AgentError, match="agent lucky explains itself with 'because', which is no Reason"):
        list(Follower(Lineup(LAMPS, [chatty]), 1, 0))


def test_a_public_agent_is_told_of_the_deal_by_nobody() -> None:
    position = Position(LAMPS)
    position.sample(1, 0)
    position.start()
    player = Player(PARITY, LAMPS)
    player.hear(position.view(0), NOBODY, HIDDEN)
    assert player.public.view(lamps.PUBLIC)[0].players == 3
    assert np.array_equal(player.public.view(lamps.PUBLIC)[0].parity, [-1] * 4)


def test_a_plain_python_agent_keeps_a_public_record_too() -> None:
    def act(view: Any, actions: Any, n: int, params: Any, memory: Any, public: Any, chance: Any) -> int:
        return int(PARITY.act(view, actions, n, params, memory, public, chance))

    slow = dataclasses.replace(PARITY, name="slow", act=act, compiled=False)
    assert fd.match(LAMPS, [slow], 5, seed=1).mean[0] == 3.0
