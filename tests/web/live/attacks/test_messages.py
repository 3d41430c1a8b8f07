"""Messages that are no frames, too large or too many, or anything at all."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.web.live.attacks.attacker import Attacker, moves, play, seated

from kingme.play.clock import TimeControl
from kingme.web.live.frames import Do, Follow, Join, Ping, SeekSent, Unfollow
from live.people import Person, enrol
from live.service import Service

pytestmark = pytest.mark.anyio


class TestFrames:
    @pytest.mark.parametrize(
        "message",
        [
            "",
            "x",
            "null",
            "[]",
            "{}",
            '{"t":"do"}',
            '{"t":"do","id":"' + "x" * 33 + '"}',
            '{"t":"nothing"}',
            '{"t":"ping","echo":-1}',
            '{"t":"follow","game":"' + "x" * 41 + '"}',
            '{"t":"follow","game":"../../etc/passwd"}',
            '{"t":"follow","game":"\' OR 1=1 --"}',
            '{"t":"follow","game":"\\u0000"}',
            '{"t":"follow","game":"x","version":1e400}',
            "[" * 8000,
            '{"t":' * 1500,
            '{"t":"ping",' + '"x":1,' * 1300 + '"y":1}',
        ],
    )
    async def test_that_are_none(self, arrive, people, message):
        attacker = await arrive(people[0])
        attacker.send(message)
        await attacker.alive()

    async def test_that_are_bytes(self, arrive, people):
        attacker = await arrive(people[0])
        attacker.socket.send_binary(b'{"t":"ping"}')
        answer = await attacker.next("no")
        assert answer["code"] == "malformed"
        await attacker.alive()

    async def test_that_are_no_text(self, arrive, people):
        attacker = await arrive(people[0])
        attacker.send(b"\xff\xfe")
        assert await attacker.closed() == 1007

    @pytest.mark.parametrize("size", [8 * 1024 + 1, 100_000, 5_000_000])
    async def test_that_are_too_large(self, arrive, people, size):
        attacker = await arrive(people[0])
        attacker.send('{"t":"ping","echo":"' + "x" * size + '"}')
        assert await attacker.closed() == 1009
        await (await arrive(people[0])).alive()

    async def test_in_many_pieces(self, arrive, people):
        attacker = await arrive(people[0])
        inner = attacker.socket.inner
        inner.send_text(b'{"t":"ping","echo":"', fin=False)
        for _ in range(9000):
            inner.send_continuation(b"x", fin=False)
        attacker.socket.flush()
        assert await attacker.closed() == 1009
        await (await arrive(people[0])).alive()

    async def test_that_are_packed(self, arrive, people):
        packed = {"Sec-WebSocket-Extensions": "permessage-deflate; server_max_window_bits=8"}
        await (await arrive(people[0], headers=packed)).alive()  # no packing is agreed on

    async def test_pings_of_the_protocol_do_not_keep_others_waiting(self, service, arrive, people):
        async with seated(service, people[1], people[2]) as pair:
            flood = await arrive(people[0])
            for _ in range(20_000):
                flood.socket.inner.send_ping(b"x")
            flood.socket.flush()
            assert len(await play(pair, 4)) == 4

    async def test_that_come_too_fast(self, service, store, arrive, people):
        async with seated(service, people[1], people[2]) as pair:
            flood = await arrive(people[0])
            for _ in range(400):
                flood.send({"t": "follow", "game": pair.game})
            assert await flood.closed() == 1008
            assert len(await play(pair, 6)) == 6  # the others do not notice
            assert len(moves(store, pair.game)) == 6

    async def test_that_come_a_little_too_fast(self, arrive, people):
        hasty = await arrive(people[0])
        for _ in range(35):
            hasty.send({"t": "ping"})
        assert (await hasty.next("no"))["code"] == "too_fast"
        assert not hasty.code.done()


KINDS = st.sampled_from(
    ["ping", "follow", "unfollow", "watch", "do", "seek", "pair", "unseek", "join", "ack", "x", ""]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(["play", "resign", "11-15", "B", "standard", "passport", "increment"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
STRUCTS = (Do, SeekSent, TimeControl, Ping, Follow, Unfollow, Join)
FIELDS = st.sampled_from([name for struct in STRUCTS for name in struct.__struct_fields__])
FRAMES = st.builds(
    lambda kind, fields, name: json.dumps({"t": kind, "id": name, **fields}),
    KINDS,
    st.dictionaries(FIELDS, VALUES, max_size=8),
    st.text(min_size=1, max_size=8),
)
MESSAGES = FRAMES | st.text(max_size=200) | st.binary(max_size=200)


class Crowd:
    """Connections that take turns, so that none of them is a flood; a closed one is made anew."""

    def __init__(self, service: Service, people: list[Person]) -> None:
        self.service = service
        self.people = people
        self.attackers: list[Attacker | None] = [None] * len(people)
        self.turn = 0

    async def leave(self) -> None:
        for attacker in self.attackers:
            if attacker is not None:
                await attacker.socket.leave()

    async def send(self, message: str | bytes) -> None:
        """Send a message: it is answered or ends the connection, and the server lives on."""
        self.turn = (self.turn + 1) % len(self.people)
        attacker = self.attackers[self.turn]
        if attacker is None or attacker.code.done():
            attacker = await Attacker().open(self.service.base, self.people[self.turn].token)
            self.attackers[self.turn] = attacker
        attacker.send(message)
        attacker.send({"t": "ping"})
        pong = asyncio.create_task(attacker.next("pong"))
        end = asyncio.create_task(attacker.closed())
        done, rest = await asyncio.wait({pong, end}, return_when=asyncio.FIRST_COMPLETED)
        for task in rest:
            task.cancel()
        for task in done:
            if task is end:
                assert end.result() in (1002, 1003, 1007, 1008, 1009)
            else:
                pong.result()


def test_any_message_at_all(service, store):
    people = list(enrol(store, 40))
    with asyncio.Runner() as runner:
        crowd = Crowd(service, people)

        @given(message=MESSAGES)
        @settings(
            max_examples=300,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        )
        def send(message: str | bytes) -> None:
            if isinstance(message, str):
                message = message.encode("utf-8", "surrogatepass")
            runner.run(crowd.send(message))

        send()
        runner.run(crowd.leave())
    assert b"ok" in service.get("/healthz")
    assert store.ledger.check() == []
