"""What is measured of one socket: how much it asks, and how far away it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["BUDGETS", "LAG_LIMIT", "Credits", "Kind", "Lag"]

Kind = Literal["player", "watcher", "lobby"]

BUDGETS: Mapping[Kind, tuple[int, int]] = {
    "player": (100, 20_000),
    "watcher": (50, 20_000),
    "lobby": (30, 30_000),
}
"""How many messages one may send in how many milliseconds, by what one does here."""

LAG_LIMIT = 2_000
"""The longest round trip that is believed, in milliseconds."""

SMOOTHING = 0.25
"""The weight of a new measurement beside those before it."""


@dataclass(slots=True)
class Credits:
    """Message credits: they are used up by messages and come back with time."""

    kind: Kind = "lobby"
    _used: float = 0.0
    _at: int = 0

    def spend(self, now: int) -> bool:
        """Use one for a message at `now` (ms); whether there was one left."""
        most, period = BUDGETS[self.kind]
        self._used = max(0.0, self._used - max(0, now - self._at) * most / period)
        self._at = now
        if self._used + 1 > most:
            return False
        self._used += 1
        return True


@dataclass(slots=True)
class Lag:
    """The round trip of one socket in milliseconds, as the server measures it.

    A client says when the last pong was sent that it got, and for how long it has held it since;
    what is left of the time between is the way. A pong that was never sent counts for nothing, and
    nothing is believed beyond `LAG_LIMIT`: how much of it a player is credited, the clock decides.
    """

    _sent: deque[int] = field(default_factory=lambda: deque(maxlen=4))
    _mean: float | None = None

    @property
    def value(self) -> int:
        """The smoothed round trip, 0 before the first measurement."""
        return round(self._mean or 0.0)

    def sent(self, at: int) -> None:
        """Remember that a pong with this time went out."""
        self._sent.append(at)

    def heard(self, echo: int, held: int, now: int) -> None:
        """Measure by a ping."""
        trip = now - echo - held
        if echo not in self._sent or trip < 0:
            return
        trip = min(trip, LAG_LIMIT)
        self._mean = trip if self._mean is None else self._mean + SMOOTHING * (trip - self._mean)
