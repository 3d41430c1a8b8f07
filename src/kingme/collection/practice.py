"""The openings of many games as counts alone, small enough to come with the package.

`kingme db explorer` makes such a file of a collection: of each position that enough games reached,
what was played there and how those games ended, and what a search of the engine found. It has no
games in it, and no names. The one that comes with the package was made of the Open Checkers
Archive; ``openings.json`` beside it is the record.

The file has the head of `kingme.engine.sealed`, whose last word is the number of games. Entries are
in the order of their keys (`packing.key_of`): key (8 bytes), value for the side to move in
hundredths of a man (2; the least number for none), number of moves (1), and each move, the most
played first: start, end, and which it is of the jumps that have these in common (2 bytes, of 5, 5
and 3 bits), then the games that the side to move won, drew and lost. Counts are in groups of seven
bits, the lowest first, each but the last with 128 added. All is as the side to move sees the board:
for White it is turned round, so that a position and its mirror image are one.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kingme.collection.file import CollectionError
from kingme.collection.packing import code_of, key_of
from kingme.collection.tree import Branch, Tally, Tree
from kingme.engine import sealed
from kingme.rules.moves import Move
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH, Side

__all__ = ["DEFAULT", "Entry", "Practice", "Result", "default", "entry_of", "word_of"]

DEFAULT = Path(__file__).parent / "data" / "openings.practice"
"""The file that comes with the package."""

FILE = sealed.Seal(b"KINGPLAY", 1, "file of openings", CollectionError)
ENTRY = struct.Struct("<qhB")
WORD = struct.Struct("<H")
NONE = -(1 << 15)
"""What stands for a value that is not known."""

Result = tuple[int, int, int, int]
"""A move as a word, and the games that its side won, drew and lost."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept of a position: the moves, the most played first, and the value, if known."""

    moves: tuple[Result, ...]
    value: int | None = None


class Practice:
    """Entries by key, of so many ``games``; they are unpacked when they are asked for."""

    def __init__(self, entries: Mapping[int, Entry], games: int) -> None:
        self._data = b"".join(_packed(key, entries[key]) for key in sorted(entries))
        self._places = dict(_places(self._data))
        self.games = games

    def __len__(self) -> int:
        return len(self._places)

    @property
    def digest(self) -> str:
        """Name the content in eight hex digits."""
        return sealed.digest(self._data)

    def tree(self, position: Position) -> Tree | None:
        """Return what was played in a position; ``None`` where too few games came there."""
        entry = self._entry(position)
        if entry is None:
            return None
        legal = position.legal_moves
        named = {word_of(position, move): move for move in legal}
        branches = tuple(
            _branch(position, named[word], counts) for word, *counts in entry.moves if word in named
        )
        tallies = [branch.tally for branch in branches]
        total = Tally(
            sum(one.games for one in tallies),
            sum(one.black for one in tallies),
            sum(one.white for one in tallies),
            sum(one.draws for one in tallies),
        )
        return Tree(position, total, 0, branches)

    def value(self, position: Position) -> int | None:
        """Return what a search found, in hundredths of a man for the side to move."""
        entry = self._entry(position)
        return None if entry is None else entry.value

    @classmethod
    def load(cls, path: Path = DEFAULT) -> Practice:
        """Read a file; raise `CollectionError`, which says what is wrong with it."""
        count, games, data = FILE.read(path)
        made = cls({}, games)
        made._data = data
        made._places = dict(_places(data))
        assert len(made) == count, "the checksum vouches for it"
        return made

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        FILE.write(path, len(self), self._data, self.games)

    def _entry(self, position: Position) -> Entry | None:
        place = self._places.get(key_of(position)) if position.variant == ENGLISH else None
        return None if place is None else _entry(self._data, place)[0]


def entry_of(tree: Tree, value: int | None) -> Entry:
    """Return what is kept of a position with what was played there."""
    black = tree.position.turn is Side.BLACK
    moves = []
    for branch in tree.branches:
        tally = branch.tally
        won, lost = (tally.black, tally.white) if black else (tally.white, tally.black)
        moves.append((word_of(tree.position, branch.move), won, tally.draws, lost))
    return Entry(tuple(moves), value)


def word_of(position: Position, move: Move) -> int:
    """Return a move as the side to move sees it: start, end, and which of those jumps it is.

    >>> word_of(Position.start(), Move((11, 15))) == 10 | 14 << 5
    True
    """
    legal = position.legal_moves
    if position.turn is Side.WHITE:
        geometry = position.variant.geometry
        legal = tuple(other.mirrored(geometry) for other in legal)
        move = move.mirrored(geometry)
    return move.start - 1 | move.end - 1 << 5 | (code_of(move, legal) & 7) << 10


@cache
def default() -> Practice:
    """Return the openings that come with the package, read once."""
    return Practice.load()


def _branch(position: Position, move: Move, counts: Iterable[int]) -> Branch:
    won, drawn, lost = counts
    black, white = (won, lost) if position.turn is Side.BLACK else (lost, won)
    tally = Tally(won + drawn + lost, black, white, drawn)
    return Branch(move, tally, tally.score(position.turn))


def _packed(key: int, entry: Entry) -> bytes:
    found = bytearray(
        ENTRY.pack(key, NONE if entry.value is None else entry.value, len(entry.moves))
    )
    for word, *counts in entry.moves:
        found += WORD.pack(word)
        for count in counts:
            found += _grouped(count)
    return bytes(found)


def _grouped(count: int) -> bytes:
    """A count in groups of seven bits."""
    groups = [count & 127]
    while count := count >> 7:
        groups[-1] |= 128
        groups.append(count & 127)
    return bytes(groups)


def _entry(data: bytes, at: int) -> tuple[Entry, int]:
    """Return the entry at a place, and the place of the next."""
    _, value, number = ENTRY.unpack_from(data, at)
    at += ENTRY.size
    moves = []
    for _ in range(number):
        (word,) = WORD.unpack_from(data, at)
        at += WORD.size
        counts = []
        for _ in range(3):
            count = shift = 0
            while data[at] > 127:
                count |= (data[at] & 127) << shift
                shift += 7
                at += 1
            counts.append(count | data[at] << shift)
            at += 1
        moves.append((word, counts[0], counts[1], counts[2]))
    return Entry(tuple(moves), None if value == NONE else value), at


def _places(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield each key with the place of its entry."""
    at = 0
    while at < len(data):
        key, _, number = ENTRY.unpack_from(data, at)
        yield key, at
        at += ENTRY.size
        for _ in range(number):
            at += WORD.size
            for _ in range(3):
                while data[at] > 127:
                    at += 1
                at += 1
