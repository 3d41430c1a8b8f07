"""How often an address or a person may ask for what is dear or can be guessed.

Counted in this process, or in Redis where several processes serve. A Redis that cannot be reached
lifts no limit: each process then counts on its own.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio.to_thread
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import MovingWindowRateLimiter
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from kingme.web.guard import RequestError

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

log = logging.getLogger(__name__)

REDIS_SECONDS = 0.5
AWAY_SECONDS = 3.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limit:
    """So many of something in so many minutes, and the sentence for whoever asks for more."""

    item: RateLimitItem
    message: str


PASSWORDS = "Too many tries. Wait a while before you try again."
NEWCOMERS = "Too many newcomers from this address. Try again later."

PASSWORDS_BY_ADDRESS = Limit(RateLimitItemPerMinute(80, 8, "password-address"), PASSWORDS)
PASSWORDS_BY_NAME = Limit(RateLimitItemPerMinute(10, 30, "password-name"), PASSWORDS)
PASSWORDS_IN_ALL = Limit(RateLimitItemPerMinute(2400, 1, "password-all"), PASSWORDS)
REGISTRATIONS = Limit(RateLimitItemPerMinute(10, 60, "registration"), NEWCOMERS)
GUESTS = Limit(RateLimitItemPerMinute(30, 60, "guest"), NEWCOMERS)
ENOUGH_REPORTS = "You have reported enough for now."
ENOUGH_MUTES = "You have muted and unmuted enough for now."

REPORTS = Limit(RateLimitItemPerMinute(10, 60, "report"), ENOUGH_REPORTS)
REPORTS_BY_ADDRESS = Limit(RateLimitItemPerMinute(60, 60, "report-address"), ENOUGH_REPORTS)
MUTES = Limit(RateLimitItemPerMinute(100, 10, "mute"), ENOUGH_MUTES)
MUTES_BY_ADDRESS = Limit(RateLimitItemPerMinute(400, 10, "mute-address"), ENOUGH_MUTES)
# Each is replayed from its first move: some ms where it is long.
GAMES = Limit(
    RateLimitItemPerMinute(600, 10, "game"), "Too many games at once. Wait a while before the next."
)
ANALYSES = Limit(
    RateLimitItemPerMinute(40, 10, "analysis"),
    "The server has thought for you enough for now. The engine of your browser goes on.",
)
READINGS = Limit(
    RateLimitItemPerMinute(100, 10, "reading"),
    "The server has read enough games for you for now. Wait a while before the next.",
)
EXPORTS = Limit(
    RateLimitItemPerMinute(20, 10, "export"), "Too many downloads. Wait a while before the next."
)
SHEETS = Limit(
    RateLimitItemPerMinute(120, 10, "sheet"), "Too many sheets. Wait a while before the next."
)


class Limits:
    """The counts of one server."""

    def __init__(self, redis: str | None = None) -> None:
        self._own = MovingWindowRateLimiter(MemoryStorage())
        self._redis = None if redis is None else _connect(redis)
        self._shared = None if self._redis is None else _limiter(self._redis)
        self._away_until = 0.0

    async def spend(self, *wanted: tuple[Limit, str]) -> None:
        """Count one of each for its key; ``RequestError`` 429 where one is used up."""
        for limit, key in wanted:
            wait = await self._ask(_hit, limit.item, key)
            if wait is not None:
                raise RequestError(429, "too_many", limit.message, retry_after=wait)

    async def forgive(self, limit: Limit, key: str) -> None:
        """Forget what was counted for a key."""
        self._own.clear(limit.item, key)
        await self._ask(MovingWindowRateLimiter.clear, limit.item, key)

    def close(self) -> None:
        """Let go of Redis."""
        if self._redis is not None:
            self._redis.close()

    async def _ask(
        self, do: Callable[[MovingWindowRateLimiter, RateLimitItem, str], T], *what: Any
    ) -> T:
        """Do something in Redis, or in this process while Redis is away."""
        if self._shared is not None and time.monotonic() >= self._away_until:
            try:
                return await anyio.to_thread.run_sync(do, self._shared, *what)
            except RedisError:
                self._away_until = time.monotonic() + AWAY_SECONDS
                log.warning("Redis cannot be reached: each process counts limits on its own")
        return do(self._own, *what)


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


def _hit(limiter: MovingWindowRateLimiter, item: RateLimitItem, key: str) -> int | None:
    if limiter.hit(item, key):
        return None
    opens = limiter.get_window_stats(item, key).reset_time
    return max(1, math.ceil(opens - time.time()))


def _connect(redis: str) -> Redis:
    """A client of Redis that gives up soon where there is no answer."""
    client: Redis = Redis.from_url(
        redis,
        socket_timeout=REDIS_SECONDS,
        socket_connect_timeout=REDIS_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
    return client


def _limiter(redis: Redis) -> MovingWindowRateLimiter:
    pool: Any = redis.connection_pool
    return MovingWindowRateLimiter(
        RedisStorage("redis://", connection_pool=pool, key_prefix="kingme:limits")
    )
