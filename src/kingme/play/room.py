"""Rooms as configuration: who may sit down, for what stakes, and what each result brings.

A room says in percent of the stake what each way for a game to end brings a player in chips, and
how many points. No two results of one game bring the players more chips together than they staked,
so a stake in escrow always suffices; what they do not get goes to the bank. The default rooms:

========  =================  ===================  =======  ===========================
room      open to            stakes               chips    points (win, draw, loss,
                                                  for win  resignation, desertion)
========  =================  ===================  =======  ===========================
Passport  everyone           0 10 25 50 100       100 %    10  5  2  1  0
Tourist   VIP members        0 100 200 400 800    95 %     15  7  3  1  0
Priority  Premium members    0 500 1000 2000      97 %     20  10  4  1  0
                             5000
========  =================  ===================  =======  ===========================

In all of them a draw gives the stake back and every loss costs it whole. The bank keeps 5 % of a
stake in Tourist and 3 % in Priority: chips come into the world by gifts and have to leave it too.
A loss played to its end brings more points than a resignation, and a desertion none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import msgspec

from kingme.errors import Refusal, SettingsError
from kingme.play.clock import TimeControl
from kingme.rules.outcome import PRESETS

__all__ = [
    "DEFAULT_ROOMS",
    "ENDINGS",
    "MEMBERSHIPS",
    "Ending",
    "Line",
    "Membership",
    "Room",
    "Terms",
    "room_of",
    "rooms_from",
]

Membership = Literal["none", "vip", "premium"]
"""What the operator granted, the least first: each opens what those before it open."""

Ending = Literal["win", "draw", "loss", "resignation", "desertion"]
"""How a game ended for one player; a flag that fell is a loss."""

MEMBERSHIPS: dict[Membership, str] = {"none": "", "vip": "VIP", "premium": "Premium"}
ENDINGS: dict[Ending, str] = {
    "win": "Win",
    "draw": "Draw",
    "loss": "Loss",
    "resignation": "Resignation",
    "desertion": "Desertion",
}


class Terms(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """What a game is played for, as it was shown before it began.

    `stake` is in chips. `chips` is what each way to end brings its player, in percent of the
    stake: -100 loses it whole. `points` are never negative. What is not named brings nothing.

    >>> Terms(stake=50, chips={"win": 95, "loss": -100}, points={"win": 15}).brings("win")
    (47, 15)
    """

    room: str = "passport"
    stake: int = 0
    chips: dict[str, int] = {}
    points: dict[str, int] = {}

    def brings(self, ending: Ending) -> tuple[int, int]:
        """The chips won (or lost, below zero) and the points that an ending brings.

        Parts of a chip are rounded down for both players, so that they go to the bank.
        """
        return self.stake * self.chips.get(ending, 0) // 100, self.points.get(ending, 0)


class Line(msgspec.Struct, frozen=True, rename="camel"):
    """One line of a room's table: what an ending brings, in chips and points."""

    ending: Ending
    title: str
    chips: int
    points: int


class Room(msgspec.Struct, frozen=True, rename="camel"):
    """A room. `stakes` are ascending, 0 for no stake; `preset` is None where players choose."""

    name: str
    title: str
    summary: str = ""
    membership: Membership = "none"
    stakes: tuple[int, ...] = (0,)
    chips: dict[str, int] = {}
    points: dict[str, int] = {}
    preset: str | None = None

    def terms(self, stake: int) -> Terms:
        """What a game for `stake` is played for; refuses ``no_such_stake``."""
        if stake not in self.stakes:
            offered = ", ".join(map(str, self.stakes))
            raise Refusal(
                "no_such_stake",
                f"{self.title} has no stake of {stake} chips: there are {offered}.",
            )
        return Terms(self.name, stake, dict(self.chips), dict(self.points))

    def table(self, stake: int) -> tuple[Line, ...]:
        """What each ending brings for this stake, in numbers, to be shown beforehand.

        >>> [(line.title, line.chips, line.points) for line in DEFAULT_ROOMS["tourist"].table(100)]
        ... # doctest: +NORMALIZE_WHITESPACE
        [('Win', 95, 15), ('Draw', 0, 7), ('Loss', -100, 3), ('Resignation', -100, 1),
         ('Desertion', -100, 0)]
        """
        terms = self.terms(stake)
        return tuple(
            Line(ending, title, *terms.brings(ending)) for ending, title in ENDINGS.items()
        )

    def opens_to(self, membership: Membership) -> bool:
        """Whether a membership lets one in."""
        ranks = list(MEMBERSHIPS)
        return ranks.index(membership) >= ranks.index(self.membership)

    def admit(
        self,
        membership: Membership,
        guest: bool,
        stake: int,
        rated: bool,
        control: TimeControl | None = None,
    ) -> None:
        """Let somebody sit down, or refuse: room_closed, needs_account or no_such_stake.

        Given the time control of the game, it may refuse ``bad_clock`` too.
        """
        if not self.opens_to(membership):
            raise Refusal(
                "room_closed",
                f"{self.title} is for {MEMBERSHIPS[self.membership]} members.",
            )
        self.terms(stake)
        if guest and (stake or rated):
            what = "for a stake" if stake else "rated games"
            raise Refusal("needs_account", f"Guests cannot play {what}: register first.")
        if control is not None:
            control.check(rated=rated, stake=stake)

    def rules(self, preset: str) -> str:
        """The draw preset of a game here: the room's own, or the one that the players chose."""
        if preset not in PRESETS:
            known = ", ".join(PRESETS)
            raise Refusal(
                "no_such_preset", f"There are no draw rules {preset!r}: there are {known}."
            )
        if self.preset and self.preset != preset:
            title = PRESETS[self.preset].title
            raise Refusal("no_such_preset", f"{self.title} is played by the draw rules {title}.")
        return preset


_TAKE_ALL = {"win": 100, "draw": 0, "loss": -100, "resignation": -100, "desertion": -100}

DEFAULT_ROOMS: dict[str, Room] = {
    room.name: room
    for room in (
        Room(
            name="passport",
            title="Passport",
            summary="Open to everyone.",
            stakes=(0, 10, 25, 50, 100),
            chips=_TAKE_ALL,
            points={"win": 10, "draw": 5, "loss": 2, "resignation": 1, "desertion": 0},
        ),
        Room(
            name="tourist",
            title="Tourist",
            summary="For VIP members: higher stakes, more points.",
            membership="vip",
            stakes=(0, 100, 200, 400, 800),
            chips={**_TAKE_ALL, "win": 95},
            points={"win": 15, "draw": 7, "loss": 3, "resignation": 1, "desertion": 0},
        ),
        Room(
            name="priority",
            title="Priority",
            summary="For Premium members: the highest stakes, the most points.",
            membership="premium",
            stakes=(0, 500, 1000, 2000, 5000),
            chips={**_TAKE_ALL, "win": 97},
            points={"win": 20, "draw": 10, "loss": 4, "resignation": 1, "desertion": 0},
        ),
    )
}
"""The rooms of a server whose operator names none, by name."""


def room_of(rooms: Mapping[str, Room], name: str) -> Room:
    """The room of a name; refuses ``no_such_room``."""
    if name not in rooms:
        titles = ", ".join(room.title for room in rooms.values())
        raise Refusal("no_such_room", f"There is no room {name!r}: there are {titles}.")
    return rooms[name]


def rooms_from(tables: Iterable[Mapping[str, Any]]) -> dict[str, Room]:
    """Read the ``[[room]]`` tables of the settings; without any, the default rooms.

    The tables given are all the rooms there are. Each begins with the figures of the default room
    of its name, or else of Passport, and changes what it names. Raises
    :class:`~kingme.errors.SettingsError`, which says the room, the field, and what is allowed.
    """
    rooms: dict[str, Room] = {}
    for number, table in enumerate(tables, 1):
        room = _Reader(number, table).room()
        if room.name in rooms:
            raise SettingsError(f"room {room.name!r}: there are two rooms of this name")
        rooms[room.name] = room
    return rooms or dict(DEFAULT_ROOMS)


_MOST_CHIPS, _MOST_POINTS = 1_000_000, 10_000


class _Reader:
    """Reads one table, and says what is wrong with it in the operator's words."""

    def __init__(self, number: int, table: Mapping[str, Any]) -> None:
        self.where = f"room number {number}"
        self.table = table
        if not isinstance(table, Mapping):
            raise self.error("", table, "a table such as [[room]] begins")

    def error(self, field: str, value: object, allowed: str) -> SettingsError:
        return SettingsError(f"{self.where}{field and ', ' + field}: {value!r} is not {allowed}")

    def room(self) -> Room:
        name = self.table.get("name")
        if name is None:
            raise SettingsError(f'{self.where} has no name: begin it with name = "passport"')
        if not (isinstance(name, str) and name.isascii() and name.isalnum() and name.islower()):
            raise self.error("name", name, "a name of lower-case letters a-z and digits")
        if len(name) > 32:
            raise self.error("name", name, "a name of at most 32 characters")
        self.where = f"room {name!r}"
        known = [*Room.__struct_fields__]
        for field in self.table:
            if field not in known:
                raise SettingsError(
                    f"{self.where}: there is no field {field!r}: {', '.join(known)}"
                )
        base = DEFAULT_ROOMS.get(name, DEFAULT_ROOMS["passport"])
        own = name in DEFAULT_ROOMS
        chips = self.figures("chips", base.chips, -100, 100)
        self.check(chips)
        return Room(
            name=name,
            title=self.text("title", base.title if own else name.title(), 40),
            summary=self.text("summary", base.summary if own else "", 200),
            membership=self.choice("membership", base.membership, get_args(Membership)),
            stakes=self.stakes(base.stakes),
            chips=chips,
            points=self.figures("points", base.points, 0, _MOST_POINTS),
            preset=self.choice("preset", None, tuple(PRESETS)),
        )

    def text(self, field: str, default: str, longest: int) -> str:
        value = self.table.get(field, default)
        if not isinstance(value, str) or len(value) > longest or not value.isprintable():
            raise self.error(field, value, f"a text on one line of at most {longest} characters")
        return value

    def choice(self, field: str, default: Any, allowed: tuple[str, ...]) -> Any:
        value = self.table.get(field, default)
        if value != default and value not in allowed:
            raise self.error(field, value, f"one of {', '.join(allowed)}")
        return value

    def stakes(self, default: tuple[int, ...]) -> tuple[int, ...]:
        value = self.table.get("stakes", default)
        if not isinstance(value, list | tuple) or not value:
            raise self.error("stakes", value, "a list of stakes in chips such as [0, 10, 25]")
        for stake in value:
            if not _whole(stake, 0, _MOST_CHIPS):
                raise self.error("stakes", stake, f"a whole number from 0 to {_MOST_CHIPS}")
        return tuple(sorted(set(value)))

    def figures(
        self, field: str, default: Mapping[str, int], least: int, most: int
    ) -> dict[str, int]:
        value = self.table.get(field, {})
        if not isinstance(value, Mapping):
            raise self.error(field, value, f"a table such as [room.{field}] begins")
        for ending, figure in value.items():
            if ending not in ENDINGS:
                raise self.error(field, ending, f"one of {', '.join(ENDINGS)}")
            if not _whole(figure, least, most):
                allowed = f"a whole number from {least} to {most}"
                raise self.error(f"{field}.{ending}", figure, allowed)
        return {**default, **value}

    def check(self, chips: Mapping[str, int]) -> None:
        """Refuse percents by which two players would get more than they staked."""
        for one, other in (
            ("draw", "draw"),
            ("win", "loss"),
            ("win", "resignation"),
            ("win", "desertion"),
        ):
            if chips[one] + chips[other] > 0:
                raise SettingsError(
                    f"{self.where}, chips: {one} {chips[one]} and {other} {chips[other]} together "
                    "bring the players more than they staked: the sum is 0 at most"
                )


def _whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
