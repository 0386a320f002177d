"""`facedown solve` and `facedown exploit` where nothing is hidden: what they print, what they draw, and how they say no."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from facedown.native.jit import COMPILED

Run = Callable[[str], tuple[int, str, str]]
SPEC = "rrrats" if COMPILED else "rrrats(tokens=2)"


def test_solve_gives_the_value_of_moving_first(run: Run) -> None:
    code, out, err = run(f"solve '{SPEC}' --json")
    assert code == 0, err
    (line,) = out.splitlines()
    found = json.loads(line)
    assert found["schema"] == "facedown.solve-exact/1"
    assert found["method"] == "exact"
    assert found["unit"] == "win probability"
    assert found["value"] == found["values"][0]
    assert found["residual"] < 1e-13
    assert found["components"] == found["single"] + found["one_unknown"] + found["many_unknowns"]
    assert found["seconds"] > 0
    if COMPILED:
        assert found["value"] == pytest.approx(0.515153339, abs=1e-9)
        assert found["positions"] == 3604


def test_solve_tells_it_in_words_and_draws_it(run: Run, tmp_path: Path) -> None:
    code, out, err = run(f"solve '{SPEC}' --method value-iteration --plot picture.svg --save solution.npz")
    assert code == 0, err
    assert f"{SPEC}: value-iteration, win probability 0." in out
    assert "positions, 1 components (1 with many)" in out
    assert "3 in hand" in (tmp_path / "picture.svg").read_text() or "<svg" in (tmp_path / "picture.svg").read_text()
    code, out, err = run(f"exploit '{SPEC}' 'optimal(solution.npz)' --json")
    assert code == 0, err
    assert json.loads(out)["exploitability"] == pytest.approx(0, abs=1e-12)


def test_the_policy_is_told_in_words(run: Run) -> None:
    code, out, err = run("solve 'rrrats(tokens=2)' --policy")
    assert code == 0, err
    assert "player 0, " in out
    assert "stop" in out
    assert "roll 100.00%" in out


def test_reply_is_another_name_of_exploit(run: Run) -> None:
    code, out, err = run("reply 'rrrats(tokens=2)' 'hold(at=1)' --json")
    assert code == 0, err
    found = json.loads(out)
    assert found["exact"]
    assert found["exploitability"] > 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("solve kuhn --method exact", "kuhn does not declare perfect information"),
        ("solve rrrats --iterations 10", "which has no setting 'iterations'"),
        ("solve rrrats --method exact --seed 1", "which has no setting 'seed'"),
        ("solve rrrats --max-nodes 5", "rrrats has more than 5 positions"),
        ("solve rrrats --method exakt", "unknown method 'exakt'"),
        ("exploit rrrats 'optimal(nowhere.npz)'", "cannot read the solution 'nowhere.npz'"),
        ("match kuhn optimal uniform --games 10", "unknown agent of kuhn 'optimal'"),
        ("solve rrrats --resume nowhere.npz", "nowhere.npz"),
    ],
)
def test_what_cannot_be_is_a_sentence(run: Run, line: str, words: str) -> None:
    code, out, err = run(line)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.strip().splitlines()) <= 2
