"""The bus of a single process."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

__all__ = ["MemoryBus", "tell"]

_log = logging.getLogger(__name__)


def tell(hear: Callable[[str, bytes], None], topic: str, body: bytes) -> None:
    """Hand over a hint; what goes wrong with one must not keep the next from arriving."""
    try:
        hear(topic, body)
    except Exception:  # noqa: BLE001 (whatever it is, others still hear)
        _log.exception("a hint about %s could not be taken", topic)


class MemoryBus:
    """Hints within one process, each heard soon after it was sent, in order."""

    def __init__(self) -> None:
        self._hear: Callable[[str, bytes], None] | None = None

    @property
    def healthy(self) -> bool:
        """Whether hints arrive: always."""
        return True

    async def start(self, hear: Callable[[str, bytes], None]) -> None:
        """Begin to listen."""
        self._hear = hear

    async def publish(self, topic: str, body: bytes) -> None:
        """Send a hint; it is heard by a later turn of the loop, never within this call."""
        asyncio.get_running_loop().call_soon(self._deliver, topic, body)

    async def stop(self) -> None:
        """Stop listening."""
        self._hear = None

    def _deliver(self, topic: str, body: bytes) -> None:
        if self._hear is not None:
            tell(self._hear, topic, body)
