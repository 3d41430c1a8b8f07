"""What is counted for the limits, in this process or in Redis, by the library that counts."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import anyio.to_thread
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import MovingWindowRateLimiter
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from kingme.web.limits import Limit

__all__ = ["Counts", "item_of"]

log = logging.getLogger(__name__)

REDIS_SECONDS = 0.5
AWAY_SECONDS = 3.0

T = TypeVar("T")


class Counts:
    """How often each key came, within a window that moves."""

    def __init__(self, redis: str | None = None) -> None:
        self.own = MovingWindowRateLimiter(MemoryStorage())
        self._redis = None if redis is None else _connect(redis)
        self._shared = None if self._redis is None else _limiter(self._redis)
        self._away_until = 0.0

    async def hit(self, limit: Limit, key: str) -> int | None:
        """Count one; the seconds to wait where the limit is used up."""
        return await self._ask(_hit, item_of(limit), key)

    async def clear(self, limit: Limit, key: str) -> None:
        """Forget what was counted for a key."""
        self.own.clear(item_of(limit), key)
        await self._ask(MovingWindowRateLimiter.clear, item_of(limit), key)

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
        return do(self.own, *what)


@cache
def item_of(limit: Limit) -> RateLimitItem:
    """The limit as the library has it."""
    return RateLimitItemPerMinute(limit.amount, limit.minutes, limit.name)


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
