"""The heartbeat, and work that comes round."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from tests.web.live.house import NOW, Day

from kingme.errors import Unavailable
from kingme.play.ports import Outage
from kingme.web.live.beat import Beat
from kingme.web.live.tasks import Repeat, Tasks
from kingme.web.live.writer import Writer

pytestmark = pytest.mark.anyio


class Service:
    """Heartbeats that are kept, with outages as the test wishes."""

    def __init__(self):
        self.beats = []
        self.outages = []
        self.lost = False
        self.slow = lambda: None
        self.time = lambda: None

    def beat(self, process, now, gap):
        self.beats.append((process, now - NOW, gap))
        self.slow()
        if self.lost:
            raise Unavailable("the store is gone")
        return list(self.outages)


@pytest.fixture
async def world():
    day, heard = Day(), []
    service: Any = Service()
    writer = Writer(SimpleNamespace())
    writer.start()
    beat = Beat(service, "p", writer, day.now, day.later, heard.append)
    yield SimpleNamespace(day=day, service=service, heard=heard, beat=beat)
    await beat.stop()
    await writer.stop()


async def test_it_beats_once_a_second(world):
    await world.beat.start()
    assert world.beat.fresh
    for second in (1, 2, 3):
        world.day.move(999)
        assert len(world.service.beats) == second
        world.day.move(1)
        await world.beat._repeat._task
    assert [at for _, at, _ in world.service.beats] == [0, 1000, 2000, 3000]
    assert [gap for *_, gap in world.service.beats] == [1500, 4000, 4000, 4000]


async def test_it_is_fresh_for_three_seconds_and_not_before_time(world):
    assert not world.beat.fresh
    await world.beat.beat()
    world.day.time += 3000
    assert world.beat.fresh
    world.day.time += 1
    assert not world.beat.fresh
    world.day.time = NOW - 1
    assert not world.beat.fresh
    await world.beat.ensure()
    assert world.beat.fresh


async def test_those_who_need_it_at_once_share_one_beat(world):
    await asyncio.gather(*(world.beat.ensure() for _ in range(10)))
    assert len(world.service.beats) == 1
    await world.beat.ensure()
    assert len(world.service.beats) == 1


async def test_outages_are_heard_of_once_and_remembered(world):
    first, second = Outage(3, 1, 2), Outage(7, 5, 6)
    world.service.outages = [first]
    await world.beat.beat()
    await world.beat.beat()
    world.service.outages = [first, second]
    await world.beat.beat()
    assert world.heard == [[first], [second]]
    assert world.beat.outages == (first, second)
    assert world.beat.latest == 7


async def test_a_store_that_is_away_stops_nothing(world, caplog):
    world.service.lost = True
    await world.beat.start()
    assert not world.beat.fresh
    with pytest.raises(Unavailable):
        await world.beat.ensure()
    for _ in range(3):
        world.day.move(1000)
        await world.beat._repeat._task
    (told,) = caplog.messages
    assert told == "the database is away, and games wait for it: the store is gone"
    world.service.lost = False
    caplog.set_level("INFO")
    world.day.move(1000)
    await world.beat._repeat._task
    assert world.beat.fresh
    assert caplog.messages[-1] == "the database is back"
    assert {gap for *_, gap in world.service.beats} == {1500}


async def test_a_store_that_answers_too_late_is_as_good_as_away(world):
    def slow():
        world.day.time += 5000

    world.service.slow = slow
    with pytest.raises(Unavailable):
        await world.beat.ensure()


async def test_a_clock_that_disagrees_with_the_database_is_told_of(world, caplog):
    world.service.time = lambda: world.day.now() + 200
    await world.beat.beat()
    assert world.beat.in_time
    assert caplog.text == ""
    world.service.time = lambda: world.day.now() - 300
    await world.beat.beat()
    await world.beat.beat()
    assert not world.beat.in_time
    assert caplog.text.count("differ by 300 ms") == 1
    world.service.time = world.day.now
    await world.beat.beat()
    assert world.beat.in_time


async def test_work_comes_round_whatever_happens(caplog):
    day, done = Day(), []

    async def work():
        done.append(day.now() - NOW)
        if len(done) == 2:
            raise ValueError("broken")
        if len(done) == 3:
            raise Unavailable("away")

    repeat = Repeat(work, 5.0, day.later)
    repeat.start()
    for _ in range(4):
        day.move(5000)
        await repeat._task
    assert done == [5000, 10_000, 15_000, 20_000]
    assert "ValueError" in caplog.text
    assert "away" not in caplog.text
    await repeat.stop()
    day.move(50_000)
    assert len(done) == 4


async def test_stopping_waits_for_what_was_begun():
    day, gate, done = Day(), asyncio.Event(), []

    async def work():
        await gate.wait()
        done.append(1)

    repeat = Repeat(work, 1.0, day.later)
    repeat.start()
    day.move(1000)
    stopping = asyncio.ensure_future(repeat.stop())
    await asyncio.sleep(0)
    assert not stopping.done()
    gate.set()
    await stopping
    assert done == [1]
    assert day.waiting == []


async def test_a_task_that_fails_is_told_of(caplog):
    tasks = Tasks()

    async def fail(error):
        raise error

    tasks.begin(fail(ValueError("broken")))
    tasks.begin(fail(Unavailable("away")))
    await tasks.settle(20)
    await asyncio.sleep(0)
    assert "broken" in caplog.text
    assert "away" not in caplog.text
