"""Whether a game that is in no collection meets a query: the same questions, asked of one game."""

from __future__ import annotations

from kingme.collection.loading import Entry
from kingme.collection.packing import date_number, folded, key_of, mass_of
from kingme.collection.query import Query, last_day, material_of
from kingme.rules.ballots import ballot_of
from kingme.rules.variant import Side

__all__ = ["matches", "opening_of"]


def matches(query: Query, entry: Entry) -> bool:
    """Return whether a game is one of those that a query asks for.

    >>> from kingme.rules.history import History
    >>> game = Entry("", History.start().play("11-15"), Side.BLACK, black="Tinsley, M.")
    >>> matches(Query(player="m. tinsley", result="black"), game), matches(Query(white="m"), game)
    (True, False)
    """
    return _names(query, entry) and _facts(query, entry) and _board(query, entry)


def opening_of(entry: Entry) -> int | None:
    """Return the number of the three-move ballot that a game came through, if it did."""
    ballot = ballot_of(entry.history)
    return ballot.number if ballot else None


def _names(query: Query, entry: Entry) -> bool:
    both = (entry.black, entry.white)
    return (
        any(_holds(name, query.player) for name in both)
        and _holds(entry.black, query.black)
        and _holds(entry.white, query.white)
        and _holds(entry.event, query.event)
    )


def _holds(name: str, words: str) -> bool:
    plain = folded(name)
    return all(word in plain for word in folded(words).split())


def _facts(query: Query, entry: Entry) -> bool:
    day = date_number(entry.date)
    if query.since and (day is None or day < (date_number(query.since) or 0)):
        return False
    if query.until and (day is None or day > last_day(date_number(query.until) or 0)):
        return False
    result = "draw" if entry.draw else _WINNERS[entry.winner]
    if query.result and result != query.result:
        return False
    if query.variant and entry.history.positions[0].variant.name != query.variant:
        return False
    return query.opening is None or opening_of(entry) == query.opening


def _board(query: Query, entry: Entry) -> bool:
    positions = entry.history.positions
    if query.material:
        asked = material_of(query.material)
        if not any(asked.has(mass_of(position)) for position in positions):
            return False
    if query.position is None:
        return True
    if not query.colours:
        return query.position in positions
    key = key_of(query.position)
    return any(key_of(position) == key for position in positions)


_WINNERS = {None: "none", Side.BLACK: "black", Side.WHITE: "white"}
