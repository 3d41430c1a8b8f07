"""Clocks for searches: how long a move may take, and what ends a search that takes longer.

Kernels cannot read a clock, so a timer tells them to stop. Time is that of the wall, or the
processor time of the threads that search (`ProcessorClock`), which a busy machine does not
stretch.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType

__all__ = ["Alarm", "Allowance", "Patience", "ProcessorClock", "Stopwatch", "allot"]

RESERVE = 0.03
"""Seconds that a move costs beside its search: nobody loses on time for these."""

HORIZON = 26
"""Moves that a clock without a control is taken to have to last for."""

INCREMENT_SHARE = 0.75
"""Part of the increment that a move may use up."""

STRETCH = 4.0
"""How many times its due a move may take where it cannot decide."""

LONGEST_SHARE = 0.4
"""Part of the clock that one move may take at most, unless it is the last before the control."""

FALL = 15
"""Hundredths of a man by which a score falls that is worth more time."""

STEADY, UNSURE = 0.6, 1.7
"""Parts of its due that a move gets whose choice has stayed the same, or has not."""

STEADY_AFTER = 4
"""Iterations with the same choice that make it steady."""

SHORTEST_WAIT = 0.0005
"""Seconds between two looks at a clock that runs slower than the wall's."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Seconds for one move: after ``due`` no deeper search begins, after ``longest`` it ends."""

    due: float
    longest: float


def allot(clock: float, increment: float = 0.0, moves: int | None = None) -> Allowance:
    """Return what a move may take of the seconds left on a clock.

    ``increment`` seconds are added after each move; ``moves`` are left to the next time control.
    ``due`` is never above ``longest``, and ``longest`` leaves a reserve on the clock while there
    is as much. Raises ``ValueError`` for a clock that has run out.

    >>> allot(60.03, moves=10)
    Allowance(due=6.0, longest=24.0)
    >>> allot(0.02).longest < 0.01
    True
    """
    if not clock > 0:
        raise ValueError(f"a clock with {clock} seconds has run out")
    left = max(clock - RESERVE, clock / 2)
    share = left / (min(moves, HORIZON) if moves else HORIZON)
    longest = left if moves == 1 else LONGEST_SHARE * left
    due = min(share + INCREMENT_SHARE * increment, longest)
    return Allowance(due, min(STRETCH * due, longest) if moves != 1 else longest)


class ProcessorClock:
    """The processor seconds that threads have used inside `counting`.

    Where the system does not show the time of another thread, that of the whole process stands
    in.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._past = 0.0
        self._threads: dict[int, tuple[int | None, float]] = {}

    @contextlib.contextmanager
    def counting(self) -> Iterator[None]:
        """Count the present thread while the context lasts."""
        me = threading.get_ident()
        clock: int | None = None
        if hasattr(time, "pthread_getcpuclockid"):
            clock = time.pthread_getcpuclockid(me)
        began = _read(clock)
        with self._lock:
            self._threads[me] = (clock, began)
        try:
            yield
        finally:
            with self._lock:
                del self._threads[me]
                self._past += _read(clock) - began

    def __call__(self) -> float:
        """Return the seconds used so far."""
        with self._lock:
            return self._past + sum(_read(clock) - began for clock, began in self._threads.values())


def _read(clock: int | None) -> float:
    return time.process_time() if clock is None else time.clock_gettime(clock)


class Stopwatch:
    """The seconds since a search began, and whether they exceed its limit."""

    __slots__ = ("_began", "_read", "limit")

    def __init__(
        self, limit: float | None = None, read: Callable[[], float] = time.monotonic
    ) -> None:
        self._read = read
        self._began = read()
        self.limit = limit

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return self._read() - self._began

    @property
    def over(self) -> bool:
        """Whether the limit has passed."""
        return self.limit is not None and self.seconds >= self.limit

    @property
    def half(self) -> bool:
        """Whether half of the limit has passed."""
        return self.limit is not None and self.seconds >= self.limit / 2


class Alarm:
    """A context in which an action is due after some seconds, and outside of which never.

    The seconds are those of ``read``, which runs at most ``speed`` times as fast as the wall's
    clock. With ``held`` they count only from `release` on. An alarm that rings while its context
    ends finishes before the context does, so that it cannot stop a search that comes later.
    """

    def __init__(
        self,
        seconds: float | None,
        action: Callable[[], None],
        *,
        read: Callable[[], float] = time.monotonic,
        speed: int = 1,
        held: bool = False,
    ) -> None:
        self._seconds = seconds
        self._action = action
        self._read = read
        self._speed = speed
        self._held = held
        self._change = threading.Condition()
        self._due = True
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Alarm:
        if not self._held:
            self._start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._change:
            self._due = False
            self._change.notify_all()

    def release(self) -> None:
        """Let the seconds of an alarm that is held begin now; again is nothing."""
        with self._change:
            if self._held and self._due:
                self._held = False
                self._start()

    def _start(self) -> None:
        if self._seconds is None:
            return
        self._thread = threading.Thread(
            target=self._watch, args=(self._read() + self._seconds,), name="kingme-alarm"
        )
        self._thread.daemon = True
        self._thread.start()

    def _watch(self, end: float) -> None:
        with self._change:
            while self._due:
                left = end - self._read()
                if left <= 0:
                    self._due = False
                    self._action()
                    return
                wait = max(left / self._speed, SHORTEST_WAIT)
                self._change.wait(min(wait, threading.TIMEOUT_MAX))


class Patience:
    """Decides between iterations whether a move has had its due.

    A choice that stays the same gets less time, one that has just changed or whose score falls
    gets more. Without an allowance there is no due; a single legal move is due at once.
    """

    def __init__(self, allowance: Allowance | None, moves: int) -> None:
        self._due = allowance.due if allowance is not None else None
        self._single = moves == 1
        self._choice: object = None
        self._score = 0
        self._same = 0

    def gone(self, choice: object, score: int, seconds: float) -> bool:
        """Tell whether to play ``choice`` now, ``seconds`` after the search began."""
        if self._due is None:
            return False
        fell = self._choice is not None and score < self._score - FALL
        self._same = self._same + 1 if choice == self._choice else 0
        self._choice, self._score = choice, score
        factor = STEADY if self._same >= STEADY_AFTER and not fell else 1.0
        if fell or not self._same:
            factor = UNSURE
        return self._single or seconds >= factor * self._due
