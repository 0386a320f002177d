"""Solutions in files: a policy file with the solver's state beside the policy, written wholly or not at all."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from facedown.errors import UsageError
from facedown.files import place_for, printable
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.policies.policy import (
    Array,
    Policy,
    PolicyFileError,
    policy_arrays,
    policy_from_arrays,
    read_arrays,
    text_in,
    write_arrays,
)
from facedown.solving.checkpoint_checks import check_solution
from facedown.solving.solution import SCHEMA, CurvePoint, Solution
from facedown.trees.tree import TreeCounts

Found = TypeVar("Found")

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
        solution = _solution(told, policy, state, game)
        check_solution(solution, str(path), game or find_game(policy.game))
    except PolicyFileError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as problem:
        reason = printable(f"{type(problem).__name__}: {problem}")
        raise PolicyFileError(f"'{path}' is damaged: its figures cannot be read ({reason}); make it again") from None
    return solution


def _solution(told: dict[str, Any], policy: Policy, state: dict[str, Array], game: Game | None) -> Solution:
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


def _figures(told: list[float | None]) -> tuple[float, ...]:
    return tuple(math.nan if figure is None else float(figure) for figure in told)


def _told(array: Any, owner: str) -> dict[str, Any]:
    if array is None:
        raise PolicyFileError(
            f"'{owner}' holds a policy, but no solution: it can be played with table({owner}), and not be gone on from"
        )
    try:
        told = json.loads(text_in(array))
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or told.get("schema") != SCHEMA:
        raise PolicyFileError(f"'{owner}' holds a solution of another version; this one reads {SCHEMA}")
    return told


def check_kept(path: str | Path, kind: str, load: Callable[[Path], Found]) -> Found | None:
    """What lies where a solution is to be written, None if nothing does; an error if it is not of this kind, or nothing can."""
    target = place_for(path, f"cannot save to '{path}'")
    if not target.exists():
        return None
    try:
        return load(target)
    except UsageError:
        raise UsageError(f"'{path}' exists and is not {kind}; it is left alone. Name another file") from None


def check_place(path: str | Path, game: Game, method: str) -> None:
    """Make sure, before the work begins, that a solution can be written there and that nothing else is lost by it."""
    found = check_kept(path, "a solution", load_solution)
    if found is not None and (found.game != game.spec or found.method != method):
        raise UsageError(
            f"'{path}' holds a solution of {found.game} by {found.method}, not of {game} by {method}; it is left alone. "
            f"Name another file"
        )
