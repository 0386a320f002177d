"""Policy files: what was saved comes back exactly; anything else is refused with a sentence."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from table_policies import kuhn_equilibrium, policy_by

import facedown as fd
from facedown.policies.policy import (
    Array,
    Policy,
    PolicyFileError,
    policy_arrays,
    policy_from_arrays,
    read_policy,
    save_policy,
    write_arrays,
)

FIELDS = ("players", "views", "first", "actions", "probabilities")


@pytest.fixture
def policy() -> Policy:
    return kuhn_equilibrium()


def refusal(path: Path, game: str | None = None) -> str:
    with pytest.raises(PolicyFileError) as problem:
        read_policy(path, fd.game(game) if game else None)
    return str(problem.value)


def test_what_was_saved_comes_back(policy: Policy, tmp_path: Path) -> None:
    path = save_policy(policy, tmp_path / "kuhn.npz")
    again = read_policy(path)
    assert again.game == "kuhn" and again.n_sets == 12
    for name in FIELDS:
        one, other = getattr(policy, name), getattr(again, name)
        assert one.dtype == other.dtype and one.tobytes() == other.tobytes()
    assert list(tmp_path.iterdir()) == [path]  # nothing half-written is left behind
    assert read_policy(path, fd.game("kuhn(players=2)")).n_sets == 12  # the same game, written differently


def test_the_same_policy_gives_the_same_bytes(policy: Policy, tmp_path: Path) -> None:
    one, two = save_policy(policy, tmp_path / "one.npz"), save_policy(policy, tmp_path / "two")
    assert two.name == "two"  # no suffix is added behind the user's back
    assert one.read_bytes() == two.read_bytes()


def test_rows_are_found_by_player_and_view(policy: Policy) -> None:
    for at in range(policy.n_sets):
        player = int(policy.players[at])
        assert policy.find(player, policy.views[at]) == at
        assert policy.find(1 - player, policy.views[at].tobytes()) == -1
        actions, probabilities = policy.row(at)
        assert actions.tolist() == [0, 1] and probabilities.sum() == pytest.approx(1)


def test_the_part_of_one_player() -> None:
    # two or three actions: rows have to be moved
    policy = policy_by(fd.game("leduc(ranks=2)"), lambda player, view, legal: [1 / len(legal)] * len(legal))
    parts = [policy.of_player(player) for player in range(2)]
    assert sum(part.n_sets for part in parts) == policy.n_sets
    for player, part in enumerate(parts):
        assert set(part.players.tolist()) == {player}
        for at in range(part.n_sets):
            there = policy.find(player, part.views[at])
            assert [row.tolist() for row in part.row(at)] == [row.tolist() for row in policy.row(there)]


def test_files_that_are_none(policy: Policy, tmp_path: Path) -> None:
    assert "cannot read" in refusal(tmp_path / "nothing.npz")
    assert "cannot read" in refusal(tmp_path)
    (tmp_path / "text.npz").write_text("not an archive")
    assert "is no policy file, or only part of one" in refusal(tmp_path / "text.npz")
    (tmp_path / "empty.npz").write_bytes(b"")
    assert "is no policy file, or only part of one" in refusal(tmp_path / "empty.npz")
    np.savez(tmp_path / "other.npz", numbers=np.arange(3))
    assert "has no digest of its content: it is no policy file, or one of an earlier version" in refusal(tmp_path / "other.npz")
    np.savez(tmp_path / "earlier.npz", **policy_arrays(policy))
    assert "an earlier version; make it again, with `facedown solve GAME --save FILE`" in refusal(tmp_path / "earlier.npz")
    write_arrays(tmp_path / "foreign.npz", {"numbers": np.arange(3)})
    assert "it has no text 'schema'" in refusal(tmp_path / "foreign.npz")


class Trap:
    """Unpickled, it would leave a mark."""

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return exec, ("import pathlib; pathlib.Path('trapped').touch()",)


def test_nothing_in_a_file_is_run(policy: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    trap = np.empty(1, object)
    trap[0] = Trap()
    np.savez(tmp_path / "trap.npz", **policy_arrays(policy), extra=trap)
    assert "trap.npz" in refusal(tmp_path / "trap.npz")
    (tmp_path / "pickle.npz").write_bytes(pickle.dumps(Trap()))
    assert "pickle.npz" in refusal(tmp_path / "pickle.npz")
    assert not (tmp_path / "trapped").exists()


def wrong(name: str, change: Callable[[Array], Array]) -> Callable[[dict[str, Array]], None]:
    def apply(arrays: dict[str, Array]) -> None:
        arrays[name] = change(arrays[name].copy())

    return apply


def put(at: int, value: float) -> Callable[[Array], Array]:
    def change(array: Array) -> Array:
        array[at] = value
        return array

    return change


WRONG = [
    (wrong("schema", lambda _: np.array("facedown.policy/9")), "has the schema 'facedown.policy/9'"),
    (wrong("schema", lambda _: np.array(1)), "it has no text 'schema'"),
    (wrong("game", lambda _: np.array("ku\x00hn")), "it has no text 'game'"),
    (wrong("game", lambda _: np.array([0x7FFFFFFF], np.uint32).view("U1")[0:1].reshape(())), "it has no text 'game'"),
    (wrong("game", lambda _: np.array("khun")), "a game that is not known here"),
    (wrong("game", lambda _: np.array("kuhn(players=9)")), "out of bounds"),
    (wrong("game", lambda _: np.array("leduc")), "the game has changed since it was made"),
    (lambda arrays: arrays.pop("views"), "'views' is missing"),
    (wrong("players", lambda players: players.astype(np.int64)), "'players' is int64 in 1 dimensions, but should be uint8"),
    (wrong("probabilities", lambda numbers: numbers.reshape(-1, 2)), "'probabilities' is float64 in 2 dimensions"),
    (wrong("views", lambda views: views[:, :-1]), "bytes, but those of kuhn have"),
    (wrong("views", lambda views: views[:-1]), "its parts do not fit together"),
    (wrong("views", lambda views: np.repeat(views[:1], len(views), axis=0)), "are there twice"),
    (wrong("first", lambda first: first[::-1].copy()), "'first' must rise from 0 to 24"),
    (wrong("first", put(3, 4)), "'first' must rise"),
    (wrong("first", put(-1, 2**40)), "'first' must rise"),
    (wrong("players", put(0, 2)), "player 2 has a move, but kuhn has 2 players"),
    (wrong("actions", put(5, 2)), "action 2 is not one of kuhn, which has 0 to 1"),
    (wrong("actions", put(5, 0)), "the actions of information set 2 do not ascend: [0, 0]"),
    (wrong("probabilities", put(4, -0.5)), "information set 2 has the probability -0.5"),
    (wrong("probabilities", put(5, np.nan)), "information set 2 has the probability nan"),
    (wrong("probabilities", put(5, 1e176)), "information set 2 has the probability 1e+176, and not one from 0 to 1"),
    (wrong("probabilities", lambda numbers: numbers * 0.9), "information set 0 add up to 0.9, not to 1"),
]


@pytest.mark.parametrize(("change", "words"), WRONG, ids=range(len(WRONG)))
def test_contents_that_are_wrong(
    change: Callable[[dict[str, Array]], None], words: str, policy: Policy, tmp_path: Path
) -> None:
    arrays = policy_arrays(policy)
    change(arrays)
    path = write_arrays(tmp_path / "wrong.npz", arrays)
    message = refusal(path)
    assert words in message and "wrong.npz" in message


def test_a_policy_for_another_game(policy: Policy, tmp_path: Path) -> None:
    path = save_policy(policy, tmp_path / "kuhn.npz")
    assert "is a policy for kuhn, not for kuhn(pass_pays=no)" in refusal(path, "kuhn(pass_pays=no)")
    assert "is a policy for kuhn, not for leduc" in refusal(path, "leduc")


def test_games_of_one_name_are_told_apart(policy: Policy, tmp_path: Path) -> None:
    """A game that was solved at a prompt, and one of the same name in a file; and a file's game beside an installed one."""
    file = tmp_path / "kuhn_again.py"
    file.write_text("from facedown.games.kuhn import GAME\n")
    path = save_policy(policy, tmp_path / "kuhn.npz")
    message = refusal(path, f"{file}:GAME")
    assert "for another game called kuhn: for the one that is installed" in message and f"the one in {file}:GAME" in message
    arrays = policy_arrays(policy) | {"game": np.array("goof")}
    goof = dataclasses.replace(fd.game("kuhn"), name="goof", origin=f"{file}:GAME")
    with pytest.raises(PolicyFileError) as problem:
        policy_from_arrays(arrays, "goof.npz", goof)
    assert str(problem.value).startswith("'goof.npz' is a policy for another game called goof: for one that was not in a file")
    assert f"not for the one in {file}:GAME; make the policy again" in str(problem.value)


def test_a_wrong_policy_is_not_saved(policy: Policy, tmp_path: Path) -> None:
    halved = dataclasses.replace(policy, probabilities=policy.probabilities / 2)
    with pytest.raises(PolicyFileError, match=r"add up to 0\.5"):
        save_policy(halved, tmp_path / "kuhn.npz")
    assert not list(tmp_path.iterdir())
    with pytest.raises(fd.UsageError, match="cannot write"):
        save_policy(policy, tmp_path / "nowhere" / "kuhn.npz")
