"""What one socket is sent: a bounded queue and the one task that empties it.

Nobody who has something to say ever waits for a slow reader. A reader whose queue is full loses
it, and is brought up to date instead; one that falls behind again soon after is let go.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

__all__ = ["LAST_WORDS", "LONGEST", "PATIENCE", "Feed"]

LONGEST = 256
"""How many frames may wait."""

PATIENCE = 10.0
"""A reader that falls behind twice within so many seconds is let go."""

LAST_WORDS = 1.5
"""How many seconds a reader has to take what is queued, and the close code, at the end."""


class Feed:
    """The queue of one socket, for the thread of its event loop alone.

    `write` sends one frame, waiting while the network is busy; `close` sends a WebSocket close code
    with its reason; `abort` ends the connection at once. `behind` is called when the queue was
    dropped.
    """

    def __init__(
        self,
        write: Callable[[bytes], Awaitable[None]],
        close: Callable[[int, str], Awaitable[None]],
        abort: Callable[[], None],
        behind: Callable[[], None],
    ) -> None:
        self._write = write
        self._close = close
        self._abort = abort
        self._behind = behind
        self._loop = asyncio.get_running_loop()
        self._queue: OrderedDict[object, bytes] = OrderedDict()
        self._count = 0
        self._changed = asyncio.Event()
        self._dropped = -PATIENCE
        self._end: tuple[int, str] | None = None
        self._patience: asyncio.TimerHandle | None = None

    @property
    def ending(self) -> bool:
        """Whether the connection is being closed: nothing is queued any more."""
        return self._end is not None

    def send(self, frame: bytes, key: str | None = None) -> None:
        """Queue a frame; one that still waits under the same `key` is out of date and replaced."""
        if self._end is not None:
            return
        if key is None or key not in self._queue:
            if len(self._queue) >= LONGEST:
                self._overflow()
                return
            self._count += 1
        self._queue[self._count if key is None else key] = frame
        self._changed.set()

    def finish(self, code: int, reason: str = "") -> None:
        """Close when what is queued is sent; the first call decides."""
        if self._end is not None:
            return
        self._end = (code, reason)
        self._changed.set()
        self._patience = self._loop.call_later(LAST_WORDS, self._abort)

    def drop(self) -> None:
        """The connection is gone: nothing is sent any more."""
        self._end = self._end or (1006, "")
        self._queue.clear()
        if self._patience is not None:
            self._patience.cancel()

    async def run(self) -> None:
        """Send what is queued until the feed is finished, or `write` fails."""
        try:
            while True:
                while self._queue:
                    _, frame = self._queue.popitem(last=False)
                    await self._write(frame)
                if self._end is not None:
                    await self._close(*self._end)
                    return
                self._changed.clear()
                await self._changed.wait()
        finally:
            if self._patience is not None:
                self._patience.cancel()

    def _overflow(self) -> None:
        now = self._loop.time()
        soon = now - self._dropped < PATIENCE
        self._dropped = now
        self._queue.clear()
        if soon:
            self.finish(1013, "too slow")
        else:
            self._behind()
