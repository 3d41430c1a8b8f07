"""Databases, the people in them, and games between these, for the tests of the store."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete

from kingme.play import stakes
from kingme.play.clock import TimeControl
from kingme.play.events import Event, Moved, Resigned, Started
from kingme.play.ports import Append, NewGame, Result, Seek, User
from kingme.play.room import Terms
from kingme.rules.variant import Side
from kingme.store import Store, open_store
from kingme.store.database import Database, database_url
from kingme.store.schema import metadata
from services import Postgres

__all__ = [
    "BLITZ",
    "DAYS",
    "NOW",
    "TERMS",
    "Place",
    "begin",
    "moved",
    "moves",
    "over",
    "people",
    "seek",
    "started",
]

NOW = 1_700_000_000_000
BLITZ = TimeControl("increment", 300_000, 3_000)
DAYS = TimeControl("days", 3 * 86_400_000)
TERMS = Terms(
    "passport",
    20,
    {"win": 95, "loss": -100, "resignation": -100, "draw": 0, "desertion": -100},
    {"win": 10, "draw": 5, "loss": 2, "resignation": 1, "desertion": 0},
)

_numbers = itertools.count(1)


class Place:
    """A database and the stores that are open on it."""

    def __init__(self, url: str, server: Postgres | None = None) -> None:
        self.url = url
        self.server = server
        self._stores: list[Store] = []

    def make(self) -> None:
        """Make the database on the server."""
        assert self.server is not None
        name = self.url.partition("@/")[2].partition("?")[0]
        where = ["--host", str(self.server.folder), "--username", "kingme"]
        subprocess.run([str(self.server.programs / "createdb"), *where, name], check=True)

    def clear(self) -> None:
        """Remove all that earlier tests left."""
        database = Database(database_url(self.url))
        for table in reversed(metadata.sorted_tables):
            database.write(lambda connection, table=table: connection.execute(delete(table)))
        database.close()

    def open(self) -> Store:
        """One more store on it, as one more process would open."""
        store = open_store(self.url)
        store.migrate()
        self._stores.append(store)
        return store

    def close(self) -> None:
        """Close all stores."""
        for store in self._stores:
            store.close()


def people(store: Store, count: int, chips: int = 150) -> list[User]:
    """Accounts with chips."""
    made = []
    for _ in range(count):
        user = store.users.add(f"Player{next(_numbers)}", NOW, password="$argon2id$")
        if chips:
            store.ledger.book(stakes.welcome(user.id, NOW, chips))
        made.append(user)
    return made


def started(black: User, white: User, **fields: Any) -> Started:
    """The first event of a game, casual and without a stake unless told."""
    values: dict[str, Any] = {
        "at": NOW,
        "black": black.id,
        "white": white.id,
        "control": BLITZ,
    } | fields
    return Started(**values)


def begin(store: Store, first: Started, deadline: int | None = NOW + 30_000, name: str = "") -> str:
    """Make a game; its id."""
    game = name or f"game{next(_numbers)}"
    store.games.create(NewGame(game, first, deadline))
    return game


def moved(ply: int, at: int = NOW) -> Moved:
    """A move; the store does not ask whether the rules allow it."""
    return Moved(at=at, side=(Side.BLACK, Side.WHITE)[ply % 2], ply=ply, move="11-15")


def moves(game: str, first: int, count: int = 1, at: int = NOW) -> Append:
    """So many moves from this ply on, in a game where nothing else happened."""
    events: Sequence[Event] = [moved(ply, at) for ply in range(first, first + count)]
    return Append(game, first + 1, tuple(events), first + count, at + 60_000)


def over(
    game: str, expected: int, first: Started, winner: Side | None = Side.BLACK, plies: int = 12
) -> Append:
    """The other player resigns, or the game is drawn."""
    at = NOW + 5_000
    termination = "resignation" if winner else "agreement"
    end = stakes.settlement(game, first, winner, termination, plies, "blitz", at)
    loser = winner.other if winner else Side.BLACK
    event = Resigned(at=at, side=loser)
    return Append(game, expected, (event,), plies, None, Result(winner, termination), end)


def seek(owner: User, **fields: Any) -> Seek:
    """A seek that is open for half a minute."""
    values: dict[str, Any] = {"id": f"seek{next(_numbers)}", "owner": owner.id, "control": BLITZ}
    return Seek(**(values | {"created": NOW, "expires": NOW + 30_000} | fields))
