"""Which games there are, and how `kuhn(players=3)` becomes one."""

from __future__ import annotations

import dataclasses
import importlib
from typing import TYPE_CHECKING, Any

from facedown import plugins, specs
from facedown.errors import FacedownError, UsageError, unknown

if TYPE_CHECKING:
    from facedown.games.contract import Game

GROUP = "facedown.games"

# Named here rather than found on disk, so that a listing of names needs no game to be imported.
BUILT_IN = {
    "cant_stop": "facedown.games.cant_stop.game",
    "domino": "facedown.games.domino.game",
    "goofspiel": "facedown.games.goofspiel.game",
    "hanabi": "facedown.games.hanabi.game",
    "kuhn": "facedown.games.kuhn",
    "leduc": "facedown.games.leduc",
    "love_letter": "facedown.games.love_letter.game",
    "rrrats": "facedown.games.rrrats",
    "war": "facedown.games.war",
}
# Games through other eyes, to learn policies with; found by name, but not listed among the games.
ABSTRACTIONS = {"love_letter_abstract": "facedown.games.love_letter.abstraction"}


def names() -> list[str]:
    """The names of all games that are installed."""
    return sorted({*BUILT_IN, *plugins.entry_points(GROUP)})


def check_name(spec: str) -> specs.Spec:
    """Read the text of a game and make sure that there is one of that name, without loading it."""
    read = specs.parse(spec)
    known = {**BUILT_IN, **ABSTRACTIONS}
    if read.name not in known and not plugins.is_path(read.name) and read.name not in plugins.entry_points(GROUP):
        raise unknown("game", read.name, names(), "A game in a file of your own is written ./mygame.py:GAME.")
    return read


def game(name: str | Game, **options: Any) -> Game:
    """The game of this name, with these options: `game("kuhn(players=3)")` or `game("kuhn", players=3)`."""
    from facedown.games.contract import Game

    if isinstance(name, Game):
        return name(**options) if options else name
    if not isinstance(name, str):
        raise UsageError(f"a game is a name or a Game, not {type(name).__name__}")
    read = check_name(name)
    found, origin = _load(read.name)
    if not isinstance(found, Game):
        raise UsageError(f"'{read.name}' is not a game: it is a {type(found).__name__}, not a facedown.Game")
    found = dataclasses.replace(found, origin=origin)
    twice = {key for key, _ in read.settings} & set(options)
    if twice:
        raise UsageError(f"'{sorted(twice)[0]}' is given twice, in '{name}' and beside it")
    if read.values and not found.presets:
        raise UsageError(f"cannot read '{name}': options have names, such as {read.name}(players=3)")
    return found(*read.values, **dict(read.settings), **options)


def _load(name: str) -> tuple[Any, str]:
    for known in (BUILT_IN, ABSTRACTIONS):
        if name in known:
            return importlib.import_module(known[name]).GAME, ""
    if plugins.is_path(name):
        found, _, origin = plugins.load_path(name, "GAME")
        return found, origin
    return plugins.load_entry(plugins.entry_points(GROUP)[name]), ""


def all_games() -> list[Game]:
    """Every installed game with its default options; broken plug-ins are reported and passed over."""
    found = []
    for name in names():
        try:
            found.append(game(name))
        except FacedownError as problem:
            plugins.warn(str(problem))
    return found
