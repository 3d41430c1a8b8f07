"""Papers and lengths: what a sheet is printed on, and how a person says how large a thing is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kingme.errors import KingmeError

__all__ = ["EDGE", "INCH", "PAPERS", "Paper", "SheetError", "length"]

EDGE = 10.0
"""Millimetres along the edge of a paper that stay empty: few printers reach further."""

INCH = 25.4
LENGTH = re.compile(r"(\d{1,4}(?:[.,]\d{1,4})?)\s*(mm|cm|in|inch|inches|\"|”)?", re.ASCII | re.I)


class SheetError(KingmeError):
    """A sheet that cannot be made so, with the reason."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, upright unless it is :meth:`turned`; lengths are millimetres."""

    name: str
    title: str
    width: float
    height: float

    @property
    def room(self) -> tuple[float, float]:
        """How wide and high what is printed may be."""
        return self.width - 2 * EDGE, self.height - 2 * EDGE

    def turned(self) -> Paper:
        """Return the same paper, lying on its other side."""
        return Paper(self.name, self.title, self.height, self.width)


PAPERS = {
    paper.name: paper
    for paper in (Paper("a4", "A4", 210.0, 297.0), Paper("letter", "Letter", 215.9, 279.4))
}


def length(text: str) -> float:
    """Return a length in millimetres; :class:`SheetError` for what is none.

    >>> length("50"), length("2.25 in"), length("4cm")
    (50.0, 57.15, 40.0)
    """
    found = LENGTH.fullmatch(text.strip())
    if found is None:
        raise SheetError(f"{text[:20]!r} is no length: write it as 50mm, 5cm or 2in")
    number, unit = float(found[1].replace(",", ".")), (found[2] or "mm").lower()
    scale = {"mm": 1.0, "cm": 10.0}.get(unit, INCH)
    return round(number * scale, 4)
