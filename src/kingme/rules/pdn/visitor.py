"""Who listens while PDN is read: what a visitor is told, and one that counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from kingme.rules.moves import Move
from kingme.rules.pdn.tags import Tags
from kingme.rules.position import Position

__all__ = ["Counter", "Note", "Remark", "Visitor"]

#: ``comment`` stands behind the last move, ``before`` in front of the next one.
Remark = Literal["comment", "before", "nag", "strength"]


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader has to say about a place in the text.

    ``kind`` is ``"error"`` for what could not be understood, ``"repair"`` for what was
    understood only by looking at the rest of the game, and ``"odd"`` for what is
    understood but is no good PDN. ``line`` and ``column`` count from 1, in characters.

    >>> str(Note("odd", "a quiet move is written as a jump", 12, 5, "11x15"))
    '12:5: odd: a quiet move is written as a jump'
    """

    kind: Literal["repair", "error", "odd"]
    message: str
    line: int
    column: int
    token: str = ""

    def __str__(self) -> str:
        """Return the note as one line that begins with its place."""
        return f"{self.line}:{self.column}: {self.kind}: {self.message}"


class Visitor(Protocol):
    """What is told of each game, in the order of the text."""

    def begin(self, offset: int, line: int) -> None:
        """A game begins, at this byte and line."""

    def setup(self, tags: Tags, start: Position) -> None:
        """Its tags are complete, and this is where it starts."""

    def move(self, text: str, move: Move | None, after: Callable[[], Position | None]) -> None:
        """A move as it is written and as it is understood; ``after`` makes the position."""

    def remark(self, kind: Remark, text: str) -> None:
        """Something is said of the last move, of the next, or before the first."""

    def branch(self, opens: bool) -> None:
        """A variation opens, an alternative to the last move; or the innermost one ends."""

    def note(self, note: Note) -> None:
        """The reader says something of the text."""

    def end(self, result: str) -> None:
        """The game is over, with the result that the text states (empty where it has none)."""


class Counter:
    """A visitor that counts games, plies of main lines, and notes of each kind.

    >>> from kingme.rules.pdn import visit
    >>> counter = Counter()
    >>> visit("1. 11-15 22-18 2. 15x22 25x18 1/2-1/2 1. 11-16 23-14 *", counter)
    >>> counter.games, counter.plies, counter.repairs, counter.errors, counter.odd
    (2, 5, 0, 1, 0)
    """

    __slots__ = ("_depth", "errors", "games", "odd", "plies", "repairs")

    def __init__(self) -> None:
        self.games = self.plies = self.repairs = self.errors = self.odd = self._depth = 0

    def begin(self, offset: int, line: int) -> None:
        """One game more."""
        self.games += 1

    def setup(self, tags: Tags, start: Position) -> None:
        """Nothing to count."""

    def move(self, text: str, move: Move | None, after: Callable[[], Position | None]) -> None:
        """Count a legal move of the main line."""
        if move is not None and not self._depth:
            self.plies += 1

    def remark(self, kind: Remark, text: str) -> None:
        """Nothing to count."""

    def branch(self, opens: bool) -> None:
        """Know whether this is the main line."""
        self._depth += 1 if opens else -1

    def note(self, note: Note) -> None:
        """Count by kind."""
        if note.kind == "error":
            self.errors += 1
        elif note.kind == "repair":
            self.repairs += 1
        else:
            self.odd += 1

    def end(self, result: str) -> None:
        """Nothing to count."""
