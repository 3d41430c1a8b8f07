"""What processes tell one another over the bus. Hints may be lost: the log decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from kingme.play.ports import Bus
from kingme.web.live.tasks import Tasks

__all__ = ["Hints", "Topic"]

Topic = Literal["game", "lobby", "presence", "user"]


class Hints:
    """The bus of one process, shared by all who have something to say or to hear."""

    def __init__(self, bus: Bus, tasks: Tasks) -> None:
        self._bus, self._tasks = bus, tasks
        self._listeners: dict[str, list[Callable[[bytes], object]]] = {}
        self._games: dict[str, int] = {}
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

    def game(self, game: str, version: int) -> None:
        """Tell that a game has a new version; a later one takes the place of an unsent one."""
        self._games[game] = version
        if not self._sending:
            self._sending = True
            self._tasks.begin(self._send())

    def _hear(self, topic: str, body: bytes) -> None:
        for hear in self._listeners.get(topic, ()):
            hear(body)

    async def _send(self) -> None:
        try:
            while self._games:
                game = next(iter(self._games))
                await self._bus.publish("game", f"{game} {self._games.pop(game)}".encode())
        finally:
            self._sending = False
