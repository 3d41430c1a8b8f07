"""kingme: American checkers, done completely.

>>> import kingme
>>> position = kingme.Position.start()
>>> position = position.play(position.parse("11-15"))
>>> position.fen
'W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15'
>>> [str(move) for move in position.legal_moves]
['21-17', '22-17', '22-18', '23-18', '23-19', '24-19', '24-20']
"""

from kingme.errors import (
    AmbiguousMoveError,
    ClaimError,
    FenError,
    IllegalMoveError,
    KingmeError,
    MoveError,
    MoveTextError,
    PositionError,
    VariantError,
)
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import PRESETS, DrawPreset, Outcome, Progress, Termination
from kingme.rules.perft import divide, perft
from kingme.rules.piece import Piece
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, VARIANTS, Side, Variant

__version__ = "0.1.0"

__all__ = [
    "ENGLISH",
    "PRESETS",
    "VARIANTS",
    "AmbiguousMoveError",
    "ClaimError",
    "DrawPreset",
    "FenError",
    "History",
    "IllegalMoveError",
    "KingmeError",
    "Move",
    "MoveError",
    "MoveTextError",
    "Outcome",
    "Piece",
    "Position",
    "PositionError",
    "Progress",
    "Side",
    "Termination",
    "Variant",
    "VariantError",
    "divide",
    "perft",
]
