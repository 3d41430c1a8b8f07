"""A position as PNG, and a game as an animated GIF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import BytesIO

from PIL import Image

from kingme.prints.shapes import Painter
from kingme.rules.drawing import FRAME, SQUARE, Arrow, Coordinates, Drawable, Look, Mark, scene
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.piece import Piece
from kingme.rules.theme import Theme
from kingme.rules.variant import Side, Variant

__all__ = ["gif", "png"]

SMALLEST, LARGEST = 32, 4096
SAMPLE = 6
"""Pictures from which the colours of an animation are taken."""


def png(
    position: Drawable,
    *,
    size: int = 800,
    orientation: Side = Side.WHITE,
    last_move: Move | None = None,
    arrows: Iterable[Arrow | Move | tuple[int, ...]] = (),
    marks: Iterable[Mark | int] = (),
    coordinates: Coordinates = True,
    theme: Theme | str = "wood",
) -> bytes:
    r"""Return a position, or a board as it stands, as a PNG of ``size`` pixels in width.

    What can be shown is as with :func:`kingme.svg.board`. ``ValueError`` for a size that is
    not from 32 to 4096, and for a square or a theme that there is not.

    >>> from kingme import Position
    >>> png(Position.start(), size=100)[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    look = Look(orientation, last_move, tuple(arrows), tuple(marks), coordinates, theme)
    picture = _painter(position.variant, size).paint(scene(position, look))
    return _saved(picture, "PNG", optimize=True)


def gif(
    history: History,
    *,
    size: int = 400,
    orientation: Side = Side.WHITE,
    coordinates: Coordinates = True,
    theme: Theme | str = "wood",
    pause: int = 900,
    hop: int = 350,
) -> bytes:
    """Return a game as an animated GIF of ``size`` pixels in width, which begins again at its end.

    Every move stands for ``pause`` milliseconds, the last for three times as long, and every
    landing of a jump on its way for ``hop``; what a jump takes is crossed out until it is
    complete. ``ValueError`` as with :func:`png`, and for times that are not positive.

    >>> from kingme import History
    >>> gif(History.start().play("11-15"), size=64)[:6]
    b'GIF89a'
    """
    if pause < 10 or hop < 10:
        raise ValueError(f"pictures stand for 10 milliseconds or more, not {min(pause, hop)}")
    look = Look(orientation, None, (), (), coordinates, theme)
    painter = _painter(history.position.variant, size)
    frames, times = [], []
    for frame, last in _frames(history, look):
        frames.append(frame)
        times.append(pause if last else hop)
    times[-1] = 3 * pause
    pictures = [
        _flat(painter.paint(scene(board, shown, crossed=taken))) for board, shown, taken in frames
    ]
    palette = _palette(pictures)
    first, *rest = (
        picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures
    )
    return _saved(
        first, "GIF", save_all=True, append_images=rest, duration=times, loop=0, optimize=False
    )


class _Midway:
    """A board in the middle of a jump: the piece stands on one of its landings."""

    def __init__(self, variant: Variant, turn: Side, pieces: dict[int, Piece]) -> None:
        self.variant = variant
        self.turn = turn
        self.pieces = pieces


Frame = tuple[Drawable, Look, tuple[int, ...]]


def _frames(history: History, look: Look) -> Iterator[tuple[Frame, bool]]:
    """What is shown one after another, and whether a move is complete there."""
    yield (history.positions[0], look, ()), True
    for before, move, after in zip(
        history.positions, history.moves, history.positions[1:], strict=False
    ):
        pieces = before.pieces
        piece = pieces.pop(move.start)
        for number in range(1, len(move.path) - 1):
            way = Move(move.path[: number + 1], move.captures[:number])
            standing = {**pieces, way.end: piece}
            midway = _Midway(before.variant, before.turn, standing)
            yield (midway, replace(look, last_move=way), way.captures), False
        yield (after, replace(look, last_move=move), ()), True


def _painter(variant: Variant, size: int) -> Painter:
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"an image is {SMALLEST} to {LARGEST} pixels wide, not {size}")
    return Painter(size / (SQUARE * variant.columns + 2 * FRAME))


def _flat(picture: Image.Image) -> Image.Image:
    """A picture without transparency: the corners take the colour of the frame."""
    return picture.convert("RGB")


def _palette(pictures: list[Image.Image]) -> Image.Image:
    """The colours of all pictures, from some of them."""
    step = max(len(pictures) // SAMPLE, 1)
    some = [*pictures[::step], pictures[-1]]
    width, height = some[0].size
    strip = Image.new("RGB", (width, height * len(some)))
    for number, picture in enumerate(some):
        strip.paste(picture, (0, height * number))
    return strip.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _saved(picture: Image.Image, form: str, **options: object) -> bytes:
    buffer = BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()
