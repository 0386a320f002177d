"""Ctrl-C: a match stops soon, cleanly, and with the games that were finished."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import facedown as fd
from facedown.arena.lineup import Lineup
from facedown.arena.match import Task, _tasks
from facedown.errors import Interrupted
from facedown.native.jit import COMPILED
from facedown.progress import Progress

# far more than can be finished while the test waits
GAMES = 10**10 if COMPILED else 200_000
SMALL = 64  # games a task without the compiler

PROGRAM = """
import json, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started in the background ignores it
import facedown as fd
from facedown.arena import match
from facedown.errors import Interrupted

games, small, kind = json.loads(sys.argv[1])
match.MAX_GAMES_IN_A_TASK = small
first = [True]

def told(step):
    if first and first.pop():
        print("playing", flush=True)

def slow(view, actions, n, params, memory, chance):
    time.sleep(0.001)
    return 0

agent = fd.Agent(name="slow", meaning="", act=slow, compiled=False) if kind == "python" else "uniform"
try:
    fd.match("kuhn", [agent, "uniform"], games=games, seed=1, threads=2, progress=told)
except Interrupted as stop:
    print(json.dumps([str(stop), stop.exit_code, stop.result.to_dict()]), flush=True)
"""


def interrupted(kind: str) -> tuple[str, int, dict[str, Any], float]:
    """Start a match in a process of its own, press Ctrl-C once it plays, and hear what it says and how long it takes."""
    small = 65536 if COMPILED else SMALL
    command = [sys.executable, "-c", PROGRAM, json.dumps([GAMES, small, kind])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "playing\n"
            pressed = time.perf_counter()
            process.send_signal(signal.SIGINT)
            said, problems = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0, problems
    assert "Traceback" not in problems
    message, exit_code, figures = json.loads(said)
    return message, exit_code, figures, time.perf_counter() - pressed


@pytest.mark.parametrize("kind", ["compiled", "python"])
def test_ctrl_c_stops_cleanly_with_what_was_finished(kind: str) -> None:
    message, exit_code, figures, seconds = interrupted(kind)
    assert exit_code == 130
    assert figures["interrupted"] is True
    assert 0 < figures["games"] < GAMES
    assert message == f"interrupted after {figures['games']:,} games"
    assert seconds < 30  # a machine under load takes its time, but no agent plays on for minutes
    if kind == "compiled" and figures["games"] < 10_000_000:
        again = fd.match("kuhn", ["uniform", "uniform"], games=figures["games"], seed=1)
        assert list(again.wins) == figures["wins"]
        assert list(again.mean) == pytest.approx(figures["mean"])


def interrupt_after(n_tasks: int, **named: Any) -> Interrupted:
    left = [n_tasks]

    def press(step: Progress) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        fd.match("kuhn", ["uniform", "uniform"], games=640, seed=1, progress=press, **named)
    return caught.value


@pytest.mark.parametrize("n_tasks", [1, 5])
def test_the_figures_are_those_of_the_finished_games(n_tasks: int) -> None:
    stop = interrupt_after(n_tasks, keep=True)
    result = stop.result
    assert result.interrupted
    assert result.games == 10 * n_tasks
    assert len(result.batch.scores) == result.games
    shorter = fd.match("kuhn", ["uniform", "uniform"], games=result.games, seed=1, keep=True)
    assert result.batch.scores.tolist() == shorter.batch.scores.tolist()  # type: ignore[union-attr]
    assert (result.wins, result.draws) == (shorter.wins, shorter.draws)
    assert result.repeat == shorter.repeat


def test_it_is_a_keyboard_interrupt_to_all_who_do_not_know_better() -> None:
    stop = interrupt_after(1)
    assert isinstance(stop, KeyboardInterrupt)
    assert not isinstance(stop, Exception)
    assert stop.exit_code == 130


def test_before_any_game_was_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    def press(*arguments: Any) -> Iterator[Task]:
        yield from ()
        raise KeyboardInterrupt

    monkeypatch.setattr("facedown.arena.match._tasks", press)
    with pytest.raises(Interrupted, match="interrupted before any game was finished") as caught:
        fd.match("kuhn", ["uniform", "uniform"], games=640, seed=1)
    assert caught.value.result is None


def test_tasks_of_agents_in_python_are_short() -> None:
    slow = fd.Agent(name="slow", meaning="", act=lambda *given: 0, compiled=False)
    sizes = {task.count for task in _tasks(Lineup("kuhn", [slow, "uniform"]), 1, 10**6, False)}
    assert max(sizes) <= 100


def test_no_thread_is_left_behind() -> None:
    interrupt_after(2, threads=2)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("facedown")]
