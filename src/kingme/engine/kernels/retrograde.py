"""Building the endgame database backwards from decided positions, a pair of slices at a time.

A pair is a material and the same material with the sides exchanged: a move that captures and
crowns nothing leads from one to the other and back. All else leads to slices built before. A
slice's codes (`probe`) are first those that `begin` can tell: positions where a jump is due, where
no move is left, or where a man can be crowned. Then `spread` is called for each code from 1 on,
and does for all positions that have it what follows for those one move earlier: before a lost
position stands a won one, and a position is lost once none of its moves is left, each having been
found to lead to a position that the other side wins. Since codes are taken in order, what is
written first is the shortest win and the longest loss. What is never reached is a draw, code 0.

``left`` has, for each position of the pair, the number of its moves not yet known to be bad.
Several threads may work on ranges of numbers at once, and the result does not depend on how many.

The method is that of K. Thompson ("Retrograde Analysis of Certain Endgames", ICCA Journal 9(3),
1986). Slices in the order in which captures and crownings lead to them are those of R. Lake,
J. Schaeffer and P. Lu, who solved endings of checkers so ("Solving Large Retrograde Analysis
Problems Using a Network of Workstations", Advances in Computer Chess 7, 1994).
"""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import (
    BOARD,
    ONE,
    ZERO,
    Octets,
    Word,
    Words,
    decrease,
    octets,
    signed,
    turned,
    words,
)
from kingme.engine.kernels.index import index_of, next_position, position_of
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import (
    TAKEN,
    end_of,
    generate,
    jumpers,
    kings_after,
    start_of,
    steps,
)
from kingme.engine.kernels.probe import lookup

LARGEST = 254
"""The largest code that fits in a byte, with room for one more."""

EACH = np.uint64(0x0101010101010101)
HIGHEST = np.uint64(0x8080808080808080)

BEFORE_LAST = np.uint64(0xF << 27)
"""The row from which a man of Black is crowned."""


@kernel("int64(uint64, uint64, uint64, int64, CPointer(uint64))")
def settled(own: Word, opp: Word, kings: Word, tables: int, moves: Words) -> int:
    """Return the code of a position with Black to move that its successors' codes ask for."""
    n = generate(own, opp, kings, 1, 0, moves, 0)
    if n == 0:
        return 1
    shortest = 1 << 30
    longest = 0
    drawn = False
    for i in range(n):
        move = moves[i]
        start = start_of(move)
        end = end_of(move)
        taken = move & TAKEN
        rest = opp & ~taken
        if rest == ZERO:
            return 2
        crowned = kings_after(kings, start, end, taken, 1)
        code = lookup(turned(rest), turned(own ^ start ^ end), turned(crowned), tables)
        if code == 0:
            drawn = True
        elif code & 1:
            shortest = min(shortest, code)
        else:
            longest = max(longest, code)
    if shortest < 1 << 30:
        return shortest + 1
    if drawn:
        return 0
    return longest + 1


@kernel("int64(uint64, uint64, uint64, uint64, int64)")
def crowning(own: Word, opp: Word, kings: Word, ends: Word, tables: int) -> int:
    """Return the code after a man of Black is crowned, on what was an empty square of ``ends``.

    ``own`` is without that man.
    """
    return lookup(turned(opp), turned(own | ends), turned(kings | ends), tables)


@kernel("UniTuple(int64, 4)(uint64, uint64, uint64, int64)")
def crownings(own: Word, opp: Word, kings: Word, tables: int) -> tuple[int, int, int, int]:
    """Judge the moves that crown a man, where no jump is due.

    Returns how many there are, how many of them the other side does not win after, the least odd
    code after one (or 0), and the largest even one (or 0).
    """
    found = 0
    good = 0
    shortest = 0
    longest = 0
    empty = BOARD & ~(own | opp)
    men = own & ~kings & BEFORE_LAST
    while men:
        bit = men & (~men + ONE)
        men ^= bit
        ends = (bit << 4 | bit << 5) & empty
        while ends:
            end = ends & (~ends + ONE)
            ends ^= end
            code = crowning(own ^ bit, opp, kings, end, tables)
            found += 1
            if code == 0:
                good += 1
            elif code & 1:
                good += 1
                if shortest == 0 or code < shortest:
                    shortest = code
            else:
                longest = max(longest, code)
    return found, good, shortest, longest


@kernel("int64(uint64, uint64, uint64, int64, CPointer(uint64), CPointer(uint8), int64)")
def opened(
    own: Word, opp: Word, kings: Word, tables: int, moves: Words, left: Octets, place: int
) -> int:
    """Return the code of a position as far as earlier slices tell it; count its other moves."""
    empty = BOARD & ~(own | opp)
    crowned = own & kings
    if jumpers(own, crowned, opp, empty):
        return settled(own, opp, kings, tables, moves)
    count = steps(own, crowned, empty)
    if count == 0:
        return 1
    found, good, shortest, longest = crownings(own, opp, kings, tables)
    count += good - found
    left[place] = count
    if shortest:
        return shortest + 1
    if count == 0:
        return longest + 1
    return 0


@kernel(
    "int64(uint8[::1], uint8[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64,"
    " uint64[::1])"
)
def begin(
    block: Octets,
    left: Octets,
    tables: int,
    base: int,
    first: int,
    a: int,
    b: int,
    c: int,
    d: int,
    low: int,
    high: int,
    memory: Words,
) -> int:
    """Write the codes that earlier slices tell, for the numbers from ``low`` to ``high``.

    The slice begins at ``base`` of the block and its pair at ``first``; ``memory`` holds a list of
    moves. Returns the largest code written.
    """
    largest = 0
    if low >= high:
        return 0
    counts = octets(left)
    moves = words(memory)
    own, opp, kings = position_of(low, a, b, c, d)
    for number in range(low, high):
        place = base + number
        code = opened(own, opp, kings, tables, moves, counts, place - first)
        block[place] = code
        largest = max(largest, code)
        own, opp, kings = next_position(own, opp, kings)
    return largest


@kernel(
    "int64(uint64, uint64, uint64, uint64, uint64, int64, int64, int64, int64,"
    " CPointer(uint8), CPointer(uint8))"
)
def retract(
    own: Word,
    opp: Word,
    kings: Word,
    start: Word,
    end: Word,
    code: int,
    tables: int,
    base: int,
    first: int,
    block: Octets,
    left: Octets,
) -> int:
    """Take back Black's move from ``start`` to ``end``, which led to ``code``: what follows?

    Returns the code written, or 0 where none was.
    """
    moved = start ^ end
    own ^= moved
    if kings & end:
        kings ^= moved
    if jumpers(own, own & kings, opp, BOARD & ~(own | opp)):
        return 0
    number = index_of(own, opp, kings)
    place = base + number
    now = signed(block[place])
    if code & 1:
        if now != 0 and now <= code + 1:
            return 0
        block[place] = code + 1
        return code + 1
    if now != 0 or decrease(left, place - first) != 1:
        return 0
    longest = code
    if own & ~kings & BEFORE_LAST:
        _, _, _, other = crownings(own, opp, kings, tables)
        longest = max(code, other)
    block[place] = longest + 1
    return longest + 1


@kernel(
    "int64(uint64, uint64, uint64, int64, int64, int64, int64, CPointer(uint8), CPointer(uint8))"
)
def retract_all(
    own: Word,
    opp: Word,
    kings: Word,
    code: int,
    tables: int,
    base: int,
    first: int,
    block: Octets,
    left: Octets,
) -> int:
    """Take back each move of Black's that can have led to a position; return as `retract` does."""
    largest = 0
    empty = BOARD & ~(own | opp)
    crowned = own & kings
    for way in range(4):
        if way == 0:
            starts = (own >> 4) & empty
        elif way == 1:
            starts = (own >> 5) & empty
        elif way == 2:
            starts = (crowned << 4) & empty
        else:
            starts = (crowned << 5) & empty
        while starts:
            start = starts & (~starts + ONE)
            starts ^= start
            if way == 0:
                end = start << 4
            elif way == 1:
                end = start << 5
            elif way == 2:
                end = start >> 4
            else:
                end = start >> 5
            written = retract(own, opp, kings, start, end, code, tables, base, first, block, left)
            largest = max(largest, written)
    return largest


@kernel("boolean(uint64, int64)")
def holds(eight: Word, code: int) -> bool:
    """Tell whether one of the eight bytes of a word is this code."""
    differing = eight ^ (EACH * np.uint64(code))
    return ((differing - EACH) & ~differing & HIGHEST) != ZERO


@kernel(
    "int64(uint8[::1], uint64[::1], uint8[::1], int64, int64, int64, int64, int64, int64, int64,"
    " int64, int64, int64, int64)"
)
def spread(
    block: Octets,
    eights: Words,
    left: Octets,
    tables: int,
    code: int,
    base: int,
    other: int,
    first: int,
    a: int,
    b: int,
    c: int,
    d: int,
    low: int,
    high: int,
) -> int:
    """Judge the positions one move before those that have ``code``.

    The slice of these begins at ``base`` and that of the positions before them at ``other``;
    ``eights`` is the block by words, and ``low`` a multiple of 8. Returns the largest code
    written.
    """
    largest = 0
    codes = octets(block)
    counts = octets(left)
    for eight in range(low, high, 8):
        if not holds(eights[(base + eight) >> 3], code):
            continue
        for number in range(eight, min(eight + 8, high)):
            if codes[base + number] == code:
                own, opp, kings = position_of(number, a, b, c, d)
                written = retract_all(
                    turned(opp),
                    turned(own),
                    turned(kings),
                    code,
                    tables,
                    other,
                    first,
                    codes,
                    counts,
                )
                largest = max(largest, written)
    return largest


@kernel("int64(int64, int64, int64, int64, int64, int64, int64, uint64[::1])")
def inconsistent(
    tables: int, a: int, b: int, c: int, d: int, low: int, high: int, memory: Words
) -> int:
    """Return the first number whose code is not what its successors ask for, or -1."""
    if low >= high:
        return -1
    moves = words(memory)
    own, opp, kings = position_of(low, a, b, c, d)
    for number in range(low, high):
        if lookup(own, opp, kings, tables) != settled(own, opp, kings, tables, moves):
            return number
        own, opp, kings = next_position(own, opp, kings)
    return -1
