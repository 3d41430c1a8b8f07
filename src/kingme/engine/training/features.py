"""What the evaluation counts in a position, weight by weight, as fitting needs it.

The twin of `kernels.evaluate.evaluate`: the same helpers name the weights, and a test proves
that the weights times these counts are its value.
"""

from __future__ import annotations

from kingme.engine.kernels.bits import BOARD, ONE, ZERO, Numbers, Word, lowest, popcount, signed
from kingme.engine.kernels.evaluate import (
    CHASE,
    KING,
    KING_STEPS,
    KINGS,
    MAN,
    NEXT,
    OPPOSITION,
    PASSED,
    ROW1,
    ROW6,
    SAFE,
    SQUARES,
    STEPS,
    TRAPPED,
    TURN,
    chasing,
    opposition,
    passed_black,
    passed_white,
    row_of,
    safe_black,
    safe_white,
    shut_in,
)
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import steps
from kingme.engine.kernels.patterns import LANE, PAIR, STATES, two_rows, whole

__all__ = ["ROOM", "features"]

ROOM = 80
"""Counts that a position can have."""


@kernel("void(uint64, uint64, int64[::1])")
def pattern_ids(black: Word, white: Word, ids: Numbers) -> None:
    """Write the weights of the sixteen regions."""
    top = two_rows(black, white)
    upper = two_rows(black >> 9, white >> 9)
    lower = two_rows(black >> 18, white >> 18)
    bottom = two_rows(black >> 27, white >> 27)
    for lane in range(4):
        shift = 16 * lane
        ids[lane] = signed(((top * PAIR + upper) >> shift) & LANE)
        ids[4 + lane] = signed(((upper * PAIR + lower) >> shift) & LANE)
        ids[8 + lane] = signed(((lower * PAIR + bottom) >> shift) & LANE)
    ids[12] = whole(top)
    ids[13] = whole(upper)
    ids[14] = whole(lower)
    ids[15] = whole(bottom)
    for region in range(16):
        ids[region] += region * STATES


@kernel("int64(int64, int64, int64, int64[::1], int64[::1])")
def put(index: int, times: int, n: int, ids: Numbers, counts: Numbers) -> int:
    """Write one count, unless it is 0; return the length."""
    if times == 0:
        return n
    ids[n] = index
    counts[n] = times
    return n + 1


@kernel("int64(uint64, uint64, uint64, int64, int64[::1], int64[::1])")
def king_features(
    dark: Word, light: Word, empty: Word, n: int, ids: Numbers, counts: Numbers
) -> int:
    """Write what counts for kings alone; return the length."""
    darks = popcount(dark)
    lights = popcount(light)
    n = put(KING, darks - lights, n, ids, counts)
    n = put(KINGS + 4 * min(darks, 3) + min(lights, 3), 1, n, ids, counts)
    n = put(KING_STEPS, steps(dark, dark, empty) - steps(light, light, empty), n, ids, counts)
    n = put(TRAPPED, shut_in(dark, empty) - shut_in(light, empty), n, ids, counts)
    while dark:
        n = put(SQUARES + lowest(dark), 1, n, ids, counts)
        dark &= dark - ONE
    while light:
        n = put(SQUARES + 34 - lowest(light), -1, n, ids, counts)
        light &= light - ONE
    return n


@kernel("int64(uint64, uint64, int64, int64[::1], int64[::1])")
def passed_features(dark: Word, light: Word, n: int, ids: Numbers, counts: Numbers) -> int:
    """Write the men that nobody can stop; return the length."""
    while dark:
        n = put(PASSED + row_of(lowest(dark)), 1, n, ids, counts)
        dark &= dark - ONE
    while light:
        n = put(PASSED + 7 - row_of(lowest(light)), -1, n, ids, counts)
        light &= light - ONE
    return n


@kernel("int64(uint64, uint64, uint64, int64, int64[::1], int64[::1])")
def features(
    dark: Word, light: Word, kings: Word, black: int, ids: Numbers, counts: Numbers
) -> int:
    """Write which weights count for Black, and how many times; return how many there are.

    Both arrays have room for ``ROOM``.
    """
    empty = BOARD & ~(dark | light)
    dark_kings = dark & kings
    light_kings = light & kings
    dark_men = dark ^ dark_kings
    light_men = light ^ light_kings
    pattern_ids(dark_men, light_men, ids)
    counts[:16] = 1
    n = put(MAN, popcount(dark_men) - popcount(light_men), 16, ids, counts)
    mobile = steps(dark_men, ZERO, empty) - steps(ZERO, light_men, empty)
    n = put(STEPS, mobile, n, ids, counts)
    n = put(SAFE + safe_black(dark_men, light, light_kings, empty), 1, n, ids, counts)
    n = put(SAFE + safe_white(light_men, dark, dark_kings, empty), -1, n, ids, counts)
    n = passed_features(
        passed_black(dark_men, light), passed_white(light_men, dark), n, ids, counts
    )
    crowning = popcount(((dark_men & ROW6) << 4 | (dark_men & ROW6) << 5) & empty)
    crowning -= popcount(((light_men & ROW1) >> 4 | (light_men & ROW1) >> 5) & empty)
    n = put(NEXT, crowning, n, ids, counts)
    if dark_kings | light_kings:
        n = king_features(dark_kings, light_kings, empty, n, ids, counts)
        n = put(CHASE, chasing(dark, light, dark_kings, light_kings, empty), n, ids, counts)
    turn = 1 if black else -1
    n = put(TURN, turn, n, ids, counts)
    own = dark if black else light
    opp = light if black else dark
    move = opposition(own, opp, kings, black)
    if move > 0:
        n = put(OPPOSITION + move, turn, n, ids, counts)
    elif move < 0:
        n = put(OPPOSITION - move, -turn, n, ids, counts)
    return n
