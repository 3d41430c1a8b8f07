"""The last chapter: kings’ endings, and the positions that have numbers for names."""

from __future__ import annotations

from kingme.play.lessons.steps import Chapter, Choose, Lesson, Moves, Step, Win

__all__ = ["ENDINGS"]

TWO_AGAINST_ONE = Lesson(
    "two-against-one",
    "Two kings against one",
    "How two kings win against one, even out of the double corner.",
    (
        Step(
            "Always a win",
            (
                "Two kings win against one, wherever it is, unless they lose one of theirs. The"
                " only place that takes some work is the double corner. It has to be driven out.",
            ),
            "W:WK19,K23:BK28",
            Choose(
                "Black’s king stands in the double corner. White is to move. What is the result?",
                (
                    ("White wins", "Yes, in eight moves at most if White knows how."),
                    ("A draw", "One king could not get it out of there. Two can."),
                    ("Black wins", "Not with one against two."),
                ),
                0,
                "value",
            ),
        ),
        Step(
            "Nothing for free",
            (
                "First of all, give nothing away. A king next to the enemy’s, with an empty square"
                " behind it, is lost.",
            ),
            "W:WK19,K23:BK28",
            Moves(
                "Play any move that keeps the win.",
                ("19-15|19-16|23-18|23-26|23-27",),
                "win",
                "Five of the six moves will do.",
                "That lets the win go.",
                (("19-24", "Black jumps it, and goes on over the other king: White has lost."),),
            ),
        ),
        Step(
            "Into the corner yourself",
            (
                "This is the trick: when Black’s king stands on 28, one of yours goes to 32, into"
                " the corner itself. Now it cannot go back and forth any more.",
            ),
            "W:WK23,K27:BK28",
            Moves(
                "Play 27-32.",
                ("27-32", "28-24"),
                "told",
                "From 27 straight into the corner.",
                "That keeps the win, mostly, but the corner is the way to make it.",
                (("27-24", "Black jumps it, 28x19, and goes on over 23."),),
            ),
            "Black’s king has to come out.",
        ),
        Step(
            "Now keep away",
            (
                "Black’s king has come out to 24. It is close to yours now, so look before you"
                " step: some moves let it take one, or slip back in.",
            ),
            "W:WK23,K32:BK24",
            Moves(
                "Play a move that keeps the win.",
                ("23-18|23-26|32-28",),
                "win",
                "Away from 24, or behind it into the corner.",
                "That lets Black’s king take one of yours, or get back.",
                (
                    ("23-19", "Black jumps it."),
                    ("23-27", "Black jumps it, 24x31, before you can do anything."),
                    ("32-27", "Black jumps it, 24x31, and White takes nothing back."),
                ),
            ),
        ),
        Step(
            "From start to finish",
            (
                "Now the whole of it, against the best defence. You have more moves than you need."
                " Drive it out of the corner, then take its squares away at the edge.",
            ),
            "W:WK19,K23:BK28",
            Win(
                "Win as White.",
                41,
                "Bring a king to 27 and one to 23. When Black’s king is on 28, go to 32.",
            ),
            "You can win this ending from anywhere now.",
        ),
    ),
)

THREE_AGAINST_TWO = Lesson(
    "three-against-two",
    "Three kings against two",
    "Force an exchange, and it is two against one.",
    (
        Step(
            "One exchange is enough",
            (
                "Three kings win against two, though it takes patience. The plan has one point:"
                " force an exchange. Then two kings play against one, and you know that ending.",
            ),
            "W:WK10,K17,K23:BK14,K24",
            Moves(
                "Force the exchange.",
                ("23-19", "14x7", "19x28"),
                "win",
                "Offer something on both sides, so that whatever is jumped, you jump back.",
                "Black’s king on 14 attacks two of yours. After this it takes one of them.",
            ),
        ),
        Step(
            "In both corners",
            (
                "Black’s best defence is a king in each double corner. Then White’s three stand in"
                " the middle, close to one corner, and offer an exchange that cannot be refused.",
            ),
            "W:WK14,K18:BK1,K23",
            Moves(
                "Black has just had to jump. Take back.",
                ("18x27",),
                "legal",
                "Over 23.",
                "A jump is due here.",
            ),
            "Two against one, and Black’s king is in the corner that you know.",
        ),
        Step(
            "Do not hurry",
            (
                "Two against one, with Black’s king in the other double corner, on 1 and 5. It is"
                " the same ending with the board turned round.",
            ),
            "W:WK6,K14:BK1",
            Moves(
                "Play a move that keeps the win.",
                ("6-2|6-9|6-10|14-10",),
                "win",
                "Stay close, and give nothing away.",
                "That lets Black’s king jump one of yours or get out.",
                (
                    ("14-9", "Black jumps 1x10: nothing stands behind 6 any more."),
                    ("14-17", "Black jumps 1x10: nothing stands behind 6 any more."),
                    ("14-18", "Black jumps 1x10: nothing stands behind 6 any more."),
                ),
            ),
        ),
        Step(
            "The whole ending",
            (
                "Three against two, against the best defence. Bring your kings together in the"
                " middle, keep them from being jumped, and wait for the chance to exchange.",
            ),
            "W:WK14,K18,K23:BK1,K32",
            Win(
                "Win as White.",
                81,
                "Offer a king where Black’s jump brings it next to another of yours: 23-27.",
            ),
            "That is how a man up becomes a win.",
        ),
    ),
)

FIRST = Lesson(
    "first-position",
    "First Position",
    "Two kings against a king and a man that is held back: the ending to know.",
    (
        Step(
            "Equal, and yet won",
            (
                "The best known endings have numbers. In the First Position each side has two"
                " pieces. Black has a king in the double corner and a man at the side that does"
                " not get past White’s kings.",
            ),
            "W:WK19,K23:B12,K28",
            Choose(
                "White is to move. What is the result?",
                (
                    ("White wins", "Yes. It takes thirty-one moves against the best defence."),
                    ("A draw", "So it looks. But White has the move."),
                    ("Black wins", "Black is the one that has to be careful."),
                ),
                0,
                "value",
            ),
        ),
        Step(
            "It depends on the move",
            ("Now the same position with Black to move.",),
            "B:WK19,K23:B12,K28",
            Choose(
                "What is the result?",
                (
                    ("White wins", "Without the move White cannot make it."),
                    ("A draw", "Yes. The side that is to move makes all the difference."),
                    ("Black wins", "Black gets away, but no more."),
                ),
                1,
                "value",
            ),
            bottom="W",
        ),
        Step(
            "Count it",
            ("Count to see why. It is White’s turn again.",),
            "W:WK19,K23:B12,K28",
            Choose(
                "How many pieces stand in White’s system?",
                (
                    ("1", "Yes, the king on 23. One is odd: White has the move."),
                    ("2", "White’s rows are 29 to 32, 21 to 24, 13 to 16 and 5 to 8."),
                    ("4", "White’s rows are 29 to 32, 21 to 24, 13 to 16 and 5 to 8."),
                ),
                0,
                "count",
                "W",
            ),
        ),
        Step(
            "Out of the corner",
            (
                "The king is driven out as you know it, by going to 32. It has come out to 24 and"
                " attacks. There is one move that keeps everything.",
            ),
            "W:WK23,K32:B12,K24",
            Moves(
                "Find it.",
                ("23-18",),
                "win",
                "Step back into the middle.",
                "That loses a king, or lets Black’s go back into the corner.",
                (
                    ("32-28", "That draws: in the middle Black’s king is free."),
                    ("23-19", "Black jumps it."),
                    ("23-26", "Too far away: Black’s king gets out by 19."),
                ),
            ),
        ),
        Step(
            "Where champions have slipped",
            (
                "Now Black’s man has got to 20, and Black’s king stands on 19 between"
                " yours. Strong players have let the win slip at moments like this.",
            ),
            "W:WK18,K32:BK19,20",
            Moves(
                "Find the only move that wins.",
                ("32-28",),
                "win",
                "Keep the man on 20 from going on.",
                "That is a draw at best.",
                (
                    ("32-27", "Black plays 19-23, between your kings, and takes one of them."),
                    ("18-15", "Black jumps it."),
                    ("18-23", "Black jumps it."),
                ),
            ),
            "From 28 the king holds the man, and Black’s king has to leave.",
        ),
        Step(
            "The end of it",
            (
                "Much later. Black’s king has been driven round, and Black’s man is nearly"
                " through, but White is in time.",
            ),
            "W:WK15,K19:BK12,20",
            Win(
                "Win as White.",
                45,
                "Shut the king in at the side: it has only 8 and 16. Then it has to be exchanged"
                " or caught.",
            ),
        ),
        Step(
            "All of it",
            (
                "If you like, play the First Position from its start. It is long; a hint of the"
                " plan: to 32, out of the corner, hold the man, shut in the king.",
            ),
            "W:WK19,K23:B12,K28",
            Win(
                "Win as White.",
                101,
                "First drive the king out of the double corner: 23-27, 19-23, 27-32.",
            ),
            "Few players can do this. You have.",
        ),
    ),
)

SECOND = Lesson(
    "second-position",
    "Second Position",
    "Three against three, two men held by one, and a win of fifty moves.",
    (
        Step(
            "A man on 30 holds two",
            (
                "In the Second Position each side has a king and two men. Black’s men at the side,"
                " on 20 and 21, are watched by White’s on 27 and 30. White is to move and has the"
                " move.",
            ),
            "W:W27,30,K32:B20,21,K25",
            Choose(
                "What is the result?",
                (
                    ("White wins", "Yes, but it takes more than fifty moves."),
                    ("A draw", "So it looks. But White has the move, and all the time it takes."),
                    ("Black wins", "Black’s king alone cannot do much."),
                ),
                0,
                "value",
            ),
        ),
        Step(
            "Without the move",
            ("The same again, Black to move.",),
            "B:W27,30,K32:B20,21,K25",
            Choose(
                "And now?",
                (
                    ("White wins", "It takes the move to do that."),
                    ("A draw", "Yes, as in the First Position."),
                ),
                1,
                "value",
            ),
            bottom="W",
        ),
        Step(
            "Change the guard",
            (
                "White’s plan: crown the men, and let kings do their work of holding Black’s. At"
                " last White has three kings and forces an exchange. Here it comes.",
            ),
            "W:WK18,K28,K30:B20,K21,K29",
            Moves(
                "Offer a king: play 18-22. Black’s best is 29-25; then jump, 22x29.",
                ("18-22", "29-25", "22x29"),
                "told",
                "Go next to the corner where Black’s king stands.",
                "That may win too, but this is the way that needs no luck.",
            ),
            "Three kings against a king and a man.",
        ),
        Step(
            "Three against two",
            (
                "Black is left with a king and the man on 20. White’s king on 28 holds the man for"
                " ever, and the other two hunt the king in the corner of 1 and 5.",
            ),
            "W:WK6,K14,K28:BK1,20",
            Moves(
                "Find a move that wins.",
                ("14-10|6-10|6-9|6-2",),
                "win",
                "The same ending as two against one.",
                "That lets Black’s king out, or loses one of yours.",
            ),
        ),
        Step(
            "Finish it",
            (
                "Black’s king is out and at the edge. Take its last squares. The king on 28 need"
                " not move.",
            ),
            "W:WK5,K10,K28:BK13,20",
            Win(
                "Win as White.",
                31,
                "Two of your kings are enough: bring the one on 10 to 18 and 22.",
            ),
            "The end of the longest of the classic endings.",
        ),
    ),
)

MAN_DOWN = Lesson(
    "fourth-position",
    "Fourth Position",
    "A man more, but held: when it wins, and when it does not.",
    (
        Step(
            "A man up, and held back",
            (
                "In the Fourth Position Black has a man more, but that man is held on 21, where a"
                " white man on 30 and two kings stand against it. The books have a Third Position"
                " as well. It is not taught here, since we are not certain how it is set up.",
            ),
            "B:W30,K31,K32:BK20,21,K22,K23",
            Choose(
                "Black is to move. What is the result?",
                (
                    ("Black wins", "Yes, if Black finds the right plan."),
                    ("A draw", "With White to move it is one of the great draws of the game."),
                    ("White wins", "White is a man down."),
                ),
                0,
                "value",
            ),
        ),
        Step(
            "Give it back",
            (
                "Black’s three kings cannot get at White’s directly. The way is to give a king and"
                " attack two at once. Here Black has just given one: White has jumped 30x23, and"
                " the man on 21 is free.",
            ),
            "B:W23,K27,K32:BK20,21,K28",
            Moves(
                "Attack the king on 27 with 28-24. White answers 32-28; then take back, 24x31.",
                ("28-24", "32-28", "24x31"),
                "told",
                "The king on 27 has an empty square behind it: 31.",
                "Then White gets away, and is no longer a man down.",
                (
                    ("20-24", "White jumps it, 27x20."),
                    ("21-25", "The man can wait a move. First take the king back."),
                    ("20-16", "White plays 23-19 and forces an exchange."),
                ),
            ),
            "White’s king could not be saved, and now the man on 21 walks to its crown as well.",
        ),
        Step(
            "The man on 5",
            (
                "A man at the side is easily held. On 5 it has a single way out, by square 9. A"
                " king on 14 watches it, and so one piece holds another that would like to be"
                " crowned.",
            ),
            "B:WK14:B5",
            Choose(
                "Black is to move and has nothing else. What is the result?",
                (
                    ("White wins", "Yes: the man has to step onto 9, and is jumped."),
                    ("A draw", "The man has to step onto 9."),
                    ("Black wins", "The man has to step onto 9. What happens there?"),
                ),
                0,
                "value",
            ),
            bottom="W",
        ),
        Step(
            "A drawn one",
            (
                "Payne’s draw, named after a book of 1756: three against two. Black’s man on"
                " 13 does not get through as long as White knows how to stand.",
            ),
            "B:WK22,K30:B13,K14,K15",
            Choose(
                "Black is to move. What is the result?",
                (
                    ("Black wins", "A man more is not always enough."),
                    ("A draw", "Right. With White to move, it would be lost for White."),
                ),
                1,
                "value",
            ),
            bottom="W",
        ),
    ),
)

ENDINGS = Chapter(
    "Endings",
    "Kings against kings, and the classic positions.",
    (TWO_AGAINST_ONE, THREE_AGAINST_TWO, FIRST, SECOND, MAN_DOWN),
)
