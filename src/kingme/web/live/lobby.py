"""The lobby: seeks are opened, joined, paired and closed here, and all who look are told.

The seeks are in the store and nowhere else, so any process may turn one into a game, once.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any, Protocol, TypeVar

import msgspec

from kingme.errors import NotEnoughChips, Refusal
from kingme.play.events import Event, Started
from kingme.play.game import State, begin
from kingme.play.pairing import choose, seats
from kingme.play.ports import Bus, NewGame, Seek
from kingme.play.room import Room
from kingme.rules.variant import Side
from kingme.web.live import clerk
from kingme.web.live.clerk import AWAY, Asker, Clerk, asked_by, game_of, waited_by
from kingme.web.live.crowd import Crowd, Hint
from kingme.web.live.deadlines import Later
from kingme.web.live.frames import Ack, Join, Pair, Paired, SeekSent, Unseek
from kingme.web.live.listing import Listing
from kingme.web.live.names import CODE_LENGTH, fresh
from kingme.web.live.showing import Showing
from kingme.web.live.sockets import Sockets
from kingme.web.live.table import Follower
from kingme.web.live.tasks import Repeat

__all__ = ["OPEN", "YOUNG", "Lobby"]

OPEN = 5
"""How many seeks of one person may be open."""

LOOKS = 3
"""How often it is looked whether a seek can be taken that is still there."""

YOUNG = 2_000
"""So long after a seek was opened its owner counts as here (ms): others may not have heard yet."""

GONE = "This invitation is no longer open."

UNHURRIED = ("days", "unlimited")
"""Kinds of clock whose games may begin without one of the players."""

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")


class Games(Protocol):
    """What the lobby needs of the hub."""

    process: str

    async def read(self, call: Callable[[], Answer]) -> Answer:
        """Make a call to the store that reads, in a thread."""

    async def write(self, call: Callable[[], Answer]) -> Answer:
        """Make a call to the store that writes, in a thread."""

    def begun(self, new: NewGame) -> None:
        """Look after a game that the store has just made."""

    def peek(self, game: str) -> State | None:
        """A game as it stands, where it is in memory."""

    def listen(self, topic: Any, hear: Callable[[bytes], object]) -> None:
        """Hear the hints of a topic."""

    def on_news(self, hear: Callable[[str, State, Any], object]) -> None:
        """Hear of every event in the games held here."""


class Lobby:
    """The lobby of one process."""

    def __init__(
        self,
        store: clerk.Store,
        hub: Games,
        bus: Bus,
        sockets: Sockets,
        rooms: Mapping[str, Room],
        now: Callable[[], int],
        later: Later,
    ) -> None:
        self._store, self._hub, self._bus = store, hub, bus
        self._sockets, self._now = sockets, now
        self._clerk = Clerk(store, rooms, now)
        self._crowd = Crowd(hub.process, now, lambda: sockets.users, lambda: bus.healthy)
        self._listing = Listing(store, now, hub.peek, self.away)
        self._showing = Showing(self._listing, hub.read, self._crowd.look, later)
        self._pairing = True
        sockets.changed = self._showing.touch
        hub.listen("lobby", self._hear)
        hub.on_news(self._news)
        self._repeats = [
            Repeat(self._pair_up, 1.0, later),
            Repeat(self._announce, 1.0, later),
            Repeat(self._prolong, 10.0, later),
            Repeat(self._purge, 60.0, later),
        ]

    def start(self) -> None:
        """Begin to pair and to tell."""
        self._showing.start()
        for repeat in self._repeats:
            repeat.start()

    async def stop(self) -> None:
        """Do no more."""
        await asyncio.gather(self._showing.stop(), *(repeat.stop() for repeat in self._repeats))
        await self._publish(self._crowd.farewell())

    def watch(self, follower: Follower) -> None:
        """Send the lobby as it is, soon and whenever it changes."""
        self._showing.watch(follower)

    def unwatch(self, follower: Follower) -> None:
        """Send it no more."""
        self._showing.unwatch(follower)

    def renew(self, user: int) -> None:
        """Show a user's name and membership as they are now."""
        self._listing.forget(user)
        self._showing.touch()

    def away(self, seek: Seek) -> bool:
        """Whether a seek needs its owner to be there to play, who is not.

        It stays open, and is as before once they are back. Any thread may ask.
        """
        if seek.control.kind in UNHURRIED or self._now() - seek.created < YOUNG:
            return False
        return self._crowd.away(seek.owner)

    async def ask(self, user: int, frame: SeekSent | Pair | Join | Unseek) -> Ack:
        """Do what a person asks; ``Refusal`` says why not.

        Raises ``Unavailable`` where the store cannot be reached: the same frame may come again.
        """
        match frame:
            case SeekSent():
                return await self._seek(user, frame)
            case Pair():
                return await self._pair(user, frame)
            case Join():
                return await self._join(user, frame)
            case Unseek():
                await self._hub.write(partial(self._store.seeks.close, frame.seek, user))
                await self._changed()
                return Ack(frame.id, seek=frame.seek)

    async def _close(self, seek: Seek) -> None:
        await self._hub.write(partial(self._store.seeks.close, seek.id, seek.owner))
        await self._changed()

    # --- what is asked ---

    async def _seek(self, user: int, frame: SeekSent) -> Ack:
        asker = await self._asker(user, frame)
        if isinstance(asker, Ack):
            return asker
        code = fresh(CODE_LENGTH) if frame.private else None
        seek = await self._hub.read(partial(self._clerk.made, asker, frame, frame.side, code))
        return await self._open(asker, seek, frame.id)

    async def _pair(self, user: int, frame: Pair) -> Ack:
        asker = await self._asker(user, frame)
        if isinstance(asker, Ack):
            return asker
        own = await self._hub.read(partial(self._clerk.made, asker, frame, quick=True))
        others = {seek.id: seek for seek in asker.seeks if not self.away(seek)}
        while (found := choose(own, others.values(), own.created)) is not None:
            del others[found.id]
            try:
                game = await self._take(found, user, asked_by(user, frame.id), _own(asker, found))
            except NotEnoughChips as error:
                if error.user == user:
                    raise
                game = None
            if game is not None:
                return Ack(frame.id, version=1, game=game)
        return await self._open(asker, own, frame.id)

    async def _join(self, user: int, frame: Join) -> Ack:
        # What cannot be taken is gone; or one of the taker's own seeks is, and there is a new look.
        for _ in range(LOOKS):
            asker = await self._asker(user, frame)
            if isinstance(asker, Ack):
                return asker
            wanted = (seek for seek in asker.seeks if frame.seek == (seek.code or seek.id))
            seek = next(wanted, None)
            if seek is None:
                break
            if seek.owner == user:
                raise Refusal("own_seek", "This is your own invitation: another has to accept it.")
            await self._hub.read(partial(self._clerk.judge, asker, seek))
            if self.away(seek):
                await self._hub.read(partial(self._clerk.excuse, seek))
            try:
                game = await self._take(seek, user, asked_by(user, frame.id), _own(asker, seek))
            except NotEnoughChips as error:
                if error.user == user:
                    raise
                break
            if game is not None:
                return Ack(frame.id, version=1, game=game)
        raise Refusal("seek_gone", GONE)

    async def _asker(self, user: int, frame: SeekSent | Pair | Join) -> Asker | Ack:
        """Who asks; or the answer, where this was asked and done before."""
        found = await self._hub.read(partial(self._clerk.asker, user, frame))
        if isinstance(found, Asker):
            return found
        if found.new is not None:
            await self._call(found.new)
        return found.ack

    async def _open(self, asker: Asker, seek: Seek, frame: str) -> Ack:
        """Open a seek, in place of the owner's others that would be in its way."""
        own = [other for other in asker.seeks if other.owner == seek.owner]
        instead = [other for other in own if _present(seek) and _present(other)]
        if len(own) - len(instead) >= OPEN:
            message = f"You have {OPEN} open invitations already. Close one first."
            raise Refusal("too_many_seeks", message)

        def work() -> None:
            for other in instead:
                self._store.seeks.close(other.id, other.owner)
            self._store.seeks.open(seek)

        await self._hub.write(work)
        self._pairing |= seek.quick
        await self._announce()  # so that the others know the owner before they know the seek
        await self._changed()
        return Ack(frame, seek=seek.id, code=seek.code)

    async def _take(
        self, seek: Seek, joiner: int, command: str, also: Collection[str] = ()
    ) -> str | None:
        """Turn a seek into a game and call both to it; None where it is gone.

        It is gone too where its owner may not play it any more.
        """
        if not await self._hub.read(partial(self._clerk.fits, seek)):
            await self._close(seek)
            return None
        heads = bool(secrets.randbits(1))
        black, white = seats(seek.owner, joiner, seek.side, heads)
        started = Started(
            at=self._now(),
            command=command,
            black=black,
            white=white,
            control=seek.control,
            preset=seek.preset,
            rated=seek.rated,
            private=seek.code is not None,
            terms=seek.terms,
        )
        new = NewGame(game_of(seek.id), started, begin(started).deadline())
        try:
            if not await self._hub.write(partial(self._store.seeks.take, seek.id, new, also)):
                return None
        except NotEnoughChips as error:
            if error.user == seek.owner:
                await self._close(seek)
            raise
        except Refusal as error:
            if error.code == "id_taken":  # somebody was faster
                return None
            raise
        await self._call(new)
        return new.id

    async def _call(self, new: NewGame) -> None:
        """Look after a game that has begun, and call both players to it."""
        self._hub.begun(new)
        await self._sockets.tell(new.started.black, Paired(new.id, Side.BLACK))
        await self._sockets.tell(new.started.white, Paired(new.id, Side.WHITE))
        await self._changed()

    # --- what comes round ---

    async def _pair_up(self) -> None:
        """Pair the quick seeks of this process's people: the longer they wait, the farther."""
        if not self._pairing or not self._sockets.users:
            return
        now = self._now()
        seeks = await self._hub.read(partial(self._store.seeks.seeks, now))
        waiting = [seek for seek in seeks if seek.quick]
        self._pairing = bool(waiting)
        seeks = [seek for seek in seeks if not self.away(seek)]
        gone: set[int] = set()
        for seek in waiting:
            others = [other for other in seeks if other.owner not in gone]
            if seek.owner in gone or seek.owner not in self._sockets.users:
                continue
            found = choose(seek, others, now)
            # Of two quick seeks the later one goes to the other, so that they do not cross.
            if found is None or (found.quick and _age(found) > _age(seek)):
                continue
            if not await self._hub.read(partial(self._clerk.fits, seek)):
                gone.add(seek.owner)
                await self._close(seek)
                continue
            try:
                game = await self._take(found, seek.owner, waited_by(seek.id), also=(seek.id,))
            except NotEnoughChips as error:
                gone.add(error.user)
            else:
                gone |= {found.owner, seek.owner} if game else {found.owner}

    async def _prolong(self) -> None:
        """Keep the seeks open whose owners are here."""
        here = self._sockets.users
        if not here:
            return
        now = self._now()
        seeks = await self._hub.read(partial(self._store.seeks.seeks, now))
        self._pairing |= any(seek.quick for seek in seeks)
        if owners := {seek.owner for seek in seeks if seek.owner in here and _present(seek)}:
            await self._hub.write(partial(self._store.seeks.prolong, owners, now + AWAY))

    async def _purge(self) -> None:
        if await self._hub.write(partial(self._store.seeks.purge, self._now())):
            await self._changed()

    async def _announce(self) -> None:
        hint = self._crowd.announce()
        if hint is not None:
            await self._publish(hint)

    # --- what others hear ---

    async def _changed(self) -> None:
        """Show the lobby anew, here and in the other processes."""
        self._showing.touch()
        await self._publish(Hint(self._hub.process))

    async def _publish(self, hint: Hint) -> None:
        await self._bus.publish("lobby", msgspec.json.encode(hint))

    def _hear(self, body: bytes) -> None:
        try:
            hint = msgspec.json.decode(body, type=Hint)
        except msgspec.DecodeError:
            log.warning("a hint that cannot be read: %.200r", body)
            return
        if hint.process == self._hub.process:
            return
        if hint.people is None:
            self._pairing = True
            self._showing.touch()
        elif self._crowd.hear(hint):
            self._showing.touch()

    def _news(self, game: str, state: State, events: Iterable[Event]) -> None:
        """A game that is held here began or ended."""
        if state.version == 1 or not state.playing:
            self._showing.touch()


def _own(asker: Asker, seek: Seek) -> list[str]:
    """The taker's own seeks that a game with a clock closes: who has taken one is here no more."""
    if seek.control.kind == "days":
        return []
    owner = asker.person.id
    return [own.id for own in asker.seeks if own.owner == owner and own.control.kind != "days"]


def _present(seek: Seek) -> bool:
    """Whether a seek needs its owner to be there."""
    return seek.control.kind != "days" and seek.code is None


def _age(seek: Seek) -> tuple[int, str]:
    return seek.created, seek.id
