"""`facedown train` and `facedown exploit`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_a_table_is_trained_and_replied_to(tmp_path: Path, run: Run) -> None:
    file = str(tmp_path / "kuhn.npz")
    training = ["train", "kuhn", "--iterations", "200", "--seed", "1", "--save", file, "--json"]
    code, out, _ = run(training)
    trained = json.loads(out)
    assert code == 0
    assert trained["schema"] == "facedown.train/1" and trained["information_sets"] == 12
    assert trained["repeat"].startswith("facedown train kuhn --iterations 200 --seed 1")
    code, out, _ = run(["exploit", "kuhn", f"table({file})", "--json"])
    found = json.loads(out)
    assert code == 0
    assert found["schema"] == "facedown.exploit/1" and found["exact"]
    # one move for each information set: the table is not mixed, so something can be won from it
    assert found["nash_conv"] == pytest.approx(sum(found["gains"])) and found["nash_conv"] > 0.1


@pytest.mark.parametrize("command", ["exploit", "reply"])
def test_best_replies_are_printed_as_a_table(command: str, run: Run) -> None:
    code, out, _ = run([command, "kuhn", "first"])
    assert code == 0
    # whoever always passes loses the ante to a bet, in either seat
    assert out.count("1.000000000") == 2 and "Exploitability 1, NashConv 2, exactly" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["train", "kuhn", "--save", "no_such_directory/x.npz"], "there is no directory 'no_such_directory'"),
        (["train", "kuhnn", "--save", "x.npz"], "unknown game 'kuhnn'"),
        (["exploit", "kuhn", "human"], "agent human"),
        (["exploit", "kuhn", "first", "--max-nodes", "20"], "the tree of kuhn has more than 20 nodes"),
        (["train", "kuhn", "--iterations", "9007199254740993", "--save", "x.npz"], "from 1 to 9007199254740992"),
        (["exploit", "kuhn", "nobody"], "unknown agent of kuhn 'nobody'"),
    ],
)
def test_bad_input(words: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, remarks = run(words)
    assert code == 2
    assert sentence in remarks and "Traceback" not in remarks
    assert list(tmp_path.iterdir()) == []
