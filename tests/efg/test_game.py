"""An .efg file as a game: found by its path, played, checked and explored like any other; nobody sees an address."""

from __future__ import annotations

import gc
import itertools
import json
import math
from fractions import Fraction
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import RandomTree
from texts import BLUFF, FORGETFUL, SIGNS, chain
from typer.testing import CliRunner

import facedown as fd
from facedown import check
from facedown.arena.lineup import Lineup
from facedown.check import suite
from facedown.cli.main import app
from facedown.games.contract import UNNOTICED
from facedown.games.gambit.game import VIEW, game_from
from facedown.games.gambit.tokens import EfgError
from facedown.games.position import Position
from facedown.native.jit import COMPILED
from facedown.solving.solver import solve
from facedown.trees.explore import explore

HEADER = 'EFG 2 R "" { "one" "two" }\n'


@pytest.fixture
def bluff(tmp_path: Path) -> Path:
    path = tmp_path / "bluff.efg"
    path.write_text(BLUFF, encoding="utf-8")
    return path


def game(text: str) -> fd.Game:
    return game_from(text, "x.efg", "x.efg")


def test_a_file_is_found_by_its_path(bluff: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bluff.parent)
    found = fd.game("./bluff.efg")
    assert (str(found), found.title, found.source) == ("bluff.efg", "A bluff with an ante", "one card, one bet")
    assert (found.n_players, found.n_actions, found.max_moves, found.kind) == (2, 2, 2, "zero sum")
    assert found.score_range == (-3.0, 3.0)
    assert found.seat_name(1) == "Bob"
    assert found.perfect_recall and found.exact_imagine
    assert found.spec == str(bluff)
    assert fd.game(found.spec).title == found.title


def test_facts_of_the_tree(bluff: Path) -> None:
    found = explore(fd.game(str(bluff)))
    assert (found.chance, found.decisions, found.ends, found.information_sets) == (1, 4, 6, (2, 1))
    # the ante is paid in any case; then high: 1/2 fold -1, 1/4 win 2, 1/4 steal 1/2; low: the same with a lost call
    assert found.values[0] == 1 + Fraction(1, 2) * (Fraction(-1, 2) + Fraction(2, 4) + Fraction(1, 8)) + Fraction(1, 2) * (
        Fraction(-1, 2) - Fraction(2, 4) + Fraction(1, 8)
    )


def test_a_match_tallies_what_exploring_says(bluff: Path) -> None:
    n_games = 40_000 if COMPILED else 400
    result = fd.match(str(bluff), ["uniform", "uniform"], games=n_games, seed=1, swap=False)
    exact = float(explore(fd.game(str(bluff))).values[0])
    assert abs(result.mean[0] - exact) < 5 * result.stderr[0]  # false alarms: 6e-7, and the seed is fixed
    assert fd.match(str(bluff), ["uniform", "uniform"], games=n_games, seed=1, swap=False, threads=1).mean == result.mean


@pytest.mark.parametrize("text", [BLUFF, FORGETFUL, SIGNS], ids=["bluff", "forgetful", "signs"])
def test_files_keep_the_contract(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tuple(step for step in suite.STEPS if step.name != "agents")  # those have tests of their own
    monkeypatch.setattr(suite, "STEPS", rules)
    path = tmp_path / "checked.efg"
    path.write_text(text, encoding="utf-8")
    # the suite's chi-square tests have false-alarm rates of 1e-6, and the seed is fixed
    report = check.game(str(path), games=40 if COMPILED else 10)
    assert report.ok, str(report)
    passed = {one.name for one in report.checks if one.status == "passed"}
    assert {"no peeking", "imagine", "posterior", "tree", "words", "replay", "native loop"} <= passed
    assert ("recall" in passed) == (text is not FORGETFUL)


def test_views_hold_no_address_and_nothing_hidden() -> None:
    assert set(VIEW.names or ()) == {"player", "over", "information_set", "n_actions", "last_set", "last_action"}
    position, views = Position(game(BLUFF)), []
    for branch in range(2):
        position.start([(branch, 2)])
        position.step(0)
        views.append(position.view(1).tobytes())
    assert views[0] == views[1]  # Bob sees a bet, and not the card


def test_moves_at_the_same_time_are_heard_and_seen_by_nobody_else() -> None:
    """All that reaches Bob is the same, whatever Alice chose: view, words, names of actions, what is heard."""
    rules = game(SIGNS)
    position, reached = Position(rules), set()
    for choice in range(3):
        position.start()
        position.step(choice)
        names = tuple(position.action_name(action) for action in position.legal())
        heard = int(rules.hears(position.state, 1, 0, choice))
        reached.add((position.view(1).tobytes(), position.describe(1), names, tuple(position.legal()), heard))
        assert int(rules.hears(position.state, 0, 0, choice)) == choice
        assert ("rock", "paper", "scissors")[choice] in position.describe(0)
        before_turn = rules.action_name(Position(rules).view(1), choice)
        assert before_turn == f"action {choice}"  # what Alice's choices are called is not for Bob
        position.step(1)
        assert int(rules.hears(position.state, 0, 1, 1)) == UNNOTICED
    (_, words, names, _, heard) = reached.pop()
    assert not reached
    assert (heard, names) == (UNNOTICED, ("rock", "paper", "scissors"))
    assert words == "You are player 1, Bob. It is your turn, in information set 1 (second)."


def test_an_equilibrium_of_moves_at_the_same_time() -> None:
    solution = fd.solve(game(SIGNS), exploitability=1e-7, iterations=2_000)
    assert solution.value == pytest.approx(0, abs=1e-6)
    assert solution.policy.probabilities.tolist() == pytest.approx([1 / 3] * 6, abs=1e-6)


def test_words() -> None:
    position = Position(game(BLUFF))
    position.start([(1, 2)])
    assert position.describe(0) == "You are player 0, Alice. It is your turn, in information set 2 (low card)."
    assert position.describe(1) == "You are player 1, Bob. It is not your turn."
    assert [position.action_name(action) for action in position.legal()] == ["bet", "fold"]
    position.step(0)
    position.step(1)
    assert (
        position.describe(0)
        == "You are player 0, Alice. You were in information set 2 (low card) and played bet. The game is over."
    )
    assert position.scores().tolist() == [1.5, -1.5]


def test_all_of_the_past_is_told_where_it_is_remembered() -> None:
    position = Position(game(chain(5)))
    position.start()
    for _ in range(4):
        position.step(1)
    assert position.describe(0) == (
        "You are player 0, odd. You were in information set 1 and played go on. You were in information set 2 and played "
        "go on. It is your turn, in information set 3."
    )


def test_names_of_actions_can_be_told_apart() -> None:
    labels = '"" "go" "Go" "go #1" "action 0" ""'
    ends = "\n".join('t "" 0' for _ in range(6))
    position = Position(game(f'{HEADER} p "" 1 1 "" {{ {labels} }} 0\n{ends}'))
    position.start()
    names = [position.action_name(action) for action in position.legal()]
    assert len({name.casefold() for name in names}) == 6
    assert names[3] == "go #1"


def test_who_forgets_is_told_nothing_of_the_past() -> None:
    found = game(FORGETFUL)
    assert not found.perfect_recall
    position = Position(found)
    position.start()
    first = position.view(0).tobytes()
    position.step(0)
    assert position.view(0).tobytes() == first
    assert explore(found).information_sets == (1, 1)


@settings(max_examples=40 if COMPILED else 15)
@given(st.integers(0, 2**32))
def test_random_trees_are_what_their_makers_say(seed: int) -> None:
    tree = RandomTree(seed)
    found, counts = explore(game(tree.text())), tree.counts()
    assert found.values == pytest.approx([float(value) for value in tree.values()], abs=1e-12)
    assert (found.chance, found.decisions, found.ends) == (counts["c"], counts["p"], counts["t"])
    forgetful = [tree.forgets(player) for player in range(tree.n_players)]
    assert game(tree.text()).perfect_recall == (not any(forgetful))
    assert sum(found.information_sets) == counts["sets"]


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_imagined_states_fit_in_random_trees(seed: int) -> None:
    found = game(RandomTree(seed).text())
    position = Position(found)
    position.sample(seed % 1000, 0)
    position.start()
    imagined = Position(found)
    for _ in range(4):
        for player in range(found.n_players):
            view = position.view(player)
            imagined.state = imagined.imagine(view, player)
            assert imagined.view(player).tobytes() == view.tobytes()
        if position.over:
            break
        position.step(position.legal()[-1])


def test_deep_trees_need_no_recursion() -> None:
    n_moves = 5_000
    found = game(chain(n_moves))
    assert found.max_moves == n_moves
    assert found.perfect_recall
    position = Position(found)
    position.start()
    for _ in range(50):
        position.step(1)
    imagined = Position(found)
    imagined.state = imagined.imagine(position.view(1), 1)
    assert imagined.view(1).tobytes() == position.view(1).tobytes()
    position.step(0)
    assert position.scores().tolist() == [50.0, -50.0]


def test_where_exact_weights_are_too_large_imagined_states_are_only_plausible() -> None:
    """Two nodes behind one view, one of them 3^40 times as likely: no integers for `draw_from`."""
    lines = [HEADER.strip()]
    for number in range(40):
        lines += [f'c "" {number + 1} "" {{ "a" 1/3 "b" 2/3 }} 0', 'p "" 2 1 "" { "x" "y" } 0', 't "" 0', 't "" 0']
    lines += ['p "" 2 1 0', 't "" 1 "" { 1 -1 }', 't "" 0']
    found = game("\n".join(lines))
    assert not found.exact_imagine
    position, seen = Position(found), set()
    position.start([(0, 2)])
    view = position.view(1)
    for _ in range(50):
        seen.add(int(position.imagine(view, 1).node))
    assert len(seen) > 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('EFG 2 R "" { } t "" 0', "0 players are named; 1 to 5 can play"),
        ('EFG 2 R "" { "a" "b" "c" "d" "e" "f" } t "" 0', "6 players are named; 1 to 5 can play"),
        (HEADER + 't "" 0', "nobody ever moves"),
        (HEADER + 'c "" 1 "" { "a" 1 } 0 t "" 0', "nobody ever moves"),
        (HEADER + 'c "" 1 "" { "a" 0.33333333333 "b" 0.66666666667 } 0 p "" 1 1 "" { "x" } 0 t "" 0 t "" 0',
         r"line 2, column 17: the probability 0.33333333333 has the denominator 100000000000, .*up to 2,147,483,648 only.*1/3"),
        (HEADER + 'c "" 1 "" { "a" 1/92674 "b" 46336/92674 "c" 1/92698 "d" 46348/92698 } 0 p "" 1 1 "" { "x" } 0'
         + ' t "" 0' * 4,
         r"line 2, column 6: the probabilities have the common denominator 4295347226, .*up to 2,147,483,648 only.*1/3"),
        (HEADER + "".join(f'c "" {n + 1} "" {{ "a" 1 }} 0 ' for n in range(257)) + 'p "" 1 1 "" { "x" } 0 t "" 0',
         "more than 256 chance nodes follow each other"),
        (HEADER + 'p "" 1 1 "" { "x" } 1 "" { 1e99 0 } p "" 1 2 "" { "y" } 1 t "" 2 "" { 1e99 1e100 }', None),
        (HEADER + 'p "" 1 1 "" { "x" } 0 t "" 1 "" { 9e299/1 0 }', "is no fraction"),
    ],
)  # fmt: skip
def test_trees_that_cannot_be_played(text: str, words: str | None) -> None:
    if words is None:
        assert game(text).score_range == (3e99, 1e100)
        return
    with pytest.raises(EfgError, match=words):
        game(text)


def test_the_largest_payoffs_can_be_counted_with() -> None:
    high, low = "{ 1e100 -1e100 }", "{ -1e100 1e100 }"
    text = f'{HEADER} p "" 1 1 "" {{ "x" "y" }} 0 t "" 1 "" {high} t "" 2 "" {low}'
    found = fd.match(game(text), ["uniform", "uniform"], games=20, seed=1)
    assert all(math.isfinite(figure) for figure in (*found.mean, *found.stderr))
    assert solve(game(text), "cfr+", iterations=20).value == pytest.approx(1e100, rel=0.01)  # it begins uniformly


def test_the_largest_weights_are_drawn_exactly() -> None:
    rare = Fraction(1, 2**31)
    text = f'{HEADER} c "" 1 "" {{ "a" {rare} "b" {1 - rare} }} 0 p "" 1 1 "" {{ "x" }} 0 t "" 1 "" {{ 1 -1 }} t "" 0'
    assert explore(game(text)).values[0] == rare


def test_a_game_keeps_its_tables_as_long_as_it_is_used() -> None:
    positions = [Position(game(chain(n_moves))) for n_moves in (3, 30, 300)]
    gc.collect()
    noise = [bytearray(10_000) for _ in range(100)]
    for position, n_moves in zip(positions, (3, 30, 300), strict=True):
        position.start()
        for move in range(n_moves):
            assert position.turn() == move % 2
            position.step(1)
        assert position.over
    assert noise


def test_one_machine_code_serves_all_files() -> None:
    names = ("start", "turn", "legal", "step", "score", "observe", "imagine")
    one, other = game(BLUFF), game(chain(4))
    assert all(getattr(one, name) is getattr(other, name) for name in names)
    for found, text in itertools.product([one, other], "x"):
        batch = Lineup(found, ["uniform", "uniform"]).play(seed=1, first=0, count=20)
        assert len(batch.lengths) == 20, text


# --- the command line -----------------------------------------------------------------------------------------------------


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


def test_matches_and_rules_on_the_command_line(bluff: Path) -> None:
    done = run("match", str(bluff), "uniform", "first", "--games", "50", "--seed", "1", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["game"] == "bluff.efg"
    assert "A bluff with an ante" in run("rules", str(bluff)).stdout
    assert run("agents", str(bluff)).exit_code == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BLUFF[:200].encode(), "line "),
        (b"", "line 1, column 1: 'EFG 2 R'"),
        (b"EFG 2 R \xff\xfe", "is not a text: byte 8 is not UTF-8"),
        (b"PK\x03\x04", "'EFG 2 R'"),
    ],
)
def test_a_broken_file_is_a_sentence_and_exit_code_2(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "broken.efg"
    path.write_bytes(content)
    done = run("match", str(path), "uniform", "uniform", "--games", "5")
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.startswith("facedown: ")
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("name", ["none.efg", "folder.efg"])
def test_a_file_that_is_not_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.efg").mkdir()
    done = run("match", str(tmp_path / name), "uniform", "uniform")
    assert (done.exit_code, "there is no file" in done.stderr) == (2, True)


def test_transcripts_of_a_file_replay(bluff: Path, tmp_path: Path) -> None:
    saved = tmp_path / "game.transcript"
    arguments = ("play", str(bluff), "--against", "first", "--seed", "2", "--save", str(saved))
    done = CliRunner().invoke(app, list(arguments), input="bet\nbet\n")
    assert done.exit_code == 0, done.output
    assert list(fd.read_transcript(str(saved)).positions())[-1].over


def test_naming_a_file_loads_nothing_else(bluff: Path, run_python: Any) -> None:
    program = (
        "import sys; from facedown.games.registry import check_name; check_name(sys.argv[1]); print('numba' in sys.modules)"
    )
    done: CompletedProcess[str] = run_python(program, str(bluff))
    assert done.stdout.strip() == "False"
