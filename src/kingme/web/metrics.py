"""Figures about the server for Prometheus, at ``/metrics``, and whether the server is well."""

from __future__ import annotations

import functools
import ipaddress
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar, cast

import anyio
import anyio.to_thread
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingme.errors import KingmeError, Unavailable
from kingme.play.ports import SessionStore
from kingme.web.settings import Settings

__all__ = ["Health", "Measured", "Metrics", "routes", "watched"]

T = TypeVar("T")

MOVE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 2.5, 5)
REQUEST_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
HEALTH_SECONDS = 2.0
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip")


class Metrics:
    """The figures of one server, in a registry of its own.

    `sockets` is how many there are now, `moves` how many were played, `move_seconds` how long each
    took from its arrival until it was durable and sent on, `store_errors` how often the store could
    not be reached, by what was asked of it (see `watched`).
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "kingme_requests",
            "HTTP requests by method, route and status.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self.request_seconds = Histogram(
            "kingme_request_seconds",
            "How long HTTP requests took.",
            ["route"],
            buckets=REQUEST_SECONDS,
            registry=self.registry,
        )
        self.sockets = Gauge("kingme_sockets", "Live connections.", registry=self.registry)
        self.moves = Counter("kingme_moves", "Moves played.", registry=self.registry)
        self.move_seconds = Histogram(
            "kingme_move_seconds",
            "From the arrival of a move until it was durable and sent on.",
            buckets=MOVE_SECONDS,
            registry=self.registry,
        )
        self.store_errors = Counter(
            "kingme_store_errors",
            "How often the store could not be reached, by what was asked of it.",
            ["operation"],
            registry=self.registry,
        )

    def watch(self, figures: Callable[[], Mapping[str, float]], counted: Collection[str]) -> None:
        """Show the figures of a part of the server, asked for at each look.

        Those in `counted` only ever grow; the others are how much there is at the time.
        """
        self.registry.register(_Figures(figures, frozenset(counted)))

    def text(self) -> bytes:
        """The figures as Prometheus reads them."""
        return generate_latest(self.registry)


def watched(store: T, metrics: Metrics) -> T:
    """The same store, whose failures are counted."""
    return cast(T, _Watched(store, metrics.store_errors))


class _Watched:
    """A store or a part of it: its public parts are watched too, and its methods counted."""

    def __init__(self, watched: Any, errors: Counter, name: str = "") -> None:
        self._watched = watched
        self._errors = errors
        self._name = name

    def __getattr__(self, name: str) -> Any:
        """One of its parts or methods, made once."""
        found = getattr(self._watched, name)
        full = f"{self._name}.{name}" if self._name else name
        if name.startswith("_") or isinstance(found, str | int | None):
            return found
        made = (
            self._counted(found, full) if callable(found) else _Watched(found, self._errors, full)
        )
        setattr(self, name, made)
        return made

    def _counted(self, method: Callable[..., Any], name: str) -> Callable[..., Any]:
        errors = self._errors.labels(name)

        @functools.wraps(method)
        def call(*given: Any, **named: Any) -> Any:
            try:
                return method(*given, **named)
            except Unavailable:
                errors.inc()
                raise

        return call


class _Figures(Collector):
    """Numbers by name, as metrics."""

    def __init__(self, figures: Callable[[], Mapping[str, float]], counted: frozenset[str]) -> None:
        self._figures = figures
        self._counted = counted

    def describe(self) -> Iterable[Metric]:
        """Nothing, so that nothing is asked before the first look."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The numbers of now."""
        for name, value in self._figures().items():
            text = name.replace("_", " ").capitalize()
            kind = CounterMetricFamily if name in self._counted else GaugeMetricFamily
            yield kind(f"kingme_{name}", f"{text}.", value=value)


class Measured:
    """Counts the requests that pass through (ASGI)."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def send_counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_counted)
        finally:
            # By route and not by address: a stranger's addresses must not fill the memory.
            route = getattr(scope.get("route"), "path", "") or "none"
            method = scope["method"] if scope["method"] in METHODS else "other"
            self.metrics.requests.labels(method, route, str(status)).inc()
            self.metrics.request_seconds.labels(route).observe(time.perf_counter() - began)


METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"})


class Sessions(Protocol):
    """The part of a store that tells whether it answers."""

    @property
    def sessions(self) -> SessionStore:
        """Who is signed in."""


class Health:
    """Whether the server is well: it answers, its store does, and it is not about to stop.

    `lively` says whether the live games go on.
    """

    def __init__(self, store: Sessions | None = None, now: Callable[[], int] = lambda: 0) -> None:
        self.draining = False
        self.lively: Callable[[], bool] = lambda: True
        self._store = store
        self._now = now

    async def trouble(self) -> str | None:
        """What is wrong, in a word; None where all is well."""
        if self.draining:
            return "draining"
        if not self.lively():
            return "games"
        if self._store is None:
            return None
        try:
            with anyio.fail_after(HEALTH_SECONDS):
                await anyio.to_thread.run_sync(
                    self._store.sessions.session, b"", self._now(), abandon_on_cancel=True
                )
        except (KingmeError, TimeoutError):
            return "store"
        return None


def routes(metrics: Metrics, settings: Settings) -> list[Route]:
    """The address of the figures."""
    networks = [ipaddress.ip_network(item) for item in settings.metrics]

    async def figures(request: Request) -> Response:
        """The figures, for the addresses that may see them; others find nothing here."""
        if not _watches(request, networks, bool(settings.proxies)):
            raise HTTPException(404)
        return Response(
            await anyio.to_thread.run_sync(metrics.text),
            media_type=CONTENT_TYPE_LATEST,
            headers={"Cache-Control": "no-store"},
        )

    return [Route("/metrics", figures)]


def _watches(
    request: Request,
    networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network],
    proxied: bool,
) -> bool:
    """Whether a request comes from one of the networks itself.

    What a proxy that is not known to the settings sends on comes from the proxy's address.
    """
    if not proxied and any(name in request.headers for name in FORWARDED):
        return False
    try:
        address = ipaddress.ip_address(request.client.host if request.client else "")
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return any(address in network for network in networks)
