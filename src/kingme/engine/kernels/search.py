"""The search: principal variation search with a table, and a resolution of jumps at its leaves.

Where the first move of a node is the best, the others are only proved worse, in windows of no
width; the less so the later they come (`REDUCTIONS`). In such windows some nodes are not searched
to their depth at all: those far beyond the window by their value, near the leaves, and those
that a shallower search finds beyond it by a margin (Buro's ProbCut). None of that is done where a
jump is due. What is kept: a killer pair a ply, an answer to each move, and a history of moves
that refuted, less those that did not; a move in the table goes before all.

Scores are in hundredths of a man for the side to move; a win scores ``WIN`` less the plies to
it. A position that occurred before on the way from the root is a draw at once, since whoever
likes the cycle could go round it again; one that occurred in the game before is a draw when it
occurs as often as the rule wants.
"""

from __future__ import annotations

import math

import numpy as np

from kingme.engine.kernels.bits import BOARD, ZERO, Numbers, Word, Words, load, signed
from kingme.engine.kernels.evaluate import evaluate
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.leaves import count_node, follow, settle, solved
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
from kingme.engine.kernels.order import credit, extend_line, order, pick
from kingme.engine.kernels.tables import (
    AGE,
    DECIDED,
    DEEPEST,
    EXACT,
    FIRM,
    HINT,
    HISTORY,
    INFINITY,
    KEYS,
    LENGTH,
    LOW2,
    LOW8,
    LOW16,
    LOWER,
    MASK,
    MIX1,
    PLAYED,
    PLIES,
    QUIET,
    QUIET_LIMIT,
    REPEATS,
    ROOT,
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

BEYOND_DEPTH, BEYOND = 3, 60
"""Depth to which a node is left that is this much a ply above its window, and no jump looms."""

BELOW_DEPTH, BELOW = 2, 100
"""Depth to which a node this much a ply below its window is only settled."""

CUT_DEPTH, CUT_LESS, CUT_MARGIN = 5, 4, 10
"""From which depth on a search that many plies shallower decides a node, by what margin."""

TRANSPOSED_DEPTH, TRANSPOSED_SAME = 4, 4
"""From which depth on the table is asked about every move at once, and how many plies may have
passed without an irreversible move: later, what the table says may be a repetition here."""

REDUCED_DEPTH, REDUCED_FROM = 3, 3
"""Depth and number of a move from which on it is searched less deep at first."""

REDUCED_LESS = 6_000
"""History for which a move is searched a ply deeper again, or less deep where it is negative."""

REDUCTIONS = np.array(
    [
        int(0.5 + math.log(max(depth, 1)) * math.log(number + 1) / 2)
        for depth in range(64)
        for number in range(64)
    ],
    np.int8,
)
"""By how many plies, at ``64 * depth + number``."""


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


@kernel("boolean(uint64, uint64, uint64, int64)")
def must_jump(own: Word, opp: Word, kings: Word, black: int) -> bool:
    """Tell whether the side to move has a jump."""
    crowned = own & kings
    down = own if black else crowned
    up = crowned if black else own
    return jumpers(down, up, opp, BOARD & ~(own | opp)) != ZERO


@kernel("boolean(uint64, int64, int64, int64, int64)")
def refuted(data: Word, score: int, alpha: int, beta: int, depth: int) -> bool:
    """Tell whether a table's entry, with its score seen from here, decides a window."""
    if data == ZERO or signed((data >> 16) & LOW8) < depth:
        return False
    bound = signed((data >> 24) & LOW2)
    return (
        bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha)
    )


@kernel(
    "int64(uint64, uint64, uint64, int64, int64, int64, int64, int64, int64,"
    " CPointer(uint64), CPointer(int64), CPointer(uint64))"
)
def transposed(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    beta: int,
    depth: int,
    ply: int,
    moves: int,
    n: int,
    mem: Words,
    ctl: Numbers,
    table: Words,
) -> int:
    """Return a score of at least ``beta`` that the table has for a move, or ``-INFINITY``."""
    for i in range(moves, moves + n):
        move = mem[i] & MOVE
        start = start_of(move)
        end = end_of(move)
        taken = move & TAKEN
        crowned = kings_after(kings, start, end, taken, black)
        key = key_of(opp & ~taken, own ^ start ^ end, crowned, 1 - black)
        data = probe(table, ctl[MASK], key)
        score = from_table(signed(data & LOW16) - 32768, ply + 1)
        if score <= -beta and refuted(data, score, -beta, 1 - beta, depth - 1):
            return -score
    return -INFINITY


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
    limit = ctl[QUIET_LIMIT]
    quiet = ctl[QUIET + ply]
    moves = ply * WIDTH
    near = limit > 0 and quiet + NEAR_LIMIT >= limit
    if near:
        if quiet >= limit:
            # Who cannot move has lost before the rule draws the game.
            return ply - WIN if generate(own, opp, kings, black, 0, mem, moves) == 0 else 0
        key ^= np.uint64(quiet) * MIX1
    if ply >= PLIES - 2:
        return evaluate(own, opp, kings, black, ctl[WEIGHTS])
    known = solved(own, opp, kings, black, ply, ctl)
    if known == 0 or FIRM <= abs(known) <= WIN:
        return known
    alpha = max(alpha, ply - WIN)
    beta = min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha

    narrow = beta - alpha == 1
    data = probe(table, ctl[MASK], key)
    hint = (data >> 32) & HINT
    score = from_table(signed(data & LOW16) - 32768, ply)
    if narrow and refuted(data, score, alpha, beta, depth):
        return score

    empty = BOARD & ~(own | opp)
    crowned = own & kings
    down = own if black else crowned
    up = crowned if black else own
    pieces = jumpers(down, up, opp, empty)
    jump = pieces != ZERO
    if narrow and not jump and beta < DECIDED and alpha > -DECIDED:
        value = evaluate(own, opp, kings, black, ctl[WEIGHTS])
        if depth <= BEYOND_DEPTH and not must_jump(opp, own, kings, 1 - black):
            if value - BEYOND * depth >= beta:
                return value
            if depth <= BELOW_DEPTH and value + BELOW * depth <= alpha:
                found = settle(own, opp, kings, black, alpha, beta, ply, ctl[SIGHT], mem, ctl)
                if found <= alpha:
                    return found
        if depth >= CUT_DEPTH:
            shallow = depth - CUT_LESS
            high = beta + CUT_MARGIN
            low = alpha - CUT_MARGIN
            if value >= beta and not refuted(data, score, high - 1, INFINITY, shallow):
                found = search(
                    own, opp, kings, black, high - 1, high, shallow, ply, mem, ctl, table
                )
                if load(ctl, STOP) != 0:
                    return 0
                if found >= high:
                    return beta
            if value <= alpha and not refuted(data, score, -INFINITY, low + 1, shallow):
                found = search(own, opp, kings, black, low, low + 1, shallow, ply, mem, ctl, table)
                if load(ctl, STOP) != 0:
                    return 0
                if found <= low:
                    return alpha

    if jump:
        n = jumps(pieces, opp, empty, kings, black, 0, mem, moves)
    else:
        n = quiets(down, up, empty, mem, moves)
        if n == 0:
            return ply - WIN
    if narrow and depth >= TRANSPOSED_DEPTH and ctl[SAME + ply] < TRANSPOSED_SAME and not near:
        found = transposed(own, opp, kings, black, beta, depth, ply, moves, n, mem, ctl, table)
        if found >= beta:
            return found
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
        ctl[PLAYED + ply + 1] = signed(move >> 36)
        if i == 0:
            score = -search(
                left, moved, crowned, 1 - black, -beta, -alpha, further, ply + 1, mem, ctl, table
            )
        else:
            less = 0
            crowns = crowned & ~kings != ZERO
            if depth >= REDUCED_DEPTH and i >= REDUCED_FROM and not (jump or crowns):
                less = signed(REDUCTIONS[64 * min(depth, 63) + min(i, 63)])
                less -= ctl[HISTORY + signed(move >> 36)] // REDUCED_LESS
                less = max(0, min(less if narrow else less - 1, depth - 2))
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
                        credit(move, depth, ply, moves, i, mem, ctl)
                    break
    bound = EXACT
    if best <= before:
        bound = UPPER
    elif best >= beta:
        bound = LOWER
    store(table, ctl[MASK], ctl[AGE], key, to_table(best, ply), depth, bound, hint_of(best_move))
    return best
