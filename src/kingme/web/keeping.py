"""What a browser keeps for when there is no network: the service worker, and the page for the rest.

The worker keeps at once what is small or needed to play, and other pages as they are visited. All
that it keeps is of one release, which every answer names in a header: a page and its scripts never
come from two of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import anyio
import rjsmin
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import kingme
from kingme.play.lessons import LESSONS
from kingme.web.pages import SHARED, STATIC
from kingme.web.rendering import TEMPLATES, page

__all__ = ["RELEASE", "release", "routes"]

RELEASE = "Kingme-Release"
"""The header that says by which release of the server an answer was made."""

AT_ONCE = ("/", "/analysis", "/learn", "/offline", "/review", "/rules")
"""Pages that are kept when the worker is installed: they need no more than its scripts."""

VISITED = ("/faq", "/learn", "/notation", "/puzzles", "/review", "/rules", "/strategy", "/variants")
"""Pages that are kept when they are visited, and so are those below them."""

SCRIPTS = (
    "analysis", "analyst", "annotated", "arrows", "away", "board", "defence", "diagram", "dom",
    "editor", "endgames", "explorer", "findings", "gametree", "graph", "judging", "learn",
    "lesson", "look", "notation", "own", "page", "plainly", "progress", "puzzles", "reading",
    "review", "reviewer", "rules", "setup", "solved", "solving", "speech", "tally", "theme",
    "tree", "variations", "worth", "written",
)  # fmt: skip
"""The scripts of all these pages, beside those of the engine."""


@lru_cache(maxsize=1)
def release() -> str:
    """The name of this very release: a digest of its version, its files and its templates."""
    mark = hashlib.sha256(kingme.__version__.encode())
    files = [path for path in STATIC.rglob("*.*") if not path.name.endswith(".d.ts")]
    for path in sorted([*files, *SHARED.values(), *TEMPLATES.glob("*.html")]):
        mark.update(path.name.encode() + path.read_bytes())
    return mark.hexdigest()[:16]


@lru_cache(maxsize=1)
def worker_script() -> str:
    """The service worker, told what to keep.

    It holds the name of the release: a browser that finds another script than it has keeps
    everything anew.
    """
    told = {
        "name": release(),
        "header": RELEASE,
        "files": [*AT_ONCE, *at_once()],
        "visited": VISITED,
        "course": [f"/learn/{one.name}" for one in LESSONS],
    }
    source = (STATIC / "offline.js").read_text("utf-8")
    return str(rjsmin.jsmin(f"const KEPT = {json.dumps(told)};\n{source}"))


def at_once() -> Iterator[str]:
    """The addresses of the files that are kept when the worker is installed."""
    for name in ("*.svg", "*.webmanifest", "*.css", "engine/*"):
        yield from (address(path) for path in sorted(STATIC.glob(name)))
    yield from (f"/static/{name}.js" for name in SCRIPTS)
    yield from (f"/static/{place}" for place in SHARED)


def address(path: Path) -> str:
    """The address of a file of the static folder."""
    return f"/static/{path.relative_to(STATIC).as_posix()}"


def routes() -> list[Route]:
    """The worker, and the page that it shows in the place of one that is not kept."""

    async def worker(request: Request) -> Response:
        del request
        script = await anyio.to_thread.run_sync(worker_script)
        return Response(script, media_type="text/javascript", headers={"Cache-Control": "no-cache"})

    async def offline(request: Request) -> Response:
        del request
        lessons = [(f"/learn/{one.name}", one.title) for one in LESSONS]
        return page("offline.html", lessons=lessons)

    return [Route("/sw.js", worker), Route("/offline", offline)]
