"""A PDF as somebody sees it who opens it: its pages as pictures, its text, its fonts."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pypdfium2
from PIL import ImageColor
from pypdfium2 import raw

DPI = 300
MM = DPI / 25.4
"""Pixels of a millimetre."""


@dataclass
class Page:
    """A page: its size in mm, what is seen on it, and what it says."""

    width: float
    height: float
    seen: np.ndarray
    text: str

    def at(self, x: float, y: float) -> tuple[int, ...]:
        """The colour of a point, in mm."""
        return tuple(int(part) for part in self.seen[int(y * MM), int(x * MM)])

    def part(self, x: float, y: float, width: float, height: float) -> np.ndarray:
        """The picture of a rectangle, in mm."""
        left, top = round(x * MM), round(y * MM)
        return self.seen[top : top + round(height * MM), left : left + round(width * MM)]

    @property
    def ink(self) -> np.ndarray:
        """Where there is anything."""
        return np.any(self.seen < 250, axis=2)


def pages(data: bytes, dpi: int = DPI) -> list[Page]:
    """The pages of a document."""
    found = []
    with pypdfium2.PdfDocument(data) as document:
        for page in document:
            width, height = page.get_size()
            picture = page.render(scale=dpi / 72, rev_byteorder=True).to_numpy()[..., :3].copy()
            text = page.get_textpage().get_text_range()
            found.append(Page(width / 72 * 25.4, height / 72 * 25.4, picture, text))
    return found


def fonts(data: bytes) -> dict[str, bool]:
    """The fonts by which text is written, and whether each is in the file."""
    found = {}
    with pypdfium2.PdfDocument(data) as document:
        for page in document:
            for thing in page.get_objects():
                if thing.type == raw.FPDF_PAGEOBJ_TEXT:
                    font = raw.FPDFTextObj_GetFont(thing)
                    name = ctypes.create_string_buffer(200)
                    raw.FPDFFont_GetBaseFontName(font, name, 200)
                    found[name.value.decode()] = raw.FPDFFont_GetIsEmbedded(font) == 1
    return found


def kinds(data: bytes) -> set[int]:
    """The kinds of things on the pages."""
    with pypdfium2.PdfDocument(data) as document:
        return {thing.type for page in document for thing in page.get_objects(max_depth=9)}


def near(colour, name: str, tolerance: int = 6) -> bool:
    """Whether a colour is the named one."""
    return all(
        abs(a - b) <= tolerance for a, b in zip(colour, ImageColor.getrgb(name), strict=True)
    )


def runs(values) -> list[tuple[int, int, int]]:
    """What follows each other in a row: a value, where it begins, and where it ends."""
    edges = [0, *(np.flatnonzero(np.diff(values)) + 1), len(values)]
    return [(int(values[a]), int(a), int(b)) for a, b in pairwise(edges) if b > a]


def margin_is_empty(page: Page, width: float = 10.0) -> bool:
    """Whether nothing is nearer to the edge of the paper; a pixel may be blurred."""
    inset = int(width * page.seen.shape[1] / page.width) - 1
    ink = page.ink.copy()
    ink[inset:-inset, inset:-inset] = False
    return not ink.any()
