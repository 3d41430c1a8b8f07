"""The threads that call the store: one that writes, in groups, and a few that read.

A store call blocks, so none is made on the event loop. All events that were queued while the last
transaction ran go into the next one, so that many games share the cost of one durable commit.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from kingme.errors import KingmeError, Unavailable
from kingme.play.ports import Append, GameStore

__all__ = ["Reader", "Writer"]

Answer = TypeVar("Answer")

TOGETHER = 256
"""So many items share one transaction at most, or the first would wait for too long."""

log = logging.getLogger(__name__)


class Job(NamedTuple):
    """Something to write, and who waits for it. `item` shares a transaction; `call` has its own."""

    answer: asyncio.Future[Any]
    item: Append | None = None
    call: Callable[[], object] | None = None
    urgent: bool = False


class Writer:
    """One thread for everything that is written, in the order of asking but for single calls.

    Events go before calls that wait, since a player waits for them; each call takes its turn
    after at most one transaction of events.
    """

    def __init__(self, games: GameStore, most: int = 10_000) -> None:
        """Write to `games`; at most `most` jobs may wait."""
        self._games, self._most = games, most
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._waiting = 0
        self._closed = True
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self.batches = self.items = self.calls = self.largest = 0

    @property
    def waiting(self) -> int:
        """How many jobs are not done yet."""
        return self._waiting

    @property
    def figures(self) -> dict[str, int]:
        """What waits, and what was done since the start, by name."""
        return {
            "writes_waiting": self._waiting,
            "batches": self.batches,
            "batch_items": self.items,
            "batch_largest": self.largest,
            "calls": self.calls,
        }

    def start(self) -> None:
        """Begin to write; called on the event loop that will ask."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="kingme-write", daemon=True)
        self._closed = False
        self._thread.start()

    async def append(self, item: Append) -> bool:
        """Add events durably; False where the version did not match. ``Unavailable``."""
        return bool(await self._queue(item=item))

    async def call(self, call: Callable[[], Answer], *, urgent: bool = False) -> Answer:
        """Make a call that writes, in a transaction of its own; before all others if `urgent`."""
        answer: Answer = await self._queue(call=call, urgent=urgent)
        return answer

    async def stop(self, seconds: float | None = None) -> None:
        """Write what is queued, then end; after so many seconds without waiting for it."""
        if self._thread is None:
            return
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join, seconds)
        if self._thread.is_alive():
            log.error("%d writes were not done in time", self._waiting)
        self._thread = None

    def _queue(
        self,
        *,
        item: Append | None = None,
        call: Callable[[], object] | None = None,
        urgent: bool = False,
    ) -> asyncio.Future[Any]:
        if self._closed or self._loop is None:
            raise Unavailable("the store is closed for writing")
        if self._waiting >= self._most:
            raise Unavailable(f"{self._waiting} writes wait already")
        self._waiting += 1
        answer = self._loop.create_future()
        self._jobs.put(Job(answer, item, call, urgent))
        return answer

    # --- in the thread ---

    def _run(self) -> None:
        appends: list[Job] = []
        calls: deque[Job] = deque()
        ending = False
        while True:
            ending |= self._collect(appends, calls, wait=not (appends or calls or ending))
            if appends:
                self._answer(self._append(appends[:TOGETHER]))
                del appends[:TOGETHER]
            elif calls:
                self._answer([self._call(calls.popleft())])
            elif ending:
                return

    def _collect(self, appends: list[Job], calls: deque[Job], *, wait: bool) -> bool:
        """Take all jobs that are there, waiting for the first if asked; True: no more will come."""
        ending = False
        while True:
            try:
                job = self._jobs.get(block=wait)
            except queue.Empty:
                return ending
            wait = False
            if job is None:
                ending = True
            elif job.item is not None:
                appends.append(job)
            elif job.urgent:
                calls.appendleft(job)
            else:
                calls.append(job)

    def _append(self, jobs: list[Job]) -> list[tuple[Job, object]]:
        self.batches += 1
        self.items += len(jobs)
        self.largest = max(self.largest, len(jobs))
        items = [job.item for job in jobs if job.item is not None]
        try:
            return list(zip(jobs, self._games.append(items), strict=True))
        except Unavailable as error:
            return [(job, error) for job in jobs]
        except Exception as error:
            # One item that the store cannot take must not fail the games that share its batch.
            log.exception("a batch of %d appends failed", len(jobs))
            if len(jobs) == 1:
                return [(jobs[0], error)]
            return [answer for job in jobs for answer in self._append([job])]

    def _call(self, job: Job) -> tuple[Job, object]:
        self.calls += 1
        assert job.call is not None
        try:
            return job, job.call()
        except KingmeError as error:
            return job, error
        except Exception as error:
            log.exception("a call to the store failed")
            return job, error

    def _answer(self, answers: list[tuple[Job, object]]) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(self._tell, answers)
        except RuntimeError:
            log.warning("%d writes were done after the event loop had closed", len(answers))

    # --- on the event loop ---

    def _tell(self, answers: list[tuple[Job, object]]) -> None:
        self._waiting -= len(answers)
        for job, answer in answers:
            if job.answer.done():
                continue
            if isinstance(answer, Exception):
                job.answer.set_exception(answer)
            else:
                job.answer.set_result(answer)


class Reader:
    """A few threads for everything that is read."""

    def __init__(self, threads: int = 3, most: int = 10_000) -> None:
        """Read in so many threads; at most `most` calls may wait."""
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="kingme-read")
        self._most = most
        self.waiting = 0

    async def call(self, call: Callable[..., Answer], *args: object) -> Answer:
        """Make a call that reads."""
        if self.waiting >= self._most:
            raise Unavailable(f"{self.waiting} reads wait already")
        self.waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, call, *args)
        except RuntimeError as error:
            raise Unavailable("the store is closed for reading") from error
        finally:
            self.waiting -= 1

    async def stop(self) -> None:
        """Wait for what is being read, and end."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
