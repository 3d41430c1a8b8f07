"""What is wrong with a square that was pointed at, where the square itself shows it."""

from __future__ import annotations

from kingme.play.lessons.steps import Point
from kingme.rules.piece import Piece
from kingme.rules.position import Position

__all__ = ["reasons"]


def reasons(position: Position, task: Point) -> dict[int, str]:
    """Return what is said of squares that are no answer, by square.

    Where pieces are asked for, a square may be empty or hold one of the other side; where squares
    are asked for to which a piece goes, they may be taken. A square that is missing here is wrong
    for the reason that the task gives. Squares named so in books need no other.
    """
    if task.claim == "named":
        return {}
    said = {}
    for square in range(1, 33):
        piece = position.pieces.get(square)
        if task.claim == "lands":
            text = _taken(square, piece, square == int(task.of))
        elif piece is None:
            text = f"Square {square} is empty."
        else:
            text = "" if piece.side.code in _sides(position, task) else f"That is a {_name(piece)}."
        if text and square not in task.answer:
            said[square] = text
    return said


def _sides(position: Position, task: Point) -> str:
    """Whose pieces are asked for: the letters of one side, or of both."""
    if task.claim in ("can_move", "must_jump"):
        return position.turn.code
    return "BW" if task.claim == "system" else task.of


def _taken(square: int, piece: Piece | None, own: bool) -> str:
    """What keeps a piece from going to a square, where something stands there."""
    if piece is None:
        return ""
    return f"The {_kind(piece)} stands on {square} now." if own else f"Square {square} is taken."


def _kind(piece: Piece) -> str:
    return "king" if piece.king else "man"


def _name(piece: Piece) -> str:
    return f"{piece.side.title.lower()} {_kind(piece)}"
