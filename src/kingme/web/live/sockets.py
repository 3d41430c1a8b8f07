"""Every socket of this process, by user and by address.

What one process has to tell a person goes to all their sockets in all processes, over the bus.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from typing import Protocol

import msgspec

from kingme.errors import Unavailable
from kingme.play.ports import Bus, User
from kingme.web.live.frames import Bye, Frame, encode

__all__ = ["SILENT", "Member", "Note", "Sockets"]

SILENT = 90_000
"""A socket is closed when nothing was heard from it for so long (ms).

Pages ping every few seconds, but browsers let hidden ones do so once a minute at most. A network
that broke off is found sooner, by the pings of the WebSocket protocol itself.
"""

CHECK = 60_000
"""How often a socket's session is looked up again (ms), for what no hint told."""

RENEWED = 1_000
"""Of how many users it is remembered when they last signed out or changed."""

RETURN = (500, 2_000)
"""After how many ms clients come back at the earliest, and within what time on top of that."""

RETURN_EACH = 3
"""By how many ms each client that has to come back makes that time longer."""

log = logging.getLogger(__name__)


class Member(Protocol):
    """What the others need of a socket."""

    @property
    def user(self) -> int | None:
        """Whose it is, by id; None for a visitor."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of its handshake."""

    heard: int
    checked: int

    def send(self, frame: bytes, key: str | None = None) -> None:
        """Queue a frame."""

    def bye(self, reason: Bye, code: int) -> None:
        """Send what is queued and a last frame, then close."""

    async def gone(self) -> None:
        """Wait until it is closed."""


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """What goes over the bus: a frame for all sockets of a user, or without one, a new look."""

    user: int
    frame: msgspec.Raw = msgspec.Raw()
    process: str = ""


class Sockets:
    """The sockets of one process."""

    def __init__(self, bus: Bus, process: str, now: Callable[[], int]) -> None:
        self._bus = bus
        self._process = process
        self._now = now
        self._all: set[Member] = set()
        self._users: defaultdict[int, set[Member]] = defaultdict(set)
        self._addresses: Counter[str] = Counter()
        self._renewed: OrderedDict[int, int] = OrderedDict()
        self._renewals = 0
        self.changed: Callable[[], None] = lambda: None
        self.draining = False

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Member]:
        return iter(tuple(self._all))

    @property
    def users(self) -> Collection[int]:
        """The users who have a socket here."""
        return self._users.keys()

    @property
    def mark(self) -> int:
        """This moment, for `add`: to be taken before it is looked up who somebody is."""
        return self._renewals

    def count(self, user: int) -> int:
        """How many sockets a user has here."""
        return len(self._users[user]) if user in self._users else 0

    def enter(self, address: str, most: int) -> bool:
        """Let one more connection of an address in, if it has fewer than `most`."""
        if self._addresses[address] >= most:
            return False
        self._addresses[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A connection that was let in is over."""
        self._addresses[address] -= 1
        if not self._addresses[address]:
            del self._addresses[address]

    def add(self, socket: Member, mark: int) -> None:
        """Count a socket in, whose user was looked up after `mark`.

        Whoever signed out since then was not here yet to be told.
        """
        self._all.add(socket)
        if self.draining:
            socket.bye(Bye("restart", RETURN[0]), 1012)
        if socket.user is not None:
            if self._renewed.get(socket.user, 0) > mark:
                socket.bye(Bye("session", after=0), 1012)
            self._users[socket.user].add(socket)
            if len(self._users[socket.user]) == 1:
                self.changed()

    def remove(self, socket: Member) -> None:
        """Count it out."""
        self._all.discard(socket)
        if socket.user is not None and socket.user in self._users:
            sockets = self._users[socket.user]
            sockets.discard(socket)
            if not sockets:
                del self._users[socket.user]
                self.changed()

    # --- telling people ---

    async def tell(self, user: int, frame: Frame) -> None:
        """Send a frame to every socket that a user has, in every process."""
        data = encode(frame)
        self._deliver(user, data)
        note = Note(user, msgspec.Raw(data), self._process)
        await self._bus.publish("user", msgspec.json.encode(note))

    async def renew(self, user: int) -> None:
        """Let every socket of a user come back and say again who it is."""
        self._renew(user)
        await self._bus.publish("user", msgspec.json.encode(Note(user, process=self._process)))

    def hear(self, body: bytes) -> None:
        """Take a note of another process from the bus."""
        try:
            note = msgspec.json.decode(body, type=Note)
        except msgspec.DecodeError:
            log.warning("a note that cannot be read: %.200r", body)
            return
        if note.process == self._process:
            return
        if frame := bytes(note.frame):
            self._deliver(note.user, frame)
        else:
            self._renew(note.user)

    def _deliver(self, user: int, data: bytes) -> None:
        for socket in tuple(self._users.get(user, ())):
            socket.send(data)

    def _renew(self, user: int) -> None:
        self._renewals += 1
        self._renewed[user] = self._renewals
        self._renewed.move_to_end(user)
        if len(self._renewed) > RENEWED:
            self._renewed.popitem(last=False)
        for socket in tuple(self._users.get(user, ())):
            socket.bye(Bye("session", after=0), 1012)

    # --- looking after them ---

    async def sweep(self, identify: Callable[[Mapping[str, str]], Awaitable[User | None]]) -> None:
        """Close what is silent, and ask of those that were not asked for lately who they are.

        A store that cannot be reached changes nothing.
        """
        now = self._now()
        for socket in self:
            if now - socket.heard > SILENT:
                socket.bye(Bye("silent", after=0), 1001)
            elif socket.user is not None and now - socket.checked > CHECK:
                socket.checked = now
                try:
                    found = await identify(socket.headers)
                except Unavailable:
                    return
                if found is None or found.id != socket.user:
                    socket.bye(Bye("session", after=0), 1012)

    async def drain(self) -> None:
        """Tell everybody to come back later, each at another time, and wait until they are gone."""
        self.draining = True
        everyone = tuple(self._all)
        least, span = RETURN
        span = max(span, RETURN_EACH * len(everyone))
        for socket in everyone:
            after = least + random.randrange(span)  # noqa: S311 (chance, not secrets)
            socket.bye(Bye("restart", after), 1012)
        await asyncio.gather(*(socket.gone() for socket in everyone))
