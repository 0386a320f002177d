"""All experiments of a lab: those that ran when it was closed go on."""

from __future__ import annotations

import threading
import time
from typing import Any

from facedown.errors import UsageError, unknown
from facedown.web.analyses import Paper, Solve
from facedown.web.experiments import League, Match, Race
from facedown.web.lab import Lab, new_id, read_facts
from facedown.web.run import PAUSED, RUNNING, STOPPED, Run

MAX_RUNNING = 4
_MAX_RUNS = 2_000
KINDS: dict[str, type[Run]] = {kind.kind: kind for kind in (Race, Match, League, Solve, Paper)}


class Runs:
    """The experiments, by name."""

    def __init__(self, lab: Lab):
        self.lab, self._lock = lab, threading.RLock()
        self._runs: dict[str, Run] = {}
        for identity in reversed(lab.listed("runs")):
            try:
                facts = read_facts(lab.place("runs", identity) / "run.json")
                run = self._runs[identity] = KINDS[facts["kind"]](lab, identity, facts)
                if run.status == RUNNING:
                    run.start()
            except (UsageError, KeyError):
                continue

    def new(self, kind: str, **asked: Any) -> Run:
        """Begin an experiment, after checking all that can be checked."""
        if kind not in KINDS:
            raise unknown("kind of experiment", kind[:40], KINDS)
        facts = KINDS[kind].ask(self.lab, asked) | {"kind": kind, "status": PAUSED, "made": time.time()}
        with self._lock:
            self._check_room()
            if len(self._runs) >= _MAX_RUNS:
                raise UsageError(f"there are {_MAX_RUNS:,} experiments; delete some of {self.lab.folder / 'runs'}")
            identity = new_id()
            self.lab.place("runs", identity).mkdir(mode=0o700)
            run = self._runs[identity] = KINDS[kind](self.lab, identity, facts)
            run.start()
        return run

    def resume(self, run: Run) -> None:
        """Go on with one that was paused or stopped."""
        with self._lock:
            self._check_room(run)
            if run.status in {PAUSED, STOPPED}:
                run.start()

    def _check_room(self, besides: Run | None = None) -> None:
        if sum(run.status == RUNNING for run in self._runs.values() if run is not besides) >= MAX_RUNNING:
            raise UsageError(f"{MAX_RUNNING} experiments are running; stop one first")

    def at(self, identity: str) -> Run:
        """The experiment of this name."""
        if identity not in self._runs:
            raise LookupError("there is no such experiment here")
        return self._runs[identity]

    def listed(self, count: int = 12, *kinds: str) -> list[Run]:
        """The newest first; of some kinds, or of all."""
        return [run for run in reversed(list(self._runs.values())) if not kinds or run.kind in kinds][:count]

    def close(self) -> None:
        """Leave all of them where they are."""
        for run in self._runs.values():
            run.leave()
