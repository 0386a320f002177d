"""What is asked of a solver: checked at the door, and told again as a command that repeats it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from facedown import plugins
from facedown.errors import UsageError
from facedown.files import user_path
from facedown.games.contract import Game
from facedown.inputs import MAX_ITERATIONS, check_seed, whole_number
from facedown.progress import Callback
from facedown.solving.methods import DEFAULT_METHOD, Method, find_method, number_text
from facedown.solving.solution import Solution

_DEFAULT_ITERATIONS = 1_000
_DEFAULT_EVERY = 60.0


@dataclass(frozen=True)
class Request:
    """What was asked for, checked."""

    game: Game
    method: Method
    alternating: bool
    seed: int | None
    iterations: int
    seconds: float
    exploitability: float
    save: Path | None
    every: float
    progress: Callback | None

    def command(self, iterations: int) -> str:
        """The command that repeats the run."""
        words = ["facedown", "solve", self.game.spec, "--method", str(self.method), "--iterations", str(iterations)]
        if self.method.average != self.method.usual_average:
            words += ["--average", number_text(self.method.average)]
        words += [] if self.alternating else ["--simultaneous"]
        words += ["--seed", str(self.seed)] if self.seed is not None else []
        return plugins.command(*words)


@dataclass(frozen=True)
class Limits:
    """When to stop; None where that does not matter."""

    iterations: int | None
    seconds: float | None
    exploitability: float | None

    def check(self) -> None:
        """Refuse what cannot be."""
        if self.iterations is not None:
            whole_number("iterations", self.iterations, 0, MAX_ITERATIONS)
        _check_number("seconds", self.seconds)
        _check_number("exploitability", self.exploitability)


def _check_number(name: str, value: Any) -> None:
    """Refuse what is not a number from 0 on; None is."""
    if value is not None and not (isinstance(value, int | float | np.number) and value >= 0):  # put this way, nan is refused
        raise UsageError(f"{name}={value}: a number from 0 on is needed")


def read_request(
    game: Game,
    method: str | None,
    limits: Limits,
    alternating: bool | None,
    average: float | None,
    seed: int | None,
    start: Solution | None,
    save: str | Path | None,
    every: float | None,
    progress: Callback | None,
    parameters: Mapping[str, Any],
) -> Request:
    """Check all that was asked for; what was not, is taken from the solution to go on from."""
    limits.check()
    _check_number("every", every)
    if every is not None and save is None:
        raise UsageError(f"every={every}: there is nothing to write; name a file with save")
    chosen = find_method(method or (start.method if start else DEFAULT_METHOD), average, **parameters)
    if start is not None:
        chosen, alternating, seed = _as_before(start, chosen, average, alternating, seed)
    if seed is not None and not chosen.kind.sampled:
        raise UsageError(f"seed={seed}: {chosen} does not draw anything; leave the seed out")
    unlimited = limits.seconds is not None or limits.exploitability is not None
    iterations = limits.iterations
    if iterations is None:
        iterations = MAX_ITERATIONS if unlimited else _DEFAULT_ITERATIONS
    if start is not None and start.iterations > iterations:
        raise UsageError(
            f"iterations={iterations:,}: the solution to go on from has {start.iterations:,} already, and they are "
            f"counted; ask for more"
        )
    return Request(
        game=game,
        method=chosen,
        alternating=alternating is not False,
        seed=check_seed(seed) if chosen.kind.sampled else None,
        iterations=int(iterations),
        seconds=math.inf if limits.seconds is None else float(limits.seconds),
        exploitability=-math.inf if limits.exploitability is None else float(limits.exploitability),
        save=user_path(save) if save is not None else None,
        every=_DEFAULT_EVERY if every is None else float(every),
        progress=progress,
    )


def _as_before(
    start: Solution, method: Method, average: float | None, alternating: bool | None, seed: int | None
) -> tuple[Method, bool, int | None]:
    """The settings of the run to go on with; others than before are refused, since nothing would fit together."""
    if average is None:
        method = Method(method.kind, method.parameters, start.average)
    asked = {
        "method": (str(method), start.method),
        "average": (method.average, start.average),
        "alternating": (start.alternating if alternating is None else alternating, start.alternating),
        "seed": (start.seed if seed is None else seed, start.seed),
    }
    for name, (wanted, before) in asked.items():
        if wanted != before:
            raise UsageError(
                f"cannot go on with {name} {wanted}: the solution was made with {before}; nothing was changed. "
                f"Leave it out, or begin anew"
            )
    return method, start.alternating, start.seed
