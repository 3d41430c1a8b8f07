"""The second chapter: how a game ends, and how games are written down."""

from __future__ import annotations

from kingme.play.lessons.steps import Chapter, Choose, Hold, Lesson, Moves, Point, Step, Win

__all__ = ["RESULTS"]

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"

WINNING = Lesson(
    "winning",
    "Winning",
    "You win when the other side has no piece left, or no move.",
    (
        Step(
            "Take the last piece",
            ("Whoever has no piece left has lost.",),
            "B:W18:B15",
            Moves(
                "End the game.",
                ("15x22",),
                "ends",
                "There is just one move.",
                "A jump is due here.",
            ),
            "White has nothing left. Black wins.",
        ),
        Step(
            "No move left",
            (
                "Whoever is to move and cannot has lost too, however many pieces are on the board."
                " There is no draw by being stuck, as there is in chess.",
            ),
            "W:W5:B1",
            Choose(
                "White is to move. What is the result?",
                (
                    ("Black wins", "Yes. The man on 5 cannot move or jump, so White has lost."),
                    ("A draw", "In checkers, having no move is a loss."),
                    ("White passes", "Nobody may pass. Having no move is a loss."),
                ),
                0,
                "value",
            ),
        ),
        Step(
            "Shut in at the side",
            (
                "A man at the side has one square to go to. Put a man there that cannot be jumped,"
                " and it is stuck.",
            ),
            "W:W19,20:B12",
            Moves(
                "White ends the game at once. How?",
                ("20-16",),
                "ends",
                "Black’s man could only go to 16.",
                "After that Black still has a move.",
                (
                    (
                        "19-16",
                        "Then Black jumps 12x19: nothing stands behind 16. Think of the other man.",
                    ),
                ),
            ),
            "The man on 16 cannot be jumped, because 19 is taken. Black has no move and has lost.",
        ),
        Step(
            "Shut in by being early",
            (
                "The same can be done further up: two men, one behind the other, hold a man at the"
                " side.",
            ),
            "W:W27,28:B20",
            Moves(
                "End the game at once.",
                ("28-24",),
                "ends",
                "Black’s man on 20 could only go to 24.",
                "After that Black still has a move.",
                (("27-24", "Black jumps 20x27. The square behind 24 has to be taken."),),
            ),
            "Stuck again. White wins.",
        ),
        Step(
            "Catch a king in the corner",
            (
                "Two kings, one against one. Black’s has run into the single corner and there is"
                " just one way out. Now it is played on: make your moves, and the other side"
                " answers as well as it can.",
            ),
            "W:WK18:BK29",
            Win(
                "Win as White.",
                15,
                "Stand two squares away on its diagonal, so that it has to walk into a jump.",
            ),
            "The corner is a trap for a king with only one way out.",
        ),
    ),
)

DRAWS = Lesson(
    "draws",
    "Draws",
    "When nobody wins, and what the usual draw rules say.",
    (
        Step(
            "When nobody can win",
            (
                "Between good players many games are drawn. Both may agree to a draw at any time."
                " And when nothing happens any more, the rules end the game.",
                "Here White’s king cannot get at Black’s in the double corner.",
            ),
            "B:WK23:BK32",
            Moves(
                "Black moves. One move keeps the draw.",
                ("32-28",),
                "draw",
                "Stay in the corner, away from the king on 23.",
                "Then White jumps it, and wins.",
                (("32-27", "There White jumps it, 23x32, and the game is over."),),
            ),
            "From 28 the king goes back to 32, and so on, for ever.",
            bottom="W",
        ),
        Step(
            "The same position again",
            (
                "By the usual rules the game is drawn when the same position, with the same side to"
                " move, has come up a number of times. It need not be in a row.",
            ),
            "B:WK23:BK32",
            Choose(
                "By the standard rules of this place, how many times?",
                (
                    ("2 times", "One repetition is still allowed."),
                    ("3 times", "Yes. The third time makes a draw by itself."),
                    ("4 times", "One too many. The third time is enough."),
                ),
                1,
                "fact",
                "standard.repetition",
            ),
            bottom="W",
        ),
        Step(
            "No progress",
            (
                "The other rule counts moves without progress: without a jump and without a man’s"
                " move. A man’s move cannot be taken back, so it counts as progress; the walks of"
                " kings do not.",
            ),
            "B:WK23:BK32",
            Choose(
                "After how many such moves of each side is it a draw by the standard rules?",
                (
                    ("40 each", "Yes. The page shows the count when it comes near."),
                    ("20 each", "That would end many won endings too early."),
                    ("100 each", "That would be a long evening. It is 40."),
                ),
                0,
                "fact",
                "standard.each",
            ),
            bottom="W",
        ),
        Step(
            "Other places, other rules",
            (
                "Rules of draws differ, so you can choose them before a game. In tournaments"
                " nothing is automatic: the player to move claims the draw, and it is checked. By"
                " agreement alone, nothing but a yes from both sides ends a game. Under “50 moves"
                " without a jump”, moves of men do not count as progress.",
            ),
            "B:WK23:BK32",
            Choose(
                "You play by the tournament rules, and the position comes up for the third time.",
                (
                    ("The game is drawn at once", "Only under automatic rules."),
                    ("You may claim a draw", "Yes: on your turn, if you like."),
                    ("Nothing can be done", "You may claim it. You need not."),
                ),
                1,
                "fact",
                "tournament.claimed",
            ),
            bottom="W",
        ),
        Step(
            "Hold the draw yourself",
            (
                "Now sit in the double corner as Black. White’s king tries what it can. You need"
                " not do anything clever, only never step onto a square where you can be jumped.",
            ),
            "B:WK19:BK32",
            Hold(
                "Hold the draw.",
                24,
                "Go between 32 and 28, and look before each step where the white king stands.",
            ),
            "Held. A lone king in the double corner is safe from another lone king.",
        ),
    ),
)

NOTATION = Lesson(
    "notation",
    "Reading games",
    "How moves and games are written, so that you can play over those of others.",
    (
        Step(
            "A move",
            (
                "A move is written by the numbers of the two squares: 11-15 means that the piece on"
                " 11 goes to 15. Men and kings are written the same way.",
            ),
            START,
            Moves(
                "Play 11-15.",
                ("11-15",),
                "told",
                "The man on 11 stands in Black’s front row.",
                "That is another move. Look for the numbers 11 and 15.",
            ),
        ),
        Step(
            "A jump",
            (
                "A jump has a cross between the numbers: 15x22. The square of the piece that is"
                " jumped is not written. A longer jump names every landing: 9x18x25.",
            ),
            "B:W14,22,32:B9,10",
            Moves(
                "Play 9x18x25.",
                ("9x18x25",),
                "told",
                "From 9 over 14 to 18, and on over 22 to 25.",
                "That is another jump. Look at the first number.",
            ),
        ),
        Step(
            "A whole game",
            (
                "A game is written in pairs: the number of the turn, Black’s move, White’s move."
                " Here is how a very common opening begins.",
                "1. 11-15 22-18 2. 15x22 25x18 3. 8-11",
            ),
            START,
            Moves(
                "Play Black’s moves of it: 11-15, then 15x22, then 8-11. White answers.",
                ("11-15", "22-18", "15x22", "25x18", "8-11"),
                "told",
                "Read on where you are: after 22-18 comes 15x22.",
                "Read the next move of Black once more.",
            ),
            "You can now play over any game in a book.",
        ),
        Step(
            "Who won",
            (
                "At the end stands the result. In files of games, called PDN, it is 1-0 when the"
                " side that began has won, 0-1 when the other side has, and 1/2-1/2 for a draw."
                " Black begins in American checkers.",
            ),
            START,
            Choose(
                "A game ends with 0-1. Who won?",
                (
                    ("Black", "Black began, so a win of Black is 1-0."),
                    ("White", "Yes."),
                    ("Nobody", "A draw is written 1/2-1/2."),
                ),
                1,
                "fact",
            ),
        ),
        Step(
            "A position",
            (
                "A position is written as a FEN: whose turn it is, then White’s pieces, then"
                " Black’s, with a K before kings. The one on the board is W:W18,K22:B9,K14.",
            ),
            "W:W18,K22:B9,K14",
            Point(
                "In W:W18,K22:B9,K14, point at the kings of both sides.",
                (14, 22),
                "kings",
                "They are the numbers with a K.",
                "There is no K before that number.",
                "BW",
            ),
            "With a FEN you can set up any position: on the analysis page, or to print it.",
        ),
        Step(
            "Letters",
            (
                "Some places name squares by letters and digits, as in chess: a1 is the corner at"
                " White’s near left, h8 the one at Black’s. Square 29 is a1, square 22 is c3. You"
                " can choose either in the settings; lessons speak of numbers.",
            ),
            START,
            Choose(
                "Square 32 lies at White’s near right, on White’s first row. Which name has it?",
                (
                    ("g1", "Yes. a1, c1, e1 and g1 are squares 29 to 32."),
                    ("h1", "h1 is a light square."),
                    ("h8", "h8 is at the other end: square 4."),
                ),
                0,
                "fact",
                "letters.32",
            ),
            bottom="W",
        ),
    ),
)

RESULTS = Chapter(
    "The game",
    "How a game is won, how it is drawn, and how it is written down.",
    (WINNING, DRAWS, NOTATION),
)
