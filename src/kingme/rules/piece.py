"""A piece: whose it is, and whether it is crowned."""

from __future__ import annotations

from dataclasses import dataclass

from kingme.rules.variant import Side

__all__ = ["Piece"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A man or a king of one side.

    >>> str(Piece(Side.BLACK)), str(Piece(Side.WHITE, king=True))
    ('dark man', 'light king')
    """

    side: Side
    king: bool = False

    def __str__(self) -> str:
        """Return what a player sees, ``"dark man"`` or ``"light king"``."""
        return f"{'dark' if self.side is Side.BLACK else 'light'} {'king' if self.king else 'man'}"
