"""Chips by double entry. `post` books within a transaction; the rest is for pages and checks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from sqlalchemy import (
    Connection,
    Insert,
    Table,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from kingme.errors import NotEnoughChips, Refusal
from kingme.play.ports import Statement
from kingme.play.stakes import BANK, Booking, player
from kingme.store.database import Database
from kingme.store.schema import balances, bookings, entries, games, users

__all__ = ["SqlLedger", "ignoring", "post"]

_LOCK = (
    select(balances.c.account, balances.c.amount)
    .where(balances.c.account.in_(bindparam("accounts", expanding=True)))
    .order_by(balances.c.account == BANK, balances.c.account)
    .with_for_update()
)
_ENTER = insert(entries)
_CHANGE = (
    update(balances).where(balances.c.account == bindparam("of")).values(amount=bindparam("now_at"))
)
_BALANCE = select(balances.c.amount).where(balances.c.account == bindparam("of"))
# A game by each seat, so that an index answers each; the status as a text, as that index has it.
_WORTH = select(
    func.sum(
        union_all(
            _BALANCE,
            *(
                select(games.c.stake).where(
                    seat == bindparam("user"),
                    games.c.status == literal_column("'playing'"),
                    games.c.settled.is_(False),
                )
                for seat in (games.c.black, games.c.white)
            ),
        )
        .subquery()
        .c.amount
    )
)


def ignoring(connection: Connection, table: Table) -> Insert:
    """An INSERT that does nothing where a row with this key is there."""
    return _ignoring(connection.dialect.name, table)


@cache
def _ignoring(dialect: str, table: Table) -> Insert:
    module = postgresql if dialect == "postgresql" else sqlite
    key = [bookings.c.key] if table is bookings else list(table.primary_key)
    statement: Insert = module.insert(table).on_conflict_do_nothing(index_elements=key)
    return statement.returning(bookings.c.id) if table is bookings else statement


def post(connection: Connection, wanted: Sequence[Booking]) -> list[bool]:
    """Book within a transaction; False for each whose key is there already.

    ``NotEnoughChips`` where a player's account would fall below zero, and ``Refusal`` where an
    escrow would: then the transaction must not go on.
    """
    if not wanted:
        return []
    held = _lock(connection, {entry.account for one in wanted for entry in one.entries})
    done, lines, touched = [], [], set()
    for one in wanted:
        number = _number(connection, one)
        done.append(number is not None)
        if number is None:
            continue
        for account, amount in _by_account(one).items():
            held[account] += amount
            touched.add(account)
            lines.append(
                {"account": account, "booking": number, "amount": amount, "balance": held[account]}
            )
    for account in touched:
        if held[account] < 0:
            _refuse(account)
    if lines:
        connection.execute(_ENTER, lines)
        connection.execute(
            _CHANGE,
            [{"of": account, "now_at": held[account]} for account in sorted(touched, key=_order)],
        )
    return done


def _order(account: str) -> tuple[bool, str]:
    # The bank comes last: everybody waits for it, so it is held for the shortest time.
    return account == BANK, account


def _lock(connection: Connection, accounts: Collection[str]) -> dict[str, int]:
    """The balances, held until the transaction ends; accounts begin at zero."""
    wanted = {"accounts": list(accounts)}
    held = dict(connection.execute(_LOCK, wanted).all())
    missing = sorted(set(accounts) - set(held), key=_order)
    if missing:
        connection.execute(
            ignoring(connection, balances),
            [{"account": account, "amount": 0} for account in missing],
        )
        held = dict(connection.execute(_LOCK, wanted).all())
    return held


def _number(connection: Connection, one: Booking) -> int | None:
    """The id of a new booking; None where its key is there."""
    row = {"key": one.key, "at": one.at, "reason": one.reason, "game": one.game}
    number: int | None = connection.execute(ignoring(connection, bookings), row).scalar()
    return number


def _by_account(one: Booking) -> Mapping[str, int]:
    amounts: dict[str, int] = {}
    for entry in one.entries:
        amounts[entry.account] = amounts.get(entry.account, 0) + entry.amount
    if sum(amounts.values()):
        raise ValueError(f"booking {one.key}: its entries do not sum to zero")
    return amounts


def _refuse(account: str) -> None:
    kind, _, name = account.partition(":")
    if kind == "player":
        raise NotEnoughChips(int(name))
    if kind == "escrow":
        raise Refusal("settled", "The stakes of this game are not in escrow.")


class SqlLedger:
    """Chips and points."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def book(self, booking: Booking) -> bool:
        """Book once: False where a booking of this key is there already. ``NotEnoughChips``."""
        return self._database.write(lambda connection: post(connection, [booking])[0])

    def balance(self, user: int) -> int:
        """A player's chips at hand, without those in escrow."""
        wanted = {"of": player(user)}
        at = self._database.read(lambda connection: connection.execute(_BALANCE, wanted).scalar())
        return at or 0

    def worth(self, user: int) -> int:
        """All of a player's chips: at hand, and in the escrow of games being played."""
        wanted = {"of": player(user), "user": user}
        total = self._database.read(lambda connection: connection.execute(_WORTH, wanted).scalar())
        return int(total or 0)

    def points(self, ids: Collection[int]) -> dict[int, int]:
        """The points of these users, 0 where there are none."""
        query = select(users.c.id, users.c.points).where(users.c.id.in_(ids))
        found = self._database.read(lambda connection: connection.execute(query).all())
        return dict.fromkeys(ids, 0) | {row.id: row.points for row in found}

    def statement(self, user: int, before: int | None = None, limit: int = 50) -> list[Statement]:
        """A player's bookings, newest first; `before` is a booking id for the next page."""
        query = (
            select(bookings, entries.c.amount, entries.c.balance)
            .join(entries, entries.c.booking == bookings.c.id)
            .where(entries.c.account == player(user))
            .order_by(entries.c.booking.desc())
            .limit(limit)
        )
        if before is not None:
            query = query.where(entries.c.booking < before)
        return [
            Statement(row.id, row.at, row.amount, row.balance, row.reason, row.game)
            for row in self._database.read(lambda connection: connection.execute(query).all())
        ]

    def check(self) -> list[str]:
        """What is wrong with the ledger in sentences: an empty list when all adds up."""
        return self._database.snapshot(lambda connection: list(_troubles(connection)))


def _troubles(connection: Connection) -> Iterable[str]:
    total = connection.execute(select(func.sum(balances.c.amount))).scalar() or 0
    if total:
        yield f"all balances sum to {total}, not to zero"
    amount = func.sum(entries.c.amount)
    query = select(entries.c.booking, amount).group_by(entries.c.booking).having(amount != 0)
    for number, wrong in connection.execute(query):
        yield f"booking {number} sums to {wrong}, not to zero"
    yield from _wrong_balances(connection)
    # What is in escrow is twice the stake of each game being played.
    query = select(games.c.id, balances.c.amount, games.c.stake, games.c.settled).outerjoin(
        balances, balances.c.account == "escrow:" + games.c.id
    )
    for row in connection.execute(query.where(games.c.stake > 0)):
        held, wanted = row.amount or 0, 0 if row.settled else 2 * row.stake
        if held != wanted:
            yield f"the escrow of game {row.id} holds {held}, not {wanted}"


def _wrong_balances(connection: Connection) -> Iterable[str]:
    sums = (
        select(entries.c.account, func.sum(entries.c.amount).label("amount"))
        .group_by(entries.c.account)
        .subquery()
    )
    query = (
        select(balances.c.account, balances.c.amount, sums.c.amount)
        .outerjoin(sums, sums.c.account == balances.c.account)
        .where(balances.c.amount != func.coalesce(sums.c.amount, 0))
        .order_by(balances.c.account)
    )
    for account, is_at, should in connection.execute(query):
        yield f"{account} is at {is_at}, but its entries sum to {should or 0}"
    query = select(balances.c.account, balances.c.amount).where(
        balances.c.amount < 0, balances.c.account != BANK
    )
    for account, is_at in connection.execute(query):
        yield f"{account} is at {is_at}, below zero"
