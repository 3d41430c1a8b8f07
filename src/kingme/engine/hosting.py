"""What both faces of ``kingme engine`` share: commands in turn, a search that hears ``stop``.

One thread reads and one works. Commands are done in the order they come, save for the few that
are for a running search: those are heard at once.
"""

from __future__ import annotations

import contextlib
import queue
import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator

from kingme.engine.api import Info, Limits
from kingme.engine.book import default
from kingme.engine.generic import GenericEngine
from kingme.engine.thinking import Thinker
from kingme.engine.timing import Alarm
from kingme.errors import KingmeError
from kingme.rules.history import History
from kingme.rules.outcome import STANDARD, DrawPreset
from kingme.rules.variant import ENGLISH, Variant

__all__ = ["CpuAlarm", "Errand", "Host", "Make", "load"]

Make = Callable[[Variant, int, int], Thinker]
"""Makes an engine for a variant, with a table of so many MiB, and so many threads."""

SPREAD = 5
"""How much worse than the best a move of the book may be, in hundredths of a man."""

TICK = 0.002
"""Seconds between two looks at the clock of the processor."""


class Errand:
    """A search that was asked for: its limits may still be set, and it may be called off.

    With ``book`` a move of the opening book is as good an answer. One that is to ``ponder``
    thinks in the other side's time: its limits count from `hit` on, which may come before the
    search has begun. It is called by two threads, the one that reads and the one that searches.
    """

    def __init__(
        self, history: History, limits: Limits, *, cpu: bool = False, ponder: bool = False
    ) -> None:
        self.history = history
        self.limits = limits
        self.cpu = cpu
        self.ponder = ponder
        self.book = False
        self._lock = threading.Lock()  # over what follows
        self._halted = False
        self._hit = False
        self._engine: Thinker | None = None
        self._alarm: Alarm | None = None
        self._last: Info | None = None

    @property
    def pondering(self) -> bool:
        """Whether the move that was expected has still to come."""
        return self.ponder and not self._hit

    def halt(self) -> None:
        """End the search, also if it has not begun."""
        with self._lock:
            self._halted = True
            self._stop()

    def hit(self) -> None:
        """Let the limits count from now on: the move that was expected has been played."""
        with self._lock:
            self._hit = True
            if self._alarm is not None:
                self._alarm.release()
            if self._over:
                self._stop()

    @contextlib.contextmanager
    def searching(self, engine: Thinker) -> Iterator[Limits]:
        """Let the engine be stopped while the context lasts; yield the limits to give to it."""
        with contextlib.ExitStack() as stack:
            limits = self.limits
            if self.cpu and limits.seconds is not None:
                stack.enter_context(CpuAlarm(limits.seconds, engine.stop))
                limits = Limits(limits.depth, limits.nodes)
            with self._lock:
                self._engine = engine
                if self.pondering:
                    alarm = Alarm(limits.seconds, engine.stop, held=True)
                    self._alarm = stack.enter_context(alarm)
                    limits = Limits()
            try:
                yield limits
            finally:
                with self._lock:
                    self._engine = self._alarm = None

    def heard(self, info: Info) -> None:
        """Note what was found; a stop that came before the engine had begun is told to it now."""
        with self._lock:
            self._last = info
            if self._halted or self._over:
                self._stop()

    @property
    def _over(self) -> bool:
        """Whether a search that was pondering has reached the depth or the nodes of its limits."""
        if not self.ponder or not self._hit or self._last is None:
            return False
        depth, nodes = self.limits.depth, self.limits.nodes
        deep = depth is not None and self._last.depth >= depth
        return deep or (nodes is not None and self._last.nodes >= nodes)

    def _stop(self) -> None:
        if self._engine is not None:
            self._engine.stop()


class CpuAlarm:
    """A context in which an action is due once this process has used some processor seconds."""

    def __init__(self, seconds: float, action: Callable[[], None]) -> None:
        self._end = time.process_time() + seconds
        self._action = action
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> CpuAlarm:
        self._thread.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(TICK):
            if time.process_time() >= self._end:
                self._action()


class Host(ABC):
    """Answers commands with an engine until the input ends or says ``quit``.

    ``say`` writes a line; ``make`` gives an engine for a variant, with a table of so many MiB,
    that searches with so many threads.
    """

    def __init__(self, say: Callable[[str], None], make: Make | None = None) -> None:
        self.say = say
        self._make = make or load
        self.variant = ENGLISH
        self.table_mib = 16
        self.threads = 1
        self.book = False
        self.preset: DrawPreset = STANDARD
        self._errands: list[Errand] = []
        self._engine: Thinker | None = None
        self._deaf: OSError | None = None
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()

    def serve(self, lines: Iterable[str]) -> None:
        """Answer every line up to the end or ``quit``, which also ends every search.

        Raises ``OSError`` where an answer could not be written: at the next line, since until
        then nobody is there to be told.
        """
        worker = threading.Thread(target=self._work, name="kingme-engine", daemon=True)
        worker.start()
        for line in lines:
            text = line.strip()
            if self._deaf or (text and not self._take(text)):
                self.halt()
                break
        else:
            self._run_out()
        self._tasks.put(None)
        worker.join()
        if self._deaf:
            raise self._deaf

    @abstractmethod
    def _take(self, line: str) -> bool:
        """Do a command at once or queue it; return False for the last one."""

    @abstractmethod
    def complain(self, why: str) -> None:
        """Say that something could not be done."""

    @abstractmethod
    def _run_out(self) -> None:
        """The input has ended: let the search end, or end it."""

    @property
    def busy(self) -> bool:
        """Whether a search was asked for that has not ended."""
        return bool(self._errands)

    def engine(self) -> Thinker:
        """Return the engine for the variant, made at the first need."""
        if self._engine is None:
            self._engine = self._make(self.variant, self.table_mib, self.threads)
        return self._engine

    def change(self) -> None:
        """Let the next search make an engine, since what it depends on has changed."""
        self._engine = None

    def forget(self) -> None:
        """Forget earlier searches."""
        clear = getattr(self._engine, "clear", None)
        if clear is not None:
            clear()

    def queue(self, task: Callable[[], None]) -> None:
        """Do something after all that was asked for before."""
        self._tasks.put(task)

    def search(self, errand: Errand, tell: Callable[[Info], None]) -> Info:
        """Run a search, telling of every iteration, and return its last info."""
        known = None
        if errand.book:
            chance = random.Random()  # noqa: S311 (variety, not a secret)
            known = default().choose(errand.history.position, SPREAD, chance)
        if known is not None:
            self.end(errand)
            last = Info(0, known.score, 0, 0.0, (known.move,))
            tell(last)
            return last
        return self._search(errand, tell)

    def _search(self, errand: Errand, tell: Callable[[Info], None]) -> Info:
        engine = self.engine()
        last: Info | None = None
        try:
            with errand.searching(engine) as limits:
                for info in engine.analyse(errand.history, limits, self.preset):
                    last = info
                    tell(info)
                    errand.heard(info)
        finally:
            self.end(errand)
        assert last is not None
        return last

    def begin(self, errand: Errand) -> None:
        """Count a search among those that were asked for, so that it can be stopped."""
        self._errands.append(errand)

    def end(self, errand: Errand) -> None:
        """Count it no more."""
        if errand in self._errands:
            self._errands.remove(errand)

    def halt(self) -> None:
        """Stop every search that was asked for, also those whose turn has not come.

        Each still gives its answer.
        """
        for errand in list(self._errands):
            errand.halt()

    def hit(self) -> None:
        """Let the limits of the search count that was asked for last to ponder."""
        pondering = [errand for errand in list(self._errands) if errand.ponder]
        if pondering:
            pondering[-1].hit()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except (KingmeError, ValueError) as error:
                self.complain(" ".join(str(error).split()))
            except OSError as error:
                self._deaf = error  # nobody reads the answers any more
                return
            except Exception as error:  # noqa: BLE001 (the next command may do better)
                self.complain(f"{type(error).__name__}: {error}")


def load(variant: Variant, table_mib: int, threads: int = 1) -> Thinker:
    """Return the best engine for a variant: the compiled one knows English draughts alone.

    The other one searches with one thread, whatever is asked for.
    """
    if variant != ENGLISH:
        return GenericEngine()
    from kingme.engine.local import LocalEngine

    return LocalEngine(table_mib, threads=threads)
