"""How a game begins, within the transaction that makes it: alone, from a seek, or as a rematch."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, insert, select

from kingme.errors import Refusal
from kingme.play.events import Started, decode, encode
from kingme.play.ports import NewGame
from kingme.play.stakes import open_bookings
from kingme.store.ledger import post
from kingme.store.schema import events, games, seeks

__all__ = ["begin", "close_live", "is_begun", "is_live"]

_BEGIN = insert(games)
_INSERT = insert(events)
_START = select(events.c.data).where(events.c.game == bindparam("of"), events.c.version == 1)
_LIVE = (
    select(seeks.c.id)
    .where(seeks.c.owner.in_(bindparam("owners", expanding=True)), seeks.c.live.is_(True))
    .order_by(seeks.c.id)
    .with_for_update()
)
_CLOSE = delete(seeks).where(seeks.c.id.in_(bindparam("ids", expanding=True)))


def begin(connection: Connection, new: NewGame) -> None:
    """Make a game within a transaction; its stakes go into escrow."""
    started = new.started
    row = {
        "id": new.id,
        "black": started.black,
        "white": started.white,
        "version": 1,
        "plies": 0,
        "status": "playing",
        "deadline": new.deadline,
        "created": started.at,
        "updated": started.at,
        "speed": started.control.speed,
        "rated": started.rated,
        "private": started.private,
        "stake": started.terms.stake,
        "settled": False,
    }
    connection.execute(_BEGIN, row)
    first = {"game": new.id, "version": 1, "ply": None, "data": encode(started).decode()}
    connection.execute(_INSERT, first)
    post(connection, open_bookings(new.id, started, started.at))


def is_begun(connection: Connection, new: NewGame) -> bool:
    """Whether this very game was made before; ``Refusal`` where its id belongs to another."""
    data = connection.execute(_START, {"of": new.id}).scalar()
    if data is None:
        return False
    if decode(data.encode()) != new.started:
        raise Refusal("id_taken", "Another game has this id.")
    return True


def is_live(started: Started) -> bool:
    """Whether both players sit at the board: nobody does that at two boards at once."""
    return started.control.kind != "days"


def close_live(connection: Connection, started: Started) -> None:
    """Close the seeks with a live clock of two players who begin a game with one."""
    if is_live(started):
        owners = {"owners": [started.black, started.white]}
        if found := connection.execute(_LIVE, owners).scalars().all():
            connection.execute(_CLOSE, {"ids": list(found)})
