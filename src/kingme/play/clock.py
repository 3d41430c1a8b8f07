"""Clocks as values: time is passed in, in whole milliseconds, and never read here.

A clock does not run before both players have made their first move: until then a deadline says by
when the player on the turn must begin. From then on the server's time decides. Of the time that a
move took, the network's delay as measured is forgiven (`credit`) out of a quota, which each move
refills; a flag falls only when the time and what is left of that grace are over.

A game without a clock has a deadline all the same, `IDLE` after the last move, so that none goes on
for ever; nothing is played for in such a game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from kingme.errors import Refusal
from kingme.rules.variant import Side

__all__ = ["GRACE", "IDLE", "LEAST", "RETURN", "Charge", "Clock", "Speed", "TimeControl"]

Speed = Literal["bullet", "blitz", "rapid", "classical", "days"]
"""The time classes that ratings are kept in."""

SECOND = 1000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE

#: a flag falls this much after the time is over at most, for moves that are still on their way
GRACE = 2 * SECOND
#: how long after an outage nobody's time runs, so that players can connect again
RETURN = 5 * SECOND
#: a game without a clock ends when nobody has moved for so long
IDLE = 14 * DAY
#: no clock falls below this because a takeback takes increments from it
LEAST = SECOND
#: how many moves a player makes in a game that takes its time, for the estimates below
_MOVES = 25
#: up to how many seconds, as estimated for one player, a game is of a speed
_SPEEDS: tuple[tuple[int, Speed], ...] = ((180, "bullet"), (480, "blitz"), (1500, "rapid"))
#: by when each player must make the first move
_START_LIMITS: dict[Speed, int] = {"bullet": 20 * SECOND, "blitz": 30 * SECOND}

_GAME = re.compile(r"(\d+)(?::(\d\d))?\+(\d+)", re.ASCII)
_EACH = re.compile(r"(\d+)\s*(s|sec|seconds?|min|minutes?|days?)(?:\s*(?:a|per)\s*move)", re.ASCII)


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}" if number else ""


class TimeControl(msgspec.Struct, frozen=True):
    """How time is given: `kind` says what the two durations mean, in milliseconds.

    ``increment``: `initial` for the game and `increment` for each move made. ``per_move``:
    `initial` for every single move. ``days``: the same, in correspondence play. ``unlimited``:
    no time at all, and both are 0.

    >>> TimeControl.parse("5+3")
    TimeControl(kind='increment', initial=300000, increment=3000)
    >>> TimeControl.parse("30 s a move").speed
    'rapid'
    """

    kind: Literal["increment", "per_move", "days", "unlimited"] = "unlimited"
    initial: int = 0
    increment: int = 0

    @property
    def estimate(self) -> int:
        """How many seconds a player may use in a game, roughly; 0 without a clock."""
        if self.kind == "increment":
            return (self.initial + 2 * _MOVES * self.increment) // SECOND
        return _MOVES * self.initial // SECOND

    @property
    def speed(self) -> Speed:
        """The time class, by the estimate of a player's time; without a clock ``classical``."""
        if self.kind == "days":
            return "days"
        if self.kind == "unlimited":
            return "classical"
        return next((name for limit, name in _SPEEDS if self.estimate < limit), "classical")

    @property
    def text(self) -> str:
        """The clock in words: ``5+3``, ``0:30+1``, ``30 s a move``, ``1 day a move``, ``no clock``.

        In ``5+3`` the minutes for the game come first and the seconds for each move last.
        """
        if self.kind == "unlimited":
            return "no clock"
        if self.kind == "days":
            days = self.initial // DAY
            return f"{days} day{'' if days == 1 else 's'} a move"
        seconds = self.initial // SECOND
        if self.kind == "per_move":
            whole = seconds >= 120 and not seconds % 60
            return f"{seconds // 60} min a move" if whole else f"{seconds} s a move"
        minutes, rest = divmod(seconds, 60)
        return f"{minutes}{f':{rest:02}' if rest else ''}+{self.increment // SECOND}"

    @property
    def words(self) -> str:
        """What `text` means where that is not said by itself, or nothing.

        >>> TimeControl.parse("5+3").words
        '5 minutes each, and 3 seconds more for every move'
        """
        if self.kind != "increment":
            return ""
        minutes, seconds = divmod(self.initial // SECOND, 60)
        each = [_count(number, unit) for number, unit in ((minutes, "minute"), (seconds, "second"))]
        more = _count(self.increment // SECOND, "second")
        given = " ".join(part for part in each if part)
        return f"{given} each, " + (f"and {more} more for every move" if more else "and no more")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read what `text` writes, and check it; ``Refusal`` (``bad_clock``) where it is none."""
        words = " ".join(text.lower().split())
        control: TimeControl | None = None
        if words in {"no clock", "unlimited"}:
            control = cls()
        elif len(words) <= 40 and (found := _GAME.fullmatch(words)):
            minutes, seconds, increment = (int(part or 0) for part in found.groups())
            control = cls("increment", minutes * MINUTE + seconds * SECOND, increment * SECOND)
        elif len(words) <= 40 and (found := _EACH.fullmatch(words)):
            unit = {"s": SECOND, "m": MINUTE, "d": DAY}[found[2][0]]
            control = cls("days" if unit == DAY else "per_move", int(found[1]) * unit)
        if control is None:
            raise Refusal(
                "bad_clock",
                f"'{text[:40]}' is no clock: write 5+3 (minutes and seconds a move), "
                "30 s a move, 3 days a move, or no clock.",
            )
        control.check()
        return control

    def check(self, *, rated: bool = False, stake: int = 0) -> None:
        """Refuse (``bad_clock``) durations out of bounds, and what must not go on for ever.

        A game that is rated, or played for a stake, needs a clock.
        """
        objection = self._objection()
        if not objection and (rated or stake) and self.kind == "unlimited":
            objection = f"A {'rated game' if rated else 'game for a stake'} needs a clock."
        if objection:
            raise Refusal("bad_clock", objection)

    def _objection(self) -> str | None:
        initial, increment = self.initial, self.increment
        if self.kind == "increment":
            if initial % SECOND or not 15 * SECOND <= initial <= 180 * MINUTE:
                return "The time for a game is from 15 seconds to 3 hours, in whole seconds."
            if increment % SECOND or not 0 <= increment <= MINUTE:
                return "The increment is from 0 to 60 seconds, in whole seconds."
            return None
        if increment:
            return "Only a clock with a time for the whole game has an increment."
        if self.kind == "per_move" and (
            initial % SECOND or not 5 * SECOND <= initial <= 10 * MINUTE
        ):
            return "The time for a move is from 5 seconds to 10 minutes, in whole seconds."
        if self.kind == "days" and (initial % DAY or not DAY <= initial <= 14 * DAY):
            return "The time for a move is from 1 to 14 days, in whole days."
        if self.kind == "unlimited" and initial:
            return "Without a clock there is no time to set."
        return None

    @property
    def start_limit(self) -> int | None:
        """How long each player has to make the first move, in ms; None for as long as they like."""
        if self.kind == "unlimited":
            return None
        if self.kind == "days":
            return self.initial
        if self.kind == "per_move":
            return MINUTE
        return _START_LIMITS.get(self.speed, MINUTE)

    @property
    def gain(self) -> int:
        """By how much a move refills the quota of lag, in ms: more in games that last longer.

        350 for an estimate of 15 s or less and 1000 for 180 s or more, as lichess does it.
        """
        if self.kind == "unlimited":
            return 0
        if self.kind == "days":
            return 1000
        return 350 + (min(max(self.estimate, 15), 180) - 15) * 650 // 165


@dataclass(frozen=True, slots=True)
class Charge:
    """What a move costs: `spent` is taken from the clock and `credit` forgiven as lag, in ms."""

    spent: int
    credit: int


@dataclass(frozen=True, slots=True)
class Clock:
    """Both players' time. `left` and `quota` are Black's and White's, in ms, as of `since`.

    `running` is the side whose time runs since `since`. It is None before both players have made
    their first move, and after the end, when `since` is None too. `since` lies ahead for a while
    after an outage.
    """

    control: TimeControl
    left: tuple[int, int]
    quota: tuple[int, int]
    running: Side | None = None
    since: int | None = None

    @classmethod
    def begin(cls, control: TimeControl, at: int) -> Clock:
        """The clock of a game that begins: nobody's time runs yet."""
        quota = 3 * control.gain
        return cls(control, (control.initial,) * 2, (quota, quota), None, at)

    def elapsed(self, now: int) -> int:
        """How long the turn has lasted at `now`; never negative."""
        return 0 if self.since is None else max(0, now - self.since)

    def charge(self, now: int, lag: int) -> Charge | None:
        """What the move that arrived at `now` costs, or None where it came too late.

        First moves cost nothing.
        """
        if self.running is None:
            return Charge(0, 0)
        elapsed = self.elapsed(now)
        if self.control.kind == "unlimited":
            return Charge(elapsed, 0)
        credit = min(max(0, lag), self.quota[_index(self.running)], elapsed)
        spent = elapsed - credit
        return None if spent > self.left[_index(self.running)] else Charge(spent, credit)

    def moved(self, charge: Charge, at: int, runs: Side | None) -> Clock:
        """The clock after a move that was charged: from `at` on the time of `runs` runs."""
        side, control = self.running, self.control
        if side is None or control.kind == "unlimited":
            return Clock(control, self.left, self.quota, runs, at)
        gain, quota = control.gain, self.quota[_index(side)]
        left = self._after(side, charge.spent) + control.increment
        refilled = min(quota - charge.credit + gain, 7 * gain)
        return Clock(
            control,
            _with(self.left, side, left),
            _with(self.quota, side, refilled),
            runs,
            at,
        )

    def turned(self, at: int, runs: Side | None, undone: tuple[int, int] = (0, 0)) -> Clock:
        """The clock after a takeback, when `runs` goes on: what was used of the turn stays used.

        `undone` is how many moves of Black and of White were taken back, first moves not counted.
        What they earned goes with them, or time could be made by moving and taking back; but so
        much is left as was there, up to `LEAST`: a takeback that both want ends nobody's game.
        """
        left, side = self.left, self.running
        if side is not None:
            left = _with(left, side, self._after(side, self.elapsed(at)))
        for of, moves in zip(Side, undone, strict=True):
            rest = left[_index(of)]
            earned = moves * self.control.increment
            left = _with(left, of, max(rest - earned, min(rest, LEAST)))
        return replace(self, left=left, running=runs, since=at)

    def stopped(self, at: int, flag: Side | None = None) -> Clock:
        """The clock at the end of a game; the time of `flag` is over."""
        left = self.left
        if self.running is not None:
            rest = max(0, left[_index(self.running)] - self.elapsed(at))
            left = _with(left, self.running, rest)
        if flag is not None:
            left = _with(left, flag, 0)
        return replace(self, left=left, running=None, since=None)

    def shifted(self, since: int) -> Clock:
        """The clock whose running turn counts from `since` on."""
        return replace(self, since=since)

    def shift(self, down: int, up: int) -> int | None:
        """From when on the turn counts after an outage from `down` to `up`.

        What was used before it stays used, and players get `RETURN` to come back. None where the
        outage has nothing to do with this turn.
        """
        if self.since is None or self.since >= up or self.deadline() is None:
            return None
        return up + RETURN - max(0, down - self.since)

    def deadline(self) -> int | None:
        """From when on the server must end the game if nobody has moved; None for never."""
        if self.since is None:
            return None
        if self.control.kind == "unlimited":
            return self.since + IDLE
        if self.running is None:
            limit = self.control.start_limit
            return None if limit is None else self.since + limit
        index = _index(self.running)
        return self.since + self.left[index] + min(self.quota[index], GRACE) + 1

    def _after(self, side: Side, spent: int) -> int:
        """What `side` has left after `spent`; where time is given by the move, all of it again."""
        if self.control.kind == "increment":
            return max(0, self.left[_index(side)] - spent)
        return self.control.initial


def _index(side: Side) -> int:
    return 0 if side is Side.BLACK else 1


def _with(pair: tuple[int, int], side: Side, value: int) -> tuple[int, int]:
    return (value, pair[1]) if side is Side.BLACK else (pair[0], value)
