"""Two servers on one PostgreSQL and one Redis: whoever comes to either meets everybody."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import psycopg
import pytest
from tests.web.live.place import BLITZ, PATIENCE, Line, Place, begin

pytestmark = pytest.mark.anyio

Pair = tuple[Place, Place]
NAMES = itertools.count(1)


def opened(folder: Any, postgres: Any, redis: Any) -> Iterator[Pair]:
    """Two servers on a new database."""
    name = f"places{next(NAMES)}"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    url = postgres.database(name)
    places = [Place(folder, database=url, redis=redis.url).start() for _ in range(2)]
    yield places[0], places[1]
    for place in places:
        place.stop()


@pytest.fixture(scope="module")
def pair(tmp_path_factory, postgres, redis) -> Iterator[Pair]:
    yield from opened(tmp_path_factory.mktemp("pair"), postgres, redis)


@pytest.fixture
def doomed(tmp_path, postgres, own_redis) -> Iterator[Pair]:
    """The same with a Redis of their own."""
    yield from opened(tmp_path, postgres, own_redis)


async def test_a_seek_in_one_is_joined_in_the_other(pair):
    here, there = pair
    dora, wim = here.people(2)
    async with here.visit(dora) as one, there.visit(wim) as two:
        await two.send({"t": "watch"})
        await two.hear("lobby")
        seek = await one.ask("seek", control=BLITZ, side="B")
        while not any(shown["id"] == seek["seek"] for shown in (await two.hear("lobby"))["seeks"]):
            pass
        joined = await two.ask("join", seek=seek["seek"])
        assert (await one.hear("paired"))["game"] == joined["game"]
        await play(one, two, joined["game"])


async def play(one: Line, two: Line, game: str) -> None:
    """Each sees what the other does."""
    for line in (one, two):
        await line.send({"t": "follow", "game": game})
        await line.hear("game")
    await one.hear("presence", black=True, white=True)
    await two.hear("presence", black=True, white=True)
    for line, other, ply, move in ((one, two, 0, "11-15"), (two, one, 1, "22-18")):
        assert (await line.do(game, "play", ply=ply, move=move))["t"] == "ack"
        while (heard := await other.hear("events"))["events"][-1].get("move") != move:
            pass
        assert heard["game"] == game


async def test_who_waits_in_one_is_paired_in_the_other(pair):
    here, there = pair
    dora, wim = here.people(2)
    control = {"kind": "per_move", "initial": 20_000}
    async with here.visit(dora) as one, there.visit(wim) as two:
        assert (await one.ask("pair", control=control))["seek"]
        assert (await two.ask("pair", control=control))["game"]
        paired = await one.hear("paired")
        assert (await two.do(paired["game"], "abort"))["t"] == "ack"


async def test_when_one_stops_its_people_go_on_in_the_other(tmp_path, pair):
    _, there = pair
    settings = there.settings
    here = Place(tmp_path, database=settings.database, redis=settings.redis).start()
    dora, wim = here.people(2)
    try:
        async with there.visit(wim) as two:
            async with here.visit(dora) as one:
                game = await begin(one, two)
                await one.do(game, "play", ply=0, move="11-15")
                await one.send({"t": "follow", "game": game})
                version = (await one.hear("game"))["game"]["version"]
                here.ask_to_stop()
                code, said = await one.end()
                assert code == 1012 and said[-1]["reason"] == "restart"
            await two.do(game, "play", ply=1, move="22-18")
            async with there.visit(dora) as one:
                await one.send({"t": "follow", "game": game, "version": version})
                missed = await one.hear("events", game=game)
                assert [event.get("move") for event in missed["events"]] == ["22-18"]
    finally:
        here.stop()


async def test_signing_out_of_one_ends_connections_to_the_other(pair):
    here, there = pair
    (dora,) = here.people(1)
    async with there.visit(dora) as line:
        answer = httpx.delete(
            f"{here.base}/api/session",
            headers={"Cookie": f"kingme_session={dora.token}", "Origin": here.base},
            timeout=PATIENCE,
        )
        assert answer.status_code == 204
        code, said = await line.end()
    assert code == 1012
    assert said[-1]["reason"] == "session"


async def test_without_redis_the_log_decides(doomed, own_redis):
    """Hints are lost; each server looks at the database by itself."""
    here, there = doomed
    dora, wim = here.people(2)
    async with here.visit(dora) as one, there.visit(wim) as two:
        game = await begin(one, two)
        await asyncio.to_thread(own_redis.kill)
        for line in (one, two):
            await line.send({"t": "follow", "game": game})
            await line.hear("game")
        for line, other, ply, move in ((one, two, 0, "11-15"), (two, one, 1, "22-18")):
            assert (await line.do(game, "play", ply=ply, move=move))["t"] == "ack"
            while (await other.hear("events"))["events"][-1].get("move") != move:
                pass
