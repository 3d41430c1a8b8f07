"""The composition root of the web edge: settings and ports in, one ASGI application out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp

from kingme.web import api, pages
from kingme.web.guard import Guard, Refused, explain
from kingme.web.ports import Ports
from kingme.web.settings import Settings

__all__ = ["create_app"]


def create_app(settings: Settings | None = None, ports: Ports | None = None) -> ASGIApp:
    """The application; without ports it gets the real engine, which warms when it starts."""
    chosen = settings or Settings()
    adapters = ports or real_ports()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        adapters.opponent.start_warming()
        yield
        adapters.opponent.close()

    app = Starlette(
        routes=[*pages.routes(), *api.routes(adapters, chosen)],
        middleware=[Middleware(GZipMiddleware, minimum_size=500)],
        exception_handlers={Refused: explain, HTTPException: explain},
        lifespan=lifespan,
    )
    return Guard(app, chosen)


def real_ports() -> Ports:
    """The adapters of a real server."""
    from kingme.engine.opponent import Opponent

    return Ports(opponent=Opponent())
