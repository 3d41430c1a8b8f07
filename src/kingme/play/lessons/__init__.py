"""Lessons from the first move to the endings of two and three kings, as data.

`CHAPTERS` holds them in the order in which they are read; `steps` says what a lesson is made of.
The other modules hold the chapters.
"""

from __future__ import annotations

from kingme.play.lessons.course import CHAPTERS, LESSONS, following, lesson
from kingme.play.lessons.pointing import reasons
from kingme.play.lessons.steps import (
    Chapter,
    Choose,
    Hold,
    Lesson,
    Moves,
    Point,
    Step,
    Task,
    Win,
)

__all__ = [
    "CHAPTERS",
    "LESSONS",
    "Chapter",
    "Choose",
    "Hold",
    "Lesson",
    "Moves",
    "Point",
    "Step",
    "Task",
    "Win",
    "following",
    "lesson",
    "reasons",
]
