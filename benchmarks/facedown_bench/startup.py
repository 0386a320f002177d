"""Start-up: how long a user waits for `--help`, for a first match that compiles, and for a match from the cache.

Every figure is the wall time of a whole process. The time of `python -c "import numba"` is measured in the same
rounds: it is what no program that uses the compiler can go below.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from facedown.errors import FacedownError
from facedown_bench.report import GameStart, StartUp

ROUNDS = 3
MATCH_GAMES = 1000

_IMPORT_NUMBA = (sys.executable, "-c", "import numba")
# what the console script does; the script itself may lie anywhere
_FACEDOWN = (sys.executable, "-c", "import sys; from facedown.cli.main import main; sys.argv[0] = 'facedown'; sys.exit(main())")


def wall_seconds(command: Sequence[str], cache: Path) -> float:
    """The time that a command takes from start to end, with its machine code in this directory."""
    environment = os.environ | {"FACEDOWN_CACHE": str(cache)}
    started = time.perf_counter()
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode:
        words = " ".join(["facedown", *command[len(_FACEDOWN) :]] if command[:3] == _FACEDOWN else command)
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise FacedownError(f"'{words}' failed while its time was taken (exit code {done.returncode}): {last}")
    return seconds


def match_command(game: str, players: int) -> tuple[str, ...]:
    """A short match, as typed."""
    return (*_FACEDOWN, "match", game, *["uniform"] * players, "--games", str(MATCH_GAMES), "--seed", "1")


def measure(games: Sequence[tuple[str, str, int]], rounds: int, progress: Callable[[str], None]) -> StartUp:
    """Time all commands, for games given as (title, spec, players): first from empty caches, then in rounds."""
    numba, helps = [], []
    warm: list[list[float]] = [[] for _ in games]
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as directory:
        caches = [Path(directory, str(number)) for number in range(len(games))]
        commands = [match_command(spec, players) for _, spec, players in games]
        cold = []
        for (title, _, _), command, cache in zip(games, commands, caches, strict=True):
            progress(f"{title}: first start, with an empty cache")
            cold.append(wall_seconds(command, cache))
        for number in range(rounds):
            progress(f"start-up, round {number + 1} of {rounds}")
            numba.append(wall_seconds(_IMPORT_NUMBA, Path(directory)))
            helps.append(wall_seconds((*_FACEDOWN, "--help"), Path(directory)))
            for seconds, command, cache in zip(warm, commands, caches, strict=True):
                seconds.append(wall_seconds(command, cache))
    starts = [GameStart(game[0], first, tuple(seconds)) for game, first, seconds in zip(games, cold, warm, strict=True)]
    return StartUp(tuple(numba), tuple(helps), tuple(starts))


def steps(games: int, rounds: int) -> int:
    """How often `measure` reports progress."""
    return games + rounds
