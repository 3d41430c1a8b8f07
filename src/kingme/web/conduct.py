"""What a player can do about another: report to the operator, and mute."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

import anyio.to_thread
import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kingme.errors import Refusal
from kingme.play.ports import User
from kingme.web.auth import Auth
from kingme.web.downloads import visible
from kingme.web.gallery import Archive, Gallery
from kingme.web.guard import answer
from kingme.web.limits import (
    MUTES,
    MUTES_BY_ADDRESS,
    REPORTS,
    REPORTS_BY_ADDRESS,
    Limits,
    address_of,
)
from kingme.web.routing import by_method
from kingme.web.sent import json_record
from kingme.web.settings import Settings
from kingme.web.wire import Record

__all__ = ["MuteSent", "MutedAnswer", "ReportSent", "routes"]

MOST_MUTED = 500

Name = Annotated[str, msgspec.Meta(max_length=40)]


class ReportSent(Record, frozen=True):
    """What somebody did, in the words of the player who reports it; `game` may name where."""

    name: Name
    text: Annotated[str, msgspec.Meta(max_length=1000)]
    game: Annotated[str, msgspec.Meta(max_length=40)] | None = None


class MuteSent(Record, frozen=True):
    """Whose words to hide, or to show again."""

    name: Name
    on: bool = True


class MutedAnswer(Record, frozen=True):
    """The names of those whom one has muted."""

    muted: list[str]


class Conduct:
    """Reports and mutes; every method blocks."""

    def __init__(self, store: Archive, gallery: Gallery, auth: Auth) -> None:
        self._store = store
        self._gallery = gallery
        self._now = auth.now

    def report(self, user: User, sent: ReportSent) -> None:
        """Keep a report for the operator."""
        about = self._other(user, sent.name)
        text = "".join(sign for sign in sent.text if sign.isprintable() or sign == "\n").strip()
        if not text:
            raise Refusal("no_text", "Say what happened.")
        if sent.game and visible(self._store.games, sent.game, user) is None:
            raise Refusal("no_game", "There is no such game.")
        self._store.service.report(self._now(), user.id, about.id, sent.game or None, text)

    def mute(self, user: User, sent: MuteSent) -> MutedAnswer:
        """Hide what somebody says, or no longer."""
        other = self._other(user, sent.name)
        if sent.on and len(self._store.service.muted(user.id)) >= MOST_MUTED:
            raise Refusal("too_many", f"More than {MOST_MUTED} players cannot be muted.")
        self._store.service.mute(user.id, other.id, sent.on)
        return self.muted(user)

    def muted(self, user: User) -> MutedAnswer:
        """Whom a player has muted, by name."""
        users = self._store.users.users(self._store.service.muted(user.id))
        return MutedAnswer(sorted((other.name for other in users.values()), key=str.lower))

    def _other(self, user: User, name: str) -> User:
        other = self._gallery.find(name)
        if other.id == user.id:
            raise Refusal("yourself", "That is you.")
        return other


def routes(
    store: Archive,
    gallery: Gallery,
    auth: Auth,
    limits: Limits,
    settings: Settings,
    renewed: Callable[[int], Awaitable[None]],
) -> list[Route]:
    """The addresses of conduct; `renewed` hears who has muted somebody."""
    conduct = Conduct(store, gallery, auth)

    async def report(request: Request) -> Response:
        """Report a player."""
        sent = await json_record(request, settings, ReportSent)
        user = await auth.require(request.headers)
        address = address_of(request.client)
        await limits.spend((REPORTS, str(user.id)), (REPORTS_BY_ADDRESS, address))
        await anyio.to_thread.run_sync(conduct.report, user, sent)
        return Response(status_code=204)

    async def mute(request: Request) -> Response:
        """Mute a player, or unmute."""
        sent = await json_record(request, settings, MuteSent)
        user = await auth.require(request.headers)
        address = address_of(request.client)
        await limits.spend((MUTES, str(user.id)), (MUTES_BY_ADDRESS, address))
        now_muted = await anyio.to_thread.run_sync(conduct.mute, user, sent)
        await renewed(user.id)
        return answer(now_muted)

    async def muted(request: Request) -> Response:
        """Whom one has muted."""
        user = await auth.require(request.headers)
        return answer(await anyio.to_thread.run_sync(conduct.muted, user))

    return [
        Route("/api/report", report, methods=["POST"]),
        by_method("/api/mute", get=muted, post=mute),
    ]
