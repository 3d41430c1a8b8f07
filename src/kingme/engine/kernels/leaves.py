"""The leaves of the search: what is known of them exactly, and the playing out of jumps."""

from __future__ import annotations

from kingme.engine.kernels.bits import (
    BOARD,
    BOTTOM,
    TOP,
    ZERO,
    Numbers,
    Word,
    Words,
    load,
    popcount,
    read64,
    turned,
)
from kingme.engine.kernels.evaluate import evaluate
from kingme.engine.kernels.index import index_of
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
from kingme.engine.kernels.packed import DRAW, LOSS, PIECES, record_of, stored
from kingme.engine.kernels.probe import probe_endgame
from kingme.engine.kernels.tables import (
    ENDGAMES,
    INFINITY,
    KNOWN,
    LIKELY,
    NODE_LIMIT,
    NODES,
    PACKS,
    PLIES,
    PRESENT,
    QUIET,
    QUIET_LIMIT,
    RESETS,
    SAME,
    STOP,
    UNTOLD,
    WEIGHTS,
    WIN,
)

KEPT, LEANING = 400, 240
"""How much less a win by packed values scores where no piece has been taken since the root, and how
much of that, at most, the evaluation gives back or takes besides: so a search that begins in such a
win makes headway in it, instead of shuffling about."""


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
def said(own: Word, opp: Word, kings: Word, black: int, ply: int, ctl: Numbers) -> int:
    """Return the score of a position by packed values, or ``INFINITY``; there are some.

    A win is ``KNOWN`` less the plies from the root, or ``UNTOLD`` where a draw rule may come first;
    less, by `KEPT` and `LEANING`, with as many pieces as at the root.
    """
    packs = ctl[PACKS]
    count = popcount(own | opp)
    if count > read64(packs, PIECES):
        return INFINITY
    mine, theirs, crowned = own, opp, kings
    if not black:
        mine, theirs, crowned = turned(own), turned(opp), turned(kings)
    empty = BOARD & ~(mine | theirs)
    up = mine & crowned
    if jumpers(mine, up, theirs, empty) != ZERO:
        return INFINITY
    if (mine << 4 | mine << 5 | up >> 4 | up >> 5) & empty == ZERO:
        return ply - WIN
    record = record_of(mine, theirs, crowned, packs)
    if record == 0:
        return INFINITY
    value = stored(packs, record, index_of(mine, theirs, crowned))
    if value == DRAW:
        return 0
    sign = -1 if value == LOSS else 1
    worth = KNOWN if ctl[QUIET_LIMIT] == 0 else UNTOLD
    if count < ctl[PRESENT]:
        worth -= ply
    else:
        leaning = sign * evaluate(own, opp, kings, black, ctl[WEIGHTS]) // 4
        worth += max(-LEANING, min(LEANING, leaning)) - KEPT
    return sign * worth


@kernel("int64(uint64, uint64, uint64, int64, int64, CPointer(int64))")
def solved(own: Word, opp: Word, kings: Word, black: int, ply: int, ctl: Numbers) -> int:
    """Return the score of a position from the endgame databases, or ``INFINITY``."""
    tables = ctl[ENDGAMES]
    if tables == 0:
        return INFINITY
    score = probe_endgame(own, opp, kings, black, tables)
    if score == INFINITY and ctl[PACKS] != 0:
        return said(own, opp, kings, black, ply, ctl)
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
