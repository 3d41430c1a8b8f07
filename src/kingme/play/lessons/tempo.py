"""Two lessons of the third chapter: exchanges and spare moves, and who has the move."""

from __future__ import annotations

from kingme.play.lessons.steps import Choose, Lesson, Moves, Point, Step, Win

__all__ = ["EXCHANGES", "THE_MOVE"]

EXCHANGES = Lesson(
    "exchanges",
    "Exchanges and tempo",
    "Give one, take one: when it helps, and what a move in hand is worth.",
    (
        Step(
            "One for one",
            (
                "Because jumps are compulsory, you can offer a man and take one back. That is an"
                " exchange. It clears the way, breaks up a formation, or saves a man that is"
                " attacked.",
            ),
            "B:W18,29:B4,8,11",
            Moves(
                "Make the exchange: play 11-15, and jump back with 8x15.",
                ("11-15", "18x11", "8x15"),
                "told",
                "First offer the man: from 11 to 15.",
                "Offer the man first: 11-15.",
            ),
            "A man each. Always look first where each of the two jumps ends.",
        ),
        Step(
            "Ahead? Exchange",
            (
                "With a piece more, every exchange makes your advantage weigh more. Three against"
                " two is work; two against one is simple.",
            ),
            "W:WK10,K17,K23:BK14,K24",
            Moves(
                "White has three kings against two. Force an exchange.",
                ("23-19", "14x7", "19x28"),
                "win",
                "Offer the king on 10: let Black jump it while you take on the other side.",
                "Black’s king on 14 attacks two of yours. After this it takes one of them, and the"
                " advantage is gone.",
            ),
            "Two kings against one, which you will learn to win.",
        ),
        Step(
            "A tempo",
            (
                "A move is also called a tempo. When the men come close to each other, the side"
                " that has to step forward first often loses a man. A spare move elsewhere is"
                " then worth a man.",
            ),
            "W:W18,23:B10,12",
            Moves(
                "If the man on 18 has to move, it is lost. What should White play?",
                ("23-19",),
                "win",
                "Use the spare move.",
                "That man is jumped, or has to step into a jump.",
                (
                    ("18-15", "Black jumps both men, one after the other."),
                    ("18-14", "Black jumps 10x17."),
                ),
            ),
            "Now Black has to step forward, and each step loses a man.",
        ),
        Step(
            "Look for the spare move",
            ("Black threatens to jump 12x19. The spare move can answer that as well.",),
            "W:W16,24:B8,12",
            Moves(
                "Find the winning move.",
                ("24-19",),
                "win",
                "Fill the square behind the man on 16.",
                "Then a man is lost.",
                (
                    ("16-11", "Black jumps 8x15."),
                    ("24-20", "Black jumps 12x19: the square behind 16 is still empty."),
                ),
            ),
            "The man on 16 is safe now, and Black has to step forward.",
        ),
        Step(
            "Exchange to turn the tables",
            (
                "Whose turn it is in the end can be changed by an exchange. Here a plain move"
                " draws or loses, and an exchange wins.",
            ),
            "W:W25,30:B13,18",
            Moves(
                "Offer a man and take one back.",
                ("25-22", "18x25", "30x21"),
                "win",
                "Offer the man on 25, and jump back from 30.",
                "That keeps the pieces, but then Black has the last move in hand.",
            ),
            "Now 21 faces 13, and it is Black who has to step forward.",
        ),
    ),
)

THE_MOVE = Lesson(
    "the-move",
    "The move",
    "Who will run out of good moves first, and how to count it beforehand.",
    (
        Step(
            "Face to face",
            (
                "When few pieces are left, it often comes down to this: two pieces stand face to"
                " face, and whoever is to move has to give way. The side for which it works out"
                " well is said to have the move, or the opposition.",
            ),
            "B:W21:B13",
            Choose(
                "Black is to move. Who wins?",
                (
                    ("White", "Yes. The man on 13 has only 17, where White jumps it."),
                    ("Black", "The man on 13 has only one square to go to. What happens there?"),
                    ("A draw", "The man on 13 has only one square to go to. What happens there?"),
                ),
                0,
                "value",
            ),
            bottom="W",
        ),
        Step(
            "Your system",
            (
                "You can count who has the move. Every second row belongs to a side. White’s rows"
                " are White’s own first row, 29 to 32, and then 21 to 24, 13 to 16 and 5 to 8."
                " They are White’s system.",
                "Black’s system is the others: 1 to 4, 9 to 12, 17 to 20 and 25 to 28.",
            ),
            "W:W18,23,30:B10,13,14",
            Point(
                "Point at all pieces, of both sides, that stand in White’s system.",
                (13, 14, 23, 30),
                "system",
                "Look along the rows 29 to 32, 21 to 24, 13 to 16 and 5 to 8.",
                "That piece stands in one of Black’s rows.",
                "W",
            ),
            marks=(5, 6, 7, 8, 13, 14, 15, 16, 21, 22, 23, 24, 29, 30, 31, 32),
        ),
        Step(
            "Odd or even",
            (
                "When both sides have the same number of pieces and it is your turn, count all"
                " pieces in your own system, yours and the other side’s. An odd number means that"
                " you have the move.",
            ),
            "W:W18,23:B10,12",
            Choose(
                "It is White’s turn. How many pieces stand in White’s system?",
                (
                    ("1", "Yes: the man on 23. One is odd, so White has the move."),
                    ("2", "Count again: rows 29 to 32, 21 to 24, 13 to 16 and 5 to 8."),
                    ("3", "Count again: rows 29 to 32, 21 to 24, 13 to 16 and 5 to 8."),
                ),
                0,
                "count",
                "W",
            ),
        ),
        Step(
            "Who has it?",
            ("Now count for yourself. It is White’s turn.",),
            "W:W17,22:B10,13",
            Choose(
                "Who has the move?",
                (
                    ("White", "22 and 13 stand in White’s system. Two is even."),
                    ("Black", "Yes: 22 and 13 make two, which is even. White is in trouble."),
                ),
                1,
                "move",
            ),
        ),
        Step(
            "An exchange changes it",
            (
                "Most exchanges of one for one change the move: it does when the piece that"
                " jumped is itself taken. If both pieces that jumped stay on the board, it does"
                " not. So if you do not have the move, look for an exchange.",
            ),
            "W:W26,30:B13,18",
            Moves(
                "White has not got the move: 30 and 13 are two. Get it.",
                ("26-22",),
                "win",
                "Offer a man in front of 18. It will be taken back.",
                "Without an exchange the move stays with Black.",
                (
                    ("26-23", "Black jumps 18x27, and nothing takes that man back."),
                    ("30-25", "That draws. Take the man that you offer back."),
                ),
            ),
            "After 18x25 and 30x21 the piece that jumped is gone, and the move is White’s.",
        ),
        Step(
            "Use it",
            (
                "King against king, out in the open. White is to move and has the move: 32 stands"
                " in White’s system, 26 does not. Drive Black’s king to the edge.",
            ),
            "W:WK32:BK26",
            Win(
                "Win as White.",
                21,
                "Keep opposite to the other king, two squares away, and never let it into the"
                " double corner at 1 and 5 or at 28 and 32.",
            ),
            "That is the whole secret of the move.",
        ),
    ),
)
