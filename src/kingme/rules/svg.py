"""Boards as SVG, for notebooks, pages and print.

>>> from kingme import Position, svg
>>> position = Position.start()
>>> move = position.parse("11-15")
>>> picture = svg.board(position.play(move), last_move=move, arrows=[(22, 17)], marks=[15])
>>> picture.startswith("<svg") and picture.endswith("</svg>")
True

A picture stands alone: it has no style sheet, no script and no font of its own, and says in
words (``aria-label``) what it shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from kingme.rules.drawing import (
    Arrow,
    Coordinates,
    Drawable,
    Look,
    Mark,
    Scene,
    Shape,
    scene,
    stamp,
)
from kingme.rules.moves import Move
from kingme.rules.theme import THEMES, Theme
from kingme.rules.variant import Side

__all__ = ["THEMES", "Arrow", "Mark", "Theme", "board"]

_FONT = "-apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif"
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def board(
    position: Drawable,
    *,
    size: int = 400,
    orientation: Side = Side.WHITE,
    last_move: Move | None = None,
    arrows: Iterable[Arrow | Move | tuple[int, ...]] = (),
    marks: Iterable[Mark | int] = (),
    coordinates: Coordinates = True,
    theme: Theme | str = "wood",
) -> str:
    """Return a position, or a board as it stands, as SVG of ``size`` pixels in width.

    ``orientation`` is the side at the lower edge. ``last_move`` is tinted, with its trail. An
    arrow is an :class:`Arrow`, a tuple of squares, or a move; a mark is a :class:`Mark` or a
    square. ``coordinates`` are ``"numbers"``, ``"letters"``, none (``False``), or what the
    variant is usually written in (``True``). ``theme`` is one of :data:`THEMES`, or its name.
    ``ValueError`` names the square or the theme that there is not.

    >>> from kingme import Position, Side
    >>> picture = board(Position.from_fen("W:WK7:B15"), size=200, orientation=Side.BLACK)
    >>> 'aria-label="Black: man on 15. White: king on 7. White to move."' in picture
    True
    >>> board(Position.start(), marks=[33])
    Traceback (most recent call last):
    ValueError: there is no square 33: they run from 1 to 32
    """
    look = Look(orientation, last_move, tuple(arrows), tuple(marks), coordinates, theme)
    return write(scene(position, look), size)


def write(picture: Scene, size: int) -> str:
    """Return a scene as SVG of ``size`` pixels in width; ``ValueError`` for less than one."""
    if not isinstance(size, int):
        raise TypeError(f"the width is a whole number of pixels, not {size!r}")
    if size < 1:
        raise ValueError(f"a picture of {size} pixels shows nothing: it has 1 or more")
    code = picture.theme.code
    height = round(size * picture.height / picture.width)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{height}" '
        f'viewBox="0 0 {_n(picture.width)} {_n(picture.height)}" role="img" '
        f'aria-label="{_escaped(picture.title)}">'
    )
    pieces = sorted({shape.text for shape in picture.shapes if shape.kind == "piece"})
    stamps = "".join(
        f'<g id="{name}-{code}">{_all(stamp(name, picture.theme), code)}</g>' for name in pieces
    )
    return f"{head}<defs>{_SHINE}{stamps}</defs>{_all(picture.shapes, code)}</svg>"


# The same light in every picture, so that it does not matter whose of them a page takes.
_SHINE = (
    '<radialGradient id="kingme-shine" cx=".35" cy=".25" r=".9">'
    '<stop stop-color="#fff" stop-opacity=".3"/>'
    '<stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>'
)


def _all(shapes: Iterable[Shape], code: str) -> str:
    """Shapes in their order; texts that follow each other say once what they look like."""
    parts = []
    for is_text, run in groupby(shapes, lambda shape: shape.kind == "text"):
        drawn = list(run)
        written = "".join(_shape(shape, code) for shape in drawn)
        if is_text:
            size, fill = _n(drawn[0].size), _escaped(drawn[0].fill)
            look = f'font-family="{_FONT}" font-size="{size}" font-weight="600" fill="{fill}"'
            written = f"<g {look}>{written}</g>"
        parts.append(written)
    return "".join(parts)


def _shape(shape: Shape, code: str) -> str:
    """One shape as an element."""
    x, y = shape.points[0]
    at = f'x="{_n(x)}" y="{_n(y)}"'
    if shape.kind == "text":
        return f"<text {at}>{_escaped(shape.text)}</text>"
    if shape.kind == "piece":
        return f'<use href="#{shape.text}-{code}" {at}{_opacity(shape)}/>'
    if shape.kind == "shine":
        circle = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(shape.size)}"'
        return f'<circle {circle} fill="url(#kingme-shine)"{_opacity(shape)}/>'
    if shape.kind == "circle":
        return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(shape.size)}"{_paint(shape)}/>'
    if shape.kind == "box":
        right, low = shape.points[1]
        corner = f' rx="{_n(shape.size)}"' if shape.size else ""
        box = f'{at} width="{_n(right - x)}" height="{_n(low - y)}"{corner}'
        return f"<rect {box}{_paint(shape)}/>"
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
    name = "polygon" if shape.kind == "area" else "polyline"
    return f'<{name} points="{points}"{_paint(shape)}/>'


def _paint(shape: Shape) -> str:
    fill = f' fill="{_escaped(shape.fill) or "none"}"'
    if not shape.stroke:
        return fill + _opacity(shape)
    stroke = f' stroke="{_escaped(shape.stroke)}" stroke-width="{_n(shape.width)}"'
    if shape.kind in ("line", "area"):
        stroke += ' stroke-linecap="round" stroke-linejoin="round"'
    if shape.dashes:
        stroke += f' stroke-dasharray="{_n(shape.dashes[0])} {_n(shape.dashes[1])}"'
    return fill + stroke + _opacity(shape)


def _opacity(shape: Shape) -> str:
    return "" if shape.opacity == 1 else f' opacity="{_n(shape.opacity)}"'


def _n(value: float) -> str:
    """A number as short as it can be said."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)
