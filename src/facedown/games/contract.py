"""What a game is: two record types, a handful of functions, and facts about it that can be checked.

Rules are native functions over the game's `STATE`:

    start(state, chance)                        set up and deal; the state comes zeroed, with its options filled in
    turn(state) -> int                          the player to move, or OVER
    legal(state, actions) -> int                fill in the mover's legal actions, ascending; how many
    step(state, action, chance)                 play it, with whatever chance follows
    score(state, scores)                        one number a player, at the end only
    observe(state, player, view)                fill in every field of that player's view
    imagine(view, player, chance, state)        a full state drawn from those that fit the view; it comes as for `start`
    hears(state, player, mover, action) -> int  optional, after a move: the action as this player learns of it, HIDDEN (the
                                                player knows who moved, and no more) or UNNOTICED (not even that)
    report(state, values)                       optional: fill in the game's own columns of a match, at the end only
    allows(state, action) -> int                optional: whether the mover may do this, 1 or 0, as `legal` has it but without
                                                the list; any whole number may be asked about
    settle(state)                               optional: free a state of what has no influence on the rest of the game; what
                                                `score` loses by that is earned already

and words and pictures are plain Python functions over the `VIEW`: `describe`, `action_name`, `parse_action`, `narrate`, `draw`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from facedown.errors import UsageError, unknown
from facedown.native.jit import native
from facedown.native.records import Record, blank, fields_of, only_fields, shared_fields
from facedown.pictures.picture import Picture
from facedown.specs import check_name

OVER = -1
"""What `turn` returns when the game is over."""

HIDDEN, UNNOTICED = -1, -2
"""What `hears` returns instead of an action: only that the mover has moved; or nothing at all, and nobody is told."""

LISTED = -1
"""What `allows` returns where only the list of `legal` tells."""

MAX_PLAYERS = 8
RULES = "rules"
"""A preset can be written as an option of this name as well: `hanabi(rules=thesis)`."""

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
class Preset:
    """A word that sets several options at once: `hanabi(thesis,players=4)`."""

    name: str
    settings: Mapping[str, Any]
    """The options, as users write them."""
    meaning: str


@dataclass(frozen=True)
class Column:
    """A number that a game adds to the results of a match: one a game, filled in by `report`, totalled over the match."""

    name: str
    meaning: str


def _no_report(state: Record, values: Any) -> None:
    """The report of a game that has no columns of its own."""


def _look_it_up(state: Record, action: int) -> int:
    """Whether an action is legal, in a game that only lists those that are."""
    return LISTED


def _nothing_to_settle(state: Record) -> None:
    """A state in which everything matters."""


def _open_moves(state: Record, player: int, mover: int, action: int) -> int:
    """What players hear where every move is made in the open."""
    return action


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
    hears: Callable[..., int] = _open_moves
    """Left out only where every move can be told from the views of everybody anyhow."""
    narrate: Callable[[Record, Record], str] | None = None
    """What a player saw happen, from its view before and its view after a move; None: what was heard of it is told."""
    draw: Callable[[Record], Picture] | None = None
    """What a player sees, as a picture; None: pages show what `describe` says."""
    hidden: Callable[[Record, int], dict[str, str]] | None = None
    """What a player cannot see in a state, by name and in words: for counts over imagined worlds; None: field by field."""
    report: Callable[..., None] = _no_report
    allows: Callable[..., int] = _look_it_up
    """What the loop asks about every move of an agent; worth it where there are many legal actions."""
    settle: Callable[..., None] = _nothing_to_settle
    columns: tuple[Column, ...] = ()
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    forbids: Callable[[Options], str | None] = lambda options: None
    """A sentence on options that do not go together, or None."""
    players: Fact[int]
    actions: Fact[int]
    longest: Fact[int]
    kind: Kind
    interests: Callable[[Options], Kind] | None = None
    """Where it depends on the options who wants what; it sets `kind` then."""
    total: Fact[float] = 0.0
    scores: Fact[tuple[float, float]]
    perfect_information: bool = False
    """Whether views hide nothing that matters: what a player sees tells the settled state."""
    cost: Fact[str] = ""
    """What scores count, negated, where players want little of it: "turns" of solitaire that scores minus the turns."""
    perfect_recall: bool = True
    forgets: Callable[[Options], bool] | None = None
    """Where it depends on the options whether views forget; it sets `perfect_recall` then."""
    exact_imagine: bool = True
    approximates: Callable[[Options], bool] | None = None
    """Where it depends on the options whether `imagine` is exact; it sets `exact_imagine` then."""
    even_deals: bool = False
    """Imagined deals are as likely as chance makes them, whatever was played; otherwise, as they are in uniform play."""
    rounds: str = ""
    """The field of the view that counts rounds, if a game has several and each begins with all cards dealt anew: nothing that
    somebody knew in a finished round needs to be kept secret."""
    seat_names: tuple[str, ...] = ()
    common: tuple[str, ...] | None = None
    """The fields of the view that show every player the same; None: those that the state declares alike."""
    values: Options = dataclasses.field(default_factory=dict)
    origin: str = ""
    rules: str = ""
    """How it is played, for `facedown rules`; empty: the docstring of the file that has `start` in it tells."""

    def __post_init__(self) -> None:
        check_name("a game", self.name)
        for name in NATIVE_FUNCTIONS:
            object.__setattr__(self, name, native(getattr(self, name)))
        object.__setattr__(self, "values", {option.name: option.default for option in self.options} | dict(self.values))
        if self.interests is not None:
            object.__setattr__(self, "kind", self.interests(self.values))
        if self.forgets is not None:
            object.__setattr__(self, "perfect_recall", not self.forgets(self.values))
        if self.approximates is not None:
            object.__setattr__(self, "exact_imagine", not self.approximates(self.values))
        if problem := self.forbids(self.values):
            raise UsageError(f"{self}: {problem}")
        fields = {field.name for field in fields_of(self.state)}
        for option in self.options:
            if option.name not in fields:
                raise UsageError(f"{self.name}: option '{option.name}' needs a field of that name in the state")
        self._check_presets()
        for name in self.common or ():
            if name not in {field.name for field in fields_of(self.view)}:
                raise UsageError(f"{self.name}: common field '{name}' is not a field of the view")
        if not 1 <= self.n_players <= MAX_PLAYERS:
            raise UsageError(f"{self.name}: {self.n_players} players are declared; 1 to {MAX_PLAYERS} are possible")

    def _check_presets(self) -> None:
        known = {option.name: option for option in self.options}
        for preset in self.presets:
            check_name("a preset", preset.name)
            if preset.name in known:
                raise UsageError(f"{self.name}: '{preset.name}' is an option and cannot be a preset too")
            for name, value in preset.settings.items():
                if name not in known:
                    raise unknown(f"option of {self.name} in the preset '{preset.name}'", name, known)
                known[name].read(value, f"{self.name}, preset {preset.name}")

    def __call__(self, *presets: str, **settings: Any) -> Game:
        """The same rules with other options: first those of presets, then those that are named; `rules=` names a preset too."""
        known = {option.name: option for option in self.options}
        words = {preset.name: preset for preset in self.presets}
        if words and RULES not in known and RULES in settings:
            presets = (*presets, str(settings[RULES]))
            settings = {name: value for name, value in settings.items() if name != RULES}
        values, given = dict(self.values), dict[str, Any]()
        for word in presets:
            if word not in words:
                hint = "" if words else f"Options have names, such as {self.name}(players=3)."
                raise unknown(f"preset of {self.name}", word, words, hint)
            given |= words[word].settings
        for name, value in (given | settings).items():
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

    @property
    def team(self) -> bool:
        """Whether there is one score for all: players who score together, or one player alone."""
        return self.kind == "cooperative" or self.n_players == 1

    @property
    def common_fields(self) -> tuple[str, ...]:
        """The fields of the view that show every player the same."""
        return shared_fields(self.state, self.view) if self.common is None else self.common

    @property
    def common_view(self) -> np.dtype[Any]:
        """What every player sees: the view without all that only some of them do."""
        return only_fields(self.view, self.common_fields)

    @property
    def cost_unit(self) -> str:
        """What scores count, negated; empty where they are points to be won."""
        return self._fact(self.cost)

    @property
    def settles(self) -> bool:
        """Whether some states differ in nothing but what can be forgotten."""
        return getattr(self.settle, "py_func", self.settle) is not _nothing_to_settle

    @property
    def tells_legal(self) -> bool:
        """Whether the game tells of a single action whether it is legal."""
        return getattr(self.allows, "py_func", self.allows) is not _look_it_up

    def seat_name(self, player: int) -> str:
        """What the player in this seat is called."""
        return self.seat_names[player] if player < len(self.seat_names) else f"player {player}"

    def blank(self, count: int = 1) -> np.ndarray[Any, Any]:
        """States as `start` and `imagine` get them: zero, with the options filled in."""
        states = blank(self.state, count)
        for name, value in self.values.items():
            states[name] = value
        return states


NATIVE_FUNCTIONS = ("start", "turn", "legal", "step", "score", "observe", "imagine", "hears", "report", "allows", "settle")
