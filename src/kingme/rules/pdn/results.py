"""Results as texts, and what they mean in draughts."""

from __future__ import annotations

import re

from kingme.rules.variant import Side

__all__ = ["ENDS", "is_result", "score", "winner_of"]

_POINTS = re.compile(r"(\d{1,3})-(\d{1,3})", re.A)

#: What each text says: 1 where the side that moves first won, -1 where the other did, 0 for
#: a draw, ``None`` where nobody won and it was no draw either (``0-0``: both lost, or not played).
ENDS: dict[str, int | None] = {
    "1-0": 1,
    "0-1": -1,
    "1/2-1/2": 0,
    "½-½": 0,
    "1/2": 0,
    "2-0": 1,
    "0-2": -1,
    "1-1": 0,
    "0-0": None,
    "*": None,
}


def is_result(text: str) -> bool:
    """Return whether a text is a result: one of `ENDS`, or points as in ``12-8``.

    >>> is_result("1/2-1/2"), is_result("12-8"), is_result("white wins")
    (True, True, False)
    """
    return text in ENDS or _POINTS.fullmatch(text) is not None


def score(result: str) -> int | None:
    """Return 1 where the side that moves first won, -1 where the other did, 0 for a draw.

    By points, as in ``12-8``, whoever has more has won.

    >>> score("0-1"), score("12-8"), score("10-10"), score("*")
    (-1, 1, 0, None)
    """
    points = None if result in ENDS else _POINTS.fullmatch(result)
    if points is None:
        return ENDS.get(result)
    first, second = map(int, points.groups())
    return (first > second) - (first < second)


def winner_of(result: str, first: Side) -> tuple[Side | None, bool]:
    """Return who won by a stated result, and whether it was a draw.

    Source: PDN 3.0, where the first number belongs to the side that moves first.

    >>> winner_of("1-0", Side.BLACK), winner_of("1-1", Side.WHITE)
    ((<Side.BLACK: 'B'>, False), (None, True))
    """
    points = score(result)
    if not points:
        return None, points == 0
    return (first if points > 0 else first.other), False
