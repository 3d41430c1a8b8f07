"""The boards of the page on strategy."""

from __future__ import annotations

from kingme.rules.position import Position
from kingme.web.guides.diagram import Diagram

__all__ = ["BLACKS_ROWS", "IDEAS", "WHITES_ROWS"]

BLACKS_ROWS = (*range(1, 5), *range(9, 13), *range(17, 21), *range(25, 29))
WHITES_ROWS = tuple(square for square in range(1, 33) if square not in BLACKS_ROWS)
"""The squares that a player who is on the turn counts pieces on, to know who has the move."""

_ALL = (
    Diagram(
        "centre",
        Position.start().fen,
        "The four squares of the centre are marked: 14, 15, 18 and 19. A man there has two ways "
        "to go. One on the edge has a single way, and guards half as much.",
        "11-15 23-19 8-11 22-17 4-8",
        marks=(14, 15, 18, 19),
    ),
    Diagram(
        "supported",
        "B:W18,23,31:B3,14",
        "The white man on 18 cannot be jumped from 14, since 23 behind it is occupied. Men that "
        "stand one behind another on a diagonal guard each other.",
        "14-17",
    ),
    Diagram(
        "bridge",
        "W:W10:B1,3",
        "Black’s men on 1 and 3 are the bridge. The white man is lost on 6 as on 7: two men guard "
        "the whole back row against one. White’s bridge is 30 and 32.",
        "10-6 1x10",
        "loss",
        (1, 3),
    ),
    Diagram(
        "dog-hole",
        "B:W5,32:B1,11",
        "The white man on 5 is in the dog hole: the man on 1 holds it for good. White must move "
        "the other man, and loses it. Black’s dog hole is 28.",
        "11-15 32-27 15-19 27-23 19x26",
        "win",
        (5,),
    ),
    Diagram(
        "the-move",
        "W:WK32:BK26",
        "White to move; White’s rows are marked. One piece stands in them, the king on 32. One is "
        "odd, so White has the move, and drives the black king to the edge.",
        "32-27 26-30 27-23 30-25 23-18 25-29 18-22 29-25 22x29",
        "win",
        WHITES_ROWS,
    ),
    Diagram(
        "the-move-black",
        "B:WK32:BK26",
        "The same kings with Black to move; Black’s rows are marked. One piece stands in them, the "
        "king on 26. This time Black has the move, and holds the draw.",
        "26-30 32-27 30-25",
        "draw",
        BLACKS_ROWS,
    ),
    Diagram(
        "exchange",
        "W:W23,28:B12,15",
        "White to move. Two pieces stand in White’s rows, on 23 and 15. Two is even, so White "
        "lacks the move; an exchange gains it, for the man that captures is taken in turn.",
        "23-19 15x24 28x19 12-16 19x12",
        "win",
        WHITES_ROWS,
    ),
    Diagram(
        "two-for-one",
        "W:W23,24,28:B14,15,16",
        "White gives one man and takes two.",
        "24-19 15x24 28x19x12",
        "win",
    ),
    Diagram(
        "three-for-two",
        "W:W18,27,31:B10,11,19",
        "White gives two and takes three: the first man draws a black one away, the second opens "
        "the way for the man on 31.",
        "18-15 11x18 27-23 18x27 31x24x15x6",
        "win",
    ),
    Diagram(
        "pitch",
        "W:W10,14,21:B1,3,17",
        "Two men are given one after the other, and each leaves a gap where White needs it.",
        "10-6 1x10 14x7 3x10 21x14x7",
        "win",
    ),
    Diagram(
        "stroke",
        "W:W15,18,21,25,29:B4,5,6,8,13",
        "A stroke over five moves: White gives three and takes four, and has a king in the end.",
        "21-17 13x22 15-10 6x15 18x11 8x15 25x18x11 4-8 11x4",
    ),
    Diagram(
        "bridge-pitch",
        "W:W10,12,K18:B1,3,K8",
        "The bridge stands behind Black’s king, so White cannot jump it. A man that is given makes "
        "the guard on 3 jump and leave its square.",
        "10-7 3x10 12x3",
        "win",
    ),
    Diagram(
        "drawing-shot",
        "W:W9,23,31,32:B2,5,14,25",
        "Black is about to have a king. White gives two men, takes two, and draws.",
        "23-18 14x23 31-27 5x14 27x18x9",
    ),
    Diagram(
        "one-holds-two",
        "B:WK23:B28,K32",
        "One white king holds a king and a man. Black has to move, and the only move loses.",
        "32-27 23x32",
        "loss",
    ),
    Diagram(
        "fork",
        "W:WK7:B14,15",
        "Two men against a king would win in time. But the king comes in between and attacks both, "
        "and only one of them can go.",
        "7-10 14-17 10x19",
        "draw",
    ),
    Diagram(
        "first-position",
        "W:WK19,K23:B12,K28",
        "First Position. White drives the king from its corner until the man has to move.",
        "23-27 28-32 19-23 32-28 27-32 28-24 23-18 24-28 18-15 28-24 32-28 24-27 15-18 12-16",
        "win",
    ),
    Diagram(
        "first-position-black",
        "B:WK19,K23:B12,K28",
        "With Black to move the king comes back to 32 in time.",
        "28-32",
        "draw",
    ),
    Diagram(
        "second-position",
        "W:W27,30,K32:B20,21,K25",
        "Second Position. Only 32-28 wins, and the whole way takes 53 moves.",
        "32-28 25-29 28-24 29-25 24-19 25-22 19-15 22-17 15-18 17-13 18-22 13-9 30-26",
        "win",
    ),
    Diagram(
        "third-position",
        "W:WK12,K20,28:BK11,K19",
        "Third Position. White has a man more, which Black’s king on 19 holds on 28. Only 20-24 "
        "wins, and the whole way takes 57 moves.",
        "20-24 11-15 24-27 15-11 27-32 11-15 12-8 15-18 32-27 18-15 27-31 15-18 8-11",
        "win",
    ),
    Diagram(
        "fourth-position",
        "B:W30,K31,K32:B21,K20,K22,K23",
        "Fourth Position. Black has a piece more, but White’s pieces stand firm. Black wins, and "
        "begins with 20-16.",
        "20-16 32-28 16-19 31-27 23x32 30-26 22x31 28-24 19x28",
        "win",
    ),
    Diagram(
        "single-corner",
        "W:WK18:BK29",
        "A king in the single corner has one way out. With the move, White closes it.",
        "18-22 29-25 22x29",
        "win",
    ),
    Diagram(
        "two-against-one",
        "W:WK19,K23:BK28",
        "Two kings drive one out of the double corner: one goes in from behind, the other keeps "
        "the way back closed.",
        "23-27 28-32 19-23 32-28 27-32 28-24 32-28 24-20 23-18 20-16 18-15 16-20 15-11 20-24 28x19",
        "win",
    ),
    Diagram(
        "three-against-two",
        "W:WK10,K15,K19:BK9,K27",
        "Three kings against two in opposite corners: White forces an exchange, and two against "
        "one is won.",
        "15-18 9-5 10-6 27-32 19-23 5-1 6-9 1-5 9-14 5-1 23-27 32x23 18x27",
        "win",
    ),
    Diagram(
        "old-fourteenth",
        Position.start().fen,
        "The Old Fourteenth, an opening whose name has long been in the books.",
        "11-15 23-19 8-11 22-17 4-8",
    ),
    Diagram(
        "barred",
        Position.start().fen,
        "The ballot 9-14 23-19 10-15, the Rattlesnake, is barred, for it is held to lose.",
        "9-14 23-19 10-15",
    ),
)

#: Every one of them, by name.
IDEAS: dict[str, Diagram] = {diagram.name: diagram for diagram in _ALL}
