"""Checking packed databases: each position against what its moves lead to.

Who wins is checked by values alone. With distances, the codes of a slice (`probe`) are put together
again from what is stored, half the plies of lost positions, and each is checked like the
codes of a raw block. The words of a directory are those of `packed`.
"""

from __future__ import annotations

from kingme.engine.kernels.bits import (
    BOARD,
    ONE,
    ZERO,
    Octets,
    Word,
    Words,
    read8,
    read64,
    turned,
    words,
)
from kingme.engine.kernels.index import index_of, next_position, position_of
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import end_of, jumpers, kings_after, quiets, start_of
from kingme.engine.kernels.packed import (
    BITS,
    DRAW,
    FORM,
    LOSS,
    PLIES,
    RAW,
    UNKNOWN,
    WIN,
    followed,
    record_of,
    stored,
)
from kingme.engine.kernels.packing import jump_due


@kernel("int64(int64, int64, int64, int64, int64, int64, int64, uint8[::1], uint64[::1])")
def wrong_value(
    directory: int,
    a: int,
    b: int,
    c: int,
    d: int,
    low: int,
    high: int,
    values: Octets,
    memory: Words,
) -> int:
    """Return the first number whose value is not what its moves ask for, or -1.

    ``values`` are those of the slice, from number 0 on.
    """
    if low >= high:
        return -1
    moves = words(memory)
    own, opp, kings = position_of(low, a, b, c, d)
    for number in range(low, high):
        if not jump_due(own, opp, kings):
            best = LOSS
            n = quiets(own, own & kings, BOARD & ~(own | opp), moves, 0)
            for i in range(n):
                start = start_of(moves[i])
                end = end_of(moves[i])
                crowned = turned(kings_after(kings, start, end, ZERO, 1))
                rest = turned(own ^ start ^ end)
                after = followed(turned(opp), rest, crowned, ZERO, ZERO, ZERO, directory)
                if after == UNKNOWN:
                    return number
                if after == LOSS:
                    best = WIN
                    break
                if after == DRAW:
                    best = DRAW
            if best != values[number]:
                return number
        own, opp, kings = next_position(own, opp, kings)
    return -1


@kernel("int64(int64, int64)")
def sooner(best: int, other: int) -> int:
    """Return the better of two codes for the side to move; -1 stands for no move so far.

    A win is the better the sooner, a loss the later.
    """
    if best < 0:
        return other
    if best > 0 and best & 1 == 0:
        return min(best, other) if other > 0 and other & 1 == 0 else best
    if other > 0 and other & 1 == 0:
        return other
    if best == 0 or other == 0:
        return 0
    return max(best, other)


@kernel("int64(uint64, uint64, uint64, uint64, uint64, uint64, int64)")
def traced(
    own: Word, opp: Word, kings: Word, start: Word, bit: Word, taken: Word, directory: int
) -> int:
    """Return the code of a position with Black to move, or in the middle of a capture.

    As `packed.followed` does for values; every slice that is asked has its plies.
    """
    empty = BOARD & ~(own | opp)
    best = -1
    if bit == ZERO:
        pieces = jumpers(own, own & kings, opp, empty)
        if pieces == ZERO:
            record = record_of(own, opp, kings, directory)
            number = index_of(own, opp, kings)
            if read64(directory, record + FORM) == RAW:
                return read8(read64(directory, record + BITS), number) & 0xFF
            value = stored(directory, record, number)
            if value == DRAW:
                return 0
            if value == LOSS:
                return 2 * (read8(read64(directory, record + PLIES), number) & 0xFF) + 1
        while pieces:
            piece = pieces & (~pieces + ONE)
            pieces ^= piece
            best = sooner(best, traced(own, opp, kings, piece, piece, ZERO, directory))
        if best >= 0:
            return best
        for way in range(4):
            if way == 0:
                ends = (own << 4) & empty
            elif way == 1:
                ends = (own << 5) & empty
            elif way == 2:
                ends = ((own & kings) >> 4) & empty
            else:
                ends = ((own & kings) >> 5) & empty
            while ends:
                end = ends & (~ends + ONE)
                ends ^= end
                if way == 0:
                    piece = end >> 4
                elif way == 1:
                    piece = end >> 5
                elif way == 2:
                    piece = end << 4
                else:
                    piece = end << 5
                crowned = turned(kings_after(kings, piece, end, ZERO, 1))
                rest = turned(own ^ piece ^ end)
                other = turned(opp)
                if followed(other, rest, crowned, ZERO, ZERO, ZERO, directory) == LOSS:
                    code = traced(other, rest, crowned, ZERO, ZERO, ZERO, directory)
                    best = sooner(best, code + 1)
        return max(best, 0)
    left = opp & ~taken
    up = bit if kings & start else ZERO
    room = empty | start
    for way in range(4):
        if way == 0:
            over = (bit << 4) & left
            end = (over << 4) & room
        elif way == 1:
            over = (bit << 5) & left
            end = (over << 5) & room
        elif way == 2:
            over = (up >> 4) & left
            end = (over >> 4) & room
        else:
            over = (up >> 5) & left
            end = (over >> 5) & room
        if end:
            best = sooner(best, traced(own, opp, kings, start, end, taken | over, directory))
    if best >= 0:
        return best
    if left == ZERO:
        return 2
    crowned = turned(kings_after(kings, start, bit, taken, 1))
    code = traced(turned(left), turned(own ^ start ^ bit), crowned, ZERO, ZERO, ZERO, directory)
    if code == 0:
        return 0
    return code + 1


@kernel("int64(int64, int64, int64, int64, int64, int64, int64, uint8[::1])")
def restore(
    directory: int, a: int, b: int, c: int, d: int, low: int, high: int, codes: Octets
) -> int:
    """Write the codes of a slice from ``low`` to ``high``.

    Returns the first number whose value no move bears out, or -1.
    """
    if low >= high:
        return -1
    wrong = -1
    own, opp, kings = position_of(low, a, b, c, d)
    for number in range(low, high):
        code = traced(own, opp, kings, ZERO, ZERO, ZERO, directory)
        codes[number] = code
        if (
            code == 0
            and wrong < 0
            and not jump_due(own, opp, kings)
            and stored(directory, record_of(own, opp, kings, directory), number) != DRAW
        ):
            wrong = number
        own, opp, kings = next_position(own, opp, kings)
    return wrong


@kernel("int64(int64, int64, int64, int64, int64, int64, int64, uint8[::1])")
def settle(
    directory: int, a: int, b: int, c: int, d: int, low: int, high: int, values: Octets
) -> int:
    """Write the values of the positions from ``low`` to ``high`` where a jump is due.

    Returns the first number whose value is unknown, or -1.
    """
    if low >= high:
        return -1
    own, opp, kings = position_of(low, a, b, c, d)
    for number in range(low, high):
        if jump_due(own, opp, kings):
            value = followed(own, opp, kings, ZERO, ZERO, ZERO, directory)
            if value == UNKNOWN:
                return number
            values[number] = value
        own, opp, kings = next_position(own, opp, kings)
    return -1


@kernel("int64(int64, int64, int64, int64, int64, int64, int64, uint8[::1], uint64[::1])")
def wrong_code(
    directory: int,
    a: int,
    b: int,
    c: int,
    d: int,
    low: int,
    high: int,
    codes: Octets,
    memory: Words,
) -> int:
    """Return the first number whose code is not what its moves ask for, or -1.

    ``codes`` are those of the slice, from number 0 on, as `restore` writes them.
    """
    if low >= high:
        return -1
    moves = words(memory)
    own, opp, kings = position_of(low, a, b, c, d)
    for number in range(low, high):
        if not jump_due(own, opp, kings):
            best = -1
            n = quiets(own, own & kings, BOARD & ~(own | opp), moves, 0)
            for i in range(n):
                start = start_of(moves[i])
                end = end_of(moves[i])
                crowned = turned(kings_after(kings, start, end, ZERO, 1))
                rest = turned(own ^ start ^ end)
                code = traced(turned(opp), rest, crowned, ZERO, ZERO, ZERO, directory)
                best = sooner(best, code + 1 if code else 0)
            if codes[number] != (best if n else 1):
                return number
        own, opp, kings = next_position(own, opp, kings)
    return -1
