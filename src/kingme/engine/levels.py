"""The eight levels, as data: how far each looks, what it overlooks, and how it wavers.

A weak level errs as people do. It looks only so many plies ahead; at some moves it merely
glances, and so misses what the other side can do about them; and among moves that look about
equal it follows a whim. It never gives a man away for nothing that it could see at a glance.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LEVELS", "Level", "level_of"]


@dataclass(frozen=True, slots=True)
class Level:
    """How a level thinks.

    ``depth``: plies searched at most; ``seconds``: time for a move at most. ``glance``: depth
    of a look at a move that gets no more, which happens with probability ``oversight``.
    ``whim``: hundredths of a man by which the liking for a move may stray. ``varied``: plies
    of a usual game for which also a level without whims picks among moves of about the same
    value, so that no two games need begin alike. A whim below half a man never costs a man
    that the level sees. ``book``: hundredths of a man by which a move of the opening book may be
    worse than its best and still be played, at once; without, the book is left closed.
    """

    number: int
    name: str
    description: str
    depth: int
    seconds: float
    glance: int = 1
    oversight: float = 0.0
    whim: int = 0
    varied: int = 0
    book: int = 0


LEVELS: tuple[Level, ...] = (
    Level(
        1,
        "Beginner",
        "Sees what it can take, and not much else.",
        depth=1,
        seconds=0.5,
        whim=45,
    ),
    Level(
        2,
        "Learner",
        "Thinks of your answer, but often forgets to.",
        depth=2,
        seconds=0.5,
        oversight=0.4,
        whim=40,
    ),
    Level(
        3,
        "Casual",
        "Looks a move and a half ahead, and misses some shots.",
        depth=3,
        seconds=0.5,
        oversight=0.25,
        whim=25,
    ),
    Level(
        4,
        "Club",
        "Sees simple shots coming, and rarely overlooks one.",
        depth=5,
        seconds=0.5,
        oversight=0.1,
        whim=14,
    ),
    Level(
        5,
        "Strong club",
        "Plans a few moves ahead and punishes careless play.",
        depth=7,
        seconds=0.5,
        oversight=0.03,
        glance=3,
        whim=8,
    ),
    Level(
        6,
        "Expert",
        "Looks ten plies ahead in a blink.",
        depth=10,
        seconds=0.6,
        varied=8,
        book=8,
    ),
    Level(
        7,
        "Master",
        "Looks as far as it can in half a second.",
        depth=15,
        seconds=0.6,
        varied=6,
        book=6,
    ),
    Level(
        8,
        "Full strength",
        "Everything the engine has, for up to two and a half seconds.",
        depth=99,
        seconds=2.4,
        varied=4,
        book=5,
    ),
)
"""Levels 1 to 8."""


def level_of(number: int) -> Level:
    """Return a level by its number; raise ``ValueError`` where there is none.

    >>> level_of(8).name
    'Full strength'
    """
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"there is no level {number}: they run from 1 to {len(LEVELS)}")
    return LEVELS[number - 1]
