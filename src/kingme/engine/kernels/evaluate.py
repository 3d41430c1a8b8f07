"""What a quiet position is worth, in hundredths of a man, to the side to move.

Known to every book on the game: material first, and being ahead counts for more as pieces leave
the board; the back row as long as the other side has men; the centre; free moves; men about to
be crowned; and, when few pieces are left, kings that close in on the pieces of the weaker side.
"""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import BOARD, ONE, Word, lowest, popcount
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import steps

MAN = 100
KING = 132
LIMIT = 20_000
"""Larger than any value of `evaluate`, smaller than any won score."""


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
ROW2 = _mask(9, 10, 11, 12)
ROW3 = _mask(13, 14, 15, 16)
ROW4 = _mask(17, 18, 19, 20)
ROW5 = _mask(21, 22, 23, 24)
ROW6 = _mask(25, 26, 27, 28)
CENTRE = _mask(14, 15, 18, 19)
AROUND = _mask(10, 11, 22, 23)
EDGE = _mask(4, 5, 12, 13, 20, 21, 28, 29)
BORDER = _mask(1, 2, 3, 4, 5, 12, 13, 20, 21, 28, 29, 30, 31, 32)
DOUBLE = _mask(1, 5, 28, 32)
SYSTEM_BLACK = _mask(1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28)
HOME_BLACK = _mask(1, 2, 3, 4)
HOME_WHITE = _mask(29, 30, 31, 32)
BRIDGE_BLACK = _mask(1, 3)
BRIDGE_WHITE = _mask(30, 32)
HOLE_BLACK = _mask(28)
HOLE_WHITE = _mask(5)
DISTANCE = _distances()


@kernel("int64(uint64)")
def advance_black(men: Word) -> int:
    """Count the rows that Black's men have come forward."""
    return (
        popcount(men & ROW1)
        + 2 * popcount(men & ROW2)
        + 3 * popcount(men & ROW3)
        + 4 * popcount(men & ROW4)
        + 5 * popcount(men & ROW5)
        + 6 * popcount(men & ROW6)
    )


@kernel("int64(uint64)")
def advance_white(men: Word) -> int:
    """Count the rows that White's men have come forward."""
    return (
        popcount(men & ROW6)
        + 2 * popcount(men & ROW5)
        + 3 * popcount(men & ROW4)
        + 4 * popcount(men & ROW3)
        + 5 * popcount(men & ROW2)
        + 6 * popcount(men & ROW1)
    )


@kernel("int64(uint64, uint64)")
def places(men: Word, kings: Word) -> int:
    """Value where the pieces of one side stand, the same for both sides."""
    return (
        4 * popcount(men & CENTRE)
        + 2 * popcount(men & AROUND)
        - 2 * popcount(men & EDGE)
        + 7 * popcount(kings & CENTRE)
        + 4 * popcount(kings & AROUND)
        - 5 * popcount(kings & BORDER)
    )


@kernel("int64(uint64, uint64, uint64)")
def guard(men: Word, home: Word, bridge: Word) -> int:
    """Value the men that one side has kept at home against the other side's men."""
    value = 3 * popcount(men & home)
    if men & bridge == bridge:
        value += 9
    return value


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


@kernel("int64(uint64, uint64, uint64, int64, int64)")
def evaluate(own: Word, opp: Word, kings: Word, black: int, weights: int) -> int:
    """Return the value of a position, where no jump is due, to the side to move."""
    dark = own if black else opp
    light = opp if black else own
    empty = BOARD & ~(own | opp)
    dark_kings = dark & kings
    light_kings = light & kings
    dark_men = dark ^ dark_kings
    light_men = light ^ light_kings
    darks = popcount(dark)
    lights = popcount(light)
    total = darks + lights

    value = MAN * (popcount(dark_men) - popcount(light_men))
    value += KING * (popcount(dark_kings) - popcount(light_kings))
    value += 2 * (24 - total) * (darks - lights)
    value += places(dark_men, dark_kings) - places(light_men, light_kings)
    value += (1 if total > 14 else 3) * (advance_black(dark_men) - advance_white(light_men))
    value += 2 * (steps(dark, dark_kings, empty) - steps(light_kings, light, empty))
    if light_men:
        value += guard(dark_men, HOME_BLACK, BRIDGE_BLACK)
    if dark_men:
        value -= guard(light_men, HOME_WHITE, BRIDGE_WHITE)
    if dark_men & HOLE_BLACK:
        value -= 8
    if light_men & HOLE_WHITE:
        value += 8
    value += 12 * popcount(((dark_men & ROW6) << 4 | (dark_men & ROW6) << 5) & empty)
    value -= 12 * popcount(((light_men & ROW1) >> 4 | (light_men & ROW1) >> 5) & empty)
    if total <= 10:
        if darks > lights and light_kings:
            value += chase(dark_kings, light_kings, empty)
        elif lights > darks and dark_kings:
            value -= chase(light_kings, dark_kings, empty)
    value = max(-LIMIT, min(LIMIT, value))
    if not black:
        value = -value
    if total <= 6 and darks == lights:
        # "The move": an odd count of all pieces in one's own ranks, with equal forces.
        system = SYSTEM_BLACK if black else BOARD ^ SYSTEM_BLACK
        value += 6 if popcount((own | opp) & system) & 1 else -6
    return value
