"""Lists of games: of a player or of all, being played or over."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, Select, select, union_all
from sqlalchemy.sql import ColumnElement

from kingme.errors import KingmeError
from kingme.play.events import Started, decode
from kingme.play.ports import GameRow, Result
from kingme.rules.variant import Side
from kingme.store.schema import events, games

__all__ = ["find"]

PLAYING = games.c.status == "playing"
DONE = games.c.status != "playing"


def find(
    connection: Connection,
    player: int | None,
    active: bool | None,
    public: bool,
    before: int | None,
    limit: int,
) -> list[GameRow]:
    """Games by last change, newest first; more than `limit` where the last have the same time."""
    where: list[ColumnElement[bool]] = []
    if public:
        where.append(games.c.private.is_(False))
    if before is not None:
        where.append(games.c.updated < before)
    rows = _page(connection, player, active, where, limit)
    if len(rows) == limit > 0:
        last = rows[-1].updated
        ties = [*where, games.c.updated == last]
        rows = [row for row in rows if row.updated > last]
        rows += _page(connection, player, active, ties, None)
    return [_game(row) for row in rows]


def _page(
    connection: Connection,
    player: int | None,
    active: bool | None,
    where: list[ColumnElement[bool]],
    limit: int | None,
) -> list[Row[Any]]:
    """One query made of parts that an index answers each: by seat, and by whether it is over."""
    seats = [[]] if player is None else [[games.c.black == player], [games.c.white == player]]
    states = {None: [PLAYING, DONE], True: [PLAYING], False: [DONE]}[active]
    parts: list[Select[Any]] = [
        select(
            select(games.c.id, games.c.updated)
            .where(*seat, state, *where)
            .order_by(games.c.updated.desc(), games.c.id)
            .limit(limit)
            .subquery()
        )
        for seat in seats
        for state in states
    ]
    chosen = union_all(*parts).subquery()
    query = (
        select(games, events.c.data)
        .join(chosen, chosen.c.id == games.c.id)
        .join(events, (events.c.game == games.c.id) & (events.c.version == 1))
        .order_by(games.c.updated.desc(), games.c.id)
        .limit(limit)
    )
    return list(connection.execute(query).all())


def _game(row: Row[Any]) -> GameRow:
    started = decode(row.data.encode())
    if not isinstance(started, Started):
        raise KingmeError(f"The log of game {row.id} does not begin with its start.")
    result = None
    if row.termination is not None:
        result = Result(Side(row.winner) if row.winner else None, row.termination)
    return GameRow(row.id, row.version, row.plies, started, row.updated, result)
