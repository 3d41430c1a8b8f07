"""Copies of a whole database, and the way back.

A backup of SQLite is a database file; one of PostgreSQL is an archive of `pg_dump`. Both are
checked before they are believed, and nothing is replaced unless that was asked for.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL

from kingme.errors import Refusal, Unavailable
from kingme.store.database import Database, database_url

__all__ = ["backup", "restore"]

SQLITE, POSTGRES = b"SQLite format 3\0", b"PGDMP"
OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)


def backup(database: Database, path: Path) -> None:
    """Write all as it stands at one moment into the new file `path`, which its owner alone reads.

    The database may be in use meanwhile. ``Refusal`` where the file is there already.
    """
    if database.in_memory:
        raise Refusal("in_memory", "What is kept in memory has no backup.")
    with _new_file(path) as part:
        if database.kind == "postgresql":
            command = ("pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--file")
            _run(database.url, *command, str(part))
            _check_archive(part)
        else:
            _copy_sqlite(database, part)
            _check_file(part)


def restore(url: str, path: Path, *, overwrite: bool = False) -> None:
    """Put the backup at `path` in the place of the database `url`, which nobody may be using.

    ``Refusal`` where `path` is no good backup of this kind of database, and where the database is
    not empty, unless `overwrite`. A file of SQLite that is replaced is kept as NAME.replaced.
    """
    target = database_url(url)
    try:
        with path.open("rb") as file:
            start = file.read(len(SQLITE))
    except OSError as error:
        raise Refusal("no_backup", f"{path} cannot be read: {error.strerror}.") from error
    if target.drivername == "sqlite":
        if start != SQLITE:
            raise Refusal("no_backup", f"{path} is no backup of an SQLite database.")
        _check_file(path)
        _restore_sqlite(Path(str(target.database)), path, overwrite)
    else:
        if not start.startswith(POSTGRES):
            raise Refusal("no_backup", f"{path} is no backup of a PostgreSQL database.")
        _check_archive(path)
        _restore_postgres(target, path, overwrite)


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """A file to write beside `path`, which becomes `path` when all of it is on disk."""
    if path.exists():
        raise Refusal("file_exists", f"{path} is there already; nothing was written.")
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.rename(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _copy_sqlite(database: Database, part: Path) -> None:
    def work(connection: Connection) -> None:
        # In one read transaction: writers go on beside it.
        connection.exec_driver_sql("VACUUM INTO ?", (str(part),))

    database.read(work)


def _check_file(path: Path) -> None:
    """``Refusal`` unless this is a whole database of ours."""
    trouble = "it holds no games"
    try:
        uri = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if said != "ok":
                trouble = str(said)
            elif connection.execute("PRAGMA foreign_key_check").fetchone():
                trouble = "parts of it are missing"
            elif connection.execute("SELECT version_num FROM alembic_version").fetchone():
                connection.execute("SELECT count(*) FROM games").fetchone()
                return
    except sqlite3.DatabaseError as error:
        trouble = str(error)
    raise Refusal("no_backup", f"{path} is no good backup: {trouble}.")


def _check_archive(path: Path) -> None:
    """``Refusal`` unless this is an archive with our tables."""
    listed = _run(None, "pg_restore", "--list", str(path))
    if not all(f"TABLE DATA public {name} " in listed for name in ("games", "alembic_version")):
        raise Refusal("no_backup", f"{path} is no good backup: it holds no games.")


def _restore_sqlite(target: Path, path: Path, overwrite: bool) -> None:
    if target.exists() and target.stat().st_size:
        if not overwrite:
            raise Refusal("not_empty", f"{target} is there already; nothing was changed.")
        if _in_use(target):
            raise Refusal("in_use", f"{target} is in use; stop the server first.")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    try:
        shutil.copyfile(path, part)
        part.chmod(0o600)
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        for ending in ("", "-wal", "-shm"):
            old = target.with_name(target.name + ending)
            if old.exists():
                old.replace(target.with_name(f"{target.name}.replaced{ending}"))
        part.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise Unavailable(f"{target} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)


def _in_use(target: Path) -> bool:
    """Whether anybody has this database open; a file that is no database is not in use."""
    try:
        with closing(sqlite3.connect(target, timeout=1, isolation_level=None)) as connection:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    except sqlite3.DatabaseError:
        return False
    return False


def _restore_postgres(target: URL, path: Path, overwrite: bool) -> None:
    database = Database(target)
    try:
        tables, others = database.read(_look)
    finally:
        database.close()
    if others:
        raise Refusal("in_use", "The database is in use; stop the servers first.")
    if tables and not overwrite:
        raise Refusal("not_empty", "The database is not empty; nothing was changed.")
    options = ("--clean", "--if-exists", "--no-owner", "--no-privileges")
    _run(target, "pg_restore", *options, "--single-transaction", "--exit-on-error", str(path))


def _look(connection: Connection) -> tuple[list[str], int]:
    others = connection.execute(OTHERS).scalar_one()
    return inspect(connection).get_table_names(), others


def _run(url: URL | None, program: str, *arguments: str) -> str:
    """Run one of PostgreSQL's programs; what it printed. Its arguments hold no password."""
    if not shutil.which(program):
        raise Refusal(
            "no_program", f"{program} is not installed; it comes with PostgreSQL's client."
        )
    environment, where = dict(os.environ), []
    if url is not None:
        if url.password:
            environment["PGPASSWORD"] = str(url.password)
        where_is = (url.host, url.port, url.database, url.query)
        plain = URL.create("postgresql", url.username, None, *where_is)
        where = ["--dbname", plain.render_as_string(hide_password=False)]
    done = subprocess.run(
        [program, *where, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["it said nothing"]
        raise Unavailable(f"{program} failed: {said[0]}")
    return done.stdout
