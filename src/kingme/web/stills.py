"""A position as a picture that stays as it is, for who reads without a script.

``templates/still.html`` draws it.
"""

from __future__ import annotations

from typing import Any

from kingme.rules.drawing import in_words
from kingme.rules.position import Position
from kingme.web.guides.diagram import place

__all__ = ["drawn"]


def drawn(position: Position, below: str, marks: tuple[int, ...] = ()) -> dict[str, Any]:
    """A position as a drawing wants it: dark squares, marked squares and pieces with places.

    A square is 10 units wide; squares have the places of their upper left corners, pieces those
    of their centres. ``below`` is the side at the lower edge, ``B`` or ``W``.
    """
    variant = position.variant

    def middle(square: int) -> tuple[int, int]:
        x, y = place(variant, square)
        return (10 * variant.columns - x, 10 * variant.rows - y) if below == "B" else (x, y)

    def corner(square: int) -> tuple[int, int]:
        x, y = middle(square)
        return x - 5, y - 5

    return {
        "squares": [(n, *corner(n)) for n in range(1, variant.geometry.squares + 1)],
        "marked": [corner(n) for n in marks],
        "pieces": [
            (piece.side.code, piece.king, *middle(square))
            for square, piece in sorted(position.pieces.items())
        ],
        "label": in_words(position),
    }
