"""Runs: how often in a row a side has moved one and the same king without a capture.

Frisian draughts allow a king three such moves while its side has men; then another piece
must move, or the king must capture. This is part of a position, as the right to castle is in
chess. Source: World Federation of Frisian Draughts, official rules.
"""

from __future__ import annotations

from kingme.rules.moves import Route

__all__ = ["FRESH", "Runs", "allowed", "following"]

#: For Black and for White: the mask of the king that moved last, and how often in a row.
Runs = tuple[tuple[int, int], tuple[int, int]]

#: Nobody has moved a king.
FRESH: Runs = ((0, 0), (0, 0))


def allowed(routes: list[Route], run: tuple[int, int], limit: int) -> list[Route]:
    """Return the routes that are left where the side to move has such a run behind it."""
    king, count = run
    if count < limit:
        return routes
    return [(path, captured) for path, captured in routes if captured or path[0] != king]


def following(
    runs: Runs, mover: int, start: int, end: int, quiet: bool, men: tuple[int, int]
) -> Runs:
    """Return the runs after a move of side ``mover`` (0 is Black) from ``start`` to ``end``.

    ``quiet`` says that a king moved without a capture, ``men`` what men of Black and of White
    are left: a side without men may move its kings as it likes.
    """
    king, count = runs[mover]
    after = list(runs)
    after[mover] = (end, count + 1 if king == start else 1) if quiet else (0, 0)
    black, white = (run if left else (0, 0) for run, left in zip(after, men, strict=True))
    return black, white
