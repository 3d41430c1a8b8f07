"""Many people with accounts and sessions at once.

They are written through the store directly, as signing up one by one is limited by address and
spends its time on passwords; what is measured and attacked is the play, not the door.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from kingme.play.stakes import welcome
from kingme.store import Store

__all__ = ["Person", "enrol"]

YEAR = 365 * 24 * 60 * 60 * 1000
NO_PASSWORD = "-"  # fits no password, but is there: an account, no guest


@dataclass(frozen=True, slots=True)
class Person:
    """An account and the token of its session."""

    id: int
    name: str
    token: str


def enrol(store: Store, count: int, *, chips: int = 0, guests: bool = False) -> Sequence[Person]:
    """So many new people, each with a session and chips."""
    prefix = secrets.token_hex(3)

    def make(number: int) -> Person:
        now = time.time_ns() // 1_000_000
        name = f"{'Guest-' if guests else 'p'}{prefix}{number}"
        user = store.users.add(name, now, None if guests else NO_PASSWORD)
        token = secrets.token_urlsafe(32)
        hashed = hashlib.sha256(token.encode()).digest()
        store.sessions.start(hashed, user.id, now, now + YEAR)
        if chips and not guests:
            store.ledger.book(welcome(user.id, now, chips))
        return Person(user.id, name, token)

    with ThreadPoolExecutor(4) as threads:
        return list(threads.map(make, range(count)))
