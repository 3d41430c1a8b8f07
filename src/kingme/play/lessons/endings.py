"""The last chapter: kings’ endings; `numbered` has the positions with numbers for names."""

from __future__ import annotations

from kingme.play.lessons.numbered import FIRST, FOURTH, SECOND, THIRD
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

ENDINGS = Chapter(
    "Endings",
    "Kings against kings, and the classic positions.",
    (TWO_AGAINST_ONE, THREE_AGAINST_TWO, FIRST, SECOND, THIRD, FOURTH),
)
