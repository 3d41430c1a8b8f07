"""A real server with a real store for people to meet at, and the connections they come by."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from tests.web.conftest import FirstMove
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kingme.cli.play import listen
from kingme.store import Store, open_store
from kingme.web.app import create_app, real_ports
from kingme.web.auth import COOKIE
from kingme.web.live.frames import SUBPROTOCOL
from kingme.web.live.service import Live, Parts
from kingme.web.ports import Ports
from kingme.web.serve import Server
from kingme.web.settings import Settings
from live.people import Person, enrol

BLITZ = {"kind": "increment", "initial": 300_000, "increment": 3_000}
PATIENCE = 60


class Place:
    """A server in a thread of its own, whose parts a test may reach into."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.settings = Settings(data_dir=str(folder), **settings)
        live = real_ports(self.settings).live
        assert live is not None
        self.app = create_app(self.settings, Ports(FirstMove(), live))
        self.live: Live = self.app.state.live
        self.store: Store = open_store(self.settings.database_url)
        self.store.migrate()
        self.listener = listen("127.0.0.1", 0)
        self.port = self.listener.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self._up = threading.Event()
        self.server = Server(self.app, self._ready)
        self._thread = threading.Thread(
            target=self.server.run, kwargs={"sockets": [self.listener]}, name="place"
        )

    def _ready(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._up.set()

    def start(self) -> Place:
        self._thread.start()
        assert self._up.wait(PATIENCE), "the server did not start"
        self.parts: Parts = self.run(self.live.ready())
        return self

    def run(self, work: Any) -> Any:
        """Await something on the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def call(self, work: Any, *given: Any) -> Any:
        """Call something on the server's loop."""

        async def inside() -> Any:
            return work(*given)

        return self.run(inside())

    def ask_to_stop(self) -> None:
        """As Ctrl+C does."""
        self.server.should_exit = True

    def stop(self) -> None:
        self.ask_to_stop()
        self._thread.join()
        self.listener.close()
        self.store.close()

    def people(self, count: int, **more: Any) -> list[Person]:
        return list(enrol(self.store, count, **more))

    @contextlib.asynccontextmanager
    async def visit(self, person: Person | None = None, **more: Any) -> AsyncIterator[Line]:
        """A connection of somebody, welcomed."""
        async with self.knock(person, **more) as line:
            assert (await line.next())["t"] == "welcome"
            yield line

    @contextlib.asynccontextmanager
    async def knock(
        self,
        person: Person | None = None,
        *,
        headers: dict[str, str] | None = None,
        name: str = "127.0.0.1",
        protocols: list[Any] | None = None,
        **more: Any,
    ) -> AsyncIterator[Line]:
        """The same, not welcomed yet."""
        sent = {"Origin": self.base, **(headers or {})}
        if person is not None:
            sent["Cookie"] = f"{COOKIE}={person.token}"
        async with connect(
            f"ws://{name}:{self.port}/live",
            host="127.0.0.1",
            subprotocols=[SUBPROTOCOL] if protocols is None else protocols or None,  # type: ignore[list-item]
            additional_headers=sent,
            compression=None,
            proxy=None,
            **more,
        ) as socket:
            yield Line(socket)


class Line:
    """A connection, and what is said over it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, frame: dict[str, Any] | str | bytes) -> None:
        await self.socket.send(json.dumps(frame) if isinstance(frame, dict) else frame)

    async def next(self) -> dict[str, Any]:
        """The next frame."""
        async with asyncio.timeout(PATIENCE):
            frame: dict[str, Any] = json.loads(await self.socket.recv())
            return frame

    async def hear(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The next frame of a kind with these fields; those before it are dropped."""
        while True:
            frame = await self.next()
            if frame["t"] == kind and fields.items() <= frame.items():
                return frame

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a frame that gets an answer, and return that."""
        name = fields.setdefault("id", secrets.token_hex(6))
        await self.send({"t": kind, **fields})
        while True:
            frame = await self.next()
            if frame["t"] in ("ack", "no") and frame.get("id") == name:
                return frame

    async def do(self, game: str, what: str, **fields: Any) -> dict[str, Any]:
        return await self.ask("do", game=game, what=what, **fields)

    async def alive(self) -> None:
        """The server answers here."""
        await self.send({"t": "ping"})
        await self.hear("pong")

    async def end(self) -> tuple[int, list[dict[str, Any]]]:
        """The close code, and what was said before."""
        said = []
        async with asyncio.timeout(PATIENCE):
            with contextlib.suppress(ConnectionClosed):
                while True:
                    said.append(json.loads(await self.socket.recv()))
        assert self.socket.close_code is not None
        return self.socket.close_code, said


@contextlib.contextmanager
def opened(folder: Path, **settings: Any) -> Iterator[Place]:
    """A place for the time of the block."""
    place = Place(folder, **settings).start()
    try:
        yield place
    finally:
        place.stop()


async def begin(one: Line, two: Line, **fields: Any) -> str:
    """A game between two people, by a link; the first plays Black unless said otherwise."""
    wanted = {"control": BLITZ, "private": True, "side": "B"} | fields
    seek = await one.ask("seek", **wanted)
    joined = await two.ask("join", seek=seek.get("code", seek["seek"]))
    game: str = joined["game"]
    return game
