"""A policy: for every information set, how likely each action is. What solvers find and the agent `table` plays.

A policy file is a NumPy archive (.npz) with the fields of `Policy` as arrays, "schema", and "digest", which stands for all
the others: a file that was changed is not believed. Whatever else is in it, such as the state of a solver, is left alone.
Nothing in it is code: it is read without pickle.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from facedown.errors import UsageError
from facedown.files import digest_of_arrays, printable, user_path, write_whole
from facedown.games.contract import Game
from facedown.games.registry import game as find_game

Array = np.ndarray[Any, Any]

SCHEMA = "facedown.policy/1"
TOLERANCE = 1e-6
"""How far the probabilities of an information set may be from adding up to 1."""

_KINDS = {
    "players": (np.uint8, 1),
    "views": (np.uint8, 2),
    "first": (np.int64, 1),
    "actions": (np.int32, 1),
    "probabilities": (np.float64, 1),
}
_DIGEST = "digest"
_MARK = re.compile(r"#([0-9a-f]{16})$")
_AGAIN = "make it again, with `facedown solve GAME --save FILE` or `facedown train GAME --save FILE`"


class PolicyFileError(UsageError):
    """A policy, or a file that should hold one, is not what it should be."""


@dataclass(frozen=True, eq=False)
class Policy:
    """A table of information sets; set s has the rows first[s] to first[s + 1] - 1 of `actions` and `probabilities`."""

    game: str
    """The game's spec, such as kuhn(players=3)."""
    players: Array
    """uint8: who moves in each information set."""
    views: Array
    """uint8, a row for each information set: the bytes of what the player sees there."""
    first: Array
    """int64, one longer than there are information sets; first[0] is 0."""
    actions: Array
    """int32, ascending within an information set."""
    probabilities: Array
    """float64, adding up to 1 within an information set."""

    @property
    def n_sets(self) -> int:
        """Information sets."""
        return len(self.players)

    @cached_property
    def _places(self) -> dict[tuple[int, bytes], int]:
        return {
            (int(player), view.tobytes()): at for at, (player, view) in enumerate(zip(self.players, self.views, strict=True))
        }

    def find(self, player: int, view: bytes | Array) -> int:
        """The number of the information set in which this player sees these bytes; -1 if it is not in the table."""
        return self._places.get((player, view if isinstance(view, bytes) else view.tobytes()), -1)

    def row(self, at: int) -> tuple[Array, Array]:
        """The actions of an information set and their probabilities."""
        rows = slice(int(self.first[at]), int(self.first[at + 1]))
        return self.actions[rows], self.probabilities[rows]

    def of_player(self, player: int) -> Policy:
        """The part of one player."""
        chosen = np.flatnonzero(self.players == player)
        widths = np.diff(self.first)[chosen]
        first = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        rows = np.repeat(self.first[chosen] - first[:-1], widths) + np.arange(first[-1])
        return Policy(self.game, self.players[chosen], self.views[chosen], first, self.actions[rows], self.probabilities[rows])

    def __repr__(self) -> str:
        return f"<Policy of {self.game}: {self.n_sets:,} information sets>"


# --- files ----------------------------------------------------------------------------------------------------------------


def save_policy(policy: Policy, path: str | Path) -> Path:
    """Write a policy file, wholly or not at all."""
    check_policy(policy, str(path))
    return write_arrays(path, policy_arrays(policy))


def read_policy(path: str | Path, game: Game | None = None) -> Policy:
    """The policy in a file, checked; with `game`, it must be one for this very game."""
    return policy_from_arrays(read_arrays(path), str(path), game)


def policy_arrays(policy: Policy) -> dict[str, Array]:
    """What a policy file holds, by name."""
    arrays = {name: np.ascontiguousarray(getattr(policy, name), kind) for name, (kind, _) in _KINDS.items()}
    return {"schema": np.array(SCHEMA), "game": np.array(policy.game), **arrays}


def policy_from_arrays(arrays: Mapping[str, Array], owner: str, game: Game | None = None) -> Policy:
    """The policy among the arrays of a file; `owner` names it in errors."""
    schema = _text(arrays, "schema", owner)
    if schema != SCHEMA:
        raise PolicyFileError(f"'{owner}' has the schema '{schema}'; this version reads {SCHEMA}")
    for name, (kind, n_dimensions) in _KINDS.items():
        if name not in arrays:
            raise PolicyFileError(f"'{owner}' is no policy file: '{name}' is missing")
        array = arrays[name]
        if array.dtype != kind or array.ndim != n_dimensions:
            found = f"{array.dtype} in {array.ndim} dimensions"
            raise PolicyFileError(f"'{owner}': '{name}' is {found}, but should be {np.dtype(kind)} in {n_dimensions}")
    policy = Policy(_text(arrays, "game", owner), *(arrays[name] for name in _KINDS))
    check_policy(policy, owner, game)
    return policy


def _text(arrays: Mapping[str, Array], name: str, owner: str) -> str:
    text = text_in(arrays.get(name))
    if not text or text != printable(text):
        raise PolicyFileError(f"'{owner}' is no policy file: it has no text '{name}'")
    return text


def text_in(array: Array | None) -> str:
    """The text that an array holds; empty if it holds none."""
    try:
        return str(array) if array is not None and array.dtype.kind == "U" and array.ndim == 0 else ""
    except (ValueError, SystemError):  # numbers that stand for no character
        return ""


def write_arrays(path: str | Path, arrays: Mapping[str, Array], compress: bool = True) -> Path:
    """Write arrays and their digest as a NumPy archive of exactly this name, wholly or not at all.

    The same arrays give the same bytes.
    """
    stream = io.BytesIO()
    save: Any = np.savez_compressed if compress else np.savez
    save(stream, **arrays, **{_DIGEST: np.array(digest_of_arrays(arrays))})
    try:
        return write_whole(path, stream.getvalue())
    except OSError as problem:
        raise UsageError(f"cannot write '{path}': {problem.strerror or problem}") from None


def read_arrays(path: str | Path) -> dict[str, Array]:
    """The arrays of a NumPy archive that `write_arrays` has written."""
    try:
        content = user_path(path).read_bytes()
    except OSError as problem:
        raise PolicyFileError(f"cannot read '{path}': {problem.strerror or problem}") from None
    return arrays_in(content, str(path))


def read_for_agent(file: str, kind: str, make: str) -> tuple[bytes, str, str]:
    """What is in the file that the spec of an agent names, its name as the user wrote it, and what others find it by.

    The last is the whole path and the first digits of the file's SHA-256, so that another process which is given it notices a
    file that was written anew in between. `kind` says what the file holds, `make` how one is made.
    """
    path, wanted = user_path(file), ""
    try:
        if (mark := _MARK.search(file)) and not path.exists():
            file, wanted = file[: mark.start()], mark[1]
            path = user_path(file)
        content = path.read_bytes()
    except OSError as problem:
        hint = f"; make one with `{make}`" if isinstance(problem, FileNotFoundError) else ""
        raise PolicyFileError(f"cannot read the {kind} '{file}': {problem.strerror or problem}{hint}") from None
    found = hashlib.sha256(content).hexdigest()[:16]
    if wanted and wanted != found:
        raise PolicyFileError(f"'{file}' is not the file that was meant: its SHA-256 begins with {found}, not with {wanted}")
    return content, file, f"{path.resolve()}#{found}"


def arrays_in(content: bytes, owner: str) -> dict[str, Array]:
    """The arrays of such an archive that is in memory, without their digest, which fits; damage of any kind is a sentence."""
    try:
        if not zipfile.is_zipfile(io.BytesIO(content)):  # NumPy would take it for a pickle, and say how to load that
            raise zipfile.BadZipFile("it is not a NumPy archive, .npz")
        with np.load(io.BytesIO(content), allow_pickle=False) as loaded:
            arrays = {name: np.asarray(loaded[name]) for name in loaded.files}
        wanted = text_in(arrays.pop(_DIGEST, None))
        found = digest_of_arrays(arrays)
    except Exception as problem:  # archives, compression, headers: each library has a dozen errors of its own for damage
        reason = printable(str(problem)) or type(problem).__name__
        raise PolicyFileError(f"'{owner}' is no policy file, or only part of one ({reason}); {_AGAIN}") from None
    if not wanted:
        raise PolicyFileError(
            f"'{owner}' has no digest of its content: it is no policy file, or one of an earlier version; {_AGAIN}"
        )
    if found != wanted:
        raise PolicyFileError(
            f"'{owner}' is damaged or was changed: the digest of its content begins with {found[:12]}, but it was written "
            f"with {printable(wanted[:12])}; {_AGAIN}"
        )
    return arrays


# --- checks ---------------------------------------------------------------------------------------------------------------


def check_policy(policy: Policy, owner: str, game: Game | None = None) -> Game:
    """Make sure that a policy is one, and one for this game; the game that it is for."""
    found = _game_of(policy, owner, game)
    _check_shape(policy, owner, found)
    _check_rows(policy, owner, found)
    keys = np.column_stack([policy.players, policy.views])
    different = len(set(map(bytes, keys)))
    if different != policy.n_sets:
        raise PolicyFileError(f"'{owner}': {policy.n_sets - different} information sets are there twice")
    return found


def _game_of(policy: Policy, owner: str, game: Game | None) -> Game:
    if game is not None and policy.game == game.spec:
        return game
    try:
        found = find_game(policy.game)
    except UsageError as problem:
        if game is not None:
            raise _for_another_game(owner, policy.game, game) from None
        raise PolicyFileError(f"'{owner}' is a policy for a game that is not known here: {problem}") from None
    if game is not None and found.spec != game.spec:
        raise _for_another_game(owner, found, game)
    return found


def _for_another_game(owner: str, made_for: Game | str, game: Game) -> PolicyFileError:
    """The error that tells two games apart: by their names and options, or else by where they come from."""
    if str(made_for) != str(game):
        return PolicyFileError(f"'{owner}' is a policy for {made_for}, not for {game}")
    first, second = _home(made_for), _home(game)
    return PolicyFileError(
        f"'{owner}' is a policy for another game called {game}: for {first}, not for {second}; make the policy again, "
        f"with the game named as it is now"
    )


def _home(game: Game | str) -> str:
    """Where a game lives; of one that cannot be found here only the name is known."""
    if isinstance(game, str):
        return "one that was not in a file of its own when it was solved"
    return f"the one in {game.origin}" if game.origin else "the one that is installed, or was made in this process"


def _check_shape(policy: Policy, owner: str, game: Game) -> None:
    n_sets, first = policy.n_sets, policy.first
    n_rows = len(policy.actions)
    if len(policy.views) != n_sets or len(first) != n_sets + 1 or len(policy.probabilities) != n_rows:
        sizes = ", ".join(f"{len(getattr(policy, name)):,} {name}" for name in _KINDS)
        raise PolicyFileError(f"'{owner}': its parts do not fit together ({sizes})")
    if policy.views.shape[1] != game.view.itemsize:
        raise PolicyFileError(
            f"'{owner}': its views have {policy.views.shape[1]} bytes, but those of {game} have {game.view.itemsize}; "
            f"the game has changed since it was made"
        )
    if first[0] != 0 or first[-1] != n_rows or (np.diff(first) < 1).any():
        raise PolicyFileError(f"'{owner}': 'first' must rise from 0 to {n_rows}, at least one row for each information set")
    if n_sets and policy.players.max() >= game.n_players:
        raise PolicyFileError(f"'{owner}': player {policy.players.max()} has a move, but {game} has {game.n_players} players")


def _check_rows(policy: Policy, owner: str, game: Game) -> None:
    actions, probabilities, first = policy.actions, policy.probabilities, policy.first
    if not policy.n_sets:
        return
    if actions.min() < 0 or actions.max() >= game.n_actions:
        wrong = int(actions[(actions < 0) | (actions >= game.n_actions)][0])
        raise PolicyFileError(f"'{owner}': action {wrong} is not one of {game}, which has 0 to {game.n_actions - 1}")
    rising = np.diff(actions.astype(np.int64)) > 0
    rising[first[1:-1] - 1] = True  # from the last action of one information set to the first of the next
    if not rising.all():
        at = int(np.searchsorted(first, np.flatnonzero(~rising)[0], side="right")) - 1
        raise PolicyFileError(f"'{owner}': the actions of information set {at} do not ascend: {policy.row(at)[0].tolist()}")
    possible = (probabilities >= 0) & (probabilities <= 1 + TOLERANCE)  # nan is neither
    if not possible.all():
        wrong_row = int(np.flatnonzero(~possible)[0])
        at = int(np.searchsorted(first, wrong_row, side="right")) - 1
        raise PolicyFileError(
            f"'{owner}': information set {at} has the probability {probabilities[wrong_row]}, and not one from 0 to 1"
        )
    totals = np.add.reduceat(probabilities, first[:-1])
    off = np.flatnonzero(np.abs(totals - 1) > TOLERANCE)
    if len(off):
        at = int(off[0])
        raise PolicyFileError(f"'{owner}': the probabilities of information set {at} add up to {totals[at]:.9g}, not to 1")
