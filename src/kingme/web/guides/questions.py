"""Questions that people ask about checkers, and the answers, in HTML of the plainest kind."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["GROUPS", "QUESTIONS", "Group", "Question"]


@dataclass(frozen=True, slots=True)
class Question:
    """One question, with its anchor on the page, the paragraphs of its answer, and a board."""

    anchor: str
    asked: str
    answer: tuple[str, ...]
    board: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Questions about one subject."""

    anchor: str
    title: str
    questions: tuple[Question, ...]


GROUPS = (
    Group(
        "setting-up",
        "Setting up and starting",
        (
            Question(
                "set-up",
                "How do you set up a checkers board?",
                (
                    "Turn the board so that each player has a dark corner square at the near left. "
                    "Each side puts 12 men on the dark squares of the three rows nearest to it. "
                    "The two rows in the middle stay empty.",
                ),
                "start",
            ),
            Question(
                "how-many",
                "How many pieces are there in checkers?",
                (
                    "24: twelve men for each side. Kings are not extra pieces. A man that is "
                    "crowned gets a second man on top of it, one that was taken before.",
                ),
            ),
            Question(
                "who-starts",
                "Who goes first in checkers?",
                (
                    "The player with the darker pieces, called Black in the books even where they "
                    "are red. Players change colours from game to game. In some other kinds of "
                    'draughts White begins: the <a href="/variants">table of variants</a> says '
                    "where.",
                ),
            ),
            Question(
                "squares",
                "Which squares are used?",
                (
                    "Only the 32 dark ones. They are numbered from 1 to 32, row by row, from "
                    'Black’s side: see <a href="/notation">how moves are written</a>.',
                ),
            ),
            Question(
                "printed",
                "I have no board. Can I print one?",
                (
                    'Yes. <a href="/print">The page for printing</a> makes boards true to size, '
                    "pieces to cut out, the rules on one sheet, and score sheets, for A4 and "
                    "Letter.",
                ),
            ),
        ),
    ),
    Group(
        "jumping",
        "Moving and jumping",
        (
            Question(
                "must-jump",
                "Do you have to jump in checkers?",
                (
                    "Yes. If any of your pieces can jump, you must jump with one of them; you may "
                    "not make another move. This is why pieces can be given away with a purpose: "
                    'the jump that you force may open the board for a <a href="/strategy#shots">'
                    "larger one of your own</a>.",
                ),
                "jump",
            ),
            Question(
                "shorter-jump",
                "May I choose a jump that takes fewer pieces?",
                (
                    "Yes. Among several jumps you may choose any, whatever it takes. But the jump "
                    "you have chosen must go on until that piece can jump no more. Several other "
                    "kinds of draughts demand the jump that takes most.",
                ),
                "shorter",
            ),
            Question(
                "stop-halfway",
                "May I stop in the middle of a double jump?",
                (
                    "No. A jump goes on with the same piece for as long as it can, all in one "
                    "turn. It may change direction after each hop.",
                ),
                "long-jump",
            ),
            Question(
                "backward",
                "Can a man jump backward?",
                (
                    "Not in American checkers. A man moves and jumps forward only; kings go both "
                    "ways. In Russian, Brazilian and international draughts, and in pool checkers, "
                    "men do capture backward.",
                ),
                "no-backward",
            ),
            Question(
                "jump-two",
                "Can you jump over two pieces in a row, or over your own?",
                (
                    "No. A jump passes over one enemy piece beside the jumping one, and the square "
                    "next behind it must be empty. No piece may be jumped twice in one turn, and "
                    "you never jump your own.",
                ),
            ),
            Question(
                "king-jumped-by-man",
                "Can a man take a king?",
                (
                    "Yes, as it takes a man: by jumping forward over it. Italian draughts is the "
                    "exception, where men may not take kings.",
                ),
            ),
            Question(
                "huffing",
                "What is huffing?",
                (
                    "An old penalty: if a player missed a jump, the opponent could take off the "
                    "piece that should have jumped. Tournament rules ended it long ago. Today the "
                    "move is taken back and a jump is made instead, and a program does not accept "
                    "it in the first place.",
                ),
            ),
        ),
    ),
    Group(
        "kings",
        "Kings",
        (
            Question(
                "becoming-king",
                "How does a man become a king?",
                (
                    "By ending its move on the far row, whether by a step or by a jump. The "
                    "opponent crowns it, and the turn is over.",
                ),
            ),
            Question(
                "jump-after-crowning",
                "Can a new king go on jumping in the same turn?",
                (
                    "No. In American checkers the turn ends when a man is crowned, even if it "
                    "could jump on as a king. In Russian draughts it must go on.",
                ),
                "crowning",
            ),
            Question(
                "flying-kings",
                "Can a king move more than one square?",
                (
                    "Not here. A king moves one square at a time, forward or backward, and jumps "
                    "only over a piece beside it. Kings that run along a whole diagonal are called "
                    "flying kings. They belong to other games, among them Russian, Spanish and "
                    "international draughts.",
                ),
                "king-jump",
            ),
            Question(
                "king-loses",
                "Can a king be taken?",
                ("Yes. A king is jumped as a man is, by a man or by a king.",),
            ),
        ),
    ),
    Group(
        "ending",
        "How a game ends",
        (
            Question(
                "cannot-move",
                "What happens if you cannot move?",
                (
                    "You lose. A player who has no legal move on the turn has lost, whether "
                    "because no piece is left or because all are blocked. There is no stalemate "
                    "in checkers.",
                ),
                "blocked",
            ),
            Question(
                "draw",
                "When is a game of checkers a draw?",
                (
                    "When both players agree. Besides, under the standard rules here, when the "
                    "same position with the same player to move has come up for the third time, "
                    "and when each side has made 40 moves in a row without a jump or a move of a "
                    'man. <a href="/rules#draws">The rules of several places compared</a>.',
                ),
                "draw",
            ),
            Question(
                "one-king-each",
                "Is one king against one king always a draw?",
                (
                    "No. Of all positions with one king each about one in three is decided. A king "
                    "that reaches a double corner is safe there. One that is met at the edge or in "
                    "the single corner is caught by a king that has "
                    '<a href="/strategy#the-move">the move</a>.',
                ),
            ),
            Question(
                "two-kings",
                "Can two kings beat one?",
                (
                    "Yes, unless one is lost or exchanged at once: even out of the double corner. "
                    '<a href="/strategy#king-endings">The way is shown here</a>.',
                ),
            ),
        ),
    ),
    Group(
        "tournaments",
        "Tournament play",
        (
            Question(
                "three-move",
                "What is the three-move restriction?",
                (
                    "In tournaments the first three moves of a game are drawn by lot, so that "
                    "strong players cannot steer for the openings that they know to be drawn. "
                    "There are 174 such openings, called ballots. 156 are played, and 18 are "
                    "barred, since one side is held to lose by force. Each pair of players plays "
                    "a ballot twice, with colours changed.",
                ),
            ),
            Question(
                "touch-move",
                "Is there a touch-move rule?",
                (
                    "In tournaments, yes: a player on the turn who touches a piece that can move "
                    "must move it. Whoever only wants to straighten a piece says so first. On a "
                    "screen a move counts once it is complete.",
                ),
            ),
            Question(
                "clock",
                "How long may a player think?",
                (
                    "In tournaments as long as the clock of the event allows; running out of time "
                    "loses. At home there is no limit unless you agree on one. In "
                    '<a href="/lobby">the lobby</a> each game says its clock.',
                ),
            ),
        ),
    ),
    Group(
        "around",
        "Around the game",
        (
            Question(
                "solved",
                "Is checkers solved?",
                (
                    "Yes, in the sense that matters in theory. In 2007 Jonathan Schaeffer and his "
                    "colleagues at the University of Alberta, who had written the program Chinook, "
                    "published a proof that with best play by both sides the game from its usual "
                    "start is a draw. It rests on databases of all positions with up to ten "
                    "pieces. Nobody can keep the whole proof in their head, so it is as hard to "
                    "play well as ever.",
                ),
            ),
            Question(
                "draughts",
                "Are checkers and draughts the same?",
                (
                    "American checkers and English draughts are one game under two names. The word "
                    "draughts also stands for the whole family, which has flying kings and larger "
                    'boards elsewhere: <a href="/variants">fifteen of them can be played here</a>.',
                ),
            ),
            Question(
                "harder-than-chess",
                "Is checkers easier than chess?",
                (
                    "Its rules are shorter, and a game is as deep as the players make it. There "
                    "are about 5 × 10²⁰ possible positions, and with only one kind of man a small "
                    "difference decides. A first game takes minutes to learn; the endings of "
                    "masters take years.",
                ),
            ),
            Question(
                "best-first-move",
                "What is the best first move?",
                (
                    "11-15 has the best reputation, and 9-14 and 11-16 come close. All "
                    "seven first moves are played by masters, and none is known to lose. "
                    '<a href="/strategy#openings">More on openings</a>.',
                ),
            ),
        ),
    ),
)

QUESTIONS = tuple(question for group in GROUPS for question in group.questions)
