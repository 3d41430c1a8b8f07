"""The pages as they are sent: each with its boards and with what search engines are told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

import kingme
from kingme.rules.outcome import PRESETS
from kingme.rules.texts import sections
from kingme.rules.variant import ENGLISH, Variant
from kingme.web.guides import metadata
from kingme.web.guides.boards import BOARDS
from kingme.web.guides.diagram import Diagram, place
from kingme.web.guides.questions import GROUPS, QUESTIONS
from kingme.web.pages import embedded
from kingme.web.variants import shape

__all__ = ["PATHS", "routes"]

TEMPLATES = Path(__file__).parent.parent / "templates"
Contents = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Guide:
    """A page to read.

    ``title`` and ``description`` are what a search engine shows, ``heading`` and ``lead`` what
    stands at the top; ``contents`` are the anchors of its parts with their titles; ``above`` the
    pages it belongs under, with their paths.
    """

    name: str
    path: str
    title: str
    heading: str
    description: str
    lead: str
    contents: Contents
    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    boards: Mapping[str, Diagram] = field(default_factory=dict)
    variant: Variant = ENGLISH
    above: Contents = ()
    asks: bool = False

    @property
    def trail(self) -> Contents:
        """The way to the page from the start page, itself last."""
        return (("kingme", "/"), *self.above, (self.heading, self.path))


RULES = Guide(
    name="rules",
    path="/rules",
    title="The rules of American checkers (English draughts)",
    heading="The rules of checkers",
    description=(
        "The complete rules of American checkers with boards to try them on: setting up, moving, "
        "jumping, kings, how a game ends, and the draw rules of several places compared."
    ),
    lead=(
        "These are the rules of American checkers, which is also called English draughts, as "
        "clubs and tournaments play it. On every board you can follow the moves or make your own."
    ),
    contents=(
        ("setting-up", "Board and men"),
        ("moving", "Moves"),
        ("captures", "Jumps"),
        ("kings", "Kings"),
        ("end", "End of the game"),
        ("draws", "Draws, by place"),
        ("tournaments", "In tournaments"),
        ("differences", "Where rules differ"),
        ("sources", "Sources"),
    ),
    template="rules.html",
    values={
        "texts": {section.heading: section.paragraphs for section in sections(ENGLISH)},
        "presets": tuple(PRESETS.values()),
        "sources": ENGLISH.sources,
    },
    boards=BOARDS,
)

FAQ = Guide(
    name="faq",
    path="/faq",
    title="Checkers rules: questions and answers",
    heading="Questions about checkers",
    description=(
        "Must I jump? May a man jump backward? What if nobody can move? Short answers to what "
        "people ask about the rules of checkers, with boards to try."
    ),
    lead=(
        "Short answers to what people ask at the board. The whole rules stand on a page of their "
        "own."
    ),
    contents=tuple((group.anchor, group.title) for group in GROUPS),
    template="faq.html",
    values={"groups": GROUPS},
    boards=BOARDS,
    asks=True,
)

GUIDES = {guide.path: guide for guide in (RULES, FAQ)}

PATHS = tuple(GUIDES)
"""The addresses of these pages."""

OTHERS = ("/", "/learn", "/puzzles", "/analysis", "/review", "/print")
LIVE = ("/lobby", "/rooms", "/leaders")
"""Pages of other modules that a search engine may list, where this server has them."""

KEPT_OUT = ("/api/", "/account", "/game/", "/join/", "/live", "/player/", "/print/")
"""What robots are asked not to fetch: it changes all the time, is private, or is costly to make."""


def routes() -> list[Route]:
    """The addresses of these pages, and those that search engines ask for."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )

    # The bound is for hosts: a server may answer to any name.
    @lru_cache(maxsize=256)
    def written(path: str, base: str) -> str:
        return render(templates, GUIDES[path], base)

    async def page(request: Request) -> Response:
        text = await anyio.to_thread.run_sync(written, request.url.path, base_of(request))
        return HTMLResponse(text, headers={"Cache-Control": "no-cache"})

    async def sitemap(request: Request) -> Response:
        known = {getattr(route, "path", None) for route in request.app.routes}
        others = [path for path in OTHERS if path in known]
        if hasattr(request.app.state, "live"):
            others += LIVE
        text = metadata.sitemap(base_of(request), [*others, *PATHS])
        return Response(text, media_type="application/xml", headers=KEPT_A_DAY)

    async def robots(request: Request) -> Response:
        text = metadata.robots(base_of(request), KEPT_OUT)
        return Response(text, media_type="text/plain", headers=KEPT_A_DAY)

    return [
        *(Route(path, page) for path in GUIDES),
        Route("/sitemap.xml", sitemap),
        Route("/robots.txt", robots),
    ]


KEPT_A_DAY = {"Cache-Control": "public, max-age=86400"}


def base_of(request: Request) -> str:
    """The address of the site as this request names it, without the slash at its end."""
    return str(request.base_url).rstrip("/")


def render(templates: Environment, guide: Guide, base: str) -> str:
    """One page as HTML; every board on it is drawn here."""
    told: list[dict[str, object]] = [
        metadata.article(base, guide.path, guide.title, guide.description),
        metadata.breadcrumbs(base, guide.trail),
    ]
    if guide.asks:
        told[0] = metadata.faq(QUESTIONS)
    return templates.get_template(guide.template).render(
        guide=guide,
        here=guide.name,
        version=kingme.__version__,
        address=f"{base}{guide.path}",
        structured=[embedded(record) for record in told],
        trail=guide.trail,
        contents=guide.contents,
        boards=guide.boards,
        grids=grids(diagram.variant for diagram in guide.boards.values()),
        board=shape(guide.variant),
        scripts="/static" if guide.variant == ENGLISH else "/static/variants",
        **guide.values,
    )


def grids(variants: Iterable[Variant]) -> list[tuple[Variant, int, list[tuple[int, int, str]]]]:
    """Each board once: its width in tenths of a square, and its squares with their names."""
    found = []
    for variant in dict.fromkeys(variants):
        name: Callable[[int], str] = variant.geometry.letters if variant.letters_first else str
        squares = range(1, variant.geometry.squares + 1)
        places = [(place(variant, square), name(square)) for square in squares]
        labels = [(x - 5, y - 5, label) for (x, y), label in places]
        found.append((variant, 10 * variant.rows, labels))
    return found
