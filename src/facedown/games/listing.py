"""Listings of what is installed: `facedown.games()`, and what listings of games and of agents have in common.

The package `facedown.games` can be called itself. `facedown.games()` is a promise to users, and importing any module of
a package makes the package an attribute of its parent: a function of that name would last until the next import.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, overload

from facedown.errors import unknown

if TYPE_CHECKING:
    from facedown.games.contract import Game


class Named(Protocol):
    """Whatever has a name."""

    @property
    def name(self) -> str:
        """How users write it."""


Item = TypeVar("Item", bound=Named)


class Listing(Sequence[Item], Generic[Item]):
    """Games or agents, by place or by name: `fd.games()["kuhn"]`. Printed, it is a table."""

    kind = ""
    columns: tuple[str, ...] = ()

    def __init__(self, items: Sequence[Item]):
        self._items = tuple(items)

    @property
    def names(self) -> list[str]:
        """Their names, in order."""
        return [item.name for item in self._items]

    @overload
    def __getitem__(self, key: int | str) -> Item: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Item]: ...
    def __getitem__(self, key: int | str | slice) -> Item | Sequence[Item]:
        if not isinstance(key, str):
            return self._items[key]
        if key not in self.names:
            raise unknown(self.kind, key, self.names)
        return self._items[self.names.index(key)]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __contains__(self, item: object) -> bool:
        return item in self.names if isinstance(item, str) else item in self._items

    def _ipython_key_completions_(self) -> list[str]:
        return self.names

    def row(self, item: Item) -> tuple[str, ...]:
        """A row of the table."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        raise NotImplementedError

    def __repr__(self) -> str:
        rows = [self.columns, *map(self.row, self._items)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(self.columns))]
        lines = ("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)) for row in rows)
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        from html import escape  # the command line, which is to start quickly, does not need it

        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        rows = ("".join(f"<td>{escape(word)}</td>" for word in self.row(item)) for item in self._items)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table>"


class GameListing(Listing["Game"]):
    """The games that are installed."""

    kind = "game"
    columns = ("name", "title", "players", "kind", "options")

    def row(self, item: Game) -> tuple[str, ...]:
        """A row of the table."""
        return item.name, item.title, players_text(item), item.kind, options_text(item)

    def to_dict(self) -> dict[str, Any]:
        """Everything that the games declare, as JSON has it."""
        return {"schema": "facedown.games/1", "games": [game_facts(game) for game in self]}


class GamesPackage(ModuleType):
    """The package `facedown.games`, which lists the games when it is called."""

    def __call__(self) -> GameListing:
        """All games that are installed, with their default options; `fd.game(NAME)` has one with others.

        >>> import facedown as fd
        >>> fd.games()["kuhn"]
        <Game kuhn: Kuhn poker, 2 players>
        """
        from facedown.games.registry import all_games

        return GameListing(all_games())


def options_text(game: Game) -> str:
    """The names of the options, and of the words that set several."""
    presets = f" (presets: {', '.join(preset.name for preset in game.presets)})" if game.presets else ""
    return ", ".join(option.name for option in game.options) + presets


def players_text(game: Game) -> str:
    """How many can play."""
    option = next((option for option in game.options if option.name == "players"), None)
    return f"{option.low} to {option.high}" if option else str(game.n_players)


def game_facts(game: Game) -> dict[str, Any]:
    """What a game declares, as JSON has it."""
    return {
        "name": game.name,
        "title": game.title,
        "source": game.source,
        "players": game.n_players,
        "actions": game.n_actions,
        "longest": game.max_moves,
        "kind": game.kind,
        "scores": list(game.score_range),
        "perfect_recall": game.perfect_recall,
        "options": [
            {
                "name": o.name,
                "value": o.word(game.values[o.name]),
                "default": o.word(o.default),
                "range": o.range,
                "meaning": o.meaning,
            }
            for o in game.options
        ],
        "presets": [
            {"name": p.name, "settings": {name: str(value) for name, value in p.settings.items()}, "meaning": p.meaning}
            for p in game.presets
        ],
    }
