"""Ctrl-C and native work: it waits for the end of a native call by itself, and must wait in plain Python too."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from facedown.native.jit import COMPILED


@contextlib.contextmanager
def undivided() -> Iterator[None]:
    """Work that is one native call: an interruption is raised behind it.

    In plain Python it could come between two lines of that call, and leave tables that are changed by half.
    """
    if COMPILED or threading.current_thread() is not threading.main_thread():  # other threads are never interrupted
        yield
        return
    heard: list[int] = []

    def wait(number: int, frame: FrameType | None) -> None:
        heard.append(number)

    before = signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        signal.raise_signal(signal.SIGINT)
