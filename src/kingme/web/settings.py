"""What whoever runs the server may choose; everything else is a constant of the program."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

__all__ = ["LOOPBACK", "Settings"]

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names by which a browser on the same machine reaches a local server."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits of one server.

    `hosts` are the names that a request may address (None: any), which keeps another site from
    reaching a local server through a name of its own. `searches` is how many searches run at once,
    `queue` how many requests may wait for one, each for `queue_seconds` at most. `body_bytes`,
    `body_seconds` and `plies` bound one request.
    """

    hosts: frozenset[str] | None = LOOPBACK
    searches: int = field(default_factory=lambda: os.cpu_count() or 1)
    queue: int = 32
    queue_seconds: float = 15.0
    body_bytes: int = 64 * 1024
    body_seconds: float = 10.0
    plies: int = 2000
