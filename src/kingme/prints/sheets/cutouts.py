"""Pieces to be cut out: men in front, crowns on the back, for a printer that prints both sides.

A king is a man that is turned over. The backs lie as the fronts do in a mirror, so that they meet
when the sheet is turned over its long edge.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from kingme.prints.paper import EDGE, Paper
from kingme.prints.pdf import Canvas
from kingme.prints.sheets.asked import FOOT, Asked, foot, require_square, size_of
from kingme.rules.drawing import disc
from kingme.rules.theme import Theme
from kingme.rules.variant import ENGLISH, Side, Variant

__all__ = ["GAP", "diameter", "layout", "pieces"]

GAP = 3.0
"""Millimetres between pieces, at least."""

BLEED = 1.0
"""Millimetres by which the colour of a piece goes beyond its edge, for scissors that stray."""


@dataclass(frozen=True, slots=True)
class Place:
    """A piece on a sheet: the middle of its front, in mm, and whose it is."""

    x: float
    y: float
    side: Side


def diameter(square: float) -> float:
    """Return how wide a piece is for squares of ``square`` mm: a little over three quarters."""
    return round(0.78 * square * 2) / 2


def pieces(
    asked: Asked | None = None, *, square: float = 40.0, variant: Variant = ENGLISH
) -> bytes:
    """Return the pieces of both sides, for squares of ``square`` mm, as a PDF.

    Each sheet of fronts is followed by its backs. :class:`~kingme.prints.paper.SheetError` for a
    square that is not from 10 to 80 mm.

    >>> pieces(square=30.0)[:5]
    b'%PDF-'
    """
    asked = asked or Asked()
    require_square(square)
    size = diameter(square)
    theme = _ink_saved(asked.look) if asked.mono else asked.look
    title = f"Pieces of {size_of(size)}"
    told = (
        f"For squares of {size_of(square)}. Print on both sides, turned over the long edge. "
        "A king is a man turned over, or two men, one on the other."
    )
    canvas = Canvas(f"{variant.title}: pieces. {title}", asked.sheet, asked.made, both_sides=True)
    sheets = layout(asked.sheet, size, variant.men)
    for number, places in enumerate(sheets):
        name = f"sheet {number + 1} of {len(sheets)}, " if len(sheets) > 1 else ""
        for kind, side in (("man", "front"), ("king", "back")):
            canvas.page()
            for place in places:
                x = place.x if kind == "man" else asked.sheet.width - place.x
                _piece(canvas, f"{kind}-{place.side.code}", theme, (x, place.y), size)
            foot(canvas, f"{title}: {name}{side}", told)
    return canvas.bytes()


def layout(paper: Paper, size: float, men: int) -> list[list[Place]]:
    """Return where the fronts lie, sheet by sheet; both sides on one sheet if there is room."""
    wide, high = paper.room[0] - 2 * BLEED, paper.room[1] - FOOT - 2 * BLEED
    columns = min(int((wide + GAP) / (size + GAP)), men)
    most = int((high + GAP) / (size + GAP))
    needed = math.ceil(men / columns)
    # No row of a few: as many in each as in the others.
    columns = math.ceil(men / needed)
    if 2 * needed <= most:
        return [_rows(paper, size, columns, [Side.BLACK] * men, [Side.WHITE] * men)]
    sheets = []
    for side in Side:
        left = men
        while left:
            here = min(left, most * columns)
            sheets.append(_rows(paper, size, columns, [side] * here))
            left -= here
    return sheets


def _rows(paper: Paper, size: float, columns: int, *groups: list[Side]) -> list[Place]:
    """Lay groups out in rows, each group from a row of its own on, in the middle of the paper."""
    rows = [
        group[start : start + columns]
        for group in groups
        for start in range(0, len(group), columns)
    ]
    room = paper.room[1] - FOOT
    free = room - len(rows) * size
    gap = min(free / (len(rows) + 1), 2 * GAP + 2)
    top = EDGE + (free - gap * (len(rows) - 1)) / 2 + size / 2
    across = min((paper.room[0] - columns * size) / (columns + 1), 2 * GAP + 2)
    first = (paper.width - columns * size - (columns - 1) * across) / 2 + size / 2
    return [
        Place(first + column * (size + across), top + row * (size + gap), side)
        for row, sides in enumerate(rows)
        for column, side in enumerate(sides)
    ]


def _piece(
    canvas: Canvas, name: str, theme: Theme, middle: tuple[float, float], size: float
) -> None:
    _, edge, _, _, rim = theme.piece(Side(name[-1]))
    if edge != "#ffffff":
        canvas.circle(middle, size / 2 + BLEED, fill=edge)
    canvas.draw(disc(name, theme), theme, middle, size / 10)
    canvas.circle(middle, size / 2, stroke=rim or "#808080", width=0.2)


def _ink_saved(theme: Theme) -> Theme:
    """Dark pieces in grey with black rings: a black disc two inches wide drinks ink."""
    return replace(
        theme, dark_face="#b4b4b4", dark_edge="#b4b4b4", dark_line="#000000", dark_crown="#000000"
    )
