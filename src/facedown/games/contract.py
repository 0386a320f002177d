"""What a game is: two record types, a handful of functions, and facts about it that can be checked.

Rules are native functions over the game's `STATE`:

    start(state, chance)                       set up and deal; the state comes zeroed, with its options filled in
    turn(state) -> int                         the player to move, or OVER
    legal(state, actions) -> int               fill in the mover's legal actions, ascending; how many
    step(state, action, chance)                play it, with whatever chance follows
    score(state, scores)                       one number a player, at the end only
    observe(state, player, view)               fill in every field of that player's view
    imagine(view, player, chance, state)       a full state drawn from those that fit the view; it comes like that of
    `start` report(state, values)                      optional: fill in the game's own columns of a match, at the end
    only

and words are plain Python functions over the `VIEW`: `describe`, `action_name`, `parse_action`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from facedown.errors import UsageError, unknown
from facedown.native.jit import native
from facedown.native.records import Record, blank, fields_of
from facedown.specs import check_name

OVER = -1
"""What `turn` returns when the game is over."""

MAX_PLAYERS = 8

Kind = Literal["zero sum", "constant sum", "cooperative", "general"]
Options = Mapping[str, int]
Value = TypeVar("Value")
Fact: TypeAlias = Value | Callable[[Options], Value]
"""A fact of a game: a value, or a function of the options that gives it."""


@dataclass(frozen=True)
class Option:
    """A rule that can be set. It is an integer in a field of the same name of the game's state.

    With `choices`, users write one of these words and the field holds its index; ("no", "yes") makes a switch.
    """

    name: str
    default: int
    meaning: str
    low: int = 0
    high: int = 1
    choices: tuple[str, ...] = ()

    def read(self, value: Any, owner: str) -> int:
        """The integer for what a user wrote, or an error that says what is possible."""
        text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value).strip()
        if self.choices:
            switches = {"true": "yes", "false": "no", "1": "yes", "0": "no"} if self.is_switch else {}
            word = switches.get(text.lower(), text.lower())
            if word not in self.choices:
                raise UsageError(f"{owner}: {self.name}={text} is not possible; choose one of {', '.join(self.choices)}")
            return self.choices.index(word)
        try:
            number = int(text)
        except ValueError:
            raise UsageError(f"{owner}: {self.name}={text} is not a whole number ({self.range})") from None
        if not self.low <= number <= self.high:
            raise UsageError(f"{owner}: {self.name}={number} is out of bounds; it goes from {self.range}")
        return number

    @property
    def is_switch(self) -> bool:
        """Whether the option is only on or off."""
        return self.choices == ("no", "yes")

    def word(self, value: int) -> str:
        """How a user would write this value."""
        return self.choices[value] if self.choices else str(value)

    @property
    def range(self) -> str:
        """The possible values in words."""
        return " or ".join(self.choices) if self.choices else f"{self.low} to {self.high}"


@dataclass(frozen=True)
class Column:
    """A number that a game adds to the results of a match: one a game, filled in by `report`, totalled over the match."""

    name: str
    meaning: str


def _no_report(state: Record, values: Any) -> None:
    """The report of a game that has no columns of its own."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """A game with its options set. `game(players=3)` gives the same rules with other options."""

    name: str
    title: str
    source: str
    state: np.dtype[Any]
    view: np.dtype[Any]
    start: Callable[..., None]
    turn: Callable[..., int]
    legal: Callable[..., int]
    step: Callable[..., None]
    score: Callable[..., None]
    observe: Callable[..., None]
    imagine: Callable[..., None]
    describe: Callable[[Record], str]
    action_name: Callable[[Record, int], str]
    parse_action: Callable[[Record, str], int | None] | None = None
    report: Callable[..., None] = _no_report
    columns: tuple[Column, ...] = ()
    options: tuple[Option, ...] = ()
    forbids: Callable[[Options], str | None] = lambda options: None
    """A sentence on options that do not go together, or None."""
    players: Fact[int]
    actions: Fact[int]
    longest: Fact[int]
    kind: Kind
    total: Fact[float] = 0.0
    scores: Fact[tuple[float, float]]
    perfect_recall: bool = True
    forgets: Callable[[Options], bool] | None = None
    """Where it depends on the options whether views forget; it sets `perfect_recall` then."""
    exact_imagine: bool = True
    even_deals: bool = False
    """Imagined deals are as likely as chance makes them, whatever was played; otherwise, as they are in uniform play."""
    rounds: str = ""
    """The field of the view that counts rounds, if a game has several and each begins with all cards dealt anew: nothing that
    somebody knew in a finished round needs to be kept secret."""
    seat_names: tuple[str, ...] = ()
    values: Options = dataclasses.field(default_factory=dict)
    origin: str = ""

    def __post_init__(self) -> None:
        check_name("a game", self.name)
        for name in NATIVE_FUNCTIONS:
            object.__setattr__(self, name, native(getattr(self, name)))
        object.__setattr__(self, "values", {option.name: option.default for option in self.options} | dict(self.values))
        if self.forgets is not None:
            object.__setattr__(self, "perfect_recall", not self.forgets(self.values))
        if problem := self.forbids(self.values):
            raise UsageError(f"{self}: {problem}")
        fields = {field.name for field in fields_of(self.state)}
        for option in self.options:
            if option.name not in fields:
                raise UsageError(f"{self.name}: option '{option.name}' needs a field of that name in the state")
        if not 1 <= self.n_players <= MAX_PLAYERS:
            raise UsageError(f"{self.name}: {self.n_players} players are declared; 1 to {MAX_PLAYERS} are possible")

    def __call__(self, **settings: Any) -> Game:
        """The same rules with other options."""
        known = {option.name: option for option in self.options}
        values = dict(self.values)
        for name, value in settings.items():
            if name not in known:
                raise unknown(f"option of {self.name}", name, known)
            values[name] = known[name].read(value, self.name)
        return dataclasses.replace(self, values=values)

    def __str__(self) -> str:
        changed = [f"{o.name}={o.word(self.values[o.name])}" for o in self.options if self.values[o.name] != o.default]
        return f"{self.name}({','.join(changed)})" if changed else self.name

    def __repr__(self) -> str:
        return f"<Game {self}: {self.title}, {self.n_players} players>"

    @property
    def spec(self) -> str:
        """The text that finds this very game again, in another process too."""
        return self.origin + str(self)[len(self.name) :] if self.origin else str(self)

    def _fact(self, fact: Fact[Value]) -> Value:
        return fact(self.values) if callable(fact) else fact

    @property
    def n_players(self) -> int:
        """How many players there are."""
        return self._fact(self.players)

    @property
    def n_actions(self) -> int:
        """Actions are numbers below this."""
        return self._fact(self.actions)

    @property
    def max_moves(self) -> int:
        """No game has more moves than this."""
        return self._fact(self.longest)

    @property
    def score_range(self) -> tuple[float, float]:
        """The smallest and largest score of a player."""
        return self._fact(self.scores)

    @property
    def score_total(self) -> float | None:
        """What the scores of all players sum up to, or None where nothing is declared."""
        return self._fact(self.total) if self.kind in {"zero sum", "constant sum"} else None

    def seat_name(self, player: int) -> str:
        """What the player in this seat is called."""
        return self.seat_names[player] if player < len(self.seat_names) else f"player {player}"

    def blank(self, count: int = 1) -> np.ndarray[Any, Any]:
        """States as `start` and `imagine` get them: zero, with the options filled in."""
        states = blank(self.state, count)
        for name, value in self.values.items():
            states[name] = value
        return states


NATIVE_FUNCTIONS = ("start", "turn", "legal", "step", "score", "observe", "imagine", "report")
