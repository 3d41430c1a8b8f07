"""The lobby kept before those who look: read anew when it changed, and not too often."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Any, Protocol

from kingme.errors import Unavailable
from kingme.web.live.deadlines import Handle, Later
from kingme.web.live.listing import Listing
from kingme.web.live.table import Follower
from kingme.web.live.tasks import Repeat

__all__ = ["REFRESH_SECONDS", "Showing"]

PAUSE = 0.5
"""How many seconds pass at least between two frames."""

PAUSE_EACH = 0.001
"""How much longer that is for each one who looks: what is sent grows with their number, squared."""

REFRESH_SECONDS = 2.0
"""How often the lobby is read anew without word of a change, for the games that go on."""

log = logging.getLogger(__name__)


class Read(Protocol):
    """Makes a call to the store in a thread."""

    def __call__(self, call: Callable[[], Any], /) -> Awaitable[Any]:
        """The result of the call."""


class Showing:
    """Who looks at the lobby, and what they were sent.

    `crowd` says how many people are online and names some of them.
    """

    def __init__(
        self,
        listing: Listing,
        read: Read,
        crowd: Callable[[], tuple[int, Collection[int]]],
        later: Later,
    ) -> None:
        self._listing = listing
        self._read = read
        self._crowd = crowd
        self._later = later
        self._sent: dict[Follower, int] = {}
        self._stale = False
        self._timer: Handle | None = None
        self._task: asyncio.Task[None] | None = None
        self._rest: Handle | None = None
        self._resting = False
        self._repeat = Repeat(self._refresh, REFRESH_SECONDS, later)

    def __len__(self) -> int:
        return len(self._sent)

    def start(self) -> None:
        """Begin to look now and then."""
        self._repeat.start()

    async def stop(self) -> None:
        """Look no more."""
        self._sent.clear()
        await self._repeat.stop()
        if self._rest is not None:
            self._rest.cancel()
        if self._task is not None:
            await asyncio.wait([self._task])

    def watch(self, follower: Follower) -> None:
        """Send the lobby as it is, soon and whenever it changes."""
        self._sent[follower] = 0
        self.touch()

    def unwatch(self, follower: Follower) -> None:
        """Send it no more."""
        self._sent.pop(follower, None)

    def touch(self) -> None:
        """Something changed."""
        self._stale = True
        if self._sent and self._task is None and not self._resting:
            self._task = asyncio.ensure_future(self._show())

    async def _refresh(self) -> None:
        if self._sent:
            self.touch()

    async def _show(self) -> None:
        """Read the lobby and send it to those for whom it is new."""
        self._stale = False
        self._resting = True
        try:
            viewers = {follower.user for follower in self._sent if follower.user is not None}
            whole, own = await self._read(partial(self._compose, *self._crowd(), viewers))
            for follower, before in tuple(self._sent.items()):
                frame = whole if follower.user is None else own.get(follower.user, whole)
                mark = hash(frame)
                if mark != before and follower in self._sent:
                    self._sent[follower] = mark
                    follower.send(frame, "lobby")
        except Unavailable as error:
            # The heartbeat tells of a store that is away, once.
            log.debug("the lobby has to wait: %s", error)
        except Exception:
            log.exception("the lobby cannot be shown")
        finally:
            self._task = None
            self._rest = self._later(PAUSE + PAUSE_EACH * len(self._sent), self._rested)

    def _rested(self) -> None:
        self._resting = False
        if self._stale:
            self.touch()

    def _compose(
        self, people: int, online: Collection[int], viewers: Collection[int]
    ) -> tuple[bytes, dict[int, bytes]]:
        """What everybody sees, and what those see who have something of their own, in a thread."""
        look = self._listing.look(people, online, viewers)
        own = {user: look.of(user) for user in viewers}
        return look.whole, {user: frame for user, frame in own.items() if frame is not look.whole}
