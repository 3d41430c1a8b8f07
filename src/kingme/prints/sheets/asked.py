"""What may be asked of every sheet, and the foot that those true to size have."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from kingme.prints.looks import look
from kingme.prints.paper import EDGE, INCH, PAPERS, Paper, SheetError
from kingme.prints.pdf import INK, SOFT, Canvas
from kingme.rules.theme import Theme

__all__ = ["FOOT", "LARGEST", "SMALLEST", "Asked", "foot", "require_square", "size_of"]

FOOT = 17.0
"""Height of the foot, with the gap above it."""

SMALLEST, LARGEST = 10.0, 80.0
"""Millimetres of a square."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How a sheet is wanted: its paper and colours, and the date that the file bears."""

    paper: str = "a4"
    theme: str = "wood"
    mono: bool = False
    made: dt.datetime | None = None

    @property
    def sheet(self) -> Paper:
        """The paper; :class:`SheetError` where there is none of that name."""
        found = PAPERS.get(self.paper.lower())
        if found is None:
            raise SheetError(f"there is no paper {self.paper[:20]!r}: there are a4 and letter")
        return found

    @property
    def look(self) -> Theme:
        """The colours; :class:`SheetError` where there is no theme of that name."""
        try:
            return look(self.theme, mono=self.mono)
        except ValueError as error:
            raise SheetError(str(error)) from None


def size_of(square: float) -> str:
    """A length for a person, in both measures."""
    return f"{square:.4g} mm ({square / INCH:.3g} in)"


def require_square(square: float) -> None:
    """Raise :class:`SheetError` for a square that is too small or too large."""
    if not SMALLEST <= square <= LARGEST:
        raise SheetError(
            f"a square is from {SMALLEST:.0f} to {LARGEST:.0f} mm wide "
            f"({SMALLEST / INCH:.1f} to {LARGEST / INCH:.1f} in), not {square:.4g} mm"
        )


def foot(canvas: Canvas, title: str, text: str, before: float = 0.0) -> None:
    """Draw the foot: a ruler at the left, and at the right a title with a text below it.

    ``before`` keeps so much room free at the very right.
    """
    paper = canvas.paper
    low, right = paper.height - EDGE, paper.width - EDGE - before
    ruler(canvas, (EDGE + 0.2, low - 6.4))
    canvas.text(
        (EDGE, low - 1.1), "Print at 100 %, no scaling: check this ruler.", 7.5, colour=SOFT
    )
    lines = canvas.wrapped(text, right - EDGE - 4 * INCH - 14, 7.5)
    top = low - 1.1 - 3.3 * (len(lines) - 1)
    canvas.text((right, top - 4.1), title, 10, bold=True, align="right")
    for number, line in enumerate(lines):
        canvas.text((right, top + 3.3 * number), line, 7.5, colour=SOFT, align="right")


def ruler(canvas: Canvas, at: tuple[float, float]) -> None:
    """Draw a ruler of 100 mm and 4 in: centimetres below its line, inches above it."""
    x, y = at
    canvas.line((x, y), (x + 4 * INCH, y), 0.25)
    for half in range(9):
        place = x + half * INCH / 2
        canvas.line((place, y), (place, y - (1.4 if half % 2 else 2.4)), 0.25)
    for centimetre in range(11):
        place = x + 10 * centimetre
        canvas.line((place, y), (place, y + (1.4 if centimetre % 5 else 2.4)), 0.25)
    canvas.text((x + 4 * INCH + 1.5, y - 0.5), "4 in", 6.5, colour=INK)
    canvas.text((x + 4 * INCH + 1.5, y + 2.2), "100 mm", 6.5, colour=INK)
