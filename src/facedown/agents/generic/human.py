"""A person as an agent: shown a view in words, asked for a move in words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from facedown.agents.contract import Agent
from facedown.errors import FacedownError, UsageError
from facedown.games.contract import Game
from facedown.games.text import action_names, read_action
from facedown.native.records import Record

HUMAN = "human"
_FEW = 6
"""This many moves fit into the line that asks; more are listed one below the other."""
HELP = "Type a move: its name, the beginning of its name, or its number.  ? this help   quit leave the game"
"""What a person can always type; `commands` add to it."""


class LeftGameError(FacedownError):
    """The person left, or the input had no more lines."""


def human(game: Game, ask: Callable[[str], str] | None = None, say: Callable[[str], None] = print) -> Agent:
    """The agent that asks a person; `ask` gets the prompt and returns a line, `say` shows a line."""

    def act(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
        return ask_move(game, view, [int(action) for action in actions[:n]], ask, say)

    return Agent(name=HUMAN, meaning="a person at the terminal", act=act, compiled=False)


def is_human(agent: Agent) -> bool:
    """Whether it stands for a person; agents of other files may have the name too."""
    return agent.name == HUMAN and not agent.origin


def ask_move(
    game: Game,
    view: Record,
    legal: list[int],
    ask: Callable[[str], str] | None = None,
    say: Callable[[str], None] = print,
    commands: Mapping[str, Callable[[], str]] | None = None,
    width: int = 0,
) -> int:
    """Show a view and ask for a move, until one is legal.

    commands  what else can be typed, and what is said then; "?" is said after the help
    width     a prompt that is longer becomes a list; 0: however long
    """
    ask, commands = ask or _ask_terminal, commands or {}
    names = action_names(game, view, legal)
    few = len(names) <= _FEW and not 0 < width < len(names) * 5 + len("".join(names.values())) + 20
    listing = ("   " if few else "\n").join(
        f"{action} {name}" if few else f"{action:4} {name}" for action, name in names.items()
    )
    say("")
    say(game.describe(view))
    if not few:
        say(listing)
    while True:
        try:
            line = ask(f"Your move ({listing}): " if few else "Your move: ").strip()
        except EOFError:
            raise LeftGameError("the input ended before the game did") from None
        if line in {"quit", "exit", "q"}:
            raise LeftGameError("you left the game")
        if line in {"", "?", "help", "h"}:
            say(HELP)
            if "?" in commands:
                say(commands["?"]())
            continue
        if line in commands:
            say(commands[line]())
            continue
        try:
            return read_action(game, view, legal, line)
        except UsageError as problem:
            # a long list stands above already
            say(f"{problem if few else str(problem).partition('; legal:')[0]}. Type ? for help.")


def _ask_terminal(prompt: str) -> str:
    """Read a line; where the input is not a terminal, show what was read, so that a log makes sense."""
    if sys.stdin.isatty():
        return input(prompt)
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        print()
        raise EOFError
    print(line.rstrip("\n"))
    return line
