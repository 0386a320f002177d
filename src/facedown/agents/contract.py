"""What an agent is: one function that is given a view and answers with an action.

    act(view, actions, n, params, memory, chance) -> action

`actions` are the n legal actions; `params` are the agent's numbers (both can only be read); `memory` is a byte buffer
of its own, zeroed at the start of each game (`memory.view(MEMORY)[0]` gives it as a record); `chance` is a stream of its
own. An agent is asked only where it has a choice.

Optional functions, native as well:

    begin(view, params, memory, chance)                  once, after the deal
    watch(view, mover, action, params, memory[, chance]) after each move that it notices, with its own view and the action
                                                         as its seat hears of it: HIDDEN where it only learns that the mover
                                                         has moved (`hears` of the game)
    believe(view, params, memory, chance, state)         a full state drawn from what it thinks, for searches

An agent that keeps a belief which does not depend on the seat declares a record type `public` for it, and keeps it up by two
functions that must come to the same bytes (docs/agents.md, "Public records"):

    watch(view, mover, action, params, public)           from what one seat sees and hears
    watch_all(common, mover, action, params, public)     from what all seats see and hear alike, once for all of them

Both are called after the deal too, with NOBODY as the mover. Where what all seats come to cannot be told from what they see
alike, because each works it out from what it sees of the others, `agrees=True` takes the place of `watch_all`: then the `watch`
of whoever moves serves all. `act`, `believe` and `keeps` of such an agent are given the record after their memory, to be read.

    keeps(view, action, params, memory) -> int           whether this move would mean to everybody what it means in the agent's
                                                         convention, 1 or 0; others may part the records of a team

Agents are compiled against the game's `VIEW`: a field that is not in it does not exist for them.
An agent that `cheats` is given the `STATE` instead, and is labelled wherever it is listed.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.agents.reasons import Reason
from facedown.errors import UsageError, unknown
from facedown.native.jit import native
from facedown.specs import Parameter, check_name

__all__ = ["NOBODY", "Agent", "Parameter", "number_text"]

NOBODY = -1
"""The mover of which public records are told after the deal."""
NATIVE = ("act", "begin", "watch", "watch_all", "believe", "keeps")
"""The functions of an agent that are compiled."""


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
    begin: Callable[..., None] | None = None
    watch: Callable[..., None] | None = None
    public: np.dtype[Any] | None = None
    """A record of what follows from public events alone: the same in every seat."""
    watch_all: Callable[..., None] | None = None
    """Keeps up one public record for all seats, where this agent has them all."""
    agrees: bool = False
    """Every seat comes to the same public record from its own view, so that one seat's `watch` serves all."""
    believe: Callable[..., None] | None = None
    keeps: Callable[..., int] | None = None
    cheats: bool = False
    compiled: bool = True
    """False: `act` is ordinary Python, for people and for libraries that Numba cannot compile; matches are slow then."""
    deterministic: bool = False
    """It draws nothing and remembers nothing: the same view gets the same action."""
    explain: Callable[..., Reason] | None = None
    """Plain Python: why it just moved so. explain(view, action, params, memory), with memory as a record, or None without one;
    the public record follows if there is one."""
    tells: Callable[..., str] | None = None
    """Plain Python: what a move means in its convention, a sentence that everybody may read while the game goes on.
    tells(common, mover, action, params, public, listener), from what all see alike after the move and the record as before it;
    of the listener it only knows the seat."""
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
        if self.public is not None and self.watch is None:
            raise UsageError(f"agent {self.name}: a public record needs 'watch', which keeps it up from what one seat knows")
        if (self.watch_all is not None or self.agrees) and self.public is None:
            what = "'watch_all' keeps up" if self.watch_all is not None else "agrees=True is about"
            raise UsageError(f"agent {self.name}: {what} a public record; declare its type with public=...")
        if self.tells is not None and self.watch_all is None:
            raise UsageError(f"agent {self.name}: 'tells' reads a public record that is kept up by 'watch_all'")
        if self.watch is not None and n_arguments(self.watch) not in ({5} if self.public is not None else {5, 6}):
            wanted = "5, the last of them the public record" if self.public is not None else "5, or 6 with a chance"
            raise UsageError(f"agent {self.name}: 'watch' takes {n_arguments(self.watch)} arguments; it should take {wanted}")
        if self.compiled:
            for name in NATIVE:
                if getattr(self, name) is not None:
                    object.__setattr__(self, name, native(getattr(self, name)))

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
    def one_for_all(self) -> bool:
        """Whether one public record can serve all seats."""
        return self.watch_all is not None or self.agrees

    @property
    def watch_draws(self) -> bool:
        """Whether it draws when it hears of a move."""
        return self.watch is not None and n_arguments(self.watch) == 6

    @property
    def params(self) -> np.ndarray[Any, Any]:
        """The parameters as the vector that `act` is given."""
        numbers = np.array([self.values[p.name] for p in self.parameters], np.float64)
        if self.table is None:
            return numbers
        return np.concatenate([numbers, self.table]) if len(numbers) else self.table


def n_arguments(function: Callable[..., Any]) -> int:
    """How many arguments a function takes, compiled or not."""
    return len(inspect.signature(getattr(function, "py_func", function)).parameters)


def number_text(number: float) -> str:
    """A number as a user would write it, exactly: 1 rather than 1.0."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(float(number))
