"""The folder of the lab, and all that is in it: tables and runs, each in a folder of its own, named by chance.

tables/ID/table.json        who sits where, the secret links, the seed
tables/ID/game.transcript   the game, every move on disk before somebody is told of it
runs/ID/run.json            what was asked
runs/ID/race.journal        the race; runs/ID/points.jsonl: how its interval closed in
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from facedown.agents.generic.human import HUMAN
from facedown.errors import FacedownError, UsageError, unknown
from facedown.files import user_path, write_whole
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.games.registry import names as installed_games
from facedown.plugins import is_path

ID = re.compile(r"[a-z2-7]{12}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"

READ_FILES = frozenset({"table", "isolated"})
"""Agents that are made from a file, which no page may name."""
PARTNERS = {
    "cant_stop": "rule28",
    "goofspiel": "one_up",
    "hanabi": "trustful",
    "kuhn": "mcts",
    "leduc": "mcts",
    "domino": "mcts",
    "love_letter": "careful",
    "rrrats": "stationary",
    "war": "shuffled",
}
"""Who sits opposite where nothing is said; where there is no such agent, `uniform`."""


def default_folder() -> Path:
    """Where the lab is kept: FACEDOWN_LAB, or the user's own folder for data."""
    named = os.environ.get("FACEDOWN_LAB")
    if named:
        return user_path(named)
    import platformdirs

    return Path(platformdirs.user_data_dir("facedown")) / "lab"


def new_id() -> str:
    """A name that nobody has, and nobody guesses."""
    return "".join(secrets.choice(_LETTERS) for _ in range(12))


class Lab:
    """A folder, and the games that are offered there: those that are installed, and those that were named at the start."""

    def __init__(self, folder: str | Path, games: Iterable[str] = ()):
        self.folder = user_path(folder)
        for part in ("tables", "runs"):
            try:
                (self.folder / part).mkdir(parents=True, exist_ok=True)
            except OSError as problem:
                raise UsageError(f"the lab cannot be kept in '{self.folder}': {problem.strerror}; set FACEDOWN_LAB") from None
        self._own = {named: find_game(named) for named in games}
        self._installed = [name for name in installed_games() if name not in self._own]

    @property
    def games(self) -> list[Game]:
        """All games that can be played here, those named at the start first; broken plug-ins are left out."""
        found = list(self._own.values())
        for name in self._installed:
            try:
                found.append(find_game(name))
            except FacedownError:
                continue
        return found

    def game(self, spec: str) -> Game:
        """The game that a page asks for. A page can never name a file: only who started the server can."""
        name = spec.partition("(")[0]
        for game in self._own.values():
            if spec == game.spec:
                return game
            if name in {game.spec.partition("(")[0], game.name}:
                return find_game(game.origin + spec[len(name) :]) if game.origin else find_game(spec)
        if is_path(spec) or name not in self._installed:
            names = [*self._installed, *(game.name for game in self._own.values())]
            raise unknown("game of this lab", name[:80], names, "A game in a file is named when the lab is started.")
        return find_game(spec)

    def agent(self, game: Game, spec: str) -> str:
        """The agent that a page asks for, or a person; files are refused as for games."""
        from facedown.agents.registry import agent as find_agent

        if spec == HUMAN:
            return HUMAN
        beside = bool(game.origin) and spec.startswith(f"{game.origin.rpartition(':')[0]}:AGENTS.")
        if beside:  # in the game's own file, which was named when the lab was started
            return find_agent(spec, game).spec
        if spec.partition("(")[0].strip() in READ_FILES or re.search(r"[/\\]|\.py\b", spec):
            raise UsageError("agents are named, not given as files: a page cannot make the server read or run one")
        return find_agent(spec, game).spec

    def partner(self, game: Game) -> str:
        """Somebody sensible to play with."""
        from facedown.agents.registry import agents_for

        wanted = PARTNERS.get(game.name, "mcts") if not game.origin else "mcts"
        return wanted if wanted in agents_for(game) else "uniform"

    def place(self, kind: str, identity: str) -> Path:
        """The folder of a table or of a run; names that are no names never reach the disk."""
        if not ID.fullmatch(identity):
            raise UsageError(f"'{identity[:40]}' is no name of one of the {kind}")
        return self.folder / kind / identity

    def listed(self, kind: str) -> list[str]:
        """The names of all tables or runs, the newest first."""
        found = [path for path in (self.folder / kind).iterdir() if ID.fullmatch(path.name) and path.is_dir()]
        return [path.name for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)]


def write_facts(path: Path, facts: dict[str, Any]) -> None:
    """Keep what is known of a table or a run; readable for its owner only, since seats are secrets."""
    write_whole(path, json.dumps(facts, ensure_ascii=False, indent=1) + "\n")
    path.chmod(0o600)


def read_facts(path: Path) -> dict[str, Any]:
    """What was kept."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise UsageError(f"{path} cannot be read ({type(problem).__name__}); the lab goes on without it") from None
    if not isinstance(found, dict):
        raise UsageError(f"{path} holds no table; the lab goes on without it")
    return found
