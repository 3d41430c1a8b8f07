"""The leaves of the search: what is known of them exactly, and the playing out of jumps."""

from __future__ import annotations

from kingme.engine.kernels.bits import BOARD, BOTTOM, TOP, ZERO, Numbers, Word, Words, load
from kingme.engine.kernels.evaluate import evaluate
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import (
    TAKEN,
    WIDTH,
    end_of,
    jumpers,
    jumps,
    kings_after,
    quiets,
    start_of,
)
from kingme.engine.kernels.probe import probe_endgame
from kingme.engine.kernels.tables import (
    ENDGAMES,
    INFINITY,
    NODE_LIMIT,
    NODES,
    PLIES,
    QUIET,
    QUIET_LIMIT,
    RESETS,
    SAME,
    STOP,
    WEIGHTS,
    WIN,
)

LIKELY = 25_000
"""What a solved win scores, less the plies to it, where the no-progress rule might come first."""


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


@kernel("int64(uint64, uint64, uint64, int64, int64, CPointer(int64))")
def solved(own: Word, opp: Word, kings: Word, black: int, ply: int, ctl: Numbers) -> int:
    """Return the exact score of a position from the endgame database, or ``INFINITY``."""
    tables = ctl[ENDGAMES]
    if tables == 0:
        return INFINITY
    score = probe_endgame(own, opp, kings, black, tables)
    if score in (0, INFINITY):
        return score
    plies = WIN - abs(score)
    limit = ctl[QUIET_LIMIT]
    worth = WIN if limit == 0 or ctl[QUIET + ply] + plies <= limit else LIKELY
    worth -= plies + ply
    return worth if score > 0 else -worth


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
            known = solved(own, opp, kings, black, ply, ctl)
            if known != INFINITY:
                return known
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
        follow(kings, move, black, ply, ctl)
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
