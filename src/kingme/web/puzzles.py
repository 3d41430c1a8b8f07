"""Puzzles as pages: today's, and each by its name; what a device needs to choose the next one.

Who solved what is kept on the device alone. A day is one of the clock of Greenwich, so that
everybody has the same puzzle, and it is the server that says which day it is.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlencode

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kingme.analysis.puzzles import Puzzle, Shelf
from kingme.analysis.puzzles.shelf import shelf
from kingme.analysis.puzzles.telling import (
    found_words,
    game_words,
    goal_words,
    origin_words,
    worse_words,
)
from kingme.web.guard import answer
from kingme.web.guides.metadata import application
from kingme.web.guides.metadata import puzzle as one
from kingme.web.rendering import base_of, embedded, page
from kingme.web.stills import drawn
from kingme.web.wire import Record

__all__ = ["PuzzlesAnswer", "routes"]

Clock = Callable[[], dt.datetime]


class StepShown(Record, frozen=True):
    """A move to be found: all that are right, the line's first, and what answers the others.

    ``reply`` is the answer of the defence to the line's move; null after the last.
    """

    accepted: list[str]
    refuted: dict[str, str]
    reply: str | None


class PuzzleShown(Record, frozen=True):
    """A puzzle as its page needs it.

    ``worse`` says what every wrong move has in common. ``today`` is the day, counted; so is
    ``day`` where the puzzle is that day's, else it is null.
    """

    name: str
    fen: str
    rating: int
    steps: list[StepShown]
    worse: str
    today: int
    day: int | None


class PuzzleListed(Record, frozen=True):
    """A puzzle's name and rating."""

    name: str
    rating: int


class PuzzlesAnswer(Record, frozen=True):
    """All puzzles, the easiest first: the name of each, and its rating."""

    puzzles: list[PuzzleListed]


def routes(clock: Clock = lambda: dt.datetime.now(dt.UTC)) -> list[Route]:
    """Today's puzzle, each by its name, and the list of all."""

    def date() -> dt.date:
        return clock().astimezone(dt.UTC).date()

    async def today(request: Request) -> Response:
        """The puzzle of the day."""
        known = await _shelf()
        day = date()
        return _page(known, known.get(known.of_day(day)), day, base_of(request), daily=True)

    async def named(request: Request) -> Response:
        """A puzzle by its name, which any case of letters will do for."""
        known = await _shelf()
        name: str = request.path_params["name"]
        if name != name.lower() and name.lower() in known:
            return RedirectResponse(f"/puzzles/{name.lower()}")
        if name not in known:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return _page(known, known.get(name), date(), base_of(request), daily=False)

    async def listed(_: Request) -> Response:
        """The names and ratings of all."""
        known = await _shelf()
        return answer(PuzzlesAnswer([PuzzleListed(*found) for found in known.ratings.items()]))

    return [
        Route("/puzzles", today),
        Route("/puzzles/{name}", named),
        Route("/api/puzzles", listed),
    ]


async def _shelf() -> Shelf:
    """The puzzles; the first time they are read from their file."""
    return await anyio.to_thread.run_sync(shelf)


def _page(known: Shelf, puzzle: Puzzle, day: dt.date, base: str, *, daily: bool) -> Response:
    """The page of a puzzle, with the date over it where it was asked for as the day's."""
    position = puzzle.position
    steps = [
        StepShown(
            accepted=[str(move) for move in step.accepted],
            refuted={str(move): str(reply or "") for move, reply in step.refuted},
            reply=None if step.reply is None else str(step.reply),
        )
        for step in puzzle.steps
    ]
    told = PuzzleShown(
        name=puzzle.name,
        fen=position.fen,
        rating=puzzle.rating,
        steps=steps,
        worse=worse_words(puzzle),
        today=day.toordinal(),
        day=day.toordinal() if known.of_day(day) == puzzle.name else None,
    )
    values = {
        "puzzle": puzzle,
        "address": f"{base}/puzzles" if daily else f"{base}/puzzles/{puzzle.name}",
        "described": application(base, "/puzzles") if daily else one(base, puzzle.name),
        "day": day if daily else None,
        "drawn": drawn(position, position.turn.code),
        "goal": goal_words(puzzle),
        "game": game_words(puzzle),
        "found": found_words(puzzle),
        "origin": origin_words(puzzle),
        "line": " ".join(map(str, puzzle.line)),
        "analysis": f"/analysis?{urlencode({'fen': position.fen})}",
        "following": known.near(puzzle.rating, puzzle.name),
        "count": len(known),
        "data_json": embedded(told),
    }
    return page("puzzles.html", "puzzles", **values)
