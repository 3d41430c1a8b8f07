"""kingme: American checkers and other draughts, done completely.

>>> import kingme
>>> board = kingme.Board()
>>> move = board.push("11-15")
>>> board.fen
'W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15'
>>> [str(move) for move in board.legal_moves]
['21-17', '22-17', '22-18', '23-18', '23-19', '24-19', '24-20']

A :class:`Position` is a value that never changes, a :class:`History` a game as such a value; a
:class:`Board` is the place where one is played. The rules are data: ``VARIANTS`` holds them by
name, ``ENGLISH`` is American checkers, and ``PRESETS`` are the draw rules of different places.

>>> kingme.VARIANTS["english"] is kingme.ENGLISH, kingme.PRESETS["tournament"].claimed
(True, True)

``kingme.svg`` draws boards, ``kingme.pdn`` reads and writes games, ``kingme.ballots`` are the
openings that are drawn by lot; they are loaded at the first use.
"""

import typing

from kingme.errors import (
    AmbiguousMoveError,
    CaptureLimitError,
    ClaimError,
    FenError,
    IllegalMoveError,
    KingmeError,
    MoveError,
    MoveTextError,
    PositionError,
    VariantError,
)
from kingme.rules.board import Board, LegalMoves
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import PRESETS, DrawPreset, Outcome, Progress, Termination
from kingme.rules.perft import divide, perft
from kingme.rules.piece import Piece
from kingme.rules.position import Position
from kingme.rules.status import Status
from kingme.rules.variant import ENGLISH, VARIANTS, Side, Variant

if typing.TYPE_CHECKING:
    from kingme.rules import ballots as ballots
    from kingme.rules import pdn as pdn
    from kingme.rules import svg as svg
else:
    # Kept from type checkers, to whom it would say that any name is here.
    def __getattr__(name):
        """Load a part of the rules that has names of its own at the first use."""
        if name not in _PARTS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        return globals().setdefault(name, importlib.import_module(f"kingme.rules.{name}"))


__version__ = "0.1.0"

_PARTS = ("ballots", "pdn", "svg")

__all__ = [
    "ENGLISH",
    "PRESETS",
    "VARIANTS",
    "AmbiguousMoveError",
    "Board",
    "CaptureLimitError",
    "ClaimError",
    "DrawPreset",
    "FenError",
    "History",
    "IllegalMoveError",
    "KingmeError",
    "LegalMoves",
    "Move",
    "MoveError",
    "MoveTextError",
    "Outcome",
    "Piece",
    "Position",
    "PositionError",
    "Progress",
    "Side",
    "Status",
    "Termination",
    "Variant",
    "VariantError",
    "divide",
    "perft",
]


def __dir__() -> list[str]:
    """List what there is, loaded or not."""
    return sorted({*globals(), *_PARTS})
