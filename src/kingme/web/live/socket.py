"""One live connection: frames in, answers out, and what it follows.

Whatever arrives gets an answer and never a traceback. Pings are answered at once; everything else
in its order, one after another, since some of it waits for the store.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import kingme
from kingme.errors import KingmeError, Refusal, Unavailable
from kingme.play.ports import User
from kingme.web.live.feed import Feed
from kingme.web.live.frames import (
    Ack,
    Bye,
    ClientFrame,
    Do,
    Follow,
    Frame,
    Join,
    Malformed,
    No,
    Pair,
    Ping,
    Pong,
    SeekSent,
    Unfollow,
    Unseek,
    Watch,
    Welcome,
    decode,
    encode,
)
from kingme.web.live.meter import Bucket, Kind, Lag
from kingme.web.live.shares import cost
from kingme.web.live.sockets import Sockets
from kingme.web.live.table import Follower, person

__all__ = ["WAITING", "Games", "Hall", "Socket", "Wire"]

WAITING = 32
"""How many frames of one socket may wait for their turn."""

EXCESS = 20
"""How many messages without credit, one after another, are passed over before the end."""

AWAY = "The server cannot reach its records just now. Nothing is lost: it will be tried again."
BROKEN = "Something went wrong on the server. Try again."
BUSY = "Too much is waiting for an answer already. It will be tried again."
FAST = "This is too fast. Wait a moment."
STRANGER = "Choose a name, or play as a guest, first."

log = logging.getLogger(__name__)


class Games(Protocol):
    """What a socket needs of the hub."""

    async def follow(self, game: str, follower: Follower, version: int) -> list[bytes]:
        """The frames that bring a follower up to date, who gets all that comes from now on."""

    def whole(self, game: str, follower: Follower) -> list[bytes]:
        """All of a game that is followed, for a follower that fell behind."""

    def following(self, follower: Follower) -> list[str]:
        """The games that are followed."""

    def unfollow(self, game: str, follower: Follower, leaving: bool = False) -> None:
        """Send no more of one game."""

    def leave(self, follower: Follower) -> None:
        """Send no more of any: the connection is gone."""

    async def do(self, user: int | None, frame: Do, lag: int) -> int:
        """Do what a player asks; the game's version afterwards, durably."""


class Hall(Protocol):
    """What a socket needs of the lobby."""

    def watch(self, follower: Follower) -> None:
        """Send the lobby as it is, soon and whenever it changes."""

    def unwatch(self, follower: Follower) -> None:
        """Send it no more."""

    async def ask(self, user: int, frame: SeekSent | Pair | Join | Unseek) -> Ack:
        """Do what a person asks of the lobby."""


class Wire(Protocol):
    """The connection itself, as ASGI servers give it."""

    async def receive(self) -> str | bytes | None:
        """The next message; None when the connection is over."""

    async def write(self, frame: bytes) -> None:
        """Send a text message, waiting while the network is busy."""

    async def close(self, code: int, reason: str) -> None:
        """Send a close code."""

    def abort(self) -> None:
        """End the connection at once."""


class Socket:
    """One connection of a person or a visitor, from its welcome to its end."""

    def __init__(
        self,
        wire: Wire,
        user: User | None,
        headers: Mapping[str, str],
        games: Games,
        hall: Hall,
        now: Callable[[], int],
        *,
        spend: Callable[[int, int], bool] = lambda now, credits_: True,
        moved: Callable[[float], object] = lambda seconds: None,
    ) -> None:
        """Serve `user`, None for a visitor.

        `spend` uses credits that all sockets of a person share, and says whether they were left;
        `moved` hears how many seconds each move took.
        """
        self.person = user
        self.headers = headers
        self.heard = self.checked = now()
        self._wire = wire
        self._games = games
        self._hall = hall
        self._now = now
        self._spend = spend
        self._moved = moved
        self._feed = Feed(wire.write, wire.close, wire.abort, self._behind)
        self._credits = Bucket.of("lobby")
        self._kind: Kind = "lobby"
        self._excess = 0
        self._lag = Lag()
        self._watching = False
        self._waiting: deque[tuple[ClientFrame, float]] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._over = asyncio.Event()

    @property
    def user(self) -> int | None:
        """Whose it is, by id; None for a visitor."""
        return None if self.person is None else self.person.id

    @property
    def lag(self) -> int:
        """The round trip as measured, in ms."""
        return self._lag.value

    def send(self, frame: bytes, key: str | None = None) -> None:
        """Queue a frame, in place of one that waits under the same key; never blocks."""
        self._feed.send(frame, key)

    def bye(self, reason: Bye, code: int) -> None:
        """Send what is queued and a last frame, then close."""
        self.send(encode(reason))
        self._feed.finish(code, reason.reason)

    async def gone(self) -> None:
        """Wait until it is closed."""
        await self._over.wait()

    async def run(self, sockets: Sockets, mark: int) -> None:
        """Serve the connection until its end; its user was looked up after `mark`."""
        feed = asyncio.create_task(self._feed.run())
        feed.add_done_callback(self._fed)
        try:
            self._welcome()
            sockets.add(self, mark)
            while (message := await self._wire.receive()) is not None:
                self._hear(message)
        finally:
            sockets.remove(self)
            self._waiting.clear()
            self._feed.drop()
            self._games.leave(self)
            self._hall.unwatch(self)
            feed.cancel()
            self._over.set()

    def _fed(self, feed: asyncio.Task[None]) -> None:
        """Without its feed a connection is of no use; one that broke off has none either."""
        if feed.cancelled():
            return
        error = feed.exception()
        if error is not None:
            if not isinstance(error, OSError):
                log.error("a frame could not be sent", exc_info=error)
            self._wire.abort()

    # --- what comes in ---

    def _welcome(self) -> None:
        now = self._now()
        self._lag.sent(now)
        you = person(self.person, None, now) if self.person else None
        self._tell(Welcome(now, kingme.__version__, you))

    def _hear(self, message: str | bytes) -> None:
        if self._feed.ending:
            return
        now = self.heard = self._now()
        if not self._credits.spend(now):
            self._exceed(message)
            return
        self._excess = 0
        try:
            frame = decode(message)
        except Malformed as error:
            self._tell(No("malformed", str(error), error.id))
            return
        if isinstance(frame, Ping):
            self._lag.heard(frame.echo, frame.held, now)
            self._lag.sent(now)
            self.send(encode(Pong(now)), "pong")
        elif not self._spend(now, cost(frame)):
            self._tell(No("too_fast", FAST, getattr(frame, "id", None), _game(frame)))
        elif len(self._waiting) >= WAITING:
            self._tell(No("busy", BUSY, getattr(frame, "id", None), _game(frame)))
        else:
            self._waiting.append((frame, time.perf_counter()))
            if self._worker is None:
                self._worker = asyncio.create_task(self._work())

    def _exceed(self, message: str | bytes) -> None:
        """Say once that it is too fast, pass over what follows, and close where it goes on."""
        self._excess += 1
        if self._excess == 1:
            try:
                name = getattr(decode(message), "id", None)
            except Malformed as error:
                name = error.id
            self._tell(No("too_fast", FAST, name))
        elif self._excess > EXCESS:
            self._feed.finish(1008, "too fast")

    def _behind(self) -> None:
        """Send everything anew: what was queued is lost."""
        for game in self._games.following(self):
            for frame in self._games.whole(game, self):
                self.send(frame)
        if self._watching:
            self._hall.watch(self)

    async def _work(self) -> None:
        """Answer what waits. It is not cancelled when the connection ends: what began is done."""
        try:
            while self._waiting:
                await self._answer(*self._waiting.popleft())
        finally:
            self._worker = None

    # --- what goes out ---

    def _tell(self, frame: Frame) -> None:
        self.send(encode(frame))

    async def _answer(self, frame: ClientFrame, came: float) -> None:
        named: dict[str, Any] = {"id": getattr(frame, "id", None), "game": _game(frame)}
        try:
            answer = await self._act(frame)
        except Refusal as error:
            version = getattr(error, "version", None)
            self._tell(No(error.code, str(error), version=version, **named))
        except Unavailable:
            self._tell(No("storage", AWAY, **named))
        except KingmeError as error:
            self._tell(No("refused", str(error), **named))
        except Exception:
            log.exception("a frame could not be answered: %s", type(frame).__name__)
            self._tell(No("internal", BROKEN, **named))
        else:
            if answer is not None:
                self._tell(answer)
            if isinstance(frame, Do) and frame.what == "play":
                self._moved(time.perf_counter() - came)

    async def _act(self, frame: ClientFrame) -> Ack | None:
        match frame:
            case Follow():
                await self._follow(frame.game, frame.version)
            case Unfollow():
                self._games.unfollow(frame.game, self, frame.leaving)
                if not self._games.following(self):
                    self._become("lobby")
            case Watch():
                self._watch(frame.on)
            case Do():
                version = await self._games.do(self._player(), frame, self.lag)
                self._become("player")
                return Ack(frame.id, version=version)
            case SeekSent() | Pair() | Join() | Unseek():
                return await self._hall.ask(self._player(), frame)
        return None

    def _player(self) -> int:
        if self.user is None:
            raise Refusal("needs_session", STRANGER)
        return self.user

    async def _follow(self, game: str, version: int) -> None:
        frames = await self._games.follow(game, self, version)
        if self._over.is_set():  # the connection ended in the meantime
            self._games.leave(self)
            return
        if self._kind == "lobby":
            self._become("watcher")
        for frame in frames:
            self.send(frame)

    def _watch(self, on: bool) -> None:
        self._watching = on and not self._over.is_set()
        if self._watching:
            self._hall.watch(self)
        else:
            self._hall.unwatch(self)

    def _become(self, kind: Kind) -> None:
        self._kind = kind
        self._credits.become(kind)


def _game(frame: ClientFrame) -> str | None:
    """The game that a frame without an id is about."""
    return frame.game if isinstance(frame, Follow) else None
