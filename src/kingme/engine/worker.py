"""One thread's share of a search: its buffers, and deepening from a root in them.

Workers of one engine share its table and nothing else. A worker searches in the thread that
calls it, without the GIL; its stop flag may be set from any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from kingme.engine.api import Bound
from kingme.engine.endgames import Tables
from kingme.engine.kernels import tables
from kingme.engine.kernels.bits import Word, Words
from kingme.engine.kernels.board import packed, scalars
from kingme.engine.kernels.root import deepen, prepare, root
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.outcome import DrawPreset, Progress
from kingme.rules.position import Position

__all__ = ["DEEPEST", "Board", "Worker", "named"]

Board: TypeAlias = "tuple[Word, Word, Word, int]"

ENDLESS = 1 << 62

MOVE = (1 << 48) - 1
"""The bits of a word that are the move itself; above it may stand what its order goes by."""

DEEPEST = tables.PLIES - 28
"""The greatest depth of an iteration."""


class Worker:
    """Searches one position at a time, with the table that it is given."""

    def __init__(self, table: Words, mask: int, sight: int) -> None:
        self.mem = np.zeros(tables.MEM_SIZE, np.uint64)
        self.ctl = np.zeros(tables.CTL_SIZE, np.int64)
        self.table = table
        self.ctl[tables.MASK] = mask
        self.ctl[tables.SIGHT] = sight

    def solved(self, endgames: Tables) -> None:
        """Look positions up in databases, which must be kept as long as this."""
        self.ctl[tables.ENDGAMES] = endgames.address
        if endgames.pieces > endgames.block_pieces:
            self.ctl[tables.PACKS] = endgames.directory.address

    @property
    def nodes(self) -> int:
        """Positions searched since `load`."""
        return int(self.ctl[tables.NODES])

    @property
    def stopped(self) -> bool:
        """Whether the search has been told to end, or its nodes are used up."""
        return bool(self.ctl[tables.STOP] != 0)

    def stop(self) -> None:
        """End the search, from any thread."""
        self.ctl[tables.STOP] = 1

    def wake(self) -> bool:
        """Forget that it was told to stop; False where its nodes are used up."""
        self.ctl[tables.STOP] = 0
        return bool(self.ctl[tables.NODES] < self.ctl[tables.NODE_LIMIT])

    def forget(self) -> None:
        """Forget earlier searches: which moves were good in them, and how many there were."""
        self.ctl[tables.HISTORY :] = 0
        self.ctl[tables.AGE] = 0

    def load(self, history: History, nodes: int | None, preset: DrawPreset) -> Board:
        """Take a position with its past and the rules, and count its moves."""
        ctl = self.ctl
        ctl[tables.NODE_LIMIT] = min(nodes or ENDLESS, ENDLESS)
        ctl[tables.RESETS] = sum(
            bit
            for bit, kind in (
                (1, Progress.CAPTURE),
                (2, Progress.MAN_MOVE),
                (4, Progress.PROMOTION),
            )
            if kind in preset.progress
        )
        ctl[tables.QUIET_LIMIT] = preset.progress_plies or 0
        ctl[tables.REPEATS] = (preset.repetition or 3) - 1
        ctl[tables.AGE] = (ctl[tables.AGE] + 1) & 63
        past = _reversible(history)
        for index, position in enumerate(past):
            self.mem[tables.KEYS + index] = tables.key_of(*scalars(position))
        ctl[tables.ROOT] = len(past)
        ctl[tables.SAME] = len(past)
        ctl[tables.QUIET] = history.quiet_plies(preset)
        board = scalars(history.position)
        prepare(*board, self.mem, ctl)
        return board

    def prefer(self, moves: Iterable[Move], *, only: bool) -> None:
        """Search these moves of the root's list before all others, or no others at all."""
        count = int(self.ctl[tables.COUNT])
        wanted = {packed(move) for move in moves}
        words = [int(word) for word in self.mem[:count]]
        first = [word for word in words if word & MOVE in wanted]
        rest = [word for word in words if word & MOVE not in wanted]
        self.mem[:count] = np.array(first + rest, np.uint64)
        if only and first:
            self.ctl[tables.COUNT] = len(first)

    def deepen(self, board: Board, depth: int, last: int, skip: int = 0) -> tuple[int, Bound]:
        """Search one depth, given the score of the depth before.

        The first ``skip`` moves of the list are left out. Returns the score and whether it is
        only a bound, as it may be where the search was stopped.
        """
        self.ctl[tables.SKIP] = skip
        score = int(deepen(*board, depth, last, self.mem, self.ctl, self.table))
        return score, "lower" if self.ctl[tables.BOUND] == tables.LOWER else ""

    def judge(self, board: Board, depth: int) -> None:
        """Give every move of the list its own score at one depth, unless stopped before."""
        low, high = -tables.INFINITY, tables.INFINITY
        root(*board, low, high, depth, 1, self.mem, self.ctl, self.table)

    def line(self, position: Position, at: int) -> tuple[Move, ...]:
        """Return the line found for the move that is at ``at`` in the root's list."""
        first = self.mem[at : at + 1]
        line = self.mem[tables.LINES : tables.LINES + self.ctl[tables.LENGTH]]
        moves: list[Move] = []
        for word in line if line.size and line[0] == first[0] else first:
            move = named(position, int(word))
            moves.append(move)
            position = position.play(move)
        return tuple(moves)


def named(position: Position, word: int) -> Move:
    """Return the first legal move that is packed as this word."""
    word &= MOVE
    return next(move for move in position.legal_moves if packed(move) == word)


def _reversible(history: History) -> tuple[Position, ...]:
    """Return the positions before the present one that it could still repeat."""
    now = history.position
    men = (now.black & ~now.kings, now.white & ~now.kings)
    count = (now.black.bit_count(), now.white.bit_count())
    first = len(history.positions) - 1
    while first > 0 and len(history.positions) - first < tables.PAST:
        before = history.positions[first - 1]
        if (before.black & ~before.kings, before.white & ~before.kings) != men:
            break
        if (before.black.bit_count(), before.white.bit_count()) != count:
            break
        first -= 1
    return history.positions[first:-1]
