"""The live games of one process: who follows them, what is asked of them, and when they are due.

The hub holds no truth. What is in memory is a cache of the log, hints from other processes say
where to read on, and any number of hubs may share one store. It lives on one event loop.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from kingme.errors import KingmeError, Refusal
from kingme.play.commands import Command, Wake
from kingme.play.events import Event, Rematched, Settled
from kingme.play.game import State, begin, rematch
from kingme.play.ports import Bus, NewGame, Outage
from kingme.rules.variant import Side
from kingme.web.live.admission import Admission
from kingme.web.live.asking import Arrivals, ask
from kingme.web.live.beat import Beat
from kingme.web.live.deadlines import Deadlines, Handle, Later
from kingme.web.live.frames import Do, encode
from kingme.web.live.hints import GameHint, Hints, Topic
from kingme.web.live.keeper import Keeper, Store
from kingme.web.live.presence import Presence
from kingme.web.live.table import Follower, Table
from kingme.web.live.tasks import Repeat, Tasks
from kingme.web.live.writer import Reader, Writer
from kingme.web.settings import Settings

__all__ = ["Hub"]

Answer = TypeVar("Answer")
News = Callable[[str, State, Sequence[Event]], object]

GAMES = 20_000
"""So many games are held at once at most."""

WATCHERS = 2_000
"""So many connections follow one game here at most, besides those of its players."""

FOLLOWED = 16
"""So many games does one connection follow at most."""

IDLE = 60_000
"""A game that nobody follows is let go after so long (ms)."""

LATE = 2_000
"""A game whose deadline is over for so long is looked after by whoever finds it (ms)."""

AGAIN = 1_000
"""After so long is tried again what could not be done at a deadline (ms)."""

COMPARE = 5
"""Every so many seconds the log is looked at for what no hint told of; each, without a bus."""

DUE = 500
"""So many games that are due does the sweep find at most."""

AT_ONCE = 16
"""So many games are told of an outage, or woken by the sweep, at once."""

ANNOUNCE_SECONDS = 0.1
"""Who came and went is told to the other processes in one go."""

STOP_SECONDS = 10.0
"""So long may what was begun take when the hub stops."""

log = logging.getLogger(__name__)


class Hub:
    """All live games of this process."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        settings: Settings,
        now: Callable[[], int],
        *,
        later: Later | None = None,
        process: str | None = None,
    ) -> None:
        """`now` is the server's time (ms) and `later` puts off calls: a test may drive both.

        `process` names this process among those that share the store.
        """
        self.process = process or secrets.token_hex(8)
        self._store, self._now = store, now
        self._admission = Admission(store, settings.rooms, now)
        self._tasks = Tasks()
        self._hints = Hints(bus, self._tasks)
        self._later = later or _call_later
        self._writer, self._reader = Writer(store.games), Reader()
        self._beat = Beat(
            store.service, self.process, self._writer, now, self._later, self._outages
        )
        self._deadlines = Deadlines(now, self._later, self._due)
        self._presence = Presence(self.process, now, self._tell_presence)
        threads = self._writer, self._reader
        self._keeper = Keeper(store, *threads, self._beat, now, self._changed, self._dropped, GAMES)
        self._following: dict[Follower, dict[str, Side | None]] = {}
        self._news: list[News] = []
        self._announcing: Handle | None = None
        self._broken: set[str] = set()
        self._arrivals = Arrivals()
        self._looks = 0
        self._running, self._healthy = False, True
        self._hints.listen("game", self._hear_game)
        self._hints.listen("presence", self._hear_presence)
        self._repeats = [
            Repeat(self._sweep, 5.0, self._later),
            Repeat(self._compare, 1.0, self._later),
            Repeat(self._announce_all, 5.0, self._later),
            Repeat(self._tell_crowds, 2.0, self._later),
            Repeat(self._let_go, 10.0, self._later),
        ]

    # --- beginning and end ---

    async def start(self) -> None:
        """Begin: beat once, listen to the others, and look for games that are due."""
        self._writer.start()
        self._running = True
        await self._hints.start()
        await self._beat.start()
        await self._hints.publish("presence", self._presence.announce_all(hello=True))
        for repeat in self._repeats:
            repeat.start()
        self._tasks.begin(self._sweep())

    async def stop(self) -> None:
        """Take no more commands, finish what was begun, write what is queued, and end."""
        self._running = False
        self._deadlines.stop()
        await asyncio.gather(*(repeat.stop() for repeat in self._repeats), self._beat.stop())
        await self._tasks.settle(STOP_SECONDS)
        if self._announcing is not None:
            self._announcing.cancel()
        await self._hints.publish("presence", self._presence.farewell())
        await self._writer.stop(STOP_SECONDS)
        await self._reader.stop()
        await self._hints.stop()

    @property
    def figures(self) -> dict[str, int]:
        """What there is, and what was done since the start, by name."""
        return {
            "games": len(self._keeper.tables),
            "followers": len(self._following),
            "deadlines": len(self._deadlines),
            "commands": self._keeper.acts,
            "conflicts": self._keeper.conflicts,
            "loads": self._keeper.loads,
            "reads_waiting": self._reader.waiting,
        } | self._writer.figures

    @property
    def healthy(self) -> bool:
        """Whether games go on: the hub runs, the store takes its heartbeats, the clock is right."""
        return self._running and self._beat.fresh and self._beat.in_time

    # --- followers ---

    async def follow(self, game: str, follower: Follower, version: int = 0) -> list[bytes]:
        """Follow a game: what happened after `version`, or all of it, and who is there.

        To be sent before anything else is awaited, or what happens meanwhile would come first.
        ``Refusal``: ``no_game`` for absent games and private ones of others alike.
        """
        table = await self._table(game)
        side = _viewer(table, follower.user)
        table.pins += 1
        try:
            await self._keeper.current(table, version)
        finally:
            table.pins -= 1
        followed = self._following.setdefault(follower, {})
        if game not in followed:
            if len(followed) >= FOLLOWED:
                raise Refusal("too_many", f"At most {FOLLOWED} games can be followed at once.")
            if side is None and len(table.followers) >= WATCHERS:
                raise Refusal("full", "Too many people watch this game already.")
            self._presence.arrive(game, side)
            self._announce_soon()
            followed[game] = table.followers[follower] = side
        return [table.missed(side, version), encode(self._presence.who(table.game, table.state))]

    def whole(self, game: str, follower: Follower) -> list[bytes]:
        """All of a game that `follower` follows, for one that fell behind. Never waits.

        Empty where it does not follow the game.
        """
        table = self._keeper.tables.get(game)
        if table is None or follower not in table.followers:
            return []
        return [
            table.view(table.followers[follower]),
            encode(self._presence.who(table.game, table.state)),
        ]

    def unfollow(self, game: str, follower: Follower, leaving: bool = False) -> None:
        """Follow it no more; `leaving`: the player goes away on purpose."""
        followed = self._following.get(follower, {})
        if game not in followed:
            return
        side = followed.pop(game)
        if not followed:
            del self._following[follower]
        table = self._keeper.tables[game]
        del table.followers[follower]
        table.touched = self._now()
        self._presence.depart(game, side, leaving=leaving)
        self._announce_soon()

    def leave(self, follower: Follower) -> None:
        """Follow nothing any more: the connection is gone."""
        for game in self.following(follower):
            self.unfollow(game, follower)
        self._following.pop(follower, None)

    def following(self, follower: Follower) -> list[str]:
        """The games that a connection follows."""
        return list(self._following.get(follower, {}))

    async def _table(self, game: str) -> Table:
        if not self._running:
            raise Refusal("stopping", "The server is restarted: your game goes on after that.")
        try:
            return await self._keeper.table(game)
        except KingmeError:
            raise
        except Exception as error:
            log.exception("game %s cannot be read", game)
            raise _failed() from error

    # --- commands ---

    async def do(self, user: int | None, frame: Do, lag: int = 0) -> int:
        """Do what a player asks; returns the version, once it is durable and told to all.

        ``Refusal`` says why not, for the player. With ``storage``, ``busy``, ``too_fast`` and
        ``stopping`` nothing was decided: the same frame may be sent again.
        """
        at = self._now()
        table = await self._table(frame.game)
        side = _viewer(table, user)
        if side is None or user is None:
            raise Refusal("not_player", "Only the two players can do this.")
        asked = (user, frame)
        at = self._arrivals.first(asked, at)
        try:
            if frame.what in ("offer_rematch", "accept_rematch"):
                await self._admit(table.state, user, side)
            absence = self._presence.absence(table.game, side.other)
            absent = 0 if absence is None else at - absence.since
            left = absence is not None and absence.left
            command = ask(frame, side, lag=lag, absent=absent, left=left)
            # A connection that breaks must not leave a move in the log untold.
            return await asyncio.shield(self._tasks.begin(self._act(table, command, at)))
        except Refusal as refusal:
            refusal.version = table.version
            if refusal.code == "storage":
                self._arrivals.remember(asked, at)
            raise

    async def _act(self, table: Table, command: Command, at: int) -> int:
        try:
            return await self._keeper.act(table, command, at)
        except KingmeError:
            raise
        except Exception as error:
            log.exception("%s failed in game %s", type(command).__name__, table.game)
            raise _failed() from error

    async def _admit(self, state: State, user: int, side: Side) -> None:
        """See to it that another game is open to whoever asks, and to the one who asked first."""
        if not state.playing and state.next_game is None:
            other = state.player(side.other) if state.rematch_offer is side.other else None
            await self._keeper.read(self._admission.rematch, state.started, user, other)

    async def begin(self, new: NewGame) -> None:
        """Begin a game; ``NotEnoughChips``, or ``Unavailable``."""
        await self._writer.call(partial(self._store.games.create, new))
        self.begun(new)

    def begun(self, new: NewGame) -> None:
        """Look after a game that the store has just made."""
        self._deadlines.set(new.id, new.deadline)
        self._hints.game(new.id, 1, (new.started,))
        self._tell_news(new.id, begin(new.started), (new.started,))

    # --- for the rest of the process ---

    def peek(self, game: str) -> State | None:
        """A game as it stands, where it is in memory."""
        table = self._keeper.tables.get(game)
        return None if table is None else table.state

    def listen(self, topic: Topic, hear: Callable[[bytes], object]) -> None:
        """Hear the hints of a topic, one's own too."""
        self._hints.listen(topic, hear)

    def on_news(self, hear: News) -> None:
        """Hear of every event in the games held here: game, state after it, events."""
        self._news.append(hear)

    async def write(self, call: Callable[[], Answer]) -> Answer:
        """Make a call to the store that writes, in the thread where all is written."""
        return await self._writer.call(call)

    async def read(self, call: Callable[[], Answer]) -> Answer:
        """Make a call to the store that reads, in a thread."""
        return await self._reader.call(call)

    async def renew(self, user: int) -> None:
        """A user has another name, or mutes somebody: show their games so, in every process."""
        # One's own hints are heard too.
        await self._hints.publish("game", [f"@{user} 0".encode()])

    def _renew(self, user: int) -> None:
        for table in tuple(self._keeper.tables.values()):
            if table.side_of(user) is not None:
                self._tasks.begin(self._refresh(table, user))

    async def _refresh(self, table: Table, user: int | None = None) -> None:
        await self._keeper.refresh(table)
        for follower, side in tuple(table.followers.items()):
            if user is not None and follower.user == user:
                follower.send(table.view(side))

    # --- what happens in games ---

    def _changed(self, table: Table, events: Sequence[Event], here: bool) -> None:
        """See to what follows from events that were told to the followers."""
        game, state = table.game, table.state
        self._deadlines.set(game, state.deadline())
        if not events:
            self._presence.watch(game)
            return
        if here:
            self._hints.game(game, table.version, events)
        for event in events:
            if isinstance(event, Rematched) and here:
                started = rematch(state, game, event.at)
                self.begun(NewGame(event.game, started, begin(started).deadline()))
            elif isinstance(event, Settled) and state.started.rated:
                self._tasks.begin(self._refresh(table))
        self._tell_news(game, state, events)
        if table.followers and (
            table.shown is None or not (table.shown.black and table.shown.white)
        ):
            self._tell_presence(game)

    def _dropped(self, game: str) -> None:
        self._deadlines.set(game, None)

    def _tell_news(self, game: str, state: State, events: Sequence[Event]) -> None:
        for hear in self._news:
            try:
                hear(game, state, events)
            except Exception:
                # What is durable and told must not fail for those who only listen.
                log.exception("news of game %s could not be taken", game)

    def _outages(self, _: Sequence[Outage]) -> None:
        self._tasks.begin(self._shift())

    async def _shift(self) -> None:
        """Tell all games of an outage, some at a time; each is told before anything else anyway."""
        tables = [table for table in self._keeper.tables.values() if table.playing]
        for first in range(0, len(tables), AT_ONCE):
            shifts = map(self._keeper.shift, tables[first : first + AT_ONCE])
            for error in await asyncio.gather(*shifts, return_exceptions=True):
                if error is not None and not isinstance(error, KingmeError):
                    log.error("an outage is told to a game later", exc_info=error)

    def _due(self, game: str) -> None:
        self._tasks.begin(self._wake(game))

    async def _wake(self, game: str) -> None:
        """Let the clock end a game, if that is what it comes to."""
        try:
            table = await self._keeper.table(game)
            await self._keeper.act(table, Wake(by=None), self._now())
        except Refusal as refusal:
            if refusal.code != "no_game" and self._running:
                self._deadlines.set(game, self._now() + AGAIN)
        except Exception:
            # A log that cannot be read must not be tried for ever.
            self._broken.add(game)
            log.exception("game %s cannot be woken", game)
        else:
            deadline = table.state.deadline()
            if deadline is not None and self._running:
                self._deadlines.set(game, max(deadline, self._now() + 100))

    # --- again and again ---

    async def _sweep(self) -> None:
        """Look after games that are due and that no process holds."""
        # Those that cannot be read are due for ever: they must not keep others from being found.
        find = partial(self._store.games.due, self._now() - LATE, DUE, but=tuple(self._broken))
        games = [game for game, _ in await self._reader.call(find) if game not in self._deadlines]
        for first in range(0, len(games), AT_ONCE):
            if self._running:
                await asyncio.gather(*map(self._wake, games[first : first + AT_ONCE]))

    async def _compare(self) -> None:
        """Read on where the log has gone on and no hint came."""
        self._looks += 1
        healthy, before = self._hints.healthy, self._healthy
        if healthy and before and self._looks % COMPARE:
            return
        self._healthy = healthy
        self._presence.check(healthy)
        games = [table.game for table in self._keeper.tables.values() if table.followers]
        if not games:
            return
        versions = await self._reader.call(self._store.games.versions, games)
        for game, version in versions.items():
            table = self._keeper.tables.get(game)
            if table is not None and (table.stale or table.version < version):
                self._tasks.begin(self._read_on(table))

    async def _read_on(self, table: Table, version: int = 0, events: Sequence[Event] = ()) -> None:
        try:
            await self._keeper.catch_up(table, version, events)
        except Refusal:
            table.stale = True

    async def _let_go(self) -> None:
        """Forget games that nobody follows."""
        self._keeper.let_go(self._now() - IDLE)

    # --- the other processes ---

    def _hear_game(self, body: bytes) -> None:
        hint = GameHint.decode(body)
        if hint is None:
            return
        if hint.game.startswith("@") and hint.game[1:].isdecimal():
            self._renew(int(hint.game[1:]))
        table = self._keeper.tables.get(hint.game)
        if table is not None and table.version < hint.version:
            self._tasks.begin(self._read_on(table, hint.version, hint.events))

    def _hear_presence(self, body: bytes) -> None:
        self._presence.hear(body)
        if self._presence.asked:
            self._tasks.begin(self._announce_all())

    # --- who is there ---

    def _tell_presence(self, game: str) -> None:
        table = self._keeper.tables.get(game)
        if table is not None and table.followers:
            table.tell(self._presence.who(game, table.state))

    async def _tell_crowds(self) -> None:
        crowds, self._presence.crowds = self._presence.crowds, set()
        for game in crowds:
            self._tell_presence(game)

    def _announce_soon(self) -> None:
        if self._announcing is None and self._running:
            self._announcing = self._later(ANNOUNCE_SECONDS, self._announce)

    def _announce(self) -> None:
        self._announcing = None
        self._tasks.begin(self._hints.publish("presence", self._presence.announce()))

    async def _announce_all(self) -> None:
        await self._hints.publish("presence", self._presence.announce_all())


def _viewer(table: Table, user: int | None) -> Side | None:
    """The side of a user; nobody but its players learns that a private game is there."""
    side = table.side_of(user)
    if side is None and table.state.started.private:
        raise Refusal("no_game", "There is no such game.")
    return side


def _failed() -> Refusal:
    return Refusal("failed", "Something went wrong on the server: the game stands as it was.")


def _call_later(seconds: float, call: Callable[[], object]) -> Handle:
    return asyncio.get_running_loop().call_later(seconds, call)
