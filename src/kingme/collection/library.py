"""A collection of games as an object: what it holds, which games are such, what was played."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kingme.collection.file import CollectionError, Facts, connect, facts, readable
from kingme.collection.loading import Entry, Loader, unsqueezed
from kingme.collection.packing import paths
from kingme.collection.query import RESULTS, Query, conditions, material_of, often, place_of
from kingme.collection.reading import Loaded, Told, load
from kingme.collection.sources import Source, sources
from kingme.collection.tree import Tree, grow
from kingme.rules.history import History
from kingme.rules.position import Position
from kingme.rules.variant import VARIANTS, Side, Variant

__all__ = ["MOST", "Collection", "Found", "Page"]

MOST = 1000
"""The longest page of games."""

STEPS = 10_000
"""Steps of SQLite's machine, some tenths of a millisecond, after which the clock is looked at."""

_COLUMNS = (
    "g.id, g.variant, b.name, w.name, e.name, g.site, g.round, g.date, g.result, g.said, "
    "g.opening, g.plies"
)
_NAMES = (
    "JOIN person b ON b.id = g.black JOIN person w ON w.id = g.white JOIN event e ON e.id = g.event"
)
_WORDS = {number: word for word, number in RESULTS.items()}


@dataclass(frozen=True, slots=True)
class Found:
    """A game in a list. ``result`` is black, white, draw or none, and ``said`` as it was written.

    Where a position was asked for, ``ply`` says after how many plies it came, and ``reversed``
    that it came with the colours changed.
    """

    id: int
    variant: str
    black: str
    white: str
    event: str
    site: str
    round: str
    date: str
    result: str
    said: str
    opening: int | None
    plies: int
    ply: int | None = None
    reversed: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """Some games in the order in which they were added; ``after`` asks for the next, if any."""

    games: tuple[Found, ...]
    after: int | None


class Collection:
    """Games in one SQLite file.

    Opened for reading unless ``write`` is said; then the file is made where it is not there.
    What is asked later than ``seconds`` from now is given up.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Collection(Path(folder) / "games.db", write=True) as games:
    ...         entry = Entry("", History.start().play("11-15").play("23-19"), Side.BLACK)
    ...         _ = games.add([entry])
    ...         [(str(b.move), b.score) for b in games.tree(Position.start()).branches]
    [('11-15', 1.0)]
    """

    def __init__(
        self, path: str | Path, *, write: bool = False, seconds: float | None = None
    ) -> None:
        self.path = Path(path)
        self._connection = connect(self.path, write=write)
        if seconds is not None:
            ends = time.monotonic() + seconds
            self._connection.set_progress_handler(lambda: time.monotonic() > ends, STEPS)

    def __enter__(self) -> Collection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @property
    def facts(self) -> Facts:
        """How much there is."""
        with readable(self.path):
            return facts(self._connection)

    def add(self, entries: Iterable[Entry], batch: int = 5000) -> int:
        """Add games that were not read from a file; return how many were new."""
        added = 0
        with readable(self.path):
            loader = Loader(self._connection)
            loader.begin()
            try:
                for entry in entries:
                    added += loader.add(entry)
                    if loader.waiting >= batch:
                        loader.flush()
                        loader.begin()
                loader.flush()
            except BaseException:
                loader.drop()
                raise
            loader.finish()
        return added

    def load(
        self,
        found: Iterable[str | Source],
        told: Told | None = None,
        *,
        default: Variant | None = None,
        finish: bool = True,
    ) -> list[Loaded]:
        """Add the games of files, archives or standard input (``-``); return what each brought.

        ``default`` is the variant of games that do not say theirs, English draughts where there
        is none. Without ``finish``, :meth:`finish` is to be called when all are there.
        """
        loaded: list[Loaded] = []
        with readable(self.path):
            loader = Loader(self._connection)
            for name in found:
                several = sources([name], twice=True) if isinstance(name, str) else [name]
                loaded += [
                    load(loader, self._connection, source, told, default) for source in several
                ]
            if finish:
                loader.finish()
        return loaded

    def finish(self) -> None:
        """Bring the counts of much played positions up to date, so that the tree stays quick."""
        with readable(self.path):
            Loader(self._connection).finish()

    def search(self, query: Query, *, limit: int = 50, after: int = 0) -> Page:
        """Return the games that a query asks for, from after a game's number on."""
        limit = max(1, min(limit, MOST))
        with readable(self.path):
            singly = bool(query.material) and often(self._connection, query.material)
        clauses, values, origin, column = self._asked(query, singly=singly)
        place = "p.fact >> 19, p.turn" if query.position else "NULL, NULL"
        where = " AND ".join([*clauses, f"{column} > ?"])
        sql = (
            f"SELECT {_COLUMNS}, {place} FROM {origin} {_NAMES} WHERE {where} "
            f"ORDER BY {column} LIMIT ?"
        )
        with readable(self.path):
            found = self._connection.execute(sql, (*values, after, limit + 1))
            rows = [_found(row, query) for row in found]
        more = len(rows) > limit
        return Page(tuple(rows[:limit]), rows[limit - 1].id if more else None)

    def count(self, query: Query) -> int:
        """Return how many games a query asks for."""
        clauses, values, origin, _ = self._asked(query)
        where = " AND ".join(clauses) or "1"
        with readable(self.path):
            sql = f"SELECT count(*) FROM {origin} WHERE {where}"
            return int(self._connection.execute(sql, values).fetchone()[0])

    def tree(self, query: Query | Position) -> Tree:
        """Return what was played in a position, over the games that meet the rest of a query."""
        if isinstance(query, Position):
            query = Query(position=query)
        with readable(self.path):
            return grow(self._connection, query)

    def text(self, number: int) -> str:
        """Return the PDN of a game, with all that it came with."""
        with readable(self.path):
            sql = "SELECT text FROM game WHERE id = ?"
            row = self._connection.execute(sql, (number,)).fetchone()
        if row is None:
            raise CollectionError(f"there is no game {number} in {self.path}")
        return unsqueezed(row[0])

    def history(self, number: int) -> History:
        """Return what was played in a game."""
        with readable(self.path):
            sql = "SELECT variant, start, moves FROM game WHERE id = ?"
            row = self._connection.execute(sql, (number,)).fetchone()
        if row is None:
            raise CollectionError(f"there is no game {number} in {self.path}")
        variant = VARIANTS[row[0]]
        position = (
            Position.from_fen(row[1], variant, strict=False) if row[1] else Position.start(variant)
        )
        history = History.start(position)
        for path in paths(row[2]):
            move = next(move for move in history.position.legal_moves if move.path == path)
            history = history.play(move)
        return history

    def texts(self, query: Query) -> Iterator[str]:
        """Yield the PDN of every game that a query asks for."""
        after: int | None = 0
        while after is not None:
            page = self.search(query, limit=MOST, after=after)
            yield from (self.text(game.id) for game in page.games)
            after = page.after

    def _asked(
        self, query: Query, *, singly: bool = False
    ) -> tuple[list[str], list[str | int], str, str]:
        """The clauses of a query, their values, the tables, and the column of a game's number."""
        clauses: list[str] = []
        values: list[str | int] = []
        origin = "game g"
        column = "g.id"
        if query.position is not None:
            clause, bound = place_of(query)
            clauses.append(clause)
            origin = "place p CROSS JOIN game g ON g.id = p.game"
            values += bound
            column = "p.game"
        elif query.material and (material := material_of(query.material)).whole:
            clauses.append("m.mass = ?")
            origin = "mass m CROSS JOIN game g ON g.id = m.game"
            values.append(material.number)
            column = "m.game"
        for clause, bound in conditions(query, column, singly=singly):
            clauses.append(clause)
            values += bound
        return clauses, values, origin, column


def _found(row: tuple[Any, ...], query: Query) -> Found:
    *columns, ply, turn = row
    columns[8] = _WORDS[columns[8]]
    turned = query.position is not None and turn != int(query.position.turn is Side.WHITE)
    return Found(*(*columns, ply, turned))
