"""The boards of the pages on rules, notation and the questions."""

from __future__ import annotations

from kingme.rules.position import Position
from kingme.web.guides.diagram import Diagram

__all__ = ["BOARDS", "LETTERED"]

_ALL = (
    Diagram(
        "start",
        Position.start().fen,
        "The position at the start. Black moves first. Numbers name the squares; a dark corner is "
        "at the near left of each player.",
        "11-15 23-19 8-11",
    ),
    Diagram(
        "moves",
        "W:W26,K18:B3,4",
        "The man on 26 can go to 22 or 23. The king on 18 can go to 14, 15, 22 or 23.",
        "26-23 4-8 18-14",
    ),
    Diagram(
        "jump",
        "B:W18,30,31:B6,15",
        "Black jumps from 15 over 18 to 22, and the white man is taken off. There is no other "
        "legal move: the man on 6 has to wait.",
        "15x22",
    ),
    Diagram(
        "long-jump",
        "W:W27,32:B4,5,15,16,23,24",
        "Two routes for the man on 27: over 24 and 16 to 11, or over 23 and 15 to 11. Both are one "
        "move, and both must be made to the end.",
        "27x20x11",
    ),
    Diagram(
        "shorter",
        "W:W27,31:B4,15,23,24",
        "White may take two pieces, 27x18x11, or one, 27x20. Either is legal.",
        "27x20",
    ),
    Diagram(
        "crowning",
        "B:W26,27:B22",
        "The man jumps over 26 to 31 and is crowned. A king on 31 could jump on over 27, but the "
        "turn is over, and the white man walks away.",
        "22x31 27-23",
    ),
    Diagram(
        "king-jump",
        "W:WK7:B1,10,11,18,19",
        "The king jumps forward and backward in one turn, and may come back to the square where "
        "it began.",
        "7x14x23x16x7",
    ),
    Diagram(
        "no-backward",
        "B:W10,11,32:B15",
        "The black man on 15 cannot jump over 10 or 11, for they are behind it. It moves forward.",
        "15-19 32-28",
    ),
    Diagram(
        "blocked",
        "B:W13:B5,6",
        "Black moves 5-9. White’s man cannot move, nor jump, since 6 is occupied. White has lost "
        "with a man still on the board.",
        "5-9",
        "win",
    ),
    Diagram(
        "draw",
        "B:WK23:BK32",
        "The black king goes to and fro in the double corner, where one king cannot be caught. "
        "After these moves the position has come up three times.",
        "32-28 23-19 28-32 19-23 32-28 23-19 28-32 19-23",
        "draw",
    ),
    Diagram(
        "numbers",
        "B:W29:B4",
        "Square 1 is at the far left as White sees it, 4 in the corner at the far right, 29 in "
        "the one at the near left, and 32 at the near right.",
        "4-8 29-25 8-11 25-22",
    ),
    Diagram(
        "two-routes",
        "W:W27,32:B15,16,23,24",
        "27x11 names two jumps that take different men. Written 27x20x11, it is clear which.",
        "27x20x11",
    ),
)

#: Every one of them, by name.
BOARDS: dict[str, Diagram] = {diagram.name: diagram for diagram in _ALL}

#: A board whose squares have letters, for the page on notation.
LETTERED: dict[str, Diagram] = {
    "lettered": Diagram(
        "lettered",
        "W:W27,32:B15,16,23,24",
        "Files are a to h from White’s left, ranks 1 to 8 from White’s side. The man on f2 jumps "
        "to h4 and on to f6.",
        "27x20x11",
        letters=True,
    )
}
