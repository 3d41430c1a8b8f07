"""The opening book: positions of the first moves, and what their good moves are worth.

`kingme book build` makes one by searches of this engine over the decks of ballots; the one in use
comes with the package. The file has the head of `kingme.engine.sealed`, then entries by key: key
(8 bytes), value of the best move (2), number of moves (1), and two bytes a move, the best first:
start, end, and how much worse than the best it is. All of that as the side to move sees the board:
Black's squares are taken as they are, and for White the board is turned round, so that a position
and its mirror image are one. There are no kings in it.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kingme.engine import sealed
from kingme.engine.api import Score
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.squares import bits
from kingme.rules.variant import ENGLISH, Side

__all__ = ["DEFAULT", "MOST_LOSS", "Book", "BookMove", "Entry", "default", "key_of", "word_of"]

DEFAULT = Path(__file__).parents[1] / "data" / "openings.book"
"""The file that comes with the package."""

FILE = sealed.Seal(b"KINGBOOK", 1, "opening book")
ENTRY = struct.Struct("<QhB")
WORD = struct.Struct("<H")
MOST_LOSS = 63
"""Hundredths of a man by which a move of the book may be worse than the best."""

Entry = tuple[int, tuple[int, ...]]
"""The value of the best move, and the moves as words, the best first."""


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move of the book, and what the book says it is worth to the side that plays it."""

    move: Move
    score: Score


class Book:
    """Entries by key; see `key_of`. ``digest`` names them in eight hex digits."""

    def __init__(self, entries: Mapping[int, Entry]) -> None:
        self._entries = dict(sorted(entries.items()))

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def entries(self) -> Mapping[int, Entry]:
        """The entries, by key."""
        return self._entries

    @property
    def digest(self) -> str:
        """Name the book in eight hex digits."""
        return sealed.digest(self._data)

    def moves(self, position: Position) -> tuple[BookMove, ...]:
        """Return the moves of a position, the best first; none where it is not in the book."""
        key = key_of(position)
        value, words = self._entries.get(key, (0, ())) if key is not None else (0, ())
        named = {word_of(position, move): move for move in position.legal_moves} if words else {}
        return tuple(
            BookMove(named[word & 0x3FF], Score(value - (word >> 10)))
            for word in words
            if word & 0x3FF in named
        )

    def choose(self, position: Position, spread: int, chance: random.Random) -> BookMove | None:
        """Choose by lot among the moves that are at most ``spread`` worse than the best.

        ``None`` where the position is not in the book; chance is then left alone.
        """
        known = self.moves(position)
        near = [found for found in known if known[0].score.value - found.score.value <= spread]
        return near[int(chance.random() * len(near))] if near else None

    @classmethod
    def load(cls, path: Path = DEFAULT) -> Book:
        """Read a file; raise `EngineError`, which says what is wrong with it."""
        count, _, body = FILE.read(path)
        entries: dict[int, Entry] = {}
        at = 0
        while at < len(body):
            key, value, moves = ENTRY.unpack_from(body, at)
            at += ENTRY.size
            entries[key] = value, struct.unpack_from(f"<{moves}H", body, at)
            at += moves * WORD.size
        assert len(entries) == count, "the checksum vouches for it"
        return cls(entries)

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        FILE.write(path, len(self), self._data)

    @property
    def _data(self) -> bytes:
        parts = [
            ENTRY.pack(key, value, len(words)) + struct.pack(f"<{len(words)}H", *words)
            for key, (value, words) in self._entries.items()
        ]
        return b"".join(parts)


def key_of(position: Position) -> int | None:
    """Return the key of a position: own men in the low 32 bits, the other's above them.

    Square 1 is the lowest bit for Black, square 32 for White. ``None`` where there are kings, or
    in another variant.

    >>> start = Position.start()
    >>> f"{key_of(start):016x}", key_of(start.mirrored()) == key_of(start)
    ('fff0000000000fff', True)
    """
    if position.kings or position.variant != ENGLISH:
        return None
    own, enemy = position.black, position.white
    if position.turn is Side.WHITE:
        own, enemy = enemy, own
    turned = position.turn is Side.WHITE
    return _squares(own, turned) | _squares(enemy, turned) << 32


def word_of(position: Position, move: Move) -> int:
    """Return start and end of a move as the side to move sees them, five bits each."""
    start, end = move.start, move.end
    if position.turn is Side.WHITE:
        start, end = 33 - start, 33 - end
    return start - 1 | end - 1 << 5


def _squares(mask: int, turned: bool) -> int:
    numbers = ENGLISH.geometry.numbers
    return sum(1 << (32 - numbers[bit] if turned else numbers[bit] - 1) for bit in bits(mask))


@cache
def default() -> Book:
    """Return the book that comes with the package, read once."""
    return Book.load()
