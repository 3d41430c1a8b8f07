"""Where games of self-play begin: ballots of two kinds, the start position, and random plies.

The eleven-man ballots (a man less for each side, then two or three drawn plies) give decisive
games; three-move ballots give the positions that people play; from the start some random plies
lead where no book does.
"""

from __future__ import annotations

import zlib
from functools import cache

import numpy as np

from kingme.engine.kernels.bits import Word
from kingme.engine.kernels.board import scalars
from kingme.rules.ballots import ELEVEN_MAN, THREE_MOVE
from kingme.rules.position import Position

__all__ = ["Openings", "Scalars", "eleven_man", "three_move"]

Scalars = tuple[Word, Word, Word, int]


@cache
def eleven_man() -> tuple[Position, ...]:
    """Return the eleven-man ballots that are drawn, as positions."""
    return tuple(ballot.position for ballot in ELEVEN_MAN.drawn)


@cache
def three_move() -> tuple[Position, ...]:
    """Return the three-move ballots, the barred ones too, as positions."""
    return tuple(ballot.position for ballot in THREE_MOVE.values())


class Openings:
    """Draws an opening for a game: half of the games from eleven-man ballots.

    A quarter comes from three-move ballots, each with up to three random plies, and the rest
    from the start with four to nine.
    """

    def __init__(self) -> None:
        self._eleven = [scalars(position) for position in eleven_man()]
        self._three = [scalars(position) for position in three_move()]
        self._start = scalars(Position.start())

    @property
    def digest(self) -> str:
        """Name the ballots in eight hex digits."""
        return f"{zlib.crc32(repr((self._eleven, self._three)).encode()):08x}"

    def draw(self, seed: int, number: int) -> tuple[Scalars, int, Word]:
        """Return where a game begins, its random plies, and the seed of those."""
        chance = np.random.default_rng((seed, number))
        kind = int(chance.integers(4))
        word = np.uint64(chance.integers(1 << 63))
        if kind < 2:
            return self._eleven[int(chance.integers(len(self._eleven)))], kind, word
        if kind == 2:
            pick = int(chance.integers(len(self._three)))
            return self._three[pick], int(chance.integers(4)), word
        return self._start, int(chance.integers(4, 10)), word
