"""Paper as PDF: the shapes of a drawing and lines of text, in millimetres from the upper left.

Everything is lines and areas, never pixels, and the letters that are used travel in the file. The
same sheet is the same bytes at any time: its date is an argument, and not that of the clock.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import weakref
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

from fpdf import FPDF
from fpdf.drawing_primitives import DeviceRGB
from fpdf.fonts import TTFFont
from fpdf.prefs import ViewerPreferences

from kingme.prints.paper import Paper, SheetError
from kingme.rules.drawing import Shape, stamp
from kingme.rules.theme import Theme

__all__ = ["MADE", "Canvas"]

MADE = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
"""The date of a sheet that is given none: a sheet has no age."""

FONTS = Path(__file__).parent / "fonts"
FACES = {"": "SourceSansPro-Regular.ttf", "B": "SourceSansPro-Semibold.ttf"}
POINT = 25.4 / 72
"""Millimetres."""

INK = "#1d1a17"
SOFT = "#6b645c"
Align = Literal["left", "centre", "right"]
Point = tuple[float, float]


class Canvas:
    """A document that is drawn page by page; lengths are millimetres, sizes of type points."""

    def __init__(
        self,
        title: str,
        paper: Paper,
        made: dt.datetime | None = None,
        *,
        both_sides: bool = False,
    ) -> None:
        duplex = "DuplexFlipLongEdge" if both_sides else None
        self.paper = paper
        self._pdf = FPDF(unit="mm", format=(paper.width, paper.height))
        self._pdf.set_auto_page_break(auto=False)
        self._pdf.set_margin(0)
        self._pdf.set_title(title)
        self._pdf.set_lang("en")
        self._pdf.set_creator("kingme")
        self._pdf.set_producer("kingme, by fpdf2")
        self._pdf.set_creation_date(made or MADE)
        # What a viewer offers first when it prints: no scaling, or nothing is true to size.
        self._pdf.viewer_preferences = ViewerPreferences(print_scaling="None", duplex=duplex)
        for style, name in FACES.items():
            self._pdf.add_font("sans", style, FONTS / name)
        faces = [font for font in self._pdf.fonts.values() if isinstance(font, TTFFont)]
        letters = [font.cmap for font in faces]
        # Their files stay open until the document is made, or given up.
        self._close = weakref.finalize(self, _close, faces)
        self._letters_known = frozenset(letters[0]).intersection(*letters[1:])
        self._paint: dict[str, Callable[[Shape, Point, float], None]] = {
            "circle": self._circle,
            "box": self._box,
            "line": self._way,
            "area": self._way,
            "text": self._letters,
        }

    def page(self) -> None:
        """Begin a page."""
        self._pdf.add_page(format=(self.paper.width, self.paper.height))

    def bytes(self) -> bytes:
        """Return the finished document as it is to be written to a file."""
        data = bytes(self._pdf.output())
        self._close()
        return data

    @contextlib.contextmanager
    def within(self, x: float, y: float, width: float, height: float) -> Iterator[None]:
        """Draw only what lies in a rectangle."""
        with self._pdf.rect_clip(x, y, width, height):
            yield

    def draw(
        self, shapes: Iterable[Shape], theme: Theme, at: Point = (0.0, 0.0), scale: float = 1.0
    ) -> None:
        """Draw shapes whose point (0, 0) is to be ``at``, and whose unit is ``scale`` mm."""
        for shape in shapes:
            if shape.kind == "piece":
                (x, y), *_ = shape.points
                middle = (at[0] + x * scale, at[1] + y * scale)
                with self._state(opacity=shape.opacity):
                    self.draw(stamp(shape.text, theme), theme, middle, scale)
            elif shape.kind != "shine":  # a printed piece lies in the light of its room
                self._paint[shape.kind](shape, at, scale)

    def line(
        self,
        start: Point,
        end: Point,
        width: float = 0.2,
        colour: str = INK,
        dashes: tuple[float, float] | None = None,
    ) -> None:
        """Draw a line."""
        self._way(Shape("line", (start, end), stroke=colour, width=width, dashes=dashes), (0, 0), 1)

    def box(
        self,
        corner: Point,
        size: tuple[float, float],
        fill: str = "",
        stroke: str = "",
        width: float = 0.2,
        round_by: float = 0.0,
    ) -> None:
        """Draw a rectangle; the line around it lies half within it."""
        end = (corner[0] + size[0], corner[1] + size[1])
        shape = Shape("box", (corner, end), round_by, fill, stroke, width if stroke else 0.0)
        self._box(shape, (0, 0), 1)

    def circle(
        self, middle: Point, r: float, fill: str = "", stroke: str = "", width: float = 0.2
    ) -> None:
        """Draw a circle."""
        self._circle(Shape("circle", (middle,), r, fill, stroke, width), (0, 0), 1)

    def text(
        self,
        at: Point,
        text: str,
        size: float = 10.0,
        *,
        bold: bool = False,
        colour: str = INK,
        align: Align = "left",
        room: float | None = None,
    ) -> float:
        """Write one line at its baseline, and return its width in mm.

        What is wider than ``room`` ends in dots. A letter that the font lacks becomes a
        question mark.
        """
        self._pdf.set_font("sans", "B" if bold else "", size)
        written = self._known(text)
        if room is not None and self.measure(written, size, bold=bold) > room:
            while written and self.measure(written + "…", size, bold=bold) > room:
                written = written[:-1].rstrip()
            written += "…"
        width = self.measure(written, size, bold=bold)
        shift = {"left": 0.0, "centre": width / 2, "right": width}[align]
        self._pdf.set_text_color(DeviceRGB(*_rgb(colour)))
        self._pdf.text(at[0] - shift, at[1], written)
        return width

    def measure(self, text: str, size: float, *, bold: bool = False) -> float:
        """Return how wide a line of text is, in mm."""
        self._pdf.set_font("sans", "B" if bold else "", size)
        return self._pdf.get_string_width(self._known(text))

    def wrapped(self, text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
        """Return a text as lines that are not wider than ``width`` mm."""
        lines: list[str] = []
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.measure(longer, size, bold=bold) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _known(self, text: str) -> str:
        """A text with question marks for the letters that cannot be written."""
        return "".join(c if ord(c) in self._letters_known else "?" for c in text)

    def paragraph(
        self,
        at: Point,
        text: str,
        width: float,
        size: float = 10.0,
        *,
        bold: bool = False,
        colour: str = INK,
        leading: float = 1.32,
    ) -> float:
        """Write a text in lines; ``at`` is the first baseline. Return where the next one is."""
        x, y = at
        for line in self.wrapped(text, width, size, bold=bold):
            self.text((x, y), line, size, bold=bold, colour=colour)
            y += size * POINT * leading
        return y

    @contextlib.contextmanager
    def _state(
        self,
        fill: str = "",
        stroke: str = "",
        width: float = 0.0,
        opacity: float = 1.0,
        dashes: tuple[float, float] | None = None,
    ) -> Iterator[None]:
        """Set how the next things look, and set it back."""
        asked: dict[str, object] = {}
        if opacity < 1:
            asked |= {"fill_opacity": opacity, "stroke_opacity": opacity}
        if stroke:
            asked |= {"stroke_cap_style": "BUTT" if dashes else "ROUND"}
            asked |= {"stroke_join_style": "ROUND"}
            asked |= {"draw_color": DeviceRGB(*_rgb(stroke)), "line_width": width}
        if fill:
            asked["fill_color"] = DeviceRGB(*_rgb(fill))
        with self._pdf.local_context(**asked):
            if dashes:
                self._pdf.set_dash_pattern(*dashes)
            yield

    @contextlib.contextmanager
    def _look(self, shape: Shape, scale: float) -> Iterator[str]:
        """Set how a shape looks; gives the style by which it is drawn."""
        dashes = (shape.dashes[0] * scale, shape.dashes[1] * scale) if shape.dashes else None
        style = ("F" if shape.fill else "") + ("D" if shape.stroke else "")
        with self._state(shape.fill, shape.stroke, shape.width * scale, shape.opacity, dashes):
            yield style

    def _circle(self, shape: Shape, at: Point, scale: float) -> None:
        (x, y), *_ = _moved(shape.points, at, scale)
        with self._look(shape, scale) as style:
            self._pdf.circle(x, y, shape.size * scale, style)

    def _box(self, shape: Shape, at: Point, scale: float) -> None:
        (left, top), (right, low) = _moved(shape.points, at, scale)
        corner = shape.size * scale
        with self._look(shape, scale) as style:
            self._pdf.rect(
                left, top, right - left, low - top, style, round_corners=corner > 0,
                corner_radius=corner,
            )  # fmt: skip

    def _way(self, shape: Shape, at: Point, scale: float) -> None:
        points = _moved(shape.points, at, scale)
        with self._look(shape, scale) as style:
            self._pdf.polyline(points, polygon=shape.kind == "area", style=style)

    def _letters(self, shape: Shape, at: Point, scale: float) -> None:
        (place,) = _moved(shape.points, at, scale)
        self.text(place, shape.text, shape.size * scale / POINT, bold=True, colour=shape.fill)


def _close(faces: Iterable[TTFFont]) -> None:
    for face in faces:
        face.close()


def _moved(points: Iterable[Point], at: Point, scale: float) -> list[Point]:
    return [(at[0] + x * scale, at[1] + y * scale) for x, y in points]


def _rgb(colour: str) -> tuple[float, float, float]:
    """The parts of a colour ``#rrggbb``, from 0 to 1."""
    if len(colour) != 7 or not colour.startswith("#"):
        raise SheetError(f"{colour!r} is no colour here: write it as #rrggbb")
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue
