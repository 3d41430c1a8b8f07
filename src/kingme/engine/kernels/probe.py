"""Reading the endgame database: the exact value of a position with few pieces.

The database is one flat block. It begins with 32-bit words: the head, in which word ``PIECES``
is how many pieces it covers, and the directory, a word a material, which tells where the slice of
that material begins, in units of 64 bytes from the start of the block, or is 0 where there is no
such slice. A slice has one byte, a code, for each position with Black to move, by its number
(`index`): 0 is a draw, and ``n + 1`` is decided in ``n`` plies. The side to move wins where ``n``
is odd and loses where it is even, since it is the loser who cannot move at the end.

`kingme.engine.endgames.files` writes what is read here.
"""

from __future__ import annotations

from kingme.engine.kernels.bits import BOARD, ZERO, Word, popcount, read8, read32, turned
from kingme.engine.kernels.index import index_of
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import jumpers
from kingme.engine.kernels.tables import INFINITY, WIN

PIECES = 2
"""Word of the head that holds how many pieces there may be, seven at most."""

DIRECTORY = 16
"""Words of the head: the directory comes next, 8 to the power of 4 words."""


@kernel("int64(uint64, uint64, uint64, int64)")
def lookup(own: Word, opp: Word, kings: Word, tables: int) -> int:
    """Return the code of a position of up to seven pieces with Black to move, jump due or not.

    It is -1 where the database has no such slice.
    """
    crowned = popcount(own & kings)
    rulers = popcount(opp & kings)
    material = popcount(own) - crowned + crowned * 8 + (popcount(opp) - rulers) * 64 + rulers * 512
    start = read32(tables, DIRECTORY + material)
    if start == 0:
        return -1
    return read8(tables, start * 64 + index_of(own, opp, kings)) & 0xFF


@kernel("int64(uint64, uint64, uint64, int64, int64)")
def code_of(own: Word, opp: Word, kings: Word, black: int, tables: int) -> int:
    """Return what `lookup` does, for either side to move."""
    if black:
        return lookup(own, opp, kings, tables)
    return lookup(turned(own), turned(opp), turned(kings), tables)


@kernel("int64(uint64, uint64, uint64, int64, int64)")
def probe_endgame(own: Word, opp: Word, kings: Word, black: int, tables: int) -> int:
    """Return the exact score of a position without a jump due, for the side to move.

    It is 0 for a draw, ``WIN - n`` for a win in ``n`` plies, ``n - WIN`` for a loss, and
    ``INFINITY`` where nothing is known: ``tables``, the address of the block, is 0, there are too
    many pieces, or a jump is due.
    """
    if tables == 0:
        return INFINITY
    both = own | opp
    if popcount(both) > read32(tables, PIECES):
        return INFINITY
    if not black:
        own = turned(own)
        opp = turned(opp)
        kings = turned(kings)
    if jumpers(own, own & kings, opp, BOARD & ~(own | opp)) != ZERO:
        return INFINITY
    code = lookup(own, opp, kings, tables)
    if code < 0:
        return INFINITY
    if code == 0:
        return 0
    if code & 1:
        return code - 1 - WIN
    return WIN + 1 - code
