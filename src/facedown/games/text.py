"""Words between a game and a person: its rules, its moves by name, and which move a typed text means."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence

from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.native.records import Record


def action_names(game: Game, view: Record, legal: Sequence[int]) -> dict[int, str]:
    """The legal actions in words."""
    return {action: game.action_name(view, action) for action in legal}


def rules_text(game: Game) -> str:
    """How a game is played, in its own words or in those of the file that holds the rules."""
    if game.rules:
        return inspect.cleandoc(game.rules)
    python = getattr(game.start, "py_func", game.start)
    return inspect.cleandoc(sys.modules[python.__module__].__doc__ or game.title)


def read_action(game: Game, view: Record, legal: Sequence[int], text: str) -> int:
    """The legal action that a text means, or an error that lists the legal ones."""
    names = action_names(game, view, legal)
    typed = " ".join(text.lower().split())
    if game.parse_action is not None:
        parsed = game.parse_action(view, typed)
        if parsed is not None and parsed in names:
            return parsed
    exact = [action for action, name in names.items() if name.lower() == typed]
    begun = [action for action, name in names.items() if typed and name.lower().startswith(typed)]
    if typed.isdigit() and int(typed) in names and not exact:
        return int(typed)
    for found in (exact, begun):
        if len(found) == 1:
            return found[0]
    listing = ", ".join(f"{name} ({action})" for action, name in names.items())
    problem = f"'{text.strip()}' could be {' or '.join(names[a] for a in begun)}" if begun else f"cannot play '{text.strip()}'"
    raise UsageError(f"{problem}; legal: {listing}")
