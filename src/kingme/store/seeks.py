"""The open seeks; which one becomes a game is decided under their locks."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from sqlalchemy import Connection, bindparam, delete, select, update

from kingme.play.ports import NewGame, Seek
from kingme.store.beginnings import begin, close_live, is_begun
from kingme.store.database import Database
from kingme.store.ledger import ignoring
from kingme.store.schema import seeks

__all__ = ["SqlSeeks"]

_OPEN = (
    select(seeks.c.data, seeks.c.expires)
    .where(seeks.c.expires > bindparam("now"))
    .order_by(seeks.c.created, seeks.c.id)
)
_VISIBLE = _OPEN.where(
    seeks.c.code.is_(None) | seeks.c.owner.in_(bindparam("owners", expanding=True))
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Seek)


class SqlSeeks:
    """The seeks in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, seek: Seek) -> None:
        """Add a seek."""
        row = {
            "id": seek.id,
            "owner": seek.owner,
            "live": seek.control.kind != "days",
            "code": seek.code,
            "created": seek.created,
            "expires": seek.expires,
            "data": _encoder.encode(seek).decode(),
        }

        def work(connection: Connection) -> None:
            connection.execute(ignoring(connection, seeks), row)

        self._database.write(work)

    def close(self, seek: str, owner: int) -> bool:
        """Remove one's own seek; False where it is gone already."""
        query = delete(seeks).where(seeks.c.id == seek, seeks.c.owner == owner)
        return self._database.write(lambda connection: connection.execute(query).rowcount) > 0

    def seeks(self, now: int, private: Collection[int] | None = None) -> list[Seek]:
        """Those that are open, oldest first: all, or of the private ones those of some owners."""
        query = _OPEN if private is None else _VISIBLE
        wanted = {"now": now, "owners": list(private or ())}
        rows = self._database.read(lambda connection: connection.execute(query, wanted).all())
        return [
            msgspec.structs.replace(_decoder.decode(row.data), expires=row.expires) for row in rows
        ]

    def take(self, seek: str, new: NewGame, also: Collection[str] = ()) -> bool:
        """Turn a seek into a game, once; False where it is gone. ``NotEnoughChips`` as in `create`.

        Other seeks of the two players with a live clock close with it, where the game has one.
        `also` names seeks that have to be open too, such as the taker's own.
        """
        return self._database.write(lambda connection: _take(connection, {seek, *also}, seek, new))

    def prolong(self, owners: Collection[int], expires: int) -> None:
        """Keep the seeks of these owners open until then, those that would not be longer."""
        query = (
            select(seeks.c.id)
            .where(seeks.c.owner.in_(owners), seeks.c.expires < expires)
            .order_by(seeks.c.id)
            .with_for_update()
        )

        def work(connection: Connection) -> None:
            if found := connection.execute(query).scalars().all():
                connection.execute(
                    update(seeks).where(seeks.c.id.in_(found)).values(expires=expires)
                )

        if owners:
            self._database.write(work)

    def purge(self, now: int) -> int:
        """Remove the expired ones; returns how many."""
        expired = (
            select(seeks.c.id)
            .where(seeks.c.expires <= now)
            .order_by(seeks.c.id)
            .with_for_update(skip_locked=True)
        )

        def work(connection: Connection) -> int:
            found = connection.execute(expired).scalars().all()
            if found:
                connection.execute(delete(seeks).where(seeks.c.id.in_(found)))
            return len(found)

        return self._database.write(work)


def _take(connection: Connection, needed: Collection[str], seek: str, new: NewGame) -> bool:
    started = new.started
    pair = (started.black, started.white)
    query = (
        select(seeks.c.id, seeks.c.expires)
        .where(seeks.c.id.in_(needed) | seeks.c.owner.in_(pair))
        .order_by(seeks.c.id)
        .with_for_update()
    )
    found = connection.execute(query).all()
    if not set(needed) <= {row.id for row in found if row.expires > started.at}:
        # The answer to a call whose first answer was lost is the same.
        return is_begun(connection, new)
    connection.execute(delete(seeks).where(seeks.c.id.in_(needed)))
    close_live(connection, started)
    begin(connection, new)
    return True
