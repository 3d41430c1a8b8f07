"""The search: principal variation search with a table, and a resolution of jumps at its leaves.

Scores are in hundredths of a man for the side to move; a win scores ``WIN`` less the plies to
it. A position that occurred before on the way from the root is a draw at once, since whoever
likes the cycle could go round it again; one that occurred in the game before is a draw when it
occurs as often as the rule wants.
"""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import (
    BOARD,
    BOTTOM,
    TOP,
    ZERO,
    Numbers,
    Word,
    Words,
    load,
    numbers,
    popcount,
    signed,
    words,
)
from kingme.engine.kernels.evaluate import evaluate
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import (
    MOVE,
    TAKEN,
    WIDTH,
    end_of,
    generate,
    jumpers,
    jumps,
    kings_after,
    quiets,
    start_of,
)
from kingme.engine.kernels.tables import (
    AGE,
    COUNT,
    DEEPEST,
    DONE,
    EXACT,
    HINT,
    HISTORY,
    INFINITY,
    KEYS,
    KILLERS,
    LENGTH,
    LINES,
    LOW2,
    LOW8,
    LOW16,
    LOWER,
    MASK,
    MIX1,
    NODE_LIMIT,
    NODES,
    PLIES,
    QUIET,
    QUIET_LIMIT,
    REPEATS,
    RESETS,
    ROOT,
    ROOT_SCORES,
    SAME,
    SIGHT,
    STOP,
    UPPER,
    WEIGHTS,
    WIN,
    from_table,
    hint_of,
    key_of,
    probe,
    store,
    to_table,
)

NEAR_LIMIT = 24
"""Plies before the no-progress draw from which table entries are kept apart by the count."""


@kernel("boolean(CPointer(int64))")
def count_node(ctl: Numbers) -> bool:
    """Count a node; True where the search must end."""
    if load(ctl, STOP) != 0:
        return True
    ctl[NODES] += 1
    if ctl[NODES] >= ctl[NODE_LIMIT]:
        ctl[STOP] = 2
        return True
    return False


@kernel(
    "int64(uint64, uint64, uint64, int64, int64, int64, int64, int64,"
    " CPointer(uint64), CPointer(int64))"
)
def settle(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    alpha: int,
    beta: int,
    ply: int,
    sight: int,
    mem: Words,
    ctl: Numbers,
) -> int:
    """Value a leaf: play out every jump that is due, and never value a position before.

    A side that is threatened with a jump, but need not jump itself, moves once more while
    ``sight`` lasts.
    """
    if count_node(ctl):
        return 0
    empty = BOARD & ~(own | opp)
    crowned = own & kings
    down = own if black else crowned
    up = crowned if black else own
    moves = ply * WIDTH
    pieces = jumpers(down, up, opp, empty)
    if pieces:
        n = jumps(pieces, opp, empty, kings, black, 0, mem, moves)
    else:
        # From the other side's pieces: does one of them threaten to jump?
        theirs = opp & kings
        other_down = theirs if black else opp
        other_up = opp if black else theirs
        threat = sight > 0 and jumpers(other_down, other_up, own, empty) != ZERO
        if not threat and ((down << 4 | down << 5 | up >> 4 | up >> 5) & empty):
            return evaluate(own, opp, kings, black, ctl[WEIGHTS])
        sight -= 1
        n = quiets(down, up, empty, mem, moves)
        if n == 0:
            return ply - WIN
    if ply >= PLIES - 2:
        return evaluate(own, opp, kings, black, ctl[WEIGHTS])
    best = -INFINITY
    for i in range(moves, moves + n):
        move = mem[i]
        start = start_of(move)
        end = end_of(move)
        taken = move & TAKEN
        score = -settle(
            opp & ~taken,
            own ^ start ^ end,
            kings_after(kings, start, end, taken, black),
            1 - black,
            -beta,
            -alpha,
            ply + 1,
            sight,
            mem,
            ctl,
        )
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                if score >= beta:
                    break
    return best


@kernel("boolean(uint64, int64, CPointer(uint64), CPointer(int64))")
def repeated(key: Word, ply: int, mem: Words, ctl: Numbers) -> bool:
    """Tell whether the position at ``ply``, whose key is already kept, is a draw by repetition."""
    root = ctl[ROOT]
    here = KEYS + root + ply
    oldest = here - min(ctl[SAME + ply], root + ply)
    found = 0
    i = here - 4
    while i >= oldest:
        if mem[i] == key:
            if i >= KEYS + root:
                return True
            found += 1
            if found >= ctl[REPEATS]:
                return True
        i -= 2
    return False


@kernel("void(uint64, uint64, int64, int64, CPointer(int64))")
def follow(kings: Word, move: Word, black: int, ply: int, ctl: Numbers) -> None:
    """Carry the counters of progress over a move to the next ply."""
    taken = move & TAKEN
    man = start_of(move) & kings == ZERO
    if taken != ZERO or man:
        ctl[SAME + ply + 1] = 0
    else:
        ctl[SAME + ply + 1] = ctl[SAME + ply] + 1
    resets = ctl[RESETS]
    progress = (
        (taken != ZERO and resets & 1 != 0)
        or (man and resets & 2 != 0)
        or (man and resets & 4 != 0 and end_of(move) & (BOTTOM if black else TOP) != ZERO)
    )
    ctl[QUIET + ply + 1] = 0 if progress else ctl[QUIET + ply] + 1


@kernel("void(uint64, int64, int64, int64, CPointer(uint64), CPointer(int64))")
def order(hint: Word, ply: int, moves: int, n: int, mem: Words, ctl: Numbers) -> None:
    """Put the order value of each move of a list in its top bits."""
    first = ctl[KILLERS + 2 * ply]
    second = ctl[KILLERS + 2 * ply + 1]
    for i in range(moves, moves + n):
        move = mem[i] & MOVE
        squares = signed(move >> 36)
        if hint != ZERO and hint_of(move) == hint:
            value = 60_000
        elif move & TAKEN:
            value = 30_000 + 1_000 * popcount(move & TAKEN)
        elif squares == first:
            value = 21_000
        elif squares == second:
            value = 20_000
        else:
            value = min(ctl[HISTORY + squares], 19_000)
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


@kernel("void(uint64, int64, int64, CPointer(int64))")
def credit(move: Word, depth: int, ply: int, ctl: Numbers) -> None:
    """Remember a move without captures that refuted the one before it."""
    squares = signed(move >> 36)
    if ctl[KILLERS + 2 * ply] != squares:
        ctl[KILLERS + 2 * ply + 1] = ctl[KILLERS + 2 * ply]
        ctl[KILLERS + 2 * ply] = squares
    ctl[HISTORY + squares] += depth * depth
    if ctl[HISTORY + squares] > 19_000:
        for i in range(HISTORY, HISTORY + 4096):
            ctl[i] >>= 1


@kernel(
    "int64(uint64, uint64, uint64, int64, int64, int64, int64, int64,"
    " CPointer(uint64), CPointer(int64), CPointer(uint64))"
)
def search(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    alpha: int,
    beta: int,
    depth: int,
    ply: int,
    mem: Words,
    ctl: Numbers,
    table: Words,
) -> int:
    """Search below the root and return the score; of no use once the stop flag is set."""
    if depth <= 0:
        ctl[LENGTH + ply] = ply
        return settle(own, opp, kings, black, alpha, beta, ply, ctl[SIGHT], mem, ctl)
    if count_node(ctl):
        return 0
    ctl[LENGTH + ply] = ply
    ctl[DEEPEST] = max(ctl[DEEPEST], ply)
    key = key_of(own, opp, kings, black)
    mem[KEYS + ctl[ROOT] + ply] = key
    if ctl[SAME + ply] >= 4 and repeated(key, ply, mem, ctl):
        return 0
    moves = ply * WIDTH
    n = generate(own, opp, kings, black, 0, mem, moves)
    if n == 0:
        return ply - WIN
    limit = ctl[QUIET_LIMIT]
    quiet = ctl[QUIET + ply]
    if limit > 0:
        if quiet >= limit:
            return 0
        if quiet + NEAR_LIMIT >= limit:
            key ^= np.uint64(quiet) * MIX1
    if ply >= PLIES - 2:
        return evaluate(own, opp, kings, black, ctl[WEIGHTS])
    alpha = max(alpha, ply - WIN)
    beta = min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha

    narrow = beta - alpha == 1
    data = probe(table, ctl[MASK], key)
    hint = (data >> 32) & HINT
    if data != ZERO and narrow and signed((data >> 16) & LOW8) >= depth:
        score = from_table(signed(data & LOW16) - 32768, ply)
        bound = signed((data >> 24) & LOW2)
        if (
            bound == EXACT
            or (bound == LOWER and score >= beta)
            or (bound == UPPER and score <= alpha)
        ):
            return score

    jump = mem[moves] & TAKEN != ZERO
    if n > 1:
        order(hint, ply, moves, n, mem, ctl)
    further = depth if n == 1 and jump else depth - 1
    before = alpha
    best = -INFINITY
    best_move = ZERO
    for i in range(n):
        move = pick(moves + i, moves + n, mem)
        start = start_of(move)
        end = end_of(move)
        taken = move & TAKEN
        left = opp & ~taken
        moved = own ^ start ^ end
        crowned = kings_after(kings, start, end, taken, black)
        follow(kings, move, black, ply, ctl)
        if i == 0:
            score = -search(
                left, moved, crowned, 1 - black, -beta, -alpha, further, ply + 1, mem, ctl, table
            )
        else:
            less = 0
            if depth >= 3 and i >= 3 and not jump and crowned & ~kings == ZERO:
                less = 2 if i >= 8 and depth >= 6 and narrow else 1
            score = -search(
                left, moved, crowned, 1 - black, -alpha - 1, -alpha, further - less, ply + 1,
                mem, ctl, table,
            )  # fmt: skip
            if score > alpha and (less > 0 or score < beta):
                score = -search(
                    left, moved, crowned, 1 - black, -beta, -alpha, further, ply + 1,
                    mem, ctl, table,
                )  # fmt: skip
        if load(ctl, STOP) != 0:
            return 0
        if score > best:
            best = score
            best_move = move
            if score > alpha:
                alpha = score
                if not narrow:
                    extend_line(move, ply, mem, ctl)
                if score >= beta:
                    if not jump:
                        credit(move, depth, ply, ctl)
                    break
    bound = EXACT
    if best <= before:
        bound = UPPER
    elif best >= beta:
        bound = LOWER
    store(table, ctl[MASK], ctl[AGE], key, to_table(best, ply), depth, bound, hint_of(best_move))
    return best


@kernel("int64(uint64, uint64, uint64, int64, uint64[::1], int64[::1])")
def prepare(own: Word, opp: Word, kings: Word, black: int, memory: Words, control: Numbers) -> int:
    """Write the root's moves, return how many, and forget killers and half of the history."""
    mem = words(memory)
    ctl = numbers(control)
    n = generate(own, opp, kings, black, 0, mem, 0)
    mem[KEYS + ctl[ROOT]] = key_of(own, opp, kings, black)
    ctl[COUNT] = n
    ctl[NODES] = 0
    ctl[DONE] = 0
    ctl[DEEPEST] = 0
    ctl[LENGTH] = 0
    for i in range(KILLERS, HISTORY):
        ctl[i] = -1
    for i in range(HISTORY, HISTORY + 4096):
        ctl[i] >>= 1
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

    A move that is proved better than those before comes to the front of the list, so that the
    first move is the choice even where the search was stopped, or where every move fell below
    ``alpha``; ``ctl[DONE]`` says how many were searched.
    Where ``every`` is set each move gets its own exact score, at the same index from
    ``ROOT_SCORES`` on, and the order stays.
    """
    mem = words(memory)
    ctl = numbers(control)
    table = words(entries)
    ctl[DONE] = 0
    n = ctl[COUNT]
    best = -INFINITY
    for i in range(n):
        move = mem[i] & MOVE
        start = start_of(move)
        end = end_of(move)
        taken = move & TAKEN
        left = opp & ~taken
        moved = own ^ start ^ end
        crowned = kings_after(kings, start, end, taken, black)
        follow(kings, move, black, 0, ctl)
        if i == 0 or every:
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
        if i == 0 or score > alpha:
            extend_line(move, 0, mem, ctl)
            if not every:
                for j in range(i, 0, -1):
                    mem[j] = mem[j - 1]
                mem[0] = move
        if score > alpha:
            alpha = score
            if score >= beta and not every:
                break
    return best
