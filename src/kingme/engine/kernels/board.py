"""Positions of the rules as the words that kernels take, and back."""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import Word
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.squares import EIGHT
from kingme.rules.variant import Side

BITS: tuple[int, ...] = tuple(mask.bit_length() - 1 for mask in EIGHT.masks)
"""Bit number by square number; index 0 is unused."""


def scalars(position: Position) -> tuple[Word, Word, Word, int]:
    """Return ``own, opp, kings, black`` of a position."""
    black = np.uint64(position.black)
    white = np.uint64(position.white)
    kings = np.uint64(position.kings)
    if position.turn is Side.BLACK:
        return black, white, kings, 1
    return white, black, kings, 0


def packed(move: Move) -> int:
    """Return a move as kernels pack it; two routes to one result are the same."""
    taken = sum(1 << BITS[square] for square in move.captures)
    return taken | BITS[move.start] << 36 | BITS[move.end] << 42
