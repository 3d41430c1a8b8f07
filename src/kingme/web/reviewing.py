"""The page on which a game is reviewed, and its review as PDN.

The browser searches the positions; what it found comes here only to be written into the game. The
judging is done once more by :mod:`kingme.analysis`, so that the words of a file are always its own.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import kingme
from kingme.analysis import Mark, Verdict, annotated, judged
from kingme.analysis.reviews import LIMITS
from kingme.analysis.verdicts import LINE, SCALE
from kingme.engine.api import NEAR_WIN, WIN
from kingme.errors import MoveError
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.pdn import write
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH
from kingme.web.api import Desk, bounded
from kingme.web.guard import RequestError, answer
from kingme.web.limits import ANNOTATIONS, Limits, address_of
from kingme.web.pages import embedded
from kingme.web.reading import BUSY, LONGEST, PdnText, game_at
from kingme.web.rendering import page
from kingme.web.sent import json_record
from kingme.web.settings import Settings
from kingme.web.wire import MoveWords, Number, Record

__all__ = ["AnnotatedAnswer", "AnnotatedSent", "ReviewData", "review_data", "routes"]

LONGEST_LINE = 100
LINES = 20_000
"""Moves of all lines of a game together."""

Score = Annotated[int, msgspec.Meta(ge=-WIN, le=WIN)]
Plies = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Line = Annotated[list[MoveWords], msgspec.Meta(max_length=LONGEST_LINE)]


class VerdictSent(Record, frozen=True):
    """What is known of a position, for the side to move; see `kingme.analysis.Verdict`."""

    score: Score
    line: Line
    result: Literal["win", "draw", "loss"] | None = None
    plies: Plies | None = None
    proof: Literal["search", "database", "rules"] | None = None


class AnnotatedSent(Record, frozen=True):
    """The game at byte `offset` of a PDN text, with a verdict on each of its positions."""

    text: PdnText
    verdicts: list[VerdictSent]
    offset: Number = 0


class AnnotatedAnswer(Record, frozen=True):
    """The game as PDN, with signs, words and better lines."""

    pdn: str


class Class(Record, frozen=True):
    """A class of faults: from how many points given away on, and its sign."""

    mark: str
    least: float
    sign: str


class ReviewData(Record, frozen=True):
    """What the page's judging needs to be that of `kingme.analysis`; worst classes first."""

    version: str
    scale: float
    win: int
    near_win: int
    line: int
    classes: list[Class]


def review_data() -> ReviewData:
    """The scale and the thresholds of the review."""
    return ReviewData(
        version=kingme.__version__,
        scale=SCALE,
        win=WIN,
        near_win=NEAR_WIN,
        line=LINE,
        classes=[Class(str(mark), least, mark.sign) for least, mark in LIMITS],
    )


def routes(settings: Settings) -> list[Route]:
    """The page, and the address that writes a review into its game."""
    desk, limits = Desk(settings, BUSY), Limits(settings.redis)

    marks = list(reversed(Mark))

    async def review(request: Request) -> Response:
        """The page."""
        del request
        return page("review.html", "review", data_json=embedded(review_data()), marks=marks)

    async def annotate(request: Request) -> Response:
        """The game with its review."""
        await limits.spend((ANNOTATIONS, address_of(request.client)))
        sent = await json_record(request, settings, AnnotatedSent, most=2 * LONGEST)
        return answer(await desk.run(bounded(lambda: _annotated(sent)), request))

    return [
        Route("/review", review),
        Route("/api/pdn/annotated", annotate, methods=["POST"]),
    ]


def _annotated(sent: AnnotatedSent) -> AnnotatedAnswer:
    game = game_at(sent.text, sent.offset)
    if game.start.variant is not ENGLISH:
        title = game.start.variant.title
        message = f"This game is one of {title}: a review is of {ENGLISH.title}."
        raise RequestError(422, "unknown_variant", message, field="text")
    verdicts = _verdicts(game.history, sent.verdicts)
    found = judged(game.history, lambda ply: verdicts[ply])
    return AnnotatedAnswer(write(annotated(game, found)))


def _verdicts(history: History, sent: list[VerdictSent]) -> list[Verdict]:
    """The verdicts with their lines as moves; what does not fit the game is refused."""
    if len(sent) != len(history.positions):
        count = len(history.positions)
        message = f"This game has {count} positions, and {len(sent)} verdicts were sent."
        raise RequestError(422, "other_game", message, field="verdicts")
    if sum(len(verdict.line) for verdict in sent) > LINES:
        message = f"The lines have more than {LINES} moves together."
        raise RequestError(422, "too_long", message, field="verdicts")
    found = []
    for ply, (position, verdict) in enumerate(zip(history.positions, sent, strict=True)):
        line = _line(position, verdict.line, ply)
        proof = verdict.proof if verdict.result else None
        found.append(Verdict(verdict.score, line, verdict.result, verdict.plies, proof))
    return found


def _line(position: Position, texts: list[str], ply: int) -> tuple[Move, ...]:
    moves = []
    if not texts and position.legal_moves:
        message = f"The verdict after {ply} plies has no line."
        raise RequestError(422, "illegal_move", message, field="verdicts", ply=ply or None)
    for text in texts:
        try:
            moves.append(position.parse(text))
        except MoveError as error:
            message = f"The line after {ply} plies cannot be played: {error}."
            raise RequestError(
                422, "illegal_move", message, field="verdicts", ply=ply or None
            ) from None
        position = position.play(moves[-1])
    return tuple(moves)
