"""Serve an application from a socket that already listens, until Ctrl+C."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

__all__ = ["SWITCH_SECONDS", "Server", "serve"]

GRACE_SECONDS = 3

SWITCH_SECONDS = 0.001
"""How long a thread in Python code may keep the event loop waiting: a fifth of what is usual."""


class Server(uvicorn.Server):
    """A quiet server that calls `ready` once it answers."""

    def __init__(self, app: ASGIApp, ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="on",
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )
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
