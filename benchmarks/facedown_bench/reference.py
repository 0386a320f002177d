"""The reference loop: the same rules and the same loop as plain Python, without the compiler, in a process of its own.

A game that no peer has is measured against it. The process is asked for one lap after another, so that its laps lie
between ours: one line of JSON a lap goes in, one comes out.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

from facedown.errors import FacedownError
from facedown_bench.laps import Lap

_HERE = str(Path(__file__).resolve().parents[1])
_CHILD = f"import sys; sys.path.insert(0, {_HERE!r}); from facedown_bench.reference import serve; serve()"


class Reference:
    """Plays games uncompiled; the process starts when it is first asked, and ends with the `with` block."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._next: dict[str, int] = {}

    def __enter__(self) -> Reference:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()  # it holds nothing, and may be in the middle of a long game
            self._process.communicate()
            self._process = None

    def play(self, game: str, agents: tuple[str, ...], games: int) -> Lap:
        """Play this many games, others than before."""
        first = self._next.get(game, 0)
        self._next[game] = first + games
        answer = self._ask({"game": game, "agents": agents, "first": first, "games": games})
        if "problem" in answer:
            raise FacedownError(f"the plain-Python reference cannot play {game}: {answer['problem']}")
        return Lap(games, float(answer["seconds"]), int(answer["moves"]))

    def _ask(self, question: dict[str, str | int | tuple[str, ...]]) -> dict[str, str | float]:
        process = self._process = self._process or self._start()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise FacedownError(f"the plain-Python reference ended by itself with exit code {process.wait()}")
        return json.loads(line)  # type: ignore[no-any-return]

    @staticmethod
    def _start() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", _CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        )


def serve() -> None:
    """The other end: read questions from stdin until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks
    answers, sys.stdout = sys.stdout, sys.stderr  # a game that prints must not garble the answers
    for line in sys.stdin:
        try:
            answer = _play(**json.loads(line))
        except FacedownError as problem:
            answer = {"problem": str(problem)}
        print(json.dumps(answer), file=answers, flush=True)


def _play(game: str, agents: list[str], first: int, games: int) -> dict[str, str | float]:
    from facedown.arena.lineup import lineup_from_specs
    from facedown.arena.match import Task, run_task

    seats = tuple(agents)
    lineup = lineup_from_specs(game, seats, False)
    started = time.thread_time()
    finished = run_task(Task(game, seats, False, 1, first, games), lineup)
    return {"seconds": time.thread_time() - started, "moves": int(finished.tally.counts[0])}
