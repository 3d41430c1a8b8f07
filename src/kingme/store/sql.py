"""The store: one database, and what each part of the game keeps in it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from kingme.errors import Refusal
from kingme.store import backups
from kingme.store.database import Database, Kind, database_url
from kingme.store.games import SqlGames
from kingme.store.ledger import SqlLedger
from kingme.store.schema import HEAD
from kingme.store.seeks import SqlSeeks
from kingme.store.service import SqlService
from kingme.store.users import SqlSessions, SqlUsers

__all__ = ["Store", "open_store"]

MIGRATING = 7_305_174_928
"""The lock that PostgreSQL keeps while one process migrates and the others wait."""


class Store:
    """Everything that has to last. Any number of processes may have one on the same database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.kind: Kind = database.kind
        self.games = SqlGames(database)
        self.seeks = SqlSeeks(database)
        self.users = SqlUsers(database)
        self.sessions = SqlSessions(database)
        self.ledger = SqlLedger(database)
        self.service = SqlService(database)

    def migrate(self) -> None:
        """Bring the tables up to date; safe when several processes start at once.

        ``Refusal`` where a newer version of the program made them.
        """
        if self._database.read(_revision) != HEAD:
            self._database.write(_migrate)

    def backup(self, path: Path) -> None:
        """Write all as it stands at one moment into a new file, while the store is in use."""
        backups.backup(self._database, path)

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()


def open_store(url: str) -> Store:
    """A store on ``sqlite:///PATH`` or ``postgresql://USER@HOST/NAME``; `migrate` it first.

    ``sqlite://`` keeps all in memory, for tests. Nothing is connected yet; ``Refusal`` where the
    address is none of these.
    """
    return Store(Database(database_url(url)))


def _revision(connection: Connection) -> str | None:
    """The last migration that was run; None where there are no tables."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(
        text("SELECT version_num FROM alembic_version")
    ).scalar()
    return revision


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        # Waiting for another process to migrate, and loading alembic, may take their time.
        for timeout in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"):
            connection.execute(text(f"SET LOCAL {timeout} = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
    current = _revision(connection)
    if current == HEAD:
        return
    # Slow to import, and seldom needed.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "kingme.store:migrations")
    config.set_main_option("path_separator", "os")
    known = {step.revision for step in ScriptDirectory.from_config(config).walk_revisions()}
    if current is not None and current not in known:
        raise Refusal(
            "newer_database",
            "A newer version of kingme has changed this database. Start that version instead.",
        )
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
