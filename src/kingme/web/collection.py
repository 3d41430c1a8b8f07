"""The operator's collection of games, to be read: its opening tree, and lists of its games.

Without a collection in the settings there is nothing at these addresses. Each question is asked
in a thread, over a connection of its own, and given up where it takes too long.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kingme.collection import Branch, Collection, CollectionError, Query, Tree
from kingme.collection.library import MOST
from kingme.errors import KingmeError
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, VARIANTS
from kingme.web.guard import RequestError, answer
from kingme.web.sent import number
from kingme.web.settings import Settings
from kingme.web.wire import Record

__all__ = ["Lending", "TreeAnswer", "asked_position", "routes"]

T = TypeVar("T")

SECONDS = 5.0
"""How long one question may take."""

AT_ONCE = 2
LONGEST = 1000
PAGE = 25
BALLOTS = 174
NONE = "This server keeps no collection of games."
BUSY = "The collection is busy with other questions. Try again in a moment."


class BranchShown(Record, frozen=True):
    """A move from a position; `score` is that of the side that plays it, null if unknown."""

    move: str
    path: tuple[int, ...]
    captures: tuple[int, ...]
    games: int
    black: int
    white: int
    draws: int
    score: float | None

    @classmethod
    def of(cls, branch: Branch, **more: object) -> Self:
        """The record of a branch; `more` are the fields that a kind of it adds."""
        tally = branch.tally
        return cls(
            move=str(branch.move),
            path=branch.move.path,
            captures=branch.move.captures,
            games=tally.games,
            black=tally.black,
            white=tally.white,
            draws=tally.draws,
            score=branch.score,
            **more,
        )


class TreeAnswer(Record, frozen=True):
    """What was played in a position, the most played first; `ended` games went no further.

    `black` and `white` are the games that each won.
    """

    fen: str
    variant: str
    games: int
    black: int
    white: int
    draws: int
    ended: int
    moves: list[BranchShown]


class Lending:
    """The collection as requests use it: a few at once, each for a bounded time."""

    def __init__(self, settings: Settings) -> None:
        self._path = None if settings.collection is None else Path(settings.collection)
        self._patience = settings.queue_seconds
        self._threads = anyio.CapacityLimiter(AT_ONCE)

    @property
    def kept(self) -> bool:
        """Whether there is a collection."""
        return self._path is not None

    async def ask(self, question: Callable[[Collection], T]) -> T:
        """The answer to a question."""
        path = self._path
        if path is None:
            raise RequestError(404, "no_collection", NONE)

        def work() -> T:
            with Collection(path, seconds=SECONDS) as collection:
                return question(collection)

        return await self.work(work)

    async def work(self, work: Callable[[], T]) -> T:
        """What a function gives, run when its turn comes; what it refuses is said in words."""
        try:
            with anyio.fail_after(self._patience):
                await self._threads.acquire_on_behalf_of(work)
        except TimeoutError:
            raise RequestError(503, "busy", BUSY) from None
        try:
            return await anyio.to_thread.run_sync(work)
        except KingmeError as error:
            raise RequestError(422, "no_answer", f"{_sentence(error)}") from None
        finally:
            self._threads.release_on_behalf_of(work)


def routes(settings: Settings) -> list[Route]:
    """The addresses of the collection."""
    lending = Lending(settings)

    async def tree(request: Request) -> Response:
        """What was played in a position."""
        query = _position(request)
        found = await lending.ask(lambda games: _tree(games.tree(query())))
        return answer(found)

    async def games(request: Request) -> Response:
        """The games that meet every condition."""
        query = _query(request)
        limit = _within(request, "limit", MOST) or PAGE
        after = number(request, "after") or 0
        page = await lending.ask(lambda games: games.search(query(), limit=limit, after=after))
        return answer(page)

    return [
        Route("/api/collection/tree", tree),
        Route("/api/collection/games", games),
    ]


def asked_position(request: Request) -> Callable[[], Position]:
    """What reads the position of an address: English, the start without one."""
    fen = _text(request, "fen")
    return lambda: Position.from_fen(fen) if fen else Position.start()


def _position(request: Request) -> Callable[[], Query]:
    """What asks for a position; it is read where there is time for it."""
    fen, name, colours = _text(request, "fen"), _text(request, "variant"), _colours(request)
    variant = VARIANTS.get(name) if name else ENGLISH
    if variant is None:
        known = ", ".join(VARIANTS)
        message = f"Unknown variant: {name}. There are {known}."
        raise RequestError(422, "unknown_variant", message, field="variant")
    chosen = variant

    def query() -> Query:
        position = Position.from_fen(fen, chosen) if fen else Position.start(chosen)
        return Query(position=position, colours=colours)

    return query


def _query(request: Request) -> Callable[[], Query]:
    """What asks for games."""
    fen, name = _text(request, "fen"), _text(request, "variant")
    words = ("player", "black", "white", "event", "since", "until", "material", "result")
    said: dict[str, Any] = {word: _text(request, word) for word in words}
    opening = _within(request, "opening", BALLOTS)
    position = _position(request)

    def query() -> Query:
        asked = position()
        return Query(
            position=asked.position if fen else None,
            colours=asked.colours,
            opening=opening,
            variant=name,
            **said,
        )

    return query


def _within(request: Request, name: str, most: int) -> int | None:
    """A number from 1 on in the query of an address; None where it is left out."""
    found = number(request, name)
    if found is not None and not 1 <= found <= most:
        raise RequestError(400, "malformed", f"{name} must be from 1 to {most}.", field=name)
    return found


def _text(request: Request, name: str) -> str:
    """A text in the query of an address; empty where it is left out."""
    text = request.query_params.get(name, "")
    if len(text) > LONGEST:
        raise RequestError(400, "malformed", f"{name} is too long.", field=name)
    return text


def _colours(request: Request) -> bool:
    """Whether a position is asked for with the colours reversed too."""
    text = request.query_params.get("colours", "true")
    if text not in ("true", "false"):
        raise RequestError(400, "malformed", "colours must be true or false.", field="colours")
    return text == "true"


def _sentence(error: KingmeError) -> str:
    """What was refused, without the path of the collection on this server."""
    if isinstance(error, CollectionError) and error.private:
        return "The collection of this server cannot be read."
    text = str(error)[:LONGEST]
    return f"{text[:1].upper()}{text[1:]}."


def _tree(found: Tree) -> TreeAnswer:
    tally = found.tally
    return TreeAnswer(
        fen=found.position.fen,
        variant=found.position.variant.name,
        games=tally.games,
        black=tally.black,
        white=tally.white,
        draws=tally.draws,
        ended=found.ended,
        moves=[BranchShown.of(branch) for branch in found.branches],
    )
