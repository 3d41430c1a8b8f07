"""The signature of the engine: how many positions a fixed search looks at.

A change of the search or of the evaluation that is meant to change nothing leaves it as it is;
any other is told by its new signature. It is the same on every platform, since kernels reckon
with whole numbers only and one thread searches; endgame databases, which a machine may have or
not, stay aside.
"""

from __future__ import annotations

from kingme.engine.api import Limits
from kingme.engine.local import LocalEngine
from kingme.rules.history import History
from kingme.rules.position import Position

__all__ = ["DEPTH", "POSITIONS", "signature"]

DEPTH = 13
"""Plies that each position is searched to."""

TABLE_MIB = 8

POSITIONS: tuple[str, ...] = (
    "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "B:W19,21,22,23,25,26,27,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12",
    "W:W18,21,22,24,25,26,28,29,30,31,32:B1,2,3,4,6,7,8,9,10,11,12",
    "W:W17,19,21,23,24,25,26,29,30,31:B1,2,3,6,7,8,10,11,12,14",
    "B:W14,18,20,22,26,27,30,31:B1,3,4,6,8,11,12,15",
    "W:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
    "W:W22,25,30,K3:B5,12,13,K20",
    "B:W21,28,K15,K18:B4,20,K6,K11",
    "W:WK14,K15,K18:BK1,12",
    "W:WK19,K23:BK28",
)
"""What is searched: openings, middle games, shots and endings."""


def signature() -> int:
    """Return the positions that a new engine searches in all, each position for itself."""
    engine = LocalEngine(TABLE_MIB, endgames="none")
    nodes = 0
    for fen in POSITIONS:
        engine.clear()
        history = History.start(Position.from_fen(fen))
        nodes += engine.best_move(history, Limits(depth=DEPTH)).nodes
    return nodes
