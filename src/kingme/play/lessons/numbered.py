"""The positions that have numbers for names, from the First to the Fourth."""

from __future__ import annotations

from kingme.play.lessons.steps import Choose, Lesson, Moves, Step, Win

__all__ = ["FIRST", "FOURTH", "SECOND", "THIRD"]

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

THIRD = Lesson(
    "third-position",
    "Third Position",
    "A man more that cannot get past a king, and the one move that begins the win.",
    (
        Step(
            "A man that cannot get on",
            (
                "In the Third Position White has a man more. But the man on 28 has only 24 to go"
                " to, and Black’s king on 19 watches that square.",
                "With the colours changed and the board turned round it is a black man on 5, as"
                " some books show it.",
            ),
            "W:WK12,K20,28:BK11,K19",
            Choose(
                "White is to move. What is the result?",
                (
                    ("White wins", "Yes, in fifty-seven moves against the best defence."),
                    ("A draw", "So it looks. But White can bring up a second king."),
                    ("Black wins", "Black is a piece down, and can only hope to hold the man."),
                ),
                0,
                "value",
            ),
        ),
        Step(
            "One king is not enough",
            (
                "Take a king of each side away, and a black king holds a king and a man. It goes"
                " back and forth between 19 and 23.",
            ),
            "W:WK20,28:BK19",
            Choose(
                "White is to move. What is the result?",
                (
                    ("White wins", "Not with one king: Black is always in time."),
                    ("A draw", "Right. So the king on 12 will have to help."),
                ),
                1,
                "value",
            ),
        ),
        Step(
            "The only move",
            (
                "Back to the Third Position. Black’s kings are close to White’s, and most moves"
                " lose a piece at once.",
            ),
            "W:WK12,K20,28:BK11,K19",
            Moves(
                "White has five moves. Find the one that wins.",
                ("20-24",),
                "win",
                "The man on 28 stands behind a king on 24, so Black cannot jump it.",
                "That loses a piece.",
                (
                    ("12-8", "Black jumps it, 11x4."),
                    ("12-16", "Black jumps it, 19x12."),
                    ("20-16", "Black jumps it, 11x20."),
                    ("28-24", "Black jumps it, 19x28. Two kings against two is a draw."),
                ),
            ),
            "Now the king on 19 is attacked, and Black’s other king has to stand by it.",
        ),
        Step(
            "The right corner",
            (
                "Black’s king went to 15 and back, White’s went on to 27. It wants to come round"
                " to the far side. There are two squares for that, and they are not the same.",
            ),
            "W:WK12,K27,28:BK11,K19",
            Moves(
                "Play a move that keeps the win.",
                ("27-32|27-24",),
                "win",
                "Stay next to the man. Going back to 24 loses time, but no more.",
                "That lets the win go.",
                (
                    ("27-31", "Black plays 19-23 and draws: it gets at the man in time."),
                    ("27-23", "Black jumps it, 19x26."),
                    ("12-8", "Black jumps it, 11x4."),
                    ("12-16", "Black jumps it, 19x12."),
                    ("28-24", "Black jumps it, 19x28."),
                ),
            ),
        ),
        Step(
            "Threaten an exchange",
            (
                "Black’s second king left 11, so White’s came out of the side, from 12 to 8. Now"
                " Black’s kings stand together on 18 and 19.",
            ),
            "W:WK8,28,K32:BK18,K19",
            Moves(
                "Find the only move that wins.",
                ("32-27",),
                "win",
                "Get ready for 27-24, with the man behind it.",
                "Then Black plays 18-23 and draws.",
                (("28-24", "Black jumps it, 19x28."),),
            ),
            "Wherever Black’s kings go now, White keeps the win.",
        ),
        Step(
            "Come round behind",
            (
                "Eight moves later the man has got to 20. Black’s kings on 11 and 19 stop it there."
                " White’s second king has come round by 2 to 6.",
            ),
            "W:WK6,20,K31:BK11,K19",
            Moves(
                "Find the only move that wins.",
                ("6-10",),
                "win",
                "Bring the king to the middle, and keep Black’s off 15.",
                "Then Black plays 19-15 and draws.",
                (("20-16", "Black jumps it, 19x12."),),
            ),
            "From 10 it goes to 14 and 18, and drives the king on 19 away.",
        ),
        Step(
            "Two guards are enough",
            (
                "White’s kings on 18 and 19 could hardly stand better. But here Black’s second"
                " king has got back to 3, behind the first.",
            ),
            "W:WK18,K19,20:BK3,K11",
            Choose(
                "White is to move. What is the result?",
                (
                    ("White wins", "White would win if it were Black’s move."),
                    (
                        "A draw",
                        "Right: when the king on 11 is attacked, the other comes up behind it.",
                    ),
                    ("Black wins", "Black holds the man, but wins nothing."),
                ),
                1,
                "value",
            ),
        ),
        Step(
            "Bring it home",
            (
                "This is how it should be: White’s kings stand as before, and Black’s second king"
                " has been driven off to 28. The king on 11 is alone.",
            ),
            "W:WK18,K19,20:BK11,K28",
            Win(
                "Win as White.",
                61,
                "Play 19-16: the king on 11 has to step back. Then move it out of the way and"
                " let the man follow by 16 and 11.",
            ),
            "The man that could not move has won the game.",
        ),
    ),
)

FOURTH = Lesson(
    "fourth-position",
    "Fourth Position",
    "A man more, but held: when it wins, and when it does not.",
    (
        Step(
            "A man up, and held back",
            (
                "In the Fourth Position Black has a man more, but that man is held on 21, where a"
                " white man on 30 and two kings stand against it.",
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
