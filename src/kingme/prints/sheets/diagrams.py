"""Diagram sheets: positions with who is to move, or a game as its moves and boards between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kingme.prints.paper import EDGE, SheetError
from kingme.prints.pdf import INK, POINT, SOFT, Canvas
from kingme.prints.sheets.asked import Asked
from kingme.prints.sheets.picture import picture
from kingme.rules.drawing import Drawable, Look
from kingme.rules.history import History
from kingme.rules.moves import Move
from kingme.rules.notation import spell
from kingme.rules.position import Position
from kingme.rules.variant import Side

__all__ = ["MOST", "PLIES", "game", "positions"]

MOST, PLIES = 60, 1000
"""Diagrams of a sheet, and plies of a game, at most."""

GAP = 8.0
CAPTION = 10.5
"""Millimetres between diagrams, and below each."""

SIZE, LEADING = 10.5, 1.4
"""Of the moves: points, and how much a line is higher than its letters."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A diagram: what stands on the board, and the two lines below it."""

    position: Position
    title: str
    below: str
    last_move: Move | None = None


def positions(
    fens: Sequence[Position],
    asked: Asked | None = None,
    *,
    title: str = "",
    columns: int | None = None,
    turned: bool = False,
) -> bytes:
    """Return diagrams of positions as a PDF, in ``columns`` (1 to 4; by their number if not said).

    ``turned``: with Black's side below. :class:`~kingme.prints.paper.SheetError` for no position,
    or for more than 60.

    >>> positions([Position.start()])[:5]
    b'%PDF-'
    """
    asked = asked or Asked()
    shown = [
        Shown(
            position,
            f"{number}. {to_move(position)}" if len(fens) > 1 else to_move(position),
            position.fen,
        )
        for number, position in enumerate(fens, 1)
    ]
    canvas = Canvas(title or "Checkers diagrams", asked.sheet, asked.made)
    flow = _Flow(canvas)
    if title:
        flow.line(title, 17, bold=True)
        flow.y += 4
    _boards(flow, asked, shown, columns, turned)
    return canvas.bytes()


def game(
    history: History,
    asked: Asked | None = None,
    *,
    tags: Mapping[str, str] | None = None,
    result: str = "*",
    every: int = 10,
    plies: Sequence[int] | None = None,
    columns: int | None = None,
    turned: bool = False,
) -> bytes:
    """Return a game as a PDF: who played, the moves, and diagrams.

    There is one after ``every`` so many plies and at the end, or after each of ``plies``.
    :class:`~kingme.prints.paper.SheetError` for a ply that was not played, for more than 60
    diagrams, and for more than 1,000 plies.

    >>> game(History.start().play("11-15"))[:5]
    b'%PDF-'
    """
    asked = asked or Asked()
    count = len(history.moves)
    if count > PLIES:
        raise SheetError(f"a game of {count} plies is too long to print: at most {PLIES}")
    if every < 1:
        raise SheetError(f"diagrams come after 1 ply or more, not {every}")
    if plies is None:
        plies = sorted({*range(every, count, every), count})
    for ply in plies:
        if not 0 <= ply <= count:
            raise SheetError(f"there is no diagram after ply {ply}: the game has {count}")
    shown = [_after(history, ply) for ply in plies]
    named = tags or {}
    sides = [f"{named.get(side.title) or '?'} ({side.title})" for side in Side]
    known = any(named.get(side.title) for side in Side)
    title = " – ".join(sides) if known else "A game of checkers"
    canvas = Canvas(title, asked.sheet, asked.made)
    flow = _Flow(canvas)
    flow.line(title, 17, bold=True)
    facts = [named.get(name, "") for name in ("Event", "Site", "Date", "Opening")]
    facts = [fact for fact in facts if fact.strip("?.* -")]
    if facts:
        flow.line(", ".join(facts), 9.5, colour=SOFT)
    flow.y += 2
    ended = "" if result in ("*", "") else f" {result}"
    flow.text(_moves(history) + ended)
    flow.y += 4
    _boards(flow, asked, shown, columns, turned)
    return canvas.bytes()


def to_move(position: Drawable) -> str:
    """Whose turn it is."""
    return f"{position.turn.title} to move"


def _after(history: History, ply: int) -> Shown:
    position = history.positions[ply]
    if ply == 0:
        return Shown(position, "The start", to_move(position))
    move = history.moves[ply - 1]
    text = spell(move, position.variant)
    return Shown(position, f"After {_number(history, ply - 1)} {text}", to_move(position), move)


def _number(history: History, ply: int) -> str:
    """The number of a move as it stands before it: ``12.`` or, for who moves second, ``12...``."""
    start = history.positions[0]
    late = start.turn is not start.variant.first
    number, second = divmod(ply + late, 2)
    return f"{number + 1}." + (".." if second else "")


def _moves(history: History) -> str:
    """All moves with their numbers; a number and its move are not parted."""
    words = []
    for ply, move in enumerate(history.moves):
        number = _number(history, ply)
        shown = ply == 0 or not number.endswith("...")
        text = spell(move, history.position.variant)
        words.append(f"{number}\u00a0{text}" if shown else text)
    return " ".join(words)


class _Flow:
    """Fills pages from above; ``y`` is how far the present one is full."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.pages = 0
        self.y = 0.0
        self.turn()

    @property
    def low(self) -> float:
        """Where a page ends, above the number of the page."""
        return self.canvas.paper.height - EDGE - 6

    def turn(self) -> None:
        """Begin the next page."""
        self.canvas.page()
        self.pages += 1
        paper = self.canvas.paper
        at = (paper.width - EDGE, paper.height - EDGE - 1)
        self.canvas.text(at, f"kingme, page {self.pages}", 8, colour=SOFT, align="right")
        self.y = EDGE

    def line(self, text: str, size: float, *, bold: bool = False, colour: str = INK) -> None:
        """Write one line."""
        self.y += size * POINT * 1.1
        room = self.canvas.paper.room[0]
        self.canvas.text((EDGE, self.y), text, size, bold=bold, room=room, colour=colour)
        self.y += size * POINT * 0.35

    def text(self, words: str) -> None:
        """Write a text, over pages where it is long."""
        step = SIZE * POINT * LEADING
        for line in self.canvas.wrapped(words, self.canvas.paper.room[0], SIZE):
            if self.y + step > self.low:
                self.turn()
            self.y += step
            self.canvas.text((EDGE, self.y - 0.3 * step), line, SIZE)


def _boards(
    flow: _Flow, asked: Asked, shown: Sequence[Shown], columns: int | None, turned: bool
) -> None:
    """Draw diagrams in rows."""
    if not 1 <= len(shown) <= MOST:
        raise SheetError(f"a sheet has 1 to {MOST} diagrams, not {len(shown)}")
    if columns is None:
        columns = 1 if len(shown) == 1 else 2 if len(shown) <= 6 else 3
    if not 1 <= columns <= 4:
        raise SheetError(f"diagrams stand in 1 to 4 columns, not {columns}")
    paper = flow.canvas.paper
    width = min((paper.room[0] - GAP * (columns - 1)) / columns, 140.0)
    if len(shown) > columns * columns:
        # Room for one row more than there are columns.
        width = min(width, (flow.low - EDGE) / (columns + 1) - CAPTION - 3)
    left = EDGE + (paper.room[0] - columns * width - GAP * (columns - 1)) / 2
    for row in _rows(shown, columns):
        geometry = row[0].position.variant.geometry
        height = width * geometry.rows / geometry.columns
        if flow.y + height + CAPTION > flow.low:
            flow.turn()
        for column, one in enumerate(row):
            x = left + column * (width + GAP)
            _diagram(flow.canvas, asked, one, (x, flow.y), width, turned)
        flow.y += height + CAPTION + 3


def _rows(shown: Sequence[Shown], columns: int) -> Iterator[Sequence[Shown]]:
    for start in range(0, len(shown), columns):
        yield shown[start : start + columns]


def _diagram(
    canvas: Canvas, asked: Asked, one: Shown, at: tuple[float, float], width: float, turned: bool
) -> None:
    side = Side.BLACK if turned else Side.WHITE
    look = Look(orientation=side, last_move=one.last_move, theme=asked.look)
    x, y = at[0], at[1] + picture(canvas, one.position, look, at, width)
    canvas.text((x, y + 4.4), one.title, 10, bold=True, room=width)
    canvas.text((x, y + 8.2), one.below, 7.5, colour=SOFT, room=width)
