"""Results as texts, and what they mean in draughts."""

from __future__ import annotations

from kingme.rules.variant import Side

__all__ = ["ENDS", "winner_of"]

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


def winner_of(result: str, first: Side) -> tuple[Side | None, bool]:
    """Return who won by a stated result, and whether it was a draw.

    Source: PDN 3.0, where the first number belongs to the side that moves first.

    >>> winner_of("1-0", Side.BLACK), winner_of("1-1", Side.WHITE)
    ((<Side.BLACK: 'B'>, False), (None, True))
    """
    score = ENDS.get(result)
    if not score:
        return None, score == 0
    return (first if score > 0 else first.other), False
