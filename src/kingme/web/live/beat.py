"""The heartbeat of this process: by it the store knows when no server was there to be played on.

That time is an outage. It is charged to no player, so it must be known before anything is decided:
a process whose own beat is not fresh beats first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from kingme.errors import Unavailable
from kingme.play.ports import Outage, ServiceStore
from kingme.web.live.deadlines import Later
from kingme.web.live.tasks import Repeat
from kingme.web.live.writer import Writer

__all__ = ["FRESH", "GAP", "Beat"]

SECONDS = 1.0
FRESH = 3000
"""A process decides nothing while its own last beat is older (ms)."""

GAP = 4000
"""A time without any beat that is longer counts as an outage (ms)."""

FIRST_GAP = 1500
"""The same for the first beat of a process, and for the first after the store was away.

Where other processes are there and reach the store, their last beat is never so old.
"""

SKEW = 250
"""By so much may the clocks of this host and the database's differ (ms)."""

log = logging.getLogger(__name__)


class Beat:
    """Beats once a second, and knows the latest outages, oldest first."""

    def __init__(
        self,
        service: ServiceStore,
        process: str,
        writer: Writer,
        now: Callable[[], int],
        later: Later,
        heard: Callable[[Sequence[Outage]], object],
    ) -> None:
        """Call `heard` with the outages that were not known before."""
        self._service, self._process, self._writer = service, process, writer
        self._now, self._heard = now, heard
        self._repeat = Repeat(self._try, SECONDS, later)
        self._beating: asyncio.Task[None] | None = None
        self._last: int | None = None
        self._away = True
        self._told = False
        self._skew = 0
        self.outages: tuple[Outage, ...] = ()

    @property
    def latest(self) -> int:
        """The id of the latest outage, 0 where there was none."""
        return self.outages[-1].id if self.outages else 0

    @property
    def fresh(self) -> bool:
        """Whether the last beat was not long ago; a clock that was set back needs a new one."""
        return self._last is not None and 0 <= self._now() - self._last <= FRESH

    @property
    def in_time(self) -> bool:
        """Whether the clock of this host agrees with the database's, and so with other hosts'."""
        return abs(self._skew) <= SKEW

    async def start(self) -> None:
        """Beat once, or try to, and go on."""
        await self._try()
        self._repeat.start()

    async def stop(self) -> None:
        """Beat no more."""
        await self._repeat.stop()

    async def ensure(self) -> None:
        """Return when the beat is fresh; ``Unavailable`` where the store cannot be reached."""
        if not self.fresh:
            await self.beat()
        if not self.fresh:
            raise Unavailable("the store answers too late")

    async def beat(self) -> None:
        """Beat now; those who ask at the same time share one."""
        if self._beating is None:
            self._beating = asyncio.ensure_future(self._beat())
            self._beating.add_done_callback(self._done)
        await asyncio.shield(self._beating)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._beating = None
        if not task.cancelled():
            task.exception()  # whoever waits is told; nobody may wait any more

    async def _try(self) -> None:
        try:
            await self.beat()
        except Unavailable as error:
            if not self._told:
                self._told = True
                log.warning("the database is away, and games wait for it: %s", error)
        else:
            if self._told:
                self._told = False
                log.info("the database is back")

    async def _beat(self) -> None:
        try:
            at, latest, skew = await self._writer.call(self._record, urgent=True)
        except Unavailable:
            self._away = True
            raise
        self._last, self._away = at, False
        was_in_time, self._skew = self.in_time, skew
        if was_in_time and not self.in_time:
            log.warning(
                "the clocks of this host and the database differ by %d ms: set them", abs(skew)
            )
        new = [outage for outage in latest if outage.id > self.latest]
        if new:
            self.outages = tuple(latest)
            self._heard(new)

    def _record(self) -> tuple[int, list[Outage], int]:
        """Beat with the time at which the store is asked, not at which it was queued."""
        at = self._now()
        latest = self._service.beat(self._process, at, FIRST_GAP if self._away else GAP)
        before = self._now()
        theirs = self._service.time()
        skew = 0 if theirs is None else theirs - (before + self._now()) // 2
        return at, latest, skew
