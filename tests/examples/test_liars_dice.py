"""The example game: the same tree as OpenSpiel's, found by path, played at native speed, and an agent that reckons right."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import facedown as fd
from facedown import check
from facedown.agents.registry import agents_for
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.cli.main import app
from facedown.games.position import Position
from facedown.native.jit import COMPILED
from facedown.trees.explore import explore

ROOT = Path(__file__).parents[2]
PATH = f"{ROOT}/examples/liars_dice.py:GAME"


def liars_dice(**options: Any) -> fd.Game:
    return fd.game(PATH, **options)


def dealt(game: fd.Game, dice: tuple[int, ...]) -> Position:
    position = Position(game)
    position.start([(die - 1, game.values["faces"]) for die in dice])
    return position


def deals(faces: int) -> Iterator[tuple[int, ...]]:
    return itertools.product(range(1, faces + 1), repeat=2)


@lru_cache
def counts(faces: int) -> tuple[int, int, int]:
    """Decision nodes, ends and information sets, by walking the rules."""
    game, n_decisions, n_ends, views = liars_dice(faces=faces), 0, 0, set()
    for dice in deals(faces):
        position = dealt(game, dice)
        waiting = [position.state.copy()]
        while waiting:
            position.state = state = waiting.pop()
            if position.over:
                n_ends += 1
                continue
            n_decisions += 1
            views.add(position.view(position.turn()).tobytes())
            for action in position.legal():
                position.state = state
                position.step(action)
                waiting.append(position.state.copy())
    return n_decisions, n_ends, len(views)


def test_counts_are_those_of_the_rules() -> None:
    # a history of bids is a set of bids, since each is higher than the last: 2 ** 6 of them, for each of 9 deals
    assert counts(3) == (9 * 2**6, 9 * (2**6 - 1), 3 * 2**6)


def open_spiel(faces: int) -> Any:
    return pytest.importorskip("pyspiel").load_game(f"liars_dice(numdice=1,dice_sides={faces})")


def test_the_tree_is_that_of_open_spiel() -> None:
    faces = 4 if COMPILED else 3
    game, roots = liars_dice(faces=faces), open_spiel(faces).new_initial_state()
    position, pairs = Position(game), set()

    def compare(state: Any, other: Any) -> None:
        position.state = state
        if other.is_terminal():
            assert position.over
            assert position.scores().tolist() == other.returns()
            return
        player = position.turn()
        assert player == other.current_player()
        legal = position.legal()
        assert legal == other.legal_actions()
        pairs.add((position.view(player).tobytes(), other.information_state_string(player)))
        for action in legal:
            position.state = state
            position.step(action)
            compare(position.state.copy(), other.child(action))

    for dice in deals(faces):
        root = roots.clone()
        for die in dice:
            root.apply_action(die - 1)
        compare(dealt(game, dice).state.copy(), root)
    # one view for each information state and one information state for each view
    assert len(pairs) == len({ours for ours, _ in pairs}) == len({theirs for _, theirs in pairs}) == counts(faces)[2]


@pytest.mark.compiled
def test_counts_are_those_of_open_spiel_with_five_faces() -> None:
    n_decisions, n_ends, information = 0, 0, set()
    waiting = [open_spiel(5).new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            n_ends += 1
            continue
        if not state.is_chance_node():
            n_decisions += 1
            information.add(state.information_state_string())
        waiting.extend(state.child(action) for action in state.legal_actions())
    found = explore(liars_dice(faces=5))
    assert (found.decisions, found.ends, sum(found.information_sets)) == (n_decisions, n_ends, len(information))
    assert (n_decisions, n_ends, len(information)) == (25_600, 25_575, 5_120)


def test_exploring_counts_as_walking_does() -> None:
    found = explore(liars_dice(faces=3))
    assert (found.decisions, found.ends, sum(found.information_sets)) == counts(3)
    assert found.chance == 1 + 3  # one for each die: the second once for each throw of the first
    assert found.longest == 7


def test_without_wild_faces_only_equal_dice_count() -> None:
    for wild, expected in (("yes", [-1.0, 1.0]), ("no", [1.0, -1.0])):
        position = dealt(liars_dice(faces=4, wild=wild), (2, 4))
        position.step(0)  # 1 x 1 is true when the 4 is wild
        position.step(1)  # 1 x 2 is true in any case
        position.step(4)  # 2 x 1
        position.step(5)  # 2 x 2 is true when the 4 is wild: player 1 has bid, player 0 doubts
        position.step(8)
        assert position.scores().tolist() == expected


def test_a_match_by_path_beats_chance_and_repeats() -> None:
    n_games = 20_000 if COMPILED else 300
    result = fd.match(PATH, ["sceptic", "uniform"], games=n_games, seed=1)
    # the true mean is about 0.67; 6 standard errors below 0.67 would still be above 0.35 (false alarms below 1e-8)
    assert result.mean[0] > 0.35
    assert result.mean[0] == -result.mean[1]
    again = fd.match(PATH, ["sceptic", "uniform"], games=n_games, seed=1, threads=1)
    assert (again.mean, again.stderr, again.wins) == (result.mean, result.stderr, result.wins)


@pytest.mark.compiled
def test_a_match_runs_at_native_speed() -> None:
    lineup = Lineup(liars_dice(), ["sceptic", "uniform"])
    followers = [Follower(lineup, seed=1, index=index) for index in range(200)]
    lineup.play(1, 0, 1_000), list(followers[0])  # once beforehand, so that nothing compiles while the clock runs
    started = time.perf_counter()
    for follower in followers[1:]:
        assert list(follower)
    by_python, started = (time.perf_counter() - started) / 199, time.perf_counter()
    lineup.play(1, 0, 50_000)
    by_loop = (time.perf_counter() - started) / 50_000
    # the same functions called from Python, move by move, take more than a thousand times as long; a busy machine slows both
    assert by_python > 30 * by_loop


def test_a_relative_path_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    game = fd.game("./examples/liars_dice.py:GAME(faces=5)")
    assert (str(game), game.n_actions) == ("liars_dice(faces=5)", 11)
    assert fd.game(game.spec).values == game.values
    assert game.spec == f"{PATH}(faces=5)"


def p_true_by_counting(faces: int, wild: bool, die: int, bid: int) -> float:
    n_bid, face = bid // faces + 1, bid % faces + 1
    others = [sum(d == face or (wild and d == faces) for d in (die, other)) >= n_bid for other in range(1, faces + 1)]
    return sum(others) / faces


@pytest.mark.parametrize("wild", ["no", "yes"])
def test_the_sceptic_reckons_as_counting_does(wild: str) -> None:
    faces = 4
    game = liars_dice(faces=faces, wild=wild)
    sceptic = agents_for(game)["sceptic"]
    lineups = {threshold: Lineup(game, [sceptic(threshold=threshold)] * 2, swap=False) for threshold in (0.0, 0.4, 0.6)}
    for threshold, dice in itertools.product(lineups, deals(faces)):
        follower = Follower(lineups[threshold], seed=1, index=0)
        follower.start()
        follower.position.start([(die - 1, faces) for die in dice])
        highest = -1
        for move in follower.moves():
            p_bids = [p_true_by_counting(faces, wild == "yes", dice[move.player], bid) for bid in range(2 * faces)]
            if move.action == 2 * faces:
                assert move.forced or p_bids[highest] < threshold
            else:
                assert highest < 0 or p_bids[highest] >= threshold
                later = p_bids[highest + 1 :]
                assert move.action == highest + 1 + later.index(max(later))
                highest = move.action


def test_the_sceptic_gives_its_reason() -> None:
    follower = Follower(Lineup(liars_dice(), ["sceptic", "sceptic"]), seed=1, index=0)
    reasons = [str(move.reason) for move in follower if not move.forced]
    assert reasons[0] == "the lowest bid that is most likely true"
    assert all("probability" in reason for reason in reasons[1:])


def test_words_of_a_game() -> None:
    position = dealt(liars_dice(faces=5), (3, 5))
    assert position.describe(0) == "You are player 0. Your die shows 3 (faces 1 to 5; 5 is wild). Nobody has bid yet."
    position.step(7)
    assert position.describe(1).endswith("Bids: player 0: 2 x 3.")
    assert [position.action_name(action) for action in position.legal()] == ["2 x 4", "2 x 5", "liar"]
    position.step(10)
    assert position.describe(0).endswith("Bids: player 0: 2 x 3. Player 1 said liar.")
    assert position.scores().tolist() == [1.0, -1.0]
    with pytest.raises(fd.UsageError, match="cannot play 10"):
        dealt(liars_dice(faces=5), (3, 5)).step(10)


@pytest.mark.parametrize(
    ("text", "action"),
    [("2 3", 7), ("2x3", 7), (" 2 X 3 ", 7), ("1 times 5", 4), ("2-1", 5), ("2 6", None), ("3 1", None), ("", None)],
)
def test_bids_are_read_as_people_write_them(text: str, action: int | None) -> None:
    game = liars_dice(faces=5)
    assert game.parse_action is not None
    assert game.parse_action(dealt(game, (1, 1)).view(0), text) == action


def test_every_name_of_an_action_is_read_back() -> None:
    game = liars_dice(faces=6)
    assert game.parse_action is not None
    view = dealt(game, (1, 1)).view(0)
    for bid in range(12):
        assert game.parse_action(view, game.action_name(view, bid)) == bid


def test_imagined_states_fit_the_view() -> None:
    position = dealt(liars_dice(faces=5), (3, 5))
    position.step(7)
    view = position.view(1)
    imagined = Position(position.game)
    imagined.sample(1, 0)
    seen = set()
    for _ in range(200):
        imagined.state = state = imagined.imagine(view, 1)
        assert imagined.view(1).tobytes() == view.tobytes()
        seen.add(tuple(state.dice.tolist()))
    # all five dice of the other player turn up: one is missed with probability at most 5 * 0.8 ** 200 < 1e-18
    assert seen == {(other, 5) for other in range(1, 6)}


def test_it_keeps_the_contract() -> None:
    # the suite's chi-square tests have false-alarm rates of 1e-6, and the seed is fixed
    report = check.game(f"{PATH}(faces=3)", games=40 if COMPILED else 10, max_nodes=2_000)
    assert report.ok, str(report)
    passed = {check.name for check in report.checks if check.status == "passed"}
    assert {"no peeking", "imagine", "posterior", "recall", "tree", "agents"} <= passed


def test_a_person_plays_it_through_a_pipe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["play", f"{PATH}(faces=3)", "--against", "sceptic", "--seed", "3", "--save", "game.transcript"]
    run = CliRunner().invoke(app, arguments, input="?\n9 9\n2x3\n")
    assert run.exit_code == 0, run.output
    assert "cannot play '9 9'" in run.output  # an illegal move is answered, and asked for again
    assert "player 1: liar" in run.output
    transcript = fd.read_transcript("game.transcript")
    assert [move.name for move in transcript.moves] == ["2 x 3", "liar"]
    assert list(transcript.positions())[-1].over
