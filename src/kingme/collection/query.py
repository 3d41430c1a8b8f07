"""What games are asked for, and how that is said in SQL."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field

from kingme.collection.file import CollectionError
from kingme.collection.packing import date_number, folded, key_of
from kingme.rules.position import Position
from kingme.rules.variant import Side

__all__ = [
    "RESULTS",
    "Condition",
    "Material",
    "Query",
    "conditions",
    "last_day",
    "masses_of",
    "material_of",
    "often",
    "place_of",
]

RESULTS = {"none": 0, "black": 1, "white": 2, "draw": 3}
"""How a game ended, as it is asked for and as it is kept."""

_SIDE = re.compile(r"\s*(?:\d{1,2}\s*[mk]\s*)+", re.I | re.A)
_PIECES = re.compile(r"(\d+)\s*([mk])", re.I | re.A)

_EACH = (
    "WITH RECURSIVE each (n) AS (SELECT min(mass) FROM mass UNION ALL "
    "SELECT (SELECT min(mass) FROM mass WHERE mass > n) FROM each WHERE n IS NOT NULL) "
    "SELECT n FROM each"
)

OFTEN = 20_000
"""How many rows of ``mass`` are too many to be gone through before the first game is told."""

Condition = tuple[str, tuple[str | int, ...]]


@dataclass(frozen=True, slots=True)
class Query:
    """All that is asked of a game at once; what is left out may be anything.

    ``player``, ``black``, ``white`` and ``event`` are words of the name, in any order and case.
    ``since`` and ``until`` are dates, ``1904`` or ``1904.12.03``, both included. ``opening`` is
    the number of a three-move ballot. ``position`` is found whatever the order of moves, and with
    the ``colours`` reversed too unless that is turned off. ``material`` is like ``1m2k v 3m``: the
    men and kings of one side and of the other; ``1m2k v *`` is one side with whatever the other
    has. Which of them is Black does not matter. ``result`` is black, white, draw or none.

    >>> Query(player="tinsley", since="1950", result="draw").player
    'tinsley'
    """

    player: str = ""
    black: str = ""
    white: str = ""
    event: str = ""
    since: str = ""
    until: str = ""
    opening: int | None = None
    position: Position | None = None
    colours: bool = True
    material: str = ""
    result: str = ""
    variant: str = ""
    #: whether anything but the position is asked for
    narrow: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse what cannot be asked; raises :class:`CollectionError`."""
        if self.result and self.result not in RESULTS:
            raise CollectionError(
                f"{self.result!r} is no result: ask for black, white, draw or none"
            )
        for name in ("since", "until"):
            text = getattr(self, name)
            if text and date_number(text) is None:
                raise CollectionError(f"{text!r} is no date: one is like 1904 or 1904.12.03")
        if self.material:
            material_of(self.material)
        narrow = (self.player, self.black, self.white, self.event, self.since, self.until)
        rest = (self.opening is not None, self.material, self.result, self.variant)
        object.__setattr__(self, "narrow", any(narrow) or any(rest))


@dataclass(frozen=True, slots=True)
class Material:
    """Men and kings that are asked for: of a side as 16 bits each, ``low`` None where any will do.

    >>> material_of("1m2k v *").has(material_of("3m v 1m2k").number)
    True
    """

    high: int
    low: int | None

    @property
    def number(self) -> int:
        """The number of a whole material, as :func:`~kingme.collection.packing.mass_of` has it."""
        return self.high << 16 | (self.low or 0)

    @property
    def whole(self) -> bool:
        """Whether both sides are asked for."""
        return self.low is not None

    def has(self, mass: int) -> bool:
        """Whether a material is one of those asked for."""
        if self.low is None:
            return self.high in (mass >> 16, mass & 0xFFFF)
        return mass == self.number


def material_of(text: str) -> Material:
    """Return what a text such as ``1m2k v 3m`` or ``3m v *`` asks for, in either order.

    >>> material_of("3m v 1m2k") == material_of("1M 2K v 3M")
    True
    """
    sides = re.split(r"v(?:s\.?)?", text, flags=re.I)
    stars = [side for side in sides if side.strip() == "*"]
    known = [side for side in sides if _SIDE.fullmatch(side)]
    if len(sides) != 2 or not known or len(known) + len(stars) != 2:
        raise CollectionError(
            f"{text!r} is no material: 1m2k v 3m is a man and two kings against three men, "
            "1m2k v * against anything"
        )
    low, high = (
        sum(int(n) << (8 if kind in "mM" else 0) for n, kind in _PIECES.findall(side))
        for side in (known * 2)[:2]
    )
    return Material(max(low, high), None if stars else min(low, high))


def conditions(query: Query, game: str, *, singly: bool = False) -> Iterator[Condition]:
    """Yield what the rows of ``game`` g have to meet; ``game`` is the column of its number.

    The position is left to the caller; so is the material where that is the column ``m.game``.
    ``singly`` looks up the material of each game by itself, not first that of all together.
    """
    for text, sides in (
        (query.player, ("black", "white")),
        (query.black, ("black",)),
        (query.white, ("white",)),
    ):
        if text:
            words, values = _words(text)
            people = f"(SELECT id FROM person WHERE {words})"
            parts = [f"SELECT id FROM game WHERE {side} IN {people}" for side in sides]
            yield f"{game} IN ({' UNION '.join(parts)})", values * len(sides)
    if query.event:
        words, values = _words(query.event)
        events = f"(SELECT id FROM event WHERE {words})"
        yield f"{game} IN (SELECT id FROM game WHERE event IN {events})", values
    if query.since:
        yield "g.day >= ?", (date_number(query.since) or 0,)
    if query.until:
        yield "g.day <= ?", (last_day(date_number(query.until) or 0),)
    if query.opening is not None:
        yield "g.opening = ?", (query.opening,)
    if query.result:
        yield "g.result = ?", (RESULTS[query.result],)
    if query.variant:
        yield "g.variant = ?", (query.variant,)
    if query.material and game != "m.game":
        masses, values = masses_of(query.material)
        if singly or material_of(query.material).whole:
            yield f"EXISTS (SELECT 1 FROM mass WHERE {masses} AND game = {game})", values
        else:
            yield f"{game} IN (SELECT game FROM mass WHERE {masses})", values


def masses_of(material: str) -> Condition:
    """Return what the rows of ``mass`` have to meet for a material.

    Of one side alone, the few different masses that there are say which of them have it: from
    each, the index leads to the next.
    """
    asked = material_of(material)
    if asked.whole:
        return "mass = ?", (asked.number,)
    return f"mass IN ({_EACH} WHERE n >> 16 = ? OR n & 65535 = ?)", (asked.high, asked.high)


def often(connection: sqlite3.Connection, material: str) -> bool:
    """Return whether so many games have a material that one is soon found by trying them."""
    masses, values = masses_of(material)
    sql = f"SELECT count(*) FROM (SELECT 1 FROM mass WHERE {masses} LIMIT ?)"
    return bool(connection.execute(sql, (*values, OFTEN)).fetchone()[0] == OFTEN)


def _words(text: str) -> Condition:
    """That a folded name holds every word."""
    words = folded(text).split()
    marked = (re.sub(r"([\\%_])", r"\\\1", word) for word in words)
    clause = " AND ".join([r"folded LIKE ? ESCAPE '\'"] * len(words)) or "1"
    return clause, tuple(f"%{word}%" for word in marked)


def last_day(day: int) -> int:
    """The last day that a date with unknown parts may mean."""
    if day % 10000 == 0:
        return day + 9999
    return day + 99 if day % 100 == 0 else day


def place_of(query: Query) -> Condition:
    """Return what the rows of ``place`` p have to meet for the position of a query."""
    assert query.position is not None
    key = key_of(query.position)
    if query.colours:
        # A game that has the position with either colours is told once.
        again = "SELECT 1 FROM place q WHERE q.key = p.key AND q.game = p.game AND q.turn = 0"
        return f"p.key = ? AND (p.turn = 0 OR NOT EXISTS ({again}))", (key,)
    return "p.key = ? AND p.turn = ?", (key, int(query.position.turn is Side.WHITE))
