"""All that the server knows of people, put together: who asks, accounts, pages, figures."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from starlette.routing import Route

from kingme.web import accounts, conduct, downloads, metrics, openapi, people
from kingme.web.auth import Auth, Passwords, People, wall_clock
from kingme.web.gallery import Archive, Gallery
from kingme.web.limits import Limits
from kingme.web.metrics import Health, Metrics
from kingme.web.settings import Settings
from kingme.web.site import Site

__all__ = ["Community", "Store", "gather"]


Hear = Callable[[int], Awaitable[None]]


class Store(People, Archive, Protocol):
    """The parts of a store that people are kept in."""


@dataclass(frozen=True, slots=True)
class Community:
    """What others need of it. `routes` stand before those of games as pages."""

    auth: Auth
    site: Site
    limits: Limits
    metrics: Metrics
    health: Health
    routes: list[Route] = field(default_factory=list)


def gather(
    store: Store,
    settings: Settings,
    *,
    now: Callable[[], int] = wall_clock,
    changed: Hear | None = None,
    renewed: Hear | None = None,
    passwords: Passwords | None = None,
    figures: Metrics | None = None,
) -> Community:
    """Put it together on a store.

    `changed` hears whose sessions ended (see `Auth`), `renewed` who has another name or muted
    somebody. `figures` are those that are counted already.
    """
    auth = Auth(store, settings.chips, now, changed)
    limits = Limits(settings.redis)
    made = Community(auth, Site(auth), limits, figures or Metrics(), Health(store, now))
    gallery = Gallery(store, settings, now)
    tell = renewed or _nobody
    book = accounts.Accounts(store, auth, passwords or Passwords(), limits, settings, tell)
    made.routes.extend(
        [
            *accounts.routes(book, made.site, settings),
            *downloads.routes(store, gallery, auth, limits),
            *people.routes(gallery, auth, made.site),
            *conduct.routes(store, gallery, auth, limits, settings, tell),
            *openapi.routes(),
            *metrics.routes(made.metrics, settings),
        ]
    )
    return made


async def _nobody(_: int) -> None:
    """Hear nothing."""
