"""Tasks on threads of this process, within a bound of memory.

All tasks at work share the threads, so that one's waiting at the end of a distance is another's
time. Codes and counts of the pairs at work are memory of this process; the slices before them are
a mapped file, whose pages are given back when there are too many.
"""

from __future__ import annotations

import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

from kingme.engine.endgames import memory
from kingme.engine.endgames.build import Crew
from kingme.engine.endgames.mapped import Mapped
from kingme.jobs.ports import Advance, Packers, Solved, Task
from kingme.jobs.tasks import carry_out

__all__ = ["LocalExecutor"]

Result: TypeAlias = Solved | BaseException


class Broken(Exception):
    """Nobody waits for this work any more."""


class LocalExecutor:
    """Does tasks on ``workers`` threads; see `kingme.jobs.ports.Executor`.

    As many tasks are at work at once as there are threads, as far as ``bound`` bytes allow.
    """

    def __init__(
        self,
        mapped: Mapped,
        packers: Packers,
        workers: int,
        bound: int,
        advance: Advance | None = None,
    ) -> None:
        self._mapped = mapped
        self._packers = packers
        self._workers = workers
        self._free = bound - memory.BASE
        self._advance = advance
        self._crew = Crew(workers, self._between)
        self._threads = ThreadPoolExecutor(workers, "endgames")
        self._at_work: set[Task] = set()
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self._broken = threading.Event()

    def takes(self, task: Task) -> bool:
        """Tell whether there is a thread for it, and memory."""
        if not self._at_work:
            return True
        free = self._free - sum(memory.needed(other.pair) for other in self._at_work)
        return len(self._at_work) < self._workers and memory.needed(task.pair) <= free

    def start(self, task: Task) -> None:
        """Begin with a task."""
        self._at_work.add(task)
        self._threads.submit(self._do, task)

    def next(self) -> Solved:
        """Wait for a task to be done."""
        found = self._results.get()
        if isinstance(found, BaseException):
            raise found
        return found

    def release(self, task: Task) -> None:
        """Count the memory of a task as free."""
        self._at_work.discard(task)

    def close(self) -> None:
        """Break off; what is within a kernel or packs a block ends first, a moment later."""
        self._broken.set()
        self._crew.__exit__()
        self._threads.shutdown(cancel_futures=True)

    def _do(self, task: Task) -> None:
        mapped = self._mapped
        place = mapped.plan.places[task.pair[0]]
        at = mapped.block, mapped.address, self._crew, self._packers, place
        try:
            self._results.put(carry_out(task, *at, self._advance))
        except BaseException as error:  # noqa: BLE001 (it is raised where the result is waited for)
            self._results.put(error)

    def _between(self) -> None:
        if self._broken.is_set():
            raise Broken
        self._mapped.relieve()
