"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Time = sa.BigInteger


def upgrade() -> None:
    """Make everything."""
    _people()
    _games()
    _chips()
    _service()


def _column(name: str, kind: object, *more: object, null: bool = False) -> sa.Column[object]:
    return sa.Column(name, kind, *more, nullable=null)  # type: ignore[arg-type]


def _user(name: str, *, key: bool = False) -> sa.Column[object]:
    where = sa.ForeignKey("users.id")
    return sa.Column(name, Id, where, primary_key=key, nullable=False, autoincrement=False)


def _index(name: str, table: str, *columns: str, where: str, unique: bool = False) -> None:
    condition = sa.text(where)
    op.create_index(
        name,
        table,
        list(columns),
        unique=unique,
        sqlite_where=condition,
        postgresql_where=condition,
    )


def _people() -> None:
    op.create_table(
        "users",
        sa.Column("id", Id, primary_key=True),
        _column("name", sa.Text),
        _column("name_key", sa.Text),
        _column("created", Time),
        _column("password", sa.Text, null=True),
        _column("email", sa.Text, null=True),
        _column("membership", sa.Text),
        _column("member_until", Time, null=True),
        _column("disabled", sa.Boolean),
        _column("seen", Time),
        _column("points", sa.BigInteger),
        sa.UniqueConstraint("name_key"),
        sa.CheckConstraint("points >= 0", "points"),
    )
    op.create_table(
        "ratings",
        _user("user_id", key=True),
        sa.Column("speed", sa.Text, primary_key=True),
        _column("value", sa.Float),
        _column("deviation", sa.Float),
        _column("volatility", sa.Float),
        _column("at", Time),
        _column("games", sa.Integer),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_ratings_speed_value", "ratings", ["speed", "value"])
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary, primary_key=True),
        _user("user_id"),
        _column("created", Time),
        _column("expires", Time),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])
    op.create_index("ix_sessions_expires", "sessions", ["expires"])
    op.create_table(
        "mutes", _user("user_id", key=True), _user("other", key=True), sqlite_with_rowid=False
    )


def _games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.Text, primary_key=True),
        _user("black"),
        _user("white"),
        _column("version", sa.Integer),
        _column("plies", sa.Integer),
        _column("status", sa.Text),
        _column("winner", sa.Text, null=True),
        _column("termination", sa.Text, null=True),
        _column("deadline", Time, null=True),
        _column("created", Time),
        _column("updated", Time),
        _column("speed", sa.Text),
        _column("rated", sa.Boolean),
        _column("private", sa.Boolean),
        _column("stake", sa.BigInteger),
        _column("settled", sa.Boolean),
        sqlite_with_rowid=False,
    )
    _index("ix_games_deadline", "games", "deadline", where="deadline IS NOT NULL")
    playing, done = "status = 'playing'", "status <> 'playing'"
    _index("ix_games_playing", "games", "updated", where=playing)
    _index("ix_games_black", "games", "black", where=playing)
    _index("ix_games_white", "games", "white", where=playing)
    _index("ix_games_black_updated", "games", "black", "updated", where=done)
    _index("ix_games_white_updated", "games", "white", "updated", where=done)
    _index("ix_games_updated", "games", "updated", where=done)
    op.create_table(
        "events",
        sa.Column("game", sa.Text, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        _column("ply", sa.Integer, null=True),
        _column("data", sa.Text),
        sqlite_with_rowid=False,
    )
    where = "ply IS NOT NULL"
    _index("uq_events_game_ply", "events", "game", "ply", where=where, unique=True)
    op.create_table(
        "seeks",
        sa.Column("id", sa.Text, primary_key=True),
        _user("owner"),
        _column("live", sa.Boolean),
        _column("code", sa.Text, null=True),
        _column("created", Time),
        _column("expires", Time),
        _column("data", sa.Text),
        sa.UniqueConstraint("code"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seeks_owner", "seeks", ["owner"])


def _chips() -> None:
    op.create_table(
        "bookings",
        sa.Column("id", Id, primary_key=True),
        _column("key", sa.Text),
        _column("at", Time),
        _column("reason", sa.Text),
        _column("game", sa.Text, sa.ForeignKey("games.id"), null=True),
        sa.UniqueConstraint("key"),
    )
    op.create_index("ix_bookings_game", "bookings", ["game"])
    op.create_table(
        "entries",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("booking", Id, sa.ForeignKey("bookings.id"), primary_key=True),
        _column("amount", sa.BigInteger),
        _column("balance", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entries_booking", "entries", ["booking"])
    op.create_table(
        "balances",
        sa.Column("account", sa.Text, primary_key=True),
        _column("amount", sa.BigInteger),
        sa.CheckConstraint("amount >= 0 OR account = 'bank'", "amount"),
        sqlite_with_rowid=False,
    )


def _service() -> None:
    op.create_table(
        "processes",
        sa.Column("name", sa.Text, primary_key=True),
        _column("at", Time),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "outages",
        sa.Column("id", Id, primary_key=True),
        _column("since", Time),
        _column("until", Time),
    )
    op.create_table(
        "audit",
        sa.Column("id", Id, primary_key=True),
        _column("at", Time),
        _column("actor", sa.Text),
        _column("action", sa.Text),
        _column("subject", sa.Text),
        _column("detail", sa.Text),
    )
    op.create_table(
        "reports",
        sa.Column("id", Id, primary_key=True),
        _column("at", Time),
        _user("by"),
        _user("about"),
        _column("game", sa.Text, null=True),
        _column("text", sa.Text),
    )
