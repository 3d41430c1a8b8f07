"""What play needs from the world: the store that keeps the truth, and the bus that hints at it.

Store methods block and may be called from any thread. Each is one transaction: it happens wholly
and durably, or not at all. `Unavailable` says that the store could not be reached; whether the
transaction happened is then unknown, so whoever asked reads the log again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, Protocol

import msgspec

from kingme.play.clock import Speed, TimeControl
from kingme.play.events import Event, Settled, Started
from kingme.play.rating import Rating
from kingme.play.room import Membership, Terms
from kingme.play.stakes import Booking, Settlement
from kingme.rules.variant import Side

__all__ = [
    "Append",
    "Bus",
    "GameRow",
    "GameStore",
    "LedgerStore",
    "NewGame",
    "Outage",
    "Result",
    "Seek",
    "SeekStore",
    "ServiceStore",
    "SessionStore",
    "Statement",
    "User",
    "UserStore",
]


class User(msgspec.Struct, frozen=True):
    """A person as the server knows them. A guest has no password; times are ms since the epoch."""

    id: int
    name: str
    guest: bool
    created: int
    password: str | None = None  # argon2id, as the library writes it
    email: str | None = None
    membership: Membership = "none"
    member_until: int | None = None
    disabled: bool = False
    seen: int = 0

    def member(self, now: int) -> Membership:
        """The membership in force at `now`."""
        current = self.member_until is None or now < self.member_until
        return self.membership if current else "none"


class Seek(msgspec.Struct, frozen=True):
    """An open invitation. `code` is set for a private one; `side` is what the owner will play.

    `rating` is the owner's in this speed, for pairing; `quick` seeks are paired by the server.
    A seek is open until `expires`, which the owner's process puts off while the owner is there.
    """

    id: str
    owner: int
    control: TimeControl
    created: int
    expires: int
    preset: str = "standard"
    rated: bool = False
    terms: Terms = Terms()
    side: Side | None = None
    code: str | None = None
    quick: bool = False
    rating: float = 1500.0


class NewGame(msgspec.Struct, frozen=True):
    """A game to be made: its id, first event, and when it first needs the server."""

    id: str
    started: Started
    deadline: int | None


class Append(msgspec.Struct, frozen=True):
    """Events to be added to a game whose version is `expected`.

    `plies` is how many moves stand afterwards. `settlement` is there when the game ends with them,
    `create` when they begin a rematch. `result` is derived from the events, for lists and searches.
    """

    game: str
    expected: int
    events: tuple[Event, ...]
    plies: int
    deadline: int | None
    result: Result | None = None
    settlement: Settlement | None = None
    create: NewGame | None = None


class Result(msgspec.Struct, frozen=True):
    """How a game ended, for lists: `winner` None for a draw; an aborted game has no result text."""

    winner: Side | None
    termination: str  # a Termination value, or "aborted"


class GameRow(msgspec.Struct, frozen=True):
    """A game in a list. `result` is None while it is played."""

    id: str
    version: int
    plies: int
    started: Started
    updated: int
    result: Result | None = None


class Outage(msgspec.Struct, frozen=True):
    """A time in which no process could record anything, ms since the epoch."""

    id: int
    since: int
    until: int


class Statement(msgspec.Struct, frozen=True):
    """One line of a player's chips ledger, newest first in lists."""

    id: int
    at: int
    amount: int
    balance: int
    reason: str
    game: str | None = None


class GameStore(Protocol):
    """The event logs. (game, version) is unique, and so is (game, ply) among moves that stand."""

    def create(self, new: NewGame) -> None:
        """Begin a game; a stake goes into escrow. ``NotEnoughChips`` names who lacks them."""

    def append(self, batch: Sequence[Append]) -> list[bool]:
        """Add events to many games in one transaction; False where a version did not match.

        Takes only items without `settlement` or `create`.
        """

    def finish(self, item: Append) -> tuple[Event, ...] | None:
        """Add events that end a game or begin a rematch, with all that follows; None on conflict.

        Settles bookings, points and ratings exactly once, appends `Settled`, and returns all the
        events appended. ``NotEnoughChips`` where a rematch cannot be staked, and ``Refusal`` where
        a game would be settled twice or contradict its log: then nothing happened, and trying
        again would not help. A rematch closes seeks as `SeekStore.take` does.
        """

    def events(self, game: str, after: int = 0) -> list[Event]:
        """The events with versions above `after`, in order; empty where there is no such game."""

    def settled(self, games: Collection[str]) -> dict[str, Settled]:
        """What these games brought their players, by game; only those that are settled."""

    def due(self, now: int, limit: int = 500, but: Collection[str] = ()) -> list[tuple[str, int]]:
        """Games that need the server by `now`, as (id, deadline), the longest due first.

        `but` are games that are not wanted, since nothing can be done about them.
        """

    def versions(self, games: Collection[str]) -> dict[str, int]:
        """The versions of these games as they stand in the log."""

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

    def count(self) -> int:
        """How many games are being played."""


class SeekStore(Protocol):
    """The open seeks."""

    def open(self, seek: Seek) -> None:
        """Add a seek."""

    def close(self, seek: str, owner: int) -> bool:
        """Remove one's own seek; False where it is gone already."""

    def seeks(self, now: int, private: Collection[int] | None = None) -> list[Seek]:
        """Those that are open, oldest first: all, or of the private ones those of some owners."""

    def take(self, seek: str, new: NewGame, also: Collection[str] = ()) -> bool:
        """Turn a seek into a game, once; False where it is gone. ``NotEnoughChips`` as in `create`.

        Other seeks of the two players with a live clock close with it, where the game has one.
        `also` names seeks that have to be open too, such as the taker's own.
        """

    def prolong(self, owners: Collection[int], expires: int) -> None:
        """Keep the seeks of these owners open until then."""

    def purge(self, now: int) -> int:
        """Remove the expired ones; returns how many."""


class UserStore(Protocol):
    """Guests and accounts. Names are unique whatever their case."""

    def add(
        self, name: str, now: int, password: str | None = None, email: str | None = None
    ) -> User:
        """Add a guest (no password) or an account; ``NameTaken`` where the name is."""

    def promote(self, user: int, name: str, password: str, email: str | None) -> User:
        """Make a guest an account that keeps its games; ``NameTaken`` where the name is."""

    def user(self, who: int | str) -> User | None:
        """One user by id, or by name in any case of letters."""

    def users(self, ids: Collection[int]) -> dict[int, User]:
        """Users by their ids."""

    def change(self, user: int, **fields: object) -> User:
        """Change fields of a user: password, email, membership, member_until, disabled, seen."""

    def ratings(
        self, ids: Collection[int], speed: Speed | None = None
    ) -> dict[int, dict[Speed, Rating]]:
        """The ratings of these users, those they have."""

    def leaders(self, speed: Speed, limit: int = 50) -> list[tuple[User, Rating, int]]:
        """The best established players of a speed: (user, rating, games)."""


class SessionStore(Protocol):
    """Sessions by the hash of their token; the token itself is known to the browser alone."""

    def start(self, token_hash: bytes, user: int, now: int, expires: int) -> None:
        """Remember a session."""

    def session(self, token_hash: bytes, now: int) -> User | None:
        """Whose session this is, if it is open and the user is not disabled."""

    def extend(self, token_hash: bytes, expires: int, slack: int = 0) -> None:
        """Keep an open session until then; nothing is written where less than `slack` ms lack."""

    def end(self, token_hash: bytes) -> None:
        """Forget a session."""

    def end_all(self, user: int, but: bytes | None = None) -> int:
        """Forget the sessions of a user, but one; returns how many."""

    def purge(self, now: int) -> int:
        """Forget those that are over."""


class LedgerStore(Protocol):
    """Chips by double entry (see `kingme.play.stakes`), and points, which never fall."""

    def book(self, booking: Booking) -> bool:
        """Book once: False where a booking of this key is there already. ``NotEnoughChips``."""

    def balance(self, user: int) -> int:
        """A player's chips at hand, without those in escrow."""

    def worth(self, user: int) -> int:
        """All of a player's chips: at hand, and in the escrow of games being played."""

    def points(self, ids: Collection[int]) -> dict[int, int]:
        """The points of these users, 0 where there are none."""

    def statement(self, user: int, before: int | None = None, limit: int = 50) -> list[Statement]:
        """A player's bookings, newest first; `before` is a booking id for the next page."""

    def check(self) -> list[str]:
        """What is wrong with the ledger in sentences: an empty list when all adds up."""


class ServiceStore(Protocol):
    """Heartbeats, outages, the audit trail, reports."""

    def beat(self, process: str, now: int, gap: int) -> list[Outage]:
        """Record that a process lives; returns the latest outages, oldest first.

        Where no process had recorded anything for `gap` ms, that time becomes an outage, once.
        """

    def outages(self, since: int) -> list[Outage]:
        """The outages that were not over by `since`, oldest first."""

    def time(self) -> int | None:
        """What time it is on the machine of the database; None where that is this machine."""

    def audit(self, at: int, actor: str, action: str, subject: str, detail: str = "") -> None:
        """Note what an operator did."""

    def trail(self, limit: int = 100) -> list[dict[str, object]]:
        """The audit trail, newest first."""

    def report(self, at: int, by: int, about: int, game: str | None, text: str) -> None:
        """Keep a player's report about another."""

    def reports(self, limit: int = 100) -> list[dict[str, object]]:
        """The reports, newest first."""

    def mute(self, user: int, other: int, on: bool) -> None:
        """Hide what `other` says from `user`, or no longer."""

    def muted(self, user: int) -> frozenset[int]:
        """Whom a user has muted."""

    def muted_by(self, users: Collection[int]) -> dict[int, frozenset[int]]:
        """Whom each of these users has muted."""


class Bus(Protocol):
    """Hints between processes, which may be lost: the log decides. For the event loop alone."""

    @property
    def healthy(self) -> bool:
        """Whether hints are likely to arrive; where not, the hub looks at the log more often."""

    async def start(self, hear: Callable[[str, bytes], None]) -> None:
        """Begin to listen: `hear` gets the topic and body of every hint, one's own too."""

    async def publish(
        self, topic: Literal["game", "lobby", "presence", "user"], body: bytes
    ) -> None:
        """Send a hint; never raises and never waits long."""

    async def stop(self) -> None:
        """Stop listening."""
