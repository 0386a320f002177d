"""`learn`: the same seed learns the same, an interrupted run goes on, and what cannot be asked is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.errors import Interrupted, UsageError
from facedown.learning import cant_stop
from facedown.learning.cant_stop import guess, inputs_of, mirrored, play, some_boards

Run = Callable[[str], Any]

SMALL = {"game": "cant_stop(players=1)", "agent": "turn_exact", "games": 100, "seed": 5}


def learn(file: Path, **changes: object) -> fd.LearnResult:
    return fd.learn(**{**SMALL, "save": file, **changes})  # type: ignore[arg-type]


def test_boards_become_inputs_and_mirror_images_are_their_own() -> None:
    boards = some_boards(50, 2, np.random.default_rng(1))
    assert (inputs_of(boards).sum(axis=1) == 11).all()
    assert (mirrored(mirrored(boards)) == boards).all()
    assert guess(boards, 2) == pytest.approx(guess(mirrored(boards), 2))


@pytest.mark.compiled
@pytest.mark.slow
def test_a_run_that_was_stopped_ends_as_one_that_was_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cant_stop, "EPOCHS", (2,) * len(cant_stop.SHARES))
    whole = learn(tmp_path / "whole.npz")
    assert len(whole.history) == cant_stop.Course.rounds == len(cant_stop.SHARES) + cant_stop.N_RACE_ROUNDS
    rounds = []

    def stop_after_two(now: object) -> None:
        rounds.append(now)
        if getattr(now, "done", 0) >= 2.5:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="goes on from"):
        learn(tmp_path / "parts.npz", progress=stop_after_two)
    learn(tmp_path / "parts.npz")
    one, other = np.load(tmp_path / "whole.npz"), np.load(tmp_path / "parts.npz")
    assert np.array_equal(one["networks"], other["networks"])
    assert json.loads(str(one["settings"])) == SMALL
    found = fd.match("cant_stop(players=1)", [f"turn_exact({tmp_path / 'whole.npz'})"], games=20, seed=1)
    assert found.games == 20 and found.columns["closed"] > 0  # it has learnt next to nothing, but it plays


@pytest.mark.slow
@pytest.mark.compiled
def test_luck_has_mean_zero_and_taking_it_out_leaves_the_mean() -> None:
    """600 games of networks that know nothing, seed 3: both means agree within 4 standard errors (false alarm 6e-5)."""
    networks = cant_stop.Course.begin(fd.game("cant_stop(players=1)"), 100, 1).flat
    games = play(networks, 600, 3)
    error = games.turns.std() / np.sqrt(len(games.turns))
    assert abs(games.luck.mean()) < 4 * games.luck.std() / np.sqrt(len(games.luck))
    mean, less = games.without_luck
    assert abs(mean - games.turns.mean()) < 4 * np.hypot(error, less)
    assert less < 0.6 * error


def test_what_cannot_be_learnt(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="learner"):
        learn(tmp_path / "x.npz", game="war", agent="mix")
    with pytest.raises(UsageError, match="games"):
        learn(tmp_path / "x.npz", games=3)
    with pytest.raises(UsageError, match="there is no directory"):
        learn(tmp_path / "no" / "x.npz")
    with pytest.raises(UsageError, match="plays the real board only"):
        learn(tmp_path / "x.npz", game="cant_stop(players=1,sides=4)")
    (tmp_path / "text.npz").write_text("something else", encoding="utf-8")
    with pytest.raises(UsageError, match="holds nothing that was learnt"):
        learn(tmp_path / "text.npz")
    assert not (tmp_path / "x.npz").exists()


@pytest.mark.compiled
def test_the_command(run: Run) -> None:
    told = run("learn hanabi reinforced --players 4 --games 2000 --seed 3 --json").json()
    facts = {name: told[name] for name in ("game", "agent", "games", "seed", "file")}
    assert facts == {"game": "hanabi(players=4)", "agent": "reinforced4", "games": 2000, "seed": 3, "file": "reinforced4.npz"}
    assert told["repeat"] == "facedown learn 'hanabi(players=4)' reinforced4 --games 2000 --seed 3 --save reinforced4.npz"
    played = run("match 'hanabi(players=4)' 'reinforced4(reinforced4.npz)' --games 20 --seed 1 --json").json()
    assert played["games"] == 20
    again = run("learn 'hanabi(players=4)' reinforced4 --games 2000 --seed 3 --json").json()
    assert again["rounds"] == told["rounds"], "a finished run is there, and told again"
    code, out, err = run("learn 'hanabi(players=2)' reinforced --players 4 --games 2000")
    assert (code, out) == (2, "")
    assert "--players 4 and 'hanabi(players=2)' name two numbers of players; leave one of them out" in err
    assert run("learn hanabi reinforced --players 7 --games 2000").code == 2
    code, _, err = run("learn hanabi reinforced --games 2000 --seed 3 --save reinforced4.npz")
    assert code == 2 and "'reinforced4.npz' holds another run" in err
