"""What is done for another program and takes its time: searches and counts that can be ended."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from kingme.engine.api import Info, Limits
from kingme.engine.thinking import Thinker
from kingme.engine.timing import Alarm
from kingme.rules.history import History
from kingme.rules.perft import perft as by_the_rules
from kingme.rules.position import Position
from kingme.rules.runs import FRESH
from kingme.rules.variant import ENGLISH

__all__ = ["Count", "CpuAlarm", "Errand", "parts"]

TICK = 0.002
"""Seconds between two looks at the clock of the processor."""

COMPILED, PLAIN = (7, 30_000_000), (4, 20_000)
"""Plies, and about how many leaves, that are counted in one go: some tenths of a second at most."""

SURE = 2
"""Plies that are counted in one go in any case."""


class Errand:
    """A search that was asked for: its limits may still be set, and it may be called off.

    With ``cpu`` time is that of the processor. With ``book`` a move of the opening book is as
    good an answer. One that is to ``ponder`` thinks in the other side's time: its limits count
    from `hit` on, which may come before the search has begun. It is called by two threads, the
    one that reads and the one that searches.
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
        self._began = 0.0

    @property
    def endless(self) -> bool:
        """Whether nothing but a stop would end the search."""
        limits = self.limits
        timeless = limits.seconds is None or math.isinf(limits.seconds)
        return limits.depth is None and limits.nodes is None and timeless

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
            self._began = time.process_time()
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

    def timed(self, info: Info) -> Info:
        """Return an info with the seconds of the clock that counts."""
        return replace(info, seconds=time.process_time() - self._began) if self.cpu else info

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


class Count:
    """A count of move sequences that was asked for, and may be called off."""

    def __init__(self) -> None:
        self._halted = threading.Event()

    def halt(self) -> None:
        """End the count, also if it has not begun."""
        self._halted.set()

    def total(self, counts: Iterable[int]) -> int | None:
        """Add counts up; None where that was called off."""
        total = 0
        for count in counts:
            if self._halted.is_set():
                return None
            total += count
        return None if self._halted.is_set() else total


def parts(position: Position, depth: int) -> Iterator[int]:
    """Return counts that add up to the perft of a position, each of which comes quickly.

    What counts them is loaded before the first is asked for.
    """
    if position.variant != ENGLISH or depth < 5:
        return _sliced(position, depth, by_the_rules, *PLAIN)
    from kingme.engine.kernels.perft import perft as compiled

    return _sliced(position, depth, compiled, *COMPILED)


def _sliced(
    position: Position,
    depth: int,
    count: Callable[[Position, int], int],
    plies: int,
    leaves: int,
) -> Iterator[int]:
    moves = position.legal_moves if depth > SURE else ()
    if depth <= plies and len(moves) ** depth <= leaves:
        yield count(position, depth)
        return
    for move in moves:
        yield 0  # a look at whether it is called off, where whole branches have no leaf
        # Perft knows no limit to the moves of a king in a row.
        after = replace(position.after(move), runs=FRESH)
        yield from _sliced(after, depth - 1, count, plies, leaves)
