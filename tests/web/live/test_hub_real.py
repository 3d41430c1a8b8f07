"""Two hubs on PostgreSQL and Redis, which are killed now and then."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from tests.web.live.house import NOW, House, Person, refused

from kingme.bus import open_bus
from kingme.play.room import DEFAULT_ROOMS
from kingme.play.stakes import grant
from kingme.store import open_store

pytestmark = pytest.mark.anyio

MOVES = ["11-15", "22-18", "15x22", "25x18", "8-11", "29-25", "4-8", "25-22"]
NAMES = itertools.count(1)


async def pair(postgres: Any, redis: Any) -> AsyncIterator[House]:
    """Two hubs on a new database."""
    name = f"hubs{next(NAMES)}"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    store = open_store(postgres.database(name))
    store.migrate()
    house = House(store)
    for _ in range(2):
        await house.open(open_bus(redis.url))
    yield house
    await house.close()
    store.close()


@pytest.fixture
async def two(postgres, redis):
    async for house in pair(postgres, redis):
        yield house


@pytest.fixture
async def doomed(own_postgres, own_redis):
    async for house in pair(own_postgres, own_redis):
        yield house


async def apart(house: House, game: str) -> tuple[Person, Person]:
    """The two players, each on a hub of their own."""
    dora, wim = Person(house.hubs[0], house.dora), Person(house.hubs[1], house.wim)
    await dora.follow(game)
    await wim.follow(game)
    return dora, wim


async def play(game: str, dora: Person, wim: Person, first: int = 0, last: int = 99) -> None:
    """Moves in turn, each answered when it was seen."""
    for ply, move in list(enumerate(MOVES))[first:last]:
        await (wim if ply % 2 else dora).play(game, ply, move)
        for person in (dora, wim):
            assert (await person.event("moved"))["move"] == move


async def test_a_staked_game_is_played_and_settled_once(two: House):
    for user in (two.dora, two.wim):
        two.store.ledger.book(grant(f"gift {user}", user, 100, "gift", NOW))
    game = await two.game(rated=True, terms=DEFAULT_ROOMS["passport"].terms(10))
    dora, wim = await apart(two, game)
    await play(game, dora, wim)
    answers = await asyncio.gather(
        dora.do(game, "resign"), wim.do(game, "resign"), return_exceptions=True
    )
    assert sorted(getattr(answer, "code", "done") for answer in answers) == ["done", "game_over"]
    assert two.kinds(game)[-2:] == ["Resigned", "Settled"]
    assert [(await person.event("settled"))["version"] for person in (dora, wim)] == [11, 11]
    assert two.store.ledger.check() == []


async def test_many_games_at_once(two: House):
    games = [await two.game() for _ in range(20)]
    players = [await apart(two, game) for game in games]
    await asyncio.gather(
        *(play(game, dora, wim) for game, (dora, wim) in zip(games, players, strict=True))
    )
    assert all(two.kinds(game) == ["Started"] + ["Moved"] * len(MOVES) for game in games)
    assert [hub.figures["conflicts"] for hub in two.hubs] == [0, 0]


async def test_both_ask_at_once_and_each_event_has_its_version(two: House):
    game = await two.game()
    dora, wim = await apart(two, game)
    await asyncio.gather(
        *(person.do(game, "say", phrase="hello") for _ in range(10) for person in (dora, wim))
    )
    for person in (dora, wim):
        versions = [(await person.event("said"))["version"] for _ in range(20)]
        assert versions == list(range(2, 22))


async def test_a_database_that_was_killed_loses_nothing(doomed: House, own_postgres):
    game = await doomed.game()
    dora, wim = await apart(doomed, game)
    await play(game, dora, wim, last=3)
    own_postgres.kill()
    await refused("storage", wim.play(game, 3, MOVES[3], id="mine"))
    own_postgres.start()
    await wim.play(game, 3, MOVES[3], id="mine")
    for person in (dora, wim):
        assert (await person.event("moved"))["version"] == 5
    await play(game, dora, wim, first=4)
    assert doomed.kinds(game) == ["Started"] + ["Moved"] * len(MOVES)


async def test_without_redis_the_log_is_looked_at(doomed: House, own_redis):
    game = await doomed.game()
    dora, wim = await apart(doomed, game)
    await play(game, dora, wim, last=2)
    own_redis.kill()
    async with asyncio.timeout(30):
        while any(hub._hints.healthy for hub in doomed.hubs):
            await asyncio.sleep(0.01)
    await doomed.wait(5_500)  # the hubs notice
    await dora.play(game, 2, MOVES[2])
    await doomed.wait(1_500)
    assert (await wim.event("moved"))["move"] == MOVES[2]
    own_redis.start()
    async with asyncio.timeout(30):
        while not all(hub._hints.healthy for hub in doomed.hubs):
            await asyncio.sleep(0.01)
    await dora.event("moved")
    await play(game, dora, wim, first=3)
