"""Legal moves with their whole routes, for the root of a search and for tests."""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import ALL, BOARD, ONE, ZERO, Word, Words, lowest, words
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import SQUARE, WIDTH, jumpers, quiets

STRIDE = 16
"""Words of one record: captured squares, length of the path, then the path as bit numbers."""

SCRATCH = STRIDE * WIDTH

SIZE = SCRATCH + WIDTH
"""Words that `write` needs: the records, then its scratch."""


@kernel("int64(uint64, uint64, uint64, uint64, uint64, uint64, int64, CPointer(uint64), int64)")
def trace(
    bit: Word,
    taken: Word,
    opp: Word,
    empty: Word,
    dmask: Word,
    umask: Word,
    length: int,
    out: Words,
    n: int,
) -> int:
    """Add every complete route of a piece that has come to ``bit``; return the new count."""
    out[SCRATCH + 2 + length] = np.uint64(lowest(bit))
    length += 1
    before = n
    rest = opp & ~taken
    down = bit & dmask
    up = bit & umask
    over = (down << 4) & rest
    if (over << 4) & empty:
        n = trace(over << 4, taken | over, opp, empty, dmask, umask, length, out, n)
    over = (down << 5) & rest
    if (over << 5) & empty:
        n = trace(over << 5, taken | over, opp, empty, dmask, umask, length, out, n)
    over = (up >> 4) & rest
    if (over >> 4) & empty:
        n = trace(over >> 4, taken | over, opp, empty, dmask, umask, length, out, n)
    over = (up >> 5) & rest
    if (over >> 5) & empty:
        n = trace(over >> 5, taken | over, opp, empty, dmask, umask, length, out, n)
    if n > before:
        return n
    out[STRIDE * n] = taken
    out[STRIDE * n + 1] = np.uint64(length)
    for i in range(length):
        out[STRIDE * n + 2 + i] = out[SCRATCH + 2 + i]
    return n + 1


@kernel("int64(uint64, uint64, uint64, int64, uint64[::1])")
def write(own: Word, opp: Word, kings: Word, black: int, records: Words) -> int:
    """Write a record for every legal route and return how many there are."""
    out = words(records)
    empty = BOARD & ~(own | opp)
    crowned = own & kings
    down = own if black else crowned
    up = crowned if black else own
    pieces = jumpers(down, up, opp, empty)
    n = 0
    if pieces == ZERO:
        n = quiets(down, up, empty, out, SCRATCH)
        for i in range(n):
            move = out[SCRATCH + i]
            out[STRIDE * i] = ZERO
            out[STRIDE * i + 1] = np.uint64(2)
            out[STRIDE * i + 2] = (move >> 36) & SQUARE
            out[STRIDE * i + 3] = (move >> 42) & SQUARE
        return n
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
        n = trace(bit, ZERO, opp, room, dmask, umask, 0, out, n)
    return n
