"""The fourth chapter: giving pieces to win more, and two formations that everybody should know."""

from __future__ import annotations

from kingme.play.lessons.steps import Chapter, Choose, Lesson, Moves, Point, Step

__all__ = ["SHOTS"]

TWO_FOR_ONE = Lesson(
    "two-for-one",
    "Two for one",
    "Give a man, and take two: the first kind of shot.",
    (
        Step(
            "You choose where they jump",
            (
                "The other side must jump when it can. So you can pull a man to where you want it"
                " by giving it something to jump. If your next jump then takes two, you have won"
                " a man. That is a two for one.",
            ),
            "W:W23,24,28:B14,15,16",
            Moves(
                "Win a man.",
                ("24-19", "15x24", "28x19x12"),
                "gains",
                "Give the man on 24, so that the one on 28 gets a double jump.",
                "Nothing is won by that. Which man can White give so that a black one is pulled"
                " to 24?",
                (
                    ("23-19", "Black jumps 16x23, and is a man up."),
                    ("24-20", "That brings an exchange at best. There is more to be had."),
                ),
            ),
            "One given, two taken.",
        ),
        Step(
            "Straight through",
            (
                "The same idea with a longer way. Look for holes between the black men: each hole"
                " is a landing square.",
            ),
            "W:W19,24,32:B10,11,18",
            Moves(
                "Find the shot.",
                ("19-16", "11x20x27", "32x23x14x7"),
                "gains",
                "Give two men, and let the man on 32 go.",
                "Look at the man on 32: over which squares could it jump if Black’s men stood"
                " there?",
                (("19-15", "Black jumps twice, and White gets nothing."),),
            ),
            "Two given, three taken, and nothing is left.",
        ),
        Step(
            "One after the other",
            (
                "Sometimes a shot is a chain: each jump of Black’s is answered by one of yours,"
                " and the last one is the longest.",
            ),
            "W:W19,23,30:B10,12,26",
            Moves(
                "Find White’s moves.",
                ("19-15", "10x19", "23x16", "12x19", "30x23x16"),
                "gains",
                "Begin with the man on 19.",
                "Nothing is won by that. Begin by giving the man on 19.",
            ),
        ),
        Step(
            "Give the better one",
            (
                "Two men stand before Black’s row, and each can be given. Only one way takes"
                " everything.",
            ),
            "W:W10,14,21:B1,3,17",
            Moves(
                "Find the shot.",
                ("10-6", "1x10", "14x7", "3x10", "21x14x7"),
                "gains",
                "Pull the man on 1 off its row first.",
                "Nothing is won by that. Which black man should jump first?",
                (("10-7", "Then Black jumps 3x10, and White takes one back. No more than that."),),
            ),
            "The man that waited on 21 takes two at the end.",
        ),
    ),
)

BIGGER = Lesson(
    "bigger-shots",
    "Bigger shots",
    "Two men given in a row, a stroke over the whole board, a smother, and a rescue.",
    (
        Step(
            "Two in a row",
            (
                "Here two men have to be given, one after the other. After the first, nothing is"
                " won yet; the second is what makes it work.",
            ),
            "W:W18,26,30:B10,11,19",
            Moves(
                "White gives two and takes all three.",
                ("18-14", "10x17", "26-22", "17x26", "30x23x16x7"),
                "win",
                "First pull the man on 10 away, then pull it further.",
                "Then no shot is left. Look at the man on 30: where should black men stand?",
                (("18-15", "The right man, the wrong side: Black’s 11 jumps, and stays away."),),
            ),
            "The man on 30 sweeps the board.",
        ),
        Step(
            "With a king at the end",
            ("The same pattern with a king to finish it: a king jumps back as well.",),
            "W:W7,K10,18:B3,9,K26",
            Moves(
                "Find the shot.",
                ("18-14", "9x18", "10-6", "3x10", "6x15x22x31"),
                "win",
                "Give the man on 18, and then the man on 7.",
                "Then Black is out of danger.",
            ),
            "The king takes three, the last of them a king.",
        ),
        Step(
            "A stroke",
            (
                "The longest shots in games are called strokes. This one gives three men, each at"
                " the right time, and brings them all back.",
            ),
            "W:W15,18,21,25,29:B4,5,6,8,13",
            Moves(
                "Find the first move.",
                ("21-17",),
                "win",
                "Pull the man on 13 down to 22.",
                "That does not start it. Which of Black’s men has to leave its place first?",
                (
                    ("15-10", "That comes second. First another man has to be pulled away."),
                    ("15-11", "Black jumps it, and White gets back less than was given."),
                ),
            ),
            "After 13x22 comes 15-10, then 18x11, and the last jump goes over two.",
        ),
        Step(
            "Smothered",
            (
                "A shot need not take anything. White gives two pieces here, and then Black cannot"
                " move at all.",
            ),
            "W:W24,K30,32:B20,K23,28",
            Moves(
                "Win by shutting Black in.",
                ("32-27", "23x32", "30-26", "20x27", "26-31"),
                "win",
                "Let Black’s king jump into the corner.",
                "Then Black’s king is free. It has to be brought to 32.",
            ),
            "Three black pieces, and none of them can move. White has won with a single king.",
        ),
        Step(
            "Saved by a shot",
            (
                "A shot can also save a game. Black’s man on 25 is about to be crowned, and White’s"
                " on 9 has nowhere safe to go. Still White comes out of it even.",
            ),
            "W:W9,23,31,32:B2,5,14,25",
            Moves(
                "Find White’s moves.",
                ("23-18", "14x23", "31-27", "5x14", "27x18x9"),
                "saves",
                "Give the man on 23 first. Then bring another next to the man that took it.",
                "That leaves White a man down. Pull the man on 14 to 23, and think of the one on"
                " 31.",
                (
                    ("9-6", "Black jumps 2x9, and White has nothing for it."),
                    ("31-27", "The right square, too early: no man of Black’s is on 23 yet."),
                ),
            ),
            "Two given, two taken. Black’s man on 25 is crowned, but White’s on 9 cannot be"
            " stopped either: a draw.",
        ),
    ),
)

BRIDGE = Lesson(
    "against-the-bridge",
    "Against the bridge",
    "How two men get through where one cannot, and how a man that is given opens it.",
    (
        Step(
            "The bridge of Black",
            (
                "Black’s bridge stands on 1 and 3, White’s on 30 and 32. It is the best way to"
                " guard the row with two men, since every way to the row leads past one of them.",
            ),
            "W:W14,18:B1,3",
            Point(
                "Point at Black’s bridge.",
                (1, 3),
                "named",
                "It stands on the row where White wants to be crowned.",
                "The bridge stands on Black’s first row.",
                "Black’s bridge",
            ),
        ),
        Step(
            "A lone man is stopped",
            ("One man against the bridge has no way through.",),
            "W:W30,32:B18",
            Choose(
                "White is to move. Who wins?",
                (
                    ("White", "Yes. The man is met wherever it goes."),
                    ("Black", "Try each way to the last row: 25, 26 and 27 are all guarded."),
                    ("A draw", "The man has to walk on, into one of the two guards."),
                ),
                0,
                "value",
            ),
        ),
        Step(
            "Two men get through",
            (
                "With two men Black can break it, if they come the right way. One is held back"
                " so that the other goes through.",
            ),
            "B:W30,32:B18,24",
            Moves(
                "Only one move wins.",
                ("18-22",),
                "win",
                "Go for the side of the man on 30, and keep the man on 24 where it is.",
                "Then White’s bridge holds.",
                (
                    ("24-28", "Into the dog hole. There it is stuck, and White wins."),
                    ("24-27", "White jumps both men, over 27 and over 18."),
                    ("18-23", "That draws. There is more on the other side."),
                ),
            ),
            "White is to move and has nothing but the bridge: whichever man moves, it opens.",
        ),
        Step(
            "Keep the other man back",
            ("One of White’s men is still at home. The thought is the same.",),
            "B:W22,32:B10,24",
            Moves(
                "Find the winning move.",
                ("10-14",),
                "win",
                "The man on 24 waits. The other goes where White’s man on 22 can be met.",
                "That lets White out.",
                (
                    ("24-28", "That man would be stuck on 28 for good."),
                    ("24-27", "White jumps it, 32x23."),
                    ("10-15", "That draws: White’s man slips past on the other side."),
                ),
            ),
        ),
        Step(
            "A man that is given",
            (
                "A guard that has to jump leaves its square. So a man given in front of the bridge"
                " can open it: players call that a bridge pitch.",
                "White’s man on 12 would jump Black’s king on 8, but the square behind it is taken"
                " by the bridge.",
            ),
            "W:W10,12,K18:B1,3,K8",
            Moves(
                "Open the bridge.",
                ("10-7", "3x10", "12x3"),
                "win",
                "Which of the two guards stands behind Black’s king? Give it something to jump.",
                "That leaves the bridge as it is. Look at the square 3: it has to be empty.",
                (("10-6", "Black jumps it with the other guard, and 3 stays where it is."),),
            ),
            "A man for a king, and White’s man is crowned where the guard stood.",
        ),
        Step(
            "The right way",
            (
                "Black’s man on 15 stands next to White’s king, but White’s own man on 11 is in the"
                " way. It can leave by two squares, and the guard on 3 takes it on either.",
            ),
            "W:W11,K18,22:B1,3,15",
            Moves(
                "Only one of them wins.",
                ("11-7", "3x10", "18x11"),
                "win",
                "Where will the guard stand when it has jumped? It should not get away.",
                "That lets the win go.",
                (
                    ("11-8", "Black jumps 3x12 and is safe at the side. That is a draw."),
                    ("22-17", "The man leaves the square behind the king: Black jumps 15x22."),
                ),
            ),
            "One for one, and the bridge is gone. A king and a man against two men: White wins.",
        ),
    ),
)

DOG_HOLE = Lesson(
    "dog-hole",
    "The dog hole",
    "Two squares where a man can be shut in for the rest of the game.",
    (
        Step(
            "Two bad squares",
            (
                "Square 28 is bad for a black man, square 5 for a white one. There a man is one"
                " step from being crowned, but a single enemy man in the corner, on 32 or on 1,"
                " keeps it there. Players call it the dog hole.",
            ),
            "B:W32:B28",
            Point(
                "Point at Black’s dog hole.",
                (28,),
                "named",
                "There is a black man in it.",
                "The dog hole is the square at the side, one step before the corner.",
                "Black’s dog hole",
            ),
        ),
        Step(
            "How bad it is",
            ("Black is to move, and has only the man in the dog hole.",),
            "B:W32:B28",
            Choose(
                "What is the result?",
                (
                    ("White wins", "Yes: Black has no move."),
                    ("A draw", "Black cannot move, and that is a loss."),
                    ("Black wins", "Black cannot move, and that is a loss."),
                ),
                0,
                "value",
            ),
        ),
        Step(
            "Stay out of it",
            (
                "Here Black could go to 28 at once. Count instead how many moves Black has left"
                " afterwards.",
            ),
            "B:W22,32:B9,24",
            Moves(
                "Find the move that wins.",
                ("9-14",),
                "win",
                "Leave the man on 24 where it is, as long as you can.",
                "Think of what is left to move for each side.",
                (
                    ("24-28", "Now that man never moves again, and the other one is caught."),
                    ("24-27", "White jumps it, 32x23."),
                    ("9-13", "That draws. In the middle the man does more."),
                ),
            ),
        ),
        Step(
            "One piece holds two",
            (
                "The point of the dog hole is that one piece keeps another busy for nothing. The"
                " man that guards it is busy too: if it moves, the prisoner is free.",
            ),
            "W:W19,30,32:B22,28",
            Moves(
                "White to move wins, if the guard stays. Find such a move.",
                ("19-15|19-16",),
                "win",
                "Two men of White’s have to stay at home. The third is free.",
                "That lets a black man through.",
                (
                    ("32-27", "The guard has left: 28-32 makes a king."),
                    ("30-25", "Black jumps it, 22x29, and is crowned."),
                    ("30-26", "Black jumps it, 22x31, and is crowned."),
                ),
            ),
        ),
    ),
)

SHOTS = Chapter(
    "Shots and formations",
    "Giving pieces to win more; the bridge, and the dog hole.",
    (TWO_FOR_ONE, BIGGER, BRIDGE, DOG_HOLE),
)
