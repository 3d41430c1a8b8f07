"""A board as a picture: what is drawn where, in plain shapes that any medium can paint.

A square is 10 units wide, and the pieces are those of the page: dark men are turned in rings,
light men milled with a star, a king is two men stacked with a crown on the upper one.
:mod:`kingme.rules.svg` writes the shapes as SVG, :mod:`kingme.prints` paints them as pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol

from kingme.rules.moves import Move
from kingme.rules.piece import Piece
from kingme.rules.squares import Geometry
from kingme.rules.theme import Theme, theme_of
from kingme.rules.variant import Side, Variant

__all__ = [
    "Arrow",
    "Coordinates",
    "Drawable",
    "Look",
    "Mark",
    "Scene",
    "Shape",
    "disc",
    "in_words",
    "scene",
    "stamp",
]

SQUARE = 10.0
FRAME = 2.0
CORNER = 1.2
Point = tuple[float, float]
Form = Literal["circle", "cross", "dot", "square"]
Coordinates = Literal["numbers", "letters"] | bool


class Drawable(Protocol):
    """What can be drawn: a :class:`~kingme.Position` or a :class:`~kingme.Board`."""

    @property
    def variant(self) -> Variant:
        """The rules in force, with the squares of their board."""

    @property
    def turn(self) -> Side:
        """The side to move."""

    @property
    def pieces(self) -> Mapping[int, Piece]:
        """All pieces by square number."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow along squares, from the first to the last; a colour of its own if it has one.

    >>> Arrow((11, 15)).path
    (11, 15)
    """

    path: tuple[int, ...]
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a square: a ``"circle"`` around it, a ``"cross"``, a ``"dot"``, or all of it.

    >>> Mark(14, "cross").form
    'cross'
    """

    square: int
    form: Form = "circle"
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """How a board is shown, whatever stands on it; ``last_move`` is tinted, with its trail."""

    orientation: Side = Side.WHITE
    last_move: Move | None = None
    arrows: Iterable[Arrow | Move | tuple[int, ...]] = ()
    marks: Iterable[Mark | int] = ()
    coordinates: Coordinates = True
    theme: Theme | str = "wood"


@dataclass(frozen=True, slots=True)
class Shape:
    """One thing to paint, at its ``points``.

    ``circle``: one point and a radius ``size``. ``box``: two corners, rounded by ``size``.
    ``line`` and ``area``: a way, open or closed. ``text``: one point, at the left of the
    baseline, letters ``size`` high. ``shine``: a circle of light from above. ``piece``: the
    shapes of :func:`stamp` for ``text``, around one point.
    """

    kind: Literal["circle", "box", "line", "area", "text", "shine", "piece"]
    points: tuple[Point, ...]
    size: float = 0.0
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    opacity: float = 1.0
    #: lengths of dash and gap
    dashes: tuple[float, float] | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture: its size in units, its theme, a sentence that says what it shows, its shapes."""

    width: float
    height: float
    theme: Theme
    title: str
    shapes: tuple[Shape, ...]


def scene(position: Drawable, look: Look, *, crossed: Iterable[int] = ()) -> Scene:
    """Return the picture of a position; ``ValueError`` where a square or a theme is none.

    Pieces on ``crossed`` squares are shown as jumped in a jump that is under way.
    ``TypeError`` for what is no position, and for what cannot be drawn on it.
    """
    _require(position, look)
    theme = theme_of(look.theme)
    geometry = position.variant.geometry
    place = _Places(geometry, look.orientation)
    width, height = SQUARE * geometry.columns, SQUARE * geometry.rows
    whole = (width + 2 * FRAME, height + 2 * FRAME)
    shapes = [
        Shape("box", ((0.0, 0.0), whole), CORNER, fill=theme.frame),
        Shape("box", ((FRAME, FRAME), (FRAME + width, FRAME + height)), fill=theme.pale),
    ]
    shapes += _squares(place, theme)
    shapes += _trail(place, theme, look.last_move)
    shapes += _names(place, theme, look, position.variant)
    shapes += _pieces(place, theme, position, frozenset(crossed))
    for mark in look.marks:
        shapes += _mark(place, theme, mark if isinstance(mark, Mark) else Mark(mark))
    for arrow in look.arrows:
        shapes += _arrow(place, theme, _arrow_of(arrow))
    return Scene(*whole, theme, in_words(position), tuple(shapes))


def in_words(position: Drawable) -> str:
    """Return what stands on the board as a text, for whoever does not see it.

    >>> from kingme import Position
    >>> in_words(Position.from_fen("W:W18,26,K4:B12"))
    'Black: man on 12. White: men on 18, 26; king on 4. White to move.'
    """
    variant = position.variant
    name = variant.geometry.letters if variant.letters_first else str
    parts = []
    for side in Side:
        own = {n: piece for n, piece in position.pieces.items() if piece.side is side}
        said = []
        for king, one, many in ((False, "man", "men"), (True, "king", "kings")):
            at = [name(n) for n, piece in own.items() if piece.king is king]
            if at:
                said.append(f"{one if len(at) == 1 else many} on {', '.join(at)}")
        parts.append(f"{side.title}: {'; '.join(said) or 'no piece'}.")
    return f"{' '.join(parts)} {position.turn.title} to move."


def _require(position: object, look: Look) -> None:
    """Raise ``TypeError`` for what is of another kind than a picture can show."""
    given = type(position).__name__
    if not all(hasattr(position, name) for name in ("variant", "turn", "pieces")):
        hint = ": give its position" if hasattr(position, "position") else ""
        raise TypeError(f"a picture shows a Position or a Board, not {given}{hint}")
    last: object = look.last_move
    if not isinstance(last, Move | None):
        given = type(last).__name__
        raise TypeError(f"last_move is a Move, as position.parse('11-15') gives, not {given}")
    for mark in look.marks:
        if not isinstance(mark, Mark | int):
            raise TypeError(f"a mark is a Mark or the number of a square, not {mark!r}")
    for arrow in look.arrows:
        if not isinstance(arrow, Arrow | Move) and not (
            isinstance(arrow, tuple | list) and all(isinstance(square, int) for square in arrow)
        ):
            raise TypeError(f"an arrow is an Arrow, a Move or a tuple of squares, not {arrow!r}")


class _Places:
    """Where squares are on the picture, for whoever sits at its lower edge."""

    def __init__(self, geometry: Geometry, bottom: Side) -> None:
        self.geometry = geometry
        self.numbers = range(1, geometry.squares + 1)
        self.turned = Side(bottom) is Side.BLACK
        #: played on all squares: there is no pale one between two of them
        self.full = geometry.squares == geometry.rows * geometry.columns

    def __call__(self, square: int) -> Point:
        """Return the middle of a square."""
        name = self.geometry.letters(square)
        column, row = ord(name[0]) - ord("a"), self.geometry.rows - int(name[1:])
        if self.turned:
            column, row = self.geometry.columns - 1 - column, self.geometry.rows - 1 - row
        return FRAME + SQUARE * (column + 0.5), FRAME + SQUARE * (row + 0.5)

    def box(self, square: int) -> tuple[Point, Point]:
        """Return two corners of a square."""
        (x, y), half = self(square), SQUARE / 2
        return (x - half, y - half), (x + half, y + half)


def _squares(place: _Places, theme: Theme) -> Iterator[Shape]:
    line = (theme.frame, 0.2) if place.full else ("", 0.0)
    for square in place.numbers:
        yield Shape("box", place.box(square), fill=theme.square, stroke=line[0], width=line[1])


def _trail(place: _Places, theme: Theme, move: Move | None) -> Iterator[Shape]:
    """Where the last move began and ended, and the way between."""
    if move:
        for square in sorted({move.start, move.end}):
            yield Shape("box", place.box(square), fill=theme.tint, opacity=0.34)
        way = tuple(place(square) for square in move.path)
        dots = (0.1, 1.8)
        yield Shape("line", way, stroke=theme.tint, width=0.75, opacity=0.8, dashes=dots)


def _names(place: _Places, theme: Theme, look: Look, variant: Variant) -> Iterator[Shape]:
    """The names of the squares, above the tint of the last move, which would make them faint."""
    if not look.coordinates:
        return
    usual = "letters" if variant.letters_first else "numbers"
    named = usual if look.coordinates is True else look.coordinates
    if named not in ("letters", "numbers"):
        raise ValueError(f"there are no coordinates {named!r}: there are numbers and letters")
    for square in place.numbers:
        (x, y), _ = place.box(square)
        text = place.geometry.letters(square) if named == "letters" else str(square)
        yield Shape("text", ((x + 0.45, y + 1.75),), 1.5, fill=theme.label, text=text)


def _pieces(
    place: _Places, theme: Theme, position: Drawable, crossed: frozenset[int]
) -> Iterator[Shape]:
    for square, piece in position.pieces.items():
        at = place(square)
        text = f"{'king' if piece.king else 'man'}-{piece.side.code}"
        opacity = 0.45 if square in crossed else 1.0
        yield Shape("piece", (at,), opacity=opacity, text=text)
        if square in crossed:
            yield from _cross(at, theme.mark)


def _mark(place: _Places, theme: Theme, mark: Mark) -> Iterator[Shape]:
    at = place(mark.square)
    if mark.form == "circle":
        yield Shape("circle", (at,), 4.4, stroke=mark.colour or theme.halo, width=0.6)
    elif mark.form == "dot":
        colour = mark.colour or theme.mark
        yield Shape("circle", (at,), 1.3, fill=colour, stroke=theme.halo, width=0.35)
    elif mark.form == "square":
        yield Shape("box", place.box(mark.square), fill=mark.colour or theme.tint, opacity=0.5)
    elif mark.form == "cross":
        yield from _cross(at, mark.colour or theme.mark)
    else:
        raise ValueError(f"there is no mark {mark.form!r}: there are circle, cross, dot, square")


def _cross(at: Point, colour: str) -> Iterator[Shape]:
    x, y = at
    for slope in (-2.7, 2.7):
        way = ((x - 2.7, y - slope), (x + 2.7, y + slope))
        yield Shape("line", way, stroke=colour, width=0.9)


def _arrow_of(arrow: Arrow | Move | tuple[int, ...]) -> Arrow:
    if isinstance(arrow, Arrow):
        return arrow
    return Arrow(arrow.path if isinstance(arrow, Move) else tuple(arrow))


def _arrow(place: _Places, theme: Theme, arrow: Arrow) -> Iterator[Shape]:
    """A shaft from square to square, and a head whose point is the middle of the last one."""
    way = [place(square) for square in arrow.path]
    if len(way) < 2 or any(start == end for start, end in pairwise(way)):
        raise ValueError(f"an arrow goes from a square to others, not along {arrow.path}")
    colour = arrow.colour or theme.tint
    (from_x, from_y), (x, y) = way[-2:]
    length = ((x - from_x) ** 2 + (y - from_y) ** 2) ** 0.5
    ahead, aside = ((x - from_x) / length, (y - from_y) / length), 1.55
    neck = (x - 2.6 * ahead[0], y - 2.6 * ahead[1])
    head = (
        (x + 0.6 * ahead[0], y + 0.6 * ahead[1]),
        (neck[0] - aside * ahead[1], neck[1] + aside * ahead[0]),
        (neck[0] + aside * ahead[1], neck[1] - aside * ahead[0]),
    )
    shaft = (*way[:-1], neck)
    yield Shape("line", shaft, stroke=theme.mark, width=1.5, opacity=0.55)
    yield Shape("area", head, fill=colour, stroke=theme.mark, width=0.5, opacity=0.92)
    yield Shape("line", shaft, stroke=colour, width=1.0, opacity=0.92)


_STAR = (
    (0.0, -2.15), (0.56, -0.71), (2.0, -0.15), (0.56, 0.41),
    (0.0, 1.85), (-0.56, 0.41), (-2.0, -0.15), (-0.56, -0.71),
)  # fmt: skip
_CROWN = (
    (-1.75, 0.15), (-2.2, -2.3), (-0.95, -1.35), (0.0, -2.95), (0.95, -1.35), (2.2, -2.3),
    (1.75, 0.15),
)  # fmt: skip
_MILLED = (0.85, 1.15)


def stamp(name: str, theme: Theme) -> tuple[Shape, ...]:
    """Return the shapes of a piece around the point (0, 0): ``man-B``, ``king-W`` and so on."""
    kind, code = name.split("-")
    side = Side(code)
    face, edge, line, crown, rim = theme.piece(side)
    shapes = []

    def circle(y: float, r: float, fill: str, *, opacity: float = 1.0, rim: str = rim) -> None:
        width = 0.24 if rim else 0.0
        shapes.append(Shape("circle", ((0.0, y),), r, fill, rim, width, opacity))

    def ridge(y: float, r: float, *, milled: bool = False) -> None:
        # 52 parts of dash and gap go once around, wherever the circle is
        part = 2 * 3.141592653589793 * r / 52
        dashes = (_MILLED[0] * part, _MILLED[1] * part) if milled else None
        width = 0.8 if milled else theme.ridge
        shapes.append(Shape("circle", ((0.0, y),), r, "", line, width, dashes=dashes))

    def shine(y: float, r: float) -> None:
        if theme.gloss:
            shapes.append(Shape("shine", ((0.0, y),), r, opacity=theme.gloss))

    if theme.depth:
        circle(0.85, 3.85, "#000000", opacity=theme.depth, rim="")
    circle(0.5, 3.75, edge)
    circle(-0.15, 3.75, face)
    if side is Side.BLACK:
        for r in (2.95, 2.25, 1.35):
            ridge(-0.15, r)
    else:
        ridge(-0.15, 3.05, milled=True)
        shapes.append(Shape("area", _STAR, fill=line))
    shine(-0.15, 3.75)
    if kind == "king":
        circle(-0.7, 3.65, edge)
        circle(-1.35, 3.65, face)
        ridge(-1.35, 3.0, milled=side is Side.WHITE)
        shine(-1.35, 3.65)
        shapes.append(Shape("area", _CROWN, fill=crown))
    return tuple(shapes)


def disc(name: str, theme: Theme) -> tuple[Shape, ...]:
    """Return the shapes of a piece that lies before one, seen from above, to be cut out.

    It fills a circle of 5 units around the point (0, 0). A king is the back of a man: a crown
    within the ring of its side.
    """
    kind, code = name.split("-")
    side = Side(code)
    face, _, line, crown, _ = theme.piece(side)
    middle = ((0.0, 0.0),)
    shapes = [Shape("circle", middle, 5.0, face)]

    def ring(r: float, width: float, *, milled: bool = False) -> None:
        part = 2 * 3.141592653589793 * r / 52
        dashes = (_MILLED[0] * part, _MILLED[1] * part) if milled else None
        shapes.append(Shape("circle", middle, r, "", line, width, dashes=dashes))

    if side is Side.WHITE:
        ring(4.05, 0.95, milled=True)
    elif kind == "man":
        for r in (4.1, 3.15, 2.0):
            ring(r, 1.4 * theme.ridge)
    else:
        ring(4.1, 1.4 * theme.ridge)
    if kind == "king":
        crown_at = tuple((1.2 * x, 1.2 * (y + 1.4)) for x, y in _CROWN)
        shapes.append(Shape("area", crown_at, fill=crown))
    elif side is Side.WHITE:
        star_at = tuple((1.3 * x, 1.3 * (y + 0.15)) for x, y in _STAR)
        shapes.append(Shape("area", star_at, fill=line))
    return tuple(shapes)
