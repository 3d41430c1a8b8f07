"""Connections that became WebSockets: what uvicorn makes of them, with bounds on all of it."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

__all__ = ["ABORT", "LiveProtocol"]

ABORT = "kingme.abort"
"""The ASGI extension by which an application ends a connection at once."""

CLOSE_SECONDS = 3.0
"""How long the other end may take to answer a close code."""

PARTS = 64
"""In how many parts a message may come."""

UNREAD_BYTES = 256 * 1024
"""How much may wait for somebody who sends pings and reads nothing."""


class LiveProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that is let go where the other end does not read, or is gone."""

    def handle_connect(self, event: Request) -> None:
        """Begin the handshake."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            # The application has not begun to run yet: it gets this scope.
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[ABORT] = self.transport.abort

    def handle_cont(self, event: Frame) -> None:
        """Take a part of a message."""
        if len(self.frames) >= PARTS:
            self.conn.fail(1008, "too many parts")
            self.handle_parser_exception()
            return
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping of somebody who reads the answers."""
        if self.transport.get_write_buffer_size() > UNREAD_BYTES:
            self.transport.abort()
            return
        super().handle_ping()

    def keepalive_timeout(self) -> None:
        """Let go of a connection that is dead: what is still to be sent will never arrive."""
        super().keepalive_timeout()
        self.transport.abort()

    async def send(self, message: Any) -> None:
        """Take what the application sends; after a close code the other end has not for ever.

        What comes after a close code, be it the other end's or one for a broken rule, is lost
        without a word: the application cannot have known, and is told by its next `receive`.
        """
        if self.handshake_complete and self.close_sent and self.initial_response is None:
            return
        await super().send(message)
        if self.close_timer is not None:
            self.close_timer.cancel()
            self.close_timer = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)
