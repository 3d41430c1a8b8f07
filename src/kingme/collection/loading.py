"""How games come into a collection: in batches, and each game once.

A game is known by the digest of its text, that is, of all that it says.
"""

from __future__ import annotations

import sqlite3
import zlib
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from kingme.collection.indexing import Index, Line
from kingme.collection.packing import date_number, folded
from kingme.collection.tree import refresh
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.variant import VARIANTS, Side, Variant

__all__ = ["BATCH", "Entry", "Loader", "squeezed", "unsqueezed"]

BATCH = 2000
"""Games a transaction. More of them write the index of positions with less seeking."""

_USUAL = (
    b'1. 11-15 23-19 8-11 22-17 9-13 24-20 10-14 12-16 1/2-1/2 1-0 0-1 *\n[SetUp "1"]\n[FEN "W:W'
    b'[GameType "21"]\n[Result "1/2-1/2"]\n[Site "?"]\n[Round "?"]\n[Date "19??.??.??"]\n'
    b'[White "?"]\n[Black "?"]\n[Event "?"]\n'
)
"""What nearly every text holds, so that none has to: a change of it needs a new VERSION."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game as a collection takes it: ``text`` is its PDN, whole."""

    text: str
    history: History | Line
    winner: Side | None = None
    draw: bool = False
    black: str = "?"
    white: str = "?"
    event: str = "?"
    site: str = "?"
    round: str = "?"
    date: str = "????.??.??"
    said: str = "*"


def squeezed(text: str) -> bytes:
    """Return a text in few bytes."""
    work = zlib.compressobj(6, zlib.DEFLATED, -15, 8, zlib.Z_DEFAULT_STRATEGY, _USUAL)
    return work.compress(text.encode("utf-8", "surrogatepass")) + work.flush()


def unsqueezed(data: bytes) -> str:
    """Return the text of some bytes.

    >>> unsqueezed(squeezed('[Event "?"]'))
    '[Event "?"]'
    """
    return zlib.decompressobj(-15, _USUAL).decompress(data).decode("utf-8", "surrogatepass")


class Loader:
    """Adds games to an open collection, batch by batch."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        (last,) = connection.execute("SELECT max(id) FROM game").fetchone()
        self._next = (last or 0) + 1
        self._names: dict[tuple[str, str], int] = {}
        self._digests: set[bytes] = set()
        self._games: list[tuple[Any, ...]] = []
        self._places: list[tuple[int, int, int, int]] = []
        self._masses: list[tuple[int, int]] = []
        self._indexes: dict[Variant, Index] = {}

    @property
    def waiting(self) -> int:
        """How many games wait to be written."""
        return len(self._games)

    def add(self, entry: Entry) -> bool:
        """Add a game with the next batch; return False where it is known already."""
        digest = blake2b(entry.text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = "SELECT 1 FROM game WHERE digest = ?"
        if digest in self._digests or self._connection.execute(known, (digest,)).fetchone():
            return False
        self._digests.add(digest)
        number = self._next
        self._next += 1
        result = 3 if entry.draw else {None: 0, Side.BLACK: 1, Side.WHITE: 2}[entry.winner]
        index, line = self._line(entry.history)
        indexed = index.rows(number, line, result)
        self._places += indexed.places
        self._masses += indexed.masses
        self._games.append(
            (
                number,
                digest,
                line.start.variant.name,
                self._name("person", entry.black),
                self._name("person", entry.white),
                self._name("event", entry.event),
                entry.site,
                entry.round,
                entry.date,
                date_number(entry.date),
                result,
                entry.said,
                indexed.opening,
                len(line.steps),
                None if line.start == index.start else line.start.fen,
                indexed.moves,
                squeezed(entry.text),
            )
        )
        return True

    def index(self, variant: Variant) -> Index:
        """Return what indexes the games of a variant."""
        found = self._indexes.get(variant)
        if found is None:
            found = self._indexes[variant] = Index(variant)
        return found

    def _line(self, history: History | Line) -> tuple[Index, Line]:
        if isinstance(history, Line):
            return self.index(history.start.variant), history
        start = history.positions[0]
        index = self.index(start.variant)
        return index, index.line(start, history.moves)

    def _name(self, table: str, name: str) -> int:
        number = self._names.get((table, name))
        if number is None:
            find = f"SELECT id FROM {table} WHERE name = ?"
            row = self._connection.execute(find, (name,)).fetchone()
            if row is None:
                row = self._connection.execute(
                    f"INSERT INTO {table} (name, folded) VALUES (?, ?) RETURNING id",
                    (name, folded(name)),
                ).fetchone()
            number = self._names[table, name] = int(row[0])
        return number

    def begin(self) -> None:
        """Begin a batch."""
        self._connection.execute("BEGIN IMMEDIATE")

    def flush(self) -> None:
        """Write what waits, and end the batch."""
        put = self._connection.executemany
        put(f"INSERT INTO game VALUES ({', '.join('?' * 17)})", self._games)
        put("INSERT INTO place VALUES (?, ?, ?, ?)", sorted(self._places))
        put("INSERT INTO mass VALUES (?, ?)", sorted(self._masses))
        self._connection.execute("COMMIT")
        self._games, self._places, self._masses = [], [], []
        self._digests.clear()

    def drop(self) -> None:
        """Give up the batch."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def finish(self) -> None:
        """Bring the counts of busy positions up to date."""
        starts = [Position.start(variant) for variant in VARIANTS.values()]
        rows = self._connection.execute(
            "SELECT start, variant FROM game WHERE start IS NOT NULL GROUP BY 1, 2 "
            "HAVING count(*) >= 500"
        )
        starts += [
            Position.from_fen(start, VARIANTS[variant], strict=False)
            for start, variant in rows
            if variant in VARIANTS
        ]
        self.begin()
        refresh(self._connection, starts)
        self._connection.execute("COMMIT")
