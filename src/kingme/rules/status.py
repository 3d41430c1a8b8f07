"""All that makes a position impossible, as flags; a position without any may occur in a game.

What is told follows from the rules in force: how many pieces a side begins with, where men are
crowned, whether they ever go back, and what ends a game. A position without a flag may still be
out of reach, as any puzzle may; one with a flag never comes about.
"""

from __future__ import annotations

import enum
from typing import Protocol

from kingme.rules.variant import Direction, Goal, Side, Variant

__all__ = ["Status", "status"]

_BACK = frozenset({Direction.BACKWARD, Direction.BACKWARD_DIAGONAL})


class Status(enum.Flag):
    """Why a position cannot occur; ``VALID`` where nothing speaks against it.

    >>> from kingme import Board
    >>> found = Board("W:WK5:B").status()
    >>> found, bool(found), found is Status.VALID
    (<Status.NOBODY_MOVED: 64>, True, False)
    >>> found.reasons
    ('the side that moved last has no piece',)
    """

    VALID = 0
    TOO_MANY_BLACK = 1
    TOO_MANY_WHITE = 2
    #: a man on its crown row would be a king
    BLACK_MAN_CROWNED = 4
    WHITE_MAN_CROWNED = 8
    #: men begin in front of that row, and never go back
    BLACK_MAN_BEHIND = 16
    WHITE_MAN_BEHIND = 32
    #: whoever moved last still has the piece that moved
    NOBODY_MOVED = 64
    #: the first king ends the game, so nobody moves with one, and there is one at most
    LATE_KING = 128

    @property
    def reasons(self) -> tuple[str, ...]:
        """Each flag as a phrase for people, in a fixed order."""
        return tuple(_REASONS[flag] for flag in self)


_REASONS = {
    Status.TOO_MANY_BLACK: "Black has more pieces than at the start",
    Status.TOO_MANY_WHITE: "White has more pieces than at the start",
    Status.BLACK_MAN_CROWNED: "a black man stands on its crown row and would be a king there",
    Status.WHITE_MAN_CROWNED: "a white man stands on its crown row and would be a king there",
    Status.BLACK_MAN_BEHIND: "a black man stands behind where the men began, and men never go back",
    Status.WHITE_MAN_BEHIND: "a white man stands behind where the men began, and men never go back",
    Status.NOBODY_MOVED: "the side that moved last has no piece",
    Status.LATE_KING: "the game goes on although a king has won it",
}


class Judged(Protocol):
    """A position, as far as its status goes."""

    @property
    def black(self) -> int:
        """Black's pieces as a mask."""

    @property
    def white(self) -> int:
        """White's pieces as a mask."""

    @property
    def kings(self) -> int:
        """The kings of both sides as a mask."""

    @property
    def turn(self) -> Side:
        """The side to move."""

    @property
    def variant(self) -> Variant:
        """The rules in force."""


def status(position: Judged) -> Status:
    """Return every reason why a position cannot occur.

    >>> from kingme import Position
    >>> status(Position.start())
    <Status.VALID: 0>
    >>> status(Position.from_fen("W:W1:B32", strict=False)).name
    'BLACK_MAN_CROWNED|WHITE_MAN_CROWNED'
    """
    variant = position.variant
    black, white, kings = position.black, position.white, position.kings
    found = Status.VALID
    if black.bit_count() > variant.men:
        found |= Status.TOO_MANY_BLACK
    if white.bit_count() > variant.men:
        found |= Status.TOO_MANY_WHITE
    if black & ~kings & variant.crown_row(Side.BLACK):
        found |= Status.BLACK_MAN_CROWNED
    if white & ~kings & variant.crown_row(Side.WHITE):
        found |= Status.WHITE_MAN_CROWNED
    if black & ~kings & _behind(variant, Side.BLACK):
        found |= Status.BLACK_MAN_BEHIND
    if white & ~kings & _behind(variant, Side.WHITE):
        found |= Status.WHITE_MAN_BEHIND
    own, other = (black, white) if position.turn is Side.BLACK else (white, black)
    if not other:
        found |= Status.NOBODY_MOVED
    if variant.goal is Goal.CROWN_FIRST and (kings & own or kings.bit_count() > 1):
        found |= Status.LATE_KING
    return found


def _behind(variant: Variant, side: Side) -> int:
    """The rows at a side's edge that its men left empty at the start and cannot go back to."""
    if (variant.man_moves | variant.man_jumps) & _BACK:
        return 0
    masks, last = variant.geometry.masks, variant.geometry.squares
    start = variant.start_squares(side)
    near = range(1, start.start) if start.start <= last // 2 else range(start.stop, last + 1)
    return sum(masks[square] for square in near)
