"""Counting the lines of play to a depth: the measure of a move generator.

The last ply is counted, not played, and a `Counter` counts what follows a position once. Every
route counts, as in `kingme.rules.perft`.
"""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import BOARD, Word, Words, signed, words
from kingme.engine.kernels.board import scalars
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import (
    TAKEN,
    WIDTH,
    count,
    count_jumps,
    end_of,
    generate,
    jumpers,
    kings_after,
    start_of,
    steps,
)
from kingme.engine.kernels.tables import MIX2, key_of
from kingme.rules.moves import Move
from kingme.rules.position import Position

BUCKET = 32
"""Bytes of a bucket of the table: two entries of two words."""

COUNTED = np.uint64((1 << 56) - 1)

SPLIT = 9
"""Depth from which the count is split, so that an interrupt is noticed in between."""


@kernel("int64(uint64, uint64, uint64, int64, int64, CPointer(uint64))")
def lines(own: Word, opp: Word, kings: Word, black: int, depth: int, moves: Words) -> int:
    """Count the lines of ``depth`` plies, at least two."""
    base = depth * WIDTH
    n = generate(own, opp, kings, black, 1, moves, base)
    found = 0
    other = 1 - black
    for i in range(base, base + n):
        move = moves[i]
        start = start_of(move)
        end = end_of(move)
        taken = move & TAKEN
        left = opp & ~taken
        moved = own ^ start ^ end
        crowned = kings_after(kings, start, end, taken, black)
        if depth == 2:
            # `count`, written out: a call for each leaf's parent costs a twentieth of the speed.
            empty = BOARD & ~(left | moved)
            down = left if other else left & crowned
            up = left & crowned if other else left
            pieces = jumpers(down, up, moved, empty)
            if pieces:
                found += count_jumps(pieces, moved, empty, crowned, other)
            else:
                found += steps(down, up, empty)
        else:
            found += lines(left, moved, crowned, other, depth - 1, moves)
    return found


@kernel("int64(uint64, uint64, uint64, int64, int64, uint64[::1])")
def enter(own: Word, opp: Word, kings: Word, black: int, depth: int, moves: Words) -> int:
    """Count the lines of ``depth`` plies, at least two; ``moves`` has a list for each depth."""
    return lines(own, opp, kings, black, depth, words(moves))


@kernel("int64(uint64, uint64, uint64, int64, int64, CPointer(uint64), CPointer(uint64), uint64)")
def kept_lines(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    depth: int,
    moves: Words,
    table: Words,
    mask: Word,
) -> int:
    """Count the lines of ``depth`` plies, at least two, each position's once.

    An entry of the table is a word that tells position and depth, and the count; two lie in a
    bucket: one that only a count as deep replaces, one that any does.
    """
    key = key_of(own, opp, kings, black) ^ (np.uint64(depth) * MIX2)
    place = signed(key & mask) * 4
    if table[place] ^ table[place + 1] == key:
        return signed(table[place + 1] & COUNTED)
    if table[place + 2] ^ table[place + 3] == key:
        return signed(table[place + 3] & COUNTED)
    base = depth * WIDTH
    n = generate(own, opp, kings, black, 1, moves, base)
    found = 0
    for i in range(base, base + n):
        move = moves[i]
        start = start_of(move)
        end = end_of(move)
        taken = move & TAKEN
        left = opp & ~taken
        moved = own ^ start ^ end
        crowned = kings_after(kings, start, end, taken, black)
        if depth == 2:
            found += count(left, moved, crowned, 1 - black)
        else:
            found += kept_lines(left, moved, crowned, 1 - black, depth - 1, moves, table, mask)
    data = np.uint64(found) | np.uint64(depth) << 56
    if (data >> 56) < (table[place + 1] >> 56):
        place += 2
    table[place] = key ^ data
    table[place + 1] = data
    return found


@kernel("int64(uint64, uint64, uint64, int64, int64, uint64[::1], uint64[::1], uint64)")
def enter_kept(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    depth: int,
    moves: Words,
    table: Words,
    mask: Word,
) -> int:
    """Count the lines of ``depth`` plies, at least two, with a table of ``mask`` + 1 buckets."""
    return kept_lines(own, opp, kings, black, depth, words(moves), words(table), mask)


class Counter:
    """Counts lines with a table of ``table_mib`` MiB, which great depths need.

    A position counted once is not counted again, so rates are no measure of the generator.
    """

    def __init__(self, table_mib: int = 256) -> None:
        buckets = 1
        while 2 * buckets * BUCKET <= table_mib << 20:
            buckets *= 2
        self._mask = np.uint64(buckets - 1)
        self._table = np.zeros(buckets * BUCKET // 8, np.uint64)

    def perft(self, position: Position, depth: int) -> int:
        """Return how many sequences of ``depth`` plies there are, as `perft` does.

        >>> Counter(1).perft(Position.start(), 9)
        3963680
        """
        if depth < 2:
            return perft(position, depth)
        moves = np.zeros((depth + 1) * WIDTH, np.uint64)
        return int(enter_kept(*scalars(position), depth, moves, self._table, self._mask))


def perft(position: Position, depth: int) -> int:
    """Return how many sequences of ``depth`` plies there are, without holding the GIL.

    Equal to `kingme.rules.perft`, some two hundred times as fast. Raises ``ValueError`` for a
    negative depth.

    >>> perft(Position.start(), 8)
    845931
    """
    if depth < 0:
        raise ValueError(f"a depth of {depth} plies makes no sense: it is 0 or more")
    if depth == 0:
        return 1
    if depth == 1:
        return int(count(*scalars(position)))
    if depth >= SPLIT:
        return sum(divide(position, depth).values())
    moves = np.zeros((depth + 1) * WIDTH, np.uint64)
    return int(enter(*scalars(position), depth, moves))


def divide(position: Position, depth: int) -> dict[Move, int]:
    """Return the perft of ``depth - 1`` plies behind each legal move."""
    if depth < 1:
        raise ValueError(f"a depth of {depth} plies has no first move: it is 1 or more")
    return {move: perft(position.play(move), depth - 1) for move in position.legal_moves}
