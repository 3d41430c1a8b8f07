"""What is looked up and judged before a seek is opened or taken. It blocks, so it runs in a thread.

What a client asks has an id of its own for ever: a seek's id comes from it, the game's from the
seek's, and a game remembers what asked for it. So what is asked again, of whatever process, is
found to be done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from kingme.errors import Refusal
from kingme.play.clock import TimeControl
from kingme.play.events import Started
from kingme.play.game import begin
from kingme.play.ports import GameRow, NewGame, Seek, SeekStore, User
from kingme.play.room import Room, room_of
from kingme.rules.variant import Side
from kingme.web.live import admission
from kingme.web.live.admission import Admission
from kingme.web.live.frames import Ack, Join, Pair, SeekSent
from kingme.web.live.names import CODE_LENGTH, derived

__all__ = ["AWAY", "DAY", "Asker", "Clerk", "Done", "Store", "asked_by", "game_of", "waited_by"]

AWAY = 30_000
"""How long a seek stays open that its owner has to be there for (ms)."""

DAY = 24 * 60 * 60 * 1000

RECENT = 20
"""Among how many of somebody's latest games one is looked for that was asked for before."""


class Store(admission.Store, Protocol):
    """What has to be known of people and seeks."""

    @property
    def seeks(self) -> SeekStore:
        """The open seeks."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Somebody who asks something, the seeks that are open, and the games that they are in."""

    person: User
    seeks: list[Seek]
    games: list[GameRow]


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to what was asked and done before, and the game where it has just begun.

    Whoever did it may have been stopped before the players were told.
    """

    ack: Ack
    new: NewGame | None = None


class Clerk:
    """Looks things up and judges them."""

    def __init__(self, store: Store, rooms: Mapping[str, Room], now: Callable[[], int]) -> None:
        self._store = store
        self._rooms = rooms
        self._now = now
        self._admission = Admission(store, rooms, now)

    def asker(self, user: int, frame: SeekSent | Pair | Join) -> Asker | Done:
        """Who asks; or the answer, where this was asked and done before."""
        person = self._store.users.user(user)
        if person is None:
            raise Refusal("needs_session", "Sign in again first.")
        by_code = isinstance(frame, Join) and len(frame.seek) == CODE_LENGTH
        seeks = self._store.seeks.seeks(self._now(), private=None if by_code else (user,))
        marks = {asked_by(user, frame.id)}
        if not isinstance(frame, Join):
            name = derived("seek", user, frame.id)
            for seek in seeks:
                if seek.id == name and seek.owner == user:
                    return Done(Ack(frame.id, seek=name, code=seek.code))
            found = self._begun(game_of(name), user, frame.id)
            if found is not None:
                return found
            marks.add(waited_by(name))
        for row in self._store.games.find(player=user, public=False, limit=RECENT):
            if row.started.command in marks:
                return _done(frame.id, row.id, row.started, row.version)
        return Asker(person, seeks, self._admission.games(user))

    def made(
        self,
        asker: Asker,
        frame: SeekSent | Pair,
        side: Side | None = None,
        code: str | None = None,
        *,
        quick: bool = False,
    ) -> Seek:
        """The seek that somebody wants to open; ``Refusal`` where they may not."""
        now, owner, control = self._now(), asker.person.id, frame.control
        control.check()
        room = room_of(self._rooms, frame.room)
        speed = control.speed
        rating = self._store.users.ratings((owner,), speed).get(owner, {}).get(speed)
        seek = Seek(
            id=derived("seek", owner, frame.id),
            owner=owner,
            control=control,
            created=now,
            expires=now + _lifetime(control, code),
            preset=room.rules(frame.preset),
            rated=frame.rated,
            terms=room.terms(frame.stake),
            side=side,
            code=code,
            quick=quick,
            **({"rating": rating.value} if rating else {}),
        )
        self.judge(asker, seek)
        return seek

    def judge(self, asker: Asker, seek: Seek) -> None:
        """Refuse somebody who may not play the game of a seek."""
        self._admission.judge(asker.person, seek.control, seek.terms, seek.rated, asker.games)

    def fits(self, seek: Seek) -> bool:
        """Whether the owner of a seek may still play it: memberships end, and chips are spent."""
        owner = self._store.users.user(seek.owner)
        if owner is None:
            return False
        games = self._admission.games(seek.owner)
        try:
            self._admission.judge(owner, seek.control, seek.terms, seek.rated, games)
        except Refusal:
            return False
        return True

    def excuse(self, seek: Seek) -> None:
        """Refuse a seek whose owner is away, unless they may not play it any more."""
        owner = self._store.users.user(seek.owner)
        if owner is not None and self.fits(seek):
            message = (
                f"{owner.name} is not here just now: the invitation stays open, "
                "try again when they are back."
            )
            raise Refusal("away", message)

    def _begun(self, game: str, user: int, frame: str) -> Done | None:
        """The answer where a game of this user's has this id."""
        events = self._store.games.events(game)
        first = events[0] if events else None
        if not isinstance(first, Started) or user not in (first.black, first.white):
            return None
        return _done(frame, game, first, len(events))


def asked_by(user: int, frame: str) -> str:
    """What a game remembers of whose frame asked for it."""
    return f"{user}:{frame}"


def waited_by(seek: str) -> str:
    """What it remembers where the server paired the owner of a quick seek with another's."""
    return f"seek:{seek}"


def game_of(seek: str) -> str:
    """The id of the game that a seek becomes."""
    return derived("game", seek)


def _done(frame: str, game: str, started: Started, version: int) -> Done:
    new = NewGame(game, started, begin(started).deadline()) if version == 1 else None
    return Done(Ack(frame, version=1, game=game), new)


def _lifetime(control: TimeControl, code: str | None) -> int:
    if control.kind == "days":
        return 7 * DAY
    return AWAY if code is None else DAY
