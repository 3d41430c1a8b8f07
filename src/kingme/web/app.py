"""The composition root of the web edge: settings and ports in, one ASGI application out."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio.to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.types import Scope

from kingme.web import (
    analysing,
    api,
    collection,
    endgames,
    explorer,
    keeping,
    learn,
    pages,
    printing,
    puzzles,
    reading,
    reviewing,
)
from kingme.web.guard import REFUSALS, Guard, explain
from kingme.web.guides import pages as guides
from kingme.web.live.service import Live
from kingme.web.ports import LivePorts, Ports, StorePort
from kingme.web.settings import Settings

if TYPE_CHECKING:
    from kingme.play.ports import Bus

__all__ = ["create_app", "real_ports"]


def create_app(
    settings: Settings | None = None, ports: Ports | None = None, *, production: bool = False
) -> Starlette:
    """The application; without ports it gets the real engine, which warms when it starts.

    In production play between people starts at once rather than at the first need, and requests
    are logged and counted.
    """
    chosen = settings or Settings()
    adapters, layers = ports or real_ports(chosen), outermost(chosen)
    figures = None
    if production:
        from kingme.web.logs import Logged
        from kingme.web.metrics import Measured, Metrics

        figures = Metrics()
        layers = [Middleware(Logged), Middleware(Measured, metrics=figures), *layers]
    live = Live(chosen, adapters.live, figures) if adapters.live else None

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        adapters.opponent.start_warming()
        if live is not None and production:
            live.begin()
        yield
        if live is not None:
            await live.stop()
        await anyio.to_thread.run_sync(adapters.opponent.close)

    routes: list[BaseRoute] = [
        healthz(live),
        *pages.routes(),
        *keeping.routes(),
        *guides.routes(),
        *api.routes(adapters, chosen),
        *analysing.routes(adapters, chosen),
        *collection.routes(chosen),
        *endgames.routes(chosen),
        *explorer.routes(chosen),
        *printing.routes(chosen),
        *reading.routes(chosen),
        *learn.routes(),
        *reviewing.routes(),
        *puzzles.routes(),
    ]
    routes += [Slashed(routes[:]), *([] if live is None else [Rest("", app=live)])]
    app = Starlette(
        routes=routes,
        middleware=layers,
        exception_handlers=dict.fromkeys(REFUSALS, explain),
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # `Slashed` does, to pages alone: /static is none
    if live is not None:
        app.state.live, app.state.drain = live, live.drain
    return app


def healthz(live: Live | None) -> Route:
    """Where a proxy asks whether this process can serve."""

    async def health(_: Request) -> Response:
        trouble = None if live is None else await live.trouble()
        status = 200 if trouble is None else 503
        return PlainTextResponse(f"{trouble or 'ok'}\n", status, {"Cache-Control": "no-store"})

    return Route("/healthz", health)


def outermost(settings: Settings) -> list[Middleware]:
    """What stands around every answer: its checks and headers, and that it is compressed."""
    marked = {keeping.RELEASE: keeping.release()}
    return [
        Middleware(Guard, settings=settings, always=marked),
        Middleware(GZipMiddleware, minimum_size=500),
    ]


class Slashed(Route):
    """An address that would be one of ours but for a slash at its end leads to that one."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        super().__init__("/{path:path}/", self.lead)
        self.routes = routes

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Only where a page is at the address without the slash."""
        match, found = super().matches(scope)
        if match is Match.FULL:
            bare = {**scope, "path": scope["path"].rstrip("/")}
            if any(route.matches(bare)[0] is Match.FULL for route in self.routes):
                return match, found
        return Match.NONE, {}

    async def lead(self, request: Request) -> Response:
        """Lead there, with the query."""
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{request.url.path.rstrip('/')}{query}", 301)


class Rest(Mount):
    """What no route before it has. A wrong method at one of their addresses stays just that."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """As little as can be, so that a route that takes the address but not the method wins."""
        match, found = super().matches(scope)
        return (Match.PARTIAL if match is Match.FULL else match), found


def real_ports(settings: Settings) -> Ports:
    """The adapters of a real server."""
    from kingme.engine.opponent import Opponent

    def open_store() -> StorePort:
        from kingme.store import open_store

        store = open_store(settings.database_url)
        store.migrate()
        return store

    def open_bus() -> Bus:
        from kingme.bus import open_bus

        return open_bus(settings.redis)

    return Ports(Opponent(), LivePorts(open_store, open_bus, wall_clock))


def wall_clock() -> int:
    """The time of the machine, ms since the epoch."""
    return time.time_ns() // 1_000_000
