"""How games come into a collection: in batches, and each game once.

A game is known by the digest of its text, that is, of all that it says.
"""

from __future__ import annotations

import sqlite3
import zlib
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from kingme.collection.packing import code_of, date_number, folded, key_of, mass_of, packed
from kingme.collection.tree import refresh
from kingme.rules.ballots import BALLOTS
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.variant import VARIANTS, Side

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
    history: History
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
        self._ballots = {key_of(ballot.position): ballot.number for ballot in BALLOTS.values()}

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
        opening = self._index(number, entry.history, result)
        first = entry.history.positions[0]
        self._games.append(
            (
                number,
                digest,
                first.variant.name,
                self._name("person", entry.black),
                self._name("person", entry.white),
                self._name("event", entry.event),
                entry.site,
                entry.round,
                entry.date,
                date_number(entry.date),
                result,
                entry.said,
                opening,
                len(entry.history.moves),
                None if first == Position.start(first.variant) else first.fen,
                packed(entry.history.moves),
                squeezed(entry.text),
            )
        )
        return True

    def _index(self, number: int, history: History, result: int) -> int | None:
        """Note each position of a game and its material; return the ballot that it came through."""
        opening = None
        seen = set()
        masses = set()
        moves = history.moves
        kings = -1
        for ply, position in enumerate(history.positions):
            key = key_of(position)
            turn = int(position.turn is Side.WHITE)
            if ply <= 3 and turn and key in self._ballots:
                opening = self._ballots[key]
            if position.kings != kings or moves[ply - 1].captures:
                kings = position.kings
                masses.add(mass_of(position))
            if (key, turn) in seen:
                continue
            seen.add((key, turn))
            code = 0
            if ply < len(moves):
                move = moves[ply]
                code = code_of(move, position.legal_moves if move.captures else ())
            self._places.append((key, number, turn, (ply << 17 | code) << 2 | result))
        self._masses += [(mass, number) for mass in masses]
        return opening

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
