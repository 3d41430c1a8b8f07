"""Lists of games: of a player or of all, being played or over."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, Literal

from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    Select,
    bindparam,
    func,
    literal_column,
    select,
    union,
    union_all,
)
from sqlalchemy.sql import ColumnElement

from kingme.errors import KingmeError
from kingme.play.events import Started, decode
from kingme.play.ports import GameRow, Result
from kingme.rules.variant import Side
from kingme.store.schema import events, games

__all__ = ["count", "find"]

# As texts, since no index with a condition is used for what a parameter may turn out to be.
PLAYING = games.c.status == literal_column("'playing'")
DONE = games.c.status != literal_column("'playing'")
ALL = 1_000_000
Whose = Literal["all", "one", "some"]


_COUNT = select(func.count()).select_from(games).where(PLAYING)


def count(connection: Connection) -> int:
    """How many games are being played."""
    number: int = connection.execute(_COUNT).scalar_one()
    return number


def find(
    connection: Connection,
    player: int | Collection[int] | None,
    active: bool | None,
    public: bool,
    before: int | None,
    limit: int,
) -> list[GameRow]:
    """Games by last change, newest first; more than `limit` where the last have the same time."""
    whose: Whose = "all" if player is None else "one" if isinstance(player, int) else "some"
    who = list(player) if isinstance(player, Collection) else player
    shape = (whose, active, public)
    wanted = {"player": who, "before": before, "most": limit}
    rows = connection.execute(_page(*shape, before is not None, False), wanted).all()
    if len(rows) == limit > 0:
        last = rows[-1].updated
        ties = connection.execute(_page(*shape, False, True), wanted | {"at": last, "most": ALL})
        rows = [*(row for row in rows if row.updated > last), *ties.all()]
    return [_game(row) for row in rows]


@cache
def _page(whose: Whose, active: bool | None, public: bool, before: bool, ties: bool) -> Select[Any]:
    """One query made of parts that an index answers each: by seat, and by whether it is over."""
    where: list[ColumnElement[bool]] = []
    if public:
        where.append(games.c.private.is_(False))
    if before:
        where.append(games.c.updated < bindparam("before"))
    if ties:
        where.append(games.c.updated == bindparam("at"))
    who: BindParameter[Any] = bindparam("player", expanding=whose == "some")
    seats: dict[Whose, list[list[ColumnElement[bool]]]] = {
        "all": [[]],
        "one": [[games.c.black == who], [games.c.white == who]],
        "some": [[games.c.black.in_(who)], [games.c.white.in_(who)]],
    }
    states = {None: [PLAYING, DONE], True: [PLAYING], False: [DONE]}[active]
    parts = [
        select(
            select(games.c.id, games.c.updated)
            .where(*seat, state, *where)
            .order_by(games.c.updated.desc(), games.c.id)
            .limit(bindparam("most"))
            .subquery()
        )
        for seat in seats[whose]
        for state in states
    ]
    # Two of some players may play one another.
    chosen = (union if whose == "some" else union_all)(*parts).subquery()
    return (
        select(games, events.c.data)
        .join(chosen, chosen.c.id == games.c.id)
        .join(events, (events.c.game == games.c.id) & (events.c.version == 1))
        .order_by(games.c.updated.desc(), games.c.id)
        .limit(bindparam("most"))
    )


def _game(row: Row[Any]) -> GameRow:
    started = decode(row.data.encode())
    if not isinstance(started, Started):
        raise KingmeError(f"The log of game {row.id} does not begin with its start.")
    result = None
    if row.termination is not None:
        result = Result(Side(row.winner) if row.winner else None, row.termination)
    return GameRow(row.id, row.version, row.plies, started, row.updated, result)
