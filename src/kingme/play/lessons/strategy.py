"""The third chapter: what to aim for when there is nothing to take."""

from __future__ import annotations

from kingme.play.lessons.steps import Chapter, Choose, Lesson, Moves, Point, Step
from kingme.play.lessons.tempo import EXCHANGES, THE_MOVE

__all__ = ["STRATEGY"]

CENTRE = Lesson(
    "centre-and-edges",
    "The centre and the edges",
    "Why pieces in the middle do more, and what the edge is good for.",
    (
        Step(
            "Four squares in the middle",
            (
                "Squares 14, 15, 18 and 19 are the centre. A man there looks to both sides, and"
                " the other side has to go round it.",
            ),
            "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
            Point(
                "Point at the four squares of the centre.",
                (14, 15, 18, 19),
                "named",
                "They are in the two empty rows, away from the sides.",
                "That square is not one of the four in the middle.",
                "the centre",
            ),
        ),
        Step(
            "A king in the middle",
            ("Count what a piece can do. Here is a king in the centre.",),
            "B:W12:BK18",
            Choose(
                "How many moves has it?",
                (
                    ("2", "Look in all four directions."),
                    ("4", "Yes, as many as any piece can have."),
                    ("1", "Look in all four directions."),
                ),
                1,
                "moves",
            ),
        ),
        Step(
            "A king at the side",
            ("Now the same king at the edge of the board.",),
            "B:W12:BK13",
            Choose(
                "How many moves has it?",
                (
                    ("2", "Yes, half as many. In a single corner it would be one."),
                    ("4", "Two of the four directions lead off the board."),
                    ("3", "Two of the four directions lead off the board."),
                ),
                0,
                "moves",
            ),
        ),
        Step(
            "Nobody is jumped at the edge",
            (
                "The edge has one thing for it. To be jumped, a piece needs an enemy on one side"
                " and an empty square on the other, and at the edge there is no other side.",
            ),
            "B:W17,21,22,23:B5,13,14",
            Point(
                "If it were White’s turn, which black man could be jumped?",
                (14,),
                "weak",
                "For each black man, find a white one beside it and an empty square behind.",
                "That man is safe: there is no square behind it, or no white man beside it.",
                "B",
            ),
            "The man on 13 is just as close to White’s men, and safe. It does less, too.",
        ),
        Step(
            "Go to the middle",
            (
                "One king each. One of White’s two moves goes towards the middle and cuts Black"
                " off. The other hides in the corner.",
            ),
            "W:WK32:BK26",
            Moves(
                "White can win. Play the move that does it.",
                ("32-27",),
                "win",
                "Away from the corner, towards the centre.",
                "That lets the win go.",
                (
                    (
                        "32-28",
                        "In the corner the king is safe, but Black’s gets away, and it is a draw.",
                    ),
                ),
            ),
            "From 27 it keeps Black’s king at the edge, where it will run out of room.",
        ),
    ),
)

CONNECTED = Lesson(
    "connected-men",
    "Keep your men together",
    "Men that stand behind one another cannot be jumped; gaps invite long jumps.",
    (
        Step(
            "Backed up",
            (
                "A man with another right behind it on the diagonal cannot be jumped along that"
                " diagonal. Men that are alone need to look both ways.",
            ),
            "W:W18,22,24,31:B11,15,20",
            Point(
                "Which white man would Black jump if it were Black’s turn?",
                (24,),
                "weak",
                "The man on 15 cannot jump 18, since 22 is behind it. What can the one on 20 do?",
                "That man has another behind it, or no black man in front.",
                "W",
            ),
            "From 20 Black would jump over 24 to 27.",
        ),
        Step(
            "Close the hole",
            (
                "It is White’s turn, in time to do something. One way is to fill the square"
                " behind the man; another is to be ready to jump back.",
            ),
            "W:W18,22,24,31:B11,15,20",
            Moves(
                "Move so that White loses nothing.",
                ("31-27|18-14",),
                "safe",
                "The square behind 24 is 27.",
                "Then Black wins a man. Look at the square 27, behind your man on 24.",
                (
                    ("24-19", "Black jumps 15x24. Nothing jumps back."),
                    ("31-26", "From there nothing guards 27: Black jumps 20x27."),
                ),
            ),
        ),
        Step(
            "Gaps are stairs",
            (
                "Men with empty squares between them, one behind the other, are the steps of a"
                " stair for an enemy man.",
            ),
            "B:W18,26:B15",
            Moves(
                "Climb it.",
                ("15x22x31",),
                "most",
                "Over 18, and on.",
                "A jump is due here.",
            ),
            "Two men and a crown for a single move.",
        ),
        Step(
            "Fill the gap in time",
            ("Here White to move can still do it: the square 22, between 18 and 26, is the gap.",),
            "W:W18,25,26:B11,15",
            Moves(
                "Find a move after which Black can win nothing.",
                ("25-22|26-22|18-14",),
                "safe",
                "Fill 22, or move the man on 18 out of reach.",
                "Now Black jumps 15x22, and goes on from there.",
            ),
        ),
        Step(
            "Together",
            (
                "Good players move their men in pairs and small triangles, one step at a time,"
                " and look before each step: what stands behind the square that I go to, and"
                " behind the one that I leave?",
            ),
            "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        ),
    ),
)

BACK_RANK = Lesson(
    "back-rank",
    "The back rank",
    "Men at home keep the other side from crowning, for as long as they stay.",
    (
        Step(
            "The bridge",
            (
                "As long as your men stand on your own first row, nobody is crowned there. All"
                " four are rarely needed. Two of them, with one square between, guard the whole"
                " row against a single man: that is the bridge.",
            ),
            "W:W30,32:B18",
            Point(
                "Point at the bridge of White.",
                (30, 32),
                "named",
                "They are the two white men on the first row.",
                "The bridge is made by the two white men.",
                "White’s bridge",
            ),
        ),
        Step(
            "One man cannot pass",
            (
                "Wherever a lone man comes to the row before the last, one of the two jumps it:"
                " on 25 or 26 the one on 30, on 27 the one on 32.",
            ),
            "W:W30,32:B26",
            Moves(
                "Stop the black man.",
                ("30x23",),
                "legal",
                "It is right in front of the man on 30.",
                "A jump is due here.",
            ),
        ),
        Step(
            "Who comes first?",
            (
                "Every man has a number of steps to the far row. Count them before a race: yours,"
                " and the other side’s.",
            ),
            "W:W22:B11",
            Choose(
                "How many moves does the white man on 22 need to be crowned?",
                (
                    ("4", "From the sixth row to the first: count the rows it has to cross."),
                    ("5", "Yes. And Black’s man on 11 needs five as well: White comes first."),
                    ("6", "It stands on the sixth row already, seen from Black."),
                ),
                1,
                "steps",
                "22",
            ),
        ),
        Step(
            "Leave the other man to move",
            (
                "White has three men against two and wants to win. If a man of the bridge moves"
                " now, Black gets through.",
            ),
            "W:W28,30,32:B21,23",
            Moves(
                "Which is the only winning move?",
                ("28-24",),
                "win",
                "Keep both men of the bridge at home.",
                "That opens the bridge, and Black comes through to draw.",
                (
                    ("30-25", "Black jumps it, 21x30, and is crowned."),
                    ("30-26", "Black jumps it, 23x30, and is crowned."),
                    ("32-27", "Black jumps it, 23x32, and is crowned."),
                ),
            ),
            "The third man does the work; the bridge stays and waits.",
        ),
        Step(
            "The same once more",
            (
                "Black threatens to jump 13x22, and the man on 28 is waiting for 32 to leave. The"
                " bridge stays, so that leaves one man to move.",
            ),
            "W:W17,30,32:B13,28",
            Moves(
                "Find White’s only good move.",
                ("17-14",),
                "win",
                "Take the man that is attacked out of danger.",
                "That loses a man.",
                (
                    ("32-27", "Black jumps 13x22, and the man on 28 is free to be crowned."),
                    ("30-26", "Black jumps twice, over 17 and over 26, and is crowned."),
                    ("30-25", "Black jumps twice, over 17 and over 25, and is crowned."),
                ),
            ),
            "The man on 28 is stuck, so the one on 13 has to walk into the bridge.",
        ),
    ),
)

STRATEGY = Chapter(
    "Strategy",
    "The centre, men that hold together, the back rank, exchanges, and the move.",
    (CENTRE, CONNECTED, BACK_RANK, EXCHANGES, THE_MOVE),
)
