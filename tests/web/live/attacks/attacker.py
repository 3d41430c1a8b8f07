"""Somebody who sends whatever they like, and players who keep to the rules."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2 as httpx

from kingme.play.clock import TimeControl
from kingme.play.events import Moved
from kingme.store import Store
from kingme.web.auth import Passwords
from live.client import Client, keep
from live.people import Person
from live.seats import Pair
from live.service import Service
from live.wire import open_socket

SECONDS = 60
BLITZ = TimeControl("increment", 300_000, 3_000)
ELSEWHERE = "https://evil.example"


class Attacker:
    """A connection that sends whatever it likes, and keeps all it gets."""

    def __init__(self) -> None:
        self.frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.code: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def open(self, base: str, token: str | None = None, **more: Any) -> Attacker:
        self.socket = await open_socket(base, token, self.hear, self.gone, **more)
        return self

    def hear(self, message: bytes) -> None:
        self.frames.put_nowait(json.loads(message))

    def gone(self, code: int) -> None:
        if not self.code.done():
            self.code.set_result(code)

    def send(self, frame: dict[str, Any] | str | bytes) -> None:
        text = json.dumps(frame) if isinstance(frame, dict) else frame
        self.socket.send(text.encode() if isinstance(text, str) else text)

    async def next(self, *kinds: str) -> dict[str, Any]:
        """The next frame of one of these kinds."""
        async with asyncio.timeout(SECONDS):
            while (frame := await self.frames.get())["t"] not in kinds:
                pass
            return frame

    async def ask(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Send a frame with an id and return its answer."""
        name = frame.setdefault("id", secrets.token_hex(6))
        self.send(frame)
        while True:
            answer = await self.next("ack", "no")
            if answer.get("id") == name:
                return answer

    async def do(self, game: str, what: str, **fields: Any) -> dict[str, Any]:
        return await self.ask({"t": "do", "game": game, "what": what, **fields})

    async def alive(self) -> None:
        """The server still answers on this connection."""
        self.send({"t": "ping"})
        await self.next("pong")

    async def closed(self) -> int:
        async with asyncio.timeout(SECONDS):
            return await asyncio.shield(self.code)


@asynccontextmanager
async def seated(service: Service, one: Person, two: Person, **more: Any) -> AsyncIterator[Pair]:
    """A game between two players who keep to the rules; the first is Black."""
    clients = [Client([service.base], person.token, user=person.id) for person in (one, two)]
    keeping = asyncio.create_task(keep(clients))
    try:
        for client in clients:
            await client.connect()
        pair = Pair(clients[0], clients[1], BLITZ, **more)
        await pair.sit()
        yield pair
        assert [client.broken for client in clients] == ["", ""]
    finally:
        keeping.cancel()
        for client in clients:
            await client.leave()


async def play(pair: Pair, plies: int) -> list[str]:
    """Play on until so many moves stand, and both have seen them."""
    boards = [client.boards[pair.game] for client in (pair.one, pair.two)]
    for ply in range(len(boards[0].moves), plies):
        mover, board = (pair.one, boards[0]) if ply % 2 == 0 else (pair.two, boards[1])
        mover.play(board, board.positions[-1].legal_moves[0])
        for client, seen in zip((pair.one, pair.two), boards, strict=True):
            await client.until(lambda seen=seen, ply=ply: len(seen.moves) > ply)
    return list(boards[0].moves)


def doing(game: str, name: str, **fields: Any) -> dict[str, Any]:
    """A frame that plays a move."""
    return {"t": "do", "id": name, "game": game, "what": "play", **fields}


def moves(store: Store, game: str) -> list[str]:
    return [event.move for event in store.games.events(game) if isinstance(event, Moved)]


def control() -> dict[str, Any]:
    return {"kind": "increment", "initial": 300_000, "increment": 3_000}


def session_of(service: Service, token: str | None) -> int | None:
    """Whose session a token is, as the server says."""
    cookies = {"kingme_session": token} if token else {}
    answer = httpx.get(f"{service.base}/api/session", cookies=cookies, timeout=SECONDS)
    assert answer.status_code == 200
    you = answer.json()["you"]
    return None if you is None else int(you["id"])


async def fetch(service: Service, path: str, person: Person | None) -> httpx.Response:
    cookies = {"kingme_session": person.token} if person else {}
    return await anyio.to_thread.run_sync(
        lambda: httpx.get(service.base + path, cookies=cookies, timeout=SECONDS)
    )


def with_password(store: Store, password: str) -> str:
    """A new account's name."""
    name = f"u{secrets.token_hex(6)}"
    store.users.add(name, time.time_ns() // 1_000_000, anyio.run(Passwords().hash, password))
    return name


def login(service: Service, name: str, password: str, **more: Any) -> httpx.Response:
    sent = {"name": name, "password": password}
    return httpx.post(f"{service.base}/api/session/login", json=sent, timeout=SECONDS, **more)
