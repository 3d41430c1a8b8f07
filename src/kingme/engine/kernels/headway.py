"""How soon a won ending makes headway: the way to a man's move or a capture that keeps the win.

Values say who wins, and not how soon. While only kings move and nothing is captured, the men of
both sides stand still, and the numbers (`index`) of all that can come are one range for either side
to move, since kings are numbered last. For these positions the plies to a move that cannot be taken
back are found backwards: the winner looks for one that keeps the win, the loser puts it off. Men
get no farther than the last row and pieces no fewer than none, so whoever takes the shortest way
each time wins in the end. Chess has the same measure, the distance to a pawn's move or a capture
("zeroing"), in the Syzygy tablebases of R. de Man (2013).

A code is a byte, as in `probe`: 0 not known, else plies and one; the loser's are odd, those of the
winner even. The arrays hold ``size`` entries for the winner to move and as many for the loser, in
this order.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kingme.engine.kernels.bits import BOARD, ONE, ZERO, Octets, Word, octets, signed, turned
from kingme.engine.kernels.index import index_of, next_position, position_of
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import jumpers, kings_after, steps
from kingme.engine.kernels.packed import LOSS, WIN, followed

Queue: TypeAlias = npt.NDArray[np.int32]

LARGEST = 254
"""The largest code that fits in a byte, with room for one more; what is farther is not known."""


@kernel("boolean(uint64, uint64, uint64, int64)")
def man_wins(own: Word, opp: Word, kings: Word, directory: int) -> bool:
    """Tell whether Black, with no jump due, has a man's move after which the other side loses."""
    empty = BOARD & ~(own | opp)
    men = own & ~kings
    for way in range(2):
        ends = (men << 4 if way == 0 else men << 5) & empty
        while ends:
            end = ends & (~ends + ONE)
            ends ^= end
            start = end >> 4 if way == 0 else end >> 5
            crowned = turned(kings_after(kings, start, end, ZERO, 1))
            rest = turned(own ^ start ^ end)
            if followed(turned(opp), rest, crowned, ZERO, ZERO, ZERO, directory) == LOSS:
                return True
    return False


@kernel(
    "int64(int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, uint8[::1],"
    " uint8[::1], int32[::1], int64)"
)
def start(
    directory: int,
    winner: int,
    a: int,
    b: int,
    c: int,
    d: int,
    base: int,
    low: int,
    high: int,
    size: int,
    codes: Octets,
    left: Octets,
    queue: Queue,
    tail: int,
) -> int:
    """Write the codes of the positions from ``base`` and ``low`` on where headway is made at once.

    They are those of the ``winner`` to move, where that is 1, or of the loser. Each goes to the
    end of the ``queue``, whose new end is returned; ``left`` counts the king's moves that a loser
    has besides.
    """
    if low >= high:
        return tail
    own, opp, kings = position_of(base + low, a, b, c, d)
    for number in range(low, high):
        empty = BOARD & ~(own | opp)
        crowned = own & kings
        due = jumpers(own, crowned, opp, empty) != ZERO
        code = 0
        if winner:
            if due:
                if followed(own, opp, kings, ZERO, ZERO, ZERO, directory) == WIN:
                    code = 2
            elif man_wins(own, opp, kings, directory):
                code = 2
            place = number
        else:
            place = size + number
            if followed(own, opp, kings, ZERO, ZERO, ZERO, directory) == LOSS:
                count = 0 if due else steps(crowned, crowned, empty)
                left[number] = count
                if count == 0:
                    code = 1
        if code:
            codes[place] = code
            queue[tail] = place
            tail += 1
        own, opp, kings = next_position(own, opp, kings)
    return tail


@kernel(
    "int64(uint64, uint64, uint64, int64, int64, int64, int64, CPointer(uint8), CPointer(uint8))"
)
def stepped_back(
    own: Word,
    opp: Word,
    kings: Word,
    code: int,
    mine: int,
    other: int,
    size: int,
    codes: Octets,
    left: Octets,
) -> int:
    """Judge a position with Black to move, after whose king's move one with ``code`` came.

    Returns its place if its code is now known, or -1.
    """
    if jumpers(own, own & kings, opp, BOARD & ~(own | opp)) != ZERO:
        return -1
    number = index_of(own, opp, kings)
    if code & 1:
        place = number - mine
        if codes[place] != 0:
            return -1
    else:
        number -= other
        if left[number] == 0:
            return -1
        left[number] -= 1
        if left[number] != 0:
            return -1
        place = size + number
    codes[place] = code + 1
    return place


@kernel(
    "int64(int64, int64, int64, int64, int64, int64, int64, uint8[::1], uint8[::1], int32[::1],"
    " int64, int64, int64)"
)
def carry(
    a: int,
    b: int,
    c: int,
    d: int,
    mine: int,
    other: int,
    size: int,
    codes: Octets,
    left: Octets,
    queue: Queue,
    head: int,
    count: int,
    tail: int,
) -> int:
    """Judge what comes one king's move before the next ``count`` positions of the ``queue``.

    The winner has ``a`` men and ``b`` kings, and his numbers begin at ``mine``; the loser has
    ``c``, ``d`` and ``other``. The queue begins at ``head`` and ends at ``tail``; returns its new
    end.
    """
    known = octets(codes)
    counts = octets(left)
    for at in range(head, min(head + count, tail)):
        place = int(queue[at])
        code = signed(codes[place])
        if code >= LARGEST:
            return tail
        if place >= size:
            opp, own, kings = position_of(other + place - size, c, d, a, b)
        else:
            opp, own, kings = position_of(mine + place, a, b, c, d)
        own = turned(own)
        opp = turned(opp)
        kings = turned(kings)
        empty = BOARD & ~(own | opp)
        rulers = own & kings
        for way in range(4):
            if way == 0:
                starts = (rulers >> 4) & empty
            elif way == 1:
                starts = (rulers >> 5) & empty
            elif way == 2:
                starts = (rulers << 4) & empty
            else:
                starts = (rulers << 5) & empty
            while starts:
                bit = starts & (~starts + ONE)
                starts ^= bit
                if way == 0:
                    moved = bit | bit << 4
                elif way == 1:
                    moved = bit | bit << 5
                elif way == 2:
                    moved = bit | bit >> 4
                else:
                    moved = bit | bit >> 5
                found = stepped_back(
                    own ^ moved, opp, kings ^ moved, code, mine, other, size, known, counts
                )
                if found >= 0:
                    queue[tail] = found
                    tail += 1
    return tail
