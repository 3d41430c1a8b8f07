"""The bus carries hints between processes: that a game, the lobby, presence or a user changed.

Hints may be lost; whoever gets one reads the store. `open_bus` is the door.
"""

from __future__ import annotations

from kingme.bus.memory import MemoryBus
from kingme.bus.redis import RedisBus

__all__ = ["MemoryBus", "RedisBus", "open_bus"]


def open_bus(url: str | None) -> MemoryBus | RedisBus:
    """A bus for one process (None), or for many through ``redis://HOST:PORT/DB``."""
    return RedisBus(url) if url else MemoryBus()
