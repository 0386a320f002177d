"""An experiment under way, in a thread of its own: it can be paused, stopped and gone on with, and pages can listen to it.

What kinds there are, `experiments` and `analyses` say; each run is kept in a folder of the lab, and those that ran when the
server was closed go on when it comes back, whatever closed it.
"""

from __future__ import annotations

import json
import math
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from facedown.errors import FacedownError
from facedown.native.jit import prepare_thread
from facedown.progress import Progress
from facedown.web.lab import Lab, write_facts
from facedown.web.listeners import Listeners

SHOWN_EVERY = 0.2
"""Seconds between two looks at an experiment."""
RUNNING, PAUSED, STOPPED, DONE, FAILED = "running", "paused", "stopped", "done", "failed"
_VERBS = {RUNNING: ["pause", "stop"], PAUSED: ["resume", "stop"], STOPPED: ["resume"]}
_POINTS = "points.jsonl"
BEGINS = "It begins: the first time, the game and the agents are turned into machine code."


class Run:
    """One experiment; its kind is a class below this one."""

    kind = ""
    n_figures = 0
    """How many numbers a point of its curve has; 0: there is none."""

    def __init__(self, lab: Lab, identity: str, facts: dict[str, Any]):
        self.lab, self.id, self.facts = lab, identity, facts
        self.folder = lab.place("runs", identity)
        self.points: list[tuple[float, ...]] = _read_points(self.folder / _POINTS, self.n_figures)
        self.words = str(facts.get("words", ""))
        self.fraction = 0.0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._go, self._wanted, self._again = threading.Event(), RUNNING, False
        self.listeners = Listeners()
        self._shown, self._n_changes = 0.0, 0

    # --- what a kind says of itself -------------------------------------------------------------------------------------

    @classmethod
    def ask(cls, lab: Lab, asked: dict[str, Any]) -> dict[str, Any]:
        """What is asked for, checked as far as it can be without beginning."""
        raise NotImplementedError

    def work(self) -> None:
        """Do it, or go on with it, as long as `may_go_on` says so."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        """What is done with what."""
        raise NotImplementedError

    @property
    def sentence(self) -> str:
        """What is known, in one sentence."""
        raise NotImplementedError

    @property
    def shown(self) -> dict[str, Any]:
        """What the page of this kind needs besides."""
        return {}

    # --- what is known --------------------------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        """Running, paused, stopped, done or failed."""
        return str(self.facts["status"])

    @property
    def verbs(self) -> list[str]:
        """What can be done with it now."""
        return _VERBS.get(self.status, [])

    @property
    def result(self) -> dict[str, Any] | None:
        """The figures so far."""
        found: dict[str, Any] | None = self.facts.get("result")
        return found

    @property
    def moment(self) -> str:
        """A stamp that changes with what there is to see."""
        return f"{self.status}-{len(self.points)}-{self._n_changes}"

    def keep(self) -> None:
        """Write down how it stands."""
        write_facts(self.folder / "run.json", self.facts)

    # --- steering -------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin, or go on."""
        with self._lock:
            self._again = self._thread is not None and self._wanted == STOPPED  # who is about to stop begins again
            self.facts["status"], self._wanted = RUNNING, RUNNING
            self._go.set()
            self.keep()
            if self._thread is None:
                self._thread = threading.Thread(target=self._live, name=f"facedown-run-{self.id}", daemon=True)
                self._thread.start()
        self.changed()

    def pause(self) -> None:
        """Wait at the next opportunity."""
        if self.status == RUNNING:
            self.facts["status"] = PAUSED
            self._go.clear()
            self.keep()
            self.changed()

    def stop(self) -> None:
        """End it; it can be gone on with all the same."""
        if self.status in {RUNNING, PAUSED}:
            self._wanted, self.facts["status"] = STOPPED, STOPPED
            self._go.set()
            self.keep()
            self.changed()

    def leave(self) -> None:
        """The server closes: what runs will run again when it comes back."""
        self._wanted = STOPPED
        self._go.set()
        thread = self._thread
        if thread is not None:
            thread.join(timeout=2)

    def may_go_on(self) -> bool:
        """Waits while it is paused."""
        self._go.wait()
        return self._wanted == RUNNING

    def hear(self, progress: Progress) -> None:
        """Called by the work now and then; a run that was stopped ends as if by Ctrl-C."""
        if not self.may_go_on():
            raise KeyboardInterrupt
        self.words, self.fraction = progress.words, progress.fraction
        self.look(progress)
        if self.due():
            self.changed()

    def look(self, progress: Progress) -> None:
        """What a kind makes of it."""

    def due(self) -> bool:
        """Whether it is time to show something again."""
        if time.monotonic() - self._shown < SHOWN_EVERY:
            return False
        self._shown = time.monotonic()
        return True

    def add_point(self, point: tuple[float, ...]) -> None:
        """Another point of the curve, further on than the last."""
        if not self.points or point[0] > self.points[-1][0]:
            self.points.append(point)
            with (self.folder / _POINTS).open("a") as stream:
                stream.write(json.dumps(point) + "\n")

    def _live(self) -> None:
        prepare_thread()
        while True:
            self._try()
            with self._lock:
                if not self._again or self.status != RUNNING:
                    self._thread = None
                    return
                self._again = False

    def _try(self) -> None:
        try:
            self.work()
        except KeyboardInterrupt:
            pass
        except FacedownError as problem:
            self.words, self.facts["status"] = str(problem), FAILED
        except Exception as problem:
            traceback.print_exception(problem, file=sys.stderr)
            self.words, self.facts["status"] = "Something went wrong; the terminal in which the lab runs says what.", FAILED
        self.facts["words"] = self.words
        self.keep()
        self.changed()

    def changed(self) -> None:
        """Tell everybody to look."""
        self._n_changes += 1
        self.listeners.tell()


def _read_points(path: Path, n_figures: int) -> list[tuple[float, ...]]:
    """A curve that was kept; a line that was cut off by a crash is passed over."""
    found: list[tuple[float, ...]] = []
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            point = tuple(json.loads(line))
            if len(point) == n_figures and all(math.isfinite(figure) for figure in point):
                found.append(point)
        except (ValueError, TypeError):
            continue
    return found
