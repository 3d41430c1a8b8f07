"""The order in which the search tries moves, and what it learns for it.

A move in the table goes before all, then jumps, then two killers a ply, then the answer to the
move before, then the history: of moves that refuted, less those that did not.
"""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import ZERO, Numbers, Word, Words, popcount, signed
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import MOVE, TAKEN
from kingme.engine.kernels.tables import (
    COUNTERS,
    HISTORY,
    KILLERS,
    LENGTH,
    LINES,
    PLAYED,
    PLIES,
    hint_of,
)

CREDIT, CREDIT_MOST = 16, 4_000
"""What a move that refutes is credited, by the square of the depth, and at most."""

HISTORY_MOST = 16_384
"""No history value is larger."""


@kernel("void(uint64, int64, int64, int64, CPointer(uint64), CPointer(int64))")
def order(hint: Word, ply: int, moves: int, n: int, mem: Words, ctl: Numbers) -> None:
    """Put the order value of each move of a list in its top bits."""
    first = ctl[KILLERS + 2 * ply]
    second = ctl[KILLERS + 2 * ply + 1]
    counter = ctl[COUNTERS + ctl[PLAYED + ply]]
    for i in range(moves, moves + n):
        move = mem[i] & MOVE
        squares = signed(move >> 36)
        if hint != ZERO and hint_of(move) == hint:
            value = 60_000
        elif move & TAKEN:
            value = 50_000 + 500 * popcount(move & TAKEN)
        elif squares == first:
            value = 42_000
        elif squares == second:
            value = 41_000
        elif squares == counter:
            value = 40_000
        else:
            value = 20_000 + ctl[HISTORY + squares]
        mem[i] = move | (np.uint64(value) << 48)


@kernel("uint64(int64, int64, CPointer(uint64))")
def pick(i: int, end: int, mem: Words) -> Word:
    """Bring the best move from ``i`` on to ``i`` and return it without its order value."""
    best = i
    for j in range(i + 1, end):
        if mem[j] > mem[best]:
            best = j
    word = mem[best]
    mem[best] = mem[i]
    mem[i] = word
    return word & MOVE


@kernel("void(uint64, int64, CPointer(uint64), CPointer(int64))")
def extend_line(move: Word, ply: int, mem: Words, ctl: Numbers) -> None:
    """Make a move and the line behind it the line of ``ply``."""
    row = LINES + ply * PLIES
    mem[row + ply] = move
    end = max(ctl[LENGTH + ply + 1], ply + 1)
    for i in range(ply + 1, end):
        mem[row + i] = mem[row + PLIES + i]
    ctl[LENGTH + ply] = end


@kernel("void(uint64, int64, int64, int64, int64, CPointer(uint64), CPointer(int64))")
def credit(
    move: Word, depth: int, ply: int, moves: int, tried: int, mem: Words, ctl: Numbers
) -> None:
    """Remember a move without captures that refuted the one before it, and those that did not.

    The ``tried`` moves before it in the list lose half of what it gains.
    """
    squares = signed(move >> 36)
    if ctl[KILLERS + 2 * ply] != squares:
        ctl[KILLERS + 2 * ply + 1] = ctl[KILLERS + 2 * ply]
        ctl[KILLERS + 2 * ply] = squares
    ctl[COUNTERS + ctl[PLAYED + ply]] = squares
    gain = min(CREDIT * depth * depth, CREDIT_MOST)
    at = HISTORY + squares
    ctl[at] += gain - ctl[at] * gain // HISTORY_MOST
    gain //= 2
    for i in range(moves, moves + tried):
        at = HISTORY + signed((mem[i] & MOVE) >> 36)
        ctl[at] -= gain + ctl[at] * gain // HISTORY_MOST
