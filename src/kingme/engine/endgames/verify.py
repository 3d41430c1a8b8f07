"""Proving a database: every position is one move consistent with its successors.

A win one ply longer than the shortest loss that a move leads to, a loss one ply longer than the
longest win that any move leads to, a draw where neither holds: codes for which this is true
everywhere are the right ones. For, by induction on the plies of a true win or loss, the code of
each such position is the true one; and a code that claims a win or a loss stands on a smaller one
down to a position without a move. The check goes forward over legal moves, where the building
goes back; what both share is the numbering, and how a position with a jump due is judged.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kingme.engine.endgames.build import SPAN, Block, Progress
from kingme.engine.endgames.counting import Totals
from kingme.engine.endgames.slices import Forces, layout
from kingme.engine.kernels.bits import address_of
from kingme.engine.kernels.index import position_of
from kingme.engine.kernels.movegen import WIDTH
from kingme.engine.kernels.retrograde import inconsistent
from kingme.rules.position import Position
from kingme.rules.variant import Side

__all__ = ["PUBLISHED", "position_at", "verify"]


PUBLISHED = {
    2: Totals(3488, 716, 402, 2370, 13),
    3: Totals(196032, 100250, 87305, 8477, 61),
    4: Totals(6209316, 2574304, 1917090, 1717922, 109),
    5: Totals(139450808, 71334772, 56993144, 11122892, 161),
    6: Totals(2426085676, 1154792344, 848750789, 422542543, 167),
}
"""What others have found by number of pieces, up to 5 by two exact solvers and 6 by one."""


def position_at(material: Forces, number: int) -> Position:
    """Return the position of a slice that has this number; Black is to move.

    >>> position_at(Forces(1, 0, 0, 1), 0).fen
    'B:WK1:B5'
    """
    own, opp, kings = position_of(number, *material.counts)
    return Position(int(own), int(opp), int(kings), Side.BLACK)


def verify(block: Block, pieces: int, progress: Progress | None = None) -> Position | None:
    """Check every position of every slice; return the first that is wrong, or None."""
    plan = layout(pieces)
    total = sum(material.positions for material in plan.places)
    tables = address_of(block)
    memory = np.zeros(WIDTH, np.uint64)
    check: Callable[..., int] = inconsistent
    done = 0
    for material in plan.places:
        for low in range(0, material.positions, SPAN):
            if progress is not None:
                progress(done + low, total, str(material))
            high = min(low + SPAN, material.positions)
            wrong = int(check(tables, *material.counts, low, high, memory))
            if wrong >= 0:
                return position_at(material, wrong)
        done += material.positions
    if progress is not None:
        progress(total, total, "")
    return None
