"""Who is there: the connections to each game, of this process and of the others.

Each process announces its own connections on the bus, what changed at once and everything now and
then. An announcement counts for a while only, so that a process that died is forgotten. Nothing
of this is kept: whoever knows nothing of a player yet gives them the benefit of the doubt.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

import msgspec

from kingme.play.state import State
from kingme.rules.variant import Side
from kingme.web.live import frames

__all__ = ["EXPIRES", "Presence", "Seen"]

EXPIRES = 15_000
"""How long an announcement of another process counts (ms)."""

REMEMBERED = 20_000
"""So many absences are remembered at most, the latest ones."""

CHUNK = 200
"""So many games go into one announcement, since some buses carry 8,000 bytes at most."""

FLAG = {Side.BLACK: 1, Side.WHITE: 2}
LEFT = {Side.BLACK: 4, Side.WHITE: 8}


class Announcement(msgspec.Struct, frozen=True):
    """What a process says of its games: (flags, watchers) by game, (0, 0) where nobody is left.

    `hello`: it has just begun, and wants to hear from the others.
    """

    process: str
    games: dict[str, tuple[int, int]] = {}
    hello: bool = False


class Seen(NamedTuple):
    """Who follows a game, over all processes."""

    black: bool
    white: bool
    watchers: int

    def side(self, side: Side) -> bool:
        """Whether this player is there."""
        return self.black if side is Side.BLACK else self.white


class Absence(NamedTuple):
    """A player is gone since then (ms); `left`: on purpose."""

    since: int
    left: bool


class Entry(NamedTuple):
    """What another process last said of a game, and until when that counts."""

    flags: int
    watchers: int
    expires: int


class Presence:
    """Counts connections, hears of others', and remembers since when a player is gone."""

    def __init__(
        self, process: str, now: Callable[[], int], changed: Callable[[str], object]
    ) -> None:
        """Call `changed` with a game whose players came or went."""
        self._process, self._now, self._changed = process, now, changed
        self._here: dict[str, list[int]] = {}
        self._elsewhere: dict[str, dict[str, Entry]] = {}
        self._absent: OrderedDict[tuple[str, Side], Absence] = OrderedDict()
        self._news: dict[str, int] = {}
        self._healthy = True
        self.crowds: set[str] = set()
        """Games whose number of watchers changed: to be told when there is time."""
        self.asked = False
        """Whether another process wants to hear everything."""

    # --- this process ---

    def arrive(self, game: str, side: Side | None) -> None:
        """One more connection follows the game, as a player or a watcher."""
        before = self.seen(game)
        self._here.setdefault(game, [0, 0, 0])[_place(side)] += 1
        self._note(game, before)

    def depart(self, game: str, side: Side | None, *, leaving: bool = False) -> None:
        """One connection less; `leaving`: the player goes away on purpose."""
        before = self.seen(game)
        counts = self._here[game]
        counts[_place(side)] -= 1
        if not any(counts):
            del self._here[game]
        left = LEFT[side] if leaving and side is not None else 0
        self._note(game, before, left)

    def _note(self, game: str, before: Seen, left: int = 0) -> None:
        self._news[game] = self._news.get(game, 0) | left
        self._compare(game, before, left)

    # --- all processes ---

    def seen(self, game: str) -> Seen:
        """Who follows the game."""
        black, white, watchers = self._here.get(game, (0, 0, 0))
        flags = 0
        for entry in self._elsewhere.get(game, {}).values():
            flags |= entry.flags
            watchers += entry.watchers
        return Seen(bool(black or flags & 1), bool(white or flags & 2), watchers)

    def absence(self, game: str, side: Side) -> Absence | None:
        """Since when a player is gone; None where they are there, or nobody can tell."""
        if not self._healthy or self.seen(game).side(side):
            return None
        return self._absent.get((game, side))

    def who(self, game: str, state: State) -> frames.Presence:
        """What everybody is told of a game: who is there, and who may be claimed against."""
        gone = claimable = None
        if state.playing and state.plies >= 2:
            for side in Side:
                absence = self.absence(game, side)
                patience = state.patience(absence.left) if absence else None
                if absence and patience is not None:
                    gone, claimable = side, absence.since + patience
        return frames.Presence(game, *self.seen(game), gone=gone, claimable=claimable)

    def watch(self, game: str) -> None:
        """Begin to care for a game: whoever is not there has just gone, for all that is known."""
        seen = self.seen(game)
        for side in Side:
            if not seen.side(side) and (game, side) not in self._absent:
                self._gone(game, side, left=False)

    def _compare(self, game: str, before: Seen, left: int = 0) -> None:
        """Note what changed against `before`, and tell it."""
        after = self.seen(game)
        for side in Side:
            if before.side(side) and not after.side(side):
                self._gone(game, side, left=bool(left & LEFT[side]))
            elif after.side(side):
                self._absent.pop((game, side), None)
        if (before.black, before.white) != (after.black, after.white):
            self.crowds.discard(game)
            self._changed(game)
        elif before != after:
            self.crowds.add(game)

    def _gone(self, game: str, side: Side, *, left: bool) -> None:
        self._absent[game, side] = Absence(self._now(), left)
        self._absent.move_to_end((game, side))
        if len(self._absent) > REMEMBERED:
            self._absent.popitem(last=False)

    # --- the bus ---

    def hear(self, body: bytes) -> None:
        """Take in what a process announced; what cannot be read is of another release."""
        try:
            said = msgspec.json.decode(body, type=Announcement)
        except msgspec.DecodeError:
            return
        if said.process == self._process:
            return
        self.asked |= said.hello
        expires = self._now() + EXPIRES
        for game, (flags, watchers) in said.games.items():
            before = self.seen(game)
            if flags & 3 or watchers:
                entry = Entry(flags & 3, watchers, expires)
                self._elsewhere.setdefault(game, {})[said.process] = entry
            else:
                self._forget(game, said.process)
            self._compare(game, before, flags)

    def _forget(self, game: str, process: str) -> None:
        entries = self._elsewhere.get(game, {})
        entries.pop(process, None)
        if not entries:
            self._elsewhere.pop(game, None)

    def check(self, healthy: bool) -> None:
        """Forget announcements that count no more, and note whether the bus brings them at all.

        While it does not, nobody can tell who is there: all stays as it was, and no absence
        counts; afterwards each one begins anew.
        """
        now = self._now()
        turned, self._healthy = healthy is not self._healthy, healthy
        mended = turned and healthy
        if mended:
            for key, absence in self._absent.items():
                self._absent[key] = absence._replace(since=now)
        if turned:
            for game in {game for game, _ in self._absent}:
                self._changed(game)
        for game in list(self._elsewhere):
            entries = self._elsewhere[game]
            if mended or not healthy:
                for process, entry in entries.items():
                    entries[process] = entry._replace(expires=now + EXPIRES)
                continue
            before = self.seen(game)
            expired = [process for process, entry in entries.items() if entry.expires <= now]
            for process in expired:
                self._forget(game, process)
            if expired:
                self._compare(game, before)

    @property
    def news(self) -> bool:
        """Whether there is anything to announce."""
        return bool(self._news)

    def announce(self) -> Iterator[bytes]:
        """What changed since it was last announced."""
        news, self._news = self._news, {}
        return self._announcements({game: self._said(game, left) for game, left in news.items()})

    def announce_all(self, *, hello: bool = False) -> Iterator[bytes]:
        """Everything that this process knows by itself."""
        self.asked = False
        if hello:
            yield msgspec.json.encode(Announcement(self._process, {}, hello=True))
        yield from self._announcements({game: self._said(game) for game in self._here})

    def farewell(self) -> Iterator[bytes]:
        """That nobody is here any more."""
        return self._announcements(dict.fromkeys(self._here, (0, 0)))

    def _said(self, game: str, left: int = 0) -> tuple[int, int]:
        black, white, watchers = self._here.get(game, (0, 0, 0))
        here = FLAG[Side.BLACK] * bool(black) | FLAG[Side.WHITE] * bool(white)
        return here | left, watchers

    def _announcements(self, games: dict[str, tuple[int, int]]) -> Iterator[bytes]:
        items = iter(games.items())
        while chunk := dict(islice(items, CHUNK)):
            yield msgspec.json.encode(Announcement(self._process, chunk))


def _place(side: Side | None) -> int:
    return 2 if side is None else (0 if side is Side.BLACK else 1)
