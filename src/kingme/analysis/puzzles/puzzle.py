"""A puzzle: a position of a real game in which one move, or two, is right, and it is proved."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from kingme.rules.moves import Move
from kingme.rules.position import Position

__all__ = ["Fate", "Origin", "Puzzle", "PuzzleKind", "PuzzleStep", "name_of"]

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""What names are spelled with: nothing that can be taken for another, as 0 for o or 1 for l."""

LONG = 6


class PuzzleKind(enum.StrEnum):
    """What is to be found: a shot, pieces won without one, a proved win, or the way to a draw."""

    SHOT = "shot"
    GAIN = "gain"
    WIN = "win"
    DRAW = "draw"


class Fate(enum.StrEnum):
    """What the player of the game did: missed it, found it, or had won, for the other resigned."""

    MISSED = "missed"
    FOUND = "found"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Origin:
    """The game that a puzzle is from, and what was played there.

    ``year`` is 0 where nobody knows it, ``ply`` counts from 0, and ``played`` is empty where the
    game ended there.
    """

    black: str
    white: str
    event: str
    year: int
    ply: int
    played: str


@dataclass(frozen=True, slots=True)
class PuzzleStep:
    """One move of the side that solves, and what follows.

    ``accepted`` are all moves that keep what there is, the move of the line first; ``refuted``
    are the others, each with the reply that shows why. ``reply`` is the defence's best answer,
    ``None`` after the last move.
    """

    accepted: tuple[Move, ...]
    refuted: tuple[tuple[Move, Move | None], ...]
    reply: Move | None = None

    @property
    def move(self) -> Move:
        """The move of the line."""
        return self.accepted[0]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, the line that solves it, and what is known of both.

    ``given`` and ``taken`` are the pieces of a shot, or of a gain as far as it is proved: its line
    may take more. They are 0 elsewhere. ``plies`` is how long
    the game still is with best play, where the result is certain, and 0 where it is not; of a gain,
    in how many plies it is made whatever is played.
    ``found`` says of each of the first seven levels of the engine how many of its five tries
    found the line.
    """

    position: Position
    steps: tuple[PuzzleStep, ...]
    kind: PuzzleKind
    given: int
    taken: int
    plies: int
    rating: int
    found: tuple[int, ...]
    origin: Origin

    @property
    def name(self) -> str:
        """The name in links: it follows from the position alone, and so stays."""
        return name_of(self.position)

    @property
    def fate(self) -> Fate:
        """What came of it in the game."""
        if not self.origin.played:
            return Fate.ENDED
        right = {str(move) for move in self.steps[0].accepted}
        return Fate.FOUND if self.origin.played in right else Fate.MISSED

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves of both sides."""
        pairs = ((step.move, step.reply) for step in self.steps)
        return tuple(move for pair in pairs for move in pair if move is not None)


def name_of(position: Position) -> str:
    """Return the name of the puzzle that a position makes.

    >>> name_of(Position.start())
    'hxvg7b'
    """
    key, letters = position.key, ""
    for _ in range(LONG):
        key, at = divmod(key, len(LETTERS))
        letters += LETTERS[at]
    return letters
