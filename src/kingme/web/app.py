"""The composition root of the web edge: settings and ports in, one ASGI application out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from kingme.errors import Refusal, Unavailable
from kingme.web import api, pages
from kingme.web.guard import Guard, RequestError, explain
from kingme.web.ports import Ports
from kingme.web.settings import Settings

__all__ = ["create_app"]


def create_app(settings: Settings | None = None, ports: Ports | None = None) -> Starlette:
    """The application; without ports it gets the real engine, which warms when it starts."""
    chosen = settings or Settings()
    adapters = ports or real_ports()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        adapters.opponent.start_warming()
        yield
        await anyio.to_thread.run_sync(adapters.opponent.close)

    return Starlette(
        routes=[*pages.routes(), *api.routes(adapters, chosen)],
        middleware=[
            Middleware(Guard, settings=chosen),
            Middleware(GZipMiddleware, minimum_size=500),
        ],
        exception_handlers=dict.fromkeys(
            (RequestError, HTTPException, Refusal, Unavailable), explain
        ),
        lifespan=lifespan,
    )


def real_ports() -> Ports:
    """The adapters of a real server."""
    from kingme.engine.opponent import Opponent

    return Ports(opponent=Opponent())
