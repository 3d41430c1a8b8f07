"""Whether pieces can be won by force, whatever the other side plays: by exhaustive search.

Nothing is judged here but the number of pieces, and nothing is reduced or left out. One side, the
solver's, is to be ahead by a number of pieces, its ``goal``, within so many plies; a jump that is
due then is played out, without end. What is won must be *held*: the other side is to move, has no
jump, and whatever it plays there is an answer after which, with all jumps that are due played
out, the solver is still as far ahead. Only there does the search believe in a gain; a side
without a move has lost.

The table keeps what is proved of a position, and to which depth: proofs hold for all greater
depths and refutations for all smaller ones, so it changes nothing but the time.
"""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import (
    BOARD,
    ZERO,
    Numbers,
    Word,
    Words,
    numbers,
    popcount,
    signed,
    words,
)
from kingme.engine.kernels.board import scalars
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import (
    MOVE,
    TAKEN,
    WIDTH,
    end_of,
    generate,
    jumpers,
    kings_after,
    start_of,
    steps,
)
from kingme.engine.kernels.tables import key_of
from kingme.rules.position import Position
from kingme.rules.terms import Side

__all__ = ["DEEPEST", "Forcing", "lead_of"]

DEEPEST = 31
"""Plies of a proof, at most."""

HELD = 4
"""Plies for which a gain must hold after it is made."""

PLIES = 96
"""Lists of moves that there are: a proof, and the jumps that may come after it."""

ENTRIES = 1 << 18
"""Entries of the table, two words each: the key, and the best move with the two depths."""

PROVED, REFUTED = 48, 56
"""Bits from which on an entry has these depths, plus one; 0 where nothing is known."""

NODES, LIMIT, BROKEN = 0, 1, 2
"""Words of ``ctl``: positions looked at, how many at most, and whether they were used up."""


@kernel(
    "int64(uint64, uint64, uint64, int64, int64, int64, int64,"
    " CPointer(uint64), int64, CPointer(int64))"
)
def kept(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    mine: int,
    goal: int,
    plies: int,
    moves: Words,
    base: int,
    ctl: Numbers,
) -> int:
    """Return 1 where the solver is ahead after so many plies, and the jumps due then, else 0.

    ``mine`` is 1 where the solver is to move. Both sides choose among all their moves.
    """
    ctl[NODES] += 1
    empty = BOARD & ~(own | opp)
    down = own if black else own & kings
    up = own & kings if black else own
    if plies <= 0 and jumpers(down, up, opp, empty) == ZERO:
        if steps(down, up, empty) == 0:
            return 1 - mine
        lead = popcount(own) - popcount(opp)
        return 1 if (lead if mine else -lead) >= goal else 0
    n = generate(own, opp, kings, black, 0, moves, base)
    for i in range(base, base + n):
        move = moves[i]
        start, end, taken = start_of(move), end_of(move), move & TAKEN
        crowned = kings_after(kings, start, end, taken, black)
        found = kept(
            *(opp & ~taken, own ^ start ^ end, crowned, 1 - black, 1 - mine, goal, plies - 1),
            *(moves, base + WIDTH, ctl),
        )
        if found == mine:
            return found
    return 1 - mine


@kernel("int64(uint64, int64)")
def told(entry: Word, depth: int) -> int:
    """Return what an entry says of a depth: 1 proved, 0 refuted, -1 nothing."""
    proved = signed((entry >> PROVED) & np.uint64(255))
    if 0 < proved <= depth + 1:
        return 1
    return 0 if signed(entry >> REFUTED) > depth else -1


@kernel("void(uint64, CPointer(uint64), int64, int64)")
def advance(best: Word, moves: Words, base: int, n: int) -> None:
    """Put a move at the head of a list where it is in it."""
    for i in range(base, base + n):
        if moves[i] == best:
            moves[i] = moves[base]
            moves[base] = best


@kernel("uint64(uint64, uint64, int64, int64)")
def noted(entry: Word, best: Word, depth: int, result: int) -> Word:
    """Return an entry with what was found at a depth: what it says of the other result stays."""
    at = REFUTED if result == 0 else PROVED
    other = PROVED if result == 0 else REFUTED
    left = entry & (np.uint64(255) << np.uint64(other))
    return left | (np.uint64(depth + 1) << np.uint64(at)) | (best & MOVE)


@kernel(
    "int64(uint64, uint64, uint64, int64, int64, int64, int64,"
    " CPointer(uint64), int64, CPointer(uint64), uint64, CPointer(int64))"
)
def forced(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    mine: int,
    goal: int,
    depth: int,
    moves: Words,
    base: int,
    table: Words,
    mask: Word,
    ctl: Numbers,
) -> int:
    """Return 1 where the goal is reached, and held, within so many plies, else 0."""
    ctl[NODES] += 1
    if ctl[NODES] >= ctl[LIMIT]:
        ctl[BROKEN] = 1
        return 0
    depth = max(depth, 0)
    key = key_of(own, opp, kings, black)
    place = signed(key & mask) * 2
    known = ZERO
    if table[place] == key:
        known = table[place + 1]
        if told(known, depth) >= 0:
            return told(known, depth)
    n = generate(own, opp, kings, black, 0, moves, base)
    if n == 0:
        return 1 - mine
    if moves[base] & TAKEN == ZERO:
        ahead = (popcount(own) - popcount(opp)) * (2 * mine - 1) >= goal
        if ahead and not mine:
            following = base + WIDTH
            if kept(own, opp, kings, black, 0, goal, HELD, moves, following, ctl):
                return 1
        if depth == 0 and not (ahead and mine):
            return 0
    best = known & MOVE
    advance(best, moves, base, n)
    result = 1 - mine
    for i in range(base, base + n):
        move = moves[i]
        start, end, taken = start_of(move), end_of(move), move & TAKEN
        crowned = kings_after(kings, start, end, taken, black)
        found = forced(
            *(opp & ~taken, own ^ start ^ end, crowned, 1 - black, 1 - mine, goal, depth - 1),
            *(moves, base + WIDTH, table, mask, ctl),
        )
        if ctl[BROKEN]:
            return 0
        if found == mine:
            best, result = move, found
            break
    table[place] = key
    table[place + 1] = noted(known, best, depth, result)
    return result


@kernel(
    "int64(uint64, uint64, uint64, int64, int64, int64, int64,"
    " uint64[::1], uint64[::1], uint64, int64[::1])"
)
def enter(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    mine: int,
    goal: int,
    depth: int,
    moves: Words,
    table: Words,
    mask: Word,
    ctl: Numbers,
) -> int:
    """Return what `forced` does, for arrays."""
    return forced(
        *(own, opp, kings, black, mine, goal, depth),
        *(words(moves), 0, words(table), mask, numbers(ctl)),
    )


class Forcing:
    """What a side can win by force; it remembers what it proved.

    The goal of ``side`` is to be ``goal`` pieces ahead of the other.
    """

    def __init__(self, side: Side, goal: int) -> None:
        self._side, self._goal = side, goal
        self._moves = np.zeros(PLIES * WIDTH, np.uint64)
        self._table = np.zeros(2 * ENTRIES, np.uint64)
        self._ctl = np.zeros(3, np.int64)
        self.nodes = 0
        """Positions looked at in all."""

    def within(self, position: Position, plies: int, nodes: int) -> bool | None:
        """Return whether the goal is reached by force within so many plies.

        ``None`` where that takes more than so many ``nodes``.
        """
        if not position.legal_moves:
            return position.turn is not self._side
        self._ctl[:] = 0, nodes, 0
        mine = int(position.turn is self._side)
        found = enter(
            *(*scalars(position), mine, self._goal, min(plies, DEEPEST)),
            *(self._moves, self._table, np.uint64(ENTRIES - 1), self._ctl),
        )
        self.nodes += int(self._ctl[NODES])
        return None if self._ctl[BROKEN] else bool(found)


def lead_of(position: Position, side: Side) -> int:
    """Return how many pieces more a side has than the other."""
    lead = position.black.bit_count() - position.white.bit_count()
    return lead if side is Side.BLACK else -lead
