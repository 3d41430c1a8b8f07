"""Move generation: whose pieces can go where, as packed moves or as whole routes.

The oracle is `kingme.rules`. A jumping piece leaves its start square at once; what it captures
stays on the board to the end but is not jumped twice, which comes to the same as lifting it,
because landings and captured squares are never the same. A king can return to its start and
go on, so one piece may have up to sixteen routes; no side has more than twelve pieces, so a list
never outgrows `WIDTH`.
"""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import (
    ALL,
    BOARD,
    BOTTOM,
    ONE,
    TOP,
    ZERO,
    Word,
    Words,
    lowest,
    popcount,
    words,
)
from kingme.engine.kernels.jit import kernel

WIDTH = 256
"""Moves that a list has room for."""

SQUARE = np.uint64(63)
TAKEN = np.uint64((1 << 36) - 1)
MOVE = np.uint64((1 << 48) - 1)


@kernel("uint64(uint64, uint64, uint64, uint64)")
def jumpers(down: Word, up: Word, opp: Word, empty: Word) -> Word:
    """Return the pieces that can jump; where there is one, nothing else may move."""
    return (
        (down & ((opp & (empty >> 4)) >> 4))
        | (down & ((opp & (empty >> 5)) >> 5))
        | (up & ((opp & (empty << 4)) << 4))
        | (up & ((opp & (empty << 5)) << 5))
    )


@kernel("int64(uint64, uint64, uint64)")
def steps(down: Word, up: Word, empty: Word) -> int:
    """Count the moves that are no jumps."""
    return (
        popcount((down << 4) & empty)
        + popcount((down << 5) & empty)
        + popcount((up >> 4) & empty)
        + popcount((up >> 5) & empty)
    )


@kernel("int64(uint64, uint64, uint64, uint64, uint64)")
def count_routes(bit: Word, opp: Word, empty: Word, dmask: Word, umask: Word) -> int:
    """Count the complete routes of a piece on ``bit``; 1 where it can jump no further."""
    found = 0
    down = bit & dmask
    up = bit & umask
    over = (down << 4) & opp
    if (over << 4) & empty:
        found += count_routes(over << 4, opp ^ over, empty, dmask, umask)
    over = (down << 5) & opp
    if (over << 5) & empty:
        found += count_routes(over << 5, opp ^ over, empty, dmask, umask)
    over = (up >> 4) & opp
    if (over >> 4) & empty:
        found += count_routes(over >> 4, opp ^ over, empty, dmask, umask)
    over = (up >> 5) & opp
    if (over >> 5) & empty:
        found += count_routes(over >> 5, opp ^ over, empty, dmask, umask)
    if found == 0:
        return 1
    return found


@kernel("int64(uint64, uint64, uint64, uint64, int64)")
def count_jumps(pieces: Word, opp: Word, empty: Word, kings: Word, black: int) -> int:
    """Count the complete routes of the pieces that can jump."""
    found = 0
    while pieces:
        bit = pieces & (~pieces + ONE)
        pieces ^= bit
        if bit & kings:
            found += count_routes(bit, opp, empty | bit, ALL, ALL)
        elif black:
            found += count_routes(bit, opp, empty, ALL, ZERO)
        else:
            found += count_routes(bit, opp, empty, ZERO, ALL)
    return found


@kernel("int64(uint64, uint64, uint64, int64)")
def count(own: Word, opp: Word, kings: Word, black: int) -> int:
    """Count the legal moves, every route for itself."""
    empty = BOARD & ~(own | opp)
    crowned = own & kings
    down = own if black else crowned
    up = crowned if black else own
    pieces = jumpers(down, up, opp, empty)
    if pieces:
        return count_jumps(pieces, opp, empty, kings, black)
    return steps(down, up, empty)


@kernel("uint64(uint64, uint64)")
def pack(start: Word, end: Word) -> Word:
    """Pack the squares of a move that captures nothing."""
    return (np.uint64(lowest(start)) << 36) | (np.uint64(lowest(end)) << 42)


@kernel(
    "int64(uint64, uint64, uint64, uint64, uint64, uint64, uint64, int64,"
    " CPointer(uint64), int64, int64, int64)"
)
def extend(
    bit: Word,
    start: Word,
    taken: Word,
    opp: Word,
    empty: Word,
    dmask: Word,
    umask: Word,
    every: int,
    moves: Words,
    base: int,
    first: int,
    n: int,
) -> int:
    """Add the jumps of one piece, which has come from ``start`` to ``bit``, to a list.

    ``first`` is where this piece's moves begin. Unless ``every`` is set, a route with the
    captures and the end of an earlier one is left out. Returns the new length.
    """
    before = n
    open_to = False
    down = bit & dmask
    up = bit & umask
    rest = opp & ~taken
    over = (down << 4) & rest
    if (over << 4) & empty:
        open_to = True
        n = extend(
            over << 4, start, taken | over, opp, empty, dmask, umask, every, moves, base, first, n
        )
    over = (down << 5) & rest
    if (over << 5) & empty:
        open_to = True
        n = extend(
            over << 5, start, taken | over, opp, empty, dmask, umask, every, moves, base, first, n
        )
    over = (up >> 4) & rest
    if (over >> 4) & empty:
        open_to = True
        n = extend(
            over >> 4, start, taken | over, opp, empty, dmask, umask, every, moves, base, first, n
        )
    over = (up >> 5) & rest
    if (over >> 5) & empty:
        open_to = True
        n = extend(
            over >> 5, start, taken | over, opp, empty, dmask, umask, every, moves, base, first, n
        )
    if open_to:
        return n
    move = pack(start, bit) | taken
    if not every:
        for i in range(first, before):
            if moves[base + i] == move:
                return n
    moves[base + n] = move
    return n + 1


@kernel("int64(uint64, uint64, uint64, uint64, int64, int64, CPointer(uint64), int64)")
def jumps(
    pieces: Word,
    opp: Word,
    empty: Word,
    kings: Word,
    black: int,
    every: int,
    moves: Words,
    base: int,
) -> int:
    """Write the jumps of the pieces that can jump; return how many."""
    n = 0
    while pieces:
        bit = pieces & (~pieces + ONE)
        pieces ^= bit
        dmask = ALL
        umask = ALL
        room = empty
        if bit & kings:
            room = empty | bit
        elif black:
            umask = ZERO
        else:
            dmask = ZERO
        n = extend(bit, bit, ZERO, opp, room, dmask, umask, every, moves, base, n, n)
    return n


@kernel("int64(uint64, uint64, uint64, CPointer(uint64), int64)")
def quiets(down: Word, up: Word, empty: Word, moves: Words, base: int) -> int:
    """Write the moves that are no jumps; return how many."""
    n = base
    left = (down << 4) & empty
    while left:
        end = left & (~left + ONE)
        left ^= end
        moves[n] = pack(end >> 4, end)
        n += 1
    left = (down << 5) & empty
    while left:
        end = left & (~left + ONE)
        left ^= end
        moves[n] = pack(end >> 5, end)
        n += 1
    left = (up >> 4) & empty
    while left:
        end = left & (~left + ONE)
        left ^= end
        moves[n] = pack(end << 4, end)
        n += 1
    left = (up >> 5) & empty
    while left:
        end = left & (~left + ONE)
        left ^= end
        moves[n] = pack(end << 5, end)
        n += 1
    return n - base


@kernel("int64(uint64, uint64, uint64, int64, int64, CPointer(uint64), int64)")
def generate(
    own: Word, opp: Word, kings: Word, black: int, every: int, moves: Words, base: int
) -> int:
    """Write the legal moves from ``base`` on and return how many; none means a lost turn.

    Where ``every`` is 0, routes with the same captures and the same end are one move.
    """
    empty = BOARD & ~(own | opp)
    crowned = own & kings
    down = own if black else crowned
    up = crowned if black else own
    pieces = jumpers(down, up, opp, empty)
    if pieces:
        return jumps(pieces, opp, empty, kings, black, every, moves, base)
    return quiets(down, up, empty, moves, base)


@kernel("uint64(uint64)")
def start_of(move: Word) -> Word:
    """Return the square that a packed move leaves."""
    return ONE << ((move >> 36) & SQUARE)


@kernel("uint64(uint64)")
def end_of(move: Word) -> Word:
    """Return the square that a packed move comes to."""
    return ONE << ((move >> 42) & SQUARE)


@kernel("uint64(uint64, uint64, uint64, uint64, int64)")
def kings_after(kings: Word, start: Word, end: Word, taken: Word, black: int) -> Word:
    """Return the kings of both sides after a move."""
    left = kings & ~taken
    if kings & start:
        return left ^ start ^ end
    return left | (end & (BOTTOM if black else TOP))


@kernel("int64(uint64, uint64, uint64, int64, int64, uint64[::1])")
def listed(own: Word, opp: Word, kings: Word, black: int, every: int, memory: Words) -> int:
    """Write the legal moves into an array and return how many."""
    return generate(own, opp, kings, black, every, words(memory), 0)
