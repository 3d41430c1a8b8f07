"""Openings that are drawn by lot in English draughts, and openings that have names.

Three-move ballots are those of tournaments: the first three moves of a game are drawn, and those
that lose by force are barred. Their numbers are those of the American Checker Federation. Two-move
ballots are the older deck. In an eleven-man ballot each side is without one man, and one move of
each is drawn. Every ballot leads to a position of its own, so the order in which its moves were
played does not matter.

>>> ballot = THREE_MOVE[5]
>>> str(ballot), ballot.status, ballot.position.turn.title
('three-move ballot 5, Dreaded Edinburgh: 9-13 22-18 6-9', 'playable', 'White')
>>> [str(other) for other in find("black hole")]
['three-move ballot 60, Black Hole: 10-14 22-17 9-13']
>>> {name: (len(deck), len(deck.drawn)) for name, deck in DECKS.items()}
{'three-move': (174, 156), 'two-move': (49, 43), 'eleven-man': (2500, 2400), 'named': (34, 34)}

The decks are files beside this module, read at the first use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kingme.rules.ballots.deck import Ballot, Chance, Deck
from kingme.rules.position import Position

__all__ = [
    "DECKS",
    "ELEVEN_MAN",
    "NAMED",
    "THREE_MOVE",
    "TWO_MOVE",
    "Ballot",
    "Chance",
    "Deck",
    "Played",
    "ballot_of",
    "find",
    "opening_of",
]

THREE_MOVE = Deck(
    "three-move", "Three-move ballots", "three_move.txt", {"+": "playable", "-": "barred"}
)
TWO_MOVE = Deck("two-move", "Two-move ballots", "two_move.txt", {"+": "playable", "-": "excluded"})
ELEVEN_MAN = Deck(
    "eleven-man",
    "Eleven-man ballots",
    "eleven_man.txt",
    {"+": "standard", "!": "lost", "-": "lost"},
    removed=2,
)
NAMED = Deck("named", "Openings that have names", "named.txt", {"+": "named"})

#: All decks by name.
DECKS: dict[str, Deck] = {deck.name: deck for deck in (THREE_MOVE, TWO_MOVE, ELEVEN_MAN, NAMED)}


class Played(Protocol):
    """A game as far as its opening goes, such as a `History`."""

    @property
    def positions(self) -> Sequence[Position]:
        """The positions, from the first on."""


def ballot_of(where: Position | Played, deck: Deck = THREE_MOVE) -> Ballot | None:
    """Return the ballot of a deck that leads to a position, by whatever order of moves.

    For a game, the one that leads to the last of its positions that the deck knows. ``None``
    where it knows none.

    >>> str(ballot_of(Position.start().play("10-14").play("22-18").play("9-13")))
    'three-move ballot 6, Inferno: 9-13 22-18 10-14'
    """
    return _latest(where, (deck,))


def opening_of(where: Position | Played) -> Ballot | None:
    """Return the opening of a game: whatever any deck knows of its last known position.

    >>> from kingme import History
    >>> history = History.start()
    >>> for move in "11-15 23-19 8-11 22-17 9-13 17-14 10x17 19x10".split():
    ...     history = history.play(move)
    >>> opening_of(history).name, opening_of(history.back(6)).name
    ('Laird and Lady', '')
    """
    return _latest(where, (NAMED, THREE_MOVE, TWO_MOVE, ELEVEN_MAN))


def find(name: str) -> list[Ballot]:
    """Return the ballots of every deck whose names hold some words, in capitals or not."""
    words = name.casefold().split()
    return [
        ballot
        for deck in DECKS.values()
        for ballot in deck.values()
        if ballot.name and all(word in ballot.name.casefold() for word in words)
    ]


def _latest(where: Position | Played, decks: tuple[Deck, ...]) -> Ballot | None:
    positions = (where,) if isinstance(where, Position) else where.positions
    longest = max(deck.plies for deck in decks)
    for position in positions[longest::-1]:
        for deck in decks:
            ballot = deck.at(position)
            if ballot is not None:
                return ballot
    return None
