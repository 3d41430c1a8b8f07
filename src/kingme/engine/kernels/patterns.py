"""Patterns of men: what stands on eight squares, as a number in base three.

A square counts 0 where no man is on it (a king neither), 1 for one of Black's and 2 for one of
White's. There are sixteen regions of eight squares, which overlap:

==========  ======================================================================================
0-3         rows 0 to 3: columns 0 and 1, 1 and 2, 2 and 3, 0 and 3
4-7         rows 2 to 5, the same columns
8-11        rows 4 to 7, the same columns
12-15       two whole rows each, from the top: 0 and 1, 2 and 3, 4 and 5, 6 and 7
==========  ======================================================================================

Two rows of the padded board are eight bits that follow one another, and one look into `LANES`
turns them into four numbers at once, one for each choice of columns, in lanes of 16 bits.
"""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import Word, read32, signed
from kingme.engine.kernels.jit import kernel

REGIONS = 16
STATES = 3**8
"""What a region can hold."""

PATTERNS = REGIONS * STATES

COLUMNS = ((0, 1), (1, 2), (2, 3), (0, 3))
"""The columns of each lane."""

BYTE = np.uint64(0xFF)
LANE = np.uint64(0xFFFF)
PAIR = np.uint64(81)
"""States of two rows in one lane."""


def _lanes() -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return for each eight bits of two rows the four numbers of one side's men."""
    table = np.zeros(256, np.uint64)
    for byte in range(256):
        for lane, (left, right) in enumerate(COLUMNS):
            number = 0
            for bit in (left, right, 4 + left, 4 + right):
                number = 3 * number + (byte >> bit & 1)
            table[byte] |= np.uint64(number << 16 * lane)
    return table


LANES = _lanes()


@kernel("uint64(uint64, uint64)")
def two_rows(black: Word, white: Word) -> Word:
    """Return the four numbers of two rows, whose men are the lowest eight bits of each word."""
    return LANES[signed(black & BYTE)] + (LANES[signed(white & BYTE)] << 1)


@kernel("int64(uint64)")
def whole(rows: Word) -> int:
    """Return the number of all eight squares of two rows: the left half, then the right one."""
    return signed(rows & LANE) * 81 + signed((rows >> 32) & LANE)


@kernel("int64(uint64, int64, int64)")
def four_weights(rows: Word, first: int, weights: int) -> int:
    """Return the sum of the weights of four regions, of which ``first`` is the first."""
    base = first * STATES
    return (
        read32(weights, base + signed(rows & LANE))
        + read32(weights, base + STATES + signed((rows >> 16) & LANE))
        + read32(weights, base + 2 * STATES + signed((rows >> 32) & LANE))
        + read32(weights, base + 3 * STATES + signed(rows >> 48))
    )


@kernel("int64(uint64, uint64, int64)")
def pattern_weights(black: Word, white: Word, weights: int) -> int:
    """Return the sum of the weights of all regions, a pair packed as in the weights themselves."""
    top = two_rows(black, white)
    upper = two_rows(black >> 9, white >> 9)
    lower = two_rows(black >> 18, white >> 18)
    bottom = two_rows(black >> 27, white >> 27)
    return (
        four_weights(top * PAIR + upper, 0, weights)
        + four_weights(upper * PAIR + lower, 4, weights)
        + four_weights(lower * PAIR + bottom, 8, weights)
        + read32(weights, 12 * STATES + whole(top))
        + read32(weights, 13 * STATES + whole(upper))
        + read32(weights, 14 * STATES + whole(lower))
        + read32(weights, 15 * STATES + whole(bottom))
    )
