"""Whether another process would find this very game and these very agents by their names, and in the same sources.

Nothing but names is sent elsewhere. A game or an agent in a file of the user's is looked for under the same path there, as on
a shared disk; its digest, and that of this package, say whether it is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.errors import FacedownError, UsageError
from facedown.files import digest
from facedown.games.contract import NATIVE_FUNCTIONS, Game
from facedown.games.registry import game as find_game

Source = tuple[str, str]
"""The path of a file, and its digest; an empty path stands for this package."""

_loaded: dict[str, str] = {}
"""By path, the digest of the source that this process plays."""

_ONLY_HERE = "is known to this process only; put it into a file and name it"


def check_portable(game: Game, agents: Iterable[Agent]) -> tuple[Source, ...]:
    """Make sure that another process will find this very game and these very agents by their names; the sources of them all."""
    agents = list(agents)
    if not all(agent.compiled for agent in agents):
        raise UsageError("an executor can only play agents that are compiled")
    if problem := only_here(game, agents):
        raise UsageError(problem)
    paths = [origin.rpartition(".py:")[0] + ".py" if ".py:" in origin else origin for origin in _origins(game, agents)]
    return (("", package_digest()), *((path, _file_digest(path)) for path in sorted(set(paths))))


def _origins(game: Game, agents: Iterable[Agent]) -> list[str]:
    origins = [game.origin, *(agent.origin for agent in agents)]
    return [origin for origin in origins if Path(origin).is_absolute()]


@lru_cache(maxsize=16)
def check_sources(sources: tuple[Source, ...]) -> None:
    """Refuse to play where the sources are other ones than those that the tasks were cut from."""
    import socket

    for path, wanted in sources:
        name = path or "Facedown"
        if not path:
            found = package_digest()
        elif Path(path).is_file():
            found = _file_digest(path)
        else:
            raise FacedownError(
                f"{name} is not there on worker {socket.gethostname()}; put it on a disk that all of them share"
            )
        if found != wanted:
            raise FacedownError(f"{name} is another version on worker {socket.gethostname()}; give all of them the same one")
        if _loaded.setdefault(path, wanted) != wanted:  # Python keeps a module that it has loaded, whatever becomes of its file
            raise FacedownError(f"{name} was changed after worker {socket.gethostname()} had loaded it; start the workers anew")


@cache
def package_digest() -> str:
    """The digest of all sources of this package."""
    root = Path(__file__).parents[1]
    files = sorted(root.rglob("*.py"))
    return digest(*(part for file in files for part in (str(file.relative_to(root)).encode(), file.read_bytes())))


def _file_digest(path: str) -> str:
    return digest(Path(path).read_bytes())


def only_here(game: Game, agents: Iterable[Agent] = ()) -> str:
    """A sentence on the first of them that was made in this process and nowhere else; empty if all can be found again."""
    try:
        found = find_game(game.spec)
    except UsageError:
        found = None
    if found is None or not all(_same(getattr(found, name), getattr(game, name)) for name in NATIVE_FUNCTIONS):
        return f"{game.name} {_ONLY_HERE} ./file.py:GAME"
    return next((sentence for agent in agents if (sentence := _agent_only_here(agent, found))), "")


def _agent_only_here(agent: Agent, game: Game) -> str:
    if agent.file:
        return ""  # its spec has the digest of the file in it
    try:
        found = find_agent(agent.spec, game)
    except UsageError:
        found = None
    if found is None and agent.table is not None:
        return f"the table of agent {agent.name} was never saved; save its policy and name the file: table(FILE)"
    if found is None or not _same(found.act, agent.act) or not _same(found.watch, agent.watch):
        return f"agent {agent.name} {_ONLY_HERE} ./file.py:AGENT"
    return ""


def _same(one: Callable[..., Any] | None, other: Callable[..., Any] | None) -> bool:
    """Whether two functions were written in the same place; agents such as `human` are made anew whenever they are named."""
    return one is other or (one is not None and other is not None and _code(one) is _code(other))


def _code(function: Callable[..., Any]) -> Any:
    python = getattr(function, "py_func", function)
    return getattr(python, "__code__", python)
