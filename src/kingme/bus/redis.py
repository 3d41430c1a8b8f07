"""The bus of many processes, through Redis.

One's own hints are heard at once, whatever Redis does; those of other processes arrive through it
while it is there. It is looked for until it is found again, and nothing waits for it meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from kingme.bus.memory import tell
from kingme.errors import Refusal

__all__ = ["RedisBus"]

_log = logging.getLogger(__name__)

PREFIX = "kingme:"
TOPICS = ("game", "lobby", "presence", "user")
WAITING = 4096
"""As many hints wait to be sent; the oldest are dropped, as they are the least needed."""

TOGETHER = 256
SECONDS = 1.0
"""Longer than this nothing at Redis may take."""

QUIET_SECONDS = 0.5
PINGS = 4
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
LOST = (RedisError, OSError, TimeoutError)


class RedisBus:
    """Hints between all processes on one Redis."""

    def __init__(self, url: str) -> None:
        try:
            self._redis = Redis.from_url(
                url,
                socket_timeout=SECONDS,
                socket_connect_timeout=SECONDS,
                retry=Retry(NoBackoff(), 0),
                client_name="kingme",
            )
        except ValueError as error:
            raise Refusal("bad_bus", "Redis is named as redis://HOST:PORT/DB.") from error
        self._me = secrets.token_bytes(8)
        self._hear: Callable[[str, bytes], None] | None = None
        self._waiting: deque[tuple[str, bytes]] = deque(maxlen=WAITING)
        self._sending: list[tuple[str, bytes]] = []
        self._more = asyncio.Event()
        self._listens = self._sends = False
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def healthy(self) -> bool:
        """Whether hints of other processes are likely to arrive, and one's own to reach them."""
        return self._listens and self._sends

    async def start(self, hear: Callable[[str, bytes], None]) -> None:
        """Begin to listen; returns when Redis was reached or could not be, which is no error."""
        self._hear = hear
        tried = [asyncio.Event(), asyncio.Event()]
        self._tasks = [
            asyncio.create_task(self._keep(self._listen, tried[0])),
            asyncio.create_task(self._keep(self._send, tried[1])),
        ]
        for event in tried:
            await event.wait()

    async def publish(self, topic: str, body: bytes) -> None:
        """Send a hint; never raises and never waits."""
        asyncio.get_running_loop().call_soon(self._deliver, topic, body)
        self._waiting.append((topic, body))
        self._more.set()

    async def stop(self) -> None:
        """Stop listening."""
        self._hear = None
        while waiting := [task for task in self._tasks if not task.done()]:
            # redis-py may swallow a cancellation that meets it in the middle of a pipeline.
            for task in waiting:
                task.cancel()
            await asyncio.wait(waiting, timeout=QUIET_SECONDS)
        self._tasks = []
        with suppress(*LOST):
            await self._redis.aclose()

    def _deliver(self, topic: str, body: bytes) -> None:
        if self._hear is not None:
            tell(self._hear, topic, body)

    async def _keep(self, way: Callable[..., Any], tried: asyncio.Event) -> None:
        """Do `way` for ever; where Redis is lost, try again, more patiently each time."""
        pause = FIRST_PAUSE

        def reached() -> None:
            nonlocal pause
            pause = FIRST_PAUSE
            tried.set()

        while True:
            try:
                await way(reached)
            except LOST as error:
                if pause == FIRST_PAUSE:
                    _log.warning("Redis is lost, hints do not arrive: %s", error)
            tried.set()
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 (not a secret)
            pause = min(LONGEST_PAUSE, pause * 2)

    async def _listen(self, reached: Callable[[], None]) -> None:
        async with self._redis.pubsub() as pubsub:
            try:
                await pubsub.subscribe(*(PREFIX + topic for topic in TOPICS))
                await self._relay(pubsub, reached)
            finally:
                self._listens = False

    async def _relay(self, pubsub: PubSub, reached: Callable[[], None]) -> None:
        wanted, unanswered = len(TOPICS), 0
        while True:
            message = await pubsub.get_message(timeout=QUIET_SECONDS)
            if message is None:
                # A connection may be dead without a word.
                if unanswered == PINGS:
                    raise TimeoutError("it does not answer")
                unanswered += 1
                await pubsub.ping()
                continue
            unanswered = 0
            if message["type"] == "subscribe":
                wanted -= 1
                if not wanted:
                    self._listens = True
                    reached()
            elif message["type"] == "message":
                sender, body = message["data"][:8], message["data"][8:]
                if sender != self._me:
                    self._deliver(message["channel"].decode().removeprefix(PREFIX), body)

    async def _send(self, reached: Callable[[], None]) -> None:
        try:
            async with asyncio.timeout(SECONDS):
                await self._redis.ping()
            self._sends = True
            reached()
            self._more.set()
            while True:
                await self._more.wait()
                self._more.clear()
                while self._sending or self._waiting:
                    await self._send_some()
        finally:
            self._sends = False

    async def _send_some(self) -> None:
        # What was not sent when Redis was lost is sent first, so that all arrives in order: a hint
        # may come late or twice, but the last one is the newest.
        while self._waiting and len(self._sending) < TOGETHER:
            self._sending.append(self._waiting.popleft())
        async with asyncio.timeout(SECONDS), self._redis.pipeline(transaction=False) as pipeline:
            for topic, body in self._sending:
                pipeline.publish(PREFIX + topic, self._me + body)
            await pipeline.execute()
        self._sending.clear()
