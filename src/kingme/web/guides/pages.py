"""The pages as they are sent: each with its boards and with what search engines are told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kingme.analysis.puzzles.shelf import shelf
from kingme.play.lessons import LESSONS
from kingme.rules.variant import ENGLISH, Variant
from kingme.web.guides import metadata
from kingme.web.guides.diagram import Diagram, place
from kingme.web.guides.library import GUIDES, Guide
from kingme.web.guides.questions import QUESTIONS
from kingme.web.pages import page_data
from kingme.web.rendering import base_of, embedded, rendered, response
from kingme.web.variants import shape

__all__ = ["PATHS", "routes"]

PATHS = tuple(GUIDES)
"""The addresses of these pages."""

OTHERS = ("/", "/learn", "/puzzles", "/analysis", "/review", "/print")
LIVE = ("/lobby", "/rooms", "/leaders")
"""Pages of other modules that a search engine may list, where this server has them."""

KEPT_OUT = ("/api/", "/account", "/game/", "/join/", "/live", "/player/", "/print/")
"""What robots are asked not to fetch: it changes all the time, is private, or is costly to make."""


def routes() -> list[Route]:
    """The addresses of these pages, and those that search engines ask for."""

    # The bound is for hosts: a server may answer to any name.
    @lru_cache(maxsize=64)
    def written(path: str, base: str) -> str:
        return render(GUIDES[path], base)

    async def page(request: Request) -> Response:
        text = await anyio.to_thread.run_sync(written, request.url.path, base_of(request))
        return response(text)

    async def sitemap(request: Request) -> Response:
        known = {getattr(route, "path", None) for route in request.app.routes}
        others = [path for path in OTHERS if path in known]
        if "/learn" in known:
            others += [f"/learn/{one.name}" for one in LESSONS]
        if "/puzzles" in known:
            names = (await anyio.to_thread.run_sync(shelf)).ratings
            others += [f"/puzzles/{name}" for name in names]
        if hasattr(request.app.state, "live"):
            others += LIVE
        text = metadata.sitemap(base_of(request), [*others, *PATHS])
        return Response(text, media_type="application/xml", headers=KEPT_A_DAY)

    async def robots(request: Request) -> Response:
        text = metadata.robots(base_of(request), KEPT_OUT)
        return Response(text, media_type="text/plain", headers=KEPT_A_DAY)

    async def own(request: Request) -> Response:
        """The rules of American checkers, asked for as those of the variants are."""
        del request
        return RedirectResponse("/rules", 301)

    return [
        *(Route(path, page) for path in GUIDES),
        *(Route(f"/variants/{name}/rules", own) for name in ("american", ENGLISH.name)),
        Route("/sitemap.xml", sitemap),
        Route("/robots.txt", robots),
    ]


KEPT_A_DAY = {"Cache-Control": "public, max-age=86400"}


def render(guide: Guide, base: str) -> str:
    """One page as HTML; every board on it is drawn here."""
    told: list[dict[str, object]] = [
        metadata.article(base, guide.path, guide.title, guide.description),
        metadata.breadcrumbs(base, guide.trail),
    ]
    if guide.asks:
        told[0] = metadata.faq(QUESTIONS)
    return rendered(
        guide.template,
        guide.name,
        guide=guide,
        address=f"{base}{guide.path}",
        structured=[embedded(record) for record in told],
        trail=guide.trail,
        contents=guide.contents,
        boards=guide.boards,
        grids=grids([*guide.boards.values(), *guide.values.get("starts", {}).values()]),
        board=shape(guide.variant),
        scripts="/static" if guide.variant == ENGLISH else "/static/variants",
        data=None if guide.variant == ENGLISH else embedded(page_data(guide.variant)),
        **guide.values,
    )


def grids(
    diagrams: Iterable[Diagram],
) -> list[tuple[str, Variant, int, list[tuple[int, int, str]]]]:
    """Each board once: its name, its width in tenths of a square, its squares with their names."""
    found = {}
    for diagram in diagrams:
        variant = diagram.variant
        name: Callable[[int], str] = variant.geometry.letters if diagram.by_letter else str
        squares = range(1, variant.geometry.squares + 1)
        places = [(place(variant, square), name(square)) for square in squares]
        labels = [(x - 5, y - 5, label) for (x, y), label in places]
        found[diagram.grid] = (diagram.grid, variant, 10 * variant.rows, labels)
    return list(found.values())
