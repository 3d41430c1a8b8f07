"""Work in the background: tasks that are waited for at the end, and work that comes round."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from kingme.errors import KingmeError, Unavailable
from kingme.web.live.deadlines import Handle, Later

__all__ = ["Repeat", "Tasks"]

Answer = TypeVar("Answer")

log = logging.getLogger(__name__)


class Tasks:
    """Tasks that nobody has to wait for; what is turned down is left at that, failures are told."""

    def __init__(self) -> None:
        self._all: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Begin a task."""
        task = asyncio.ensure_future(work)
        self._all.add(task)
        task.add_done_callback(self._ended)
        return task

    async def settle(self, seconds: float) -> None:
        """Wait for so many seconds at most until all are done."""
        if self._all:
            await asyncio.wait(self._all, timeout=seconds)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._all.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, KingmeError):
            log.error("a task failed", exc_info=error)


class Repeat:
    """Work that is done again and again, `seconds` after it was last finished."""

    def __init__(self, work: Callable[[], Awaitable[object]], seconds: float, later: Later) -> None:
        self._work, self._seconds, self._later = work, seconds, later
        self._timer: Handle | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    def start(self) -> None:
        """Begin: the first time comes after `seconds` too."""
        self._timer = self._later(self._seconds, self._begin)

    async def stop(self) -> None:
        """Do it no more; waits until what was begun is done."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            await asyncio.wait([self._task])

    def _begin(self) -> None:
        self._task = asyncio.ensure_future(self._once())

    async def _once(self) -> None:
        try:
            await self._work()
        except Unavailable as error:
            # The heartbeat tells of a store that is away, once.
            log.debug("what comes round has to wait: %s", error)
        except KingmeError as error:
            log.warning("what comes round was refused: %s", error)
        except Exception:
            # What is done again and again must go on, or beats and deadlines would end with it.
            log.exception("work that comes round failed")
        if not self._stopped:
            self.start()
