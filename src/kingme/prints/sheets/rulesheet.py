"""The rules of American checkers on one page, with diagrams."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kingme.prints.paper import EDGE
from kingme.prints.pdf import INK, POINT, SOFT, Canvas
from kingme.prints.sheets.asked import Asked
from kingme.prints.sheets.boards import Bare
from kingme.prints.sheets.picture import picture
from kingme.rules.drawing import Arrow, Look
from kingme.rules.position import Position
from kingme.rules.variant import ENGLISH

__all__ = ["DIAGRAMS", "TEXTS", "rules"]

GAP = 9.0
ACROSS, PART = 2, 5
"""Small diagrams in a row, and the squares that each shows both ways."""


@dataclass(frozen=True, slots=True)
class Example:
    """A position that shows a rule: what is played there, and what that shows."""

    fen: str
    arrows: tuple[tuple[int, ...], ...]
    #: column and row of the upper left square of the part that is shown
    corner: tuple[int, int]
    caption: str


TEXTS = (
    (
        "The board and the men",
        "The board has 64 squares, and play is on the 32 dark ones. Place it so that each "
        "player has a dark corner at the left hand. Each side sets twelve men on the dark "
        "squares of its three nearest rows. The darker side, Black, moves first; then the "
        "sides take turns. You have to move when it is your turn.",
    ),
    (
        "Moving",
        "A man moves one square diagonally forward, to an empty square.",
    ),
    (
        "Jumping",
        "If an enemy piece stands diagonally before your man and the square right behind it "
        "is empty, the man jumps over it and lands there; the jumped piece is taken off. "
        "If the same piece can jump again from where it lands, it goes on in the same turn, "
        "straight on or at an angle, until it can jump no more. A man jumps forward only. "
        "No piece is jumped twice in one turn, and nobody jumps over their own pieces.",
    ),
    (
        "You must jump",
        "If you can jump, you must. If there are several jumps, you are free to choose any "
        "of them, even one that takes fewer pieces; but the one you choose you carry "
        "through to its end.",
    ),
    (
        "Kings",
        "A man that reaches the far row becomes a king: the opponent crowns it with a "
        "second man. Its turn ends there, even if it could jump on. A king moves one square "
        "and jumps as a man does, but backward as well as forward. It never moves further.",
    ),
    (
        "Winning",
        "If it is your turn and you have no piece left, or none that can move, you have "
        "lost. You may also resign.",
    ),
    (
        "Draws",
        "The game is drawn when both agree; when the same position, with the same side to "
        "move, has come up for the third time; or when each side has made 40 moves in a row "
        "in which nothing was jumped and no man was moved.",
    ),
    (
        "How moves are written",
        "The dark squares are numbered from 1 to 32; Black begins on 1 to 12, White on 21 "
        "to 32. 11-15 is a move from 11 to 15. 15x22 is a jump from 15 over the piece on 18 "
        "to 22, and 22x15x8 is a double jump that lands on 15 and then on 8. A game begins "
        "like this: 1. 11-15 22-18 2. 15x22 25x18. Of the results, 1-0 says that Black won, "
        "0-1 that White did, and 1/2-1/2 that it was a draw.",
    ),
)
"""What the sheet says: headings and texts."""

DIAGRAMS = (
    Example("W:W22:B2", ((22, 17), (22, 18)), (0, 3), "A man moves one square forward."),
    Example("W:W22:B11,18", ((22, 15, 8),), (2, 1), "22x15x8: a double jump takes both men."),
    Example("W:W23:B11,18,19", ((23, 14), (23, 16, 7)), (2, 1), "Free choice: 23x14 or 23x16x7."),
    Example("W:W11:B6,7", ((11, 2),), (2, 0), "11x2: crowned, it stops; 6 is safe for now."),
    Example("B:W10,19:BK15", ((15, 24), (15, 6)), (2, 1), "A king goes both ways: 15x6 or 15x24."),
    Example("B:W17,22:B13", (), (0, 2), "Black is to move and cannot: White wins."),
)
"""The small diagrams, in their order."""


def rules(asked: Asked | None = None) -> bytes:
    """Return the rules on one page as a PDF.

    >>> rules()[:5]
    b'%PDF-'
    """
    asked = asked or Asked()
    paper, theme = asked.sheet, asked.look
    canvas = Canvas("The rules of American checkers", paper, asked.made)
    canvas.page()
    canvas.text((EDGE, EDGE + 8), "American checkers", 24, bold=True)
    canvas.text((EDGE, EDGE + 14), "The rules on one page", 12, colour=SOFT)
    side = 62.0
    text = paper.room[0] - side - GAP
    x, y = EDGE + text + GAP, EDGE + 1
    y += picture(canvas, Position.start(), Look(coordinates=False, theme=theme), (x, y), side)
    canvas.text((x, y + 3.8), "The start. White, below, moves second.", 8)
    y = _small(canvas, asked, (x, y + 7.0), side)
    _numbers(canvas, asked, (x, y), min(side, paper.height - EDGE - y - 5))
    size, leading = _fitting(canvas, text, paper.height - 2 * EDGE - 22)
    level = EDGE + 24.0
    for heading, words in TEXTS:
        canvas.text((EDGE, level), heading, size + 2, bold=True)
        level += (size + 2) * POINT * 1.3
        level = canvas.paragraph((EDGE, level), words, text, size, leading=leading)
        level += size * POINT * 0.75
    return canvas.bytes()


def _fitting(canvas: Canvas, width: float, height: float) -> tuple[float, float]:
    """The largest type, with its leading, in which the texts fill no more than the height."""
    leading = 1.36
    for half in range(24, 14, -1):
        size = half / 2
        lines = sum(len(canvas.wrapped(words, width, size)) for _, words in TEXTS)
        heads = len(TEXTS) * ((size + 2) * 1.3 + size * 0.75)
        if (lines * size * leading + heads) * POINT <= height:
            break
    return size, leading


def _small(canvas: Canvas, asked: Asked, at: tuple[float, float], width: float) -> float:
    """Draw the small diagrams, parts of the board, in rows; return where they end."""
    x, y = at
    gap = 4.0
    each = (width - gap * (ACROSS - 1)) / ACROSS
    square = each / PART
    for start in range(0, len(DIAGRAMS), ACROSS):
        below = y
        for column, diagram in enumerate(DIAGRAMS[start : start + ACROSS]):
            position = Position.from_fen(diagram.fen)
            arrows = [Arrow(path) for path in diagram.arrows]
            look = Look(coordinates=False, theme=asked.look, arrows=arrows)
            left = x + column * (each + gap)
            with canvas.within(left, y, each, each):
                corner = (left - diagram.corner[0] * square, y - diagram.corner[1] * square)
                picture(canvas, position, look, corner, 8 * square)
                for number, middle in _middles(corner, square):
                    _tab(canvas, asked, number, middle, square, under=number in position.pieces)
            canvas.box((left, y), (each, each), stroke=INK, width=0.25)
            low = canvas.paragraph((left, y + each + 3.4), diagram.caption, each, 7.5, leading=1.2)
            below = max(below, low)
        y = below + 1.0
    return y


def _tab(
    canvas: Canvas,
    asked: Asked,
    number: int,
    middle: tuple[float, float],
    square: float,
    *,
    under: bool,
) -> None:
    """Write a number in the corner of a small square; a piece there leaves it room."""
    size = 5.6
    x, y = middle[0] - 0.47 * square, middle[1] - 0.47 * square
    high = 0.74 * size * POINT
    if under:
        wide = (0.58 * len(str(number)) + 0.15) * size * POINT
        corner = middle[0] - square / 2, middle[1] - square / 2
        canvas.box(corner, (wide, high + 0.06 * square), fill=asked.look.square)
    canvas.text((x, y + high), str(number), size, bold=True, colour=asked.look.label)


def _numbers(canvas: Canvas, asked: Asked, at: tuple[float, float], width: float) -> None:
    """Draw an empty board with its numbers in the middle of the squares."""
    look = Look(coordinates=False, theme=asked.look)
    bare = Bare(ENGLISH)
    picture(canvas, bare, look, at, width)
    square = width / 8
    for number, (x, y) in _middles(at, square):
        shown = str(number)
        label = asked.look.label
        canvas.text((x, y + 1.2), shown, 9.5, bold=True, colour=label, align="centre")
    canvas.text((at[0], at[1] + width + 3.8), "The numbers of the squares", 8)


def _middles(
    corner: tuple[float, float], square: float
) -> Iterator[tuple[int, tuple[float, float]]]:
    """Where the squares are on a board with its upper left corner at a point."""
    for number in range(1, 33):
        row, place = divmod(number - 1, 4)
        column = 2 * place + 1 - row % 2
        yield number, (corner[0] + (column + 0.5) * square, corner[1] + (row + 0.5) * square)
