"""A database as two verbs: `read` and `write`, each one transaction that may be tried again.

SQLite keeps all in one file in WAL mode, where readers never wait; one write happens at a time.
PostgreSQL writes side by side under row locks, which every transaction takes in one order: seeks,
games, users, accounts, each sorted.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Literal, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import StaticPool

from kingme.errors import Refusal, Unavailable

__all__ = ["Database", "Kind", "database_url"]

Kind = Literal["sqlite", "postgresql"]
T = TypeVar("T")

Way = Callable[[Callable[[Connection], T], dict[str, bool]], T]

# What a statement is given may be a secret, and messages of errors go to logs.
POOL: dict[str, Any] = {
    "pool_size": 8,
    "max_overflow": 8,
    "pool_timeout": 5,
    "hide_parameters": True,
}
TRIES = 6
BUSY_MS = 5_000
# Deadlock, and a transaction that cannot be put in an order with another.
AGAIN = frozenset({"40P01", "40001"})
POSTGRES_OPTIONS = " ".join(
    f"-c {option}"
    for option in (
        "synchronous_commit=on",
        "timezone=UTC",
        "lock_timeout=5s",
        "statement_timeout=30s",
        # A process that is frozen in a transaction holds up the others no longer than this.
        "idle_in_transaction_session_timeout=3s",
    )
)

# A machine that is gone without a word is noticed within seconds.
POSTGRES_PATIENCE = {
    "application_name": "kingme",
    "connect_timeout": "5",
    "tcp_user_timeout": "10000",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
}


def database_url(text: str) -> URL:
    """The address of a database: ``sqlite:///PATH`` or ``postgresql://USER@HOST/NAME``."""
    try:
        url = make_url(text)
    except ArgumentError:
        url = None
    if url is not None and url.drivername == "sqlite":
        return url
    if url is not None and url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    raise Refusal(
        "bad_database",
        "The database is named as sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME.",
    )


class Database:
    """A pool of connections to one database, which recovers by itself when that comes back."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.kind: Kind = "sqlite" if url.drivername == "sqlite" else "postgresql"
        self.in_memory = self.kind == "sqlite" and url.database in (None, "", ":memory:")
        # One process writes to SQLite from one thread at a time; waiting for this lock is cheap,
        # where SQLite's own waiting is a sleep. In memory all share one connection.
        self._writing = threading.RLock()
        self.engine = self._sqlite() if self.kind == "sqlite" else self._postgresql()
        options: dict[str, Any] = {"kingme": "read"}
        if self.kind == "postgresql":
            options = {"isolation_level": "AUTOCOMMIT"}
        self._reading = self.engine.execution_options(**options)
        self._writes = self.engine.execution_options(kingme="write")

    def read(self, work: Callable[[Connection], T]) -> T:
        """Look something up, without a transaction: each statement sees what is committed."""
        return self._attempt(work, self._lookup)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Change something in one transaction; `work` may be called again, so it only collects.

        After this returns the change is on disk. ``Unavailable`` where that is not known.
        """
        return self._attempt(work, self._transaction)

    def snapshot(self, work: Callable[[Connection], T]) -> T:
        """Look up many things as they stood at one moment."""
        return self._attempt(work, self._snapshot)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    def _sqlite(self) -> Engine:
        if self.in_memory:
            engine = create_engine(
                "sqlite://",
                poolclass=StaticPool,
                connect_args={"check_same_thread": False},
                hide_parameters=True,
            )
        else:
            engine = create_engine(self.url, **POOL)
            event.listen(engine, "do_connect", self._own_file)
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine

    def _own_file(self, *_: object) -> None:
        """Make the file before SQLite does, for its owner alone: it holds hashes of passwords.

        ``OSError`` where it cannot be: that is for the operator, and no reason to try again.
        """
        path = Path(str(self.url.database))
        if not path.exists() and not str(path).startswith("file:"):
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))

    def _postgresql(self) -> Engine:
        given = dict(self.url.query)
        options = f"{POSTGRES_OPTIONS} {given.pop('options', '')}".strip()
        patience = {key: POSTGRES_PATIENCE[key] for key in POSTGRES_PATIENCE.keys() - given.keys()}
        return create_engine(
            self.url.set(query=given),
            **POOL,
            pool_recycle=1800,
            connect_args=patience | {"options": options},
        )

    def _attempt(self, work: Callable[[Connection], T], way: Way[T]) -> T:
        for last in (*[False] * (TRIES - 1), True):
            phase: dict[str, bool] = {}
            try:
                return way(work, phase)
            except (IntegrityError, ProgrammingError):
                raise
            except (DataError, UnicodeEncodeError, OverflowError) as error:
                raise Refusal("bad_value", "This text or number cannot be kept.") from error
            except DBAPIError as error:
                if last or not _worth_another_try(error, committing="committing" in phase):
                    raise Unavailable(_reason(error)) from error
            except PoolTimeout as error:
                raise Unavailable("All connections to the database are busy.") from error
        raise AssertionError("the last try returned nothing")

    def _lookup(self, work: Callable[[Connection], T], phase: dict[str, bool]) -> T:
        with self._alone(self.in_memory), self._reading.connect() as connection:
            return work(connection)

    def _snapshot(self, work: Callable[[Connection], T], phase: dict[str, bool]) -> T:
        level = {"isolation_level": "REPEATABLE READ"} if self.kind == "postgresql" else {}
        engine = self.engine.execution_options(**level)
        with self._alone(self.in_memory), engine.begin() as connection:
            return work(connection)

    def _transaction(self, work: Callable[[Connection], T], phase: dict[str, bool]) -> T:
        with self._alone(self.kind == "sqlite"), self._writes.connect() as connection:
            with connection.begin() as transaction:
                result = work(connection)
                phase["committing"] = True
                transaction.commit()
            return result

    def _alone(self, needed: bool) -> AbstractContextManager[object]:
        return self._writing if needed else nullcontext()


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # Transactions begin where _begin_sqlite says so, not where the driver guesses.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    _keep_wal(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    # What hot pages cost is paid once for all their changes since the last checkpoint.
    connection.execute("PRAGMA wal_autocheckpoint = 4000")


def _keep_wal(connection: sqlite3.Connection) -> None:
    """Have the file in WAL mode, which it stays in.

    Of several that turn over a new file at once (or one that was restored) SQLite refuses all but
    one without waiting, as each holds it open to be read; a transaction waits for that one.
    """
    for last in (*[False] * (TRIES - 1), True):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if last or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        else:
            return
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("COMMIT")


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that will write takes its place at once: it could not after having read.
    match connection.get_execution_options().get("kingme"):
        case "write":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        case None:
            connection.exec_driver_sql("BEGIN")


def _worth_another_try(error: DBAPIError, *, committing: bool) -> bool:
    """Whether the transaction surely did not happen, and would if tried again."""
    if getattr(error.orig, "sqlstate", None) in AGAIN:
        return True
    # A pooled connection that died while nobody used it: the next one is new.
    return error.connection_invalidated and not committing


def _reason(error: DBAPIError) -> str:
    lines = str(error.orig).strip().splitlines() or [type(error.orig).__name__]
    return f"The database does not answer: {lines[0]}"
