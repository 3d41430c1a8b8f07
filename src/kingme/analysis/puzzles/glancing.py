"""A quick look at every position of a game: where a move may have given something away.

All positions are searched a few plies deep by one worker of the engine, without the words that
an engine has for people; where the scores before and after a move differ much, both are searched
deeper. A shot is found so: jumps that are due are played out at the leaves of any search.
"""

from __future__ import annotations

import numpy as np

from kingme.analysis.puzzles.proving import OPEN, points
from kingme.engine.api import WIN, Score
from kingme.engine.endgames import Tables
from kingme.engine.kernels import tables
from kingme.engine.weights import default
from kingme.engine.worker import Worker
from kingme.rules.history import History
from kingme.rules.position import Position

__all__ = ["Glance", "seen_in"]

BUCKETS = 1 << 14
"""Buckets of the table: a mebibyte, so that it is cleared at once."""

BUCKET = 8
"""Words of a bucket."""

FIRST, ENDING, SECOND = 6, 8, 8
"""Plies of the first look, of it with few pieces, and of the second."""

COARSE = 1.5
"""How much more must seem to be given away at the first look, which errs more."""

SLACK = 30
"""How much less a position may seem to be worth at the first look, in hundredths of a man."""

FEW = 8
"""Pieces of an ending."""


class Glance:
    """A worker with a table of its own that scores positions to a fixed depth."""

    def __init__(self, endgames: Tables) -> None:
        self._endgames, self._weights = endgames, default()
        self._table = np.zeros(BUCKETS * BUCKET, np.uint64)
        self._worker = Worker(self._table, BUCKETS - 1, 1)
        self._worker.ctl[tables.WEIGHTS] = self._weights.address
        self._worker.ctl[tables.ENDGAMES] = endgames.address

    def clear(self) -> None:
        """Forget everything, as before each game: what is found depends on nothing before."""
        self._table[:] = 0
        self._worker.forget()

    def score(self, position: Position, depth: int) -> int:
        """Return what a position is worth to the side to move, at an even depth."""
        if not position.legal_moves:
            return -WIN
        board = self._worker.load(History.start(position), None, OPEN)
        score = 0
        for deeper in range(2, depth + 1, 2):
            score, _ = self._worker.deepen(board, deeper, score)
        return score


def seen_in(history: History, glance: Glance, opening: int, least: float, worth: int) -> list[int]:
    """Look through a game, from the ply ``opening`` on, for moves that gave away points.

    They are ``least`` points or more, where the position was ``worth`` as much or more, in
    hundredths of a man. Moves that still win for sure gave nothing away.
    """
    glance.clear()
    positions = history.positions
    depths = [ENDING if len(position.pieces) <= FEW else FIRST for position in positions]
    scores: dict[int, int] = {}
    for ply in range(len(positions) - 1, opening - 1, -1):
        scores[ply] = glance.score(positions[ply], depths[ply])
    found = []
    for ply in range(opening, len(history.moves)):
        if scores[ply] < worth - SLACK:
            continue
        if _given(scores[ply], -scores[ply + 1]) < COARSE * least:
            continue
        best = glance.score(positions[ply], SECOND)
        if best < worth:
            continue
        if _given(best, -glance.score(positions[ply + 1], SECOND)) >= least:
            found.append(ply)
    return found


def _given(best: int, played: int) -> float:
    if Score(best).won:
        return 0.0 if Score(played).won else max(0.5, points(best) - points(played))
    return points(best) - points(played)
