"""What an agent is: one function that is given a view and answers with an action.

    act(view, actions, n, params, memory, chance) -> action

`actions[:n]` are the legal actions; `params` are the agent's numbers (both can only be read); `memory` is a byte buffer
of its own, zeroed at the start of each game (`memory.view(MEMORY)[0]` gives it as a record); `chance` is a stream of its
own. An agent is asked only where it has a choice.

An agent that must hear of every move declares `watch(view, mover, action, params, memory)`, called after each move
with its own view. Agents are compiled against the game's `VIEW`: a field that is not in it does not exist for them.
An agent that `cheats` is given the `STATE` instead, and is labelled wherever it is listed.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.errors import UsageError, unknown
from facedown.native.jit import native
from facedown.native.records import Record
from facedown.specs import check_name


@dataclass(frozen=True)
class Parameter:
    """A number of an agent that users set and optimisers move."""

    name: str
    default: float
    low: float
    high: float
    meaning: str
    whole: bool = False

    def read(self, value: Any, owner: str) -> float:
        """The number for what a user wrote, or an error that says what is possible."""
        try:
            number = float(value)
        except OverflowError:  # a whole number beyond all floats
            number = math.inf
        except (TypeError, ValueError):
            raise UsageError(f"{owner}: {self.name}={value} is not a number ({self.low:g} to {self.high:g})") from None
        if not (math.isfinite(number) and self.low <= number <= self.high):
            raise UsageError(f"{owner}: {self.name}={value} is out of bounds; it goes from {self.low:g} to {self.high:g}")
        if self.whole and number != int(number):
            raise UsageError(f"{owner}: {self.name}={value} must be a whole number ({self.low:g} to {self.high:g})")
        return number


@dataclass(frozen=True, eq=False, kw_only=True)
class Agent:
    """A player with its parameters set. `agent(A=1.0)` gives the same player with other parameters."""

    name: str
    meaning: str
    act: Callable[..., int]
    game: str | None = None
    """The game that it plays; None: any."""
    parameters: tuple[Parameter, ...] = ()
    memory: np.dtype[Any] | None = None
    watch: Callable[..., None] | None = None
    cheats: bool = False
    compiled: bool = True
    """False: `act` is ordinary Python, for people and for libraries that Numba cannot compile; matches are slow then."""
    deterministic: bool = False
    """It draws nothing and remembers nothing: the same view gets the same action."""
    explain: Callable[[Record, Record | None], str] | None = None
    """In words, why it just moved as it did, from its view and its memory."""
    quick: Mapping[str, float] = dataclasses.field(default_factory=dict)
    """Settings with which it answers at once, for whoever only wants to see that it works."""
    seconds: float = 1.0
    """About how long it takes to compile it."""
    values: Mapping[str, float] = dataclasses.field(default_factory=dict)
    origin: str = ""
    game_spec: str = ""
    """The very game that it plays, where its options matter too; empty: with any."""
    table: np.ndarray[Any, Any] | None = None
    """Numbers that come behind the parameters and are no parameters, such as a policy; shared, never copied."""
    file: str = ""
    """Where the table comes from, as the user wrote it."""

    def __post_init__(self) -> None:
        check_name("an agent", self.name)
        object.__setattr__(self, "values", {p.name: p.default for p in self.parameters} | dict(self.values))
        if self.compiled:
            object.__setattr__(self, "act", native(self.act))
            if self.watch is not None:
                object.__setattr__(self, "watch", native(self.watch))

    def __call__(self, *numbers: Any, **settings: Any) -> Agent:
        """The same agent with other parameters, in order or by name."""
        if len(numbers) > len(self.parameters):
            raise UsageError(f"{self.name} has {len(self.parameters)} parameters, but {len(numbers)} values are given")
        known = {parameter.name: parameter for parameter in self.parameters}
        for parameter, number in zip(self.parameters, numbers, strict=False):
            if parameter.name in settings:
                raise UsageError(f"{self.name}: {parameter.name} is given twice")
            settings[parameter.name] = number
        values = dict(self.values)
        for name, value in settings.items():
            if name not in known:
                raise unknown(f"parameter of {self.name}", name, known)
            values[name] = known[name].read(value, self.name)
        return dataclasses.replace(self, values=values)

    def __str__(self) -> str:
        if self.file:
            return f"{self.name}({self.file})"
        changed = any(self.values[p.name] != p.default for p in self.parameters)
        settings = ",".join(f"{p.name}={number_text(self.values[p.name])}" for p in self.parameters)
        return f"{self.name}({settings})" if changed else self.name

    def __repr__(self) -> str:
        return f"<Agent {self}{' (cheats)' if self.cheats else ''}>"

    @property
    def spec(self) -> str:
        """The text that finds this very agent again, in another process too."""
        if self.file:
            return self.origin
        return self.origin + str(self)[len(self.name) :] if self.origin else str(self)

    @property
    def params(self) -> np.ndarray[Any, Any]:
        """The parameters as the vector that `act` is given."""
        numbers = np.array([self.values[p.name] for p in self.parameters], np.float64)
        if self.table is None:
            return numbers
        return np.concatenate([numbers, self.table]) if len(numbers) else self.table


def number_text(number: float) -> str:
    """A number as a user would write it, exactly: 1 rather than 1.0."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(float(number))
