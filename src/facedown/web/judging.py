"""Looking back takes seconds: it is done once for each seat of a finished game, one after the other, and kept in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from facedown.arena.hindsight import Hindsight, look_back
from facedown.arena.transcript import Transcript
from facedown.errors import FacedownError
from facedown.native.jit import prepare_thread
from facedown.progress import Progress

MAX_KEPT = 200


class Work:
    """One look back: under way, or done."""

    def __init__(self) -> None:
        self.result: Hindsight | None = None
        self.problem, self.words = "", "waiting"

    def run(self, transcript: Transcript, seat: int, judge: str) -> None:
        """Do it; in a thread of its own."""
        prepare_thread()
        try:
            self.result = look_back(transcript, seat, judge, progress=self._told)
        except FacedownError as problem:
            self.problem = str(problem)

    def _told(self, progress: Progress) -> None:
        self.words = progress.words


class Judging:
    """All looks back of a lab."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], Work] = OrderedDict()
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, "facedown-judge")

    def work(self, table: str, seat: int, transcript: Transcript, judge: str) -> Work:
        """The look back at a seat of a table, begun if it was not."""
        with self._lock:
            found = self._kept.get((table, seat))
            if found is None:
                found = self._kept[table, seat] = Work()
                self._worker.submit(found.run, transcript, seat, judge)
                if len(self._kept) > MAX_KEPT:
                    self._kept.popitem(last=False)
            return found

    def close(self) -> None:
        """Begin nothing more."""
        self._worker.shutdown(wait=False, cancel_futures=True)
