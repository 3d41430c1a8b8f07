"""One address that takes several methods, so that a refusal of others names them all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

__all__ = ["by_method"]

Handler = Callable[[Request], Awaitable[Response]]


def by_method(path: str, **handlers: Handler) -> Route:
    """A route whose handlers are named by their methods in lower case; ``get`` serves HEAD too."""

    async def handle(request: Request) -> Response:
        method = request.method.lower()
        return await handlers["get" if method == "head" else method](request)

    return Route(path, handle, methods=[method.upper() for method in handlers])
