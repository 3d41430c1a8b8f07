"""Serve an application from a socket that already listens, until Ctrl+C or a polite signal.

What uvicorn has to say about its own work (upgrades it does not know, requests it cannot read,
tasks it cancels) is not for the person at the terminal; failures of the application still are.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import socket
import sys
from collections.abc import Awaitable, Callable, Generator, Sequence
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["SWITCH_SECONDS", "Server", "serve"]

GRACE_SECONDS = 1
"""How long answers in the making may still take once the server is to stop."""

HEAD_SECONDS = 10.0
"""How long the head of a request may take to arrive."""

FRAME_BYTES = 8 * 1024
"""How long a message to a WebSocket may be; a longer one closes it with 1009."""

PING_SECONDS = 15.0
"""How often a WebSocket is tried by a ping, and how long its pong may take.

Browsers answer these by themselves, also where a page in the background sleeps.
"""

COLLECT = (10_000, 300, 1000)
"""How rarely garbage in cycles is looked for: games and connections hold hardly any, and a look at
all objects of a thousand games stops every move for some tenths of a second."""

SWITCH_SECONDS = 0.001
"""How long a thread in Python code may keep the event loop waiting: a fifth of what is usual."""


class Connection(H11Protocol):
    """One connection, closed where the head of its next request does not come in time."""

    _deadline: asyncio.TimerHandle | None = None
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._expire)

    def data_received(self, data: bytes) -> None:
        """Read on; the time runs from the first byte of a head to its last."""
        super().data_received(data)
        if self._upgraded or not self._waits():
            self._disarm()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self._expire)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over: from now on it has another protocol."""
        self._upgraded = True
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline."""
        self._disarm()
        super().connection_lost(exc)

    def _waits(self) -> bool:
        cycle = self.cycle
        return cycle is None or cycle.response_complete

    def _expire(self) -> None:
        self._deadline = None
        if self._waits() and not self.transport.is_closing():
            self.transport.close()

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def upgraded(**given: Any) -> asyncio.Protocol:
    """The protocol of a connection that becomes a WebSocket: imported when there is one."""
    from kingme.web.upgraded import LiveProtocol

    return LiveProtocol(**given)


class Server(uvicorn.Server):
    """A quiet server that calls `ready` once it answers.

    The word of `proxies` (addresses or networks) is taken on who asks. An application that keeps
    connections open says in its ``state.drain`` how they are ended before the server stops.
    """

    def __init__(
        self,
        app: ASGIApp,
        ready: Callable[[], None] = lambda: None,
        proxies: Sequence[str] = (),
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=Connection,
                ws=upgraded,  # type: ignore[arg-type]
                ws_max_size=FRAME_BYTES,
                ws_per_message_deflate=False,
                ws_ping_interval=PING_SECONDS,
                ws_ping_timeout=PING_SECONDS,
                lifespan="on",
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                proxy_headers=bool(proxies),
                forwarded_allow_ips=list(proxies),
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )
        logging.getLogger("uvicorn.error").addFilter(_is_failure)
        self._ready = ready
        state = getattr(app, "state", None)
        self._drain: Callable[[], Awaitable[None]] | None = getattr(state, "drain", None)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer, then say so."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Send everybody away, then stop; until then requests are answered."""
        if self._drain is not None and not self.force_exit:
            await self._drain()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Stop at a signal, and leave it at that: the program ends as it does of itself."""
        with super().capture_signals():
            try:
                yield
            finally:
                self._captured_signals.clear()


def serve(
    app: ASGIApp,
    listener: socket.socket,
    ready: Callable[[], None],
    proxies: Sequence[str] = (),
) -> None:
    """Answer on `listener`, call `ready` when it does, and return after Ctrl+C or a signal."""
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*COLLECT)
    try:
        Server(app, ready, proxies).run(sockets=[listener])
    except KeyboardInterrupt:
        return


def _is_failure(record: logging.LogRecord) -> bool:
    """Tell whether a record is of an exception, rather than of uvicorn's own work.

    Text that is not UTF-8 is a stranger's mistake, which closes the connection.
    """
    return record.exc_info is not None and not isinstance(record.exc_info[1], UnicodeDecodeError)
