"""The eight levels, as data: how far each looks, what it overlooks, and how it wavers.

A weak level errs as people do. It looks only so many plies ahead; some moves it sees only at first
sight, and so misses the shots behind them; and among moves that look about equal it follows a
whim. It never gives a man away for nothing where first sight would tell. Levels 1 to 7 are limited
by depth, so that they are as strong on a phone as on a server; level 8 by time alone.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LEVELS", "Level", "level_of"]


@dataclass(frozen=True, slots=True)
class Level:
    """How a level thinks.

    ``depth``: plies searched at most; ``seconds``: time for a move at most, which only level 8
    needs. ``oversight``: the probability that a move is seen only at first sight, and looks as
    good as the best there is unless that tells the difference; first sight is a search of
    ``glance`` plies or, for 0, the jump that answers and the one back. ``whim``: hundredths of a
    man by which the liking for a move may stray; never for one that costs a man at first sight.
    ``varied``: plies of a usual game for which also a level without whims picks among moves of
    about the same value, so that no two games need begin alike. ``book``: hundredths of a man by
    which a move of the opening book may be worse than its best and still be played, at once;
    without, the book is left closed.
    """

    number: int
    name: str
    description: str
    depth: int
    seconds: float
    glance: int = 0
    oversight: float = 0.0
    whim: int = 0
    varied: int = 0
    book: int = 0


LEVELS: tuple[Level, ...] = (
    Level(
        1,
        "Beginner",
        "Sees a jump and the jump back, and seldom more.",
        depth=1,
        seconds=0.5,
        oversight=0.9,
        whim=45,
    ),
    Level(
        2,
        "Learner",
        "Thinks of your answer, but forgets to at every fourth move.",
        depth=2,
        seconds=0.5,
        oversight=0.25,
        whim=26,
    ),
    Level(
        3,
        "Casual",
        "Looks a move and a half ahead, and misses some shots.",
        depth=3,
        seconds=0.5,
        oversight=0.12,
        whim=16,
    ),
    Level(
        4,
        "Club",
        "Looks two moves ahead, and seldom overlooks a shot.",
        depth=4,
        seconds=0.5,
        glance=1,
        oversight=0.12,
        whim=11,
    ),
    Level(
        5,
        "Strong club",
        "Looks three moves ahead and punishes careless play.",
        depth=6,
        seconds=0.5,
        glance=2,
        oversight=0.1,
        whim=8,
    ),
    Level(
        6,
        "Expert",
        "Looks seven plies ahead, without a slip.",
        depth=7,
        seconds=0.6,
        varied=8,
        book=8,
    ),
    Level(
        7,
        "Master",
        "Looks ten plies ahead, in a blink.",
        depth=10,
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
