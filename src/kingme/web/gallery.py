"""What is shown of players, their games, the leaders and the rooms, as records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, get_args

from kingme.errors import Refusal
from kingme.play.clock import Speed
from kingme.play.events import Settled, Share
from kingme.play.ports import (
    GameRow,
    GameStore,
    LedgerStore,
    ServiceStore,
    Statement,
    User,
    UserStore,
)
from kingme.play.rating import Rating, current
from kingme.play.room import Line, Membership, Room
from kingme.rules.outcome import Outcome, Termination
from kingme.web.guard import RequestError
from kingme.web.names import is_name
from kingme.web.settings import Settings
from kingme.web.wire import Record

__all__ = [
    "SPEEDS",
    "Archive",
    "Gallery",
    "GameShown",
    "GamesPage",
    "LeadersPage",
    "LedgerPage",
    "PlayerShown",
    "Profile",
    "RoomsPage",
    "ended",
]

SPEEDS: tuple[Speed, ...] = get_args(Speed)
PAGE = 25
LEADERS = 50
LATEST = 10**15


class Archive(Protocol):
    """The parts of a store that people and their games are read from."""

    @property
    def games(self) -> GameStore:
        """Their games."""

    @property
    def users(self) -> UserStore:
        """Who they are."""

    @property
    def ledger(self) -> LedgerStore:
        """Their chips and points."""

    @property
    def service(self) -> ServiceStore:
        """Whom they muted or reported."""


class PlayerShown(Record, frozen=True):
    """A player as anybody may see them."""

    id: int
    name: str
    guest: bool
    membership: Membership


class RatingShown(Record, frozen=True):
    """A rating in one time class; `provisional` while it is too uncertain to be compared."""

    speed: Speed
    value: int
    provisional: bool
    games: int


class Profile(Record, frozen=True):
    """A player's page; `since` is when they came, and `yours`: it is one's own."""

    player: PlayerShown
    since: int
    points: int
    ratings: list[RatingShown]
    yours: bool
    muted: bool


class Shares(Record, frozen=True):
    """What a game brought its players."""

    black: Share
    white: Share


class GameShown(Record, frozen=True):
    """A game in a list, by its last change; `result` is ``*`` without one, `text` says why.

    `brought` is what it brought Black and White, None before it is settled.
    """

    id: str
    at: int
    black: PlayerShown
    white: PlayerShown
    clock: str
    speed: Speed
    rated: bool
    private: bool
    room: str
    stake: int
    plies: int
    playing: bool
    result: str
    text: str
    brought: Shares | None = None


class GamesPage(Record, frozen=True):
    """Games, newest first; `before` asks for those after the last, null: there are none."""

    games: list[GameShown]
    before: int | None


class LedgerLine(Record, frozen=True):
    """One booking of a player's chips, and the balance after it."""

    id: int
    at: int
    amount: int
    balance: int
    reason: str
    game: str | None


class LedgerPage(Record, frozen=True):
    """One's chips, newest booking first; `before` asks for the older ones."""

    chips: int
    lines: list[LedgerLine]
    before: int | None


class Leader(Record, frozen=True):
    """A place on a leaderboard."""

    rank: int
    player: PlayerShown
    rating: int
    games: int


class LeadersPage(Record, frozen=True):
    """The best players of a time class whose rating is certain."""

    speed: Speed
    leaders: list[Leader]


class Table(Record, frozen=True):
    """What a stake brings by each ending; `refusal` says why one may not sit down, if so."""

    stake: int
    lines: list[Line]
    refusal: str | None


class RoomShown(Record, frozen=True):
    """A room. `opens_to` is the membership that it asks for, `preset` its own draw rules."""

    name: str
    title: str
    summary: str
    opens_to: Membership
    preset: str | None
    open: bool
    tables: list[Table]


class RoomsPage(Record, frozen=True):
    """The rooms as they are for this viewer."""

    rooms: list[RoomShown]


class Gallery:
    """Reads what is shown of people; every method blocks."""

    def __init__(self, store: Archive, settings: Settings, now: Callable[[], int]) -> None:
        self._store = store
        self._settings = settings
        self._now = now

    @property
    def titles(self) -> dict[str, str]:
        """The titles of the rooms, by name."""
        return {name: room.title for name, room in self._settings.rooms.items()}

    def find(self, name: str) -> User:
        """A player by name; 404 where there is none."""
        user = self._store.users.user(name) if is_name(name) else None
        if user is None:
            raise RequestError(404, "not_found", "There is nobody of that name.")
        return user

    def profile(self, user: User, viewer: User | None) -> Profile:
        """The head of a player's page."""
        now = self._now()
        ratings = self._store.users.ratings([user.id]).get(user.id, {})
        yours = viewer is not None and viewer.id == user.id
        muted = viewer is not None and user.id in self._store.service.muted(viewer.id)
        return Profile(
            player=self.player(user),
            since=user.created,
            points=self._store.ledger.points([user.id]).get(user.id, 0),
            ratings=[
                _rating(speed, current(ratings[speed], now)) for speed in SPEEDS if speed in ratings
            ],
            yours=yours,
            muted=muted,
        )

    def games(self, user: User, viewer: User | None, before: int | None) -> GamesPage:
        """A player's games, the private ones for that player alone."""
        public = viewer is None or viewer.id != user.id
        rows = self._store.games.find(
            player=user.id, public=public, before=before or LATEST, limit=PAGE
        )
        ids = {side for row in rows for side in (row.started.black, row.started.white)}
        users = self._store.users.users(ids)
        settled = self._store.games.settled([row.id for row in rows if row.result])
        shown = [self._game(row, users, settled.get(row.id)) for row in rows]
        return GamesPage(shown, rows[-1].updated if len(rows) >= PAGE else None)

    def ledger(self, user: User, before: int | None) -> LedgerPage:
        """One's own chips."""
        lines = self._store.ledger.statement(user.id, before, PAGE)
        return LedgerPage(
            self._store.ledger.balance(user.id),
            [_line(line) for line in lines],
            lines[-1].id if len(lines) >= PAGE else None,
        )

    def leaders(self, speed: Speed) -> LeadersPage:
        """The best of a time class; who has not played for long is not compared."""
        now = self._now()
        faded = [
            (user, current(rating, now), games)
            for user, rating, games in self._store.users.leaders(speed, 2 * LEADERS)
        ]
        certain = [item for item in faded if not item[1].provisional][:LEADERS]
        return LeadersPage(
            speed,
            [
                Leader(rank, self.player(user), round(rating.value), games)
                for rank, (user, rating, games) in enumerate(certain, 1)
            ],
        )

    def rooms(self, viewer: User | None) -> RoomsPage:
        """The rooms, and where this viewer may sit down."""
        chips = self._store.ledger.balance(viewer.id) if viewer is not None else 0
        return RoomsPage(
            [self._room(room, viewer, chips) for room in self._settings.rooms.values()]
        )

    def player(self, user: User) -> PlayerShown:
        """A player as anybody may see them."""
        return PlayerShown(user.id, user.name, user.guest, user.member(self._now()))

    def _room(self, room: Room, viewer: User | None, chips: int) -> RoomShown:
        membership = viewer.member(self._now()) if viewer is not None else "none"
        guest = viewer is None or viewer.guest
        tables = []
        for stake in room.stakes:
            refusal = None
            try:
                room.admit(membership, guest, stake, rated=False)
            except Refusal as error:
                refusal = str(error)
            if refusal is None and stake > chips:
                refusal = f"You have {chips} chips."
            tables.append(Table(stake, list(room.table(stake)), refusal))
        return RoomShown(
            name=room.name,
            title=room.title,
            summary=room.summary,
            opens_to=room.membership,
            preset=room.preset,
            open=room.opens_to(membership),
            tables=tables,
        )

    def _game(self, row: GameRow, users: dict[int, User], end: Settled | None) -> GameShown:
        started = row.started
        result, text = ended(row)
        return GameShown(
            id=row.id,
            at=row.updated,
            black=self.player(users[started.black]),
            white=self.player(users[started.white]),
            clock=started.control.text,
            speed=started.control.speed,
            rated=started.rated,
            private=started.private,
            room=started.terms.room,
            stake=started.terms.stake,
            plies=row.plies,
            playing=row.result is None,
            result=result,
            text=text,
            brought=Shares(end.black, end.white) if end else None,
        )


def ended(row: GameRow) -> tuple[str, str]:
    """How a game ended: the result as PDN writes it, and a sentence."""
    if row.result is None:
        return "*", "Being played"
    if row.result.termination == "aborted":
        return "*", "Called off"
    outcome = Outcome(row.result.winner, Termination(row.result.termination))
    return outcome.result, str(outcome)


def _rating(speed: Speed, rating: Rating) -> RatingShown:
    return RatingShown(speed, round(rating.value), rating.provisional, rating.games)


def _line(line: Statement) -> LedgerLine:
    return LedgerLine(line.id, line.at, line.amount, line.balance, line.reason, line.game)
