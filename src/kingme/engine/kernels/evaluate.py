"""What a quiet position is worth, in hundredths of a man, to the side to move.

Everything is a weight times a count, and every weight was learnt from games (`engine.training`):
patterns of men (`patterns`), and beside them men and kings, where kings stand and whether they
are shut in, free moves and safe ones, men that nobody can stop, the move, and, when few pieces
are left, kings that close in on the weaker side. White's pieces count as Black's would on the
board turned round, with the other sign; only the turn breaks the symmetry.

Each weight is a pair, for the opening and for the ending, packed as ``ending << 16`` plus
``opening`` in a signed word of 32 bits, in units of ``1 / UNIT`` hundredths of a man. What
counts between them is the number of pieces: 20 and more are the opening, 4 and fewer the ending.
"""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import BOARD, ONE, ZERO, Word, lowest, popcount, read32
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import steps
from kingme.engine.kernels.patterns import PATTERNS, pattern_weights

LIMIT = 19_999
"""No value of `evaluate` is larger; every won score is."""

UNIT = 8
PHASES = 16
"""Steps from the ending to the opening."""

# Where weights that are no patterns lie.
MAN = PATTERNS
KING = MAN + 1
TURN = MAN + 2
"""Having the move."""
STEPS = MAN + 3
"""A move of a man."""
KING_STEPS = MAN + 4
TRAPPED = MAN + 5
"""A king that cannot move."""
CHASE = MAN + 6
"""The sum of `chase`."""
NEXT = MAN + 7
"""A square where a man is crowned by its next move."""
SAFE = MAN + 8
"""By how many moves of men cannot be answered by a jump, 7 for more."""
PASSED = SAFE + 8
"""A man without an enemy before it, by the rows it has come forward."""
OPPOSITION = PASSED + 8
"""Having the move in the sense of the books, by the number of all pieces."""
KINGS = OPPOSITION + 16
"""By the kings of both sides, ``4 * black + white``, 3 for more."""
SQUARES = KINGS + 16
"""A king on a square, by its bit as Black sees it."""
WEIGHTS_SIZE = SQUARES + 36
"""Weights in all."""

FEW = 10
"""Pieces from which on `chase` counts."""

MOVE_COUNTS = 12
"""Pieces from which on the opposition counts."""


def _mask(*squares: int) -> np.uint64:
    """Return squares by number as a word."""
    found = 0
    for square in squares:
        row, column = divmod(square - 1, 4)
        found |= 1 << (9 * (row // 2) + 4 * (row % 2) + column)
    return np.uint64(found)


def _distances() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return how many king's steps lie between two bits, at ``36 * a + b``."""
    places = {}
    for row in range(8):
        for column in range(4):
            bit = 9 * (row // 2) + 4 * (row % 2) + column
            places[bit] = (row, 2 * column + (row + 1) % 2)
    table = np.zeros(36 * 36, np.int64)
    for a, (row, column) in places.items():
        for b, (other_row, other_column) in places.items():
            table[36 * a + b] = max(abs(row - other_row), abs(column - other_column))
    return table


ROW1 = _mask(5, 6, 7, 8)
ROW6 = _mask(25, 26, 27, 28)
DOUBLE = _mask(1, 5, 28, 32)
SYSTEM_BLACK = _mask(1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28)
DISTANCE = _distances()


@kernel("int64(int64)")
def row_of(bit: int) -> int:
    """Return the row of a bit, from 0 at the top."""
    return 2 * (bit // 9) + (bit % 9) // 4


@kernel("uint64(uint64, uint64)")
def passed_black(men: Word, white: Word) -> Word:
    """Return Black's men with no white piece on any square that they could come to."""
    for _ in range(7):
        white |= (white >> 4 | white >> 5) & BOARD
    return men & ~white


@kernel("uint64(uint64, uint64)")
def passed_white(men: Word, black: Word) -> Word:
    """Return White's men with no black piece on any square that they could come to."""
    for _ in range(7):
        black |= (black << 4 | black << 5) & BOARD
    return men & ~black


@kernel("int64(uint64, uint64, uint64, uint64)")
def safe_black(men: Word, white: Word, white_kings: Word, empty: Word) -> int:
    """Count the moves of Black's men after which no white piece can jump the man; at most 7."""
    four = ((men << 4) & empty) & ~(
        white >> 4 | (white >> 5 & empty << 5) | (white_kings << 5 & empty >> 5)
    )
    five = ((men << 5) & empty) & ~(
        white >> 5 | (white >> 4 & empty << 4) | (white_kings << 4 & empty >> 4)
    )
    return min(popcount(four) + popcount(five), 7)


@kernel("int64(uint64, uint64, uint64, uint64)")
def safe_white(men: Word, black: Word, black_kings: Word, empty: Word) -> int:
    """Count the moves of White's men after which no black piece can jump the man; at most 7."""
    four = ((men >> 4) & empty) & ~(
        black << 4 | (black << 5 & empty >> 5) | (black_kings >> 5 & empty << 5)
    )
    five = ((men >> 5) & empty) & ~(
        black << 5 | (black << 4 & empty >> 4) | (black_kings >> 4 & empty << 4)
    )
    return min(popcount(four) + popcount(five), 7)


@kernel("int64(uint64, uint64)")
def shut_in(kings: Word, empty: Word) -> int:
    """Count the kings that have no empty square beside them."""
    return popcount(kings & ~(empty >> 4 | empty >> 5 | empty << 4 | empty << 5))


@kernel("int64(uint64, uint64, uint64)")
def chase(kings: Word, weak: Word, empty: Word) -> int:
    """Value how the kings of the side ahead close in on the other side's kings."""
    value = 0
    prey = weak
    while prey:
        bit = prey & (~prey + ONE)
        prey ^= bit
        place = lowest(bit)
        value -= 3 * steps(bit, bit, empty)
        if bit & DOUBLE:
            value -= 12
        total = 0
        near = 9
        left = kings
        while left:
            one = left & (~left + ONE)
            left ^= one
            far = DISTANCE[36 * lowest(one) + place]
            total += far
            near = min(near, far)
        value -= total + 3 * near
    return value


@kernel("int64(uint64, uint64, uint64, uint64, uint64)")
def chasing(dark: Word, light: Word, dark_kings: Word, light_kings: Word, empty: Word) -> int:
    """Return what `chase` adds for Black, where few pieces are left and one side is ahead."""
    darks = popcount(dark)
    lights = popcount(light)
    if darks + lights > FEW or darks == lights:
        return 0
    if darks > lights:
        return chase(dark_kings, light_kings, empty) if light_kings else 0
    return -chase(light_kings, dark_kings, empty) if dark_kings else 0


@kernel("int64(uint64, uint64, uint64, int64)")
def opposition(own: Word, opp: Word, kings: Word, black: int) -> int:
    """Return the number of pieces, negative for the side without the move; 0 where it is moot.

    A side has the move where an odd count of all pieces stands in its own ranks; it is of use
    with equal forces, and when few are left.
    """
    owns = popcount(own)
    if owns != popcount(opp) or 2 * owns > MOVE_COUNTS:
        return 0
    system = SYSTEM_BLACK if black else BOARD ^ SYSTEM_BLACK
    return 2 * owns if popcount((own | opp) & system) & 1 else -2 * owns


@kernel("int64(int64)")
def wide(pair: int) -> int:
    """Unpack a pair into a word of 64 bits."""
    opening = ((pair & 0xFFFF) ^ 0x8000) - 0x8000
    return ((pair - opening) << 16) + opening


@kernel("int64(int64, int64)")
def weight(weights: int, index: int) -> int:
    """Read a pair, unpacked as ``ending << 32`` plus ``opening``: room for sums and products."""
    return wide(read32(weights, index))


@kernel("int64(uint64, uint64, uint64, int64)")
def kings_value(dark: Word, light: Word, empty: Word, weights: int) -> int:
    """Return the pair of all that counts for kings alone, where there are some, for Black."""
    darks = popcount(dark)
    lights = popcount(light)
    value = (darks - lights) * weight(weights, KING)
    value += weight(weights, KINGS + 4 * min(darks, 3) + min(lights, 3))
    value += (steps(dark, dark, empty) - steps(light, light, empty)) * weight(weights, KING_STEPS)
    value += (shut_in(dark, empty) - shut_in(light, empty)) * weight(weights, TRAPPED)
    while dark:
        value += weight(weights, SQUARES + lowest(dark))
        dark &= dark - ONE
    while light:
        value -= weight(weights, SQUARES + 34 - lowest(light))
        light &= light - ONE
    return value


@kernel("int64(uint64, uint64, int64)")
def passed_value(dark: Word, light: Word, weights: int) -> int:
    """Return the pair of the men that nobody can stop, for Black."""
    value = 0
    while dark:
        value += weight(weights, PASSED + row_of(lowest(dark)))
        dark &= dark - ONE
    while light:
        value -= weight(weights, PASSED + 7 - row_of(lowest(light)))
        light &= light - ONE
    return value


@kernel("int64(int64, int64)")
def between(pair: int, pieces: int) -> int:
    """Return what a pair is worth with so many pieces, in hundredths of a man."""
    opening = ((pair & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000
    ending = (pair - opening) >> 32
    phase = min(max(pieces - 4, 0), PHASES)
    value = opening * phase + ending * (PHASES - phase)
    # Toward zero for both sides, so that the value of a position turned round is the same.
    value = -(-value // (PHASES * UNIT)) if value < 0 else value // (PHASES * UNIT)
    return max(-LIMIT, min(LIMIT, value))


@kernel("int64(uint64, uint64, uint64, int64, int64)")
def evaluate(own: Word, opp: Word, kings: Word, black: int, weights: int) -> int:
    """Return the value of a position, where no jump is due, to the side to move.

    ``weights`` is the address of ``WEIGHTS_SIZE`` signed words of 32 bits.
    """
    dark = own if black else opp
    light = opp if black else own
    empty = BOARD & ~(own | opp)
    dark_kings = dark & kings
    light_kings = light & kings
    dark_men = dark ^ dark_kings
    light_men = light ^ light_kings

    pair = wide(pattern_weights(dark_men, light_men, weights))
    pair += (popcount(dark_men) - popcount(light_men)) * weight(weights, MAN)
    mobile = steps(dark_men, ZERO, empty) - steps(ZERO, light_men, empty)
    pair += mobile * weight(weights, STEPS)
    pair += weight(weights, SAFE + safe_black(dark_men, light, light_kings, empty))
    pair -= weight(weights, SAFE + safe_white(light_men, dark, dark_kings, empty))
    pair += passed_value(passed_black(dark_men, light), passed_white(light_men, dark), weights)
    crowning = popcount(((dark_men & ROW6) << 4 | (dark_men & ROW6) << 5) & empty)
    crowning -= popcount(((light_men & ROW1) >> 4 | (light_men & ROW1) >> 5) & empty)
    pair += crowning * weight(weights, NEXT)
    if dark_kings | light_kings:
        pair += kings_value(dark_kings, light_kings, empty, weights)
        pair += chasing(dark, light, dark_kings, light_kings, empty) * weight(weights, CHASE)
    if not black:
        pair = -pair
    pair += weight(weights, TURN)
    move = opposition(own, opp, kings, black)
    if move > 0:
        pair += weight(weights, OPPOSITION + move)
    elif move < 0:
        pair -= weight(weights, OPPOSITION - move)
    return between(pair, popcount(own | opp))
