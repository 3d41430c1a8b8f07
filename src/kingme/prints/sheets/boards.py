"""A board to play on, true to size: on one sheet, or on several that are joined.

A board that is larger than the paper is cut into a grid of sheets, between squares where that needs
no more of them. A sheet goes on a little beyond its right and its lower cut; the next sheet is
trimmed at that cut and glued over this strip.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kingme.prints.paper import EDGE, Paper
from kingme.prints.pdf import INK, Canvas
from kingme.prints.sheets.asked import FOOT, Asked, foot, require_square, size_of
from kingme.rules.drawing import FRAME, SQUARE, Look, Shape, scene
from kingme.rules.piece import Piece
from kingme.rules.theme import Theme
from kingme.rules.variant import ENGLISH, Side, Variant

__all__ = ["LAP", "Tiling", "board", "tiling"]

LAP = 8.0
"""Millimetres by which sheets overlap."""

MARKS = 4.0
"""Millimetres around what is joined, where the marks are."""

NUMBER = 4.0
"""Millimetres of the numbers, at most."""

BORDER = 5.0
"""Millimetres of the frame around the squares, at most."""

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tiling:
    """How a board lies on sheets: the paper, and from where to where a row or a column reaches.

    Lengths are millimetres from the board's upper left corner; a span ends with its strip.
    """

    paper: Paper
    columns: tuple[Span, ...]
    rows: tuple[Span, ...]

    @property
    def sheets(self) -> int:
        """How many there are."""
        return len(self.columns) * len(self.rows)


def board(
    asked: Asked | None = None,
    *,
    square: float = 40.0,
    numbers: bool = True,
    variant: Variant = ENGLISH,
) -> bytes:
    """Return a board with squares of ``square`` mm as a PDF, with the numbers of its squares.

    :class:`~kingme.prints.paper.SheetError` for a square that is not from 10 to 80 mm.

    >>> board(square=22.0)[:5]
    b'%PDF-'
    """
    asked = asked or Asked()
    require_square(square)
    plan = tiling(asked.sheet, square, variant)
    theme = asked.look
    shapes = _squares(variant, theme, numbers, square / SQUARE)
    size = f"Squares of {size_of(square)}"
    canvas = Canvas(f"{variant.title}: a board. {size}", plan.paper, asked.made)
    grid = itertools.product(range(len(plan.rows)), range(len(plan.columns)))
    for row, column in grid:
        canvas.page()
        (left, right), (top, low) = plan.columns[column], plan.rows[row]
        corner = _corner(plan.paper, right - left, low - top)
        with canvas.within(*corner, right - left, low - top):
            _whole(canvas, shapes, theme, variant, square, (corner[0] - left, corner[1] - top))
        _marks(canvas, plan, row, column, corner)
        _foot(canvas, plan, row, column, size)
    return canvas.bytes()


def _squares(variant: Variant, theme: Theme, numbers: bool, scale: float) -> tuple[Shape, ...]:
    """The picture of an empty board without its frame; its numbers are not too large for paper."""
    picture = scene(Bare(variant), Look(coordinates=numbers, theme=theme))
    shapes = []
    for shape in picture.shapes[1:]:
        less = shape.size - NUMBER / scale
        if shape.kind == "text" and less > 0:
            ((x, y),) = shape.points
            shapes.append(replace(shape, size=NUMBER / scale, points=((x, y - less),)))
        else:
            shapes.append(shape)
    return tuple(shapes)


class Bare:
    """A board on which nothing stands."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.turn = Side.BLACK
        self.pieces: dict[int, Piece] = {}


def tiling(paper: Paper, square: float, variant: Variant = ENGLISH) -> Tiling:
    """Return how a board is laid on as few sheets as can be, upright ones if it is the same."""
    border = _border(square)
    across, down = variant.geometry.columns, variant.geometry.rows
    plans = []
    for way in (paper, paper.turned()):
        width, height = way.room[0], way.room[1] - FOOT
        wide, high = across * square + 2 * border, down * square + 2 * border
        if wide <= width and high <= height:
            return Tiling(way, ((0.0, wide),), ((0.0, high),))
        columns = tuple(_spans(across, square, border, width - 2 * MARKS))
        rows = tuple(_spans(down, square, border, height - 2 * MARKS))
        plans.append(Tiling(way, columns, rows))
    return min(plans, key=lambda plan: plan.sheets)


def _border(square: float) -> float:
    return min(BORDER, 0.2 * square)


def _spans(squares: int, square: float, border: float, room: float) -> Iterator[Span]:
    """Cut one side of a board into as few spans as fit, each but the last with its strip."""
    whole = squares * square + 2 * border
    for count in range(1, squares + 1):
        places = [border + number * square for number in range(1, squares)]
        fitting = [
            cuts
            for cuts in itertools.combinations(places, count - 1)
            if max(_lengths(cuts, whole)) <= room
        ]
        if fitting:
            # The most even one: no sheet with a sliver of the board.
            cuts = min(fitting, key=lambda cuts: max(_lengths(cuts, whole)))
            break
        even = tuple((whole * part / count) for part in range(1, count))
        if max(_lengths(even, whole)) <= room:
            cuts = even
            break
    edges = (0.0, *cuts, whole)
    for start, end in itertools.pairwise(edges):
        yield start, end if end == whole else end + LAP


def _lengths(cuts: tuple[float, ...], whole: float) -> list[float]:
    edges = (0.0, *cuts, whole)
    found = [end - start for start, end in itertools.pairwise(edges)]
    return [*(part + LAP for part in found[:-1]), found[-1]]


def _corner(paper: Paper, width: float, height: float) -> tuple[float, float]:
    """Where the upper left corner of what a sheet shows is on the paper."""
    room = paper.room
    return EDGE + (room[0] - width) / 2, EDGE + (room[1] - FOOT - height) / 2


def _whole(
    canvas: Canvas,
    shapes: tuple[Shape, ...],
    theme: Theme,
    variant: Variant,
    square: float,
    corner: tuple[float, float],
) -> None:
    """Draw all of the board; its frame is of paper's own width, not of the picture's."""
    border, scale = _border(square), square / SQUARE
    size = (variant.geometry.columns * square, variant.geometry.rows * square)
    whole = (size[0] + 2 * border, size[1] + 2 * border)
    squares = (corner[0] + border, corner[1] + border)
    for at, band in (
        (corner, (whole[0], border)),
        ((corner[0], squares[1] + size[1]), (whole[0], border)),
        (corner, (border, whole[1])),
        ((squares[0] + size[0], corner[1]), (border, whole[1])),
    ):
        canvas.box(at, band, fill=theme.frame)
    canvas.draw(shapes, theme, (squares[0] - FRAME * scale, squares[1] - FRAME * scale), scale)
    canvas.box(squares, size, stroke=theme.label, width=0.4)
    inset = 0.15
    outer = (corner[0] + inset, corner[1] + inset)
    canvas.box(outer, (whole[0] - 2 * inset, whole[1] - 2 * inset), stroke=theme.label, width=0.3)


def _marks(
    canvas: Canvas, plan: Tiling, row: int, column: int, corner: tuple[float, float]
) -> None:
    """Draw the marks at both ends of every strip, which meet when sheets lie as they belong.

    The strip of a cut from top to bottom has a letter, one from left to right a number; both
    sheets show it.
    """
    (left, right), (top, low) = plan.columns[column], plan.rows[row]
    x, y = corner
    far_x, far_y = x + right - left, y + low - top
    strips = [(x, column - 1)] if column else []
    strips += [(far_x - LAP, column)] if column + 1 < len(plan.columns) else []
    for place, number in strips:
        for end, away in ((y, -1), (far_y, 1)):
            for tick in (place, place + LAP):
                canvas.line((tick, end + 0.7 * away), (tick, end + 3.7 * away), 0.2)
            middle = (place + LAP / 2, end + (-1.2 if away < 0 else 3.4))
            canvas.text(middle, strip_name(number, "A"), 8, bold=True, align="centre")
    strips = [(y, row - 1)] if row else []
    strips += [(far_y - LAP, row)] if row + 1 < len(plan.rows) else []
    for place, number in strips:
        for end, away in ((x, -1), (far_x, 1)):
            for tick in (place, place + LAP):
                canvas.line((end + 0.7 * away, tick), (end + 3.7 * away, tick), 0.2)
            middle = (end + 2.2 * away, place + LAP / 2 + 1)
            canvas.text(middle, strip_name(number, "1"), 8, bold=True, align="centre")


def strip_name(number: int, first: str) -> str:
    """The name of a strip: a letter or a digit."""
    return chr(ord(first) + number)


def _foot(canvas: Canvas, plan: Tiling, row: int, column: int, size: str) -> None:
    rows, columns = len(plan.rows), len(plan.columns)
    if plan.sheets == 1:
        foot(canvas, size, "The whole board on one sheet")
        return
    cuts = [(column, "at the left", "A"), (row, "above", "1")]
    own = [(where, strip_name(number - 1, first)) for number, where, first in cuts if number]
    if own:
        sides = " and ".join(where for where, _ in own)
        strips = " and ".join(name for _, name in own)
        many, sheets = ("strips", "sheets") if len(own) > 1 else ("strip", "sheet")
        told = (
            f"Cut between the marks {sides}, and glue over {many} {strips} of the {sheets} before."
        )
    else:
        told = "The sheets beside and below are glued over the strips."
    cell = min(4.0, 11.0 / rows)
    wide = columns * cell
    title = f"Row {row + 1}, column {column + 1} of {rows} × {columns}"
    foot(canvas, title, f"{size}. {told}", wide + 3)
    corner = (
        canvas.paper.width - EDGE - wide - 0.2,
        canvas.paper.height - EDGE - rows * cell - 0.2,
    )
    for line, place in itertools.product(range(rows), range(columns)):
        at = (corner[0] + place * cell, corner[1] + line * cell)
        here = (line, place) == (row, column)
        canvas.box(at, (cell, cell), fill=INK if here else "#ffffff", stroke=INK, width=0.2)
