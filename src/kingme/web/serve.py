"""Serve an application from a socket that already listens, until Ctrl+C.

What uvicorn has to say about its own work (upgrades it does not know, requests it cannot read,
tasks it cancels) is not for the person at the terminal; failures of the application still are.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["SWITCH_SECONDS", "Server", "serve"]

GRACE_SECONDS = 1
"""How long answers in the making may still take once the server is to stop."""

HEAD_SECONDS = 10.0
"""How long the head of a request may take to arrive."""

SWITCH_SECONDS = 0.001
"""How long a thread in Python code may keep the event loop waiting: a fifth of what is usual."""


class Connection(H11Protocol):
    """One connection, closed where the head of its next request does not come in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._expire)

    def data_received(self, data: bytes) -> None:
        """Read on; the time runs from the first byte of a head to its last."""
        super().data_received(data)
        if not self._waits():
            self._disarm()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self._expire)

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


class Server(uvicorn.Server):
    """A quiet server that calls `ready` once it answers."""

    def __init__(self, app: ASGIApp, ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=Connection,
                ws="none",
                lifespan="on",
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )
        logging.getLogger("uvicorn.error").addFilter(_is_failure)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer, then say so."""
        await super().startup(sockets)
        self._ready()


def serve(app: ASGIApp, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Answer on `listener`, call `ready` when it does, and return after Ctrl+C."""
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        Server(app, ready).run(sockets=[listener])
    except KeyboardInterrupt:
        return


def _is_failure(record: logging.LogRecord) -> bool:
    """Tell whether a record is of an exception, rather than of uvicorn's own work."""
    return record.exc_info is not None
