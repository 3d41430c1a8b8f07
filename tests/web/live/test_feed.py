"""What one socket is sent, and what is measured of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingme.play.clock import TimeControl
from kingme.web.live import feed as feeds
from kingme.web.live.feed import LONGEST, Feed
from kingme.web.live.frames import Do, Follow, Join, Pair, Ping
from kingme.web.live.meter import BUDGETS, LAG_LIMIT, Bucket, Lag
from kingme.web.live.shares import Shares, cost

pytestmark = pytest.mark.anyio


class Network:
    """The other end: it reads while its gate is open."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.asked = asyncio.Event()
        self.read: list[bytes] = []
        self.closed: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.behind = 0
        self.feed = Feed(self._write, self._close, self._abort, self._fell_behind)
        self.task = asyncio.create_task(self.feed.run())

    async def _write(self, frame: bytes) -> None:
        self.asked.set()
        await self.gate.wait()
        self.read.append(frame)

    async def _close(self, code: int, reason: str) -> None:
        self.closed.set_result((code, reason))

    def _abort(self) -> None:
        if not self.closed.done():
            self.closed.set_result("aborted")
        self.task.cancel()

    def _fell_behind(self) -> None:
        self.behind += 1
        self.feed.send(b"all anew")

    async def stall(self) -> None:
        """Stop reading; one frame is on its way."""
        self.gate.clear()
        self.asked.clear()
        self.feed.send(b"on its way")
        await self.asked.wait()


async def test_frames_arrive_in_order_and_the_last_before_the_close_code():
    network = Network()
    frames = [b"%d" % number for number in range(LONGEST)]
    for frame in frames:
        network.feed.send(frame)
    network.feed.finish(1012, "restart")
    network.feed.send(b"too late")
    network.feed.finish(1000)
    assert await network.closed == (1012, "restart")
    assert network.read == frames
    await network.task


async def test_what_is_out_of_date_is_replaced_and_nothing_else():
    network = Network()
    await network.stall()
    for number in range(1000):
        network.feed.send(b"lobby %d" % number, "lobby")
        network.feed.send(b"pong %d" % number, "pong")
    network.feed.send(b"move")
    network.feed.finish(1000)
    network.gate.set()
    await network.closed
    assert network.read == [b"on its way", b"lobby 999", b"pong 999", b"move"]
    assert not network.behind


async def test_a_slow_reader_is_brought_up_to_date_once():
    network = Network()
    await network.stall()
    for number in range(LONGEST + 1):
        network.feed.send(b"%d" % number)
    assert network.behind == 1
    network.feed.send(b"news")
    network.gate.set()
    network.feed.finish(1000)
    assert await network.closed == (1000, "")
    assert network.read == [b"on its way", b"all anew", b"news"]


async def test_a_reader_that_falls_behind_again_is_let_go(monkeypatch):
    monkeypatch.setattr(feeds, "LAST_WORDS", 0)
    network = Network()
    await network.stall()
    for number in range(2 * LONGEST + 1):
        network.feed.send(b"%d" % number)
    assert network.feed.ending
    assert await network.closed == "aborted"
    assert network.behind == 1
    assert not network.read


async def test_time_mends_a_reader(monkeypatch):
    monkeypatch.setattr(feeds, "PATIENCE", 0)
    network = Network()
    await network.stall()
    for number in range(4 * LONGEST + 1):
        network.feed.send(b"%d" % number)
    assert network.behind == 4
    assert not network.feed.ending
    network.task.cancel()


async def test_a_connection_that_is_gone_is_sent_nothing():
    network = Network()
    await network.stall()
    network.feed.send(b"unsaid")
    network.feed.drop()
    network.feed.send(b"too late")
    assert network.feed.ending
    network.task.cancel()
    assert not network.read
    assert not network.closed.done()


@given(
    st.sampled_from(list(BUDGETS)),
    st.lists(st.integers(0, 5_000), max_size=400),
)
def test_no_stretch_of_time_has_more_messages_than_twice_the_budget(kind, pauses):
    """A bucket lets a full load through at once and a second one while it refills."""
    most, period = BUDGETS[kind]
    credit, now, let_through = Bucket.of(kind), 1_000, []
    for pause in pauses:
        now += pause
        if credit.spend(now):
            let_through.append(now)
    for index, at in enumerate(let_through):
        within = [other for other in let_through[index:] if other - at < period]
        assert len(within) <= 2 * most


@pytest.mark.parametrize("kind", BUDGETS)
def test_a_full_load_at_once_and_then_no_more_until_time_has_passed(kind):
    most, period = BUDGETS[kind]
    credit = Bucket.of(kind)
    assert [credit.spend(0) for _ in range(most + 1)] == [True] * most + [False]
    assert credit.spend(period // most + 1)
    assert not credit.spend(period // most + 1)


PINGS = st.lists(st.tuples(st.integers(0, 2**53), st.integers(0, 2**53), st.integers(0, 10_000)))


@given(PINGS)
def test_no_ping_makes_the_lag_negative_or_longer_than_is_believed(pings):
    lag, now = Lag(), 1_000_000
    for echo, held, pause in pings:
        now += pause
        lag.heard(echo, held, now)
        lag.sent(now)
        lag.heard(now - echo % 20_000, held, now)
        assert 0 <= lag.value <= LAG_LIMIT


def test_the_way_is_what_is_left_of_the_time():
    lag = Lag()
    assert lag.value == 0
    lag.heard(0, 0, 5_000)
    assert lag.value == 0
    lag.sent(10_000)
    lag.heard(10_000, 2_500, 12_580)
    assert lag.value == 80
    lag.sent(12_580)
    lag.heard(12_580, 2_500, 15_240)  # 160 ms
    assert lag.value == 100
    lag.heard(12_580, 9_000, 15_240)  # held for longer than there was
    assert lag.value == 100
    lag.heard(12_581, 0, 15_240)  # a pong that was never sent
    assert lag.value == 100


def test_nothing_is_believed_beyond_the_limit():
    lag = Lag()
    lag.sent(1)
    lag.heard(1, 0, 3_600_000)
    assert lag.value == LAG_LIMIT


class TestShares:
    def test_many_sockets_of_one_person_are_not_many_times_as_much(self):
        shares = Shares(per_user=2, per_address=3)
        asked = [shares.spend(7, "192.0.2.1", 0, 1) for _ in range(21)]
        assert asked == [True] * 20 + [False]
        assert shares.spend(8, "192.0.2.1", 0, 1)
        assert shares.spend(7, "192.0.2.1", 20_000, 20)

    def test_nor_are_many_people_at_one_address(self):
        shares = Shares(per_user=2, per_address=3)
        asked = [shares.spend(user, "192.0.2.1", 0, 1) for user in (*range(60), None)]
        assert asked == [True] * 60 + [False]
        assert shares.spend(61, "192.0.2.2", 0, 1)

    def test_an_address_connects_so_often(self):
        shares = Shares(per_user=2, per_address=3)
        assert [shares.enter("a", 0) for _ in range(16)] == [True] * 15 + [False]
        assert shares.enter("b", 0)
        assert shares.enter("a", 60_000)

    def test_what_was_used_long_ago_is_forgotten(self, monkeypatch):
        monkeypatch.setattr("kingme.web.live.shares.REMEMBERED", 2)
        shares = Shares(per_user=1, per_address=1)
        for address in ("a", "b", "c"):
            assert [shares.enter(address, 0) for _ in range(6)] == [True] * 5 + [False]
        assert shares.enter("a", 0)
        assert not shares.enter("c", 0)

    def test_what_the_store_has_to_do_costs_more(self):
        control = TimeControl()
        assert cost(Ping()) == cost(Do("a", "g", "resign")) == 1
        assert cost(Follow("g")) == 2
        assert cost(Join("a", "s")) == cost(Pair("a", control)) == 4
