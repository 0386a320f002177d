"""`solve` and its result: figures, curve, words, pictures, files, interruptions, and errors that are sentences."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.errors import Interrupted, UsageError
from facedown.native.jit import COMPILED
from facedown.policies.policy import PolicyFileError, read_arrays, read_policy, save_policy, write_arrays
from facedown.policies.text import compact
from facedown.progress import Progress
from facedown.solving.checkpoint import load_solution
from facedown.solving.mccfr import engine as sampled_engine
from facedown.solving.running import is_point, next_point
from facedown.solving.solution import SCHEMA, Solution
from facedown.solving.solver import solve
from facedown.trees.explore import TreeTooLargeError

ITERATIONS = 64 if COMPILED else 16


@pytest.fixture(scope="module")
def solved() -> Solution:
    """A solution of Kuhn poker, good to two digits."""
    return solve("kuhn", "cfr+", iterations=ITERATIONS)


# --- figures --------------------------------------------------------------------------------------------------------------


def test_figures_fit_together(solved: Solution) -> None:
    assert solved.iterations == ITERATIONS
    assert solved.value == solved.values[0] == pytest.approx(-1 / 18, abs=0.02)
    assert solved.nash_conv == sum(solved.gains)
    assert solved.exploitability == solved.nash_conv / 2 == solved.curve[-1].exploitability
    assert solved.exact and solved.stderr == ()
    assert solved.tree is not None
    assert (solved.tree.nodes, solved.tree.information_sets, solved.tree.sequences) == (58, (6, 6), (13, 13))
    assert repr(solved).startswith(f"kuhn, cfr+: value {solved.value:.9g} for player 0, exploitability")
    assert "information sets (6 + 6)" in str(solved.tree)


def test_json_has_the_promised_fields(solved: Solution) -> None:
    told = json.loads(json.dumps(solved.to_dict()))
    assert told["schema"] == SCHEMA == "facedown.solve/1"
    promised = ["game", "method", "iterations", "seconds", "value", "values", "gains", "nash_conv", "exploitability", "curve"]
    assert [name for name in promised if name not in told] == []
    assert "divided by the number of players" in told["definition"]
    assert told["curve"][0] == solved.curve[0]._asdict()
    assert told["tree"]["nodes"] == 58


def test_the_curve_has_powers_of_two_and_the_end() -> None:
    found = solve("kuhn", iterations=21)
    points = [point.iterations for point in found.curve]
    assert points == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 19, 21]
    assert [point.seconds for point in found.curve] == sorted(point.seconds for point in found.curve)
    assert found.curve[-1].seconds == pytest.approx(found.seconds)
    assert [point.iterations for point in solve("kuhn", iterations=14).curve][-3:] == [12, 13, 14]


def test_points_are_the_same_wherever_one_looks_from() -> None:
    points = [n for n in range(1, 600) if is_point(n, 8)]
    assert set(points) >= {2**k for k in range(10)}
    for done in range(600):
        assert next_point(done, 8) == next(n for n in [*points, next_point(599, 8)] if n > done)


def test_no_iterations_are_uniform_play() -> None:
    found = solve("kuhn", iterations=0)
    assert found.nash_conv == pytest.approx(11 / 12)
    assert found.curve == ()
    assert set(found.policy.probabilities.tolist()) == {0.5}


def test_it_stops_at_an_exploitability() -> None:
    found = solve("kuhn", "pcfr+", exploitability=0.01)
    assert found.exploitability <= 0.01 < found.curve[-2].exploitability
    again = solve("kuhn", "pcfr+", iterations=found.iterations)
    assert np.array_equal(again.policy.probabilities, found.policy.probabilities)


def test_it_stops_after_some_seconds() -> None:
    found = solve("kuhn", seconds=0.3)
    assert 0.25 < found.seconds + found.seconds_evaluating < 3  # a batch may be late on a busy machine
    assert found.iterations > 10


def test_the_first_of_several_limits_counts() -> None:
    assert solve("kuhn", iterations=3, seconds=60, exploitability=1e-9).iterations == 3


def test_the_same_run_again_is_the_same_to_the_last_bit(solved: Solution) -> None:
    again = solve("kuhn", "cfr+", iterations=ITERATIONS)
    for name, table in solved.state.items():
        assert np.array_equal(table, again.state[name])
    assert [(p.iterations, p.exploitability) for p in solved.curve] == [(p.iterations, p.exploitability) for p in again.curve]


def test_players_can_learn_all_at_once() -> None:
    in_turn, at_once = (solve("kuhn", "cfr", iterations=8, alternating=order) for order in (True, False))
    assert in_turn.exploitability != at_once.exploitability
    assert "--simultaneous" in at_once.repeat and "--simultaneous" not in in_turn.repeat


def test_the_weights_of_the_average_can_be_chosen() -> None:
    usual, chosen = solve("kuhn", "cfr+", iterations=16), solve("kuhn", "cfr+", iterations=16, average=0)
    assert np.array_equal(usual.state["regrets"], chosen.state["regrets"])
    assert usual.exploitability < chosen.exploitability
    assert chosen.repeat.endswith("--average 0")


# --- sampling -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["chance-sampling", "external-sampling", "outcome-sampling(epsilon=0.4)"])
def test_sampling_methods_are_evaluated_exactly_where_that_is_possible(method: str) -> None:
    found = solve("kuhn", method, iterations=4_000 if COMPILED else 40, seed=1)
    assert found.exact and found.seed == 1
    assert found.exploitability == found.curve[-1].exploitability < found.curve[0].exploitability
    assert [point.iterations for point in found.curve][:7] == [1, 2, 3, 4, 6, 8, 11]
    assert f"--method '{method}'" in found.repeat.replace(f" {method} ", f" '{method}' ") and found.repeat.endswith("--seed 1")
    again = solve("kuhn", method, iterations=found.iterations, seed=1)
    assert np.array_equal(found.policy.probabilities, again.policy.probabilities)


def test_a_seed_is_drawn_and_told() -> None:
    found = solve("kuhn", "external-sampling", iterations=2)
    assert found.seed is not None and found.repeat.endswith(f"--seed {found.seed}")


def test_games_that_are_too_large_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampled_engine, "ESTIMATE_GAMES", 4_000 if COMPILED else 100)
    monkeypatch.setattr(sampled_engine, "LEARNING_ITERATIONS", 2_000 if COMPILED else 20)
    found = solve("kuhn", "external-sampling", iterations=4_000 if COMPILED else 10, seed=1, max_nodes=20)
    assert not found.exact and found.tree is None and found.curve == ()
    exact = solve("kuhn", "external-sampling", iterations=found.iterations, seed=1)
    assert np.array_equal(found.policy.probabilities, exact.policy.probabilities)
    for player in range(2):  # lower bounds, up to their errors; false alarm: 6e-5 for each, with a fixed seed
        assert found.gains[player] < exact.gains[player] + 4 * found.stderr[player]
    assert abs(found.value - exact.value) < 4 * found.stderr[0]
    assert "exploitability at least" in repr(found)


def test_what_nobody_has_looked_at_is_not_a_number(tmp_path: Path) -> None:
    def stop(now: Progress) -> None:
        if now.details["iterations"] >= 4:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        solve("kuhn", "external-sampling", seconds=60, seed=1, max_nodes=20, save=tmp_path / "kuhn.npz", progress=stop)
    result = caught.value.result
    assert math.isnan(result.exploitability)
    assert result.to_dict()["exploitability"] is None
    assert math.isnan(load_solution(tmp_path / "kuhn.npz").gains[0])


def test_an_exploitability_that_cannot_be_known_cannot_be_waited_for() -> None:
    with pytest.raises(TreeTooLargeError):
        solve("kuhn", "external-sampling", exploitability=0.1, max_nodes=20, seed=1)
    with pytest.raises(UsageError, match=r"average=2: external-sampling can weigh by t\^0 or t\^1"):
        solve("kuhn", "external-sampling", average=2)
    with pytest.raises(UsageError, match="alternating=False is for chance-sampling"):
        solve("kuhn", "external-sampling", alternating=False)


# --- words and pictures ---------------------------------------------------------------------------------------------------


def test_the_policy_is_told_in_words(solved: Solution) -> None:
    lines = solved.table().splitlines()
    assert lines[0] == "player 0, 6 information sets"
    assert len(lines) == 2 * (1 + 6) + 1
    for number in range(6):  # a line for each, in the order of the policy
        shares = [f"{share:.2%}" for share in solved.policy.row(number)[1]]
        assert re.findall(r"[\d.]+%", lines[1 + number]) == shares
    assert any(line.startswith("  queen. So far: player 0 passes, player 1 bets.  fold") for line in lines)
    assert "player 1" not in solved.table(player=0).splitlines()[0]
    assert solved.table(player=1, most=2).splitlines()[-1] == "  ... and 4 more"


@pytest.mark.parametrize(("settings", "words"), [({"player": 2}, "players 0 to 1"), ({"most": 0}, "from 1 on")])
def test_wrong_tables_are_sentences(solved: Solution, settings: dict[str, int], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        solved.table(**settings)


def test_compact_leaves_out_what_is_always_the_same() -> None:
    assert compact(["You hold 1 (of 3). Rain.", "You hold 2 (of 3). Rain."]) == ["1.", "2."]
    assert compact(["A b", "A b c"]) == ["b", "b c"]
    assert compact(["the only one"]) == ["the only one"]
    assert compact([]) == []
    assert compact(["same", "same"]) == ["", ""]


def test_a_small_game_is_drawn_with_its_policy(solved: Solution, tmp_path: Path) -> None:
    figure = solved.plot()
    curve, policy = figure.subfigs
    assert [axes.get_xscale() for axes in curve.axes] == ["log", "log"]
    shown = curve.axes[0].lines[0].get_ydata()
    assert list(shown) == [point.exploitability for point in solved.curve]
    assert [axes.get_title() for axes in policy.axes] == ["player 0", "player 1"]
    assert sum(bar.get_width() for bar in policy.axes[0].patches) == pytest.approx(6)
    figure.savefig(tmp_path / "kuhn.svg")


def test_nothing_to_show_is_no_error() -> None:
    assert solve("kuhn", iterations=0).plot() is not None


# --- files ----------------------------------------------------------------------------------------------------------------


def test_a_solution_comes_back_from_its_file(solved: Solution, tmp_path: Path) -> None:
    path = solved.save(tmp_path / "kuhn.npz")
    back = load_solution(path)
    assert back.to_dict() == solved.to_dict()
    assert back.table() == solved.table()
    for name, table in solved.state.items():
        assert np.array_equal(back.state[name], table)
    assert np.array_equal(read_policy(path).probabilities, solved.policy.probabilities)
    assert list(tmp_path.iterdir()) == [path]


def test_an_agent_plays_the_policy(solved: Solution) -> None:
    games = 20_000 if COMPILED else 200
    result = fd.match("kuhn", [solved.agent(), solved.agent()], games, seed=1, swap=False)
    assert abs(result.mean[0] - solved.value) < 4 * result.stderr[0]  # false alarm: 6e-5, with a fixed seed


def test_the_game_can_be_written_for_gambit(solved: Solution, tmp_path: Path) -> None:
    text = solved.to_efg(tmp_path / "kuhn.efg")
    assert text.startswith("EFG 2 R")
    assert (tmp_path / "kuhn.efg").read_text() == text


def change(path: Path, **arrays: Any) -> None:
    write_arrays(path, {**read_arrays(path), **arrays})


def test_damaged_and_foreign_files_are_sentences(solved: Solution, tmp_path: Path) -> None:
    path = solved.save(tmp_path / "kuhn.npz")
    whole = path.read_bytes()
    with pytest.raises(PolicyFileError, match="cannot read"):
        load_solution(tmp_path / "nothing.npz")
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(PolicyFileError, match="or only part of one"):
        load_solution(path)
    path.write_text("hello")
    with pytest.raises(PolicyFileError, match="no policy file"):
        load_solution(path)
    save_policy(solved.policy, path)
    with pytest.raises(PolicyFileError, match="holds a policy, but no solution"):
        load_solution(path)
    solved.save(path)
    change(path, solution=np.array('{"schema": "facedown.solve/9"}'))
    with pytest.raises(PolicyFileError, match="another version"):
        load_solution(path)
    change(path, solution=np.array(json.dumps({"schema": SCHEMA, "method": "cfr"})))
    with pytest.raises(PolicyFileError, match="figures cannot be read"):
        load_solution(path)
    solved.save(path)
    change(path, state_regrets=np.zeros(3))
    with pytest.raises(UsageError, match="the solver's table 'regrets' is float64"):
        solve("kuhn", start=path)


# --- errors ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"iterations": -1}, f"iterations=-1: a whole number from 0 to {2**53} is needed"),
        ({"iterations": 1.5}, "iterations=1.5"),
        ({"iterations": math.nan}, "iterations=nan"),
        ({"seconds": "long"}, "seconds=long"),
        ({"iterations": 2**60}, f"iterations={2**60}: a whole number from 0 to {2**53}"),
        ({"seconds": -1}, "seconds=-1"),
        ({"exploitability": math.nan}, "exploitability=nan"),
        ({"method": "crf"}, "unknown method 'crf'. Did you mean 'cfr'"),
        ({"method": "dcfr", "delta": 1}, "unknown parameter of dcfr 'delta'"),
        ({"average": -1}, "average=-1 is out of bounds"),
        ({"seed": 1}, "does not draw anything"),
        ({"every": 5}, "name a file with save"),
        ({"every": -1, "save": "x.npz"}, "every=-1"),
        ({"save": "/nowhere/x.npz"}, "there is no directory '/nowhere'"),
        ({"save": "/tmp"}, "that is a directory"),
        ({"start": "nothing.npz"}, "cannot read 'nothing.npz'"),
    ],
)
def test_wrong_requests_are_sentences(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        solve("kuhn", **settings)


def test_a_game_that_is_too_large_is_an_error() -> None:
    with pytest.raises(TreeTooLargeError, match="more than 20 nodes"):
        solve("kuhn", max_nodes=20)


def test_files_of_others_are_left_alone(solved: Solution, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("important")
    with pytest.raises(UsageError, match="is not a solution; it is left alone"):
        solve("kuhn", iterations=1, save=path)
    assert path.read_text() == "important"
    kept = solved.save(tmp_path / "kuhn.npz").read_bytes()
    with pytest.raises(UsageError, match=r"holds a solution of kuhn by cfr\+, not of kuhn by cfr; it is left alone"):
        solve("kuhn", "cfr", iterations=1, save=tmp_path / "kuhn.npz")
    assert (tmp_path / "kuhn.npz").read_bytes() == kept


# --- progress and interruptions -------------------------------------------------------------------------------------------


def test_progress_is_told() -> None:
    told: list[Progress] = []
    solve("kuhn", iterations=40, progress=told.append)
    solving = [now for now in told if now.unit == "iterations"]
    assert [now.done for now in solving] == sorted(now.done for now in solving)
    assert solving[-1].done == solving[-1].total == solving[-1].details["iterations"] == 40
    assert str(solving[-1]) == f"40 iterations, exploitability {solving[-1].details['exploitability']:.3g}"


@pytest.mark.parametrize(
    ("limits", "unit", "total"),
    [({"seconds": 0.05}, "seconds", 0.05), ({"exploitability": 0.1}, "iterations", None)],
)
def test_progress_counts_what_ends_the_run(limits: dict[str, float], unit: str, total: float | None) -> None:
    told: list[Progress] = []
    solve("kuhn", progress=told.append, **limits)  # type: ignore[arg-type]
    assert (told[-1].unit, told[-1].total) == (unit, total)
    assert told[-1].done == (told[-1].seconds if unit == "seconds" else told[-1].details["iterations"])


def test_an_interruption_keeps_what_is_done(tmp_path: Path) -> None:
    def stop(now: Progress) -> None:
        if now.done >= 12:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match=r"interrupted after \d+ iterations; it is kept in") as caught:
        solve("kuhn", iterations=10_000, save=tmp_path / "kuhn.npz", progress=stop)
    result = caught.value.result
    assert isinstance(result, Solution)
    assert load_solution(tmp_path / "kuhn.npz").iterations == result.iterations >= 12


def test_the_function_is_not_hidden_by_its_package() -> None:
    program = "import facedown as fd; fd.check; import facedown.trees.tree; print(fd.solve('kuhn', iterations=1).iterations)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "1\n", done.stderr
