"""The pages and the files they load.

The play page carries all it needs from the server in one JSON block, so the script needs no
request before the first move.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache, lru_cache
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import rjsmin
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Receive, Scope, Send

import kingme
from kingme.engine.levels import LEVELS
from kingme.errors import CaptureLimitError, FenError
from kingme.rules.position import Position
from kingme.rules.texts import sections
from kingme.rules.variant import ENGLISH, VARIANTS, Variant
from kingme.web.guides.metadata import application
from kingme.web.rendering import base_of, embedded, environment
from kingme.web.variants import entries, presets, shape, short_title, variant_record
from kingme.web.wire import PROTOCOL, LevelRecord, PageData, PresetRecord

__all__ = ["SHARED", "STATIC", "linked", "page_data", "routes"]

HERE = Path(__file__).parent
STATIC = HERE / "static"
OVERLAY = "variants/"
DATA = Path(kingme.__file__).parent / "engine" / "data"
SHARED = {
    "engine/weights.bin": DATA / "english.weights",
    "engine/book.bin": DATA / "openings.book",
}
"""Files of the page's engine that are those of the server's: its weights and its opening book."""

MEDIA_TYPES = {
    ".css": "text/css",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


def page_data(variant: Variant = ENGLISH) -> PageData:
    """What the play page is told: the variant, its draw presets and the levels."""
    return PageData(
        protocol=PROTOCOL,
        version=kingme.__version__,
        variant=variant_record(variant),
        presets=[PresetRecord.of(preset) for preset in presets(variant)],
        levels=[LevelRecord.of(level) for level in LEVELS],
    )


SIDES = {"black": "B", "dark": "B", "b": "B", "white": "W", "light": "W", "w": "W"}
CHOICES: dict[str, dict[str, str | int]] = {
    "mode": {"computer": "computer", "two": "two"},
    "side": {**SIDES},
    "level": {str(level.number): level.number for level in LEVELS},
}


def linked(query: Mapping[str, str], variant: Variant = ENGLISH) -> dict[str, str | int]:
    """The settings of a new game that an address names, as the page keeps them.

    Without a side, the person has the move. Raises ``ValueError`` with a sentence for the player.
    """
    settings: dict[str, str | int] = {}
    if "fen" in query:
        try:
            position = Position.from_fen(query["fen"], variant)
            position.legal_moves  # noqa: B018 (too many captures are refused here)
        except (FenError, CaptureLimitError) as error:
            raise ValueError(f"fen: {error}") from error
        settings |= {"start": position.fen, "side": position.turn.code}
    own: dict[str, str | int] = {preset.name: preset.name for preset in presets(variant)}
    for name, choices in {**CHOICES, "preset": own}.items():
        if name not in query:
            continue
        said = query[name].strip().lower()
        if said not in choices:
            allowed = ", ".join(choices)
            raise ValueError(f"{name} cannot be '{query[name][:20]}': it is one of {allowed}")
        settings[name] = choices[said]
    return settings


@lru_cache(maxsize=64)
def bare_script(path: str, changed: int) -> str:
    """A script without its comments and blanks, since a player's browser reads none of them.

    ``changed`` is the time of the file's last change in nanoseconds: an edited file is read
    again.
    """
    return str(rjsmin.jsmin(Path(path).read_text(encoding="utf-8")))


class Assets(StaticFiles):
    """Static files with media types that do not depend on the machine, always revalidated.

    The tag of a file also names the release: an upgrade never leaves an old script in use.
    Files are small, so each is sent whole: a range is not looked at, as HTTP allows.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        headers = [item for item in scope["headers"] if item[0] != b"range"]
        await super().__call__({**scope, "headers": headers}, receive, send)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """One file; what only the type checker reads is not served, nor a file as a folder."""
        if scope["path"].endswith("/") or path.endswith(".d.ts"):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return await super().get_response(path, scope)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where a file is; what the folder of the variants lacks is taken from the one above.

        So the page of a variant loads the scripts of the play page, with other rules in the
        place of theirs.
        """
        if path in SHARED:
            return os.fspath(SHARED[path]), SHARED[path].stat()
        found = super().lookup_path(path)
        if found[1] is None and path.startswith(OVERLAY):
            return super().lookup_path(path.removeprefix(OVERLAY))
        return found

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """One file, or word that the browser's copy is still good."""
        request = Request(scope)
        tag = f'"{kingme.__version__}-{stat_result.st_mtime_ns:x}-{stat_result.st_size:x}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Accept-Ranges": "none"}
        suffix = Path(full_path).suffix
        media_type = MEDIA_TYPES.get(suffix, "application/octet-stream")
        response: Response
        if suffix == ".js":
            script = bare_script(os.fspath(full_path), stat_result.st_mtime_ns)
            response = Response(script, status_code, headers, media_type)
        else:
            response = FileResponse(
                full_path, status_code, headers, media_type, stat_result=stat_result
            )
        known = request.headers.get("if-none-match", "").split(",")
        if tag in [item.strip().removeprefix("W/") for item in known]:
            return NotModifiedResponse(response.headers)
        return response


def routes() -> list[Route | Mount]:
    """The addresses that a browser opens."""
    games = entries()

    @cache
    def known(variant: Variant) -> dict[str, object]:
        """What a variant's page shows in any case; made at its first visit."""
        return {
            "data": page_data(variant),
            "board": shape(variant),
            "variant": variant,
            "title": short_title(variant),
            "rules": sections(variant),
            "games": games,
            "scripts": "/static" if variant == ENGLISH else f"/static/{OVERLAY}".rstrip("/"),
            "version": kingme.__version__,
        }

    async def play(request: Request) -> Response:
        query = dict(request.query_params)
        name = request.path_params.get("name", ENGLISH.name)
        wanted = query.pop("variant", name).strip().lower()
        wanted = ENGLISH.name if wanted == "american" else wanted
        if wanted not in VARIANTS:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        variant = VARIANTS[wanted]
        address = "/" if variant == ENGLISH else f"/variants/{wanted}"
        if request.url.path != address:
            rest = f"?{urlencode(query)}" if query else ""
            return RedirectResponse(f"{address}{rest}")
        shown = known(variant)
        told = page_data(variant)
        try:
            told = msgspec.structs.replace(told, link=linked(query, variant) or None)
        except ValueError as error:
            told = msgspec.structs.replace(told, link_error=str(error))
        base = base_of(request)
        text = (
            environment()
            .get_template("play.html")
            .render(
                **shown,
                data_json=embedded(told),
                address=f"{base}{address}",
                described=application(base, address),
            )
        )
        return HTMLResponse(text, headers={"Cache-Control": "no-cache"})

    return [
        Route("/", play),
        Route("/variants/{name}", play),
        Mount("/static", Assets(directory=HERE / "static")),
    ]
