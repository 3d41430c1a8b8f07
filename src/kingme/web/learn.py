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
from starlette.responses import Response
from starlette.routing import Route

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
from kingme.web.rendering import base_of, embedded, rendered, response
from kingme.web.stills import drawn
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
        return rendered(
            "learn.html",
            "learn",
            address=f"{base}/learn",
            chapters=CHAPTERS,
            count=len(LESSONS),
            about=ABOUT,
            structured=embedded(_course(base)),
        )

    @lru_cache(maxsize=4 * len(LESSONS))
    def text(name: str, base: str) -> str:
        shown = lesson(name)
        assert shown is not None, "asked of lessons alone"
        return rendered(
            "lesson.html",
            "learn",
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

    async def learn(request: Request) -> Response:
        return response(overview(base_of(request)))

    async def one(request: Request) -> Response:
        name = request.path_params["name"]
        if lesson(name) is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return response(text(name, base_of(request)))

    return [Route("/learn", learn), Route("/learn/{name}", one)]


def diagram(step: Step) -> dict[str, Any]:
    """The position of a step as a drawing wants it."""
    return drawn(step.position, step.below, step.marks)


def answer(task: Task) -> str:
    """The answer to a task in words, for those who read without a script."""
    if isinstance(task, Moves):
        return ", ".join(part.replace("|", " or ") for part in task.line)
    if isinstance(task, Point):
        return ", ".join(map(str, task.answer))
    if isinstance(task, Choose):
        return ". ".join(part.rstrip(".") for part in task.choices[task.answer]) + "."
    return ""


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
        "url": f"{base}/learn",
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
