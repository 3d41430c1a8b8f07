"""The games in memory, kept in step with the log.

A command is decided on the game as it is cached, and its events are appended to the log at the
version that they were decided on. Only when they are durable are they applied and told. Where the
log has gone on meanwhile, what is missing is read and the command is decided again; where the
store gave no answer, the log is read before anything else is decided.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import msgspec

from kingme.errors import Refusal, Unavailable
from kingme.play.commands import Command, ShiftClock
from kingme.play.events import Event, Rematched
from kingme.play.game import State, apply, begin, decide, rematch, replay, result
from kingme.play.ports import Append, GameStore, LedgerStore, NewGame, ServiceStore, UserStore
from kingme.play.stakes import settlement
from kingme.rules.variant import Side
from kingme.web.live.beat import Beat
from kingme.web.live.table import RECENT, Table, person
from kingme.web.live.writer import Reader, Writer

__all__ = ["Changed", "Keeper", "Store"]

ATTEMPTS = 40
"""So often is a command decided at most; each time before, somebody else was faster."""

WAITING = 32
"""So many commands wait for one game at most."""

BEHIND = frozenset(
    {"illegal_move", "no_claim", "no_offer", "not_your_turn", "nothing_to_take_back", "stale"}
    | {"too_soon"}
)
"""So is refused what does not fit the game, which may only be that another process was faster."""

CHECKED = 1_000
"""For so long after it was read a game is as the log has it, even if nobody looks after it (ms)."""


class Store(Protocol):
    """What live games need of the store."""

    @property
    def games(self) -> GameStore:
        """The logs."""

    @property
    def users(self) -> UserStore:
        """The people."""

    @property
    def ledger(self) -> LedgerStore:
        """Their chips."""

    @property
    def service(self) -> ServiceStore:
        """Heartbeats, and who has muted whom."""


Changed = Callable[[Table, Sequence[Event], bool], object]
"""Hears of new events of a game (none when it was loaded); True: this process wrote them."""


@dataclass(frozen=True, slots=True)
class People:
    """The two players, and those of them who do not read what the other says."""

    shown: dict[int, dict[str, Any]]
    muted: frozenset[Side]


class Keeper:
    """Loads games, acts in them, and reads what other processes did."""

    def __init__(
        self,
        store: Store,
        writer: Writer,
        reader: Reader,
        beat: Beat,
        now: Callable[[], int],
        changed: Changed,
        dropped: Callable[[str], object],
        most: int,
    ) -> None:
        """Hold `most` games at once at most; `dropped` hears of those that leave memory."""
        self._store, self._writer, self._reader, self._beat = store, writer, reader, beat
        self._now, self._changed, self._dropped, self._most = now, changed, dropped, most
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self.tables: dict[str, Table] = {}
        self.acts = self.conflicts = self.loads = 0

    # --- games in memory ---

    async def table(self, game: str) -> Table:
        """The game, read from the log where it is not held; ``Refusal`` where there is none."""
        table = self.tables.get(game)
        if table is None:
            loading = self._loading.get(game)
            if loading is None:
                loading = self._loading[game] = asyncio.ensure_future(self._load(game))
                loading.add_done_callback(lambda task: self._loaded(game, task))
            table = await asyncio.shield(loading)
        table.touched = self._now()
        return table

    def _loaded(self, game: str, task: asyncio.Task[Table]) -> None:
        del self._loading[game]
        if not task.cancelled():
            task.exception()  # whoever asked is told; nobody may ask any more

    async def _load(self, game: str) -> Table:
        if len(self.tables) + len(self._loading) > self._most and not self._make_room():
            raise Refusal("busy", "The server holds as many games as it can: try again soon.")
        read: tuple[Table, People] | None = await self.read(self._whole, game)
        if read is None:
            raise Refusal("no_game", "There is no such game.")
        table, people = read
        table.people, table.muted = people.shown, people.muted
        self.loads += 1
        self.tables[game] = table
        self._changed(table, (), False)
        async with table.lock:
            await self._shift(table)
        return table

    async def current(self, table: Table, version: int) -> None:
        """See to it that a game is as the log has it, where that is not sure.

        `version` is one that somebody has seen. Games that nobody follows are not looked after.
        """
        known = bool(table.followers) or self._now() - table.checked < CHECKED
        if table.stale or version > table.version or not known:
            async with table.lock:
                await self._catch_up(table)

    def let_go(self, before: int) -> None:
        """Forget games that are over, or were not touched since `before`, if nobody needs them."""
        for table in tuple(self.tables.values()):
            if table.idle and (not table.playing or table.touched < before):
                self._drop(table)

    def _make_room(self) -> bool:
        """Forget those that nobody needed for longest; False where all are needed."""
        idle = sorted(
            (table for table in self.tables.values() if table.idle),
            key=lambda table: table.touched,
        )
        for table in idle[: 1 + self._most // 20]:
            self._drop(table)
        return bool(idle)

    def _drop(self, table: Table) -> None:
        del self.tables[table.game]
        self._dropped(table.game)

    def _whole(self, game: str) -> tuple[Table, People] | None:
        """Read a game and its players, in a thread."""
        events = self._store.games.events(game)
        if not events:
            return None
        state = replay(events)
        table = Table(game, state, events[-RECENT:], self._now())
        known, since = self._beat.outages, state.clock.since
        if known and since is not None and known[0].until > since:
            # There may have been earlier ones since the turn began.
            table.untold = tuple(self._store.service.outages(since))
        return table, self._people(state)

    def _people(self, state: State) -> People:
        """Read the players of a game, in a thread."""
        now, ids = self._now(), (state.started.black, state.started.white)
        users = self._store.users.users(ids)
        ratings = self._store.users.ratings(ids, state.speed)
        shown = {
            user.id: msgspec.to_builtins(
                person(user, ratings.get(user.id, {}).get(state.speed), now)
            )
            for user in users.values()
        }
        muted = self._store.service.muted_by(ids)
        deaf = {side for side in Side if state.player(side.other) in muted[state.player(side)]}
        return People(shown, frozenset(deaf))

    async def refresh(self, table: Table) -> None:
        """Read the players of a game anew."""
        people = await self.read(self._people, table.state)
        table.people, table.muted, table.whole = people.shown, people.muted, None

    async def read(self, call: Callable[..., Any], *args: object) -> Any:
        """Make a call to the store that reads; ``Refusal`` (``storage``) where it is away."""
        try:
            return await self._reader.call(call, *args)
        except Unavailable as error:
            raise _storage() from error

    # --- acting ---

    async def act(self, table: Table, command: Command, at: int) -> int:
        """Do what a command asks, as of its arrival at `at`; returns the version afterwards.

        Raises ``Refusal``: what the game says, or ``storage`` where nothing can be said.
        """
        if table.waiting >= WAITING:
            raise Refusal("too_fast", "Too much is asked of this game at once.")
        table.waiting += 1
        try:
            async with table.lock:
                return await self._act(table, command, at)
        finally:
            table.waiting -= 1
            table.touched = self._now()

    async def _act(self, table: Table, command: Command, at: int) -> int:
        if not self._beat.fresh:
            try:
                await self._beat.ensure()
            except Unavailable as error:
                raise _storage() from error
        if table.stale:
            await self._catch_up(table)
        await self._shift(table)
        sure = False
        for _ in range(ATTEMPTS):
            try:
                events = decide(table.state, command, at)
            except Refusal as refusal:
                # A hint may be lost, or slower than the player: the log is asked once.
                if sure or refusal.code not in BEHIND:
                    raise
                sure = True
                await self._catch_up(table)
                continue
            if not events:
                return table.version
            if not await self._commit(table, events):
                await self._overtaken(table)
                sure = True
            elif any(event.command == command.id for event in events):
                self.acts += 1
                return table.version
            # Else the clock had ended the game before: the command is judged after that.
        raise Refusal("busy", "The game changes too fast: try again.")

    async def shift(self, table: Table) -> None:
        """Tell the game of outages that it does not know."""
        async with table.lock:
            if table.stale:
                await self._catch_up(table)
            await self._shift(table)

    async def _shift(self, table: Table) -> None:
        if table.outage >= self._beat.latest:
            return
        known = {outage.id: outage for outage in (*table.untold, *self._beat.outages)}
        for _, outage in sorted(known.items()):
            if outage.id <= table.outage:
                continue
            command = ShiftClock(by=None, outage=outage.id, since=outage.since, until=outage.until)
            while events := decide(table.state, command, self._now()):
                if not await self._commit(table, events):
                    await self._overtaken(table)
            table.outage = outage.id
        table.untold = ()

    # --- the log ---

    async def _commit(self, table: Table, events: Sequence[Event]) -> bool:
        """Append events durably, then apply and tell them; False where the log has gone on."""
        before = after = table.state
        for event in events:
            after = apply(after, event)
        ends = before.playing and not after.playing
        item = Append(
            game=table.game,
            expected=before.version,
            events=tuple(events),
            plies=after.plies,
            deadline=after.deadline(),
            result=result(after) if ends else None,
            create=_next_game(table.game, before, events),
        )
        try:
            if ends or item.create:
                written = await self._finish(table, item, after if ends else None)
                if written is None:
                    return False
                for event in written[len(events) :]:
                    after = apply(after, event)
                events = written
            elif not await self._writer.append(item):
                return False
        except Refusal:
            raise
        except Exception as error:
            # Whether it was written is unknown.
            table.stale = True
            if isinstance(error, Unavailable):
                raise _storage() from error
            raise
        self._advance(table, after, events, here=True)
        return True

    async def _overtaken(self, table: Table) -> None:
        """Read what was written before what was to be written."""
        self.conflicts += 1
        before = table.version
        await self._catch_up(table)
        if table.version == before:
            raise RuntimeError(f"the store takes no event after {before} in game {table.game}")

    async def _finish(
        self, table: Table, item: Append, ended: State | None
    ) -> Sequence[Event] | None:
        """Append events that begin a rematch, or that ended the game, with its settlement."""
        if ended is not None and item.result is not None:
            guests = [user for user, shown in table.people.items() if shown.get("guest")]
            end = settlement(
                table.game,
                ended.started,
                item.result.winner,
                item.result.termination,
                ended.plies,
                ended.speed,
                item.events[-1].at,
                guests,
            )
            item = msgspec.structs.replace(item, settlement=end)
        return await self._writer.call(partial(self._store.games.finish, item))

    async def catch_up(self, table: Table, version: int = 0, events: Sequence[Event] = ()) -> None:
        """Read what was written elsewhere, up to `version` and what else is there.

        `events` are known to lead to `version` in the log: where nothing before them is missing,
        nothing is read.
        """
        table.hinted = max(table.hinted, version)
        if table.reading:
            return
        table.reading = True
        try:
            while True:
                hinted = table.hinted
                async with table.lock:
                    missing = version - table.version
                    if 0 < missing <= len(events) and not table.stale:
                        self._follow(table, events[-missing:])
                    elif table.stale or not version or table.version < hinted:
                        await self._catch_up(table)
                # While it was read there may have been a hint of what came later.
                if table.hinted in (hinted, table.version):
                    break
        finally:
            table.reading = False

    def _follow(self, table: Table, events: Sequence[Event]) -> None:
        after = table.state
        for event in events:
            after = apply(after, event)
        self._advance(table, after, events, here=False)

    async def _catch_up(self, table: Table) -> None:
        after, events = await self.read(self._since, table.game, table.state)
        table.stale, table.checked = False, self._now()
        if events:
            self._advance(table, after, events, here=False)

    def _since(self, game: str, state: State) -> tuple[State, Sequence[Event]]:
        """Read and apply what the log has after `state`, in a thread."""
        events = self._store.games.events(game, state.version)
        for event in events:
            state = apply(state, event)
        return state, events

    def _advance(self, table: Table, after: State, events: Sequence[Event], *, here: bool) -> None:
        table.checked = self._now()
        table.advance(after, events)
        self._changed(table, events, here)


def _next_game(game: str, state: State, events: Sequence[Event]) -> NewGame | None:
    """The game that a rematch begins."""
    for event in events:
        if isinstance(event, Rematched):
            started = rematch(state, game, event.at)
            return NewGame(event.game, started, begin(started).deadline())
    return None


def _storage() -> Refusal:
    return Refusal("storage", "This could not be stored now: it is tried again.")
