"""What stands between the network and the application: hosts, headers, limits and errors.

A refusal is an exception, `RequestError`, that carries all the player is told. Nothing else that
goes wrong inside ever shows more than a plain sentence; the details go to the log.
"""

from __future__ import annotations

import asyncio
import html
import logging
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import urlsplit

import anyio
import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingme.errors import Refusal, Unavailable
from kingme.web.rendering import page
from kingme.web.settings import Settings
from kingme.web.wire import Failure, Problem

__all__ = [
    "REFUSALS",
    "Guard",
    "RequestError",
    "answer",
    "deny",
    "explain",
    "read_body",
    "read_json",
    "refusal",
    "wants_page",
    "way_back",
]

log = logging.getLogger(__name__)

PROGRAMS = frozenset({"api", "static", "endgames", "healthz", "live", "metrics"})
"""Sections of the site that hold no pages."""

AWAY = "The server cannot reach its records just now. Try again in a moment."
WRONG = "Something went wrong on the server. Try again."

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
WORKERS = frozenset(f"/static/engine/{name}.js" for name in ("analyst", "endings", "worker"))
"""The page's engine and its endgames, scripts that compile WebAssembly; nothing else may."""

WORKER_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
SECURITY_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer": a form sent under that has the origin "null", and would be refused.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class RequestError(Exception):
    """A request that is turned down, with the status and the sentence that say why.

    `retry_after` is in seconds: when it makes sense to ask again.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        field: str | None = None,
        ply: int | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
        self.problem = Problem(code=code, message=message, field=field, ply=ply)


def answer(record: object, status: int = 200) -> Response:
    """A record as a JSON response that nothing on the way may keep."""
    return Response(
        msgspec.json.encode(record),
        status_code=status,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


async def explain(request: Request, error: Exception) -> Response:
    """The answer to a refusal: JSON, or a page for a person who opened an address."""
    status, problem, headers = refusal(error)
    if wants_page(request):
        response = _page(request, status, problem.message)
    else:
        response = answer(Failure(problem), status)
    response.headers.update(headers)
    return response


def refusal(error: Exception) -> tuple[int, Problem, dict[str, str]]:
    """What a refusal is for HTTP: its status, what is said, and headers."""
    if isinstance(error, Unavailable):
        error = RequestError(503, "storage", AWAY)
    elif isinstance(error, Refusal):
        error = RequestError(409 if error.code == "name_taken" else 422, error.code, str(error))
    if isinstance(error, RequestError):
        status, problem, headers = error.status, error.problem, {}
        if error.retry_after is not None:
            headers["Retry-After"] = str(error.retry_after)
    else:
        assert isinstance(error, HTTPException)
        status, headers = error.status_code, dict(error.headers or {})
        problem = _problem_of(status)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.setdefault("Retry-After", "2")
    return status, problem, headers


def wants_page(request: Request) -> bool:
    """Whether the answer is to be read by a person; a WebSocket has no method.

    A page's address is answered with a page unless JSON is asked for. A file's address and those
    of the interface are asked by programs, unless a browser says that it opens them.
    """
    if request.scope.get("method") not in ("GET", "HEAD"):
        return False
    accepted, path = request.headers.get("accept", "").lower(), request.url.path
    if "text/html" in accepted:
        return True
    of_programs = path.split("/")[1] in PROGRAMS or "." in path.rpartition("/")[2]
    return not of_programs and "json" not in accepted


async def read_json(request: Request, settings: Settings, most: int | None = None) -> bytes:
    """The body of a JSON request, refused when it is of another type, too large or too slow.

    ``most`` are bytes, where an address takes more than the settings say of others.
    """
    content_type = request.headers.get("content-type", "")
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise RequestError(415, "wrong_type", "Send JSON, with the content type application/json.")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise RequestError(415, "wrong_type", "Send the JSON as it is, without compressing it.")
    return await read_body(request, settings, most)


async def read_body(request: Request, settings: Settings, most: int | None = None) -> bytes:
    """The body of a request, refused when it is too large or too slow."""
    body, most = bytearray(), most or settings.body_bytes
    try:
        with anyio.fail_after(settings.body_seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise RequestError(
                        413, "too_large", "This request is too large for the server."
                    )
    except TimeoutError:
        raise RequestError(408, "too_slow", "The request took too long to arrive.") from None
    except ClientDisconnect:
        raise RequestError(400, "gone", "The connection was closed halfway.") from None
    return bytes(body)


REFUSALS = (RequestError, HTTPException, Refusal, Unavailable)
"""What `explain` answers."""


class Guard:
    """The outermost layer: checks whom a request addresses, adds headers, and hides failures.

    ``always`` are headers that every answer gets beside those for security.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, always: Mapping[str, str] | None = None
    ) -> None:
        self.app = app
        self.settings = settings
        self.headers = {**SECURITY_HEADERS, **(always or {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection (ASGI)."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers.update(self.headers)
                if scope["path"] in WORKERS:
                    headers["Content-Security-Policy"] = WORKER_POLICY
            await send(message)

        refused = _stranger(scope, self.settings)
        try:
            if refused is None:
                await self.app(scope, receive, send_guarded)
                return
        except asyncio.CancelledError:  # the server stops
            if started:
                return
            refused = RequestError(503, "stopping", "kingme is being stopped.")
        except Exception:
            log.exception("a request failed: %s %s", scope["method"], scope["path"])
            if started:
                raise
            refused = RequestError(500, "internal", WRONG)
        response = await explain(Request(scope), refused)
        await response(scope, receive, send_guarded)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one WebSocket; what goes wrong before it is open refuses it as a request."""
        accepted = False

        async def send_noted(message: Message) -> None:
            nonlocal accepted
            accepted |= message["type"] == "websocket.accept"
            if message["type"] == "websocket.http.response.start":
                MutableHeaders(scope=message).update(SECURITY_HEADERS)
            await send(message)

        refused = _stranger(scope, self.settings)
        try:
            if refused is None:
                await self.app(scope, receive, send_noted)
                return
        except RequestError as error:
            refused = error
        except Unavailable:
            refused = RequestError(503, "storage", AWAY)
        except asyncio.CancelledError:  # the server stops, and its connections with it
            return
        except Exception:
            log.exception("a connection failed: %s", scope["path"])
            refused = RequestError(500, "internal", WRONG)
        if not accepted:
            await deny(scope, receive, send, refused)


async def deny(scope: Scope, receive: Receive, send: Send, error: RequestError) -> None:
    """Refuse a WebSocket before it is open, with an answer as any request gets."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": error.problem.code})
        return
    response = answer(Failure(error.problem), error.status)
    response.headers.update(SECURITY_HEADERS)
    if error.status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = "2"
    await response(scope, receive, send)


def _stranger(scope: Scope, settings: Settings) -> RequestError | None:
    """The refusal of a request for another host, or of one that another site's page sends."""
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    if settings.hosts is not None and _name(host) not in settings.hosts:
        return RequestError(400, "wrong_host", "This server does not answer to that name.")
    if scope.get("method") in ("GET", "HEAD"):
        return None
    origin = headers.get("origin")
    elsewhere = origin is not None and _origin_host(origin) != host.lower()
    # Not every browser says of a WebSocket from where it comes in any other way.
    site = "none" if scope["type"] == "websocket" else headers.get("sec-fetch-site", "none")
    if elsewhere or site not in ("same-origin", "none"):
        return RequestError(403, "cross_origin", "Only kingme's own page may ask for this.")
    return None


def _origin_host(address: str) -> str:
    """The host and port of an origin in lower case, or nothing where it has none."""
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""


def _name(host: str) -> str:
    """The host of a Host header without its port or brackets."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _problem_of(status: int) -> Problem:
    """What is said about an HTTP error that the framework raised."""
    if status == HTTPStatus.NOT_FOUND:
        return Problem("not_found", "There is nothing at this address.")
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        return Problem("wrong_method", "This address does not take that kind of request.")
    return Problem("refused", f"{HTTPStatus(status).phrase}.")


def _page(request: Request, status: int, message: str) -> Response:
    """A refusal as a page like any other; a bare one where even that fails."""
    title = "Nothing here" if status == HTTPStatus.NOT_FOUND else "That is not possible"
    try:
        response: Response = page(
            "refused.html", known=False, title=title, message=message, back=way_back(request)
        )
    except Exception:
        log.exception("the page of a refusal failed: %s", request.url.path)
        response = HTMLResponse(_bare(message))
    response.status_code = status
    return response


SECTIONS = {
    "print": "Back to the print page",
    "puzzles": "Puzzle of the day",
    "learn": "All lessons",
    "variants": "All variants",
}
"""Sections that have a page of their own, with what a link there says."""


def way_back(request: Request) -> tuple[str, str] | None:
    """The page of the section that an address belongs to, and what a link there says.

    That of printing is told again what was filled in.
    """
    section = request.url.path.split("/")[1]
    if section not in SECTIONS or request.url.path == f"/{section}":
        return None
    query = f"?{request.url.query}" if section == "print" and request.url.query else ""
    return f"/{section}{query}", SECTIONS[section]


def _bare(message: str) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>kingme</title></head>'
        f"<body><main><h1>kingme</h1><p>{html.escape(message)}</p>"
        '<p><a href="/">Play checkers</a></p></main></body></html>\n'
    )
