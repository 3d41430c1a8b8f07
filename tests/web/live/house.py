"""A house where people play: hubs on a real store, with a time of day that the test moves on."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from kingme import Side
from kingme.errors import Refusal, Unavailable
from kingme.play.clock import TimeControl
from kingme.play.events import Started
from kingme.play.game import State, begin
from kingme.play.ports import Bus, NewGame
from kingme.web.live.frames import Do
from kingme.web.live.hub import Hub
from kingme.web.settings import Settings

NOW = 1_700_000_000_000
BLITZ = TimeControl("increment", 300_000, 3_000)
BLACK, WHITE = Side.BLACK, Side.WHITE
PATIENCE = 20


class Call:
    """A call that was put off."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.call: Callable[[], object] | None = call

    def cancel(self) -> None:
        self.call = None


class Day:
    """The time of day, which stands still unless it is moved on."""

    def __init__(self) -> None:
        self.time = NOW
        self._calls: list[tuple[int, int, Call]] = []
        self._numbers = itertools.count()

    def now(self) -> int:
        return self.time

    def later(self, seconds: float, call: Callable[[], object]) -> Call:
        put_off = Call(call)
        at = self.time + max(0, round(seconds * 1000))
        heapq.heappush(self._calls, (at, next(self._numbers), put_off))
        return put_off

    @property
    def waiting(self) -> list[int]:
        """In how many ms each call is made that is still wanted."""
        return sorted(at - self.time for at, _, put_off in self._calls if put_off.call)

    def move(self, ms: int) -> None:
        """Let time go by, with all that is to happen in it."""
        end = self.time + ms
        while self._calls and self._calls[0][0] <= end:
            at, _, put_off = heapq.heappop(self._calls)
            self.time = max(self.time, at)
            if put_off.call:
                put_off.call()
        self.time = end


class Exchange:
    """What joins the buses of several hubs; it can be cut."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.cut = False

    def line(self) -> Line:
        line = Line(self)
        self.lines.append(line)
        return line


class Line:
    """One hub's bus."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.hear: Callable[[str, bytes], None] = lambda topic, body: None
        self.said: list[tuple[str, bytes]] = []

    @property
    def healthy(self) -> bool:
        return not self.exchange.cut

    async def start(self, hear: Callable[[str, bytes], None]) -> None:
        self.hear = hear

    async def publish(self, topic: str, body: bytes) -> None:
        self.said.append((topic, body))
        if not self.exchange.cut:
            for line in self.exchange.lines:
                line.hear(topic, body)

    async def stop(self) -> None:
        self.hear = lambda topic, body: None


class Person:
    """A connection of somebody, with all the frames that came."""

    ids = itertools.count(1)

    def __init__(self, hub: Hub, user: int | None = None) -> None:
        self.hub, self.user = hub, user
        self.frames: deque[dict[str, Any]] = deque()
        self.all: list[dict[str, Any]] = []
        self.versions: dict[str, int] = {}
        self._came = asyncio.Event()

    def send(self, frame: bytes, key: str | None = None) -> None:
        said = json.loads(frame)
        assert key is None or said["t"] == "presence"
        if said["t"] == "game":
            self.versions[said["game"]["id"]] = said["game"]["version"]
        elif said["t"] == "events":
            # Nothing is left out, and nothing comes twice.
            assert said["after"] == self.versions.get(said["game"], said["after"])
            self.versions[said["game"]] = said["after"] + len(said["events"])
        self.frames.append(said)
        self.all.append(said)
        self._came.set()

    async def follow(self, game: str, version: int = 0) -> dict[str, Any]:
        """Follow a game; what is said of it first."""
        frames = await self.hub.follow(game, self, version)
        self.frames.clear()
        self.versions.pop(game, None)
        for frame in frames:
            self.send(frame)
        return await self.see()

    async def see(self, kind: str | None = None, **fields: Any) -> dict[str, Any]:
        """The next frame of a kind with these fields; those before it are dropped."""
        async with asyncio.timeout(PATIENCE):
            while True:
                while self.frames:
                    frame = self.frames.popleft()
                    if kind in (None, frame["t"]) and fields.items() <= frame.items():
                        return frame
                self._came.clear()
                await self._came.wait()

    async def event(self, kind: str) -> dict[str, Any]:
        """The next event of a kind, with the `clock` after it and its `version`."""
        async with asyncio.timeout(PATIENCE):
            while True:
                frame = await self.see("events")
                for number, event in enumerate(frame["events"], 1):
                    if event["kind"] == kind:
                        version = frame["after"] + number
                        rest = frame | {"after": version, "events": frame["events"][number:]}
                        self.frames.appendleft(rest)
                        return event | {"clock": frame["clock"], "version": version}

    async def do(self, game: str, what: Any, lag: int = 0, **fields: Any) -> int:
        """Ask something; the game's version afterwards."""
        fields.setdefault("id", f"id{next(self.ids)}")
        return await self.hub.do(self.user, Do(game=game, what=what, **fields), lag)

    async def play(self, game: str, ply: int, move: str, **fields: Any) -> int:
        return await self.do(game, "play", ply=ply, move=move, **fields)


class Trouble:
    """The games of a store that fails when it is told to."""

    def __init__(self, games: Any) -> None:
        self.games = games
        self.lost = False  # nothing can be written or read
        self.silent = False  # what is written is kept, but no answer comes
        self.fault: Exception | None = None  # the program is wrong
        self.deaf = False  # nothing is ever taken
        self.hook: Callable[[], object] = lambda: None  # called in the thread before each write
        self.reading: Callable[[], object] = lambda: None  # called there before each log is read
        self.read: Callable[[], object] = lambda: None  # and after that

    def __getattr__(self, name: str) -> Any:
        return getattr(self.games, name)

    def _write(self, call: Callable[[Any], Any], item: Any) -> Any:
        self.hook()
        self._check()
        answer = call(item)
        if self.silent:
            raise Unavailable("the store gave no answer")
        return answer

    def append(self, batch: Any) -> Any:
        if self.deaf:
            return [False] * len(batch)
        return self._write(self.games.append, batch)

    def finish(self, item: Any) -> Any:
        if self.deaf:
            return None
        return self._write(self.games.finish, item)

    def events(self, game: str, after: int = 0) -> Any:
        self._check()
        self.reading()
        events = self.games.events(game, after)
        self.read()
        return events

    def _check(self) -> None:
        if self.lost:
            raise Unavailable("the store is gone")
        if self.fault:
            raise self.fault


class Seen:
    """A store as one hub sees it, with trouble of its own."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.games = Trouble(store.games)
        self.service = Beats(store.service, self.games)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


class Beats:
    """The heartbeats of a store that may be gone."""

    def __init__(self, service: Any, games: Trouble) -> None:
        self.service, self.games = service, games
        self.gaps: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.service, name)

    def beat(self, process: str, now: int, gap: int) -> Any:
        if self.games.lost:
            raise Unavailable("the store is gone")
        self.gaps.append(gap)
        return self.service.beat(process, now, gap)

    def time(self) -> None:
        """The day of a test is not that of any database."""


class House:
    """Some hubs on one store, and two players with an account, Dora (Black) and Wim (White)."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.day = Day()
        self.exchange = Exchange()
        self.hubs: list[Hub] = []
        self.views: list[Seen] = []
        self.dora = store.users.add("Dora", NOW, "hash").id
        self.wim = store.users.add("Wim", NOW, "hash").id
        self._games = itertools.count(1)

    async def open(self, bus: Bus | None = None) -> Hub:
        """One more hub, on a bus of its own or the common one; its store is the last of `views`."""
        view = Seen(self.store)
        process = f"hub{len(self.hubs)}"
        hub = Hub(
            view,
            bus or self.exchange.line(),
            Settings(),
            self.day.now,
            later=self.day.later,
            process=process,
        )
        await hub.start()
        self.hubs.append(hub)
        self.views.append(view)
        await self.rest()
        return hub

    async def close(self) -> None:
        for hub in self.hubs:
            await hub.stop()

    async def game(
        self, control: TimeControl = BLITZ, hub: Hub | None = None, **fields: Any
    ) -> str:
        """A game of Dora's and Wim's that begins now."""
        fields = {"black": self.dora, "white": self.wim} | fields
        started = Started(at=self.day.now(), control=control, **fields)
        game = f"game{next(self._games):06}"
        new = NewGame(game, started, begin(started).deadline())
        await self.hubs[0].begin(new)
        return game

    async def rest(self) -> None:
        """Wait until no hub is at work."""
        async with asyncio.timeout(PATIENCE):
            while tasks := [task for hub in self.hubs for task in _at_work(hub)]:
                await asyncio.wait(tasks)

    async def wait(self, ms: int) -> None:
        """Let time go by, second by second, with all that is done in it."""
        while ms > 0:
            step = min(ms, 500)
            self.day.move(step)
            await self.rest()
            ms -= step

    def state(self, game: str, hub: int = 0) -> State:
        """A game as a hub has it."""
        state = self.hubs[hub].peek(game)
        assert state is not None
        return state

    def log(self, game: str) -> list[Any]:
        """What the store has of a game."""
        events: list[Any] = self.store.games.events(game)
        return events

    def kinds(self, game: str) -> list[str]:
        return [type(event).__name__ for event in self.log(game)]


def _at_work(hub: Hub) -> list[asyncio.Task[Any]]:
    repeats = [*hub._repeats, hub._beat._repeat]
    tasks = [repeat._task for repeat in repeats if repeat._task is not None]
    return [task for task in [*hub._tasks._all, *tasks] if not task.done()]


async def sat(house: House, game: str, hub: Hub | None = None) -> tuple[Person, Person]:
    """Both players, following."""
    hub = hub or house.hubs[0]
    dora, wim = Person(hub, house.dora), Person(hub, house.wim)
    await dora.follow(game)
    await wim.follow(game)
    dora.frames.clear()
    wim.frames.clear()
    return dora, wim


async def refused(code: str, asked: Coroutine[Any, Any, object]) -> Refusal:
    """What is asked is refused with this code."""
    with pytest.raises(Refusal) as refusal:
        await asked
    assert refusal.value.code == code, str(refusal.value)
    return refusal.value
