"""Heartbeats and outages, the audit trail, reports and mutes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, text, update

from kingme.play.ports import Outage
from kingme.store.database import Database
from kingme.store.ledger import ignoring
from kingme.store.schema import audit, mutes, outages, processes, reports

__all__ = ["SqlService"]

EVERYBODY = ""
"""The row of `processes` that says when any process lived last."""

LATEST = 50

_NEWEST = select(outages).order_by(outages.c.id.desc()).limit(LATEST)
_SOON = text("SET LOCAL lock_timeout = '500ms'")
_TIME = text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")
_SINCE = select(outages).where(outages.c.until > bindparam("since")).order_by(outages.c.id)
_LAST = select(processes.c.at).where(processes.c.name == bindparam("process")).with_for_update()
_NOTE = (
    update(processes).where(processes.c.name == bindparam("process")).values(at=bindparam("now"))
)
_MUTED = select(mutes.c.user_id, mutes.c.other).where(
    mutes.c.user_id.in_(bindparam("ids", expanding=True))
)
FORGOTTEN_MS = 86_400_000


class SqlService:
    """What the server notes about itself and about conduct."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def beat(self, process: str, now: int, gap: int) -> list[Outage]:
        """Record that a process lives; returns the latest outages, oldest first.

        Where no process had recorded anything for `gap` ms, that time becomes an outage, once.
        """

        def work(connection: Connection) -> list[Outage]:
            if connection.dialect.name == "postgresql":
                # Rather no beat than a late one.
                connection.execute(_SOON)
            last = _everybody(connection, now)
            if now - last > gap:
                connection.execute(insert(outages).values(since=last, until=now))
            if now > last:
                _note(connection, EVERYBODY, now)
            _note(connection, process, now)
            rows = connection.execute(_NEWEST).all()
            return [Outage(row.id, row.since, row.until) for row in reversed(rows)]

        return self._database.write(work)

    def time(self) -> int | None:
        """What time it is on the machine of the database; None where that is this machine."""
        if self._database.kind == "sqlite":
            return None
        at: int = self._database.read(lambda connection: connection.execute(_TIME).scalar_one())
        return at

    def outages(self, since: int) -> list[Outage]:
        """The outages that were not over by `since`, oldest first."""
        wanted = {"since": since}
        rows = self._database.read(lambda connection: connection.execute(_SINCE, wanted).all())
        return [Outage(row.id, row.since, row.until) for row in rows]

    def audit(self, at: int, actor: str, action: str, subject: str, detail: str = "") -> None:
        """Note what an operator did."""
        query = insert(audit).values(
            at=at, actor=actor, action=action, subject=subject, detail=detail
        )
        self._database.write(lambda connection: connection.execute(query))

    def trail(self, limit: int = 100) -> list[dict[str, object]]:
        """The audit trail, newest first."""
        return self._newest(audit, limit)

    def report(self, at: int, by: int, about: int, game: str | None, text: str) -> None:
        """Keep a player's report about another."""
        query = insert(reports).values(at=at, by=by, about=about, game=game, text=text)
        self._database.write(lambda connection: connection.execute(query))

    def reports(self, limit: int = 100) -> list[dict[str, object]]:
        """The reports, newest first."""
        return self._newest(reports, limit)

    def mute(self, user: int, other: int, on: bool) -> None:
        """Hide what `other` says from `user`, or no longer."""

        def work(connection: Connection) -> None:
            pair = (mutes.c.user_id == user) & (mutes.c.other == other)
            connection.execute(delete(mutes).where(pair))
            if on:
                connection.execute(ignoring(connection, mutes), {"user_id": user, "other": other})

        self._database.write(work)

    def muted(self, user: int) -> frozenset[int]:
        """Whom a user has muted."""
        return self.muted_by([user])[user]

    def muted_by(self, users: Collection[int]) -> dict[int, frozenset[int]]:
        """Whom each of these users has muted."""
        wanted = {"ids": list(users)}
        rows = self._database.read(lambda connection: connection.execute(_MUTED, wanted).all())
        found: dict[int, set[int]] = {user: set() for user in users}
        for user, other in rows:
            found[user].add(other)
        return {user: frozenset(others) for user, others in found.items()}

    def _newest(self, table: Any, limit: int) -> list[dict[str, object]]:
        query = select(table).order_by(table.c.id.desc()).limit(limit)
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        return [dict(row) for row in rows]


def _everybody(connection: Connection, now: int) -> int:
    """When any process lived last, held until the transaction ends; `now` where none ever did."""
    everybody = {"process": EVERYBODY}
    at: int | None = connection.execute(_LAST, everybody).scalar()
    if at is None:
        connection.execute(ignoring(connection, processes), {"name": EVERYBODY, "at": now})
        at = connection.execute(_LAST, everybody).scalar_one()
    return at


def _note(connection: Connection, process: str, now: int) -> None:
    if connection.execute(_NOTE, {"process": process, "now": now}).rowcount:
        return
    connection.execute(ignoring(connection, processes), {"name": process, "at": now})
    connection.execute(
        delete(processes).where(processes.c.at < now - FORGOTTEN_MS, processes.c.name != EVERYBODY)
    )
