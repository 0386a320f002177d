"""Learning by play: `learn` runs the course of an agent, round by round, and keeps it in a file that can be gone on with."""

from __future__ import annotations

import importlib
import io
import json
import time
import zipfile
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from facedown import plugins
from facedown.errors import Interrupted, UsageError, unknown
from facedown.files import place_for, user_path, write_whole
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import check_seed, whole_number
from facedown.pages import facts
from facedown.progress import Callback, Reporter

_LEARNERS = {
    ("cant_stop", "turn_exact"): "facedown.learning.cant_stop",
    ("hanabi", "reinforced2"): "facedown.learning.hanabi_reinforced",
    ("hanabi", "reinforced4"): "facedown.learning.hanabi_reinforced",
}
"""By game and agent: the module with its `Course`, named here so that none is loaded before it is asked for."""
_BY_PLAYERS = {("hanabi", "reinforced"): ("reinforced2", "reinforced4")}
"""Names that mean one agent with two players and another one with more."""
MAX_GAMES = 10_000_000
SCHEMA = "facedown.learn/1"


class Course(Protocol):
    """What a learner offers. `begin(game, games, seed)` and `from_arrays(arrays)` make one."""

    history: list[dict[str, float]]
    """Facts on each round that is over."""
    round: int
    rounds: int

    @property
    def finished(self) -> bool: ...

    def next_round(self, report: Any) -> None:
        """Play and learn; `report(part, words)` tells how much of the round is done."""

    def arrays(self) -> dict[str, Any]:
        """All that the next round needs; when it is finished, all that the agent needs."""


@dataclass(frozen=True)
class LearnResult:
    """What was learnt, and how."""

    game: str
    agent: str
    games: int
    seed: int
    file: str
    seconds: float
    repeat: str
    """The command that learns the same again."""
    history: tuple[dict[str, float], ...] = field(repr=False)
    """Facts on each round."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        size = user_path(self.file).stat().st_size
        told = {"schema": SCHEMA, **facts(self, "game agent games seed file"), "bytes": size}
        return {**told, **facts(self, "seconds repeat"), "rounds": [*self.history]}

    def __repr__(self) -> str:
        return (
            f"{self.game}: {self.agent} learnt from {self.games:,} games (seed {self.seed}, {self.seconds:.1f} s), "
            f"in {self.file}; play it as {self.agent}({self.file})"
        )

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"


def learn(
    game: str | Game,
    agent: str,
    *,
    games: int,
    save: str | Path | None = None,
    seed: int | None = 1,
    progress: Callback | None = None,
) -> LearnResult:
    """Let an agent learn from games of its own, and save what it has learnt; the same seed gives the same.

    The file, AGENT.npz in the current directory if none is named, is written after every round. If it is there already and
    holds an unfinished run with the same settings, the run goes on where it stopped; Ctrl-C loses the round under way.
    """
    found, seed = find_game(game), check_seed(seed)
    two, more = _BY_PLAYERS.get((found.name, agent), (agent, agent))
    agent = two if found.n_players == 2 else more
    games = whole_number("games", games, 100, MAX_GAMES, "fewer teach nothing")
    module = _learner(found, agent)
    save = f"{agent}.npz" if save is None else save
    path = place_for(save, f"cannot save to '{save}'")
    settings = {"game": found.spec, "agent": agent, "games": games, "seed": seed}
    started = time.perf_counter()
    kept = _kept(path, settings)
    course = module.Course.from_arrays(kept) if kept else module.Course.begin(found, games, seed)
    reporter = Reporter(progress, course.rounds, "rounds")
    try:
        while not course.finished:
            course.next_round(lambda part, words: reporter(course.round + 0.99 * part, words))
            _write(path, course, settings)
    except KeyboardInterrupt as stopped:
        raise Interrupted(
            f"stopped after round {course.round} of {course.rounds}; the same command goes on from {save}"
        ) from stopped
    words = ["facedown", "learn", found.spec, agent, "--games", str(games), "--seed", str(seed), "--save", str(save)]
    repeat, seconds = plugins.command(*words), time.perf_counter() - started
    return LearnResult(found.spec, agent, games, seed, str(save), seconds, repeat, tuple(course.history))


def _learner(game: Game, agent: str) -> Any:
    """The module that teaches an agent of a game."""
    key = (game.name, agent)
    if game.origin or key not in _LEARNERS:
        known = [f"{name} {learner}" for name, learner in _LEARNERS]
        raise unknown("learner", f"{game.name} {agent}", known, "Tables are learnt with `facedown train`.")
    return importlib.import_module(_LEARNERS[key])


def _write(path: Path, course: Course, settings: dict[str, Any]) -> None:
    content = io.BytesIO()
    np.savez_compressed(content, settings=np.array(json.dumps(settings)), **course.arrays())
    write_whole(path, content.getvalue())


def _kept(path: Path, settings: dict[str, Any]) -> dict[str, Any] | None:
    """What an earlier run left in the file, or None where there is none; an error where it is something else."""
    if not path.exists():
        return None
    try:
        with np.load(path) as arrays:
            found = {name: arrays[name] for name in arrays.files}
        there = json.loads(str(found.pop("settings")))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise UsageError(
            f"'{path}' is there already and holds nothing that was learnt; name another file with --save"
        ) from None
    if there != settings:
        raise UsageError(f"'{path}' holds another run ({_words(there)}); name another file with --save, or repeat that run")
    return found


def _words(settings: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items())
