"""Players, leaders and rooms: their pages, and the same for scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kingme.play.clock import Speed
from kingme.play.room import MEMBERSHIPS
from kingme.rules.outcome import PRESETS
from kingme.web.auth import Auth
from kingme.web.gallery import SPEEDS, Gallery
from kingme.web.guard import RequestError, answer
from kingme.web.sent import number
from kingme.web.site import Site

__all__ = ["routes"]

T = TypeVar("T")


def routes(gallery: Gallery, auth: Auth, site: Site) -> list[Route]:
    """The addresses of people and rooms."""
    desk = _Desk(gallery, auth)
    pages = _Pages(gallery, auth, site)
    return [
        Route("/api/player/{name}", desk.profile),
        Route("/api/player/{name}/games", desk.games),
        Route("/api/ledger", desk.ledger),
        Route("/api/leaders/{speed}", desk.leaders),
        Route("/api/rooms", desk.rooms),
        Route("/player/{name}", pages.player),
        Route("/leaders", pages.leaders),
        Route("/rooms", pages.rooms),
    ]


async def _read(work: Callable[..., T], *given: Any) -> T:
    return await anyio.to_thread.run_sync(work, *given)


def _speed(text: str) -> Speed:
    for speed in SPEEDS:
        if text == speed:
            return speed
    raise RequestError(404, "not_found", f"There are ratings for {', '.join(SPEEDS)}.")


class _Desk:
    """The interface for scripts."""

    def __init__(self, gallery: Gallery, auth: Auth) -> None:
        self._gallery = gallery
        self._auth = auth

    async def profile(self, request: Request) -> Response:
        """A player."""
        viewer = await self._auth.identify(request.headers)
        user = await _read(self._gallery.find, request.path_params["name"])
        return answer(await _read(self._gallery.profile, user, viewer))

    async def games(self, request: Request) -> Response:
        """A player's games."""
        before = number(request, "before")
        viewer = await self._auth.identify(request.headers)
        user = await _read(self._gallery.find, request.path_params["name"])
        return answer(await _read(self._gallery.games, user, viewer, before))

    async def ledger(self, request: Request) -> Response:
        """One's own chips."""
        before = number(request, "before")
        user = await self._auth.require(request.headers)
        return answer(await _read(self._gallery.ledger, user, before))

    async def leaders(self, request: Request) -> Response:
        """A leaderboard."""
        speed = _speed(request.path_params["speed"])
        return answer(await _read(self._gallery.leaders, speed))

    async def rooms(self, request: Request) -> Response:
        """The rooms."""
        viewer = await self._auth.identify(request.headers)
        return answer(await _read(self._gallery.rooms, viewer))


class _Pages:
    """The pages."""

    def __init__(self, gallery: Gallery, auth: Auth, site: Site) -> None:
        self._gallery = gallery
        self._auth = auth
        self._site = site

    async def player(self, request: Request) -> Response:
        """A player: profile, games, and for oneself the chips."""
        before, lines = number(request, "before"), number(request, "lines")
        viewer = await self._auth.identify(request.headers)
        user = await _read(self._gallery.find, request.path_params["name"])
        profile = await _read(self._gallery.profile, user, viewer)
        ledger = await _read(self._gallery.ledger, user, lines) if profile.yours else None
        return await self._site.page(
            request,
            "player.html",
            you=viewer,
            profile=profile,
            games=await _read(self._gallery.games, user, viewer, before),
            ledger=ledger,
            first=before is None and lines is None,
            memberships=MEMBERSHIPS,
            rooms=self._gallery.titles,
        )

    async def leaders(self, request: Request) -> Response:
        """The leaderboard of one time class."""
        speed = _speed(request.query_params.get("speed", "blitz"))
        page = await _read(self._gallery.leaders, speed)
        return await self._site.page(
            request, "leaders.html", "leaders", page=page, speeds=SPEEDS, memberships=MEMBERSHIPS
        )

    async def rooms(self, request: Request) -> Response:
        """The rooms with all their tables."""
        viewer = await self._auth.identify(request.headers)
        page = await _read(self._gallery.rooms, viewer)
        return await self._site.page(
            request,
            "rooms.html",
            "rooms",
            you=viewer,
            page=page,
            memberships=MEMBERSHIPS,
            presets=PRESETS,
        )
