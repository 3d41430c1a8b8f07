"""Clocks for searches: kernels cannot read one, so a timer tells them to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType

__all__ = ["Alarm", "Stopwatch"]


class Stopwatch:
    """The seconds since a search began, and whether they exceed its limit."""

    __slots__ = ("_began", "limit")

    def __init__(self, limit: float | None = None) -> None:
        self._began = time.monotonic()
        self.limit = limit

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    @property
    def over(self) -> bool:
        """Whether the limit has passed."""
        return self.limit is not None and self.seconds >= self.limit


class Alarm:
    """A context in which an action is due after some seconds, and outside of which never.

    An alarm that rings while its context ends finishes before the context does, so that it
    cannot stop a search that comes later.
    """

    def __init__(self, seconds: float | None, action: Callable[[], None]) -> None:
        self._action = action
        self._lock = threading.Lock()
        self._due = True
        self._timer: threading.Timer | None = None
        if seconds is not None:
            self._timer = threading.Timer(seconds, self._ring)
            self._timer.daemon = True

    def __enter__(self) -> Alarm:
        if self._timer is not None:
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._due = False
        if self._timer is not None:
            self._timer.cancel()

    def _ring(self) -> None:
        with self._lock:
            if self._due:
                self._action()
