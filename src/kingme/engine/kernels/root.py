"""The root of the search: its list of moves, and one depth after the other."""

from __future__ import annotations

from kingme.engine.kernels.bits import (
    Numbers,
    Word,
    Words,
    load,
    numbers,
    popcount,
    signed,
    words,
)
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.leaves import follow
from kingme.engine.kernels.movegen import MOVE, TAKEN, end_of, generate, kings_after, start_of
from kingme.engine.kernels.order import extend_line
from kingme.engine.kernels.search import search
from kingme.engine.kernels.tables import (
    BOUND,
    COUNT,
    COUNTERS,
    CTL_SIZE,
    DECIDED,
    DEEPEST,
    DONE,
    HISTORY,
    INFINITY,
    KEYS,
    KILLERS,
    LENGTH,
    LOWER,
    NODES,
    PLAYED,
    PRESENT,
    ROOT,
    ROOT_SCORES,
    SKIP,
    STOP,
    key_of,
)

MARGIN = 24
"""Half the width of the first window around the last score, in hundredths of a man."""

WIDEST = 400
"""Half the width of a window that is opened altogether when it proves too narrow."""


@kernel("int64(uint64, uint64, uint64, int64, uint64[::1], int64[::1])")
def prepare(own: Word, opp: Word, kings: Word, black: int, memory: Words, control: Numbers) -> int:
    """Write the root's moves, return how many, and forget killers and half of the history."""
    mem = words(memory)
    ctl = numbers(control)
    n = generate(own, opp, kings, black, 0, mem, 0)
    mem[KEYS + ctl[ROOT]] = key_of(own, opp, kings, black)
    ctl[COUNT] = n
    ctl[PRESENT] = popcount(own | opp)
    ctl[NODES] = 0
    ctl[DONE] = 0
    ctl[DEEPEST] = 0
    ctl[LENGTH] = 0
    ctl[SKIP] = 0
    ctl[BOUND] = 0
    for i in range(KILLERS, HISTORY):
        ctl[i] = -1
    for i in range(HISTORY, COUNTERS):
        ctl[i] //= 2
    for i in range(PLAYED, CTL_SIZE):
        ctl[i] = 0
    return n


@kernel(
    "int64(uint64, uint64, uint64, int64, int64, int64, int64, int64,"
    " uint64[::1], int64[::1], uint64[::1])"
)
def root(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    alpha: int,
    beta: int,
    depth: int,
    every: int,
    memory: Words,
    control: Numbers,
    entries: Words,
) -> int:
    """Search the root's moves to ``depth`` and return the best score.

    The first ``ctl[SKIP]`` moves of the list are left out: they head lines found before. Of the
    others a move that is proved better than those before comes to the front, so that the first
    of them is the choice even where the search was stopped, or where every move fell below
    ``alpha``; ``ctl[DONE]`` says how many were searched.
    Where ``every`` is set each move gets its own exact score, at the same index from
    ``ROOT_SCORES`` on, and the order stays.
    """
    mem = words(memory)
    ctl = numbers(control)
    table = words(entries)
    ctl[DONE] = 0
    n = ctl[COUNT]
    skip = ctl[SKIP]
    best = -INFINITY
    for i in range(skip, n):
        move = mem[i] & MOVE
        start = start_of(move)
        end = end_of(move)
        taken = move & TAKEN
        left = opp & ~taken
        moved = own ^ start ^ end
        crowned = kings_after(kings, start, end, taken, black)
        follow(kings, move, black, 0, ctl)
        ctl[PLAYED + 1] = signed(move >> 36)
        if i == skip or every:
            low = -INFINITY if every else alpha
            score = -search(
                left, moved, crowned, 1 - black, -beta, -low, depth - 1, 1, mem, ctl, table
            )
        else:
            score = -search(
                left, moved, crowned, 1 - black, -alpha - 1, -alpha, depth - 1, 1, mem, ctl, table
            )
            if alpha < score < beta and load(ctl, STOP) == 0:
                score = -search(
                    left, moved, crowned, 1 - black, -beta, -alpha, depth - 1, 1, mem, ctl, table
                )
        if load(ctl, STOP) != 0:
            break
        ctl[DONE] = i + 1
        ctl[ROOT_SCORES + i] = score
        best = max(best, score)
        if i == skip or score > alpha:
            extend_line(move, 0, mem, ctl)
            if not every:
                for j in range(i, skip, -1):
                    mem[j] = mem[j - 1]
                mem[skip] = move
        if score > alpha:
            alpha = score
            if score >= beta and not every:
                break
    return best


@kernel("int64(uint64, uint64, uint64, int64, int64, int64, uint64[::1], int64[::1], uint64[::1])")
def deepen(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    depth: int,
    last: int,
    memory: Words,
    control: Numbers,
    entries: Words,
) -> int:
    """Search the root to ``depth``, first in a narrow window around the score of the depth before.

    Returns the score; where the search was stopped that may be a bound, which ``ctl[BOUND]``
    tells, or merely ``last``.
    """
    margin = MARGIN
    low = -INFINITY
    high = INFINITY
    if depth >= 5 and abs(last) < DECIDED:
        low = last - margin
        high = last + margin
    control[BOUND] = 0
    while True:
        score = root(own, opp, kings, black, low, high, depth, 0, memory, control, entries)
        if load(numbers(control), STOP) != 0:
            if control[DONE] == 0 or score <= low:
                return last
            if score >= high:
                control[BOUND] = LOWER
            return score
        margin *= 4
        if score <= low:
            low = last - margin if margin < WIDEST else -INFINITY
        elif score >= high:
            high = last + margin if margin < WIDEST else INFINITY
        else:
            return score
