"""What is measured of one socket: how much it asks, and how far away it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["BUDGETS", "LAG_LIMIT", "Bucket", "Kind", "Lag"]

Kind = Literal["player", "watcher", "lobby"]

BUDGETS: Mapping[Kind, tuple[int, int]] = {
    "player": (100, 20_000),
    "watcher": (50, 20_000),
    "lobby": (30, 30_000),
}
"""How many messages one socket may send in how many ms, by what it is used for."""

LAG_LIMIT = 2_000
"""The longest round trip that is believed, in milliseconds."""

SMOOTHING = 0.25
"""The weight of a new measurement beside those before it."""


@dataclass(slots=True)
class Bucket:
    """Credits: `most` of them, which are used up and come back within `period` ms."""

    most: int
    period: int
    _used: float = 0.0
    _at: int = 0

    @classmethod
    def of(cls, kind: Kind) -> Bucket:
        """The credits of a socket."""
        return cls(*BUDGETS[kind])

    def become(self, kind: Kind) -> None:
        """Go on as the credits of a socket that is used for something else; what is used stays."""
        self.most, self.period = BUDGETS[kind]

    def spend(self, now: int, cost: int = 1) -> bool:
        """Use some at `now` (ms); whether they were left."""
        self._used = max(0.0, self._used - max(0, now - self._at) * self.most / self.period)
        self._at = now
        if self._used + cost > self.most:
            return False
        self._used += cost
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
