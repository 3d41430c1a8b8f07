"""Who is online, over all processes.

Each process tells the others on the bus, when somebody comes or goes and now and then, how many
people it has and who some of them are. What it told counts for a while only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import msgspec

__all__ = ["EXPIRES", "LOST", "NAMED", "SETTLED", "Crowd", "Hint"]

EXPIRES = 15_000
"""How long the word of another process counts (ms)."""

LOST = 45_000
"""How long after that nobody whom it named is judged away (ms): it may be cut off, not gone."""

SETTLED = EXPIRES // 3 + 1_000
"""How long the others need to tell again of all whom they have (ms)."""

NAMED = 200
"""So many people are named at most; some buses carry 8,000 bytes and no more."""


class Hint(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one process tells the others about the lobby: who is there, or that it changed."""

    process: str
    people: int | None = None
    named: tuple[int, ...] = ()


class Entry(NamedTuple):
    """What another process said, and until when it counts."""

    people: int
    named: tuple[int, ...]
    expires: int


class Crowd:
    """The people of this process, `here`, and those that others told of."""

    def __init__(
        self,
        process: str,
        now: Callable[[], int],
        here: Callable[[], Collection[int]],
        healthy: Callable[[], bool] = lambda: True,
    ) -> None:
        self._process = process
        self._now = now
        self._here = here
        self._healthy = healthy
        self._sure = now() + SETTLED
        self._elsewhere: dict[str, Entry] = {}
        self._told: tuple[int, frozenset[int]] | None = None
        self._told_at = 0

    def hear(self, hint: Hint) -> bool:
        """Take in what another process told; whether that changes who is here."""
        if hint.people is None:
            return False
        before, now = self._elsewhere.get(hint.process), self._now()
        expires = now + EXPIRES
        self._elsewhere[hint.process] = Entry(hint.people, hint.named, expires)
        if before is None or before.expires <= now:
            return True
        return before[:2] != (hint.people, hint.named)

    def announce(self) -> Hint | None:
        """What to tell the others: what is new, or all that was told a third of its time ago."""
        here = self._here()
        named = sorted(here)[-NAMED:]
        state = (len(here), frozenset(named))
        now = self._now()
        if not self._healthy():
            self._sure = now + SETTLED
        if state == self._told and now - self._told_at < EXPIRES // 3:
            return None
        self._told, self._told_at = state, now
        return Hint(self._process, len(here), tuple(named))

    def farewell(self) -> Hint:
        """That nobody is here any more."""
        return Hint(self._process, 0)

    def away(self, user: int) -> bool:
        """Whether somebody is certainly connected to no process.

        Nobody is where the others may not have been heard, or have more people than they name.
        Any thread may ask.
        """
        now = self._now()
        if user in self._here() or now < self._sure or not self._healthy():
            return False
        return not any(
            user in entry.named or entry.people > len(entry.named)
            for entry in tuple(self._elsewhere.values())
            if entry.expires + LOST > now
        )

    def look(self) -> tuple[int, list[int]]:
        """How many people are online, and some of them by id."""
        now = self._now()
        self._elsewhere = {
            process: entry
            for process, entry in self._elsewhere.items()
            if entry.expires + LOST > now
        }
        here = self._here()
        named = set(sorted(here)[-NAMED:])
        others = 0
        for entry in self._elsewhere.values():
            if entry.expires <= now:
                continue
            named.update(entry.named)
            # Somebody with pages in two processes is one person, as far as names are told.
            others += entry.people - sum(user in here for user in entry.named)
        return len(here) + others, sorted(named)[-NAMED:]
