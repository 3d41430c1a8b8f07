"""The shapes of a drawing as pixels.

Every shape is first drawn as a mask, several times as fine as the picture, and its colour then
goes through that mask: edges are smooth, and nothing is drawn twice where a line meets itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise, takewhile

from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFont

from kingme.rules.drawing import Scene, Shape, stamp
from kingme.rules.theme import Theme

__all__ = ["Painter"]

FINE = 6
"""How much finer than the picture a mask is, each way."""
WIDEST = 6000
"""Pixels that a mask has at most, each way: what is large needs no mask so fine."""

# A piece is 8 units wide with its rim; a king stands a little higher.
REACH = 5.5
Point = tuple[float, float]


class Painter:
    """Paints scenes at one scale, ``scale`` pixels a unit; it keeps what it may paint again."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self._grounds: dict[tuple[Shape, ...], Image.Image] = {}
        self._stamps: dict[tuple[str, str, int, int], Image.Image] = {}

    def paint(self, scene: Scene) -> Image.Image:
        """Return the picture; where nothing is drawn, it is transparent."""
        # The empty board is the same in all pictures of a game.
        ground = tuple(takewhile(_lies_below, scene.shapes))
        if ground not in self._grounds:
            size = (round(scene.width * self.scale), round(scene.height * self.scale))
            empty = Image.new("RGBA", size, (*_rgb(scene.theme.frame), 0))
            self._grounds[ground] = self._all(empty, ground, scene.theme)
        rest = scene.shapes[len(ground) :]
        return self._all(self._grounds[ground].copy(), rest, scene.theme)

    def _all(self, picture: Image.Image, shapes: Iterable[Shape], theme: Theme) -> Image.Image:
        for shape in shapes:
            if shape.kind == "piece":
                self._piece(picture, shape, theme)
            else:
                _Mask(picture, self.scale, FINE).paint(shape)
        return picture

    def _piece(self, picture: Image.Image, shape: Shape, theme: Theme) -> None:
        x, y = (round(value * self.scale * FINE) for value in shape.points[0])
        reach = math.ceil(REACH * self.scale)
        tile = self._stamp(shape.text, theme, x % FINE, y % FINE, reach)
        if shape.opacity < 1:
            alpha = tile.getchannel("A").point([round(v * shape.opacity) for v in range(256)])
            tile = tile.copy()
            tile.putalpha(alpha)
        # A piece at the edge of the picture may reach a little over it.
        left, top = x // FINE - reach, y // FINE - reach
        seen = tile.crop((max(-left, 0), max(-top, 0), *tile.size))
        picture.alpha_composite(seen, (max(left, 0), max(top, 0)))

    def _stamp(self, name: str, theme: Theme, x: int, y: int, reach: int) -> Image.Image:
        """A piece whose middle is ``reach`` pixels and some parts of one from the upper left."""
        found = self._stamps.get((name, theme.code, x, y))
        if found is None:
            side = (2 * reach + 1) * FINE
            tile = Image.new("RGBA", (side, side), (*_rgb(theme.frame), 0))
            middle = (reach * FINE + x, reach * FINE + y)
            mask = _Mask(tile, self.scale * FINE, 1, middle)
            for shape in stamp(name, theme):
                mask.paint(shape)
            # The mean of colours is right only where each counts by how much of it there is.
            found = tile.convert("RGBa").reduce(FINE).convert("RGBA")
            self._stamps[name, theme.code, x, y] = found
        return found


class _Mask:
    """Paints single shapes on a picture, through masks that are ``fine`` times as fine as it."""

    def __init__(
        self, picture: Image.Image, scale: float, fine: int, origin: tuple[int, int] = (0, 0)
    ) -> None:
        self.picture = picture
        self.scale = scale
        self.fine = fine
        self.origin = origin

    def paint(self, shape: Shape) -> None:
        """Paint a shape: what is within it, then its line."""
        draw = _DRAW[shape.kind]
        if shape.kind == "shine":
            self._shine(shape)
        elif shape.kind in ("text", "line"):
            self._through(shape, shape.fill or shape.stroke, draw)
        else:
            if shape.fill:
                self._through(shape, shape.fill, draw)
            if shape.stroke:
                self._through(shape, shape.stroke, _STROKE[shape.kind])

    def _through(self, shape: Shape, colour: str, draw: Callable[[_Pen, Shape], None]) -> None:
        bounds = _bounds(shape)
        corner = self._pixel(*bounds[:2], math.floor)
        end = self._pixel(*bounds[2:], math.ceil)
        size = (max(end[0] - corner[0], 1), max(end[1] - corner[1], 1))
        parts = max(min(self.fine, WIDEST // max(size)), 1)
        mask = Image.new("L", (size[0] * parts, size[1] * parts))
        left, top = ((self.origin[i] - corner[i]) * parts for i in (0, 1))
        draw(_Pen(mask, self.scale * parts, (left, top)), shape)
        if parts > 1:
            mask = mask.reduce(parts)
        if shape.opacity < 1:
            mask = mask.point([round(value * shape.opacity) for value in range(256)])
        self.picture.paste((*_rgb(colour), 255), (*corner, *_plus(corner, mask.size)), mask)

    def _shine(self, shape: Shape) -> None:
        """Light from above at the left, as the gradient of the SVG has it."""
        ((x, y),), r = shape.points, shape.size
        corner = self._pixel(x - r, y - r, math.floor)
        side = math.ceil(2 * r * self.scale) + 1
        wide = round(2 * 0.9 * 2 * r * self.scale)
        light = Image.radial_gradient("L").resize((wide, wide))
        light = light.point([round((255 - v) * 0.3 * shape.opacity) for v in range(256)])
        glow = Image.new("L", (side, side))
        middle = (0.35 * 2 * r * self.scale, 0.25 * 2 * r * self.scale)
        glow.paste(light, (round(middle[0] - wide / 2), round(middle[1] - wide / 2)))
        disc = Image.new("L", (side, side))
        shift = (self.origin[0] - corner[0], self.origin[1] - corner[1])
        _disc(_Pen(disc, self.scale, shift), shape)
        mask = ImageChops.multiply(glow, disc)
        self.picture.paste((255, 255, 255, 255), (*corner, *_plus(corner, mask.size)), mask)

    def _pixel(self, x: float, y: float, to: Callable[[float], int]) -> tuple[int, int]:
        return to(x * self.scale) + self.origin[0], to(y * self.scale) + self.origin[1]


class _Pen:
    """Draws on a mask in units."""

    def __init__(self, mask: Image.Image, scale: float, shift: tuple[int, int]) -> None:
        self.draw = ImageDraw.Draw(mask)
        self.scale = scale
        self.shift = shift

    def at(self, point: Point) -> Point:
        """Where a point is on the mask."""
        x, y = point
        return x * self.scale + self.shift[0], y * self.scale + self.shift[1]

    def disc(self, middle: Point, r: float, ink: int = 255) -> None:
        """Fill a circle."""
        if r > 0:
            (x, y), r = self.at(middle), r * self.scale
            self.draw.ellipse((x - r, y - r, x + r - 1, y + r - 1), fill=ink)

    def area(self, points: tuple[Point, ...]) -> None:
        """Fill what lies within a closed way."""
        self.draw.polygon([self.at(point) for point in points], fill=255)

    def line(self, points: tuple[Point, ...], width: float) -> None:
        """Draw a way with round ends and corners."""
        half = width / 2
        for (x, y), (to_x, to_y) in pairwise(points):
            length = math.hypot(to_x - x, to_y - y) or 1
            aside, ahead = (y - to_y) / length * half, (to_x - x) / length * half
            self.area(
                (
                    (x + aside, y + ahead),
                    (to_x + aside, to_y + ahead),
                    (to_x - aside, to_y - ahead),
                    (x - aside, y - ahead),
                )
            )
        for point in points:
            self.disc(point, half)


def _lies_below(shape: Shape) -> bool:
    return shape.kind in ("box", "text") and shape.opacity == 1


def _disc(pen: _Pen, shape: Shape) -> None:
    pen.disc(shape.points[0], shape.size)


def _ring(pen: _Pen, shape: Shape) -> None:
    """The line around a circle, whole or in dashes."""
    middle, r, half = shape.points[0], shape.size, shape.width / 2
    if not shape.dashes:
        pen.disc(middle, r + half)
        pen.disc(middle, r - half, 0)
        return
    dash, gap = (part / r for part in shape.dashes)
    for number in range(round(2 * math.pi / (dash + gap))):
        start = number * (dash + gap)
        angles = [start + dash * part / 3 for part in range(4)]
        way = [(angle, r + half) for angle in angles]
        way += [(angle, r - half) for angle in reversed(angles)]
        pen.area(tuple(_plus_polar(middle, angle, radius) for angle, radius in way))


def _box(pen: _Pen, shape: Shape) -> None:
    (left, top), (right, low) = (pen.at(point) for point in shape.points)
    corners = (left, top, right - 1, low - 1)
    pen.draw.rounded_rectangle(corners, shape.size * pen.scale, fill=255)


def _outline(pen: _Pen, shape: Shape) -> None:
    points = shape.points
    if shape.kind == "box":
        (left, top), (right, low) = points
        points = ((left, top), (right, top), (right, low), (left, low))
    pen.line((*points, points[0]), shape.width)


def _area(pen: _Pen, shape: Shape) -> None:
    pen.area(shape.points)


def _line(pen: _Pen, shape: Shape) -> None:
    """A way, whole or in dashes that go on around its corners."""
    if not shape.dashes:
        pen.line(shape.points, shape.width)
        return
    period, gone = sum(shape.dashes), 0.0
    for (x, y), (to_x, to_y) in pairwise(shape.points):
        length = math.hypot(to_x - x, to_y - y)
        at = math.ceil(gone / period) * period - gone
        while at <= length:
            middle = (x + (to_x - x) * at / length, y + (to_y - y) * at / length)
            pen.disc(middle, shape.width / 2)
            at += period
        gone += length


def _text(pen: _Pen, shape: Shape) -> None:
    font = _font(max(shape.size * pen.scale, 1))
    bold = round(0.045 * pen.scale)
    pen.draw.text(pen.at(shape.points[0]), shape.text, 255, font, anchor="ls", stroke_width=bold)


# To read it anew takes longer than to write a number with it.
_font = lru_cache(maxsize=8)(ImageFont.load_default)

_DRAW: dict[str, Callable[[_Pen, Shape], None]] = {
    "circle": _disc,
    "box": _box,
    "area": _area,
    "line": _line,
    "text": _text,
    "shine": _disc,
}
_STROKE: dict[str, Callable[[_Pen, Shape], None]] = {
    "circle": _ring,
    "box": _outline,
    "area": _outline,
}


def _bounds(shape: Shape) -> tuple[float, float, float, float]:
    """A box around all of a shape."""
    xs, ys = [x for x, _ in shape.points], [y for _, y in shape.points]
    room = shape.width
    if shape.kind == "circle":
        room += shape.size
    elif shape.kind == "text":
        return (
            xs[0] - 0.5,
            ys[0] - 1.5 * shape.size,
            xs[0] + len(shape.text) * shape.size,
            ys[0] + 1,
        )
    return min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue, *_ = ImageColor.getrgb(colour)
    return red, green, blue


def _plus(corner: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
    return corner[0] + size[0], corner[1] + size[1]


def _plus_polar(middle: Point, angle: float, r: float) -> Point:
    return middle[0] + r * math.cos(angle), middle[1] + r * math.sin(angle)
