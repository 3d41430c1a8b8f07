"""The contract of every bus, and what Redis may do to the one that goes through it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from kingme.bus import MemoryBus, RedisBus, open_bus
from kingme.errors import Refusal

PATIENCE = 30


class Ear:
    """Hears hints, and lets a test wait for one."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self._news = asyncio.Event()

    def __call__(self, topic: str, body: bytes) -> None:
        self.heard.append((topic, body))
        self._news.set()

    async def until(self, last: tuple[str, bytes]) -> list[tuple[str, bytes]]:
        """All that was heard up to this hint, each once as it came."""
        async with asyncio.timeout(PATIENCE):
            while last not in self.heard:
                self._news.clear()
                await self._news.wait()
        return self.heard


@asynccontextmanager
async def listening(url: str | None) -> AsyncIterator[tuple[MemoryBus | RedisBus, Ear]]:
    bus, ear = open_bus(url), Ear()
    await bus.start(ear)
    try:
        yield bus, ear
    finally:
        await bus.stop()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.fixture(params=["memory", "redis"])
def url(request) -> str | None:
    if request.param == "memory":
        return None
    return request.getfixturevalue("redis").url


def test_what_one_sends_one_hears_in_order(url):
    async def run() -> None:
        async with listening(url) as (bus, ear):
            assert bus.healthy
            sent = [("game", b"G%d 7" % n) for n in range(300)]
            for topic, body in sent:
                await bus.publish(topic, body)
            await bus.publish("lobby", b"")
            assert await ear.until(("lobby", b"")) == [*sent, ("lobby", b"")]

    asyncio.run(run())


def test_hints_are_bytes_of_any_kind(url):
    async def run() -> None:
        async with listening(url) as (bus, ear):
            body = bytes(range(256)) * 30
            for topic in ("game", "lobby", "presence", "user"):
                await bus.publish(topic, body)
            await ear.until(("user", body))
            assert [topic for topic, _ in ear.heard] == ["game", "lobby", "presence", "user"]

    asyncio.run(run())


def test_no_hint_is_heard_within_the_call_that_sends_it(url):
    async def run() -> None:
        async with listening(url) as (bus, ear):
            await bus.publish("game", b"G 1")
            assert ear.heard == []
            await ear.until(("game", b"G 1"))

    asyncio.run(run())


def test_a_hint_that_cannot_be_taken_does_not_stop_the_next(url, caplog):
    async def run() -> None:
        bus, ear = open_bus(url), Ear()

        def hear(topic: str, body: bytes) -> None:
            if body == b"bad":
                raise ValueError("not this one")
            ear(topic, body)

        await bus.start(hear)
        await bus.publish("game", b"bad")
        await bus.publish("game", b"good")
        assert await ear.until(("game", b"good")) == [("game", b"good")]
        await bus.stop()

    asyncio.run(run())
    assert "a hint about game could not be taken" in caplog.text


def test_after_the_stop_nothing_is_heard(url):
    async def run() -> None:
        async with listening(url) as (bus, ear):
            pass
        await bus.publish("game", b"G 1")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert ear.heard == []

    asyncio.run(run())


def test_two_processes_hear_one_another(redis):
    async def run() -> None:
        async with listening(redis.url) as (one, first), listening(redis.url) as (two, second):
            for n in range(300):
                await one.publish("game", b"from one %d" % n)
                await two.publish("game", b"from two %d" % n)
            for ear in (first, second):
                await ear.until(("game", b"from one 299"))
                await ear.until(("game", b"from two 299"))
                for sender in (b"one", b"two"):
                    heard = [body for _, body in ear.heard if sender in body]
                    assert heard == [b"from %s %d" % (sender, n) for n in range(300)]

    asyncio.run(run())


def test_a_redis_that_dies_is_found_again(own_redis):
    async def run() -> None:
        async with listening(own_redis.url) as (one, first), listening(own_redis.url) as (two, ear):
            assert one.healthy and two.healthy
            own_redis.kill()
            await until(lambda: not one.healthy and not two.healthy)
            await one.publish("game", b"meanwhile")
            await first.until(("game", b"meanwhile"))  # one's own, whatever Redis does
            await asyncio.to_thread(own_redis.start)
            await until(lambda: one.healthy and two.healthy)
            await one.publish("game", b"after")
            await ear.until(("game", b"after"))

    asyncio.run(run())


def test_a_redis_that_hangs_is_noticed_and_does_not_hold_up_anybody(own_redis):
    async def run() -> None:
        async with listening(own_redis.url) as (one, first), listening(own_redis.url) as (two, ear):
            own_redis.freeze()
            for n in range(10_000):
                await one.publish("game", b"G %d" % n)
            assert first.heard == []  # nothing else had a turn: it did not wait at all
            await first.until(("game", b"G 9999"))
            await until(lambda: not one.healthy and not two.healthy)
            own_redis.thaw()
            await until(lambda: one.healthy and two.healthy)
            await ear.until(("game", b"G 9999"))

    asyncio.run(run())


def test_without_a_redis_the_bus_starts_and_is_not_healthy(own_redis):
    own_redis.kill()

    async def run() -> None:
        async with listening(own_redis.url) as (bus, ear):
            assert not bus.healthy
            await bus.publish("lobby", b"here")
            await ear.until(("lobby", b"here"))
            await asyncio.to_thread(own_redis.start)
            await until(lambda: bus.healthy)

    asyncio.run(run())


def test_an_address_that_is_none_is_refused():
    with pytest.raises(Refusal, match="redis://HOST:PORT/DB"):
        open_bus("http://127.0.0.1")
