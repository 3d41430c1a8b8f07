"""What processes tell one another over the bus. Hints may be lost: the log decides.

A hint of a game carries the events that are new in the log, so that a process that lacks nothing
else need not read them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from kingme.play.events import Event
from kingme.play.ports import Bus
from kingme.web.live.tasks import Tasks

__all__ = ["GameHint", "Hints", "Topic"]

Topic = Literal["game", "lobby", "presence", "user"]

MOST = 16
"""So many events does a hint carry at most; who lacks more reads the log."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(list[Event])


class GameHint(NamedTuple):
    """A game has a new version in the log; `events` lead up to it, the last ones at most."""

    game: str
    version: int
    events: Sequence[Event] = ()

    @property
    def encoded(self) -> bytes:
        """The hint as the bus takes it."""
        return b"%b %d %b" % (self.game.encode(), self.version, _encoder.encode(self.events))

    @classmethod
    def decode(cls, body: bytes) -> GameHint | None:
        """A hint from the bus; None where it is none.

        Events of another version of this program are left out: the log has them too.
        """
        game, _, rest = body.partition(b" ")
        version, _, events = rest.partition(b" ")
        if not version.isdigit():
            return None
        try:
            told: Sequence[Event] = _decoder.decode(events) if events else ()
        except msgspec.DecodeError:
            told = ()
        return cls(game.decode("ascii", "replace"), int(version), told)


class Hints:
    """The bus of one process, shared by all who have something to say or to hear."""

    def __init__(self, bus: Bus, tasks: Tasks) -> None:
        self._bus, self._tasks = bus, tasks
        self._listeners: dict[str, list[Callable[[bytes], object]]] = {}
        self._games: dict[str, GameHint] = {}
        self._sending = False

    @property
    def healthy(self) -> bool:
        """Whether hints are likely to arrive."""
        return self._bus.healthy

    def listen(self, topic: Topic, hear: Callable[[bytes], object]) -> None:
        """Let `hear` have all hints of a topic, one's own too."""
        self._listeners.setdefault(topic, []).append(hear)

    async def start(self) -> None:
        """Begin to listen."""
        await self._bus.start(self._hear)

    async def stop(self) -> None:
        """Listen no more."""
        await self._bus.stop()

    async def publish(self, topic: Topic, bodies: Iterable[bytes]) -> None:
        """Send hints."""
        for body in bodies:
            await self._bus.publish(topic, body)

    def game(self, game: str, version: int, events: Sequence[Event]) -> None:
        """Tell that events have brought a game to a new version, with those not told yet."""
        unsent = self._games.get(game)
        if unsent is not None:
            events = (*unsent.events, *events)
        self._games[game] = GameHint(game, version, events[-MOST:])
        if not self._sending:
            self._sending = True
            self._tasks.begin(self._send())

    def _hear(self, topic: str, body: bytes) -> None:
        for hear in self._listeners.get(topic, ()):
            hear(body)

    async def _send(self) -> None:
        try:
            while self._games:
                hint = self._games.pop(next(iter(self._games)))
                await self._bus.publish("game", hint.encoded)
        finally:
            self._sending = False
