"""How often an address or a person may ask for what is dear or can be guessed.

Counted in this process, or in Redis where several processes serve. A Redis that cannot be reached
lifts no limit: each process then counts on its own.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kingme.web.guard import RequestError

if TYPE_CHECKING:
    from kingme.web.counting import Counts

__all__ = [
    "ANALYSES",
    "EXPORTS",
    "GAMES",
    "GUESTS",
    "MUTES",
    "MUTES_BY_ADDRESS",
    "PASSWORDS_BY_ADDRESS",
    "PASSWORDS_BY_NAME",
    "PASSWORDS_IN_ALL",
    "READINGS",
    "REGISTRATIONS",
    "REPORTS",
    "REPORTS_BY_ADDRESS",
    "SHEETS",
    "Limit",
    "Limits",
    "address_of",
]


@dataclass(frozen=True, slots=True)
class Limit:
    """So many of something in so many minutes, and the sentence for whoever asks for more."""

    amount: int
    minutes: int
    name: str
    message: str


PASSWORDS = "Too many tries. Wait a while before you try again."
NEWCOMERS = "Too many newcomers from this address. Try again later."

PASSWORDS_BY_ADDRESS = Limit(80, 8, "password-address", PASSWORDS)
PASSWORDS_BY_NAME = Limit(10, 30, "password-name", PASSWORDS)
PASSWORDS_IN_ALL = Limit(2400, 1, "password-all", PASSWORDS)
REGISTRATIONS = Limit(10, 60, "registration", NEWCOMERS)
GUESTS = Limit(30, 60, "guest", NEWCOMERS)
ENOUGH_REPORTS = "You have reported enough for now."
ENOUGH_MUTES = "You have muted and unmuted enough for now."

REPORTS = Limit(10, 60, "report", ENOUGH_REPORTS)
REPORTS_BY_ADDRESS = Limit(60, 60, "report-address", ENOUGH_REPORTS)
MUTES = Limit(100, 10, "mute", ENOUGH_MUTES)
MUTES_BY_ADDRESS = Limit(400, 10, "mute-address", ENOUGH_MUTES)
# Each is replayed from its first move: some ms where it is long.
GAMES = Limit(600, 10, "game", "Too many games at once. Wait a while before the next.")
ANALYSES = Limit(
    40,
    10,
    "analysis",
    "The server has thought for you enough for now. The engine of your browser goes on.",
)
READINGS = Limit(
    100,
    10,
    "reading",
    "The server has read enough games for you for now. Wait a while before the next.",
)
EXPORTS = Limit(20, 10, "export", "Too many downloads. Wait a while before the next.")
SHEETS = Limit(120, 10, "sheet", "Too many sheets. Wait a while before the next.")


class Limits:
    """The counts of one server, which are set up at the first need: the play page has none."""

    def __init__(self, redis: str | None = None) -> None:
        self._redis = redis
        self._counts: Counts | None = None

    @property
    def counts(self) -> Counts:
        """The counts themselves."""
        if self._counts is None:
            from kingme.web.counting import Counts

            self._counts = Counts(self._redis)
        return self._counts

    async def spend(self, *wanted: tuple[Limit, str]) -> None:
        """Count one of each for its key; ``RequestError`` 429 where one is used up."""
        for limit, key in wanted:
            wait = await self.counts.hit(limit, key)
            if wait is not None:
                raise RequestError(429, "too_many", limit.message, retry_after=wait)

    async def forgive(self, limit: Limit, key: str) -> None:
        """Forget what was counted for a key."""
        await self.counts.clear(limit, key)

    def close(self) -> None:
        """Let go of Redis."""
        if self._counts is not None:
            self._counts.close()


def address_of(client: tuple[str, int] | None) -> str:
    """What stands for an address in a limit: of an IPv6 address its network of one customer."""
    host = client[0] if client else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host or "unknown"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))
