"""What games are asked for, and how that is said in SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kingme.collection.file import CollectionError
from kingme.collection.packing import date_number, folded, key_of
from kingme.rules.position import Position
from kingme.rules.variant import Side

__all__ = ["RESULTS", "Condition", "Query", "conditions", "last_day", "mass_number", "place_of"]

RESULTS = {"none": 0, "black": 1, "white": 2, "draw": 3}
"""How a game ended, as it is asked for and as it is kept."""

_SIDE = re.compile(r"\s*(?:\d{1,2}\s*[mk]\s*)+", re.I | re.A)
_PIECES = re.compile(r"(\d+)\s*([mk])", re.I | re.A)

Condition = tuple[str, tuple[str | int, ...]]


@dataclass(frozen=True, slots=True)
class Query:
    """All that is asked of a game at once; what is left out may be anything.

    ``player``, ``black``, ``white`` and ``event`` are words of the name, in any order and case.
    ``since`` and ``until`` are dates, ``1904`` or ``1904.12.03``, both included. ``opening`` is
    the number of a three-move ballot. ``position`` is found whatever the order of moves, and with
    the ``colours`` reversed too unless that is turned off. ``material`` is like ``1m2k v 3m``: the
    men and kings of one side and of the other. ``result`` is black, white, draw or none.

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
            mass_number(self.material)
        narrow = (self.player, self.black, self.white, self.event, self.since, self.until)
        rest = (self.opening is not None, self.material, self.result, self.variant)
        object.__setattr__(self, "narrow", any(narrow) or any(rest))


def mass_number(text: str) -> int:
    """Return the number of a material such as ``1m2k v 3m``, whichever side is named first.

    >>> mass_number("3m v 1m2k") == mass_number("1M 2K v 3M")
    True
    """
    sides = re.split(r"v(?:s\.?)?", text, flags=re.I)
    if len(sides) != 2 or not all(map(_SIDE.fullmatch, sides)):
        raise CollectionError(
            f"{text!r} is no material: 1m2k v 3m is a man and two kings against three men"
        )
    low, high = sorted(
        sum(int(n) << (8 if kind in "mM" else 0) for n, kind in _PIECES.findall(side))
        for side in sides
    )
    return high << 16 | low


def conditions(query: Query, game: str) -> Iterator[Condition]:
    """Yield what the rows of ``game`` g have to meet; ``game`` is the column of its number.

    The position is left to the caller; so is the material where that is the column ``m.game``.
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
        mass = mass_number(query.material)
        yield f"EXISTS (SELECT 1 FROM mass m WHERE m.mass = ? AND m.game = {game})", (mass,)


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
