"""What must happen at a time: one heap of deadlines with one timer.

Nothing ticks: the timer is armed for the earliest deadline alone. Deadlines are ms since the
epoch by the server's clock, which may be set back or forward; the timer only says when to look.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Protocol

__all__ = ["Deadlines", "Handle", "Later"]

LONGEST = 60_000
"""After so many ms at most the clock is looked at again, since it may have been set (ms)."""


class Handle(Protocol):
    """A call that has been put off."""

    def cancel(self) -> None:
        """Do not make the call."""


Later = Callable[[float, Callable[[], object]], Handle]
"""Makes a call after so many seconds, as ``loop.call_later`` does."""


class Deadlines:
    """The times at which keys are due; a key has one time at most."""

    def __init__(self, now: Callable[[], int], later: Later, due: Callable[[str], object]) -> None:
        """Call `due` with each key whose time has come; it has no time from then on."""
        self._now, self._later, self._due = now, later, due
        self._heap: list[tuple[int, str]] = []
        self._times: dict[str, int] = {}
        self._timer: Handle | None = None
        self._armed: int | None = None

    def __len__(self) -> int:
        return len(self._times)

    def __contains__(self, key: str) -> bool:
        return key in self._times

    def set(self, key: str, at: int | None) -> None:
        """Give a key its time, in place of the one that it had; None: it has none."""
        if self._times.get(key) == at:
            return
        if at is None:
            del self._times[key]
            return
        self._times[key] = at
        heapq.heappush(self._heap, (at, key))
        if len(self._heap) > 2 * len(self._times) + 64:
            self._heap = [(time, name) for name, time in self._times.items()]
            heapq.heapify(self._heap)
        if self._armed is None or at < self._armed:
            self._arm()

    def stop(self) -> None:
        """Forget every key."""
        self._heap.clear()
        self._times.clear()
        self._disarm()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._armed = None

    def _arm(self) -> None:
        self._disarm()
        while self._heap and self._times.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        if self._heap:
            now = self._now()
            self._armed = min(self._heap[0][0], now + LONGEST)
            self._timer = self._later(max(0, self._armed - now) / 1000, self._fire)

    def _fire(self) -> None:
        self._timer = self._armed = None
        now = self._now()
        due = []
        while self._heap and self._heap[0][0] <= now:
            at, key = heapq.heappop(self._heap)
            if self._times.get(key) == at:
                del self._times[key]
                due.append(key)
        for key in due:
            self._due(key)
        if self._armed is None:
            self._arm()
