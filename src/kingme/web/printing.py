"""Sheets to be printed, as PDF: a page with a form for each, which works without a script.

A sheet is made in a thread, a few at once; what may be asked of it is bounded, and so is how often,
for anybody may ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import anyio
import anyio.to_thread
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kingme.errors import KingmeError
from kingme.prints import sheets
from kingme.prints.paper import length
from kingme.rules import pdn
from kingme.rules.position import Position
from kingme.rules.theme import THEMES
from kingme.rules.variant import ENGLISH, VARIANTS, Variant
from kingme.web.guard import RequestError
from kingme.web.guides.metadata import application
from kingme.web.limits import SHEETS as OFTEN
from kingme.web.limits import Limits, address_of
from kingme.web.rendering import base_of
from kingme.web.rendering import page as framed
from kingme.web.settings import Settings

__all__ = ["routes"]

AT_ONCE = 2
SHORT, LONG = 200, 6000
"""Letters of a word in an address, and of the moves of a game."""

DIAGRAMS = 24
PLIES = 400
BUSY = "Other sheets are being made just now. Try again in a moment."
Make = Callable[[QueryParams], bytes]


def routes(settings: Settings) -> list[Route]:
    """The page, and the addresses of the sheets."""
    threads, limits = anyio.CapacityLimiter(AT_ONCE), Limits(settings.redis)

    async def page(request: Request) -> Response:
        """The forms; an address may bring a position or moves along."""
        query, base = request.query_params, base_of(request)
        return framed(
            "print.html",
            "print",
            address=f"{base}/print",
            described=application(base, "/print"),
            themes=list(THEMES),
            variants=VARIANTS.values(),
            fen=query.get("fen", "")[:SHORT],
            moves=query.get("moves", "")[:LONG],
        )

    async def sheet(request: Request) -> Response:
        """A sheet as a file."""
        name = request.path_params["sheet"]
        if name not in SHEETS:
            raise RequestError(404, "not_found", "There is no such sheet.")
        make = SHEETS[name]
        await limits.spend((OFTEN, address_of(request.client)))
        try:
            with anyio.fail_after(settings.queue_seconds):
                await threads.acquire_on_behalf_of(request)
        except TimeoutError:
            raise RequestError(503, "busy", BUSY) from None
        try:
            data = await anyio.to_thread.run_sync(_made, make, request.query_params)
        finally:
            threads.release_on_behalf_of(request)
        headers = {
            "Content-Disposition": f'attachment; filename="{name}.pdf"',
            "Cache-Control": "no-cache",
        }
        return Response(data, media_type="application/pdf", headers=headers)

    return [Route("/print", page), Route("/print/{sheet}.pdf", sheet)]


def _made(make: Make, query: QueryParams) -> bytes:
    try:
        return make(query)
    except KingmeError as error:
        text = str(error)[:LONG]
        raise RequestError(422, "no_sheet", f"{text[:1].upper()}{text[1:]}.") from None


def _board(query: QueryParams) -> bytes:
    return sheets.board(
        _asked(query),
        square=_square(query),
        numbers=not _said(query, "plain"),
        variant=_variant(query),
    )


def _pieces(query: QueryParams) -> bytes:
    return sheets.pieces(_asked(query), square=_square(query), variant=_variant(query))


def _rules(query: QueryParams) -> bytes:
    return sheets.rules(_asked(query))


def _score(query: QueryParams) -> bytes:
    return sheets.score(_asked(query))


def _diagram(query: QueryParams) -> bytes:
    """Positions, or a game where there are moves; it begins at the position if there is one."""
    asked, variant = _asked(query), _variant(query)
    fens = [fen for fen in query.getlist("fen") if fen.strip()]
    if len(fens) > DIAGRAMS:
        raise _malformed("fen", f"fen can be given {DIAGRAMS} times at most")
    for fen in fens:
        _bounded("fen", fen, SHORT * 3)
    positions = [Position.from_fen(fen, variant) for fen in fens]
    moves = _bounded("moves", query.get("moves", ""), LONG).strip()
    columns, every = _number(query, "columns", 4), _number(query, "every", PLIES) or 10
    turned = _said(query, "black")
    if not moves:
        shown = positions or [Position.start(variant)]
        return sheets.positions(shown, asked, columns=columns, turned=turned)
    game = _game(moves, positions[0] if positions else Position.start(variant))
    count = len(game.history.moves)
    if count > PLIES:
        raise _malformed("moves", f"moves can be {PLIES} plies at most, not {count}")
    if count // every > DIAGRAMS:
        raise _malformed("every", f"every {every} plies is more than {DIAGRAMS} diagrams")
    return sheets.game(
        game.history,
        asked,
        tags=dict(game.tags.items()),
        result=game.result,
        every=every,
        columns=columns,
        turned=turned,
    )


SHEETS: Mapping[str, Make] = {
    "board": _board,
    "pieces": _pieces,
    "rules": _rules,
    "score": _score,
    "diagram": _diagram,
}


def _game(text: str, start: Position) -> pdn.Game:
    """The first game of a text; what is wrong in it is refused."""
    if not text.startswith("[") and start != Position.start(start.variant):
        text = f'[FEN "{start.fen}"]\n{text}'
    game = next(iter(pdn.read(text, default=start.variant)), None)
    if game is None or not game.line:
        raise _malformed("moves", "there is no move in moves")
    wrong = next((note for note in game.notes if note.kind == "error"), None)
    if wrong is not None:
        raise _malformed("moves", f"moves: {wrong.message}")
    return game


def _asked(query: QueryParams) -> sheets.Asked:
    paper, theme = query.get("paper", "a4"), query.get("theme", "wood")
    return sheets.Asked(paper[:SHORT], theme[:SHORT], _said(query, "mono"))


def _square(query: QueryParams) -> float:
    return length(query.get("square", "40"))


def _variant(query: QueryParams) -> Variant:
    name = query.get("variant", ENGLISH.name)
    if name not in VARIANTS:
        raise _malformed("variant", f"there is no variant {name[:20]!r}")
    return VARIANTS[name]


ON, OFF = ("", "1", "true", "on", "yes"), ("0", "false", "off", "no")


def _said(query: QueryParams, name: str) -> bool:
    """Whether something is switched on: ``?mono``, ``?mono=1``, ``?mono=on``."""
    word = query.get(name, "0").lower()
    if word not in ON + OFF:
        raise _malformed(name, f"{name} must be on or off, not {word[:20]!r}")
    return word in ON


def _number(query: QueryParams, name: str, most: int) -> int | None:
    """A number from 1 on; None where it is left out."""
    text = query.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= most):
        raise _malformed(name, f"{name} must be from 1 to {most}")
    return int(text)


def _bounded(name: str, text: str, most: int) -> str:
    if len(text) > most:
        raise _malformed(name, f"{name} is too long: {most} letters at most")
    return text


def _malformed(field: str, message: str) -> RequestError:
    return RequestError(400, "malformed", f"{message[:1].upper()}{message[1:]}.", field=field)
