"""Reading packed values: who wins, where a few bits tell of many positions.

A packed slice has one of three values for each position: `DRAW`, `LOSS` or `WIN` for the side to
move. Positions where a jump is due are not stored, and what is read for one of them means
nothing: `value_of` follows their captures to positions that are. The numbers of a slice (`index`)
are cut into blocks of `BLOCK`, and a block is a row of runs, each a symbol: the value, and how long
it goes on. A symbol is a prefix code, at most `PEEK` bits, which depends on the value before, and
has the lower bits of a long run after it. All bits run from the lowest of a byte up, without gaps
between blocks. A block without bits has the value that the slice has by default.

`directory` below is the address of an array of 64-bit words that tells where open slices lie:

====================  =============================================================================
``PIECES``            how many pieces there may be at most
``SLICES`` and on     8 to the power of 4 words: by material (as in `probe`), at which word of this
                      array the record of the slice begins, or 0 where there is none
a record: ``FORM``    `RAW` or `PACKED`
``DEFAULT``           the value of a block without bits
``GROUPS``            address of 32-bit numbers: at which bit each sixteenth block begins
``SIZES``             address of 16-bit numbers: how many bits each block has
``BITS``              address of the bits; of a `RAW` slice, address of its codes (`probe`)
``DECODING``          address of 32-bit words, by the value before (3 at the start of a block) and
                      the next `PEEK` bits: what `entry` puts together
``PLIES``             address of bytes, half the plies of each lost position, or 0
====================  =============================================================================

`kingme.engine.endgames.records` makes the array, `packing` the bits.
"""

from __future__ import annotations

from kingme.engine.kernels.bits import (
    BOARD,
    ONE,
    ZERO,
    Octets,
    Word,
    peek,
    popcount,
    read8,
    read16,
    read32,
    read64,
    turned,
)
from kingme.engine.kernels.index import index_of
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import jumpers, kings_after

DRAW, LOSS, WIN = 0, 1, 2
UNKNOWN = -1

POWER = 10
BLOCK = 1 << POWER
"""Positions of a block."""

GROUP = 16
"""Blocks from one place that is written out to the next."""

PEEK = 9
"""Bits of the longest code."""

LONGEST = PEEK + POWER - 1
"""Bits of the longest symbol, with those that follow its code."""

SURE = 57
"""Bits that `peek` has at least, wherever in a byte they begin."""

EXACT = 16
"""Runs of up to so many positions have a symbol for each length."""

ENDING = 22
"""The kind of run that goes on to the end of the block; longer than `EXACT` are 16 to 21."""

KINDS = 23
"""Kinds of runs; a symbol is the value times this, and the kind."""

SYMBOLS = 3 * KINDS

PIECES = 0
SLICES = 8
RECORDS = SLICES + 8**4
"""Where records begin; each has `STRIDE` words."""

STRIDE = 8
FORM, DEFAULT, GROUPS, SIZES, BITS, DECODING, PLIES = range(7)
RAW, PACKED = 1, 2


@kernel("int64(int64, int64, int64)")
def stored(directory: int, record: int, number: int) -> int:
    """Return the value that a slice has for a number; no sense where a jump is due."""
    bits = read64(directory, record + BITS)
    if read64(directory, record + FORM) == RAW:
        code = read8(bits, number) & 0xFF
        if code == 0:
            return DRAW
        return WIN - (code & 1)
    sizes = read64(directory, record + SIZES)
    block = number >> POWER
    if sizes == 0 or read16(sizes, block) == 0:
        return read64(directory, record + DEFAULT)
    group = block >> 4
    at = read32(read64(directory, record + GROUPS), group) & 0xFFFFFFFF
    for i in range(group << 4, block):
        at += read16(sizes, i) & 0xFFFF
    decoding = read64(directory, record + DECODING)
    left = number & (BLOCK - 1)
    value = 3
    window = peek(bits, at >> 3) >> (at & 7)
    full = SURE
    while True:
        entry = read32(decoding, (value << PEEK) + (window & ((1 << PEEK) - 1)))
        value = entry & 3
        size = (entry >> 2) & 15
        more = (entry >> 6) & 15
        window >>= size
        left -= (entry >> 10) + (window & ((1 << more) - 1))
        if left < 0:
            return value
        window >>= more
        at += size + more
        full -= size + more
        if full < LONGEST:
            window = peek(bits, at >> 3) >> (at & 7)
            full = SURE


@kernel("void(int64, int64, int64, int64, uint8[::1])")
def unpack(directory: int, record: int, low: int, high: int, out: Octets) -> None:
    """Write the values of the numbers from ``low``, where a block begins, to ``high``."""
    bits = read64(directory, record + BITS)
    sizes = read64(directory, record + SIZES)
    decoding = read64(directory, record + DECODING)
    default = read64(directory, record + DEFAULT)
    at = 0
    if sizes != 0 and low < high:
        block = low >> POWER
        at = read32(read64(directory, record + GROUPS), block >> 4) & 0xFFFFFFFF
        for i in range(block >> 4 << 4, block):
            at += read16(sizes, i) & 0xFFFF
    for start in range(low, high, BLOCK):
        end = min(start + BLOCK, high)
        if sizes == 0 or read16(sizes, start >> POWER) == 0:
            for number in range(start, end):
                out[number - low] = default
            continue
        number = start
        value = 3
        while number < end:
            window = peek(bits, at >> 3) >> (at & 7)
            entry = read32(decoding, (value << PEEK) + (window & ((1 << PEEK) - 1)))
            value = entry & 3
            size = (entry >> 2) & 15
            more = (entry >> 6) & 15
            run = (entry >> 10) + ((window >> size) & ((1 << more) - 1))
            for i in range(number, min(number + run, end)):
                out[i - low] = value
            number += run
            at += size + more


@kernel("int64(uint64, uint64, uint64, int64)")
def record_of(own: Word, opp: Word, kings: Word, directory: int) -> int:
    """Return where the record of the slice of a position begins, or 0."""
    crowned = popcount(own & kings)
    rulers = popcount(opp & kings)
    men = popcount(own) - crowned
    others = popcount(opp) - rulers
    if men + crowned + others + rulers > read64(directory, PIECES):
        return 0
    return read64(directory, SLICES + men + crowned * 8 + others * 64 + rulers * 512)


@kernel("int64(int64, int64)")
def better(best: int, other: int) -> int:
    """Return the better of two values for one side; what is not known may be anything but a win."""
    if WIN in (best, other):
        return WIN
    if UNKNOWN in (best, other):
        return UNKNOWN
    if DRAW in (best, other):
        return DRAW
    return LOSS


@kernel("int64(uint64, uint64, uint64, uint64, uint64, uint64, int64)")
def followed(
    own: Word, opp: Word, kings: Word, start: Word, bit: Word, taken: Word, directory: int
) -> int:
    """Return the value of a position with Black to move, captures followed to their end.

    Where ``bit`` is not 0, Black is in the middle of a capture: the piece of ``start`` has come to
    ``bit`` and has jumped ``taken``, all of which are on the board still.
    """
    empty = BOARD & ~(own | opp)
    best = LOSS
    if bit == ZERO:
        pieces = jumpers(own, own & kings, opp, empty)
        if pieces == ZERO:
            record = record_of(own, opp, kings, directory)
            if record == 0:
                return UNKNOWN
            return stored(directory, record, index_of(own, opp, kings))
        while pieces:
            piece = pieces & (~pieces + ONE)
            pieces ^= piece
            best = better(best, followed(own, opp, kings, piece, piece, ZERO, directory))
            if best == WIN:
                return WIN
        return best
    rest = opp & ~taken
    up = bit if kings & start else ZERO
    room = empty | start
    open_to = False
    for way in range(4):
        if way == 0:
            over = (bit << 4) & rest
            end = (over << 4) & room
        elif way == 1:
            over = (bit << 5) & rest
            end = (over << 5) & room
        elif way == 2:
            over = (up >> 4) & rest
            end = (over >> 4) & room
        else:
            over = (up >> 5) & rest
            end = (over >> 5) & room
        if end:
            open_to = True
            best = better(best, followed(own, opp, kings, start, end, taken | over, directory))
            if best == WIN:
                return WIN
    if open_to:
        return best
    if rest == ZERO:
        return WIN
    crowned = kings_after(kings, start, bit, taken, 1)
    after = followed(
        turned(rest), turned(own ^ start ^ bit), turned(crowned), ZERO, ZERO, ZERO, directory
    )
    if after in (LOSS, WIN):
        return LOSS + WIN - after
    return after


@kernel("int64(uint64, uint64, uint64, int64, int64)")
def value_of(own: Word, opp: Word, kings: Word, black: int, directory: int) -> int:
    """Return the value of a position for the side to move, jump due or not, or `UNKNOWN`.

    ``directory`` may be 0: then nothing is known. Both sides have a piece.
    """
    if directory == 0:
        return UNKNOWN
    if black:
        return followed(own, opp, kings, ZERO, ZERO, ZERO, directory)
    return followed(turned(own), turned(opp), turned(kings), ZERO, ZERO, ZERO, directory)


@kernel("int64(uint64, uint64, uint64, int64)")
def number_of(own: Word, opp: Word, kings: Word, black: int) -> int:
    """Return the number of a position in its slice, whoever is to move."""
    if black:
        return index_of(own, opp, kings)
    return index_of(turned(own), turned(opp), turned(kings))
