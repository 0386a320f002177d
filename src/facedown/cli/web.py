"""`facedown web`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from facedown.errors import UsageError
from facedown.games.registry import game as find_game
from facedown.plugins import is_path


def web(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME...]", help="Games in files of your own, such as ./mygame.py:GAME.")
    ] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, metavar="P", help="The first free one if not given.")] = None,
    host: Annotated[
        str | None, typer.Option(metavar="H", help="Let other machines in at this address; they need the token it prints.")
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    folder: Annotated[str | None, typer.Option(metavar="DIR", help="Where tables and races are kept.")] = None,
) -> None:
    """Play and watch in a browser: a lab of pages on this machine."""
    check_installed()
    from facedown.web.serve import serve

    serve(games or [], port, host, not no_open, folder)


def check_installed() -> None:
    """Say what is missing in one line."""
    from importlib.util import find_spec

    missing = [name for name in ("fastapi", "uvicorn", "jinja2") if find_spec(name) is None]
    if missing:
        raise UsageError(f"the pages need {', '.join(missing)}; install them with: pip install 'facedown[web]'")


def watch(kind: str, game: str, agents: list[str], **how: Any) -> None:
    """Begin an experiment in the lab, and show its page; what is None is left to the lab."""
    check_installed()
    from facedown.web.serve import serve

    own = [game] if is_path(game.partition("(")[0]) else []
    asked = {name: value for name, value in how.items() if value is not None}
    spec = find_game(game).spec if own else game
    serve(own, begin=lambda runs: runs.new(kind, game=spec, agents=agents, **asked))
