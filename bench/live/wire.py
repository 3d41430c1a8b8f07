"""One WebSocket to the server, as callbacks: two thousand of these fit beside it on a machine.

The framing is the library's (`websockets`, without its tasks and queues); what is left out here
is what a page would not see either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import cast

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidHandshake, InvalidMessage
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import OPEN
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from kingme.web.live.frames import SUBPROTOCOL

__all__ = ["Refused", "Socket", "open_socket"]

COOKIE = "kingme_session"


class Refused(Exception):
    """The server turned the handshake down; `status` is 0 where it did not even answer."""

    def __init__(self, status: int, body: str = "") -> None:
        super().__init__(f"{status}: {body}")
        self.status = status
        self.body = body


class Socket(asyncio.Protocol):
    """A connection: `hear` gets each message, `gone` the close code once (1006: it broke off)."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        hear: Callable[[bytes], None],
        gone: Callable[[int], None],
        subprotocol: str | None = SUBPROTOCOL,
    ) -> None:
        offered = [cast(Subprotocol, subprotocol)] if subprotocol else None
        self.inner = ClientProtocol(parse_uri(url), subprotocols=offered, max_size=2**24)
        self.headers = headers
        self.hear = hear
        self.gone: Callable[[int], None] | None = gone
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost = asyncio.Event()
        self.transport: asyncio.Transport | None = None
        self._parts: list[bytes] = []

    # --- what asyncio calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self.transport = cast(asyncio.Transport, transport)
        request = self.inner.connect()
        for name, value in self.headers.items():
            if name in request.headers:
                del request.headers[name]
            request.headers[name] = value
        self.inner.send_request(request)
        self.flush()

    def data_received(self, data: bytes) -> None:
        """Hand on whole messages."""
        self.inner.receive_data(data)
        self._take()

    def eof_received(self) -> None:
        """Let the connection close."""
        self.inner.receive_eof()
        self._take()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell that it is over, once."""
        del exc
        self.lost.set()
        if not self.opened.done():
            self.opened.set_exception(Refused(0, "the connection closed"))
            self.opened.exception()  # nobody may be waiting any more
        elif self.gone is not None and self.opened.exception() is None:
            gone, self.gone = self.gone, None
            closed = self.inner.close_rcvd
            gone(int(closed.code) if closed else 1006)

    # --- what the client calls ---

    @property
    def open(self) -> bool:
        """Whether messages can be sent."""
        return self.inner.state is OPEN and self.transport is not None

    def send(self, message: bytes) -> None:
        """Send a text message; where the connection is gone, it goes nowhere."""
        if self.open:
            self.inner.send_text(message)
            self.flush()

    def send_binary(self, message: bytes) -> None:
        """Send a binary message."""
        self.inner.send_binary(message)
        self.flush()

    def close(self) -> None:
        """Close politely."""
        if self.open:
            self.inner.send_close(1000)
            self.flush()
        elif self.transport is not None:
            self.transport.close()

    def cut(self) -> None:
        """Break the connection off, as a network does."""
        if self.transport is not None:
            self.transport.abort()

    async def leave(self) -> None:
        """Break it off, and wait until it is gone."""
        self.cut()
        await self.lost.wait()

    def flush(self) -> None:
        """Write out what was framed."""
        transport = self.transport
        if transport is None:
            return
        sent = self.inner.data_to_send()
        data = b"".join(sent)
        if data:
            transport.write(data)
        if b"" in sent and transport.can_write_eof() and not transport.is_closing():
            transport.write_eof()
        if self.inner.close_expected():
            transport.close()

    # --- inside ---

    def _take(self) -> None:
        for event in self.inner.events_received():
            if isinstance(event, Response):
                self._answered(event)
            elif isinstance(event, Frame):
                self._frame(event)
        if not self.opened.done() and self.inner.handshake_exc is not None:
            self._fail(self.inner.handshake_exc)
        self.flush()

    def _frame(self, frame: Frame) -> None:
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._parts.append(bytes(frame.data))
            if frame.fin:
                message = b"".join(self._parts)
                self._parts.clear()
                self.hear(message)

    def _answered(self, response: Response) -> None:
        if self.inner.handshake_exc is None:
            self.opened.set_result(None)
            return
        body = bytes(response.body or b"").decode("utf-8", "replace")
        self._fail(Refused(response.status_code, body))

    def _fail(self, error: Exception) -> None:
        if isinstance(error, InvalidMessage):
            error = Refused(0, str(error))
        elif isinstance(error, InvalidHandshake):
            error = Refused(101, str(error))
        self.opened.set_exception(error)
        self.opened.exception()
        self.cut()


async def open_socket(
    base: str,
    token: str | None,
    hear: Callable[[bytes], None],
    gone: Callable[[int], None],
    *,
    headers: Mapping[str, str] | None = None,
    subprotocol: str | None = SUBPROTOCOL,
    path: str = "/live",
) -> Socket:
    """Connect to the server at `base` (``http://host:port``), with a session's token or without.

    `headers` replace those of a well-behaved page. Raises `Refused` or ``OSError``.
    """
    sent = {"Origin": base, **({"Cookie": f"{COOKIE}={token}"} if token else {}), **(headers or {})}
    uri = parse_uri(base.replace("http", "ws", 1) + path)
    loop = asyncio.get_running_loop()

    def make() -> Socket:
        return Socket(base.replace("http", "ws", 1) + path, sent, hear, gone, subprotocol)

    _, socket = await loop.create_connection(make, uri.host, uri.port)
    try:
        await asyncio.wait_for(asyncio.shield(socket.opened), 30)
    except BaseException:
        socket.cut()
        raise
    return socket
