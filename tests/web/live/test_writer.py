"""One thread writes, in groups."""

from __future__ import annotations

import asyncio
import threading

import pytest

from kingme.errors import Refusal, Unavailable
from kingme.play.ports import Append
from kingme.web.live.writer import Reader, Writer

pytestmark = pytest.mark.anyio


def item(game):
    return Append(game, 1, (), 0, None)


class Gate:
    """Games whose transactions wait until they are let through; each is noted."""

    def __init__(self):
        self.batches = []
        self.begun = threading.Semaphore(0)
        self.open = threading.Semaphore(0)

    def append(self, batch):
        self.batches.append([item.game for item in batch])
        self.begun.release()
        self.open.acquire()
        if "poison" in self.batches[-1]:
            raise ValueError("cannot be kept")
        if "lost" in self.batches[-1]:
            raise Unavailable("the store is gone")
        return [item.game != "late" for item in batch]


async def queued(asked):
    """Tasks that have all put their job into the queue."""
    tasks = [asyncio.ensure_future(one) for one in asked]
    await asyncio.sleep(0)
    return tasks


@pytest.fixture
async def gate():
    return Gate()


@pytest.fixture
async def writer(gate):
    writer = Writer(gate, most=10)
    writer.start()
    yield writer
    for _ in range(99):
        gate.open.release()
    await writer.stop()


async def begun(gate):
    await asyncio.to_thread(gate.begun.acquire)


async def test_what_was_queued_during_a_transaction_shares_the_next(gate, writer):
    first = await queued([writer.append(item("a"))])
    await begun(gate)
    rest = await queued(writer.append(item(game)) for game in ("b", "late", "c"))
    assert writer.waiting == 4
    gate.open.release()
    assert await asyncio.gather(*first) == [True]
    gate.open.release()
    assert await asyncio.gather(*rest) == [True, False, True]
    assert gate.batches == [["a"], ["b", "late", "c"]]
    assert (writer.batches, writer.items, writer.largest) == (2, 4, 3)


async def test_a_transaction_does_not_grow_without_end(gate, writer, monkeypatch):
    monkeypatch.setattr("kingme.web.live.writer.TOGETHER", 2)
    first = await queued([writer.append(item("a"))])
    await begun(gate)
    rest = await queued(writer.append(item(game)) for game in "bcdef")
    for _ in range(4):
        gate.open.release()
    assert all(await asyncio.gather(*first, *rest))
    assert gate.batches == [["a"], ["b", "c"], ["d", "e"], ["f"]]


async def test_events_go_before_calls_but_no_call_waits_for_ever(gate, writer):
    order = []
    first = await queued([writer.append(item("a"))])
    await begun(gate)
    calls = await queued(writer.call(lambda n=n: order.append(n)) for n in (1, 2))
    calls += await queued([writer.call(lambda: order.append(0), urgent=True)])
    later = await queued([writer.append(item("b"))])
    gate.open.release()
    await asyncio.gather(*first)
    await begun(gate)
    assert order == []
    gate.open.release()
    assert await asyncio.gather(*calls, *later) == [None, None, None, True]
    assert order == [0, 1, 2]


async def test_a_store_that_is_gone_fails_all_who_wait(gate, writer):
    first = await queued([writer.append(item("a"))])
    await begun(gate)
    rest = await queued(writer.append(item(game)) for game in ("b", "lost"))
    gate.open.release()
    gate.open.release()
    answers = await asyncio.gather(*first, *rest, return_exceptions=True)
    assert [type(answer) for answer in answers] == [bool, Unavailable, Unavailable]


async def test_one_item_that_cannot_be_kept_fails_alone(gate, writer):
    first = await queued([writer.append(item("a"))])
    await begun(gate)
    rest = await queued(writer.append(item(game)) for game in ("b", "poison", "c"))
    for _ in range(5):
        gate.open.release()
    answers = await asyncio.gather(*first, *rest, return_exceptions=True)
    assert [type(answer) for answer in answers] == [bool, bool, ValueError, bool]


async def test_what_a_call_raises_comes_to_its_caller(writer):
    def refuse():
        raise Refusal("no", "No.")

    with pytest.raises(Refusal, match="No"):
        await writer.call(refuse)
    with pytest.raises(ZeroDivisionError):
        await writer.call(lambda: 1 // 0)
    assert await writer.call(lambda: 7) == 7


async def test_the_queue_is_bounded(gate, writer):
    waiting = await queued(writer.append(item("a")) for _ in range(10))
    with pytest.raises(Unavailable):
        await writer.append(item("b"))
    for _ in range(20):
        gate.open.release()
    assert all(await asyncio.gather(*waiting))


async def test_stopping_writes_what_is_queued(gate, writer):
    waiting = await queued(writer.append(item(game)) for game in "abc")
    for _ in range(9):
        gate.open.release()
    await writer.stop()
    assert all(await asyncio.gather(*waiting))
    assert sum(map(len, gate.batches)) == 3
    with pytest.raises(Unavailable):
        await writer.append(item("d"))
    await writer.stop()


async def test_a_caller_that_is_gone_disturbs_nobody(gate, writer):
    first, second = await queued([writer.append(item("a")), writer.append(item("b"))])
    first.cancel()
    gate.open.release()
    gate.open.release()
    assert await second


async def test_reading_is_bounded_and_ends():
    reader = Reader(threads=1, most=2)
    held = threading.Event()
    waiting = await queued([reader.call(held.wait), reader.call(int, "7")])
    with pytest.raises(Unavailable):
        await reader.call(int, "8")
    held.set()
    assert await asyncio.gather(*waiting) == [True, 7]
    await reader.stop()
    with pytest.raises(Unavailable):
        await reader.call(int, "9")
