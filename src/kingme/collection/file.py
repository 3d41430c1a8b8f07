"""A collection is one SQLite file: its tables, and how it is opened.

Games come one a row, with their moves packed. Every position that a game reaches is a row of
``place``, in the order of keys, so that the games of a position lie side by side; likewise the
material in ``mass``. Of positions that very many games reach, ``branch`` keeps the counts of each
move up to the game named in ``busy``, and what came later is added when it is asked for.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kingme.errors import KingmeError

__all__ = ["CollectionError", "Facts", "connect", "facts", "readable"]

APPLICATION = 0x6B6D6763
"""What marks a file of SQLite as a collection: "kmgc"."""

VERSION = 2
CACHE_KIB = 128 * 1024

SCHEMA = """
CREATE TABLE IF NOT EXISTS person (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS event (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS game (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    variant TEXT NOT NULL,
    black INTEGER NOT NULL REFERENCES person,
    white INTEGER NOT NULL REFERENCES person,
    event INTEGER NOT NULL REFERENCES event,
    site TEXT NOT NULL,
    round TEXT NOT NULL,
    date TEXT NOT NULL,
    day INTEGER,
    result INTEGER NOT NULL,
    said TEXT NOT NULL,
    opening INTEGER,
    plies INTEGER NOT NULL,
    start TEXT,
    moves BLOB NOT NULL,
    text BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS game_black ON game (black);
CREATE INDEX IF NOT EXISTS game_white ON game (white);
CREATE INDEX IF NOT EXISTS game_event ON game (event);
CREATE INDEX IF NOT EXISTS game_day ON game (day);
CREATE INDEX IF NOT EXISTS game_opening ON game (opening) WHERE opening IS NOT NULL;
CREATE TABLE IF NOT EXISTS place (
    key INTEGER NOT NULL,
    game INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    fact INTEGER NOT NULL,
    PRIMARY KEY (key, game, turn)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mass (
    mass INTEGER NOT NULL,
    game INTEGER NOT NULL,
    PRIMARY KEY (mass, game)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS branch (
    key INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    fact INTEGER NOT NULL,
    games INTEGER NOT NULL,
    PRIMARY KEY (key, turn, fact)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS busy (key INTEGER PRIMARY KEY, upto INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS source (
    digest BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    games INTEGER NOT NULL,
    added INTEGER NOT NULL,
    faulty INTEGER NOT NULL,
    resume INTEGER NOT NULL,
    finished INTEGER NOT NULL
) WITHOUT ROWID;
"""


class CollectionError(KingmeError):
    """A collection that cannot be read or asked so, with the reason.

    ``private``: the reason is about the file itself, and names it.
    """

    def __init__(self, message: str, *, private: bool = False) -> None:
        super().__init__(message)
        self.private = private


@dataclass(frozen=True, slots=True)
class Facts:
    """What a collection holds: ``first`` and ``last`` are the years of its games, if known."""

    games: int
    players: int
    events: int
    plies: int
    first: int | None
    last: int | None
    black: int
    white: int
    draws: int
    variants: dict[str, int]
    files: int
    bytes: int


def connect(path: Path, *, write: bool = False) -> sqlite3.Connection:
    """Open the collection in a file, which is made where it may be written and is not there.

    Raises :class:`CollectionError` for a file that is none.
    """
    if not write and not path.is_file():
        raise CollectionError(
            f"there is no collection {path}: kingme db import makes one", private=True
        )
    mode = "rwc" if write else "ro"
    with readable(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=30
        )
        try:
            _prepare(connection, path, write)
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path, write: bool) -> None:
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if mark != APPLICATION and (tables or not write):
        raise CollectionError(f"{path} is a database, but no collection of games", private=True)
    if mark == APPLICATION and version != VERSION:
        raise CollectionError(
            f"{path} is a collection of another version of kingme ({version}, not {VERSION}): "
            "import its games again",
            private=True,
        )
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    if not write:
        connection.execute("PRAGMA query_only = 1")
        return
    connection.execute("PRAGMA synchronous = NORMAL")
    if not tables:
        # Another may do the same at this moment: the second one finds it done.
        connection.executescript(
            f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA application_id = {APPLICATION}; "
            f"PRAGMA user_version = {VERSION}; COMMIT;"
        )


@contextlib.contextmanager
def readable(path: Path) -> Iterator[None]:
    """Tell what SQLite finds wrong with a file as one sentence."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            raise CollectionError("this takes too long: ask for less") from None
        message = f"the collection {path} cannot be used: {error}"
        raise CollectionError(message, private=True) from None


def facts(connection: sqlite3.Connection) -> Facts:
    """Count what a collection holds."""

    def number(sql: str) -> int:
        return int(connection.execute(sql).fetchone()[0] or 0)

    first, last = connection.execute("SELECT min(day), max(day) FROM game WHERE day > 0").fetchone()
    results = dict(connection.execute("SELECT result, count(*) FROM game GROUP BY result"))
    variants = "SELECT variant, count(*) FROM game GROUP BY variant ORDER BY 2 DESC, 1"
    return Facts(
        games=number("SELECT count(*) FROM game"),
        players=number("SELECT count(*) FROM person WHERE name NOT IN ('', '?')"),
        events=number("SELECT count(*) FROM event WHERE name NOT IN ('', '?')"),
        plies=number("SELECT sum(plies) FROM game"),
        first=first and first // 10000,
        last=last and last // 10000,
        black=results.get(1, 0),
        white=results.get(2, 0),
        draws=results.get(3, 0),
        variants=dict(connection.execute(variants)),
        files=number("SELECT count(*) FROM source WHERE finished"),
        bytes=number("PRAGMA page_count") * number("PRAGMA page_size"),
    )
