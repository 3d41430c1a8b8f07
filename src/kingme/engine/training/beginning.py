"""Generation 0: weights of a few numbers that any book on the game would give.

Self-play has to begin with something. These are about what the first evaluation of this engine
was, which knew no patterns: men by square, the bridge, kings in the centre, free moves.
"""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels import evaluate as terms
from kingme.engine.kernels.patterns import REGIONS, STATES
from kingme.engine.training.parameters import Pairs, region_bits

__all__ = ["beginning"]

CENTRE = (14, 15, 18, 19)
AROUND = (10, 11, 22, 23)
EDGE = (4, 5, 12, 13, 20, 21, 28, 29)
BORDER = (*EDGE, 1, 2, 3, 30, 31, 32)
HOME = (1, 2, 3, 4)
HOLE = 28
BRIDGE = (1, 3)


def _bit(square: int) -> int:
    row, column = divmod(square - 1, 4)
    return 9 * (row // 2) + 4 * (row % 2) + column


def _man(square: int) -> tuple[float, float]:
    """Return what one of Black's men on a square is worth beside being a man."""
    value = 4 * (square in CENTRE) + 2 * (square in AROUND) - 2 * (square in EDGE)
    value += 3 * (square in HOME) - 8 * (square == HOLE)
    row = (square - 1) // 4
    return value + row, value + 3 * row


def beginning() -> Pairs:
    """Return the pairs of generation 0."""
    pairs = np.zeros((terms.WEIGHTS_SIZE, 2))
    covers = np.zeros(36)
    for region in range(REGIONS):
        covers[list(region_bits(region))] += 1
    states = np.arange(STATES)
    for square in range(1, 33):
        bit = _bit(square)
        for region in range(REGIONS):
            bits = region_bits(region)
            for mine, digit in ((bit, 1), (34 - bit, 2)):
                if mine in bits:
                    holds = states // 3 ** (7 - bits.index(mine)) % 3 == digit
                    share = np.array(_man(square)) / covers[bit] * (1 if digit == 1 else -1)
                    pairs[region * STATES + states[holds]] += share
    for region, digit in ((12, 1), (15, 2)):
        bits = region_bits(region)
        squares = [_bit(square) if digit == 1 else 34 - _bit(square) for square in BRIDGE]
        both = np.all(
            [states // 3 ** (7 - bits.index(bit)) % 3 == digit for bit in squares], axis=0
        )
        pairs[region * STATES + states[both]] += 9 if digit == 1 else -9
    pairs[terms.MAN] = (106, 140)
    pairs[terms.KING] = (138, 172)
    pairs[[terms.STEPS, terms.KING_STEPS]] = 2
    pairs[terms.CHASE] = 1
    pairs[terms.NEXT] = 12
    pairs[terms.OPPOSITION + 2 : terms.OPPOSITION + 7] = 6
    for square in range(1, 33):
        value = 7 * (square in CENTRE) + 4 * (square in AROUND) - 5 * (square in BORDER)
        pairs[terms.SQUARES + _bit(square)] = value
    return pairs
