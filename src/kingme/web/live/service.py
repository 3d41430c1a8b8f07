"""Play between people, as one part of the application.

It is put together at the first need, or at once in production, since all that it needs would keep
the page of the computer player waiting. Until the store can be reached it says so to whoever
asks, and tries again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import anyio
import anyio.to_thread
from starlette.types import ASGIApp, Receive, Scope, Send

from kingme.errors import KingmeError, Unavailable
from kingme.web.ports import LivePorts, StorePort
from kingme.web.settings import Settings

if TYPE_CHECKING:
    from kingme.web.community import Community
    from kingme.web.live.hub import Hub
    from kingme.web.live.lobby import Lobby
    from kingme.web.live.sockets import Sockets
    from kingme.web.live.tasks import Repeat
    from kingme.web.metrics import Metrics

__all__ = ["Live", "Parts"]

AGAIN_SECONDS = 1.0
"""How long after it failed the store is tried again at the earliest."""

QUIET_SECONDS = 60.0
"""So long is nothing said at most of a start that has to wait."""

START_SECONDS = 5.0
"""How long a question about the server's health waits for its start."""

log = logging.getLogger(__name__)


class Parts(NamedTuple):
    """What runs, once it does; `app` answers requests."""

    store: StorePort
    hub: Hub
    sockets: Sockets
    lobby: Lobby
    community: Community
    repeats: list[Repeat]
    app: ASGIApp


class Live:
    """The live part of an application (ASGI)."""

    def __init__(
        self, settings: Settings, ports: LivePorts, figures: Metrics | None = None
    ) -> None:
        self._settings = settings
        self._ports = ports
        self._figures = figures
        self._parts: Parts | None = None
        self._starting: asyncio.Task[Parts] | None = None
        self._failed: tuple[float, Exception] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._stopped = False
        self._at: str | None = None
        self.draining = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        parts = await self.ready()
        await parts.app(scope, receive, send)

    async def ready(self) -> Parts:
        """What runs, started where it does not run yet; ``Unavailable`` where it cannot."""
        if self._parts is not None:
            return self._parts
        loop = asyncio.get_running_loop()
        if self._stopped or self.draining:
            raise Unavailable("the server stops")
        if self._failed is not None and loop.time() - self._failed[0] < AGAIN_SECONDS:
            raise Unavailable(str(self._failed[1])) from self._failed[1]
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        return await asyncio.shield(self._starting)

    def begin(self) -> None:
        """Start now, and try again until it runs."""
        self._keeping = asyncio.create_task(self._keep())

    def listening(self, at: str, away: Exception | None = None) -> None:
        """Requests are answered `at` this address: log so, now or when play can begin.

        `away` is why the store could not be reached before.
        """
        self._at = at
        if self._parts is not None:
            self._announce()
        elif away is not None:
            log.warning("listening, waiting for the database: %s", away, extra={"at": at})

    def _announce(self) -> None:
        if self._at is not None:
            log.info("ready", extra={"at": self._at})

    async def drain(self) -> None:
        """Take no more connections, and let all that there are come back later."""
        self.draining = True
        if self._parts is not None:
            self._parts.community.health.draining = True
            await self._parts.sockets.drain()

    async def stop(self) -> None:
        """Finish what was begun, and end."""
        self._stopped = True
        if self._keeping is not None:
            self._keeping.cancel()
        if self._starting is not None:
            await asyncio.wait([self._starting])
        parts, self._parts = self._parts, None
        if parts is not None:
            await asyncio.gather(parts.lobby.stop(), *(repeat.stop() for repeat in parts.repeats))
            await parts.hub.stop()
            parts.community.limits.close()
            await anyio.to_thread.run_sync(parts.store.close)

    async def trouble(self) -> str | None:
        """What is wrong, in a word; None where all is well, or nobody needed it yet."""
        if self.draining:
            return "draining"
        if self._keeping is not None and self._parts is None:
            try:
                with anyio.fail_after(START_SECONDS):
                    await self.ready()
            except (Unavailable, TimeoutError):
                return "starting"
        if self._parts is None:
            return None
        return await self._parts.community.health.trouble()

    async def _keep(self) -> None:
        """Try until it runs, and say less and less often that it does not."""
        loop = asyncio.get_running_loop()
        pause = AGAIN_SECONDS
        again = loop.time() + pause
        while True:
            try:
                await self.ready()
            except Unavailable as error:
                if loop.time() >= again:
                    log.warning("not ready yet: %s", error)
                    pause = min(QUIET_SECONDS, pause * 2)
                    again = loop.time() + pause
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                return

    async def _start(self) -> Parts:
        try:
            self._parts = await self._build()
        except Exception as error:
            if not isinstance(error, KingmeError | OSError):
                log.exception("play between people cannot start")
            self._failed = asyncio.get_running_loop().time(), error
            raise Unavailable(str(error)) from error
        else:
            self._announce()
            return self._parts
        finally:
            self._starting = None

    async def _build(self) -> Parts:
        store = await anyio.to_thread.run_sync(self._open)
        try:
            return await self._run(store)
        except BaseException:
            await anyio.to_thread.run_sync(store.close)
            raise

    def _open(self) -> StorePort:
        """Open the store, and import what is slow to import, in a thread."""
        from kingme.web import community
        from kingme.web.live import endpoint, hub, lobby, pages, sockets

        del community, endpoint, hub, lobby, pages, sockets
        return self._ports.open_store()

    async def _run(self, store: StorePort) -> Parts:
        """Put all on a store, and start it."""
        from starlette.middleware.exceptions import ExceptionMiddleware
        from starlette.routing import Router, WebSocketRoute

        from kingme.web.community import gather
        from kingme.web.guard import REFUSALS
        from kingme.web.live import pages
        from kingme.web.live.endpoint import Endpoint
        from kingme.web.live.hub import Hub
        from kingme.web.live.lobby import Lobby
        from kingme.web.live.sockets import Sockets
        from kingme.web.live.tasks import Repeat
        from kingme.web.metrics import Metrics, watched

        figures = self._figures or Metrics()
        store = watched(store, figures)
        settings, now, bus = self._settings, self._ports.now, self._ports.open_bus()
        later = asyncio.get_running_loop().call_later
        hub = Hub(store, bus, settings, now)
        sockets = Sockets(bus, hub.process, now)
        lobby = Lobby(store, hub, bus, sockets, settings.rooms, now, later)
        hub.listen("user", sockets.hear)

        async def renewed(user: int) -> None:
            lobby.renew(user)
            await hub.renew(user)

        work = partial(
            gather,
            store,
            settings,
            now=now,
            changed=sockets.renew,
            renewed=renewed,
            figures=figures,
        )
        made = await anyio.to_thread.run_sync(work)
        made.health.lively = lambda: hub.healthy
        made.metrics.sockets.set_function(lambda: len(sockets))
        made.metrics.watch(lambda: hub.figures, counted=COUNTED)
        moves, seconds = made.metrics.moves, made.metrics.move_seconds

        def moved(took: float) -> None:
            moves.inc()
            seconds.observe(took)

        door = Endpoint(made.auth, hub, lobby, sockets, settings, now, moved)
        shown = pages.routes(store, hub, made.site, made.limits, settings, now, lobby.away)
        routes = [WebSocketRoute("/live", door), *made.routes, *shown]
        repeats = [
            Repeat(partial(sockets.sweep, made.auth.identify), 5.0, later),
            Repeat(partial(_purge, hub, store, now), 3600.0, later),
        ]
        await hub.start()
        lobby.start()
        for repeat in repeats:
            repeat.start()
        app = ExceptionMiddleware(Router(routes), dict.fromkeys(REFUSALS, made.site.explain))
        return Parts(store, hub, sockets, lobby, made, repeats, app)


COUNTED = ("commands", "conflicts", "loads", "batches", "batch_items", "calls")


async def _purge(hub: Hub, store: StorePort, now: Callable[[], int]) -> None:
    """Forget sessions that are over."""
    await hub.write(partial(store.sessions.purge, now()))
