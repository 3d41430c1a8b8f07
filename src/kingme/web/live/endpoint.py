"""The door of the live connection at ``/live``: who may come in, and how they are told if not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from kingme.web.auth import Auth
from kingme.web.guard import RequestError
from kingme.web.limits import address_of
from kingme.web.live.frames import SUBPROTOCOL, Bye, encode
from kingme.web.live.shares import Shares
from kingme.web.live.socket import Games, Hall, Socket
from kingme.web.live.sockets import Sockets
from kingme.web.settings import Settings
from kingme.web.upgraded import ABORT

__all__ = ["Endpoint"]

FAMILY = SUBPROTOCOL.partition(".")[0] + "."


class Endpoint:
    """Opens live connections (ASGI)."""

    def __init__(
        self,
        auth: Auth,
        games: Games,
        hall: Hall,
        sockets: Sockets,
        settings: Settings,
        now: Callable[[], int],
        moved: Callable[[float], object],
    ) -> None:
        self._auth = auth
        self._games = games
        self._hall = hall
        self._sockets = sockets
        self._settings = settings
        self._shares = Shares(settings.sockets_per_user, settings.sockets_per_address)
        self._now = now
        self._moved = moved

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, from its handshake to its end."""
        if self._sockets.draining:
            raise RequestError(503, "draining", "The server is restarted. Try again in a moment.")
        await receive()  # websocket.connect
        wire = Wire(scope, receive, send)
        offered = cast("list[str]", scope["subprotocols"])
        if SUBPROTOCOL not in offered:
            other = next((name for name in offered if name.startswith(FAMILY)), None)
            if other is None:
                raise RequestError(400, "wrong_protocol", f"Ask for the protocol {SUBPROTOCOL}.")
            await wire.turn_away(other, Bye("release"))
            return
        address = address_of(scope["client"])
        if not self._shares.enter(address, self._now()):
            raise RequestError(429, "too_many", "Too many connections. Wait a moment.")
        if not self._sockets.enter(address, self._settings.sockets_per_address):
            await wire.turn_away(SUBPROTOCOL, Bye("too_many"))
            return
        try:
            await self._serve(wire, Headers(scope=scope), address)
        finally:
            self._sockets.leave(address)

    async def _serve(self, wire: Wire, headers: Headers, address: str) -> None:
        mark = self._sockets.mark
        user = await self._auth.identify(headers)
        if user is not None and self._sockets.count(user.id) >= self._settings.sockets_per_user:
            await wire.turn_away(SUBPROTOCOL, Bye("too_many"))
            return
        await wire.accept(SUBPROTOCOL)

        def spend(now: int, credits_: int) -> bool:
            return self._shares.spend(user.id if user else None, address, now, credits_)

        made = Socket(
            wire,
            user,
            headers,
            self._games,
            self._hall,
            self._now,
            spend=spend,
            moved=self._moved,
        )
        await made.run(self._sockets, mark)


class Wire:
    """A WebSocket as ASGI gives it."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._abort = scope.get("extensions", {}).get(ABORT)
        self._task = asyncio.current_task()

    async def accept(self, subprotocol: str) -> None:
        """Open the connection."""
        await self._send({"type": "websocket.accept", "subprotocol": subprotocol})

    async def turn_away(self, subprotocol: str, bye: Bye) -> None:
        """Open the connection only to say why it is closed: a page cannot read a refusal."""
        await self.accept(subprotocol)
        await self.write(encode(bye))
        await self.close(1008, bye.reason)

    async def receive(self) -> str | bytes | None:
        """The next message; None when the connection is over."""
        message: Message = await self._receive()
        if message["type"] != "websocket.receive":
            return None
        text = message.get("text")
        return cast("bytes", message["bytes"]) if text is None else cast("str", text)

    async def write(self, frame: bytes) -> None:
        """Send a text message, waiting while the network is busy."""
        await self._send({"type": "websocket.send", "text": frame.decode()})

    async def close(self, code: int, reason: str) -> None:
        """Send a close code."""
        await self._send({"type": "websocket.close", "code": code, "reason": reason})

    def abort(self) -> None:
        """End the connection at once; a server that cannot do so lets its task go."""
        if self._abort is not None:
            self._abort()
        elif self._task is not None:
            self._task.cancel()
