"""The first chapter: the board, how men move and jump, and what kings are."""

from __future__ import annotations

from kingme.play.lessons.steps import Chapter, Choose, Lesson, Moves, Point, Step

__all__ = ["BEGINNING"]

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"

SETTING_UP = Lesson(
    "setting-up",
    "The board and the men",
    "How the board lies, where the men stand, and how the squares are numbered.",
    (
        Step(
            "Dark squares only",
            (
                "Checkers is played on a board of 64 squares, and only on the dark ones. The board"
                " lies so that each player has a dark square at the near left.",
                "You look at it from Black’s side. Black begins every game.",
            ),
            START,
            Choose(
                "How many squares are in play?",
                (
                    ("32", "Yes. Half of the 64 squares are dark."),
                    ("64", "The light squares are never used. Count the dark ones alone."),
                    ("24", "There are 24 men, but the empty dark squares are in play too."),
                ),
                0,
                "fact",
            ),
        ),
        Step(
            "Twelve men a side",
            (
                "Each side has twelve men on the three rows nearest to the player. The two rows in"
                " the middle are empty.",
                "The row at the very edge matters most later on: there the other side’s men would"
                " like to become kings.",
            ),
            START,
            Point(
                "Point at the four black men of the row nearest to you.",
                (1, 2, 3, 4),
                "named",
                "It is the row at the lower edge of the board.",
                "That is not a man of the row at your edge.",
                "Black’s first row",
            ),
            "These four guard your side of the board.",
        ),
        Step(
            "The double corner",
            (
                "At the near left each player has a single dark corner square. At the near right"
                " two dark squares share the corner. That is the double corner, where a king is"
                " hard to catch.",
            ),
            START,
            Point(
                "Point at the two squares of your double corner.",
                (1, 5),
                "named",
                "They are at the near right, one at the lower edge and one at the side.",
                "The double corner is at the near right.",
                "Black’s double corner",
            ),
            "Square 4, at the near left, is the single corner.",
        ),
        Step(
            "Every square has a number",
            (
                "The dark squares are numbered from 1 to 32, four to a row, beginning on Black’s"
                " side. So 1 to 4 are Black’s first row and 29 to 32 are White’s.",
                "The numbers are written on the board. Books and games use nothing else.",
            ),
            START,
            Point(
                "Point at square 18.",
                (18,),
                "named",
                "It is empty, in the fifth row from your side.",
                "Read the small number in the corner of the square.",
                "18",
            ),
            "Square 18 is one of the four in the centre. You will meet it often.",
        ),
    ),
)

MOVING = Lesson(
    "moving",
    "How a man moves",
    "One square, diagonally, forward, onto an empty square.",
    (
        Step(
            "One step forward",
            (
                "A man moves one square diagonally forward. Forward is towards the other player."
                " The square has to be empty.",
            ),
            "B:W32:B15",
            Point(
                "Point at each square to which the black man can move.",
                (18, 19),
                "lands",
                "There are two, one on either side.",
                "A man goes one step, diagonally, away from its own side.",
                "15",
            ),
        ),
        Step(
            "Make a move",
            (
                "Choose the man, then the square. With a mouse or a finger you can also drag it."
                " With the keyboard, go to the man with the arrow keys, press Enter, go to the"
                " square and press Enter again.",
            ),
            "B:W32:B15",
            Moves(
                "Move the black man.",
                ("15-18|15-19",),
                "legal",
                "A ring marks a piece that can move; dots show where to.",
                "That is not a move of this man.",
            ),
            "Then it is the other side’s turn. The players always take turns; nobody may pass.",
        ),
        Step(
            "Never onto a piece",
            (
                "A man cannot move onto a square where a piece stands, be it its own side’s or the"
                " other’s. Men that stand in each other’s way have to wait.",
            ),
            "B:W26,30:B9,13,14",
            Point(
                "Point at each black man that can move now.",
                (13, 14),
                "can_move",
                "Look at the two squares in front of each man.",
                "Both squares in front of this man are taken.",
            ),
            "The man on 9 has its own men on 13 and 14.",
        ),
        Step(
            "Men do not go back",
            (
                "A man never moves backward. Every step that you make with a man stays made, so"
                " take your time.",
            ),
            "W:W18,22,31:B6,7",
            Point(
                "White is to move. Point at each square to which the white man on 18 can go.",
                (14, 15),
                "lands",
                "White’s men move up the board as you see it.",
                "White’s men go towards Black’s side, one step at a time.",
                "18",
            ),
            marks=(18,),
        ),
        Step(
            "The first move of a game",
            (
                "From the start only four of Black’s men have room, and they have seven moves"
                " between them. All seven have been played for two hundred years; 11-15, into the"
                " centre, is the favourite.",
            ),
            START,
            Moves(
                "Make any first move.",
                ("9-13|9-14|10-14|10-15|11-15|11-16|12-16",),
                "legal",
                "Only the men of the front row, 9 to 12, have room.",
                "That is not a move of this position.",
            ),
            "A good beginning. Next comes what makes checkers sharp: jumping.",
        ),
    ),
)

JUMPING = Lesson(
    "jumping",
    "Jumping",
    "A man takes by jumping, and a jump is never optional.",
    (
        Step(
            "Over a man, onto the square behind",
            (
                "A man takes a piece of the other side by jumping over it: the piece is on the"
                " next square diagonally forward, and the square right behind it is empty. What"
                " was jumped leaves the board.",
            ),
            "B:W18,32:B15",
            Moves(
                "Take the white man on 18.",
                ("15x22",),
                "legal",
                "Jump from 15 over 18 to 22.",
                "A jump is due here.",
            ),
            "The man on 18 is gone.",
        ),
        Step(
            "A jump must be made",
            (
                "Whoever can jump has to. No other move is allowed then. Much of the game’s skill"
                " comes from this: you can make the other side jump where you want it to.",
            ),
            "B:W18,30:B6,15",
            Point(
                "Black is to move. Point at the piece that must jump.",
                (15,),
                "must_jump",
                "Which black man has a white one right in front, with an empty square behind?",
                "This man has nothing to jump over.",
            ),
        ),
        Step(
            "Even if you would rather not",
            ("Here Black would like to stay away and play 6-9. But the man on 15 has a jump.",),
            "B:W18,25,29:B6,15",
            Choose(
                "May Black play 6-9?",
                (
                    ("Yes", "A jump is due: 15x22 has to be played, even though it is a bad jump."),
                    ("No", "Right. Black must jump 15x22, and then White jumps back, 25x18."),
                ),
                1,
                "legal",
                "6-9",
            ),
        ),
        Step(
            "When there is no jump",
            (
                "If the square behind is taken, the piece cannot be jumped. Two men, one behind"
                " the other, protect each other.",
            ),
            "B:W18,22:B15",
            Point(
                "Point at each square to which the man on 15 can go.",
                (19,),
                "lands",
                "The man on 22 stands where a jump over 18 would land.",
                "That square is taken, or cannot be reached.",
                "15",
            ),
            "No jump, so an ordinary move: 15-19 is all that is left.",
        ),
        Step(
            "Men jump forward only",
            (
                "A man jumps in the directions in which it moves: forward. A piece behind it is"
                " safe from it.",
            ),
            "B:W10,26:B15",
            Point(
                "The white man on 10 has gone past. Point at the squares to which 15 can go.",
                (18, 19),
                "lands",
                "Look forward alone.",
                "A man goes forward only, and no more than one step unless it jumps.",
                "15",
            ),
            marks=(10,),
        ),
        Step(
            "A choice of jumps",
            (
                "If there are several jumps, you may choose any of them. You need not take the one"
                " that takes more.",
            ),
            "B:W17,18,32:B14",
            Moves(
                "Make either jump.",
                ("14x21|14x23",),
                "legal",
                "Over 17 to 21, or over 18 to 23.",
                "A jump is due here.",
            ),
            "Both were allowed. Which one is better is another question, for later lessons.",
        ),
    ),
)

SEVERAL = Lesson(
    "several-jumps",
    "Several jumps in one turn",
    "A jump goes on as long as it can, by the route that you choose.",
    (
        Step(
            "The jump goes on",
            (
                "If the piece that has jumped can jump again from where it landed, it must, in the"
                " same turn. All the pieces that it jumped leave together at the end.",
            ),
            "B:W14,22,32:B9",
            Moves(
                "Make the whole jump: over 14, then over 22.",
                ("9x18x25",),
                "legal",
                "From 9 to 18, and on to 25.",
                "A jump is due here.",
            ),
            "Two men in one turn. The move is written 9x18x25.",
        ),
        Step(
            "No stopping halfway",
            (
                "You cannot make the first part of a jump and stay there. The turn ends only when"
                " the piece can jump no more.",
            ),
            "B:W14,22,32:B9",
            Choose(
                "May Black jump to 18 and stop?",
                (
                    ("Yes", "The jump goes on: from 18 over 22 to 25. It has to be finished."),
                    ("No", "Right. Black has to go on to 25."),
                ),
                1,
                "legal",
                "9x18",
            ),
        ),
        Step(
            "Two routes to one square",
            (
                "A piece may have several routes. Here the white man on 27 reaches 11 by two of"
                " them, and they take different men. Choose the landing squares one by one.",
            ),
            "W:W27,32:B15,16,23,24",
            Moves(
                "Jump with the man on 27, by either route.",
                ("27x20x11|27x18x11",),
                "legal",
                "Over 24 and 16, or over 23 and 15.",
                "A jump is due here.",
            ),
        ),
        Step(
            "The longer one is not compulsory",
            (
                "In some kinds of draughts one must take as many pieces as possible. Not in"
                " American checkers: any jump will do, as long as it is finished.",
            ),
            "B:W14,15,24:B10",
            Choose(
                "May Black jump over 14 to 17, and so take one man rather than two?",
                (
                    ("Yes", "Right. The choice is free."),
                    ("No", "It is allowed: any jump may be chosen, whatever it takes."),
                ),
                0,
                "legal",
                "10x17",
            ),
        ),
        Step(
            "Usually more is better",
            ("Free to choose, you will mostly want to take all that you can.",),
            "B:W14,15,24:B10",
            Moves(
                "Take as many men as you can.",
                ("10x19x28",),
                "most",
                "The other way: over 15, and then over 24.",
                "That takes one man. The other way takes two.",
            ),
        ),
    ),
)

KINGS = Lesson(
    "kings",
    "Kings",
    "A man that reaches the far row is crowned; what kings can do, and what they cannot.",
    (
        Step(
            "The far row crowns",
            (
                "A man that reaches the far row becomes a king. In a real game a second man is put"
                " on top of it; here it gets a crown.",
            ),
            "B:W21,28:B26",
            Moves(
                "Crown the black man.",
                ("26-30|26-31",),
                "crowns",
                "One step, to 30 or to 31.",
                "The far row is just one step away.",
            ),
            "That is what “king me” means: the other player has to put the crown on.",
        ),
        Step(
            "Forward and backward",
            ("A king moves one square in any of the four diagonal directions.",),
            "B:W12:BK18",
            Point(
                "Point at each square to which the king can move.",
                (14, 15, 22, 23),
                "lands",
                "There are four.",
                "A king goes one step, diagonally, in any direction.",
                "18",
            ),
        ),
        Step(
            "Kings jump backward too",
            (
                "A king jumps in all four directions as well. That is its great strength: no man"
                " is safe from it just by having gone past.",
            ),
            "B:W15,32:BK18",
            Moves(
                "Take the white man.",
                ("18x11",),
                "legal",
                "Backward, over 15 to 11.",
                "A jump is due here.",
            ),
        ),
        Step(
            "Round the corner",
            (
                "In one turn a king may jump forward and backward as it likes. It may even come"
                " back to where it began. It just cannot jump the same piece twice.",
            ),
            "W:WK22:B9,10,17,18",
            Moves(
                "Take all four men in one turn.",
                ("22x13x6x15x22|22x15x6x13x22",),
                "most",
                "Go round: 13, 6, 15 and back to 22, or the other way.",
                "A jump is due here, and it goes all the way round.",
            ),
        ),
        Step(
            "Kings do not fly",
            (
                "A king goes one step at a time, and jumps only over a piece right beside it. Long"
                " moves along a diagonal belong to other kinds of draughts.",
            ),
            "B:W12,32:BK18",
            Choose(
                "May the king go from 18 to 9 in one move?",
                (
                    ("Yes", "One step alone: from 18 to 14, and 9 only at the next turn."),
                    ("No", "Right. One step at a time."),
                ),
                1,
                "legal",
                "18-9",
            ),
            marks=(9,),
        ),
        Step(
            "Kings can be taken",
            (
                "A king is worth more than a man, but nothing protects it. A man can jump over a"
                " king like over any piece.",
            ),
            "B:WK18,32:B15",
            Moves(
                "Take the white king.",
                ("15x22",),
                "legal",
                "Over 18 to 22.",
                "A jump is due here.",
            ),
        ),
        Step(
            "Crowning ends the turn",
            (
                "If a man jumps onto the far row, it is crowned and the turn ends, even if the new"
                " king could jump again.",
            ),
            "B:W26,27:B22",
            Choose(
                "After 22x31, may the new king go on over 27?",
                (
                    ("Yes", "It has to wait: crowning ends the turn."),
                    ("No", "Right. First it is White’s turn."),
                ),
                1,
                "legal",
                "22x31x24",
            ),
        ),
    ),
)

BEGINNING = Chapter(
    "The pieces",
    "How the board lies, how men move and jump, and what kings are.",
    (SETTING_UP, MOVING, JUMPING, SEVERAL, KINGS),
)
