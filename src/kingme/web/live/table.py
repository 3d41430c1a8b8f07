"""A game in memory, with those who follow it: a cache of the log, never the truth."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from kingme.play.events import Event, Said
from kingme.play.game import State
from kingme.play.ports import Outage, User
from kingme.play.rating import Rating, current
from kingme.play.views import HIDDEN, GameView, clock_view, event_view, game_view
from kingme.rules.variant import Side
from kingme.web.live.frames import Events, Game, Person, Presence, encode

__all__ = ["Follower", "Table", "person", "without"]

RECENT = 32
"""So many events are kept for those who come back; who missed more gets the whole game."""


class Follower(Protocol):
    """A connection that follows games."""

    @property
    def user(self) -> int | None:
        """Whose it is, None for a visitor."""

    def send(self, frame: bytes, key: str | None = None) -> None:
        """Send a frame, never waiting; it may take the place of an unsent one of the same key."""


class Table:
    """One game as it stands in the log, as far as this process has read it.

    `stale`: a write had no answer, so the log must be read before anything else is decided.
    `outage` is the latest outage that the game was told of, and `untold` are those that were found
    when it was loaded. `hinted` is the latest version that was heard of, and `pins` how many need
    it to stay in memory.
    """

    __slots__ = (
        "checked",
        "followers",
        "game",
        "hinted",
        "lock",
        "muted",
        "outage",
        "people",
        "pins",
        "reading",
        "recent",
        "shown",
        "stale",
        "state",
        "touched",
        "untold",
        "waiting",
        "whole",
    )

    def __init__(self, game: str, state: State, recent: Iterable[Event], now: int) -> None:
        self.game = game
        self.state = state
        self.recent = deque(recent, RECENT)
        self.people: Mapping[int, dict[str, Any]] = {}
        self.muted: frozenset[Side] = frozenset()
        self.followers: dict[Follower, Side | None] = {}
        self.lock = asyncio.Lock()
        self.waiting = self.pins = 0
        self.outage = self.hinted = 0
        self.untold: tuple[Outage, ...] = ()
        self.stale = self.reading = False
        self.touched = self.checked = now
        self.whole: bytes | None = None
        self.shown: Presence | None = None

    @property
    def version(self) -> int:
        """How many events the game has."""
        return self.state.version

    @property
    def playing(self) -> bool:
        """Whether the game goes on."""
        return self.state.playing

    @property
    def idle(self) -> bool:
        """Whether nobody needs it to stay in memory."""
        return not (self.followers or self.waiting or self.pins or self.lock.locked())

    def side_of(self, user: int | None) -> Side | None:
        """The side that a user plays here."""
        return None if user is None else self.state.side_of(user)

    def advance(self, after: State, events: Sequence[Event]) -> None:
        """Go on to `after`, which the events lead to, and send them to all followers."""
        before = self.version
        self.state = after
        self.recent.extend(events)
        self.whole = None
        frames: dict[Side | None, bytes] = {}
        for follower, side in tuple(self.followers.items()):
            frame = frames.get(side)
            if frame is None:
                frame = frames[side] = self._events(before, events, side)
            follower.send(frame)

    def tell(self, presence: Presence) -> None:
        """Send who is there to all followers, where it is anything new."""
        if presence == self.shown:
            return
        self.shown = presence
        frame, key = encode(presence), f"presence:{self.game}"
        for follower in tuple(self.followers):
            follower.send(frame, key)

    def missed(self, side: Side | None, version: int) -> bytes:
        """What happened after `version`, or the whole game where that is too long ago."""
        count = self.version - version
        if version <= 0 or not 0 <= count <= len(self.recent):
            return self.view(side)
        events = list(self.recent)[len(self.recent) - count :]
        return self._events(version, events, side)

    def view(self, side: Side | None) -> bytes:
        """The whole game as a viewer may see it."""
        if side is None and self.whole is not None:
            return self.whole
        shown = game_view(self.state, self.game, side, self.people)
        if side in self.muted:
            shown = without(shown, side.other)
        frame = encode(Game(shown))
        if side is None:
            self.whole = frame
        return frame

    def _events(self, after: int, events: Sequence[Event], side: Side | None) -> bytes:
        views = [
            HIDDEN
            if side in self.muted and isinstance(event, Said) and event.side is not side
            else event_view(event, side, self.state)
            for event in events
        ]
        return encode(Events(self.game, after, views, clock_view(self.state)))


def person(user: User, rating: Rating | None, now: int) -> Person:
    """A user as others see them, with a rating in the speed at hand."""
    shown = current(rating, now) if rating is not None and rating.games else None
    return Person(
        id=user.id,
        name=user.name,
        guest=user.guest,
        membership=user.member(now),
        rating=round(shown.value) if shown else None,
        provisional=shown is None or shown.provisional,
    )


def without(view: GameView, side: Side) -> GameView:
    """The game without what a side said."""
    if view.chat is None:
        return view
    lines = [line for line in view.chat.lines if line.side is not side]
    return msgspec.structs.replace(view, chat=msgspec.structs.replace(view.chat, lines=lines))
