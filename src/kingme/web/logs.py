"""What the server tells whoever runs it: one JSON object a line, and never a secret.

The program logs by the standard library, of which only warnings come through in `kingme play`.
`set_up` is for `kingme serve`: structlog then writes all of it, with the id of the request.
"""

from __future__ import annotations

import logging
import re
import secrets
import sys
import time
from collections.abc import Mapping
from typing import Any, TextIO

import structlog
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.typing import EventDict, WrappedLogger

__all__ = ["Logged", "redact", "set_up"]

SECRET = re.compile(
    r"passw|secret|token|cookie|authorization|session|e-?mail|\bcode\b", re.IGNORECASE
)
HIDDEN = "[redacted]"
PATTERNS = [
    (re.compile(r"\$argon2\w+\$[^\s'\"]+"), HIDDEN),
    (re.compile(r"(\w+://)[^\s/@'\"]*@"), rf"\1{HIDDEN}@"),
    (re.compile(r"(kingme_session=)[^\s;'\"]+"), rf"\1{HIDDEN}"),
    (re.compile(r"(/join/)[^\s/?'\"]+"), rf"\1{HIDDEN}"),
    (re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])"), HIDDEN),
    (
        re.compile(r"((?:passw\w*|token|secret)['\"]?\s*[:=]\s*)(['\"]?)[^\s,'\"}]+", re.I),
        rf"\1\2{HIDDEN}",
    ),
]
"""What is hidden wherever it stands: hashes, passwords in addresses, tokens, private links."""

DEEPEST = 8
LONGEST_PATH = 200


def redact(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Hide every secret in a log entry (a structlog processor)."""
    return {key: HIDDEN if SECRET.search(key) else _hide(value) for key, value in event.items()}


def set_up(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Let everything that is logged in this process go to `stream` (stderr) as JSON lines."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                redact,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)


class Logged:
    """Gives every request an id, which its log entries and its answer carry, and logs it (ASGI)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        name, began, status = secrets.token_hex(8), time.perf_counter(), 0

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = name
            elif message["type"] in ("websocket.accept", "websocket.close"):
                status = status or (101 if message["type"] == "websocket.accept" else 403)
            await send(message)

        with structlog.contextvars.bound_contextvars(request=name):
            try:
                await self.app(scope, receive, send_named)
            finally:
                log.info("request", extra=_told(scope, status, began))


log = logging.getLogger(__name__)


def _told(scope: Scope, status: int, began: float) -> Mapping[str, Any]:
    """What is logged of a request: no query, no headers, no body."""
    client = scope.get("client")
    return {
        "method": scope.get("method", "WEBSOCKET"),
        "path": scope["path"][:LONGEST_PATH],
        "status": status,
        "address": client[0] if client else None,
        "ms": round((time.perf_counter() - began) * 1000, 1),
    }


def _hide(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        for pattern, instead in PATTERNS:
            value = pattern.sub(instead, value)
        return value
    if depth >= DEEPEST:
        return HIDDEN
    if isinstance(value, Mapping):
        return {
            str(key): HIDDEN if SECRET.search(str(key)) else _hide(item, depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_hide(item, depth + 1) for item in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return _hide(str(value), depth + 1)
