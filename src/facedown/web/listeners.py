"""Pages that listen: they are told, in a stream of events, when there is something new to see."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from fastapi.responses import StreamingResponse

from facedown.errors import UsageError

MAX_LISTENERS = 64
_ALIVE = 15.0
"""Seconds after which a silent stream says that it is still there."""


class Listeners:
    """The pages that look at one table or experiment. They may be told from any thread."""

    def __init__(self) -> None:
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    def __len__(self) -> int:
        return len(self._waiting)

    def tell(self) -> None:
        """Let all of them look; what they see, each page finds out for itself."""
        for loop, event in list(self._waiting):
            loop.call_soon_threadsafe(event.set)

    def stream(self, moment: Callable[[], str], pause: float = 0.0) -> StreamingResponse:
        """One more page: a stream that gives the stamp of the moment whenever it is another one, and nothing else.

        Where much happens at once, `pause` is how many seconds a page waits before it looks again.
        """
        if len(self) >= MAX_LISTENERS:
            raise UsageError(f"{MAX_LISTENERS} pages look at this already; close one")
        waiting = asyncio.get_running_loop(), asyncio.Event()
        self._waiting.add(waiting)
        return StreamingResponse(self._moments(*waiting, moment, pause), media_type="text/event-stream")

    async def _moments(
        self, loop: asyncio.AbstractEventLoop, event: asyncio.Event, moment: Callable[[], str], pause: float
    ) -> AsyncIterator[str]:
        told = ""
        try:
            while True:
                event.clear()
                now = moment()
                if now != told:
                    told = now
                    yield f"event: moment\ndata: {now}\n\n"
                try:
                    await asyncio.wait_for(event.wait(), _ALIVE)
                    await asyncio.sleep(pause)
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._waiting.discard((loop, event))
