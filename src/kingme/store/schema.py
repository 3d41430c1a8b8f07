"""The tables, as the newest migration leaves them. Times are milliseconds since the epoch.

`events` is the truth about games; the columns of `games` are projections of it, for lists and for
the deadlines. Balances are projections of `entries`.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

__all__ = [
    "HEAD",
    "audit",
    "balances",
    "bookings",
    "entries",
    "events",
    "games",
    "metadata",
    "mutes",
    "outages",
    "processes",
    "ratings",
    "reports",
    "seeks",
    "sessions",
    "users",
]

HEAD = "0001"
"""The newest migration."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)

# SQLite numbers rows by itself only where the key is an INTEGER; its integers have 64 bits anyway.
Id = BigInteger().with_variant(Integer, "sqlite")
Time = BigInteger
PLAYING, DONE = "status = 'playing'", "status <> 'playing'"

users = Table(
    "users",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("created", Time, nullable=False),
    Column("password", Text),
    Column("email", Text),
    Column("membership", Text, nullable=False),
    Column("member_until", Time),
    Column("disabled", Boolean, nullable=False),
    Column("seen", Time, nullable=False),
    Column("points", BigInteger, CheckConstraint("points >= 0", "points"), nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    Column("user_id", Id, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("speed", Text, primary_key=True),
    Column("value", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("at", Time, nullable=False),
    Column("games", Integer, nullable=False),
    Index(None, "speed", "value"),
    sqlite_with_rowid=False,
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("user_id", Id, ForeignKey("users.id"), nullable=False, index=True),
    Column("created", Time, nullable=False),
    Column("expires", Time, nullable=False, index=True),
    sqlite_with_rowid=False,
)

games = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("black", Id, ForeignKey("users.id"), nullable=False),
    Column("white", Id, ForeignKey("users.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("plies", Integer, nullable=False),
    # playing, over or aborted
    Column("status", Text, nullable=False),
    # "B" or "W"; NULL for a draw, and while there is no result
    Column("winner", Text),
    Column("termination", Text),
    # when the server has to look at the game next
    Column("deadline", Time),
    Column("created", Time, nullable=False),
    Column("updated", Time, nullable=False),
    Column("speed", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("stake", BigInteger, nullable=False),
    Column("settled", Boolean, nullable=False),
    # Games being played are few: an index may change with every move. The others are many.
    Index(
        None,
        "deadline",
        sqlite_where=text("deadline IS NOT NULL"),
        postgresql_where=text("deadline IS NOT NULL"),
    ),
    *(
        Index(
            f"ix_games_{name}",
            *columns,
            sqlite_where=text(where),
            postgresql_where=text(where),
        )
        for name, columns, where in (
            ("black", ("black",), PLAYING),
            ("white", ("white",), PLAYING),
            ("playing", ("updated",), PLAYING),
            ("black_updated", ("black", "updated"), DONE),
            ("white_updated", ("white", "updated"), DONE),
            ("updated", ("updated",), DONE),
        )
    ),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    Column("game", Text, ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    # of a move that stands; NULL for all else
    Column("ply", Integer),
    Column("data", Text, nullable=False),
    Index(
        "uq_events_game_ply",
        "game",
        "ply",
        unique=True,
        sqlite_where=text("ply IS NOT NULL"),
        postgresql_where=text("ply IS NOT NULL"),
    ),
    sqlite_with_rowid=False,
)

seeks = Table(
    "seeks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("owner", Id, ForeignKey("users.id"), nullable=False, index=True),
    # whether it has a live clock, so that nobody sits at two boards at once
    Column("live", Boolean, nullable=False),
    Column("code", Text, unique=True),
    Column("created", Time, nullable=False),
    Column("expires", Time, nullable=False),
    Column("data", Text, nullable=False),
    sqlite_with_rowid=False,
)

bookings = Table(
    "bookings",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("at", Time, nullable=False),
    Column("reason", Text, nullable=False),
    Column("game", Text, ForeignKey("games.id"), index=True),
)

entries = Table(
    "entries",
    metadata,
    Column("account", Text, primary_key=True),
    Column("booking", Id, ForeignKey("bookings.id"), primary_key=True, autoincrement=False),
    Column("amount", BigInteger, nullable=False),
    # of the account after this booking
    Column("balance", BigInteger, nullable=False),
    Index(None, "booking"),
    sqlite_with_rowid=False,
)

balances = Table(
    "balances",
    metadata,
    Column("account", Text, primary_key=True),
    Column("amount", BigInteger, nullable=False),
    # The bank alone may owe.
    CheckConstraint("amount >= 0 OR account = 'bank'", "amount"),
    sqlite_with_rowid=False,
)

processes = Table(
    "processes",
    metadata,
    Column("name", Text, primary_key=True),
    Column("at", Time, nullable=False),
    sqlite_with_rowid=False,
)

outages = Table(
    "outages",
    metadata,
    Column("id", Id, primary_key=True),
    Column("since", Time, nullable=False),
    Column("until", Time, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Id, primary_key=True),
    Column("at", Time, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("detail", Text, nullable=False),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("at", Time, nullable=False),
    Column("by", Id, ForeignKey("users.id"), nullable=False),
    Column("about", Id, ForeignKey("users.id"), nullable=False),
    Column("game", Text),
    Column("text", Text, nullable=False),
)

mutes = Table(
    "mutes",
    metadata,
    Column("user_id", Id, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    Column("other", Id, ForeignKey("users.id"), primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
