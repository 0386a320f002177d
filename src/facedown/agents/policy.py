"""A policy: for every information set, how likely each action is. What solvers find and the agent `table` plays.

A policy file is a NumPy archive (.npz) with the fields of `Policy` as arrays, and "schema". Whatever else is in it,
such as the state of a solver, is left alone. Nothing in it is code: it is read without pickle.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from facedown.errors import UsageError
from facedown.files import write_whole
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


# what the libraries raise for archives that are damaged, cut off, or none
_DAMAGE = (zipfile.BadZipFile, zlib.error, ValueError, EOFError, OSError, KeyError, NotImplementedError, RuntimeError)


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
    array = arrays.get(name)
    if array is None or array.dtype.kind != "U" or array.ndim != 0:
        raise PolicyFileError(f"'{owner}' is no policy file: it has no text '{name}'")
    return str(array)


def write_arrays(path: str | Path, arrays: Mapping[str, Array], compress: bool = True) -> Path:
    """Write arrays as a NumPy archive of exactly this name, wholly or not at all; the same arrays give the same bytes."""
    stream = io.BytesIO()
    save: Any = np.savez_compressed if compress else np.savez
    save(stream, **arrays)
    try:
        return write_whole(Path(path).expanduser(), stream.getvalue())
    except OSError as problem:
        raise UsageError(f"cannot write '{path}': {problem.strerror or problem}") from None


def read_arrays(path: str | Path) -> dict[str, Array]:
    """The arrays of a NumPy archive."""
    try:
        content = Path(path).expanduser().read_bytes()
    except OSError as problem:
        raise PolicyFileError(f"cannot read '{path}': {problem.strerror or problem}") from None
    return arrays_in(content, str(path))


def arrays_in(content: bytes, owner: str) -> dict[str, Array]:
    """The arrays of a NumPy archive that is in memory; damage of any kind is a sentence."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            damaged = archive.testzip()  # every byte has a checksum: NumPy alone would not look at all of them
        if damaged is not None:
            raise PolicyFileError(f"'{owner}' is damaged: '{damaged}' does not match its checksum; make it again")
        with np.load(io.BytesIO(content), allow_pickle=False) as loaded:
            return {name: loaded[name] for name in loaded.files}
    except PolicyFileError:
        raise
    except _DAMAGE as problem:
        reason = str(problem) or type(problem).__name__
        raise PolicyFileError(
            f"'{owner}' is no policy file, or only part of one ({reason}); it is a NumPy archive, .npz"
        ) from None


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
            raise PolicyFileError(f"'{owner}' is a policy for {policy.game}, not for {game}") from None
        raise PolicyFileError(f"'{owner}' is a policy for a game that is not known here: {problem}") from None
    if game is not None and found.spec != game.spec:
        raise PolicyFileError(f"'{owner}' is a policy for {found}, not for {game}")
    return found


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
    if not (np.isfinite(probabilities).all() and (probabilities >= 0).all()):
        wrong_row = int(np.flatnonzero(~(np.isfinite(probabilities) & (probabilities >= 0)))[0])
        at = int(np.searchsorted(first, wrong_row, side="right")) - 1
        raise PolicyFileError(f"'{owner}': information set {at} has the probability {probabilities[wrong_row]}")
    totals = np.add.reduceat(probabilities, first[:-1])
    off = np.flatnonzero(np.abs(totals - 1) > TOLERANCE)
    if len(off):
        at = int(off[0])
        raise PolicyFileError(f"'{owner}': the probabilities of information set {at} add up to {totals[at]:.9g}, not to 1")
