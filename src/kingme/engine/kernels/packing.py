"""Packing a slice: its codes made into runs and bits (values), or into bytes that pack well.

The form is described in `packed`, the codes in `probe`. Positions where a jump is due are not
stored, so whatever makes the longest run may be written there.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kingme.engine.kernels.bits import BOARD, ZERO, Numbers, Octets, Word, read8
from kingme.engine.kernels.index import next_position, position_of
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import jumpers
from kingme.engine.kernels.packed import BLOCK, ENDING, EXACT, KINDS, WIN

Tokens: TypeAlias = npt.NDArray[np.uint32]
Counts: TypeAlias = npt.NDArray[np.uint16]

BEGINNING = 3
"""Stands for the value before, at the start of a block."""

SHIFT = 8
"""A token is a symbol and, from this bit on, the lower bits of a long run."""


@kernel("boolean(uint64, uint64, uint64)")
def jump_due(own: Word, opp: Word, kings: Word) -> bool:
    """Tell whether Black, to move, must capture."""
    return jumpers(own, own & kings, opp, BOARD & ~(own | opp)) != ZERO


@kernel("int64(int64)")
def extra(kind: int) -> int:
    """Return how many lower bits of its length a kind of run is followed by."""
    if kind < EXACT or kind == ENDING:
        return 0
    return kind - EXACT + 4


@kernel("int64(int64, int64)")
def token(value: int, run: int) -> int:
    """Return the token of a run that ends within its block."""
    if run <= EXACT:
        return value * KINDS + run - 1
    size = 4
    while run >> (size + 1):
        size += 1
    return (value * KINDS + EXACT + size - 4) | (run - (1 << size)) << SHIFT


@kernel("int64(int64, int64, int64, int64, int64, int64, int64, uint32[::1], uint16[::1])")
def runs(
    codes: int, a: int, b: int, c: int, d: int, low: int, high: int, tokens: Tokens, counts: Counts
) -> int:
    """Write the tokens of the numbers from ``low``, where a block begins, to ``high``.

    ``codes`` is the address of the codes of the slice, from number 0 on; ``counts`` receives the
    number of tokens of each block, none where a jump is due everywhere. Returns how many tokens
    there are, at most one a position.
    """
    if low >= high:
        return 0
    own, opp, kings = position_of(low, a, b, c, d)
    n = 0
    for start in range(low, high, BLOCK):
        end = min(start + BLOCK, high)
        before = n
        value = -1
        first = start
        for number in range(start, end):
            if not jump_due(own, opp, kings):
                code = read8(codes, number) & 0xFF
                now = 0 if code == 0 else WIN - (code & 1)
                if now != value:
                    if value >= 0:
                        tokens[n] = token(value, number - first)
                        n += 1
                        first = number
                    value = now
            own, opp, kings = next_position(own, opp, kings)
        if value >= 0:
            tokens[n] = value * KINDS + ENDING
            n += 1
        counts[(start - low) // BLOCK] = n - before
    return n


@kernel("void(uint32[::1], uint16[::1], int64, int64[:, ::1], int64[::1])")
def tally(tokens: Tokens, counts: Counts, default: int, uses: Numbers, alone: Numbers) -> None:
    """Count how often each symbol follows each value, but in blocks of the default value alone.

    ``alone`` receives the number of blocks of each value alone; ``default`` is -1 for none.
    """
    n = 0
    for block in range(counts.shape[0]):
        count = int(counts[block])
        if count == 1:
            value = int(tokens[n]) // KINDS
            alone[value] += 1
            if value == default:
                n += 1
                continue
        before = BEGINNING
        for _ in range(count):
            symbol = int(tokens[n]) & ((1 << SHIFT) - 1)
            uses[before, symbol] += 1
            before = symbol // KINDS
            n += 1


@kernel(
    "int64(uint32[::1], uint16[::1], int64, int64[:, ::1], int64[:, ::1], uint32[::1],"
    " uint16[::1], uint8[::1])"
)
def write(
    tokens: Tokens,
    counts: Counts,
    default: int,
    codes: Numbers,
    sizes: Numbers,
    groups: Tokens,
    lengths: Counts,
    out: Octets,
) -> int:
    """Write the bits of all blocks, and where they lie; return how many bits there are.

    ``codes`` and ``sizes`` are the prefix codes, lowest bit first, by value before and symbol.
    """
    n = 0
    at = 0
    held = 0
    full = 0
    for block in range(counts.shape[0]):
        if block & 15 == 0:
            groups[block >> 4] = at
        begun = at
        count = int(counts[block])
        if count == 1 and int(tokens[n]) // KINDS == default:
            n += 1
            count = 0
        before = BEGINNING
        for _ in range(count):
            word = int(tokens[n])
            n += 1
            symbol = word & ((1 << SHIFT) - 1)
            size = sizes[before, symbol]
            held |= (codes[before, symbol] | (word >> SHIFT) << size) << full
            before = symbol // KINDS
            size += extra(symbol - before * KINDS)
            full += size
            at += size
            while full >= 8:
                out[(at - full) >> 3] = held & 0xFF
                held >>= 8
                full -= 8
        lengths[block] = at - begun
    if full:
        out[at >> 3] = held
    return at


@kernel("int64(int64, int64, int64, int64, int64, int64, int64, uint8[::1])")
def halves(codes: int, a: int, b: int, c: int, d: int, low: int, high: int, out: Octets) -> int:
    """Write half the plies of each lost position from ``low`` to ``high`` without a jump due.

    All else takes over the byte before it. Returns how many are stored.
    """
    if low >= high:
        return 0
    own, opp, kings = position_of(low, a, b, c, d)
    found = 0
    last = 0
    for number in range(low, high):
        code = read8(codes, number) & 0xFF
        if code & 1 and not jump_due(own, opp, kings):
            last = code >> 1
            if found == 0:
                for i in range(number - low):
                    out[i] = last
            found += 1
        out[number - low] = last
        own, opp, kings = next_position(own, opp, kings)
    return found
