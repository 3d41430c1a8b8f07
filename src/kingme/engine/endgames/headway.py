"""Winning without distances: how soon an ending whose winner is known makes headway.

Headway is a move of a man or a capture: it cannot be taken back. `kernels.headway` says how the
plies to the next one are found, and why that wins.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kingme.engine.endgames.opened import Directory
from kingme.engine.kernels.board import scalars
from kingme.engine.kernels.headway import carry, start
from kingme.engine.kernels.index import choose
from kingme.engine.kernels.packed import number_of
from kingme.rules.position import Position
from kingme.rules.variant import Side

__all__ = ["Headway"]

MOST = 2_100_000
"""Placings of kings that are looked into, a second or two: all but those of six kings."""

STEP = 1 << 15
"""Positions between two looks at the clock."""


class Headway:
    """The plies to headway from all positions with the men and pieces of one that a side wins.

    Make one with `of`. It is worked out bit by bit with `work`.
    """

    def __init__(self, position: Position, winner: Side, directory: Directory) -> None:
        self.winner = winner
        self._directory = directory
        own, opp, kings, _ = scalars(position)
        if position.turn is not winner:
            own, opp = opp, own
        crowned, rulers = (int(side & kings).bit_count() for side in (own, opp))
        men, others = int(own).bit_count() - crowned, int(opp).bit_count() - rulers
        self._counts = men, crowned, others, rulers
        free = 32 - men - others
        self._size = int(choose(free, crowned) * choose(free - crowned, rulers))
        black = winner is Side.BLACK
        self._mine = self._first(int(number_of(own, opp, kings, black)))
        self._other = self._first(int(number_of(opp, own, kings, not black)))
        self._codes = np.zeros(2 * self._size, np.uint8)
        self._left = np.zeros(self._size, np.uint8)
        self._queue = np.zeros(2 * self._size, np.int32)
        self._begun = self._head = self._tail = 0

    @classmethod
    def of(cls, position: Position, winner: Side, directory: Directory) -> Headway | None:
        """Begin with a position; None where there are too many like it."""
        pieces = len(position.pieces)
        kings = position.kings.bit_count()
        free = 32 - (pieces - kings)
        crowned = (position.kings & position.black).bit_count()
        if choose(free, crowned) * choose(free - crowned, kings - crowned) > MOST:
            return None
        return cls(position, winner, directory)

    @property
    def done(self) -> bool:
        """Whether all plies are known."""
        return self._begun == 2 * self._size and self._head == self._tail

    def work(self, enough: Callable[[], bool]) -> None:
        """Go on until it is done, or ``enough`` says so."""
        while not self.done and not enough():
            if self._begun < 2 * self._size:
                self._start()
            else:
                self._carry()

    def plies(self, position: Position) -> int | None:
        """Return the plies to headway; None where the winner does not win, or it is not known."""
        own, opp, kings, black = scalars(position)
        number = int(number_of(own, opp, kings, black))
        if position.turn is self.winner:
            code = int(self._codes[number - self._mine])
        else:
            code = int(self._codes[self._size + number - self._other])
        return code - 1 if code else None

    def _start(self) -> None:
        """Look at some positions; the loser to move comes first, for his codes are the least."""
        men, kings, others, rulers = self._counts
        wins = self._begun >= self._size
        low = self._begun % self._size
        high = min(low + STEP, self._size)
        numbers = (*self._counts, self._mine) if wins else (others, rulers, men, kings, self._other)
        call: Callable[..., int] = start
        buffers = self._codes, self._left, self._queue, self._tail
        at = self._directory.address
        self._tail = int(call(at, int(wins), *numbers, low, high, self._size, *buffers))
        self._begun += high - low

    def _carry(self) -> None:
        """Go back from some positions of the queue."""
        call: Callable[..., int] = carry
        places = self._mine, self._other, self._size
        buffers = self._codes, self._left, self._queue
        head = self._head
        self._head = min(head + STEP, self._tail)
        self._tail = int(call(*self._counts, *places, *buffers, head, STEP, self._tail))

    def _first(self, number: int) -> int:
        return number // self._size * self._size
