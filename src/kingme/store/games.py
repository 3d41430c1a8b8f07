"""The event logs. A game changes under the lock of its row in `games`, version by version."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from kingme.errors import Refusal
from kingme.play.events import Event, Moved, Settled, TakenBack, decode, encode
from kingme.play.ports import Append, GameRow, NewGame, Result
from kingme.store.beginnings import begin, close_live, is_begun
from kingme.store.database import Database
from kingme.store.lists import count, find
from kingme.store.schema import events, games
from kingme.store.settling import settle

__all__ = ["SqlGames"]

CHUNK = 1000

# SQLAlchemy is quick with a statement that it has seen before, so the frequent ones are made once.
_INSERT = insert(events)
_EVENTS = (
    select(events.c.data)
    .where(events.c.game == bindparam("of"), events.c.version > bindparam("after"))
    .order_by(events.c.version)
)
_DUE = (
    select(games.c.id, games.c.deadline)
    .where(games.c.deadline <= bindparam("now"))
    .where(games.c.id.not_in(bindparam("but", expanding=True)))
    .order_by(games.c.deadline)
    .limit(bindparam("most"))
)
_SETTLED = select(events.c.game, events.c.data).where(
    events.c.game.in_(bindparam("ids", expanding=True)),
    events.c.data.like('{"kind":"settled",%'),
)
_VERSIONS = select(games.c.id, games.c.version).where(
    games.c.id.in_(bindparam("ids", expanding=True))
)
_LOCK = _VERSIONS.order_by(games.c.id).with_for_update(key_share=True)
_UPDATE = (
    update(games)
    .where(games.c.id == bindparam("of"))
    .values(
        version=bindparam("to_version"),
        plies=bindparam("to_plies"),
        deadline=bindparam("to_deadline"),
        updated=bindparam("to_updated"),
    )
)
_END = (
    update(games)
    .where(games.c.id == bindparam("of"))
    .values(
        status=bindparam("to_status"),
        winner=bindparam("to_winner"),
        termination=bindparam("to_termination"),
    )
)
_TAKE_BACK = (
    update(events)
    .where(events.c.game == bindparam("of"), events.c.ply >= bindparam("from_ply"))
    .values(ply=None)
)


class SqlGames:
    """The games in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, new: NewGame) -> None:
        """Begin a game; a stake goes into escrow. ``NotEnoughChips`` names who lacks them.

        Where the same game was made before, nothing happens.
        """

        def work(connection: Connection) -> None:
            if not is_begun(connection, new):
                begin(connection, new)

        self._database.write(work)

    def append(self, batch: Sequence[Append]) -> list[bool]:
        """Add events to many games in one transaction; False where a version did not match.

        Takes only items without `settlement` or `create`.
        """
        if any(item.settlement or item.create for item in batch):
            raise ValueError("what ends a game or begins another goes through finish")
        if not batch:
            return []
        try:
            return self._database.write(lambda connection: _append(connection, batch))
        except IntegrityError:
            # A move for a ply that stands: only a wrong program asks for that. The others in the
            # batch are not to suffer from it.
            if len(batch) == 1:
                return [False]
            return [self.append([item])[0] for item in batch]

    def finish(self, item: Append) -> tuple[Event, ...] | None:
        """Add events that end a game or begin a rematch, with all that follows; None on conflict.

        Settles bookings, points and ratings exactly once, appends `Settled`, and returns all the
        events appended. ``NotEnoughChips`` where a rematch cannot be staked, and ``Refusal`` where
        a game that is settled already should be settled again, or where the events contradict
        those in the log: then nothing happened, and trying again would not help.
        """
        try:
            return self._database.write(lambda connection: _finish(connection, item))
        except IntegrityError as error:
            raise Refusal("contradiction", "This contradicts what the log says.") from error

    def events(self, game: str, after: int = 0) -> list[Event]:
        """The events with versions above `after`, in order; empty where there is no such game."""
        wanted = {"of": game, "after": after}
        rows = self._database.read(lambda connection: connection.execute(_EVENTS, wanted).all())
        return [decode(data.encode()) for (data,) in rows]

    def settled(self, games: Collection[str]) -> dict[str, Settled]:
        """What these games brought their players, by game; only those that are settled."""

        def work(connection: Connection) -> dict[str, Settled]:
            found = [
                (row.game, decode(row.data.encode()))
                for some in _chunks(games)
                for row in connection.execute(_SETTLED, {"ids": some})
            ]
            return {game: event for game, event in found if isinstance(event, Settled)}

        return self._database.read(work)

    def due(self, now: int, limit: int = 500, but: Collection[str] = ()) -> list[tuple[str, int]]:
        """Games that need the server by `now`, as (id, deadline), the longest due first.

        `but` are games that are not wanted, since nothing can be done about them.
        """
        wanted = {"now": now, "most": limit, "but": list(but)}
        rows = self._database.read(lambda connection: connection.execute(_DUE, wanted).all())
        return [(row.id, row.deadline) for row in rows]

    def versions(self, games: Collection[str]) -> dict[str, int]:
        """The versions of these games as they stand in the log."""

        def work(connection: Connection) -> dict[str, int]:
            return {
                game: version
                for some in _chunks(games)
                for game, version in connection.execute(_VERSIONS, {"ids": some})
            }

        return self._database.read(work)

    def find(
        self,
        *,
        player: int | Collection[int] | None = None,
        active: bool | None = None,
        public: bool = True,
        before: int | None = None,
        limit: int = 50,
    ) -> list[GameRow]:
        """Games by last change, newest first; `before` is an `updated` time for the next page.

        With several players, the games in which any of them plays. A page may be longer than
        `limit`, by games of the same time as its last.
        """
        return self._database.read(
            lambda connection: find(connection, player, active, public, before, limit)
        )

    def count(self) -> int:
        """How many games are being played."""
        return self._database.read(count)


def _chunks(items: Collection[str]) -> Iterator[list[str]]:
    walk = iter(items)
    while some := list(islice(walk, CHUNK)):
        yield some


def _lock(connection: Connection, ids: Collection[str]) -> dict[str, int]:
    """The versions of games, held until the transaction ends, in the order of their ids."""
    return dict(connection.execute(_LOCK, {"ids": sorted(ids)}).all())


def _append(connection: Connection, batch: Sequence[Append]) -> list[bool]:
    versions: dict[str, int] = {}
    for some in _chunks(sorted({item.game for item in batch})):
        versions |= _lock(connection, some)
    done = []
    accepted = []
    for item in batch:
        fits = versions.get(item.game) == item.expected
        done.append(fits)
        if fits and item.events:
            versions[item.game] = item.expected + len(item.events)
            accepted.append(item)
    if accepted:
        _record(connection, accepted)
    return done


def _record(connection: Connection, items: Sequence[Append]) -> None:
    """Write the events of items that fit, and what lists and deadlines need to know of them."""
    rows: list[dict[str, Any]] = []
    taken_back: dict[str, int] = {}
    for item in items:
        for version, event in enumerate(item.events, item.expected + 1):
            if isinstance(event, TakenBack):
                ply = min(event.ply, taken_back.get(item.game, event.ply))
                taken_back[item.game] = ply
                for row in rows:
                    if (
                        row["game"] == item.game
                        and row["ply"] is not None
                        and row["ply"] >= event.ply
                    ):
                        row["ply"] = None
            ply_index = event.ply if isinstance(event, Moved) else None
            rows.append(
                {"game": item.game, "version": version, "ply": ply_index, "data": _text(event)}
            )
    if taken_back:
        connection.execute(
            _TAKE_BACK, [{"of": game, "from_ply": ply} for game, ply in sorted(taken_back.items())]
        )
    connection.execute(_INSERT, rows)
    last = {item.game: item for item in items}
    connection.execute(_UPDATE, [_projection(item) for _, item in sorted(last.items())])
    if ended := [_end(item.game, item.result) for item in items if item.result]:
        connection.execute(_END, ended)


def _projection(item: Append) -> dict[str, Any]:
    return {
        "of": item.game,
        "to_version": item.expected + len(item.events),
        "to_plies": item.plies,
        "to_deadline": item.deadline,
        "to_updated": item.events[-1].at,
    }


def _end(game: str, result: Result) -> dict[str, Any]:
    return {
        "of": game,
        "to_status": "aborted" if result.termination == "aborted" else "over",
        "to_winner": result.winner.value if result.winner else None,
        "to_termination": result.termination,
    }


def _finish(connection: Connection, item: Append) -> tuple[Event, ...] | None:
    if _lock(connection, [item.game]).get(item.game) != item.expected:
        return None
    happened: tuple[Event, ...] = item.events
    if item.settlement is not None:
        black, white = settle(connection, item.game, item.settlement)
        happened += (Settled(at=item.settlement.at, black=black, white=white),)
    if happened:
        _record(connection, [_with(item, happened)])
    if item.create is not None:
        close_live(connection, item.create.started)
        begin(connection, item.create)
    return happened


def _with(item: Append, happened: tuple[Event, ...]) -> Append:
    return Append(item.game, item.expected, happened, item.plies, item.deadline, item.result)


def _text(event: Event) -> str:
    return encode(event).decode()
