"""Exact solutions in files: NumPy archives with a digest, as policies are kept, with positions in place of views.

What is read is checked: the digest, the game, shapes and ranges. Nothing in it is code.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from facedown.files import printable, user_path
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.policies.policy import Array, PolicyFileError, arrays_in, text_in, write_arrays
from facedown.solving.dynamic.solution import METHODS, Counts, OptimalSolution

SCHEMA = "facedown.optimal/1"
_KINDS = {"states": (np.uint8, 2), "values": (np.float64, 1), "actions": (np.int32, 1)}


def save_optimal(solution: OptimalSolution, path: str | Path) -> Path:
    """Write a solution; the agent optimal(FILE) reads it."""
    told = {name: getattr(solution.counts, name) for name in solution.counts.__dataclass_fields__}
    text = json.dumps({"method": solution.method, "values": list(solution.values), "counts": told})
    arrays: dict[str, Array] = {
        "schema": np.array(SCHEMA),
        "game": np.array(solution.game),
        "told": np.array(text),
        "states": np.ascontiguousarray(solution.states),
        "values": solution.state_values,
        "actions": solution.state_actions,
    }
    return write_arrays(path, arrays)


def load_optimal(path: str | Path, game: Game | None = None) -> OptimalSolution:
    """Read a solution that `save` has written, checked; with `game`, it must be one of this very game."""
    try:
        content = user_path(path).read_bytes()
    except OSError as problem:
        raise PolicyFileError(f"cannot read '{path}': {problem.strerror or problem}") from None
    return solution_in(content, str(path), game)


def solution_in(content: bytes, owner: str, game: Game | None = None) -> OptimalSolution:
    """The solution in the bytes of a file; `owner` names it in errors."""
    arrays = arrays_in(content, owner)
    if text_in(arrays.get("schema")) != SCHEMA:
        hint = f"; play it with table({owner})" if text_in(arrays.get("schema")).startswith("facedown.policy") else ""
        raise PolicyFileError(f"'{owner}' holds no exact solution ({SCHEMA}){hint}")
    made_for = text_in(arrays.get("game"))
    if game is not None and made_for != game.spec:
        raise PolicyFileError(f"'{owner}' is a solution of {printable(made_for)}, not of {game.spec}")
    rules = game or find_game(made_for)
    _check(arrays, owner, rules)
    try:
        told: dict[str, Any] = json.loads(text_in(arrays.get("told")))
        counts = Counts(**told["counts"])
        values, method = tuple(map(float, told["values"])), str(told["method"])
        if method not in METHODS or len(values) != rules.n_players or not np.isfinite(values).all():
            raise ValueError(f"method {method}, values {values}")
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        reason = printable(f"{type(problem).__name__}: {problem}")
        raise PolicyFileError(f"'{owner}' is damaged: its figures cannot be read ({reason}); make it again") from None
    return OptimalSolution(
        game=rules.spec,
        method=method,
        values=values,
        counts=counts,
        states=arrays["states"],
        state_values=arrays["values"],
        state_actions=arrays["actions"],
        rules=rules,
    )


def _check(arrays: dict[str, Array], owner: str, game: Game) -> None:
    for name, (kind, n_dimensions) in _KINDS.items():
        array = arrays.get(name)
        if array is None or array.dtype != kind or array.ndim != n_dimensions:
            raise PolicyFileError(f"'{owner}': '{name}' is missing, or not {np.dtype(kind)} in {n_dimensions} dimensions")
    states, values, actions = (arrays[name] for name in _KINDS)
    if not len(states) == len(values) == len(actions) > 0:
        raise PolicyFileError(f"'{owner}': its parts do not fit together ({len(states)}, {len(values)}, {len(actions)})")
    if states.shape[1] != game.state.itemsize:
        raise PolicyFileError(
            f"'{owner}': its states have {states.shape[1]} bytes, but those of {game} have {game.state.itemsize}; the game has "
            f"changed since it was made"
        )
    if not np.isfinite(values).all() or actions.min() < 0 or actions.max() >= game.n_actions:
        raise PolicyFileError(f"'{owner}': a value is not finite, or an action not one of {game}; make it again")
