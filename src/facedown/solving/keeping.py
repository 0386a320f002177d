"""Solutions in files: a policy file with the solver's state beside the policy, written wholly or not at all."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from facedown.agents.policy import (
    PolicyFileError,
    policy_arrays,
    policy_from_arrays,
    read_arrays,
    write_arrays,
)
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.solving.solution import SCHEMA, CurvePoint, Solution, TreeCounts

TOLD = "solution"
STATE = "state_"
# what `to_dict` works out from the other fields
_DERIVED = {"schema", "value", "nash_conv", "exploitability", "definition", "information_sets"}


def save_solution(solution: Solution, path: str | Path) -> Path:
    """Write a solution; the agent table(FILE) reads the same file."""
    told = {name: value for name, value in solution.to_dict().items() if name not in _DERIVED}
    text = json.dumps({"schema": SCHEMA, **told, "digest": solution.digest})
    state = {STATE + name: array for name, array in solution.state.items()}
    # not compressed: digits of regrets look random, and a checkpoint should not take longer than it must
    return write_arrays(path, {**policy_arrays(solution.policy), TOLD: np.array(text), **state}, compress=False)


def load_solution(path: str | Path, game: Game | None = None) -> Solution:
    """Read a solution that `save` has written, checked; with `game`, it must be one of this very game."""
    arrays = read_arrays(path)
    policy = policy_from_arrays(arrays, str(path), game)
    told = _told(arrays.get(TOLD), str(path))
    state = {name.removeprefix(STATE): array for name, array in arrays.items() if name.startswith(STATE)}
    try:
        return Solution(
            game=policy.game,
            policy=policy,
            state=state,
            method=str(told["method"]),
            average=float(told["average"]),
            alternating=bool(told["alternating"]),
            seed=None if told["seed"] is None else int(told["seed"]),
            iterations=int(told["iterations"]),
            seconds=float(told["seconds"]),
            seconds_evaluating=float(told["seconds_evaluating"]),
            values=_figures(told["values"]),
            gains=_figures(told["gains"]),
            exact=bool(told["exact"]),
            stderr=_figures(told["stderr"]),
            curve=tuple(CurvePoint(**point) for point in told["curve"]),
            tree=TreeCounts.from_dict(told["tree"]) if told["tree"] else None,
            digest=str(told["digest"]),
            repeat=str(told["repeat"]),
            rules=game,
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise PolicyFileError(f"'{path}' is damaged: its figures cannot be read ({problem!r}); make it again") from None


def _figures(told: list[float | None]) -> tuple[float, ...]:
    return tuple(math.nan if figure is None else float(figure) for figure in told)


def _told(array: Any, owner: str) -> dict[str, Any]:
    if array is None or array.dtype.kind != "U" or array.ndim != 0:
        raise PolicyFileError(
            f"'{owner}' holds a policy, but no solution: it can be played with table({owner}), and not be gone on from"
        )
    try:
        told = json.loads(str(array))
    except ValueError:
        told = None
    if not isinstance(told, dict) or told.get("schema") != SCHEMA:
        raise PolicyFileError(f"'{owner}' holds a solution of another version; this one reads {SCHEMA}")
    return told


def check_place(path: str | Path, game: Game, method: str) -> None:
    """Make sure, before the work begins, that a solution can be written there and that nothing else is lost by it."""
    target = Path(path).expanduser()
    if not target.absolute().parent.is_dir():
        raise UsageError(f"cannot save to '{path}': there is no directory '{target.parent}'")
    if target.is_dir():
        raise UsageError(f"cannot save to '{path}': that is a directory; name a file")
    if not target.exists():
        return
    try:
        found = load_solution(target)
    except UsageError:
        raise UsageError(f"'{path}' exists and is not a solution; it is left alone. Name another file") from None
    if found.game != game.spec or found.method != method:
        raise UsageError(
            f"'{path}' holds a solution of {found.game} by {found.method}, not of {game} by {method}; it is left alone. "
            f"Name another file"
        )
