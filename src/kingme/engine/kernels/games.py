"""A whole game that the engine plays against itself, for learning from (`engine.training`)."""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import BOARD, ZERO, Numbers, Word, Words
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import (
    MOVE,
    TAKEN,
    end_of,
    jumpers,
    kings_after,
    listed,
    start_of,
)
from kingme.engine.kernels.root import prepare, root
from kingme.engine.kernels.tables import (
    AGE,
    DECIDED,
    DONE,
    HISTORY,
    INFINITY,
    KEYS,
    NODE_LIMIT,
    QUIET,
    ROOT,
    SAME,
    STOP,
    key_of,
)

LONGEST = 200
"""Plies after which a game is a draw."""

QUIET_PLIES = 50
"""Plies without a capture or a man's move that make a draw."""

CLEAR = 450
"""A score, in hundredths of a man, that wins the game where it lasts ``CLEAR_PLIES`` plies."""

CLEAR_PLIES = 8
FIELDS = 5
"""Numbers of a position as `play_game` keeps it."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
BLEND1 = np.uint64(0xBF58476D1CE4E5B9)
BLEND2 = np.uint64(0x94D049BB133111EB)


@kernel("uint64(uint64)")
def blend(word: Word) -> Word:
    """Mix a counter into a random word (the finaliser of splitmix64)."""
    word = (word ^ (word >> 30)) * BLEND1
    word = (word ^ (word >> 27)) * BLEND2
    return word ^ (word >> 31)


@kernel("int64(uint64, uint64, uint64, int64, int64, uint64[::1], int64[::1], uint64[::1])")
def think(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    nodes: int,
    memory: Words,
    control: Numbers,
    entries: Words,
) -> int:
    """Search so many nodes; return the score, the best move first in ``memory``."""
    control[STOP] = 0
    control[NODE_LIMIT] = nodes
    prepare(own, opp, kings, black, memory, control)
    score = 0
    for depth in range(1, 60):
        found = root(
            own, opp, kings, black, -INFINITY, INFINITY, depth, 0, memory, control, entries
        )
        if control[DONE] > 0:
            score = found
        if control[STOP] != 0 or abs(score) >= DECIDED:
            break
    return score


@kernel("boolean(uint64, uint64, uint64, int64)")
def calm(own: Word, opp: Word, kings: Word, black: int) -> bool:
    """Tell whether neither side could jump if it were to move."""
    empty = BOARD & ~(own | opp)
    mine = own & kings
    theirs = opp & kings
    if black:
        due = jumpers(own, mine, opp, empty) | jumpers(theirs, opp, own, empty)
    else:
        due = jumpers(mine, own, opp, empty) | jumpers(opp, theirs, own, empty)
    return due == ZERO


@kernel(
    "int64(uint64, uint64, uint64, int64, int64, uint64, int64,"
    " uint64[::1], int64[::1], uint64[::1], int64[::1], uint64[::1], int64[:, ::1])"
)
def play_game(
    own: Word,
    opp: Word,
    kings: Word,
    black: int,
    chance: int,
    seed: Word,
    nodes: int,
    memory: Words,
    control: Numbers,
    entries: Words,
    other_control: Numbers,
    other_entries: Words,
    kept: Numbers,
) -> int:
    """Play a game on from a position, the first ``chance`` plies at random.

    Black searches with the first buffers and White with the other ones, which may be the same.
    Writes black, white, kings, score and 2 * ply + black of quiet positions into ``kept``, whose
    last row takes how many they are. Returns 1 where Black won, -1 where White did, or 0.
    """
    entries[:] = ZERO
    other_entries[:] = ZERO
    control[HISTORY:] = 0
    other_control[HISTORY:] = 0
    # The age of entries goes into what a table keeps: each game begins with the same.
    control[AGE] = 0
    other_control[AGE] = 0
    past = 0
    quiet = 0
    clear = 0
    rows = 0
    result = 0
    for ply in range(LONGEST):
        key = key_of(own, opp, kings, black)
        seen = 0
        for i in range(past):
            if memory[KEYS + i] == key:
                seen += 1
        if seen >= 2 or quiet >= QUIET_PLIES:
            break
        n = listed(own, opp, kings, black, 0, memory)
        if n == 0:
            result = -1 if black else 1
            break
        score = 0
        if ply < chance:
            seed += GOLDEN
            pick = np.int64((blend(seed) >> 33) % np.uint64(n))
            move = memory[pick] & MOVE
        elif n == 1:
            move = memory[0] & MOVE
        else:
            ctl = control if black else other_control
            table = entries if black else other_entries
            ctl[ROOT] = past
            ctl[SAME] = past
            ctl[QUIET] = quiet
            ctl[AGE] = (ctl[AGE] + 1) & 63
            score = think(own, opp, kings, black, nodes, memory, ctl, table)
            move = memory[0] & MOVE
            if abs(score) >= DECIDED:
                result = 1 if (score > 0) == (black == 1) else -1
                break
            if calm(own, opp, kings, black):
                kept[rows, 0] = np.int64(own if black else opp)
                kept[rows, 1] = np.int64(opp if black else own)
                kept[rows, 2] = np.int64(kings)
                kept[rows, 3] = score
                kept[rows, 4] = 2 * ply + black
                rows += 1
            view = score if black else -score
            if view >= CLEAR:
                clear = max(clear, 0) + 1
            elif view <= -CLEAR:
                clear = min(clear, 0) - 1
            else:
                clear = 0
            if abs(clear) >= CLEAR_PLIES:
                result = 1 if clear > 0 else -1
                break
        start = start_of(move)
        taken = move & TAKEN
        if taken != ZERO or start & kings == ZERO:
            past = 0
            quiet = 0
        else:
            memory[KEYS + past] = key
            past += 1
            quiet += 1
        after = kings_after(kings, start, end_of(move), taken, black)
        left = opp & ~taken
        opp = own ^ start ^ end_of(move)
        own = left
        kings = after
        black = 1 - black
    kept[LONGEST, 0] = rows
    return result
