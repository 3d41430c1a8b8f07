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

SMALLEST, LARGEST, LARGEST_MOVING = 32, 2048, 1024
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
    not from 32 to 2048, and for a square or a theme that there is not.

    >>> from kingme import Position
    >>> png(Position.start(), size=100)[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    look = Look(orientation, last_move, tuple(arrows), tuple(marks), coordinates, theme)
    picture = _painter(position.variant, size).paint(scene(position, look))
    return _saved(picture, "PNG")


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
    complete. ``ValueError`` as with :func:`png`, for a size of more than 1024, and for times of
    less than 10 milliseconds.

    >>> from kingme import History
    >>> gif(History.start().play("11-15"), size=64)[:6]
    b'GIF89a'
    """
    if pause < 10 or hop < 10:
        raise ValueError(f"pictures stand for 10 milliseconds or more, not {min(pause, hop)}")
    look = Look(orientation, None, (), (), coordinates, theme)
    painter = _painter(history.position.variant, size, LARGEST_MOVING)
    frames = list(_frames(history, look))
    times = [pause if whole else hop for _, whole in frames]
    times[-1] = 3 * pause

    def painted(frame: Frame) -> Image.Image:
        board, shown, taken = frame
        # Without transparency: the corners take the colour of the frame.
        return painter.paint(scene(board, shown, crossed=taken)).convert("RGB")

    some = frames[:: max(len(frames) // SAMPLE, 1)]
    palette = _palette([painted(frame) for frame, _ in [*some, frames[-1]]])
    pictures = (
        painted(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame, _ in frames
    )
    first = next(pictures)
    return _saved(first, "GIF", save_all=True, append_images=pictures, duration=times, loop=0)


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


def _painter(variant: Variant, size: int, largest: int = LARGEST) -> Painter:
    if not SMALLEST <= size <= largest:
        raise ValueError(f"an image is {SMALLEST} to {largest} pixels wide here, not {size}")
    return Painter(size / (SQUARE * variant.columns + 2 * FRAME))


def _palette(pictures: list[Image.Image]) -> Image.Image:
    """The colours of pictures of one size."""
    width, height = pictures[0].size
    strip = Image.new("RGB", (width, height * len(pictures)))
    for number, picture in enumerate(pictures):
        strip.paste(picture, (0, height * number))
    return strip.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _saved(picture: Image.Image, form: str, **options: object) -> bytes:
    buffer = BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()
