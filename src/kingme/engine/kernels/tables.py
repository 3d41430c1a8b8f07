"""The buffers of an engine: their layout, the keys of positions, the transposition table.

``mem`` holds words: a list of moves for each ply, the lines found (a triangle), and the keys of
the positions on the way from an irreversible move to the one being searched. ``ctl`` holds
signed words: the few named below, then an entry a ply for counters, then killers and the
history of moves. ``table`` has two words an entry, four entries a bucket: the key mixed with
the data, so that an entry torn by two threads fits no key, and the data: score in bits 0-15
(plus 32768), depth in 16-23, bound in 24-25, age in 26-31, from and to of the best move in
32-43, its number of captures in 44-47.
"""

from __future__ import annotations

import numpy as np

from kingme.engine.kernels.bits import ZERO, Word, Words, popcount, signed
from kingme.engine.kernels.jit import kernel
from kingme.engine.kernels.movegen import TAKEN, WIDTH

PLIES = 128
"""Plies that a search has room for."""

PAST = 256
"""Earlier positions of the game that a search knows, at most."""

WIN = 30_000
INFINITY = 32_000
DECIDED = WIN - 1_000
"""Scores from here on are won by force."""

KNOWN = 28_000
"""What a win by packed values, without a distance, scores, less the plies to where it is known."""

LIKELY = 25_000
"""What a solved win scores, less the plies to it, where the no-progress rule might come first."""

UNTOLD = LIKELY - 300
"""What `LIKELY` is for packed values: below every win with a distance."""

FIRM = KNOWN - PLIES
"""Scores from here on to `KNOWN` are such wins that the search need not look into."""

# Where things begin in mem.
LINES = PLIES * WIDTH
KEYS = LINES + PLIES * PLIES
MEM_SIZE = KEYS + PAST + PLIES

# Named words of ctl.
STOP = 0
"""Set to end the search: to 1 from outside, to 2 when the nodes are used up."""
NODES = 1
NODE_LIMIT = 2
ROOT = 3
"""Index of the root's key among the keys."""
RESETS = 4
"""What counts as progress: 1 captures, 2 moves of men, 4 crownings."""
QUIET_LIMIT = 5
"""Plies without progress that make a draw; 0 for no such rule."""
REPEATS = 6
"""Earlier occurrences in the game that make one more a draw."""
AGE = 7
MASK = 8
"""Number of buckets less one."""
SIGHT = 9
"""How many times a leaf where the side to move is under threat is searched on."""
COUNT = 10
"""Root moves, after `search.prepare`."""
DONE = 11
"""Root moves searched in the present iteration."""
DEEPEST = 12
WEIGHTS = 13
"""Address of the evaluation's weights (`bits.address_of`)."""
ENDGAMES = 14
"""Address of the endgame database; 0 where there is none."""

PACKS = 17
"""Address of the directory of packed values (`packed`), which go with ``ENDGAMES``; or 0."""
PRESENT = 18
"""Pieces at the root."""

SKIP = 15
"""Root moves at the head of the list that are left out."""
BOUND = 16
"""What the last score is: ``LOWER`` where a stopped search proved no more, or 0."""

# Where things begin in ctl.
SAME = 24
"""A ply: plies since an irreversible move, which no repetition can reach across."""
QUIET = SAME + PLIES
"""A ply: plies since progress in the sense of ``RESETS``."""
LENGTH = QUIET + PLIES
"""A ply: where its line ends."""
ROOT_SCORES = LENGTH + PLIES
KILLERS = ROOT_SCORES + WIDTH
"""Two a ply: from and to, as in bits 36-47 of a move."""
HISTORY = KILLERS + 2 * PLIES
"""By from and to of a move: how often it refuted others, less how often not."""
COUNTERS = HISTORY + 4096
"""By from and to of a move: the one that refuted it last."""
PLAYED = COUNTERS + 4096
"""A ply: from and to of the move that led there."""
CTL_SIZE = PLAYED + PLIES

EXACT = 1
LOWER = 2
UPPER = 3

MIX1 = np.uint64(0x9E3779B97F4A7C15)
MIX2 = np.uint64(0xC2B2AE3D27D4EB4F)
MIX3 = np.uint64(0xD6E8FEB86659FD93)
WHITE_TO_MOVE = np.uint64(0x2545F4914F6CDD1D)
LOW16 = np.uint64(0xFFFF)
LOW8 = np.uint64(0xFF)
LOW6 = np.uint64(0x3F)
LOW2 = np.uint64(3)
HINT = np.uint64(0xFFFF)


@kernel("uint64(uint64, uint64, uint64, int64)")
def key_of(own: Word, opp: Word, kings: Word, black: int) -> Word:
    """Return the key of a position: its three words, each mixed in by a reversible step."""
    key = own * MIX1
    key = (key ^ (key >> 29) ^ opp) * MIX2
    key = (key ^ (key >> 32) ^ kings) * MIX3
    key ^= key >> 30
    if not black:
        key ^= WHITE_TO_MOVE
    return key


@kernel("uint64(uint64)")
def hint_of(move: Word) -> Word:
    """Return the sixteen bits of a move that the table keeps: enough to find it in a list."""
    return ((move >> 36) & np.uint64(0xFFF)) | (np.uint64(popcount(move & TAKEN)) << 12)


@kernel("uint64(CPointer(uint64), int64, uint64)")
def probe(table: Words, mask: int, key: Word) -> Word:
    """Return the data kept for a key, or 0."""
    base = signed(key & np.uint64(mask)) * 8
    for i in range(base, base + 8, 2):
        data = table[i + 1]
        if table[i] ^ data == key:
            return data
    return ZERO


@kernel("void(CPointer(uint64), int64, int64, uint64, int64, int64, int64, uint64)")
def store(
    table: Words, mask: int, age: int, key: Word, score: int, depth: int, bound: int, hint: Word
) -> None:
    """Keep what a search found, in place of the entry of its bucket that is worth least."""
    base = signed(key & np.uint64(mask)) * 8
    place = base
    least = 1 << 30
    for i in range(base, base + 8, 2):
        data = table[i + 1]
        if table[i] ^ data == key:
            place = i
            if hint == ZERO:
                hint = (data >> 32) & HINT
            break
        worth = signed((data >> 16) & LOW8)
        if signed((data >> 26) & LOW6) != age:
            worth -= 256
        if worth < least:
            least = worth
            place = i
    data = (
        np.uint64(score + 32768)
        | (np.uint64(max(depth, 0)) << 16)
        | (np.uint64(bound) << 24)
        | (np.uint64(age) << 26)
        | (hint << 32)
    )
    table[place] = key ^ data
    table[place + 1] = data


@kernel("boolean(int64)")
def timed(score: int) -> bool:
    """Tell whether a score counts plies to an end, or to where one is known."""
    size = abs(score)
    return size >= UNTOLD - PLIES and (size >= FIRM or size <= LIKELY)


@kernel("int64(int64, int64)")
def to_table(score: int, ply: int) -> int:
    """Count the plies of a score from the position instead of from the root."""
    if timed(score):
        return score + ply if score > 0 else score - ply
    return score


@kernel("int64(int64, int64)")
def from_table(score: int, ply: int) -> int:
    """Count the plies of a score from the root again."""
    if timed(score):
        return score - ply if score > 0 else score + ply
    return score
