"""The number of a position among all those with the same material, and the way back.

Numbers are for endgame databases. Black is to move: where White is, the board is turned round
first (`bits.turned`), so that a number says nothing of the side to move. ``own`` are the pieces
of the side to move, whose men go down the board and never stand on its last row; the men of
``opp`` never stand on the first.

The five sets below are each numbered by combinations (the combinatorial number system: a set of
``k`` of ``n`` squares is the sum of ``choose(n_i, i)`` over its squares in ascending order,
where ``n_i`` is how many squares of the field lie before the ``i``-th), each among the squares
that the sets before it have left, and the numbers put together, the last running quickest:

1. how many own men stand on the first row, where no man of ``opp`` can: more of them there
   leave that side's men more room, so each count is a range of numbers for itself;
2. the other own men, on the six rows between; then those on the first row;
3. the men of ``opp``, on the seven rows from the second on;
4. the own kings; then the kings of ``opp``.

Every number from 0 to the count of positions less one is one position, without gaps. In the
order of combinations the most advanced man of a set comes first, so that a range of numbers is
also what a larger database cuts a slice into, by the row of the leading man.
"""

from __future__ import annotations

import math

import numpy as np

from kingme.engine.kernels.bits import BOARD, BOTTOM, ONE, TOP, ZERO, Word, popcount
from kingme.engine.kernels.jit import kernel

MOST = 7
"""Pieces of one kind, at most."""

CHOOSE = np.array([math.comb(n, k) for n in range(33) for k in range(MOST + 1)], np.int64)
MIDDLE = BOARD & ~TOP & ~BOTTOM
LOWER_ROWS = BOARD & ~TOP


@kernel("int64(int64, int64)")
def choose(n: int, k: int) -> int:
    """Count the sets of ``k`` of ``n`` squares, up to 7 of 32."""
    return int(CHOOSE[n * 8 + k])


@kernel("int64(uint64, uint64)")
def rank(part: Word, field: Word) -> int:
    """Return the number of a set of squares among the sets of its size within ``field``."""
    number = 0
    size = 1
    while part:
        bit = part & (~part + ONE)
        part ^= bit
        number += choose(popcount(field & (bit - ONE)), size)
        size += 1
    return number


@kernel("uint64(int64, int64, uint64)")
def unrank(number: int, size: int, field: Word) -> Word:
    """Return the set of ``size`` squares of ``field`` that has this number."""
    part = ZERO
    before = popcount(field)
    bit = ONE << 34
    while size > 0:
        if field & bit:
            before -= 1
            count = choose(before, size)
            if number >= count:
                number -= count
                part |= bit
                size -= 1
        bit >>= 1
    return part


@kernel("uint64(uint64, int64)")
def lowest_of(field: Word, size: int) -> Word:
    """Return the first set of ``size`` squares of ``field``: its lowest."""
    rest = field
    for _ in range(size):
        rest &= rest - ONE
    return field ^ rest


@kernel("uint64(uint64, uint64)")
def following(part: Word, field: Word) -> Word:
    """Return the set of ``field`` whose number is one more, or no square after the last."""
    low = part & (~part + ONE)
    carried = ((part | ~field) + low) & field
    if carried <= part:
        return ZERO
    return carried | lowest_of(field, popcount(part) - popcount(carried))


@kernel("int64(uint64, uint64, uint64)")
def index_of(own: Word, opp: Word, kings: Word) -> int:
    """Return the number of a position with Black to move among those of its material."""
    men = own & ~kings
    crowned = own & kings
    others = opp & ~kings
    rulers = opp & kings
    back = men & TOP
    rest = men ^ back
    a = popcount(men)
    b = popcount(crowned)
    c = popcount(others)
    t = popcount(back)
    number = 0
    for s in range(t):
        number += choose(4, s) * choose(24, a - s) * choose(28 - a + s, c)
    behind = rank(rest, MIDDLE) * choose(4, t) + rank(back, TOP)
    number += behind * choose(28 - a + t, c) + rank(others, LOWER_ROWS & ~rest)
    field = BOARD & ~(men | others)
    free = 32 - a - c
    number = number * choose(free, b) + rank(crowned, field)
    return number * choose(free - b, popcount(rulers)) + rank(rulers, field ^ crowned)


@kernel("UniTuple(uint64, 3)(int64, int64, int64, int64, int64)")
def position_of(number: int, a: int, b: int, c: int, d: int) -> tuple[Word, Word, Word]:
    """Return ``own, opp, kings`` of a number, with Black to move.

    The material is ``a`` men and ``b`` kings of the side to move, ``c`` and ``d`` of the other.
    """
    free = 32 - a - c
    count = choose(free - b, d)
    last = number % count
    number //= count
    count = choose(free, b)
    middle = number % count
    number //= count
    t = 0
    while True:
        count = choose(4, t) * choose(24, a - t) * choose(28 - a + t, c)
        if number < count:
            break
        number -= count
        t += 1
    count = choose(28 - a + t, c)
    second = number % count
    number //= count
    count = choose(4, t)
    rest = unrank(number // count, a - t, MIDDLE)
    men = rest | unrank(number % count, t, TOP)
    others = unrank(second, c, LOWER_ROWS & ~rest)
    field = BOARD & ~(men | others)
    crowned = unrank(middle, b, field)
    rulers = unrank(last, d, field ^ crowned)
    return men | crowned, others | rulers, crowned | rulers


@kernel("UniTuple(uint64, 3)(uint64, uint64, uint64)")
def next_position(own: Word, opp: Word, kings: Word) -> tuple[Word, Word, Word]:
    """Return the position whose number is one more; after the last, nothing that makes sense."""
    men = own & ~kings
    crowned = own & kings
    others = opp & ~kings
    rulers = opp & kings
    after = following(rulers, BOARD & ~(own | others))
    if after:
        return own, others | after, crowned | after
    after = following(crowned, BOARD & ~(men | others))
    if after == ZERO:
        back = men & TOP
        rest = men ^ back
        second = following(others, LOWER_ROWS & ~rest)
        if second == ZERO:
            first = following(back, TOP)
            if first == ZERO:
                t = popcount(back)
                size = popcount(rest)
                rest = following(rest, MIDDLE)
                if rest == ZERO:
                    t += 1
                    rest = lowest_of(MIDDLE, size - 1)
                first = lowest_of(TOP, t)
            men = first | rest
            second = lowest_of(LOWER_ROWS & ~rest, popcount(others))
        others = second
        after = lowest_of(BOARD & ~(men | others), popcount(crowned))
    crowned = after
    rulers = lowest_of(BOARD & ~(men | crowned | others), popcount(rulers))
    return men | crowned, others | rulers, crowned | rulers
