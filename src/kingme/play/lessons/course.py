"""The course: all chapters in order, a lesson by its name, and the one that follows it."""

from __future__ import annotations

from kingme.play.lessons.beginning import BEGINNING
from kingme.play.lessons.endings import ENDINGS
from kingme.play.lessons.results import RESULTS
from kingme.play.lessons.shots import SHOTS
from kingme.play.lessons.steps import Chapter, Lesson
from kingme.play.lessons.strategy import STRATEGY

__all__ = ["CHAPTERS", "LESSONS", "following", "lesson"]

CHAPTERS: tuple[Chapter, ...] = (BEGINNING, RESULTS, STRATEGY, SHOTS, ENDINGS)

LESSONS: tuple[Lesson, ...] = tuple(one for chapter in CHAPTERS for one in chapter)


def lesson(name: str) -> Lesson | None:
    """Return the lesson of a name; None where there is none.

    >>> lesson("setting-up").title
    'The board and the men'
    """
    return next((one for one in LESSONS if one.name == name), None)


def following(name: str) -> Lesson | None:
    """Return the lesson after the one of this name; None after the last."""
    names = [one.name for one in LESSONS]
    after = names.index(name) + 1
    return LESSONS[after] if after < len(LESSONS) else None
