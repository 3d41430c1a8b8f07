"""The lessons as pages: an overview, and a page for each lesson with all its steps.

Texts, questions and diagrams are in the page as it is sent, so that it can be read and found
without a script; ``lesson.js`` makes one step at a time of it, with a board that takes moves.
"""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

import kingme
from kingme.engine.levels import LEVELS
from kingme.play.lessons import (
    CHAPTERS,
    LESSONS,
    Choose,
    Hold,
    Lesson,
    Moves,
    Point,
    Step,
    Task,
    Win,
    following,
    lesson,
    reasons,
)
from kingme.rules.outcome import STANDARD
from kingme.rules.position import Position
from kingme.web.pages import embedded
from kingme.web.rendering import base_of, environment
from kingme.web.wire import LevelRecord, PresetRecord

__all__ = ["routes"]

KINDS = {Moves: "moves", Point: "point", Choose: "choose", Win: "win", Hold: "hold"}
ABOUT = (
    "Interactive lessons in American checkers, from setting up the board to the classic endings:"
    " each has a board to play on and exercises that are checked."
)
SECONDS = 0.7
"""How long the defence thinks at most, in a position that is played on."""


def routes() -> list[Route]:
    """The overview and the lessons."""

    # The bound is for hosts: a server may answer to any name.
    @lru_cache(maxsize=8)
    def overview(base: str) -> str:
        return (
            environment()
            .get_template("learn.html")
            .render(
                here="learn",
                version=kingme.__version__,
                address=f"{base}/learn",
                chapters=CHAPTERS,
                count=len(LESSONS),
                about=ABOUT,
                structured=embedded(_course(base)),
            )
        )

    @lru_cache(maxsize=4 * len(LESSONS))
    def text(name: str, base: str) -> str:
        shown = lesson(name)
        assert shown is not None, "asked of lessons alone"
        return (
            environment()
            .get_template("lesson.html")
            .render(
                here="learn",
                version=kingme.__version__,
                address=f"{base}/learn/{name}",
                lesson=shown,
                number=LESSONS.index(shown) + 1,
                count=len(LESSONS),
                after=following(name),
                before=next((one for one in LESSONS if following(one.name) == shown), None),
                diagram=diagram,
                answer=answer,
                data_json=embedded(_told(shown)),
                structured=embedded(_resource(shown, base)),
            )
        )

    async def learn(request: Request) -> Response:
        return _page(overview(base_of(request)))

    async def one(request: Request) -> Response:
        name = request.path_params["name"]
        if lesson(name) is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return _page(text(name, base_of(request)))

    return [Route("/learn", learn), Route("/learn/{name}", one)]


def diagram(step: Step) -> dict[str, Any]:
    """The position of a step as a drawing wants it."""
    return drawn(step.position, step.below, step.marks)


def drawn(position: Position, below: str, marks: tuple[int, ...] = ()) -> dict[str, Any]:
    """A position as a drawing wants it: dark squares, marked squares and pieces with places.

    A square is 10 units wide; places of pieces are their centres. ``below`` is the side at the
    lower edge, ``B`` or ``W``.
    """

    def place(square: int) -> tuple[int, int]:
        row, column = (square - 1) // 4, ((square - 1) % 4) * 2 + 1 - ((square - 1) // 4) % 2
        if below == "B":
            row, column = 7 - row, 7 - column
        return 10 * column, 10 * row

    pieces = [
        (piece.side.code, piece.king, place(square)[0] + 5, place(square)[1] + 5)
        for square, piece in sorted(position.pieces.items())
    ]
    squares = [(n, *place(n)) for n in range(1, 33)]
    marked = [place(n) for n in marks]
    return {"squares": squares, "marked": marked, "pieces": pieces, "label": said(position)}


def said(position: Position) -> str:
    """A position in words: who has what where, and whose turn it is."""
    sides = []
    for code, name in (("B", "Black"), ("W", "White")):
        own = {n: piece for n, piece in position.pieces.items() if piece.side.code == code}
        kings, men = ([n for n in own if own[n].king is king] for king in (True, False))
        kinds = [_counted("king", "kings", kings), _counted("man", "men", men)]
        has = " and ".join(filter(None, kinds)) or "nothing"
        sides.append(f"{name} has {has}")
    turn = {"B": "Black", "W": "White"}[position.turn.code]
    return f"{'; '.join(sides)}. {turn} to move."


def _counted(one: str, many: str, squares: list[int]) -> str:
    if not squares:
        return ""
    at = ", ".join(map(str, sorted(squares)))
    return f"a {one} on {at}" if len(squares) == 1 else f"{many} on {at}"


def answer(task: Task) -> str:
    """The answer to a task in words, for those who read without a script."""
    if isinstance(task, Moves):
        return ", ".join(part.replace("|", " or ") for part in task.line)
    if isinstance(task, Point):
        return ", ".join(map(str, task.answer))
    if isinstance(task, Choose):
        return ". ".join(part.rstrip(".") for part in task.choices[task.answer]) + "."
    return ""


def _page(text: str) -> Response:
    return HTMLResponse(text, headers={"Cache-Control": "no-cache"})


def _told(shown: Lesson) -> dict[str, Any]:
    """What the script of a lesson is told."""
    played = any(isinstance(step.task, Win | Hold) for step in shown.steps)
    level = msgspec.structs.replace(LevelRecord.of(LEVELS[-1]), seconds=SECONDS, varied=0, book=0)
    return {
        "name": shown.name,
        "steps": [_step(step) for step in shown.steps],
        "preset": PresetRecord.of(STANDARD) if played else None,
        "level": level if played else None,
    }


def _step(step: Step) -> dict[str, Any]:
    """A step as the script reads it: the position, and what is asked with all its answers."""
    told: dict[str, Any] = {"fen": step.fen, "bottom": step.below, "marks": step.marks}
    task = step.task
    if task is None:
        return told
    kept = [field.name for field in fields(task) if field.name not in ("ask", "claim", "of")]
    told |= {name: getattr(task, name) for name in kept}
    if isinstance(task, Point):
        told["squares"] = reasons(step.position, task)
    return told | {"kind": KINDS[type(task)], "after": step.after}


def _course(base: str) -> dict[str, Any]:
    """The course as search engines read it (schema.org)."""
    return {
        "@context": "https://schema.org",
        "@type": "Course",
        "name": "Learn checkers",
        "description": ABOUT,
        "provider": {"@type": "Organization", "name": "kingme"},
        "isAccessibleForFree": True,
        "hasPart": [
            {"@type": "LearningResource", "name": one.title, "url": f"{base}/learn/{one.name}"}
            for one in LESSONS
        ],
    }


def _resource(shown: Lesson, base: str) -> dict[str, Any]:
    """A lesson as search engines read it (schema.org)."""
    return {
        "@context": "https://schema.org",
        "@type": "LearningResource",
        "name": shown.title,
        "url": f"{base}/learn/{shown.name}",
        "description": shown.about,
        "learningResourceType": "Interactive lesson",
        "teaches": shown.about,
        "isAccessibleForFree": True,
        "inLanguage": "en",
        "isPartOf": {"@type": "Course", "name": "Learn checkers", "url": f"{base}/learn"},
        "position": LESSONS.index(shown) + 1,
    }
