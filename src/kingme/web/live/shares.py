"""What all sockets of one person, and all of one address, may ask together.

Each socket has credits of its own; these keep many sockets from being many times as much. Counted
by each process for itself.
"""

from __future__ import annotations

from collections import OrderedDict

from kingme.web.live.frames import ClientFrame, Follow, Join, Pair, SeekSent
from kingme.web.live.meter import Bucket

__all__ = ["HANDSHAKES", "PER_SOCKET", "Shares", "cost"]

PER_SOCKET = 10, 20, 20_000
"""For each socket that a user, and an address, may have: so many credits in so many ms."""

HANDSHAKES = 5, 60_000
"""How often an address may connect for each socket that it may have, in so many ms."""

REMEMBERED = 20_000
"""Of how many people and addresses it is remembered what they used."""


def cost(frame: ClientFrame) -> int:
    """How many credits a frame takes, by what it makes the store do."""
    match frame:
        case SeekSent() | Pair() | Join():
            return 4
        case Follow():
            return 2
    return 1


class Shares:
    """The credits of people and addresses."""

    def __init__(self, per_user: int, per_address: int) -> None:
        """Reckon with so many sockets of a user, and of an address."""
        mine, theirs, period = PER_SOCKET
        tries, within = HANDSHAKES
        self._users = _Purses(mine * per_user, period)
        self._addresses = _Purses(theirs * per_address, period)
        self._handshakes = _Purses(tries * per_address, within)

    def enter(self, address: str, now: int) -> bool:
        """Use one for a connection; whether there was one left."""
        return self._handshakes.spend(address, now, 1)

    def spend(self, user: int | None, address: str, now: int, credits_: int) -> bool:
        """Use some for a frame of somebody (None: a visitor); whether they were left."""
        if user is not None and not self._users.spend(user, now, credits_):
            return False
        return self._addresses.spend(address, now, credits_)


class _Purses:
    """Credits by whose they are; those that were used longest ago are forgotten."""

    def __init__(self, most: int, period: int) -> None:
        self._most, self._period = most, period
        self._buckets: OrderedDict[object, Bucket] = OrderedDict()

    def spend(self, key: object, now: int, credits_: int) -> bool:
        bucket = self._buckets.setdefault(key, Bucket(self._most, self._period))
        self._buckets.move_to_end(key)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket.spend(now, credits_)
