"""A score sheet: who plays whom, where and when, and room to write down the moves."""

from __future__ import annotations

from kingme.prints.paper import EDGE
from kingme.prints.pdf import INK, SOFT, Canvas
from kingme.prints.sheets.asked import Asked

__all__ = ["MOVES", "score"]

COLUMNS, ROWS = 2, 30
MOVES = COLUMNS * ROWS
"""Moves of each side that there is room for."""

PALE = "#f1eee8"
RULE = "#8d857b"


def score(asked: Asked | None = None) -> bytes:
    """Return a score sheet as a PDF.

    >>> score()[:5]
    b'%PDF-'
    """
    asked = asked or Asked()
    paper = asked.sheet
    canvas = Canvas("Checkers score sheet", paper, asked.made)
    canvas.page()
    left, width = EDGE, paper.room[0]
    canvas.text((left, EDGE + 7), "Checkers score sheet", 19, bold=True)
    gap = 8.0
    half = (width - gap) / 2
    y = EDGE + 18.5
    blanks = [
        [("Black (moves first)", left, half), ("White", left + half + gap, half)],
        [
            ("Event", left, half),
            ("Date", left + half + gap, (half - gap) / 2),
            ("Round, table", left + half + gap + (half + gap) / 2, (half - gap) / 2),
        ],
        [("Opening or ballot", left, half), ("Time control", left + half + gap, half)],
    ]
    for line in blanks:
        for name, x, wide in line:
            _blank(canvas, name, (x, y), wide)
        y += 11.0
    foot = 24.0
    top = y - 4.5
    _table(canvas, asked, (left, top), half, gap, paper.height - EDGE - foot - top)
    _foot(canvas, paper.height - EDGE, left, width)
    return canvas.bytes()


def _blank(canvas: Canvas, name: str, at: tuple[float, float], width: float) -> None:
    """Draw a line to write on, with a small name below it."""
    canvas.line(at, (at[0] + width, at[1]), 0.25)
    canvas.text((at[0], at[1] + 3.1), name, 7.5, colour=SOFT)


def _table(
    canvas: Canvas,
    asked: Asked,
    at: tuple[float, float],
    half: float,
    gap: float,
    height: float,
) -> None:
    head, number = 6.0, 9.0
    row = (height - head) / ROWS
    for column in range(COLUMNS):
        x, y = at[0] + column * (half + gap), at[1]
        move = (half - number) / 2
        for title, middle in (("Black", x + number + move / 2), ("White", x + number + 1.5 * move)):
            canvas.text((middle, y + 4.2), title, 9, bold=True, align="centre")
        for line in range(ROWS):
            top = y + head + line * row
            if line % 2 == 0 and not asked.mono:
                canvas.box((x, top), (half, row), fill=PALE)
            named = str(column * ROWS + line + 1)
            place = (x + number - 2, top + row / 2 + 1.15)
            canvas.text(place, named, 9, colour=SOFT, align="right")
        for line in range(1, ROWS):
            heavy = 0.3 if line % 5 == 0 else 0.12
            level = y + head + line * row
            canvas.line((x, level), (x + half, level), heavy, RULE)
        for across in (number, number + move):
            canvas.line((x + across, y + head), (x + across, y + height), 0.2, RULE)
        canvas.box((x, y + head), (half, height - head), stroke=INK, width=0.35)


def _foot(canvas: Canvas, low: float, left: float, width: float) -> None:
    y = low - 18.0
    canvas.text((left, y + 1.2), "Result", 10, bold=True)
    x = left + 16
    for name in ("Black won", "White won", "Draw"):
        canvas.box((x, y - 2.2), (4, 4), stroke=INK, width=0.3)
        x += 6 + canvas.text((x + 5.5, y + 1.2), name, 10) + 5
    _blank(canvas, "How it ended", (x + 2, y + 1.8), left + width - x - 2)
    third = (width - 2 * 8.0) / 3
    for number, name in enumerate(("Signed, Black", "Signed, White", "Arbiter")):
        _blank(canvas, name, (left + number * (third + 8.0), low - 4.2), third)
