"""Guests and accounts, and the sessions that they are known by."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from kingme.errors import NameTaken, Refusal
from kingme.play.clock import Speed
from kingme.play.ports import User
from kingme.play.rating import PROVISIONAL, Rating
from kingme.play.stakes import player
from kingme.store.database import Database
from kingme.store.ledger import ignoring
from kingme.store.schema import balances, ratings, sessions, users
from kingme.store.settling import ratings_of

__all__ = ["SqlSessions", "SqlUsers"]

_BY_ID = select(users).where(users.c.id == bindparam("who"))
_BY_NAME = select(users).where(users.c.name_key == bindparam("who"))
_USERS = select(users).where(users.c.id.in_(bindparam("ids", expanding=True)))
_SESSION = (
    select(users)
    .join(sessions, sessions.c.user_id == users.c.id)
    .where(
        sessions.c.token_hash == bindparam("token"),
        sessions.c.expires > bindparam("now"),
        users.c.disabled.is_(False),
    )
)

CHANGEABLE = frozenset({"password", "email", "membership", "member_until", "disabled", "seen"})


class SqlUsers:
    """The people in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, name: str, now: int, password: str | None = None, email: str | None = None
    ) -> User:
        """Add a guest (no password) or an account; ``NameTaken`` where the name is."""
        row = {
            "name": name,
            "name_key": _key(name),
            "created": now,
            "password": password,
            "email": email,
            "membership": "none",
            "member_until": None,
            "disabled": False,
            "seen": now,
            "points": 0,
        }

        def work(connection: Connection) -> User:
            added = connection.execute(insert(users).values(row).returning(users)).one()
            connection.execute(
                ignoring(connection, balances), {"account": player(added.id), "amount": 0}
            )
            return _user(added)

        try:
            return self._database.write(work)
        except IntegrityError as error:
            raise NameTaken(name) from error

    def promote(self, user: int, name: str, password: str, email: str | None) -> User:
        """Make a guest an account that keeps its games; ``NameTaken`` where the name is."""
        values = {"name": name, "name_key": _key(name), "password": password, "email": email}
        query = update(users).where(users.c.id == user, users.c.password.is_(None)).values(values)
        try:
            row = self._database.write(
                lambda connection: connection.execute(query.returning(users)).one_or_none()
            )
        except IntegrityError as error:
            raise NameTaken(name) from error
        if row is None:
            raise Refusal("not_a_guest", "You have an account already.")
        return _user(row)

    def user(self, who: int | str) -> User | None:
        """One user by id, or by name in any case of letters."""
        query, key = (_BY_ID, who) if isinstance(who, int) else (_BY_NAME, _key(who))
        row = self._database.read(
            lambda connection: connection.execute(query, {"who": key}).one_or_none()
        )
        return _user(row) if row is not None else None

    def users(self, ids: Collection[int]) -> dict[int, User]:
        """Users by their ids."""
        wanted = {"ids": list(ids)}
        rows = self._database.read(lambda connection: connection.execute(_USERS, wanted).all())
        return {row.id: _user(row) for row in rows}

    def search(self, text: str = "", limit: int = 50, after: int = 0) -> list[User]:
        """People whose name holds `text` in any case of letters, by id, from behind `after` on."""
        query = (
            select(users)
            .where(users.c.id > after, users.c.name_key.contains(_key(text), autoescape=True))
            .order_by(users.c.id)
            .limit(limit)
        )
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return [_user(row) for row in rows]

    def change(self, user: int, **fields: object) -> User:
        """Change fields of a user: password, email, membership, member_until, disabled, seen."""
        if not fields or not fields.keys() <= CHANGEABLE:
            raise TypeError(f"not to be changed: {', '.join(fields) or 'nothing'}")
        query = update(users).where(users.c.id == user).values(fields).returning(users)
        row = self._database.write(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            raise Refusal("no_such_user", "There is no such user.")
        return _user(row)

    def ratings(
        self, ids: Collection[int], speed: Speed | None = None
    ) -> dict[int, dict[Speed, Rating]]:
        """The ratings of these users, those they have."""
        return self._database.read(lambda connection: ratings_of(connection, ids, speed))

    def leaders(self, speed: Speed, limit: int = 50) -> list[tuple[User, Rating, int]]:
        """The best established players of a speed: (user, rating, games)."""
        query = (
            select(
                users,
                ratings.c.value,
                ratings.c.deviation,
                ratings.c.volatility,
                ratings.c.at,
                ratings.c.games,
            )
            .join(ratings, ratings.c.user_id == users.c.id)
            .where(ratings.c.speed == speed, ratings.c.deviation < PROVISIONAL)
            .where(users.c.disabled.is_(False), users.c.password.is_not(None))
            .order_by(ratings.c.value.desc(), users.c.id)
            .limit(limit)
        )
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return [
            (
                _user(row),
                Rating(row.value, row.deviation, row.volatility, row.at, row.games),
                row.games,
            )
            for row in rows
        ]


class SqlSessions:
    """Sessions by the hash of their token; the token itself is known to the browser alone."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, token_hash: bytes, user: int, now: int, expires: int) -> None:
        """Remember a session."""
        row = {"token_hash": token_hash, "user_id": user, "created": now, "expires": expires}
        self._database.write(
            lambda connection: connection.execute(ignoring(connection, sessions), row)
        )

    def session(self, token_hash: bytes, now: int) -> User | None:
        """Whose session this is, if it is open and the user is not disabled."""
        row = self._database.read(
            lambda connection: connection.execute(
                _SESSION, {"token": token_hash, "now": now}
            ).one_or_none()
        )
        return _user(row) if row is not None else None

    def extend(self, token_hash: bytes, expires: int, slack: int = 0) -> None:
        """Keep an open session until then; nothing is written where less than `slack` ms lack."""
        short = (sessions.c.token_hash == token_hash) & (sessions.c.expires <= expires - slack)
        lacks = select(sessions.c.expires).where(short)
        if self._database.read(lambda connection: connection.execute(lacks).first()) is None:
            return
        query = update(sessions).where(short).values(expires=expires)
        self._database.write(lambda connection: connection.execute(query))

    def end(self, token_hash: bytes) -> None:
        """Forget a session."""
        query = delete(sessions).where(sessions.c.token_hash == token_hash)
        self._database.write(lambda connection: connection.execute(query))

    def end_all(self, user: int, but: bytes | None = None) -> int:
        """Forget the sessions of a user, but one; returns how many."""
        query = delete(sessions).where(sessions.c.user_id == user)
        if but is not None:
            query = query.where(sessions.c.token_hash != but)
        return self._database.write(lambda connection: connection.execute(query).rowcount)

    def purge(self, now: int) -> int:
        """Forget those that are over."""
        query = delete(sessions).where(sessions.c.expires <= now)
        return self._database.write(lambda connection: connection.execute(query).rowcount)


def _key(name: str) -> str:
    """What two spellings of one name have in common."""
    return unicodedata.normalize("NFKC", name).casefold()


def _user(row: Row[Any]) -> User:
    return User(
        id=row.id,
        name=row.name,
        guest=row.password is None,
        created=row.created,
        password=row.password,
        email=row.email,
        membership=row.membership,
        member_until=row.member_until,
        disabled=row.disabled,
        seen=row.seen,
    )
